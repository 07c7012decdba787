"""Verify: invariants, tokens, and whether it will fire again at once (spec 1, section 9; spec 3)."""

from collections.abc import Mapping

from ...conversation.invariants import Fault, faults_of
from ..faults import key_of_fault, new_faults
from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import FAILED, OK, Number, StageResult, Work, messages_of, tokens_of
from .common import result

NAME = "verify"
THERE = ("normalizeMessagesForAPI",)


def verify(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """A result with a fault that the input had not is a failure of ours, and is shown as one."""
    rows = work.sent
    added = new_faults(rows, ground.known_faults)
    inherited = len(inherited_faults(ground, work))
    total = tokens_of(rows) + ground.overhead_tokens
    again = fires_again(ground, work)
    before = tokens_of(ground.rows) + ground.overhead_tokens
    numbers = [
        Number("context after", f"{total:,} tokens", "estimated", "rough + overhead"),
        Number("freed", f"{before - total:,} tokens", "estimated", "before minus after"),
        Number("faults added", str(len(added)), "exact", "invariants of the Messages API"),
        Number("faults inherited", str(inherited), "exact", "the input had them already"),
        Number("fires again", {True: "yes", False: "no", None: "no threshold"}[again], "estimated", ground.threshold.why),
    ]
    if added:
        reason = f"The result would be refused: {added[0].sentence}"
    elif again:
        reason = f"Valid, but {total:,} tokens are not below the threshold: it would fire again at once."
    else:
        reason = f"Valid: no fault that the input had not; about {total:,} tokens in context."
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
    """Whether the result reaches the threshold; None without one."""
    if ground.threshold.auto is None:
        return None
    return tokens_of(work.sent) + ground.overhead_tokens >= ground.threshold.auto
