"""Contents of a file pieced together from what was read and edited of it, as far as they are certain."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring lines from line `first` (1-based) on."""

    first: int
    text: str

    @property
    def last(self) -> int:
        return self.first + self.text.count("\n")


@dataclass(frozen=True, slots=True)
class Contents:
    """What is known of a file: stretches in order, apart from each other; `total` lines of the file, None unknown."""

    stretches: tuple[Stretch, ...]
    total: int | None

    @property
    def is_whole(self) -> bool:
        return len(self.stretches) == 1 and self.stretches[0].first == 1 and self.stretches[0].last == self.total

    @property
    def text(self) -> str:
        """The known lines, those between them left out."""
        return "\n".join(s.text for s in self.stretches)

    @property
    def lines(self) -> tuple[tuple[int, int], ...]:
        """(first, last) of each stretch; () for the whole file."""
        return () if self.is_whole else tuple((s.first, s.last) for s in self.stretches)


def whole(text: str) -> Contents:
    """A file known from begin to end."""
    return Contents((Stretch(1, text),), text.count("\n") + 1)


def read(known: Contents | None, first: int, text: str, total: int | None) -> Contents:
    """After a read of some lines: older stretches stay where they agree with it; a file that changed is known anew."""
    new = Contents((Stretch(first, text),), total)
    if known is None or (known.total is not None and total is not None and known.total != total):
        return new
    lines, more = _numbered(known), _numbered(new)
    if any(lines.get(number, line) != line for number, line in more.items()):
        return new
    return Contents(_stretches(lines | more), known.total if total is None else total)


def edited(known: Contents | None, old: str, new: str, *, everywhere: bool = False, grown: int | None = None) -> Contents | None:
    """After an edit; None where the result is not certain: nothing known, or `old` not found exactly once.

    grown  lines that the file gained by the edit, where the session tells
    """
    if known is None:
        return None
    if not old:
        return whole(new) if known.is_whole and not known.text else None
    found = [s.text.count(old) for s in known.stretches]
    if sum(found) == 0 or (sum(found) > 1 and not everywhere) or (everywhere and not known.is_whole):
        return None
    stretches: list[Stretch] = []
    shift = 0
    for stretch, count in zip(known.stretches, found, strict=True):
        text = _replaced(stretch.text, old, new, grown) if count else stretch.text
        stretches.append(Stretch(stretch.first + shift, text))
        shift += text.count("\n") - stretch.text.count("\n")
    return Contents(tuple(stretches), None if known.total is None else known.total + shift)


def _replaced(text: str, old: str, new: str, grown: int | None) -> str:
    plain = text.replace(old, new)
    if new or grown is None or plain.count("\n") - text.count("\n") == grown:
        return plain
    closer = text.replace(f"{old}\n", new)  # the agent takes a line that is left empty by a deletion with it
    return closer if closer.count("\n") - text.count("\n") == grown else plain


def _numbered(contents: Contents) -> dict[int, str]:
    return {n: line for s in contents.stretches for n, line in enumerate(s.text.split("\n"), s.first)}


def _stretches(lines: dict[int, str]) -> tuple[Stretch, ...]:
    found: list[Stretch] = []
    first, pieces = 0, list[str]()
    for number in sorted(lines):
        if pieces and number != first + len(pieces):
            found.append(Stretch(first, "\n".join(pieces)))
            pieces = []
        first = first if pieces else number
        pieces.append(lines[number])
    return (*found, Stretch(first, "\n".join(pieces))) if pieces else tuple(found)
