"""Measure: tokens in context, as the agent's own check counts them (spec 1, section 2)."""

from collections.abc import Mapping

from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import OK, Number, StageResult, Work
from .common import result

NAME = "measure"


def measure(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Array + overhead; changes nothing."""
    tokens = ground.tokens
    words = "unknown" if tokens.tokens is None else f"{tokens.tokens:,}"
    numbers = (
        Number("tokens in context", words, tokens.kind, tokens.source),
        Number(
            "overhead",
            "unknown" if ground.overhead.tokens is None else f"{ground.overhead.tokens:,}",
            ground.overhead.kind,
            ground.overhead.source,
        ),
        Number("window", f"{ground.window.tokens:,}", "evidence", ground.window.why),
        Number(
            "threshold",
            "none" if ground.threshold.auto is None else f"{ground.threshold.auto:,}",
            ground.threshold.source,
            ground.threshold.why,
        ),
    )
    return result(
        NAME,
        ground,
        work,
        work.sent,
        work.sent,
        outcome=OK,
        reason=f"{words} tokens in context ({tokens.kind}): {tokens.source}.",
        there=("roughTokenCountEstimation",),
        section="2",
        numbers=numbers,
    )
