"""The Doctor tab: what is wrong with the session, the selected finding whole, the repair beside it, and the repaired copy."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.worker import get_current_worker

from ...errors import WorkbenchError
from ...evidence.finding import Finding
from ...workspace import moves
from ...workspace.doctor_view import DoctorView, NoDoctor, shown_findings
from ...workspace.opened import Opened
from ...workspace.state import DOCTOR, Workspace
from ..commands.registry import bindings
from ..jobs import Reader
from ..painting.doctor import (
    Widths,
    beside_title,
    copy_title,
    counts_title,
    empty_words,
    finding_header,
    finding_line,
    finding_title,
    widths_of,
)
from ..painting.doctor_page import beside_document, finding_document
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from ..widgets.page_view import PageView
from ..widgets.painted_line import PaintedLine
from .doctor_commands import DoctorCommands
from .doctor_job import views_of
from .pane import Pane

if TYPE_CHECKING:
    from ..screens.session import SessionScreen

BESIDE = 110  # cells from which the repair stands beside the finding, not below


class FindingLines:
    """The findings that the filter lets through, as lines."""

    def __init__(self, view: DoctorView, indices: tuple[int, ...], palette: Palette) -> None:
        self.view = view
        self.indices = indices
        self._palette = palette
        self._widths: dict[int, Widths] = {}

    def __len__(self) -> int:
        return len(self.indices)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        return finding_line(self.view.lines[self.indices[index]], self.widths(width), width, self._palette)

    def widths(self, width: int) -> Widths:
        """The columns of lines of `width` cells, worked out once."""
        if width not in self._widths:
            self._widths[width] = widths_of(self.view, width)
        return self._widths[width]

    def row_of(self, finding: int) -> int:
        """The row of a finding, or of the nearest one before it."""
        return max(0, sum(i <= finding for i in self.indices) - 1)


class DoctorPane(DoctorCommands, Pane):
    """A list of findings above the selected one; the repair stands beside it, in a narrow terminal below it."""

    first = "#doctor-list"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(DOCTOR)]
    DEFAULT_CSS = """
    DoctorPane {
        height: 1fr;
        #doctor-list { height: 2fr; min-height: 4; }
        #doctor-parts { height: 3fr; min-height: 4; }
        #doctor-parts Vertical { width: 1fr; }
        #doctor-parts PageView { padding: 0 1; }
        #doctor-beside { border-left: solid $panel; display: none; }
        #doctor-copy { display: none; background: $surface; }
        &.-beside #doctor-beside { display: block; }
        &.-copied #doctor-copy { display: block; }
    }
    """

    def __init__(self, screen: "SessionScreen") -> None:
        super().__init__(screen, DOCTOR)
        self._asked: Opened | None = None
        self._busy = False
        self._listed: tuple[object, ...] = ()
        self._paged: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        yield PaintedLine(self._counts, classes="title")
        yield LineList(id="doctor-list", empty="")
        yield PaintedLine(self._copy, id="doctor-copy")
        with Horizontal(id="doctor-parts"):
            with Vertical(id="doctor-finding"):
                yield PaintedLine(self._finding_title, classes="title")
                yield PageView(id="doctor-finding-text", empty="")
            with Vertical(id="doctor-beside"):
                yield PaintedLine(self._beside_title, classes="title")
                yield PageView(id="doctor-beside-text", empty="")

    @property
    def list(self) -> LineList:
        return self.query_one("#doctor-list", LineList)

    # showing

    def show(self, workspace: Workspace) -> None:
        """Draws its slice of the workspace; what did not change is left alone."""
        self._check_if_new(workspace)
        self._show_list(workspace)
        self._show_pages()
        self.set_class(self.view is not None and self.view.copy is not None, "-copied")
        self.repaint_lines()

    def _check_if_new(self, workspace: Workspace) -> None:
        """Looks the session through; a session that grows meanwhile is looked at again when this is done."""
        if workspace.opened is not None and workspace.opened is not self._asked and not self._busy:
            self._asked, self._busy = workspace.opened, True
            self._reader, self._seen = self._screen.reading.reader, self._screen.reading.reader.fingerprint()
            self.check(workspace.opened, self._reader)

    def _show_list(self, workspace: Workspace) -> None:
        view = self.view
        words = empty_words(workspace)
        key = (_identity(view), words, workspace.finding_filter, self.app.theme)
        if key != self._listed:
            self._listed = key
            found = () if view is None else shown_findings(view, workspace.finding_filter)
            self.list.set_empty(words)
            self.list.styles.max_height = max(4, len(found) + 2)
            self.list.set_source(FixedLines() if view is None else FindingLines(view, found, palette_of(self.app)))
            self._show_header()
        source = self.list.source
        if isinstance(source, FindingLines) and len(source) and self.list.cursor != (row := source.row_of(workspace.finding)):
            with self.prevent(LineList.Highlighted):
                self.list.cursor = row

    def _show_pages(self) -> None:
        view, finding, beside = self.view, self.selected, self.has_class("-beside")
        key = (_identity(view), view is not None and view.is_complete, finding, beside)
        if key == self._paged:
            return
        self._paged = key
        text, other = self.query_one("#doctor-finding-text", PageView), self.query_one("#doctor-beside-text", PageView)
        text.set_page(None if view is None else partial(finding_document, view, finding, not beside))
        other.set_page(None if view is None else partial(beside_document, view, finding))

    def _show_header(self) -> None:
        source, width = self.list.source, max(40, self.list.size.width)
        if isinstance(source, FindingLines) and len(source):
            self.list.set_header(finding_header(source.widths(width), width, palette_of(self.app)))
        else:
            self.list.set_header(None)

    def _counts(self, width: int) -> Text:
        return counts_title(self._screen.workspace, width, palette_of(self.app))

    def _copy(self, width: int) -> Text:
        return copy_title(self.view.copy if self.view is not None else None, width, palette_of(self.app))

    def _finding_title(self, width: int) -> Text:
        if self.selected is None and not self.has_class("-beside"):
            return self._beside_title(width)
        return finding_title(self.selected, width, palette_of(self.app))

    def _beside_title(self, width: int) -> Text:
        return beside_title(self.view, width, palette_of(self.app))

    # what is selected

    @property
    def selected(self) -> Finding | None:
        """The finding under the cursor."""
        source = self.list.source
        if not isinstance(source, FindingLines) or not len(source):
            return None
        return source.view.lines[source.indices[min(self.list.cursor, len(source) - 1)]]

    # listening

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width >= BESIDE, "-beside")
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self._show_header()
        self._screen.show_in(self)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        source = event.line_list.source
        if isinstance(source, FindingLines) and len(source):
            self._screen.commit(moves.to_finding(self._screen.workspace, source.indices[event.line_list.cursor]))

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        self._screen.run_command("doctor.message")

    # jobs

    @work(thread=True, group="doctor", exclusive=True, description="looking the session through")
    def check(self, opened: Opened, reader: Reader) -> None:
        """Posts the diagnosis, and then the repair that goes with it."""
        worker = get_current_worker()
        try:
            for view in views_of(opened, reader):
                if worker.is_cancelled:
                    return
                self.app.call_from_thread(self._checked, view)
        except WorkbenchError as error:
            self.app.call_from_thread(self._checked, NoDoctor(opened, str(error)))
        if not worker.is_cancelled:
            self.app.call_from_thread(self._rested)

    def _checked(self, view: DoctorView | NoDoctor) -> None:
        self._screen.commit(moves.diagnosed(self._screen.workspace, view))

    def _rested(self) -> None:
        self._busy = False
        if self.is_attached and self._screen.workspace.tab == DOCTOR:
            self._screen.show_in(self)


def _identity(view: DoctorView | None) -> int | None:
    """Which diagnosis it is; one that is shown lives on, so no other can have its identity."""
    return None if view is None else id(view.diagnosis)
