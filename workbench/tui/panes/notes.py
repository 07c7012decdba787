"""The Notes tab: the notes in an editor, their sections against the budgets, and a page that answers to every edit."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Show
from textual.widgets import TextArea

from ...memory.notes import Notes
from ...workspace import moves
from ...workspace import notes_edit as edits
from ...workspace.notes_edit import RESULT, SUMMARY, Editing
from ...workspace.opened import Opened
from ...workspace.state import NOTES, Workspace
from ..commands.registry import bindings
from ..painting.notes import editor_title, notes_title, page_title, place_title, section_header, section_line
from ..painting.notes_pages import page_document
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from ..widgets.page_view import PageView
from ..widgets.painted_line import PaintedLine
from ..widgets.prose_area import ProseArea
from .notes_commands import NotesCommands
from .pane import Pane

if TYPE_CHECKING:
    from textual.timer import Timer

    from ..screens.session import SessionScreen

DRAFT_AFTER = 0.15  # seconds without a key, after which the text is measured
LOOK_EVERY = 1.0  # seconds between two looks at the file
LOW = 18  # lines of the pane below which a page gets most of them
FEWEST = 4  # lines of the list of sections


class SectionLines:
    """A line a section, and one for the whole file."""

    def __init__(self, notes: Notes, editing: Editing, palette: Palette) -> None:
        self._notes = notes
        self._editing = editing
        self._palette = palette

    def __len__(self) -> int:
        return len(self._notes.sections) + 1

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        return section_line(self._notes, self._editing, index, width, self._palette)


class NotesPane(NotesCommands, Pane):
    """The editor on the left; sections and the page on the right. Without notes the page says where they were looked for."""

    first = "#notes-sections"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(NOTES)]
    DEFAULT_CSS = """
    NotesPane {
        height: 1fr;
        #notes-parts { height: 1fr; }
        #notes-left { width: 3fr; }
        #notes-editor { height: 1fr; border: none; padding: 0 1; background: $background; scrollbar-size-vertical: 1; }
        #notes-side { width: 2fr; min-width: 36; max-width: 90; border-left: solid $panel; }
        #notes-text { height: 1fr; padding: 0 1; }
        &.-none #notes-left, &.-none #notes-sections, &.-none .page-title { display: none; }
        &.-none #notes-side { width: 1fr; max-width: 100%; border-left: none; }
    }
    """

    def __init__(self, screen: "SessionScreen") -> None:
        super().__init__(screen, NOTES)
        self._asked: Opened | None = None
        self._listed: tuple[object, ...] = ()
        self._page: tuple[object, ...] = ()
        self._drafting: Timer | None = None

    def compose(self) -> ComposeResult:
        yield PaintedLine(self._title, classes="title")
        yield PaintedLine(self._place)
        with Horizontal(id="notes-parts"):
            with Vertical(id="notes-left"):
                yield PaintedLine(self._editor_title, classes="title")
                yield ProseArea(id="notes-editor")
            with Vertical(id="notes-side"):
                yield LineList(id="notes-sections", empty="reading the notes…")
                yield PaintedLine(self._page_title, classes="title page-title")
                yield PageView(id="notes-text", empty="reading the notes…")

    def on_mount(self) -> None:
        self.set_interval(LOOK_EVERY, self.look, name="notes")

    # showing

    def show(self, workspace: Workspace) -> None:
        """Draws its slice of the workspace; what did not change is left alone. The editor's text is the editor's own."""
        if workspace.opened is not None and workspace.opened is not self._asked:
            self._asked = workspace.opened
            self.read(workspace.opened)
            self.read_summary(workspace.opened)
        if workspace.problem:
            self.query_one("#notes-text", PageView).set_empty(workspace.problem)
        editing = edits.editing_of(workspace)
        self.set_class(editing.draft is None, "-none")
        self._show_sections(workspace, editing)
        self._show_page(workspace, editing)
        self.repaint_lines()
        if editing.page == RESULT:
            self.compact_soon()

    def _show_sections(self, workspace: Workspace, editing: Editing) -> None:
        draft = editing.draft
        key = (None if draft is None else id(draft), self.app.theme)
        if key != self._listed:
            self._listed = key
            self.call_after_refresh(self._fit)
            palette = palette_of(self.app)
            with self.prevent(LineList.Highlighted):
                self.sections.set_source(FixedLines() if draft is None else SectionLines(draft.notes, editing, palette))
        if len(self.sections.source) and self.sections.cursor != workspace.section:
            with self.prevent(LineList.Highlighted):
                self.sections.cursor = workspace.section

    def _show_page(self, workspace: Workspace, editing: Editing) -> None:
        shown: object = editing.result if editing.page == RESULT else (editing.draft, editing.theirs)
        if editing.page == SUMMARY:
            shown = (self._section_key(workspace, editing), editing.beside)
        key = (editing.page, shown, workspace.notes if editing.draft is None else None, editing.problem)
        if key != self._page:
            same_page = bool(self._page) and self._page[0] == editing.page != SUMMARY
            self._page = key
            self.call_after_refresh(self._fit)
            self.page.set_page(partial(page_document, workspace), keep_scroll=same_page and editing.page == RESULT)

    def _section_key(self, workspace: Workspace, editing: Editing) -> object:
        """What the page of the selected section is made of, without the text that stands in the editor anyway."""
        draft = editing.draft
        if draft is None or workspace.section >= len(draft.notes.sections):
            return (workspace.section, draft is None)
        section = draft.notes.sections[workspace.section]
        over = section.tokens if section.over_budget else 0
        return (workspace.section, section.title, section.hint, over, draft.touched)

    def _fit(self) -> None:
        """The list of sections is as high as it needs to be, and leaves the page the rest; in a low terminal, more of it."""
        workspace = self._screen.workspace
        editing, view = edits.editing_of(workspace), workspace.notes
        if view is None or editing.draft is None:
            return
        room = self.size.height - 2
        needed = len(editing.draft.notes.sections) + 2
        low = room < LOW and editing.page != SUMMARY
        self.sections.styles.height = FEWEST if low else max(FEWEST, min(needed, round(room * 0.6)))
        self.sections.set_header(section_header(view, max(30, self.sections.size.width), palette_of(self.app)))

    def _title(self, width: int) -> Text:
        workspace = self._screen.workspace
        return notes_title(workspace.notes, edits.editing_of(workspace), width, palette_of(self.app))

    def _place(self, width: int) -> Text:
        workspace = self._screen.workspace
        return place_title(workspace.notes, edits.editing_of(workspace), width, palette_of(self.app))

    def _editor_title(self, width: int) -> Text:
        return editor_title(edits.editing_of(self._screen.workspace), self.area.has_focus, width, palette_of(self.app))

    def _page_title(self, width: int) -> Text:
        return page_title(edits.editing_of(self._screen.workspace), width, palette_of(self.app))

    # listening

    @on(Show)
    def come_back(self, event: Show) -> None:
        event.prevent_default()  # what has the focus depends on whether there are notes
        self.look()  # the agent may have written them meanwhile
        self.call_after_refresh(self.focus_first)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit)

    def on_descendant_focus(self) -> None:
        self.repaint_lines()

    def on_descendant_blur(self) -> None:
        self.repaint_lines()

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._screen.commit(moves.to_section(self._screen.workspace, event.line_list.cursor))
        self.show_section(event.line_list.cursor)

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        self.edit()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self._drafting is not None:
            self._drafting.stop()
        self._drafting = self.set_timer(DRAFT_AFTER, self.draft)
        editing = edits.editing_of(self._screen.workspace)
        if editing.coverage is not None and self.area.text == editing.before:
            self._screen.commit(edits.taken_back(self._screen.workspace))

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        event.stop()
        workspace = self._screen.workspace
        draft = edits.editing_of(workspace).draft
        if draft is None or not self.area.has_focus:
            return
        section = draft.section_at(event.selection.end[0])
        if section != workspace.section:
            self._screen.commit(moves.to_section(workspace, section))
