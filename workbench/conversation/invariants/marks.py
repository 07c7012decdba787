"""Invariants 25 to 27: cache_control marks, at most four, on nothing empty, long ones before short ones."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..row import Message, Part
from . import fault as f
from . import texts
from .fault import Fault
from .places import parts_of, where
from .request import Request

MOST_MARKS = 4


def marks_of(messages: Sequence[Message], request: Request | None) -> Iterator[Fault]:
    """Faults of the cache marks; blocks without body (slim ones) have none that could be seen."""
    marked = [(index, at, part, _ttl(part)) for index, at, part in parts_of(messages) if _ttl(part) is not None]
    beside = request.marks if request is not None else 0
    found = len(marked) + beside
    if found > MOST_MARKS:
        share = f", {beside if marked else 'all'} of them in tools and system" if beside else ""
        words = f"{found} blocks carry cache_control{share}; {MOST_MARKS} are allowed."
        fault = Fault("too-many-marks", 25, f.REQUEST if beside else f.ARRAY, f.MARKS, words, api_error=texts.marks(found))
        yield replace(fault, **where(marked[-1][0], marked[-1][2])) if marked else fault
    short = False
    for index, at, part, ttl in marked:
        place = where(index, part)
        if (part.block.kind == "text" and part.block.blank) or part.block.kind in ("thinking", "redacted_thinking"):
            words = f"messages[{index}].content[{at}] carries cache_control, which {part.block.kind} of this kind cannot."
            yield Fault("mark-on-nothing", 26, f.ARRAY, f.MARKS, words, api_error=texts.EMPTY_TEXT_MARK, **place)
        if ttl == "1h" and short:
            words = f"messages[{index}].content[{at}] is cached for an hour behind one cached for five minutes."
            yield Fault("mark-order", 27, f.ARRAY, f.MARKS, words, api_error=texts.mark_order(index, at), **place)
        short |= ttl != "1h"


def _ttl(part: Part) -> str | None:
    """How long a marked block is cached; None without a mark."""
    mark = part.block.body.get("cache_control") if part.block.body is not None else None
    if mark is None:
        return None
    ttl = mark.get("ttl") if isinstance(mark, dict) else None
    return ttl if isinstance(ttl, str) else "5m"
