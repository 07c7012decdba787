"""Clear old results: by time in the local array, or in the outgoing copy where the cache is warm (spec 1, section 7)."""

from collections.abc import Mapping
from dataclasses import replace

from ..cached import Registry
from ..ground import Ground
from ..microcompact import Cleared, Microcompaction, microcompact
from ..plan import Plan
from ..request import Reply
from ..result import FAILED, OK, SKIPPED, StageResult, Work
from ..thinking import Unbound, unbound_behind
from ..variants import MICRO_CACHED, MICRO_TIME
from .common import number_of, result

NAME = "microcompact"
THERE = (
    "microcompactMessages",
    "maybeTimeBasedMicrocompact",
    "evaluateTimeBasedTrigger",
    "cachedMicrocompactPath",
    "createCacheEditsBlock",
)
USED = (
    "timeBased.enabled",
    "gapThresholdMinutes",
    "keepRecent",
    "cached.enabled",
    "cached_trigger",
    "cached_keep",
    "querySource",
)


READS = (*USED, "clearedText", "compactableTools", "pins", "thinking.open_turn")


def clear_results(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Both ways are asked, unless the one by time is named; where that fires, it takes the other's place."""
    done, bound = _cleared(ground, plan, work)
    fired = done.time.fired or (done.cached is not None and done.cached.fired)
    refused = bool(bound.refused) and plan.variant == MICRO_TIME
    return result(
        NAME,
        ground,
        replace(work, rows=done.rows, outgoing=() if done.outgoing == done.rows else done.outgoing, cleared=done.time.tools),
        work.rows,
        done.outgoing,
        outcome=FAILED if refused else OK if fired else SKIPPED,
        reason=_reason(done, plan.variant),
        there=THERE,
        section="7",
        numbers=[number_of(plan.settings, n) for n in USED],
        changes=(*done.time.changes, *bound.changes, *(done.cached.changes if done.cached is not None else ())),
        picture=done,
    )


def _cleared(ground: Ground, plan: Plan, work: Work) -> tuple[Microcompaction, Unbound]:
    """What is cleared; by time only where bound thinking behind it may go (section 9)."""
    tokens, settings = ground.tokens.tokens, plan.settings
    done = microcompact(work.rows, now=ground.now, tokens=tokens, registry=Registry(), settings=settings, spared=plan.pins)
    if plan.variant == MICRO_TIME:
        done = replace(done, cached=None)
    bound = unbound_behind(work.rows, done.rows, ground.model, settings)
    if bound.refused:
        return replace(done, time=Cleared(work.rows, f"Nothing is cleared: {bound.refused}")), bound
    return replace(done, time=replace(done.time, rows=bound.rows)), bound


def _reason(done: Microcompaction, variant: str) -> str:
    if done.cached is None or done.time.fired:
        return done.time.reason
    return done.cached.reason if variant == MICRO_CACHED else f"{done.time.reason} {done.cached.reason}"
