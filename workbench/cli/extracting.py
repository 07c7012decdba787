"""From --extract to whoever updates the notes: the conversation itself, a program of the user, or Claude."""

from dataclasses import dataclass

from ..compaction.request import OK, Reply, Request
from ..conversation.block import text_block
from ..conversation.row import USER, Message, Part
from ..errors import UsageError
from ..evidence.calibration import model_of
from ..memory.extraction import ExtractionRequest
from ..memory.notes import Notes
from ..memory.taking import Extractor, offline_extractor
from ..summarizers import CLAUDE, COMMAND, OFFLINE
from ..transcript.session import Session
from . import output

USAGE = "offline, command:CMD, claude"
OVERHEAD = 2_000  # tokens of a reply beside the texts of the sections


def extractor_named(name: str, session: Session, model: str | None = None) -> Extractor:
    """The extractor of that name; asking it raises UsageError where no reply comes. Raises UsageError for an unknown one."""
    kind, colon, argument = name.partition(":")
    if kind == OFFLINE and not colon:
        return offline_extractor
    if kind == COMMAND and argument.strip():
        return ByCommand(argument)
    if kind == CLAUDE and not colon:
        model = model or model_of(session)
        if not model:
            raise UsageError("The session names no model; name one with --model.")
        return ByClaude(model)
    raise UsageError(f"There is no extractor {name!r}; known are {USAGE}.")


@dataclass(frozen=True, slots=True)
class ByCommand:
    """A program that is given the prompt on its standard input."""

    command: str

    def __call__(self, request: ExtractionRequest, _: Notes) -> str:
        from ..summarizers.command import run_command

        return text_of(run_command(self.command, request.prompt))


@dataclass(frozen=True, slots=True)
class ByClaude:
    """The Messages API; the cost is told before, the usage after."""

    model: str

    def __call__(self, request: ExtractionRequest, notes: Notes) -> str:
        from ..export.messages import as_json
        from ..summarizers.claude import ClaudeSummarizer
        from ..summarizers.costs import dollars_of

        claude = ClaudeSummarizer(self.model, as_json)
        asked = as_question(request, notes, self.model)
        output.complain(claude.cost(asked).sentence)
        reply = claude.ask(asked, on_retry=lambda retrying: output.complain(retrying.sentence))
        if reply.usage is not None:
            dollars = dollars_of(reply.usage, self.model)
            price = "" if dollars is None else f", at most ${dollars:,.2f}"
            output.complain(f"{reply.usage.prompt:,} prompt tokens and {reply.usage.output:,} of output{price}.")
        return text_of(reply)


def as_question(request: ExtractionRequest, notes: Notes, model: str) -> Request:
    """The request for an update as one user message."""
    message = Message(USER, (Part(text_block(request.prompt), None),))
    most = notes.budgets.total + OVERHEAD
    return Request(
        kind="extraction",
        key="extraction:0",
        purpose="update of the notes",
        messages=(message,),
        prompt=request.prompt,
        model=model,
        max_tokens=most,
        shared_prefix=False,
    )


def text_of(reply: Reply) -> str:
    """The text of a reply. Raises UsageError with what went wrong."""
    if reply.outcome != OK:
        raise UsageError(reply.error or f"The extractor gave no notes: {reply.outcome}.")
    return reply.text
