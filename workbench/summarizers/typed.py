"""Summaries that somebody else wrote: a text as the reply, and the request as a text for a program's standard input."""

from ..compaction.request import EMPTY, Reply, Request
from ..conversation.row import Row
from ..conversation.text import without_surrogates
from ..memory.telling import TellingSettings, tell
from ..memory.words import clean, text_of
from .shown import rows_shown

TELLING = TellingSettings(call=2_000, result=4_000, total=120_000)


def text_reply(text: str, source: str) -> Reply:
    """A text as if a model had answered with it, tags and all; a blank one is an empty reply.

    source  what is named as the origin: "file notes.md"
    """
    if not text.strip():
        return Reply(EMPTY, error=f"The {source} is empty: there is no summary in it.", source=source)
    return Reply(text=without_surrogates(text), source=source)


def spoken(request: Request, telling: TellingSettings = TELLING) -> str:
    """A summary request as one text: the conversation, then the instruction.

    For a program that has no array to be sent. Where the conversation is too long its oldest rows are left out, and the
    text says so; an earlier summary always stays.
    """
    rows = rows_shown(request)
    told = "\n".join(part for part in (_earlier(rows), tell(rows, telling)) if part)
    inside = told.replace("</conversation", "< /conversation")
    return without_surrogates(f"<conversation>\n{inside}\n</conversation>\n\n{request.prompt}\n")


def _earlier(rows: tuple[Row, ...]) -> str:
    texts = ["\n".join(map(text_of, row.blocks)) for row in rows if row.is_summary]
    return f"[summary of what was before]\n{clean(texts[-1]).strip()}\n" if texts else ""
