"""Everything the user said, in order: requests, commands typed into the shell, words said when refusing a call."""

from collections.abc import Iterable
from dataclasses import dataclass

from ...conversation.block import Block
from ...conversation.row import ASSISTANT, Row
from ...memory.offline.speech import hear, refusal
from ...memory.words import clean, given, one_line, text_of

REQUEST, TYPED, REFUSAL, BROKE_OFF = "request", "typed", "refusal", "broke off"
QUEUED = "attachment:queued_command"
PICTURES = ("image", "document")


@dataclass(frozen=True, slots=True)
class Voice:
    """kind: "request" | "typed" | "refusal" | "broke off"; about: what was refused; pictures: images that came with it."""

    kind: str
    text: str = ""
    at: str | None = None
    about: str = ""
    pictures: int = 0


def voices(rows: Iterable[Row]) -> tuple[Voice, ...]:
    """What the user said in these rows of the main chain, whole and unshortened."""
    found: list[Voice] = []
    calls: dict[str, str] = {}
    for row in rows:
        if row.role == ASSISTANT:
            calls |= {b.call: _about(b) for b in row.blocks if b.kind == "tool_use"}
        elif row.role is not None and not row.is_summary:
            found += _said(row, calls)
    return tuple(found)


def _about(call: Block) -> str:
    value = given(call)
    target = value.get("file_path") or value.get("command") or value.get("description") or ""
    return f"{call.name} `{one_line(str(target), 120)}`" if target else call.name


def _said(row: Row, calls: dict[str, str]) -> Iterable[Voice]:
    for block in row.blocks:
        words = refusal(clean(text_of(block)).strip()) if block.kind == "tool_result" and block.error else None
        if words is not None:
            yield Voice(REFUSAL, words, row.timestamp, calls.get(block.call, "a call"))
    if row.is_meta or (row.is_attachment and row.kind != QUEUED):
        return
    text = "\n".join(text_of(b) for b in row.blocks if b.kind in ("text", "reminder"))
    if row.is_attachment:
        text = text.replace("<system-reminder>", "").replace("</system-reminder>", "")
    heard = hear(text)
    pictures = sum(b.kind in PICTURES for b in row.blocks)
    if heard.kind == "request" or pictures:
        yield Voice(REQUEST, heard.text, row.timestamp, pictures=pictures)
    elif heard.kind == "typed":
        yield Voice(TYPED, heard.text, row.timestamp)
    elif heard.kind == "interrupted":
        yield Voice(BROKE_OFF, at=row.timestamp)
