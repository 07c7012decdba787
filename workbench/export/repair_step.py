"""One step of a repair: what is changed and why, and the lines that it touches."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..conversation.change import Change
from ..transcript.session import Session
from .repair_lines import LineEdit, Patched


@dataclass(frozen=True, slots=True)
class Step:
    """Changes in words, and as edits of lines of the file as it is before the step."""

    changes: tuple[Change, ...]
    edits: tuple[LineEdit, ...]


def line_of(session: Session, place: int) -> int:
    """The line of a row in the original file, whatever was done to the lines before it since."""
    line, reader = session.index.lines[place], session.reader
    return reader.line(line) if isinstance(reader, Patched) else line


def disjoint(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps that can be made at once: none touches a line of another; the rest waits for the next round."""
    taken: set[int] = set()
    found = []
    for step in steps:
        lines = {e.line for e in step.edits}
        if lines and not lines & taken:
            taken |= lines
            found.append(step)
    return tuple(found)
