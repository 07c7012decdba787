"""Verify: invariants, tokens, and whether it will fire again at once (spec 1, section 9; spec 3)."""

from collections.abc import Mapping

from ...conversation.figure import ESTIMATED, UNKNOWN, Figure
from ...conversation.invariants import Fault, faults_of
from ...conversation.wording import counted
from ..faults import key_of_fault, new_faults
from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import FAILED, OK, Number, StageResult, Work, messages_of
from .common import result, size_words, tokens_number

NAME = "verify"
THERE = ("normalizeMessagesForAPI",)


def verify(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """A result with a fault that the input had not is a failure of ours, and is shown as one."""
    rows = work.sent
    added = new_faults(rows, ground.known_faults)
    inherited = len(inherited_faults(ground, work))
    total = ground.in_context(rows)
    again = fires_again(ground, work)
    numbers = [
        tokens_number("context after", total),
        _freed(ground, total),
        Number("faults added", str(len(added)), "exact", "invariants of the Messages API"),
        Number("faults inherited", str(inherited), "exact", "the input had them already"),
        Number(
            "fires again",
            _again_words(ground, again),
            "estimated" if total.kind == ESTIMATED else total.kind,
            ground.threshold.why,
        ),
    ]
    if added:
        reason = f"The result would be refused: {added[0].sentence}"
    elif again:
        reason = f"Valid, but {total.words} are not below the threshold: it would fire again at once."
    else:
        reason = f"Valid: no fault that the input had not; {size_words(total)} in context."
    return result(
        NAME,
        ground,
        work,
        rows,
        rows,
        outcome=FAILED if added else OK,
        reason=reason,
        there=THERE,
        section="9",
        numbers=numbers,
        faults=added,
    )


def inherited_faults(ground: Ground, work: Work) -> tuple[Fault, ...]:
    """The faults of the result that the input had already."""
    return tuple(f for f in faults_of(messages_of(work.sent)) if key_of_fault(f) in ground.known_faults)


def fires_again(ground: Ground, work: Work) -> bool | None:
    """Whether the result reaches the threshold; None without one, and where a lower bound does not reach it."""
    total, auto = ground.in_context(work.sent), ground.threshold.auto
    if auto is None or total.tokens is None:
        return None
    return True if total.tokens >= auto else False if total.kind == ESTIMATED else None


def _again_words(ground: Ground, again: bool | None) -> str:
    if ground.threshold.auto is None:
        return "no threshold"
    return {True: "yes", False: "no", None: "unknown"}[again]


def _freed(ground: Ground, after: Figure) -> Number:
    """What the compaction took off the array; unknown where what was in context before is a mere lower bound."""
    before = ground.in_context(ground.rows)
    if before.tokens is None or after.tokens is None or after.kind != ESTIMATED:
        return Number("freed", UNKNOWN, UNKNOWN, "the overhead is unknown")
    return Number("freed", counted(before.tokens - after.tokens, "token"), "estimated", "before minus after")
