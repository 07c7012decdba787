"""The Boundary tab: everything the record of a compaction says, explained, beside the summary it left."""

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.events import Resize
from textual.worker import get_current_worker

from ...errors import WorkbenchError
from ...workspace import moves
from ...workspace.boundary_view import BoundaryView, NoBoundary, boundary_view
from ...workspace.opened import Opened
from ...workspace.state import BOUNDARY, Workspace
from ..commands.registry import bindings
from ..painting.boundary import boundary_document, boundary_title, summary_document, summary_title
from ..theme import palette_of
from ..widgets.page_view import PageView
from ..widgets.painted_line import PaintedLine
from .pane import Pane

if TYPE_CHECKING:
    from ..screens.session import SessionScreen

BESIDE = 110  # cells from which the summary stands beside the facts, not below,
WIDE = 160  # and from which a third of the width is enough for it


class BoundaryPane(Pane):
    """Facts on the left or above, the summary on the right or below; both scroll."""

    first = "#boundary-facts"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(BOUNDARY)]
    DEFAULT_CSS = """
    BoundaryPane {
        height: 1fr;
        #boundary-parts { height: 1fr; layout: vertical; }
        #boundary-facts { height: 3fr; padding: 0 1; }
        #boundary-beside { height: 2fr; }
        #boundary-summary { padding: 0 1; }
        &.-beside #boundary-parts { layout: horizontal; }
        &.-beside #boundary-facts { height: 1fr; width: 3fr; }
        &.-beside #boundary-beside { height: 1fr; width: 2fr; border-left: solid $panel; }
        &.-wide #boundary-facts { width: 2fr; }
        &.-wide #boundary-beside { width: 1fr; }
        &.-none #boundary-beside { display: none; }
    }
    """

    def __init__(self, screen: "SessionScreen") -> None:
        super().__init__(screen, BOUNDARY)
        self._asked: tuple[Opened | None, int | None] = (None, None)
        self._view: BoundaryView | NoBoundary | None = None

    def compose(self) -> ComposeResult:
        yield PaintedLine(self._title, classes="title")
        with Container(id="boundary-parts"):
            yield PageView(id="boundary-facts", empty="reading the record…")
            with Vertical(id="boundary-beside"):
                yield PaintedLine(self._summary_title, classes="title")
                yield PageView(id="boundary-summary", empty="no summary follows this boundary")

    @property
    def facts(self) -> PageView:
        return self.query_one("#boundary-facts", PageView)

    @property
    def summary(self) -> PageView:
        return self.query_one("#boundary-summary", PageView)

    # showing

    def show(self, workspace: Workspace) -> None:
        """Draws its slice of the workspace; what did not change is left alone."""
        wanted = (workspace.opened, moves.wanted_boundary(workspace))
        if workspace.opened is not None and wanted != self._asked:
            self._asked = wanted
            self.read(workspace.opened, wanted[1])
        if workspace.opened is None:
            self.facts.set_empty(workspace.problem or "reading the file…")
        view = workspace.boundary
        if view is not None and view != self._view and workspace.opened is not None:
            self._view = view
            self.set_class(isinstance(view, NoBoundary), "-none")
            self.facts.set_page(partial(boundary_document, view, workspace.opened))
            self.summary.set_page(partial(summary_document, view), view.summary_text if isinstance(view, BoundaryView) else None)
        self.repaint_lines()

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width >= BESIDE, "-beside")
        self.set_class(event.size.width >= WIDE, "-wide")

    def _title(self, width: int) -> Text:
        return boundary_title(self._screen.workspace.boundary, width, palette_of(self.app))

    def _summary_title(self, width: int) -> Text:
        return summary_title(self._screen.workspace.boundary, width, palette_of(self.app))

    # jobs

    @work(thread=True, group="boundary", exclusive=True, description="reading the record of the compaction")
    def read(self, opened: Opened, number: int | None) -> None:
        """Reads what the record names, and walks the chains around it."""
        view: BoundaryView | NoBoundary
        try:
            view = boundary_view(opened, number)
        except WorkbenchError as error:
            view = NoBoundary(problem=str(error))
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._read, opened, number, view)

    def _read(self, opened: Opened, number: int | None, view: BoundaryView | NoBoundary) -> None:
        self._screen.commit(moves.boundary_read(self._screen.workspace, opened, number, view))

    # commands

    def copy(self) -> None:
        focused = self.screen.focused
        (focused if focused is self.summary else self.facts).action_copy()
