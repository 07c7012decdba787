"""What the Steps tab shows: a simulated compaction, the stage one looks at, and the moves that change either.

A `Steps` is compared by identity: a run holds every row of a session, and is never compared row by row to draw a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..compaction.cleaning import clean
from ..compaction.debugger import Breakpoint, asked_next, back, halted, toggled
from ..compaction.request import Request
from ..compaction.result import OK, StageResult
from ..compaction.run import COMPACTED, Run, step
from ..compaction.stages.clean_reply import NAME as CLEAN
from ..compaction.stages.notes_path import NAME as NOTES
from .steps_arrays import Gap, Line, StageArrays
from .steps_flow import AHEAD, DONE, Node, flow, place_of
from .steps_plan import Wish, column_of

if TYPE_CHECKING:
    from ..conversation.row import Row
    from .opened import Opened
    from .state import Workspace
    from .view import Item

FLOW, ARRAYS = "flow", "arrays"


@dataclass(frozen=True, slots=True)
class Told:
    """Tokens of a result with the overhead, counted once: `result` is the very one they belong to."""

    result: StageResult
    before: int
    after: int


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """A simulated compaction on the screen.

    opened    the session it starts from, as it was then
    run       None until the ground is drawn; `drawn` is the wish it was made of
    selected  the node one looks at; `focus` is where the keys are: flow | arrays
    arrays    before and after of the selected stage, None until they are aligned; `source` is what they belong to
    diff      only what differs
    line      the selected line of what is listed; `side` 0 before, 1 after
    job       what is being computed, in words; "" when nothing is
    heard     the end of what a model has answered so far
    halted    which breakpoint holds, `problem` what went wrong, in a sentence
    """

    wish: Wish
    opened: Opened | None = None
    run: Run | None = None
    drawn: Wish | None = None
    nodes: tuple[Node, ...] = ()
    told: tuple[Told, ...] = ()
    selected: int = 0
    focus: str = FLOW
    arrays: StageArrays | None = None
    source: object = None
    diff: bool = False
    line: int = 0
    side: int = 1
    job: str = ""
    heard: str = ""
    halted: str = ""
    problem: str = ""
    breakpoints: frozenset[str] = field(default_factory=frozenset)

    @property
    def node(self) -> Node | None:
        """The stage one looks at."""
        return self.nodes[self.selected] if 0 <= self.selected < len(self.nodes) else None

    @property
    def last(self) -> StageResult | None:
        """The newest result."""
        return self.run.results[-1] if self.run is not None and self.run.results else None

    @property
    def wanted(self) -> StageResult | tuple[Row, ...] | None:
        """What the arrays are to be drawn of: the selected stage's result, or the rows that a later one will be given."""
        node = self.node
        if self.run is None:
            return None
        return node.result if node is not None and node.result is not None else self.run.work.rows

    @property
    def listed(self) -> Sequence[Line | Gap]:
        """The lines below: all of them, or what differs."""
        if self.arrays is None:
            return ()
        return self.arrays.differences if self.diff else self.arrays.lines

    @property
    def item(self) -> Item | None:
        """The block under the cursor, on the side one is on, or the other side where there is nothing on this one."""
        lines = self.listed
        line = lines[self.line] if 0 <= self.line < len(lines) else None
        if not isinstance(line, Line):
            return None
        wanted = line.after if self.side else line.before
        return wanted if wanted is not None else line.item

    def told_of(self, node: Node) -> Told | None:
        """The tokens of a stage that was computed."""
        return self.told[node.at] if node.at is not None and node.at < len(self.told) else None


# moves


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
    selected = place_of(nodes, len(run.results) - 1)
    changed = replace(
        steps, run=run, nodes=nodes, told=_told(steps.told, (*run.results, *run.ahead)), selected=selected,
        opened=opened or steps.opened, drawn=drawn or steps.drawn, halted=halted(run) if run.results else "", problem="", line=0, focus=FLOW,
    )  # fmt: skip
    return replace(now, steps=_without_stale_arrays(changed))


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
    """Where one begins to read: the first line that came or changed, else the last of all."""
    lines = steps.listed
    same = steps.arrays is not None and steps.arrays.is_same
    if same:
        return max(0, len(lines) - 1)
    return next((at for at, line in enumerate(lines) if isinstance(line, Line) and line.state in ("added", "changed")), 0)


def to_line(now: Workspace, line: int) -> Workspace:
    """Another block looked at, instead of the stage."""
    steps = now.steps
    return now if steps is None else replace(now, steps=replace(steps, line=line, focus=ARRAYS))


def to_flow(now: Workspace) -> Workspace:
    """Back to the stage."""
    return now if now.steps is None else replace(now, steps=replace(now.steps, focus=FLOW))


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


# where it stands


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
        after = steps.told[len(run.results) - 1].after
    size = "unknown" if before is None else f"{before:,}"
    words = f"simulated {steps.wish.variant}: {size}" + (f" → {after:,}" if after is not None else " tokens")
    return Simulated(column_of(steps.wish.point, steps.opened), before, after, words)


def is_computed(node: Node) -> bool:
    """Whether a stage has a result to look at."""
    return node.state in (DONE, AHEAD)


def request_shown(steps: Steps) -> Request | None:
    """The summary request of the selected stage, else the one that comes next."""
    node = steps.node
    picture = node.result.picture if node is not None and node.result is not None else None
    if isinstance(picture, Request):
        return picture
    return None if steps.run is None else asked_next(steps.run)


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
