"""What is told of a simulated compaction: where it stands on the timeline, its request, its summary, why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..compaction.cleaning import clean
from ..compaction.debugger import asked_next
from ..compaction.request import Request
from ..compaction.result import OK, StageResult
from ..compaction.run import COMPACTED, Run
from ..compaction.stages.clean_reply import NAME as CLEAN
from ..compaction.stages.notes_path import NAME as NOTES
from .steps import Steps
from .steps_plan import BOUNDARY, column_of

if TYPE_CHECKING:
    from .state import Workspace


@dataclass(frozen=True, slots=True)
class Simulated:
    """The mark on the timeline: before call `index`, tokens now and, once it is put together, after it."""

    index: int
    tokens: int | None
    after: int | None
    words: str


def simulated(now: Workspace) -> Simulated | None:
    """Where the simulated compaction stands; None before one is begun."""
    steps = now.steps
    if steps is None or steps.run is None or steps.opened is None:
        return None
    run, last = steps.run, steps.last
    before = run.ground.tokens.tokens
    after = None
    if (last is not None and last.work.boundary is not None) or (run.is_over and run.outcome == COMPACTED):
        expected = steps.next_call.tokens if steps.next_call is not None else None
        after = steps.told[len(run.results) - 1].after if expected is None else expected
    size = "unknown" if before is None else f"{before:,}"
    words = f"simulated {steps.wish.variant}: {size}" + (f" → {after:,}" if after is not None else " tokens")
    return Simulated(column_of(steps.wish.point, steps.opened), before, after, words)


def recorded_next(steps: Steps) -> int | None:
    """Prompt tokens of the call behind the recorded compaction that is simulated, once it is done; None elsewhere."""
    point = steps.wish.point
    if point.kind != BOUNDARY or steps.opened is None or steps.run is None or steps.run.outcome != COMPACTED:
        return None
    return steps.opened.inspection.boundaries[point.number].first_call_after


def request_shown(steps: Steps) -> Request | None:
    """The summary request of the selected stage, else the one that comes next, else the last that was asked."""
    node = steps.node
    picture = node.result.picture if node is not None and node.result is not None else None
    if isinstance(picture, Request):
        return picture
    if steps.run is None:
        return None
    asked = (r.picture for r in reversed(steps.run.results) if isinstance(r.picture, Request))
    return asked_next(steps.run) or next(asked, None)


def why_no_edit(steps: Steps) -> str:
    """Why there is no summary to edit, in a sentence; "" when there is one."""
    run = steps.run
    if run is None:
        return "There is no run yet."
    if (cleaned := _cleaned(run)) is not None:
        return "" if cleaned.outcome == OK else f"There is no summary: {cleaned.reason}"
    if run.work.path == NOTES:
        return "The notes stand in for a summary here; they are edited on the Notes tab. v names the variant full."
    return "There is no summary yet: go on until it is cleaned (c)."


def summary_of(run: Run) -> str:
    """The summary as it stands, the user's or the model's."""
    cleaned = _cleaned(run)
    return "" if cleaned is None else cleaned.work.summary


def _cleaned(run: Run) -> StageResult | None:
    return next((r for r in reversed((*run.results, *run.ahead)) if r.name == CLEAN), None)


def summary_of_model(steps: Steps) -> str:
    """The summary as the model wrote it, cleaned, whatever the user made of it."""
    run = steps.run
    cleaned = None if run is None else _cleaned(run)
    reply = None if cleaned is None else cleaned.work.reply
    return "" if run is None or reply is None else clean(reply.text, run.plan.settings, stop_reason=reply.stop_reason).text
