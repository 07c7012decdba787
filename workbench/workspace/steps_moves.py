"""Moves of the Steps tab: each gives a new workspace, or the same when there is nothing to do. None computes a stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..compaction.debugger import Breakpoint, back, halted, toggled
from ..compaction.diff import SAME
from ..compaction.result import StageResult
from ..compaction.run import Run, step
from ..conversation.figure import Figure
from .steps import ARRAYS, FLOW, Steps, Told
from .steps_arrays import Line, StageArrays
from .steps_flow import flow, place_of
from .steps_plan import Wish

if TYPE_CHECKING:
    from .opened import Opened
    from .state import Workspace


def begun(now: Workspace, wish: Wish) -> Workspace:
    """Another compaction is wanted; what was shown stays until its ground is drawn."""
    old = now.steps
    if old is None:
        return replace(now, steps=Steps(wish))
    return replace(now, steps=replace(old, wish=wish, halted="", problem=""))


def ran(now: Workspace, run: Run, opened: Opened | None = None, drawn: Wish | None = None) -> Workspace:
    """The run has come further; the newest result is looked at. `opened` and `drawn` say what it was made of, if that is new."""
    steps = now.steps
    if steps is None:
        return now
    run = replace(run, plan=replace(run.plan, breakpoints=steps.breakpoints))
    nodes = flow(run)
    changed = replace(
        steps,
        run=run,
        opened=opened or steps.opened,
        drawn=drawn or steps.drawn,
        nodes=nodes,
        told=_told(steps.told, (*run.results, *run.ahead)),
        selected=place_of(nodes, len(run.results) - 1),
        focus=FLOW,
        halted=halted(run) if run.results else "",
        problem="",
    )
    return replace(now, steps=_without_stale_arrays(changed))


def expects(now: Workspace, result: StageResult, figure: Figure) -> Workspace:
    """What the next call is expected to measure after that result."""
    return now if now.steps is None else replace(now, steps=replace(now.steps, expected=(result, figure)))


def written(now: Workspace, run: Run) -> Workspace:
    """The compacted session of a run stands in a file."""
    return now if now.steps is None else replace(now, steps=replace(now.steps, written=run))


def _told(known: Sequence[Told], results: Sequence[StageResult]) -> tuple[Told, ...]:
    """Counts what was not counted yet."""
    by_id = {id(t.result): t for t in known}
    return tuple(by_id.get(id(r)) or Told(r, r.tokens_before, r.tokens_after) for r in results)


def _without_stale_arrays(steps: Steps) -> Steps:
    return steps if steps.source is steps.wanted else replace(steps, arrays=None, source=None, line=0)


def stepped_back(now: Workspace) -> Workspace:
    """One stage back; computes nothing."""
    steps = now.steps
    return now if steps is None or steps.run is None else ran(now, back(steps.run))


def stepped_on(now: Workspace) -> Workspace:
    """One stage further over what was computed already; the same where the next stage is not."""
    steps = now.steps
    return now if steps is None or steps.run is None or not steps.run.ahead else ran(now, step(steps.run))


def to_node(now: Workspace, selected: int) -> Workspace:
    """Another stage looked at; the run stays where it is."""
    steps = now.steps
    if steps is None or not 0 <= selected < len(steps.nodes):
        return now
    return replace(now, steps=_without_stale_arrays(replace(steps, selected=selected, focus=FLOW)))


def aligned(now: Workspace, source: object, arrays: StageArrays) -> Workspace:
    """The arrays of a stage have come; late ones of another stage are dropped."""
    steps = now.steps
    if steps is None or source is not steps.wanted:
        return now
    changed = replace(steps, arrays=arrays, source=source)
    return replace(now, steps=replace(changed, line=_first_difference(changed)))


def _first_difference(steps: Steps) -> int:
    """Where one begins to read: the first line that differs, else the last of all."""
    lines = steps.listed
    same = steps.arrays is not None and steps.arrays.is_same
    if same:
        return max(0, len(lines) - 1)
    return next((at for at, line in enumerate(lines) if isinstance(line, Line) and line.state != SAME), 0)


def to_line(now: Workspace, line: int) -> Workspace:
    """Another block looked at, instead of the stage."""
    steps = now.steps
    return now if steps is None else replace(now, steps=replace(steps, line=line, focus=ARRAYS))


def to_flow(now: Workspace) -> Workspace:
    """Back to the stage; what went wrong has been read."""
    return now if now.steps is None else replace(now, steps=replace(now.steps, focus=FLOW, problem=""))


def other_side(now: Workspace) -> Workspace:
    """From before to after and back."""
    steps = now.steps
    return now if steps is None else replace(now, steps=replace(steps, side=1 - steps.side, focus=ARRAYS))


def diff_toggled(now: Workspace) -> Workspace:
    """Everything, or what differs."""
    steps = now.steps
    if steps is None:
        return now
    changed = replace(steps, diff=not steps.diff)
    return replace(now, steps=replace(changed, line=_first_difference(changed)))


def breakpoint_toggled(now: Workspace, point: Breakpoint) -> Workspace:
    """A breakpoint set or taken off; nothing is computed anew."""
    steps = now.steps
    if steps is None:
        return now
    run = steps.run if steps.run is None else toggled(steps.run, point)
    return replace(now, steps=replace(steps, breakpoints=steps.breakpoints ^ {point.word}, run=run))


def working(now: Workspace, job: str, heard: str = "") -> Workspace:
    """Something is being computed."""
    steps = now.steps
    return now if steps is None else replace(now, steps=replace(steps, job=job, heard=heard))


def idle(now: Workspace, problem: str = "") -> Workspace:
    """Nothing is computed any more; why not, if it went wrong."""
    steps = now.steps
    return now if steps is None else replace(now, steps=replace(steps, job="", heard="", problem=problem))
