"""Notes made short enough to compact from: sections cut at a line end, marked, pointing to the file (spec 1, section 5.5)."""

from dataclasses import dataclass

from ..conversation.text import rough, utf8_length
from .notes import Notes, open_fence

BYTES = 4  # of a rough token


@dataclass(frozen=True, slots=True)
class SectionCut:
    """A section that was cut: rough tokens of its text before and after, the mark included; "" names the preamble."""

    title: str
    tokens_before: int
    tokens_after: int

    @property
    def reason(self) -> str:
        name = f"Section {self.title}" if self.title else "The text before the first section"
        return f"{name} has {self.tokens_before:,} tokens; it was cut at a line end to {self.tokens_after:,}."


@dataclass(frozen=True, slots=True)
class ShortNotes:
    """The text to compact from, and what was cut from it."""

    text: str
    cuts: tuple[SectionCut, ...]


def shorten(notes: Notes, path: str | None, allowed: int | None = None) -> ShortNotes:
    """Each section's text cut to `allowed` rough tokens (default: the notes' own budget), mark included.

    `path` is where the whole notes are; None: in no file. A file without sections may have the tokens of the whole.
    """
    limit = notes.budgets.section if allowed is None else allowed
    pieces: list[str] = []
    cuts: list[SectionCut] = []

    def add(title: str, body: str, most: int) -> None:
        text = body.strip()
        before = rough(utf8_length(text))
        if before > most:
            short = cut_at_line_end(text, most, path, notes.newline)
            cuts.append(SectionCut(title, before, rough(utf8_length(short))))
            body = body.replace(text, short, 1)
        pieces.append(body)

    add("", notes.preamble, limit if notes.sections else max(limit, notes.budgets.total))
    for section in notes.sections:
        pieces.append(section.heading + section.instruction)
        add(section.title, section.body, limit)
    return ShortNotes("".join(pieces), tuple(cuts))


def cut_at_line_end(text: str, allowed: int, path: str | None, newline: str = "\n") -> str:
    """As many whole lines as fit `allowed` rough tokens together with the mark; of a longer first line, its beginning."""
    lines = text.split("\n")
    count = _lines_within(lines, allowed * BYTES)
    while count and not _fits(shown := _marked("\n".join(lines[:count]), text, path, newline), allowed):
        count -= 1
    if count:
        return shown
    room = allowed * BYTES - utf8_length(_marked("", text, path, newline)) - len(newline)
    return _marked(_beginning(lines[0], room), text, path, newline)


def _lines_within(lines: list[str], size: int) -> int:
    for count, line in enumerate(lines):
        size -= utf8_length(line) + 1
        if size < 0:
            return count
    return len(lines)


def _fits(text: str, allowed: int) -> bool:
    return rough(utf8_length(text)) <= allowed


def _marked(kept: str, text: str, path: str | None, newline: str) -> str:
    """The kept text, its fence closed, and the mark that says how much is missing and where it is."""
    kept = kept.rstrip()
    total = rough(utf8_length(text))
    where = f"; the whole text: {path}" if path else ""
    mark = f"[… {total - rough(utf8_length(kept)):,} of {total:,} tokens cut here{where}]"
    return newline.join(piece for piece in (kept, open_fence(kept), mark) if piece)


def _beginning(line: str, room: int) -> str:
    """The first `room` bytes of a line, to a whole character, and to a word where one ends near."""
    cut = line.encode("utf-8", "surrogatepass")[: max(room, 0)].decode("utf-8", "ignore")
    word = cut.rfind(" ")
    return cut[:word] if word > len(cut) // 2 else cut
