"""Where the rows of a very long text begin and end: an index of offsets, so that only the rows in sight are ever cut out.

Rows are cut hard at the width, at cells and not at words, because session text is mostly code and tool output, and
because that costs a few milliseconds a megabyte.
"""

import re
from array import array
from typing import TypeAlias

from rich.cells import get_character_cell_size

Offsets: TypeAlias = "array[int]"  # unsigned, four bytes each

# Everything but the ranges of which each character surely fills one cell.
_NARROW = r"\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u2010-\u2027\u2190-\u2319\u2400-\u2426\u2500-\u25fc\u2800-\u28ff"
_MAYBE_WIDE = re.compile(rf"[^\n{_NARROW}]")


def wrap_index(text: str, width: int, start: int = 0, stop: int | None = None) -> Offsets:
    """Offsets of the rows of a visible text at `width` cells: begin and end of each row in turn, newlines left out.

    Works on `text[start:stop]`, where `start` should be the beginning of a row; `stop=None` is the end of the text.
    An empty text has one empty row; a newline at the very end opens none. A character wider than the width has a row of
    its own, and a combining character stays with the one before it. Returns 2 x rows unsigned offsets into `text`.
    """
    width = max(1, width)
    stop = len(text) if stop is None else stop
    index = array("I")
    narrow = _MAYBE_WIDE.search(text, start, stop) is None
    at = start
    while at < stop or not index:
        end = text.find("\n", at, stop)
        if end < 0:
            end = stop
        if narrow or end - at <= width // 2 or _MAYBE_WIDE.search(text, at, end) is None:
            _cut_narrow(at, end, width, index)
        else:
            _cut_by_cells(text, at, end, width, index)
        at = end + 1
    return index


def _cut_narrow(at: int, end: int, width: int, index: Offsets) -> None:
    while end - at > width:
        index.append(at)
        index.append(at + width)
        at += width
    index.append(at)
    index.append(end)


def _cut_by_cells(text: str, at: int, end: int, width: int, index: Offsets) -> None:
    sizes = {character: get_character_cell_size(character) for character in set(text[at:end])}
    row, used = at, 0
    for offset in range(at, end):
        used += (size := sizes[text[offset]])
        if used > width and offset > row and size:
            index.append(row)
            index.append(offset)
            row, used = offset, size
    index.append(row)
    index.append(end)
