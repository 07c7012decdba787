"""The Notes tab: the sections of the session's notes against their budgets, and the selected one beside them."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.worker import get_current_worker

from ...workspace import moves
from ...workspace.notes_view import NotesView, notes_view
from ...workspace.opened import Opened
from ...workspace.state import NOTES, Workspace
from ..commands.registry import bindings
from ..notes_file import find_notes
from ..painting.notes import (
    missing_document,
    notes_title,
    place_title,
    section_document,
    section_header,
    section_line,
    section_text,
    section_title,
)
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from ..widgets.page_view import PageView
from ..widgets.painted_line import PaintedLine
from .pane import Pane

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


class SectionLines:
    """A line a section, and one for the whole file."""

    def __init__(self, view: NotesView, palette: Palette) -> None:
        self._view = view
        self._palette = palette

    def __len__(self) -> int:
        return len(self._view.sections) + 1

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        return section_line(self._view, index, width, self._palette)


class NotesPane(Pane):
    """Sections on the left, the selected one on the right; without notes, where they were looked for."""

    first = "#notes-sections"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(NOTES)]
    DEFAULT_CSS = """
    NotesPane {
        height: 1fr;
        #notes-parts { height: 1fr; }
        #notes-sections { width: 3fr; max-width: 90; }
        #notes-beside { width: 2fr; border-left: solid $panel; }
        #notes-text { padding: 0 1; }
        &.-none #notes-sections { display: none; }
        &.-none #notes-beside { border-left: none; }
        &.-none .extra { display: none; }
    }
    """

    def __init__(self, screen: "SessionScreen") -> None:
        super().__init__(screen, NOTES)
        self._asked: Opened | None = None
        self._listed: tuple[object, ...] = ()
        self._text: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        yield PaintedLine(self._title, classes="title")
        yield PaintedLine(self._place, classes="extra")
        with Horizontal(id="notes-parts"):
            yield LineList(id="notes-sections", empty="reading the notes…")
            with Vertical(id="notes-beside"):
                yield PaintedLine(self._section_title, classes="title extra")
                yield PageView(id="notes-text", empty="reading the notes…")

    @property
    def sections(self) -> LineList:
        return self.query_one("#notes-sections", LineList)

    @property
    def text(self) -> PageView:
        return self.query_one("#notes-text", PageView)

    # showing

    def show(self, workspace: Workspace) -> None:
        """Draws its slice of the workspace; what did not change is left alone."""
        if workspace.opened is not None and workspace.opened is not self._asked:
            self._asked = workspace.opened
            self.read(workspace.opened)
        self._show_sections(workspace)
        self._show_text(workspace)
        self.repaint_lines()

    def on_show(self) -> None:
        if self._asked is not None:
            self.read(self._asked)  # the agent may have written them meanwhile
        super().on_show()

    def _show_sections(self, workspace: Workspace) -> None:
        view = workspace.notes
        self.set_class(view is not None and view.notes is None, "-none")
        key = (view, self.app.theme)
        if key != self._listed:
            self._listed = key
            self._show_header()
            palette = palette_of(self.app)
            self.sections.set_source(FixedLines() if view is None or view.notes is None else SectionLines(view, palette))
        if len(self.sections.source) and self.sections.cursor != workspace.section:
            with self.prevent(LineList.Highlighted):
                self.sections.cursor = workspace.section

    def _show_text(self, workspace: Workspace) -> None:
        view = workspace.notes
        key = (view, workspace.section)
        if view is None or key == self._text:
            return
        self._text = key
        if view.notes is None:
            self.text.set_page(partial(missing_document, view))
        else:
            self.text.set_page(partial(section_document, view, workspace.section), section_text(view, workspace.section))

    def _show_header(self) -> None:
        view = self._screen.workspace.notes
        if view is not None and view.notes is not None:
            self.sections.set_header(section_header(view, max(40, self.sections.size.width), palette_of(self.app)))

    def _title(self, width: int) -> Text:
        return notes_title(self._screen.workspace.notes, width, palette_of(self.app))

    def _place(self, width: int) -> Text:
        return place_title(self._screen.workspace.notes, width, palette_of(self.app))

    def _section_title(self, width: int) -> Text:
        workspace = self._screen.workspace
        return section_title(workspace.notes, workspace.section, width, palette_of(self.app))

    # listening

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_header)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._screen.commit(moves.to_section(self._screen.workspace, event.line_list.cursor))

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        self.text.focus()

    # jobs

    @work(thread=True, group="notes", exclusive=True, description="reading the notes")
    def read(self, opened: Opened) -> None:
        """Looks for the notes beside the session and reads them."""
        view = notes_view(opened, find_notes(opened.session))
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._read, opened, view)

    def _read(self, opened: Opened, view: NotesView) -> None:
        self._screen.commit(moves.notes_read(self._screen.workspace, opened, view))

    # commands

    def copy(self) -> None:
        self.text.action_copy()
