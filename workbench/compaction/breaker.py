"""The circuit breaker and the thrash stop: when trying again only costs calls (spec 1, section 4).

Between 2026-03-10 and its repair 1,279 sessions had 50 or more failures in a row, the worst 3,272: that is what the
breaker is for. Every transition returns a new state.
"""

import re
from dataclasses import dataclass, replace

from .settings import Settings

SUCCESS, FAILURE = "success", "failure"
ABORTED, HOOK_BLOCKED, SKIPPED = "aborted", "hook-blocked", "skipped"  # no failures
MANUAL, AUTO = "manual", "auto"

_DAMAGED = re.compile(r"tool_use|tool_result|messages\.\d+|messages:|`?thinking`? block|invalid `?signature", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tracking:
    """The state that a session carries from turn to turn (there: AutoCompactTrackingState).

    compacted      a compaction succeeded before this turn
    turn_counter   turns since then
    turn_id        the turn in which it happened; "" before
    consecutive_failures  automatic compactions that failed in a row
    quick_refills  times in a row that the context was full again within a few turns
    refilled_by    what filled it those times, in words
    hopeless       why no further attempt can succeed; "" while one can
    """

    compacted: bool = False
    turn_counter: int = 0
    turn_id: str = ""
    consecutive_failures: int = 0
    quick_refills: int = 0
    refilled_by: tuple[str, ...] = ()
    hopeless: str = ""


def next_turn(state: Tracking) -> Tracking:
    """The state one turn later."""
    return replace(state, turn_counter=state.turn_counter + 1) if state.compacted else state


def after(state: Tracking, outcome: str, turn_id: str, *, trigger: str = AUTO, reason: str = "") -> Tracking:
    """The state after an attempt: a success resets it, a failure of an automatic one counts, everything else changes nothing.

    `reason` is the failure's; where it shows a state that cannot recover, that is remembered.
    """
    if outcome == SUCCESS:
        kept = state.quick_refills if trigger == AUTO else 0
        return Tracking(True, 0, turn_id, 0, kept, state.refilled_by if kept else ())
    if outcome != FAILURE or trigger == MANUAL:
        return state
    return replace(state, consecutive_failures=state.consecutive_failures + 1, hopeless=state.hopeless or why_hopeless(reason))


def refilled(state: Tracking, filled_by: str, settings: Settings) -> Tracking:
    """The state when the threshold is reached again; `filled_by` says in words what filled the context since."""
    if not state.compacted:
        return state
    if state.turn_counter > settings.number("thrashTurns"):
        return replace(state, quick_refills=0, refilled_by=())
    return replace(state, quick_refills=state.quick_refills + 1, refilled_by=(*state.refilled_by, filled_by))


def is_open(state: Tracking, settings: Settings) -> bool:
    """Whether automatic compaction is no longer tried in this session; a compaction by hand is never blocked."""
    return bool(why_open(state, settings))


def why_open(state: Tracking, settings: Settings) -> str:
    """Why the breaker is open, in a sentence; "" when it is closed."""
    if state.hopeless:
        return state.hopeless
    most = settings.number("maxConsecutiveFailures")
    if state.consecutive_failures >= most:
        return (
            f"{state.consecutive_failures} automatic compactions failed in a row, {most} open the breaker; one by hand resets it."
        )
    if state.quick_refills >= settings.number("thrashRepeats"):
        turns = settings.number("thrashTurns")
        return (
            f"Thrash: {state.quick_refills} times in a row the context was full again within {turns} turns of a compaction; "
            f"it was refilled by {'; '.join(dict.fromkeys(state.refilled_by))}."
        )
    return ""


def sentence(state: Tracking, settings: Settings) -> str:
    """The state in a sentence, open or closed."""
    most = settings.number("maxConsecutiveFailures")
    return why_open(state, settings) or f"Closed: {state.consecutive_failures} of {most} failures in a row."


def why_hopeless(error: str) -> str:
    """Why an error would come back at every attempt, in a sentence; "" when another attempt may succeed."""
    if _DAMAGED.search(error):
        return "The array itself is damaged, so that every attempt gets the same error; repair it first (`workbench doctor`)."
    return ""
