"""Rows as plain text for whoever is asked to update the notes: a program on stdin, or a model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..conversation.block import Block
from ..conversation.row import Row
from ..conversation.text import compact_json, rough, utf8_length
from .words import clean, given, middle_cut, text_of

SILENT = ("thinking", "redacted_thinking", "reminder")


@dataclass(frozen=True, slots=True)
class TellingSettings:
    """call, result: characters of one call's input and of one result; total: rough tokens of all."""

    call: int = 1_000
    result: int = 1_500
    total: int = 100_000


AS_USUAL = TellingSettings()


def tell(rows: Sequence[Row], settings: TellingSettings = AS_USUAL) -> str:
    """What was said and done, oldest first; where it is too long the oldest rows are left out, and the text says so."""
    pieces: list[str] = []
    room = settings.total
    for place in range(len(rows) - 1, -1, -1):
        piece = "\n".join(_tell_row(rows[place], settings))
        room -= rough(utf8_length(piece) + 1)
        if room < 0 and pieces:
            pieces.append(f"[{place + 1} older rows are left out: they do not fit]")
            break
        if piece:
            pieces.append(piece)
    return "\n".join(reversed(pieces))


def _tell_row(row: Row, settings: TellingSettings) -> Iterator[str]:
    if row.role is None or row.is_summary:
        return
    for block in row.blocks:
        if block.kind not in SILENT and not block.kind.startswith("attachment:"):
            yield from _tell_block(row, block, settings)


def _tell_block(row: Row, block: Block, settings: TellingSettings) -> Iterator[str]:
    if block.kind == "tool_use":
        yield f"[call] {block.name} {middle_cut(clean(compact_json(dict(given(block)))), settings.call)}"
    elif block.kind == "tool_result":
        yield f"[{'error' if block.error else 'result'}] {middle_cut(clean(text_of(block)), settings.result)}"
    elif block.kind == "text":
        yield f"[{row.role}] {clean(text_of(block))}"
    else:
        yield f"[{row.role}] [{block.kind}]"
