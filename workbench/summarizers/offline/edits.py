"""Every edit of a file, by file: what was put in, what it replaced, whether it worked."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...conversation.block import Block
from ...conversation.row import Row
from ...memory.offline.facts import EDITS, ERROR, OK, PENDING, REFUSED
from ...memory.offline.speech import refusal
from ...memory.words import clean, given, text_of


@dataclass(frozen=True, slots=True)
class Edit:
    """One call of an editing tool.

    pieces   (text before, text after) of each place that it changes; before is "" for a whole file
    outcome  "ok" | "error" | "refused" | "pending"
    said     the error's text
    order    place of its row
    """

    path: str
    tool: str
    pieces: tuple[tuple[str, str], ...]
    order: int
    at: str | None = None
    outcome: str = PENDING
    said: str = ""


@dataclass(frozen=True, slots=True)
class Edited:
    """A file with all its edits, newest first."""

    path: str
    edits: tuple[Edit, ...]

    @property
    def good(self) -> tuple[Edit, ...]:
        """Those that changed it, newest first."""
        return tuple(e for e in self.edits if e.outcome == OK)


def edited_files(rows: Iterable[Row]) -> tuple[Edited, ...]:
    """The files, the one with the newest edit first."""
    by_call: dict[str, Edit] = {}
    for order, row in enumerate(rows):
        for block in row.blocks:
            if block.kind == "tool_use" and block.name in EDITS:
                edit = _edit(block, order, row.timestamp)
                by_call |= {} if edit is None else {block.call: edit}
            elif block.kind == "tool_result" and block.call in by_call:
                by_call[block.call] = _answered(by_call[block.call], block)
    files: dict[str, list[Edit]] = {}
    for edit in sorted(by_call.values(), key=lambda e: -e.order):
        files.setdefault(edit.path, []).append(edit)
    return tuple(Edited(path, tuple(edits)) for path, edits in files.items())


def _edit(call: Block, order: int, at: str | None) -> Edit | None:
    value = given(call)
    path = value.get("file_path") or value.get("notebook_path")
    return Edit(path, call.name, tuple(_pieces(value)), order, at) if isinstance(path, str) and path else None


def _pieces(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    several = value.get("edits")
    for one in several if isinstance(several, list) else [value]:
        if isinstance(one, Mapping):
            after = one.get("new_string", one.get("content", one.get("new_source")))
            before = one.get("old_string")
            yield before if isinstance(before, str) else "", after if isinstance(after, str) else ""


def _answered(edit: Edit, result: Block) -> Edit:
    said = clean(text_of(result)).strip()
    if not result.error:
        return replace(edit, outcome=OK)
    return replace(edit, outcome=ERROR if refusal(said) is None else REFUSED, said=said)
