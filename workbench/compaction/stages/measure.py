"""Measure: tokens in context as the agent's own check counts them, and the ladder from window to threshold (spec 1, 1 and 2)."""

from collections.abc import Mapping

from ...conversation.figure import Figure
from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import OK, Number, StageResult, Work
from ..setting_table import SETTINGS, WINDOW
from ..settings import Settings
from ..threshold import ladder
from .common import result

NAME = "measure"
READS = tuple(s.name for s in SETTINGS if s.group == WINDOW)  # the ground was drawn by them: with others it is another one
THERE = ("roughTokenCountEstimation", "getEffectiveContextWindowSize", "getAutoCompactThreshold")


def measure(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Array + overhead; changes nothing."""
    figure = ground.tokens
    return result(
        NAME,
        ground,
        work,
        work.sent,
        work.sent,
        outcome=OK,
        reason=f"{_words(figure)} tokens in context ({figure.kind}): {figure.source}.",
        there=THERE,
        section="1, 2",
        numbers=[_number("tokens in context", figure), _number("overhead", ground.overhead), *_levels(ground, plan.settings)],
    )


def _levels(ground: Ground, settings: Settings) -> list[Number]:
    """Window, reserve, effective window, manual limit, buffer, threshold, warning, each with where it comes from."""
    threshold = ground.threshold
    found = [
        Number(rung.name, f"{rung.tokens:,}", "taken off" if rung.is_step else "level", rung.source)
        for rung in ladder(ground.window, threshold, settings)
    ]
    return found if threshold.auto is not None else [*found, Number("threshold", "none", threshold.source, threshold.why)]


def _number(name: str, figure: Figure) -> Number:
    return Number(name, _words(figure), figure.kind, figure.source)


def _words(figure: Figure) -> str:
    return "unknown" if figure.tokens is None else f"{figure.tokens:,}"
