"""Decide: every guard evaluated, the first that holds decides (spec 1, sections 1, 3 and 4)."""

from collections.abc import Mapping

from ..ground import Ground
from ..guards import Asked, judge
from ..plan import Plan
from ..request import Reply
from ..result import OK, STOPPED, Number, StageResult, Work, tokens_of
from .common import result

NAME = "decide"
THERE = ("shouldAutoCompact", "autoCompactIfNeeded", "getAutoCompactThreshold", "AutoCompactTrackingState")


def decide(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Fires, or says which guard stops it; what was cleared before lowers the tokens that are judged."""
    tokens = ground.tokens.tokens
    cleared = tokens_of(ground.rows) - tokens_of(work.sent)
    if tokens is not None and cleared:
        tokens -= cleared
    verdict = judge(Asked(tokens, plan.trigger, plan.variant), ground.threshold, ground.tracking, plan.settings)
    numbers = [Number(g.name, g.value, "holds" if g.holds else "does not hold", g.source) for g in verdict.guards]
    if cleared:
        numbers.append(Number("cleared before", f"{cleared:,} tokens", "estimated", "rough tokens of the results cleared"))
    last = verdict.guards[-1]
    reason = f"Fires: {last.reason}" if verdict.fires else f"Does not fire: {verdict.reason}"
    if not verdict.fires and ground.remark:
        reason = f"{reason} {ground.remark}"
    return result(
        NAME,
        ground,
        work,
        work.sent,
        work.sent,
        outcome=OK if verdict.fires else STOPPED,
        reason=reason,
        there=THERE,
        section="1, 3, 4",
        numbers=numbers,
        picture=verdict,
    )
