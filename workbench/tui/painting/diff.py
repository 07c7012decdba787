"""What an edit changes, as the lines taken out and put in with some around them, like a unified diff."""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from .document import Paragraph

CONTEXT = 3  # unchanged lines shown around a change
MOST_MATCHES = (
    8_000  # pairs of equal lines, with which the search grows; beyond that all of the old text goes, all of the new one comes
)


def diff(old: str, new: str) -> list[Paragraph]:
    """Runs of lines, each marked `-`, `+` or by a space, in the colours of what is dropped, added and kept."""
    before, after = old.split("\n"), new.split("\n")
    return [Paragraph("\n".join(f"{sign} {line}" for line in lines), style) for sign, style, lines in _runs(before, after)]


def _runs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str, Sequence[str]]]:
    opcodes = _opcodes(before, after)
    for number, (tag, first, last, start, end) in enumerate(opcodes):
        if tag == "equal":
            yield from _context(before[first:last], after_change=number > 0, before_change=number + 1 < len(opcodes))
            continue
        if first < last:
            yield "-", "dropped", before[first:last]
        if start < end:
            yield "+", "added", after[start:end]


def _opcodes(before: Sequence[str], after: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    counts = Counter(after)
    if sum(counts[line] for line in before) > MOST_MATCHES:
        return [("replace", 0, len(before), 0, len(after))]
    return SequenceMatcher(None, before, after, autojunk=False).get_opcodes()


def _context(lines: Sequence[str], *, after_change: bool, before_change: bool) -> Iterator[tuple[str, str, Sequence[str]]]:
    """The unchanged lines next to a change; those farther off are counted."""
    head = CONTEXT if after_change else 0
    tail = len(lines) - (CONTEXT if before_change else 0)
    if tail - head <= 1:
        yield " ", "text", lines
        return
    if head:
        yield " ", "text", lines[:head]
    yield "⋯", "muted", [f"{tail - head} lines as they were"]
    if tail < len(lines):
        yield " ", "text", lines[tail:]
