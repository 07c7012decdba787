"""A page of facts for a text view: headings, and lines of cells in columns, wrapped between words at a width."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from .document import Document, Paragraph, Span
from .text import clip, fitting, visible

Cell = tuple[str, str]  # text, and the words of its style

LEAST = 24  # cells below which a meaning goes below its field instead of beside it


class Sheet:
    """Collects the lines of a page that is `width` cells wide."""

    def __init__(self, width: int) -> None:
        self.width = max(20, width)
        self._lines: list[Paragraph] = []

    def document(self) -> Document:
        """All that was written."""
        return Document(tuple(self._lines))

    def heading(self, title: str, *cells: Cell) -> None:
        """A title, words that belong beside it, and an empty line above both."""
        if self._lines:
            self.line()
        self._wrap([(title, "bold key"), ("  ", "text")], cells, indent=2)

    def text(self, words: str, style: str = "text", indent: int = 0) -> None:
        """A sentence, wrapped."""
        self._wrap([(" " * indent, style)] if indent else [], ((words, style),), indent)

    def line(self, *cells: Cell) -> None:
        """Cells one behind the other, clipped at the width."""
        room = self.width
        fitting = []
        for text, style in cells:
            shown = clip(visible(text, newlines=False), room)
            room -= cell_len(shown)
            fitting.append((shown, style))
        self._lines.append(_paragraph(fitting))

    def columns(self, head: Sequence[Cell], words: str, style: str = "muted") -> None:
        """Cells, and beside them a sentence in a column of its own; below them where there is no room for one."""
        used = sum(cell_len(text) for text, _ in head)
        if self.width - used >= LEAST:
            self._wrap(list(head), ((words, style),), indent=used)
            return
        self.line(*head)
        if words:
            self.text(words, style, indent=4)

    def paragraph(self, paragraph: Paragraph) -> None:
        """Text that is laid out elsewhere, as it is."""
        self._lines.append(paragraph)

    def _wrap(self, line: list[Cell], cells: Sequence[Cell], indent: int) -> None:
        """The words of the cells behind `line`, going on below at an indent where the width ends."""
        used, space = sum(cell_len(text) for text, _ in line), ""
        for text, style in cells:
            for shown in self._words(text, self.width - indent):
                if used + len(space) + cell_len(shown) > self.width and space:
                    self._lines.append(_paragraph(line))
                    line, used, space = [(" " * indent, "text")], indent, ""
                line.append((space + shown, style))
                used += len(space) + cell_len(shown)
                space = " "
        self._lines.append(_paragraph(line))

    def _words(self, text: str, room: int) -> Iterator[str]:
        """The words of a text, those that are wider than the room in pieces."""
        for word in visible(text, newlines=False).split():
            while cell_len(word) > room:
                at = max(1, fitting(word, room))
                yield word[:at]
                word = word[at:]
            yield word


def _paragraph(cells: Sequence[Cell]) -> Paragraph:
    spans, at = [], 0
    for text, style in cells:
        if text:
            spans.append(Span(at, at + len(text), style))
        at += len(text)
    return Paragraph("".join(text for text, _ in cells), "", tuple(spans))
