"""Sections as entries, fitted into one budget: what must be there stays, shortened if need be; the rest comes by weight.

Same entries, same text. Sizes are bytes of UTF-8; four of them are a rough token.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...conversation.text import utf8_length

NONE = "   None."


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a section, in display order.

    text    in full, its lines as they will stand
    weight  higher ones come first where not all fit
    short   what stands there where the whole does not fit; "" where there is no shorter form
    must    whether it may be shortened but not left out
    """

    text: str
    weight: float = 1.0
    short: str = ""
    must: bool = False

    @property
    def brief(self) -> str:
        """The shorter of its two forms."""
        return self.short if self.short and utf8_length(self.short) < utf8_length(self.text) else self.text


@dataclass(frozen=True, slots=True)
class Section:
    """A section to be fitted.

    share  of the room that is left once everything that must be there is; sections of a larger share also come first
           where some of that is left over
    most   rough tokens beyond which nothing optional is added
    note   a line above the entries; "" for none
    """

    name: str
    entries: tuple[Entry, ...]
    share: float
    most: int
    note: str = ""


def compose(sections: Sequence[Section], total: int) -> str:
    """The sections, numbered, within `total` rough tokens."""
    fitted = [_Fitted(number, section) for number, section in enumerate(sections, 1)]
    room = total * 4 - sum(f.size for f in fitted)
    room += _give_way(fitted, -room)
    ranked = sorted(fitted, key=lambda f: (-f.section.share, f.number))
    for one in ranked:
        room -= one.grow(int(room * one.section.share)) if room > 0 else 0
    for one in ranked:
        room -= one.grow(room)
    return "\n".join(f.text() for f in fitted).rstrip("\n")


def floor_of(sections: Iterable[Section]) -> int:
    """Bytes that the sections take at least, with everything that must be in them."""
    return sum(_Fitted(9, section).size for section in sections)


class _Fitted:
    """A section while it is fitted: for each entry the text that stands, None where it is left out."""

    def __init__(self, number: int, section: Section) -> None:
        self.number = number
        self.section = section
        self.chosen = [e.brief if e.must else None for e in section.entries]
        self.frame = utf8_length(self._text([], 9_999)) + utf8_length(NONE) + 2

    @property
    def size(self) -> int:
        return self.frame + sum(utf8_length(text) + 1 for text in self.chosen if text is not None)

    def grow(self, room: int) -> int:
        """Puts in what fits into `room` bytes, the weightiest first, short before anything is written out; the bytes used."""
        size = self.size
        room = min(room, self.section.most * 4 - size)
        order = sorted(range(len(self.chosen)), key=lambda i: (-self.section.entries[i].weight, i))
        left = room
        for short in (True, False):
            for at in order:
                entry = self.section.entries[at]
                left -= self._choose(at, entry.brief if short else entry.text, left)
        return room - left

    def _choose(self, at: int, text: str, room: int) -> int:
        """Lets a longer text stand for an entry if there is room for it; the bytes it takes more."""
        chosen = self.chosen[at]
        cost = utf8_length(text) - utf8_length(chosen) if chosen is not None else utf8_length(text) + 1
        if text == chosen or (chosen is not None and cost <= 0) or cost > room:
            return 0
        self.chosen[at] = text
        return cost

    def drop(self, at: int) -> int:
        """Leaves an entry out that should have stayed; the bytes gained."""
        text = self.chosen[at]
        self.chosen[at] = None
        return 0 if text is None else utf8_length(text) + 1

    def text(self) -> str:
        kept = [text for text in self.chosen if text is not None]
        return self._text(kept, len(self.chosen) - len(kept))

    def _text(self, kept: Sequence[str], left_out: int) -> str:
        lines = [f"{self.number}. {self.section.name}:"]
        lines += [f"   {self.section.note}"] if self.section.note and (kept or left_out) else []
        lines += kept
        if left_out:
            lines.append(f"   - … and {left_out:,} more")
        elif not kept:
            lines.append(NONE)
        return "\n".join(lines) + "\n"


def _give_way(fitted: Sequence[_Fitted], missing: int) -> int:
    """Where even the shortest forms are too much, the lightest entries go, wherever they stand; the bytes gained."""
    gained = 0
    places = [(e.weight, f.number, at, f) for f in fitted for at, e in enumerate(f.section.entries) if e.must]
    for _, _, at, one in sorted(places, key=lambda p: p[:3]):
        if gained >= missing:
            break
        gained += one.drop(at)
    return max(gained, 0)
