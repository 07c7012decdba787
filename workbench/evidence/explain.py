"""Why a compaction fires at a point, or does not, and what was odd about the whole session's (spec 5, "explain")."""

from dataclasses import dataclass

from ..compaction.breaker import AUTO as BY_ITSELF
from ..compaction.ground import Ground
from ..compaction.guards import Verdict
from ..compaction.plan import Plan
from ..compaction.run import Run, start, step
from ..compaction.settings import Settings
from ..compaction.stages.decide import NAME as DECIDE
from ..compaction.stages.decide import held
from ..compaction.variants import AUTO
from ..conversation.figure import ESTIMATED, Figure
from ..transcript.session import Session
from .calibration import calibration_of
from .firing import Firing, firings
from .timeline import Timeline

FIRES, DOES_NOT = "fires", "does not fire"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The decision at a point, with every guard that was asked, and the findings over the whole session.

    line      the state right before this physical line; None: the end
    context   tokens that are held against the threshold, with their kind
    distance  tokens up to the threshold: 0 or less fires; None where one of the two is unknown
    """

    line: int | None
    verdict: Verdict
    reason: str
    threshold: int | None
    context: Figure
    distance: int | None
    findings: tuple[Firing, ...]

    @property
    def decision(self) -> str:
        return FIRES if self.verdict.fires else DOES_NOT


def explain(session: Session, ground: Ground, settings: Settings, timeline: Timeline) -> Explanation:
    """Asks the guards as the agent would before its next call; the stages before them run as in a compaction."""
    run = decided(ground, settings)
    verdict = run.results[-1].picture
    assert isinstance(verdict, Verdict)  # what the stage that decides always gives
    tokens, cleared = held(ground, run.work)
    source = ground.tokens.source + (f", less {cleared:,} of results cleared before (estimated)" if cleared else "")
    threshold = ground.threshold.auto
    return Explanation(
        line=ground.line,
        verdict=verdict,
        reason=run.results[-1].reason,
        threshold=threshold,
        context=Figure(tokens, ESTIMATED if cleared else ground.tokens.kind, source),
        distance=None if threshold is None or tokens is None else threshold - tokens,
        findings=firings(session, settings, ground.threshold, timeline, calibration_of(session)),
    )


def decided(ground: Ground, settings: Settings) -> Run:
    """A run up to the decision, for a turn in which nothing is asked for by hand."""
    run = step(start(ground, Plan(settings, AUTO, BY_ITSELF)))
    while run.results[-1].name != DECIDE:
        run = step(run)
    return run
