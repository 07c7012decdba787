"""Decide: every guard evaluated, the first that holds decides (spec 1, sections 1, 3 and 4)."""

from collections.abc import Mapping

from ...conversation.figure import LOWER_BOUND
from ...conversation.wording import counted
from ..breaker import MANUAL
from ..ground import Ground
from ..guards import Asked, Verdict, judge
from ..plan import Plan
from ..reactive import reaction
from ..request import Reply
from ..result import OK, STOPPED, Number, StageResult, Work, tokens_of
from ..variants import AUTO, REACTIVE
from .common import result

NAME = "decide"
THERE = ("shouldAutoCompact", "autoCompactIfNeeded", "getAutoCompactThreshold", "AutoCompactTrackingState")


def decide(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Fires, or says which guard stops it; what was cleared before lowers the tokens that are judged."""
    tokens, cleared = held(ground, work)
    verdict = judge(
        Asked(tokens, plan.trigger, plan.variant, ground.tokens.kind == LOWER_BOUND),
        ground.threshold,
        ground.tracking,
        plan.settings,
    )
    numbers = [Number(g.name, g.value, "holds" if g.holds else "does not hold", g.source) for g in verdict.guards]
    if cleared:
        numbers.append(Number("cleared before", counted(cleared, "token"), "estimated", "rough tokens of the results cleared"))
    return result(
        NAME,
        ground,
        work,
        work.sent,
        work.sent,
        outcome=OK if verdict.fires else STOPPED,
        reason=_fires(plan, verdict) if verdict.fires else f"Does not fire: {verdict.reason} {ground.remark}".rstrip(),
        there=THERE,
        section="1, 3, 4",
        numbers=numbers,
        picture=verdict,
    )


def held(ground: Ground, work: Work) -> tuple[int | None, int]:
    """Tokens that are held against the threshold (None: unknown), and how many were cleared before, which count no more."""
    tokens, cleared = ground.tokens.tokens, tokens_of(ground.rows) - tokens_of(work.sent)
    return tokens if tokens is None else tokens - cleared, cleared


def _fires(plan: Plan, verdict: Verdict) -> str:
    """Why it goes on; where the threshold does not decide, that is said with how far it is."""
    threshold = verdict.guards[-1].reason
    if plan.variant == REACTIVE:
        return f"Fires: {reaction(0, plan.settings).reason}"
    if plan.trigger == MANUAL:
        return f"Fires by hand: {threshold}"
    return f"Fires: {threshold}" if plan.variant == AUTO else f"Fires by its name: {threshold}"
