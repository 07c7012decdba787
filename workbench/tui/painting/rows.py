"""The rows of a long visible text at one width, found piece by piece so that the first of them can be drawn at once."""

from array import array
from bisect import bisect_right

from workbench.tui.painting.wrapping import Offsets, wrap_index

CHUNK = 128 * 1024  # characters, more than any width: a few milliseconds of work, whatever they are


class Rows:
    """Rows of `text` at `width` cells; as many as are known so far, until `complete`."""

    def __init__(self, text: str, width: int) -> None:
        self._text = text
        self._width = width
        self._index: Offsets = array("I")
        self._wrapped = 0
        self._begun = False

    def __len__(self) -> int:
        return len(self._index) // 2

    @property
    def complete(self) -> bool:
        """Whether every row is known."""
        return self._begun and self._wrapped >= len(self._text)

    def more(self) -> None:
        """Find the rows of one more chunk."""
        if not self.complete:
            end = min(len(self._text), self._wrapped + CHUNK)
            index = wrap_index(self._text, self._width, self._wrapped, end)
            if end < len(self._text) and self._text[end - 1] != "\n":
                index.pop()  # the last row may go on beyond the chunk: it is the first of the next one
                end = index.pop()
            self._index.extend(index)
            self._wrapped, self._begun = end, True

    def reach(self, offset: int) -> None:
        """Find rows until the one with this offset is known."""
        while not self.complete and self._wrapped <= offset:
            self.more()

    def row(self, number: int) -> tuple[int, int]:
        """Begin and end offset of a known row."""
        return self._index[2 * number], self._index[2 * number + 1]

    def at(self, offset: int) -> int:
        """The known row that an offset of the text stands in."""
        return max(0, bisect_right(range(len(self)), offset, key=lambda number: self._index[2 * number]) - 1)
