"""The Steps tab: the stages of a simulated compaction, the selected one explained, and the array before and after it."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus, Resize
from textual.worker import get_current_worker

from ...workspace import steps_moves as moves
from ...workspace.filtering import tool_names
from ...workspace.state import STEPS, Workspace
from ...workspace.steps import ARRAYS, Steps
from ...workspace.steps_arrays import Gap, Line, StageArrays, arrays_of, arrays_of_rows
from ..commands.registry import bindings
from ..painting.palette import Palette
from ..painting.steps import arrays_title, flow_line, message_title, stage_title, status_line
from ..painting.steps_lines import array_header, array_line, stands_beside
from ..painting.steps_page import message_document, page_document
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from ..widgets.page_view import PageView
from ..widgets.painted_line import PaintedLine
from .pane import Pane
from .steps_commands import StepsCommands

if TYPE_CHECKING:
    from ..screens.session import SessionScreen

WIDE = 176  # cells from which the selected message stands beside the arrays
LEAST_ROWS = 5  # of the arrays, below which their header would take too much


class FlowLines:
    """The stages of a run."""

    def __init__(self, steps: Steps, palette: Palette) -> None:
        self._steps = steps
        self._palette = palette

    def __len__(self) -> int:
        return len(self._steps.nodes)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        node = self._steps.nodes[index]
        has_break = node.name in self._steps.breakpoints
        return flow_line(node, self._steps.told_of(node), width, has_break, self._palette)


class ArrayLines:
    """The messages around a stage: both sides of a line, or what differs."""

    def __init__(self, steps: Steps, palette: Palette) -> None:
        self.lines: Sequence[Line | Gap] = steps.listed
        self._is_same = steps.arrays is not None and steps.arrays.is_same
        self._diff = steps.diff
        items = [item for line in self.lines if isinstance(line, Line) for item in (line.before, line.after) if item is not None]
        self._names = tool_names(tuple(items))
        self._palette = palette

    def __len__(self) -> int:
        return len(self.lines)

    def beside(self, width: int) -> bool:
        """Whether both sides stand beside one another at a width."""
        return not self._diff and stands_beside(width, self._is_same)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        return array_line(self.lines[index], width, self.beside(width), self._names, self._palette, self._is_same)


class StepsPane(StepsCommands, Pane):
    """Stages and explanation above, messages below; the explanation gives way to the message one goes to."""

    first = "#steps-flow"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(STEPS)]
    DEFAULT_CSS = """
    StepsPane {
        height: 1fr;
        #steps-upper { height: 3fr; min-height: 4; }
        #steps-flow { width: 2fr; min-width: 34; max-width: 62; }
        #steps-beside { width: 3fr; border-left: solid $panel; }
        #steps-page { padding: 0 1; }
        #steps-lower { height: 2fr; min-height: 3; }
        #steps-arrays { width: 3fr; }
        #steps-message-box { width: 2fr; border-left: solid $panel; display: none; }
        #steps-message { padding: 0 1; }
        &.-wide #steps-message-box { display: block; }
    }
    """

    def __init__(self, screen: "SessionScreen") -> None:
        super().__init__(screen, STEPS)
        self._flow: tuple[object, ...] = ()
        self._lines: tuple[object, ...] = ()
        self._page: tuple[object, ...] = ()
        self._message: tuple[object, ...] = ()
        self._aligning: object = None

    def compose(self) -> ComposeResult:
        yield PaintedLine(self._status, id="steps-status", classes="title")
        with Horizontal(id="steps-upper"):
            yield LineList(id="steps-flow", empty="reading where it starts…")
            with Vertical(id="steps-beside"):
                yield PaintedLine(self._page_title, classes="title")
                yield PageView(id="steps-page", empty="")
        yield PaintedLine(self._arrays_title, classes="title")
        with Horizontal(id="steps-lower"):
            yield LineList(id="steps-arrays", empty="aligning the messages…")
            with Vertical(id="steps-message-box"):
                yield PaintedLine(self._message_title, classes="title")
                yield PageView(id="steps-message", empty="no message")

    # showing

    def show(self, workspace: Workspace) -> None:
        """Draws its slice of the workspace; what did not change is left alone."""
        steps = workspace.steps
        if steps is None:
            if workspace.opened is not None:
                self.call_later(self.begin)
            self.stages.set_empty(workspace.problem or "reading the file…")
        else:
            self._show_flow(steps)
            self._show_arrays(steps)
            self._show_page(workspace, steps)
        self.repaint_lines()

    def _show_flow(self, steps: Steps) -> None:
        key = (steps.nodes, steps.breakpoints, self.app.theme)
        with self.prevent(LineList.Highlighted):
            if key != self._flow:
                self._flow = key
                self.stages.set_empty(steps.problem or "reading where it starts…")
                self.stages.set_source(FlowLines(steps, palette_of(self.app)))
            if self.stages.cursor != steps.selected:
                self.stages.cursor = steps.selected

    def _show_arrays(self, steps: Steps) -> None:
        wanted = steps.wanted
        if wanted is not None and steps.arrays is None and self._aligning is not wanted:
            self._aligning = wanted
            self.align(wanted)
        key = (steps.arrays, steps.diff, self.app.theme)
        with self.prevent(LineList.Highlighted):
            if key != self._lines:
                self._lines = key
                self.arrays.set_source(ArrayLines(steps, palette_of(self.app)) if steps.arrays is not None else FixedLines())
                self.arrays.set_empty("no message" if steps.arrays is not None else "aligning the messages…")
                self._show_header()
            if self.arrays.cursor != steps.line:
                self.arrays.cursor = steps.line

    def _show_page(self, workspace: Workspace, steps: Steps) -> None:
        is_message = steps.focus == ARRAYS and not self.is_wide
        about = steps.item if is_message else steps.node
        key = (about, is_message, workspace.form, steps.heard, steps.problem, steps.run is None)
        if key != self._page:
            self._page = key
            self.page.set_page(partial(page_document, workspace, is_message))
            if steps.heard:
                self.page.action_bottom()
        message = (steps.item, workspace.form, self.is_wide)
        if message != self._message:
            self._message = message
            self.message.set_page(partial(message_document, workspace, steps) if self.is_wide else None)

    def _show_header(self) -> None:
        width, height = self.arrays.size
        source = self.arrays.source
        if isinstance(source, ArrayLines) and width:
            header = array_header(max(20, width), source.beside(width), palette_of(self.app))
            self.arrays.set_header(header if height > LEAST_ROWS else None)

    @property
    def is_wide(self) -> bool:
        """Whether the selected message has a place of its own; else it takes that of the explanation."""
        return self.has_class("-wide")

    def _status(self, width: int) -> Text:
        return status_line(self._screen.workspace, width, palette_of(self.app))

    def _page_title(self, width: int) -> Text:
        steps = self._screen.workspace.steps
        paint = message_title if steps is not None and steps.focus == ARRAYS and not self.is_wide else stage_title
        return paint(steps, width, palette_of(self.app))

    def _message_title(self, width: int) -> Text:
        return message_title(self._screen.workspace.steps, width, palette_of(self.app))

    def _arrays_title(self, width: int) -> Text:
        return arrays_title(self._screen.workspace.steps, width, palette_of(self.app))

    # listening

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-wide")
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self._show_header()
        if self._screen.workspace.steps is not None:
            self._show_page(self._screen.workspace, self._screen.workspace.steps)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._look_at(event.line_list)

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        self._look_at(event.line_list)
        (self.message if self.is_wide and event.line_list is self.arrays else self.page).focus()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        if isinstance(event.widget, LineList):
            self._look_at(event.widget)

    def _look_at(self, target: LineList) -> None:
        workspace = self._screen.workspace
        if workspace.steps is None:
            return
        if target is self.stages:
            self._screen.commit(moves.to_node(workspace, target.cursor))
        else:
            self._screen.commit(moves.to_line(workspace, target.cursor))

    # jobs

    @work(thread=True, group="steps-arrays", exclusive=True, description="aligning the messages")
    def align(self, source: object) -> None:
        """Assembles and aligns the arrays of a stage."""
        arrays = arrays_of_rows(source) if isinstance(source, tuple) else arrays_of(source)  # type: ignore[arg-type]
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._aligned, source, arrays)

    def _aligned(self, source: object, arrays: StageArrays) -> None:
        self._screen.commit(moves.aligned(self._screen.workspace, source, arrays))
