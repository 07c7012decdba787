"""A section that goes on: its entries as they are, and the new ones behind them; an entry about the same thing is replaced."""

import re
from collections.abc import Sequence

from ..notes import open_fence
from .fitting import MORE, Draft, Item

_GONE = re.compile(re.escape(MORE) + r"([\d,]+) more")
_LASTING = ("- Rule of the user", "- Correction of the user")
OLD, LASTING = 5.0, 75.0  # weights: old entries give way first, what the user laid down does not


def continued(text: str, new: Sequence[Item]) -> Draft:
    """The entries of a text, oldest first, then the new ones; where all fit, the old text is kept character by character."""
    about = {_about(item.text): item for item in new}
    entries = _entries(text)
    gone = sum(int(found[1].replace(",", "")) for entry in entries if (found := _GONE.match(entry)))
    kept = [entry for entry in entries if not _GONE.match(entry) and _about(entry) not in about]
    items = [Item(entry, LASTING if entry.startswith(_LASTING) else OLD + place / len(kept)) for place, entry in enumerate(kept)]
    if items:
        items[-1] = Item(items[-1].text.rstrip("\n"), items[-1].weight)
    return Draft((*items, *about.values()), gone)


def _entries(text: str) -> list[str]:
    """A text in pieces that can stand alone: what is indented, blank or within a fence belongs to the line before."""
    entries: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n") if text else ():
        if entries and (not line.strip() or line[0] in " \t" or open_fence(entries[-1])):
            entries[-1] += f"\n{line}"
        else:
            entries.append(line)
    return entries


def _about(text: str) -> str:
    """What an entry is about: the text before its dash, else its first line."""
    line = text.partition("\n")[0]
    return line.partition(" — ")[0]
