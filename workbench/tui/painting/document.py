"""Long text as a value: paragraphs with styles in words, and the one visible text they are drawn as."""

from bisect import bisect_right
from dataclasses import dataclass

from workbench.tui.painting.text import visible


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` up to, not including, `end` of a paragraph's text, in the words of a style."""

    start: int
    end: int
    style: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text of any length, with newlines or without, as it came from the session; spans in order, none over another."""

    text: str
    style: str = ""
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """Paragraphs below one another, each beginning on a row of its own."""

    paragraphs: tuple[Paragraph, ...] = ()

    @classmethod
    def of(cls, text: str, style: str = "", spans: tuple[Span, ...] = ()) -> "Document":
        """A document of one paragraph."""
        return cls((Paragraph(text, style, spans),))

    @property
    def text(self) -> str:
        """The raw text of all paragraphs, one newline between them."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


@dataclass(frozen=True, slots=True)
class Shown:
    """A document ready to be cut into rows: one visible text, and from which offset on which style holds.

    `starts` and `styles` run in parallel; `paragraphs` are the offsets at which the paragraphs begin.
    """

    text: str = ""
    starts: tuple[int, ...] = (0,)
    styles: tuple[str, ...] = ("",)
    paragraphs: tuple[int, ...] = ()

    def runs(self, start: int, end: int) -> list[tuple[int, int, str]]:
        """The styles of a row: begin and end offset within `text[start:end]`, and the words."""
        found = []
        at = max(0, bisect_right(self.starts, start) - 1)
        while at < len(self.starts) and self.starts[at] < end:
            until = self.starts[at + 1] if at + 1 < len(self.starts) else end
            found.append((max(self.starts[at], start) - start, min(until, end) - start, self.styles[at]))
            at += 1
        return found


def shown(document: Document) -> Shown:
    """Make a document visible. Takes milliseconds a megabyte; what is unsafe in the text is a sign in the result."""
    parts: list[str] = []
    starts: list[int] = []
    styles: list[str] = []
    paragraphs: list[int] = []
    at = 0
    for paragraph in document.paragraphs:
        if parts:
            parts.append("\n")
            at += 1
        paragraphs.append(at)
        for piece, style in _pieces(paragraph):
            starts.append(at)
            styles.append(style)
            parts.append(piece)
            at += len(piece)
    return Shown("".join(parts), tuple(starts), tuple(styles), tuple(paragraphs)) if parts else Shown()


def _pieces(paragraph: Paragraph) -> list[tuple[str, str]]:
    cuts: list[tuple[int, int, str]] = []
    at = 0
    for span in paragraph.spans:
        cuts.append((at, span.start, paragraph.style))
        cuts.append((max(at, span.start), span.end, f"{paragraph.style} {span.style}"))
        at = max(at, span.end)
    cuts.append((at, len(paragraph.text), paragraph.style))
    pieces: list[tuple[str, str]] = []
    column = 0
    for start, end, style in cuts:
        if start < end:
            piece = _from_column(paragraph.text[start:end], column)
            column = len(piece) - piece.rfind("\n") - 1 if "\n" in piece else column + len(piece)
            pieces.append((piece, style))
    return pieces


def _from_column(text: str, column: int) -> str:
    """The visible text with its tabs as wide as they are when it begins at a column."""
    return visible(" " * column + text)[column:] if "\t" in text else visible(text)
