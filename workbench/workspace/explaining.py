"""Why a compaction fires at the point that is shown, or does not, for the screen."""

from dataclasses import dataclass

from ..compaction.ground import Ground
from ..evidence.explain import Explanation, explain
from ..evidence.grounding import ground_at
from .opened import Opened
from .steps_plan import Point, line_of, point_words


@dataclass(frozen=True, slots=True)
class Explained:
    """The explanation, the ground it was drawn of, and where that is in words."""

    explanation: Explanation
    ground: Ground
    where: str


def explained(opened: Opened, point: Point) -> Explained:
    """The decision at a point. Reads the rows of its array: a job for a worker."""
    line = line_of(point, opened)
    ground = ground_at(opened.session, opened.settings, line=line)
    where = point_words(point, opened)
    found = explain(opened.session, ground, opened.settings, opened.timeline)
    return Explained(found, ground, where if line is None else f"before {where}")
