"""Lines of notes within a budget: the least important are shortened first, then left out, and the notes say so."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...conversation.text import rough, utf8_length
from ..words import one_line

FEWEST = 80  # bytes worth showing
MORE = "- … and "  # begins the entry that says how many were left out


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a section, in display order; higher weights stay longer.

    short   what to write where the whole does not fit; "" where there is no shorter form
    """

    text: str
    weight: float = 1.0
    short: str = ""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A section's text; `complete` when nothing was shortened or left out."""

    text: str
    complete: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """A section to be fitted: its entries, and how many were left out at earlier times."""

    items: tuple[Item, ...]
    gone: int = 0


def fit(draft: Draft, allowed: int) -> Fitted:
    """The items joined by newlines, within `allowed` rough tokens. Same items, same text."""
    items = draft.items
    texts = [item.text for item in items]
    whole = sum(utf8_length(text) + 1 for text in texts) + (len(_more(draft.gone)) + 1 if draft.gone else 0)
    if rough(whole) <= allowed:
        return Fitted("\n".join([*texts, _more(draft.gone)] if draft.gone else texts), True)
    room = allowed * 4 - len(_more(9_999))
    order = sorted(range(len(items)), key=lambda i: (items[i].weight, i))
    for i in order:
        if whole <= room:
            break
        if items[i].short and len(items[i].short) < len(texts[i]):
            whole -= utf8_length(texts[i]) - utf8_length(items[i].short)
            texts[i] = items[i].short
    dropped = set()
    for i in order:
        if whole <= room:
            break
        whole -= utf8_length(texts[i]) + 1
        dropped.add(i)
    if order and len(dropped) == len(items) and room >= FEWEST:  # better the beginning of one than nothing
        dropped.discard(order[-1])
        texts[order[-1]] = one_line(texts[order[-1]], room // 4)
    kept = [text for i, text in enumerate(texts) if i not in dropped]
    gone = draft.gone + len(dropped)
    return Fitted("\n".join([*kept, _more(gone)] if gone and kept else kept), False)


def _more(gone: int) -> str:
    return f"{MORE}{gone:,} more"


def fit_all(drafts: Mapping[str, Draft], shares: Mapping[str, float], most: int, total: int) -> dict[str, str]:
    """Texts of all sections: at most `most` rough tokens each, and `total` in all.

    Every section first gets its share; what some leave over goes, in the order of `shares`, to those that were cut.
    """
    whole = sum(shares[title] for title in drafts) or 1.0
    fitted = {title: fit(draft, min(most, int(total * shares[title] / whole))) for title, draft in drafts.items()}
    spare = total - sum(rough(utf8_length(f.text)) for f in fitted.values())
    for title in shares:
        if title not in fitted or fitted[title].complete:
            continue
        used = rough(utf8_length(fitted[title].text))
        fitted[title] = fit(drafts[title], min(most, used + spare))
        spare += used - rough(utf8_length(fitted[title].text))
    return {title: f.text for title, f in fitted.items()}
