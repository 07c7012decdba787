"""What the timeline is drawn from: the calls of a session, what happened between them, and a simulated compaction."""

from ...workspace.state import Workspace
from .chart import SIMULATED, ChartModel, Mark, Point


def model_of(workspace: Workspace) -> ChartModel:
    """The chart of a workspace; an empty one while the file is being read."""
    if workspace.opened is None:
        return ChartModel()
    found = workspace.opened.timeline
    marks = [Mark(m.index, m.kind, m.label) for m in found.marks]
    return ChartModel(
        tuple(Point(p.tokens, p.kind, p.line) for p in found.points),
        found.threshold,
        found.warning,
        found.window,
        (*marks, *_simulated(workspace)),
    )


def _simulated(workspace: Workspace) -> list[Mark]:
    if workspace.steps is None:
        return []
    from ...workspace.steps_facts import simulated  # with the stages behind it, which nothing else on the screen needs

    found = simulated(workspace)
    return [] if found is None else [Mark(found.index, SIMULATED, found.words, found.after)]
