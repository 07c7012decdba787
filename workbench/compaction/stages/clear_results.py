"""Clear old results: by time in the local array, or in the outgoing copy where the cache is warm (spec 1, section 7)."""

from collections.abc import Mapping
from dataclasses import replace

from ..cached import Registry
from ..ground import Ground
from ..microcompact import Microcompaction, microcompact
from ..plan import Plan
from ..request import Reply
from ..result import OK, SKIPPED, StageResult, Work
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


def clear_results(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Both ways are asked; naming one of them switches it on and decides whether the run had anything to do."""
    done = microcompact(work.rows, now=ground.now, tokens=ground.tokens.tokens, registry=Registry(), settings=plan.settings)
    fired = done.time.fired or (done.cached is not None and done.cached.fired)
    named = plan.variant in (MICRO_TIME, MICRO_CACHED)
    after = done.outgoing if plan.variant == MICRO_CACHED else done.rows
    outgoing = () if done.outgoing == done.rows else done.outgoing
    work = replace(work, rows=done.rows, outgoing=outgoing, cleared=done.time.tools)
    changes = (*done.time.changes, *(done.cached.changes if done.cached is not None else ()))
    outcome = OK if fired else SKIPPED
    return result(
        NAME,
        ground,
        work,
        ground.rows,
        after,
        outcome=outcome,
        reason=_reason(done, named, plan.variant),
        there=THERE,
        section="7",
        numbers=[number_of(plan.settings, n) for n in USED],
        changes=changes,
        picture=done,
    )


def _reason(done: Microcompaction, named: bool, variant: str) -> str:
    if named and variant == MICRO_CACHED and done.cached is not None:
        return done.cached.reason
    if named or done.time.fired or done.cached is None:
        return done.time.reason
    return f"{done.time.reason} {done.cached.reason}"
