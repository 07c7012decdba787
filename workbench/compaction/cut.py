"""Where history may be cut: never between a call and its result, never inside a reply (spec 1, section 9).

There: adjustIndexToPreserveAPIInvariants. A split shows as an orphan, because the rows of one reply are merged before
they are sent: the merged message then lacks the call.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation.row import Row
from ..conversation.wording import counted
from .ties import Tie, can_cut, tied_from


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut before row `used`; `asked` is where it was wanted; positions in the rows given.

    reasons  why it moved, a sentence for each step; () when it did not
    """

    asked: int
    used: int
    reasons: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        if not self.reasons:
            return "Nothing that belongs together is parted there."
        return f"Moved back by {counted(self.asked - self.used, 'row')}: {'; '.join(self.reasons)}."


def suffix_cut(rows: Sequence[Row], at: int) -> Cut:
    """The cut for keeping `rows[at:]`: every kept result keeps its call, every kept reply is whole."""
    return _back(rows, at, "kept")


def prefix_cut(rows: Sequence[Row], at: int) -> Cut:
    """The cut for keeping `rows[:at]`: every kept call keeps its result, every kept reply is whole."""
    return _back(rows, at, "left out")


def valid_cuts(rows: Sequence[Row]) -> tuple[int, ...]:
    """Every position at which rows may be cut, 0 and the end included."""
    tied = tied_from(rows)
    return tuple(at for at in range(len(rows) + 1) if can_cut(tied, at))


def _back(rows: Sequence[Row], at: int, fate: str) -> Cut:
    """Moves a cut back until it parts nothing: what one tie pulls in may be tied to something earlier still."""
    asked = at = min(max(at, 0), len(rows))
    tied = tied_from(rows)
    reasons: list[str] = []
    while (tie := tied[at]) is not None and tie.first < at:
        reasons.append(_step(rows, tie, fate))
        at = tie.first
    return Cut(asked, at, tuple(reasons))


def _step(rows: Sequence[Row], tie: Tie, fate: str) -> str:
    row = rows[tie.first]
    where = f"row {tie.first + 1}" if row.line is None else f"line {row.line}"
    return f"{tie.reason}, so {where} is {fate} too"
