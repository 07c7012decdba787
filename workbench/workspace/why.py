"""Why the context grew from a call to the next: what is said when one asks, or the reason why nothing can be said."""

from dataclasses import dataclass

from ..evidence.calibration import Calibration
from ..evidence.growth import Growth, growth
from ..evidence.steps import has_boundary
from .opened import Opened


@dataclass(frozen=True, slots=True)
class Why:
    """The growth up to call `number` (from 0); where `growth` is None, `reason` says why it is not known."""

    number: int
    growth: Growth | None
    reason: str = ""
    factors: str = ""


def why_of(opened: Opened, number: int, calibration: Calibration) -> Why:
    """What the prompt of a call has more than that of the call before. Decodes the rows between: a job for a worker."""
    session, calls = opened.session, opened.session.main_calls
    if not 0 < number < len(calls):
        return Why(number, None, "It is the first call: there is none before it to compare it with.")
    before, after = calls[number - 1], calls[number]
    found = growth(session, before, after, calibration)
    if found is not None:
        return Why(number, found, factors=calibration.source)
    if has_boundary(session, before, after):
        words = f"A compaction stands between: the prompt went from {before.prompt:,} to {after.prompt:,} tokens."
        return Why(number, None, f"{words} b shows before and after.")
    return Why(number, None, "It goes on from a row before the last call (something was rewound): the two share only a part.")
