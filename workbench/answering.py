"""Who answers what a run asks: at the edge, for the command line and the screen alike.

Files are read, a program is run, a model is asked here and nowhere below; what a stage wanted comes back as a Reply.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .compaction.request import ERROR, FILES, SUMMARY, Reply, Request
from .conversation.row import Message
from .errors import UsageError
from .storage import read_if_there, read_text
from .summarizers import CLAUDE, COMMAND, FILE, RECORDED, Choice, Summarizer, read_choice
from .transcript.session import Session

if TYPE_CHECKING:
    from .summarizers.claude import ClaudeSummarizer


def answerer(session: Session, summarizer: str, *, line: int | None = None, variant: str = "full", model: str = "") -> Summarizer:
    """Answers every request of a run, summaries by the summarizer that is named (`offline`, `file:PATH`, ...).

    line   the run's point, for `recorded`; None: the end, behind every boundary
    model  for `claude`; Raises UsageError for an unknown name, or for `claude` without a model
    """
    ask = summarizer_of(session, read_choice(summarizer), line=line, variant=variant, model=model)

    def answer(request: Request) -> Reply:
        if request.kind == FILES:
            return files_reply(request)
        return ask(request) if request.kind == SUMMARY else Reply(ERROR, error=f"Nobody here answers for {request.purpose}.")

    return answer


def summarizer_of(session: Session, choice: Choice, *, line: int | None, variant: str, model: str) -> Summarizer:
    """The function behind a choice; nothing is read or sent before it is called."""
    if choice.name == RECORDED:
        from .summarizers.recorded import RecordedSummarizer

        lines = session.index.lines
        return RecordedSummarizer(session, line if line is not None else lines[-1] + 1 if len(lines) else 1)
    if choice.name == FILE:
        from .summarizers.typed import text_reply

        path = Path(choice.argument)
        return lambda _: text_reply(read_text(path), f"file {path.name}")
    if choice.name == COMMAND:
        from .summarizers.command import command_summarizer

        return command_summarizer(choice.argument)
    if choice.name == CLAUDE:
        return claude(model)
    from .summarizers.offline import offline

    return lambda request: offline(variant, request.covers)(request)


def claude(model: str) -> "ClaudeSummarizer":
    """The Messages API as the summarizer; its SDK is loaded by the first question. Raises UsageError without a model."""
    from .export.messages import as_json
    from .summarizers.claude import ClaudeSummarizer

    if not model:
        raise UsageError("No model is known for this session; name one with --model.")
    encode: Callable[[Message], dict[str, object]] = as_json
    return ClaudeSummarizer(model, encode)


def files_reply(request: Request) -> Reply:
    """The contents of files as they are on disk now; one that cannot be read is missing from the answer."""
    contents = {path: text for path in request.paths if (text := read_if_there(Path(path))) is not None}
    return Reply(files=contents, source="disk")
