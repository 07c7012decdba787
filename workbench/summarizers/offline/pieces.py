"""The code of edits that still stands: without what a later edit took out again, and without unchanged surroundings."""

from collections.abc import Iterator
from dataclasses import dataclass

from .edits import Edit, Edited

CONTEXT = 2  # unchanged lines shown on either side of a change
TELLING = 4  # characters from which a line tells one place from another


@dataclass(frozen=True, slots=True)
class Piece:
    """One place of a file after an edit; `removed` when the edit only took something out, which is then the text."""

    edit: Edit
    text: str
    removed: bool = False


def standing(file: Edited) -> Iterator[Piece]:
    """Places of the file, newest first."""
    gone: set[str] = set()
    told: set[str] = set()
    for edit in file.good:
        for before, after in reversed(edit.pieces):
            lines = _telling(after)
            if 2 * len(lines & (gone | told)) <= len(lines):
                yield from _piece(edit, before, after)
            gone |= _telling(before) - lines
            told |= lines
        if edit.tool == "Write":
            return  # what the file held before is gone


def _piece(edit: Edit, before: str, after: str) -> Iterator[Piece]:
    """The lines of `after` from the first to the last that differs, with a little around them; else what was taken out."""
    old, new = before.split("\n") if before else [], after.split("\n") if after else []
    first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    most = min(len(old), len(new)) - first
    last = next((i for i in range(most) if old[-1 - i] != new[-1 - i]), most)
    if any(line.strip() for line in new[first : len(new) - last]):
        yield Piece(edit, "\n".join(new[max(0, first - CONTEXT) : len(new) - max(0, last - CONTEXT)]))
    elif any(line.strip() for line in old[first : len(old) - last]):
        yield Piece(edit, "\n".join(old[first : len(old) - last]), removed=True)


def _telling(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if len(line.strip()) >= TELLING}
