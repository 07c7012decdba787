"""What the Steps tab shows: a simulated compaction, the stage one looks at, and the moves that change either.

A `Steps` is compared by identity: a run holds every row of a session, and is never compared row by row to draw a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..compaction.result import StageResult
from ..compaction.run import Run
from ..compaction.stages.clean_reply import EDITED
from ..conversation.figure import Figure
from .steps_arrays import Gap, Line, StageArrays
from .steps_flow import Node
from .steps_plan import Wish

if TYPE_CHECKING:
    from ..conversation.row import Row
    from .opened import Opened
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
    expected  the result that put the array together, and what the next call is expected to measure with it
    written   the run whose compacted session was written to a file
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
    expected: tuple[StageResult, Figure] | None = None
    written: Run | None = None
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
    def is_edited(self) -> bool:
        """Whether the run holds a summary that the user wrote and that is in no file yet."""
        return self.run is not None and EDITED in self.run.replies and self.written is not self.run

    @property
    def next_call(self) -> Figure | None:
        """What the next call is expected to measure, once the run is over; None before, and where nothing was compacted."""
        return self.expected[1] if self.expected is not None and self.expected[0] is self.last else None

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
