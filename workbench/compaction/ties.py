"""Which rows cannot be parted: the rows of one reply, and a call with its result (spec 1, section 9)."""

from collections.abc import Sequence
from typing import NamedTuple

from ..conversation.row import ASSISTANT, Row

CALL, RESULT = "tool_use", "tool_result"


class Tie(NamedTuple):
    """Rows `first` to `last` hold something that belongs together; no cut may fall between them."""

    first: int
    last: int
    reason: str


def ties(rows: Sequence[Row]) -> tuple[Tie, ...]:
    """Every tie among rows, by position. A result belongs to the nearest earlier call of its id, else to the next later one."""
    return (*_replies(rows), *_pairs(rows))


def tied_from(rows: Sequence[Row]) -> list[Tie | None]:
    """For each position 0..n: of the ties that reach to it or beyond, the one that starts first; None without any."""
    reach: list[Tie | None] = [None] * (len(rows) + 1)
    for tie in ties(rows):
        known = reach[tie.last]
        if known is None or tie.first < known.first:
            reach[tie.last] = tie
    for at in range(len(rows) - 1, -1, -1):
        here, later = reach[at], reach[at + 1]
        if later is not None and (here is None or later.first < here.first):
            reach[at] = later
    return reach


def can_cut(tied: Sequence[Tie | None], at: int) -> bool:
    """Whether nothing that belongs together stands on both sides of a cut before row `at`."""
    tie = tied[at]
    return tie is None or tie.first >= at


def _replies(rows: Sequence[Row]) -> list[Tie]:
    spans: dict[str, tuple[int, int]] = {}
    for at, row in enumerate(rows):
        if row.role == ASSISTANT and row.message_id:
            spans[row.message_id] = (spans.get(row.message_id, (at, at))[0], at)
    return [Tie(first, last, f"the reply {name} would be split") for name, (first, last) in spans.items() if first < last]


def _pairs(rows: Sequence[Row]) -> list[Tie]:
    found: list[Tie] = []
    calls: dict[str, int] = {}
    early: dict[str, int] = {}  # results that stand before their call
    for at, row in enumerate(rows):
        for block in row.blocks:
            if block.kind == CALL:
                calls[block.call] = at
                result = early.pop(block.call, None)
                if result is not None:
                    found.append(_pair(result, at, block.call))
            elif block.kind == RESULT:
                call = calls.get(block.call)
                if call is None:
                    early.setdefault(block.call, at)
                elif call < at:
                    found.append(_pair(call, at, block.call))
    return found


def _pair(first: int, last: int, call: str) -> Tie:
    return Tie(first, last, f"the call {call} would lose its result")
