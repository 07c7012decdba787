"""What the keys of the Notes tab do: the editor's text is changed at once, everything on the disk by workers."""

from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.app import SuspendNotSupported
from textual.widget import Widget
from textual.widgets import TextArea
from textual.worker import get_current_worker

from ...compaction.run import Run
from ...errors import ChangedMeanwhile, WorkbenchError
from ...memory.coverage import Coverage
from ...memory.taking import Taken
from ...workspace import notes_edit as edits
from ...workspace.notes_edit import SUMMARY, Draft, draft_of
from ...workspace.notes_result import NotesResult, result_from, run_before_notes
from ...workspace.notes_text import editable
from ...workspace.notes_view import NotesView, notes_view
from ...workspace.opened import Opened
from .. import notes_file as disk
from ..commands.session import BackToNow
from ..widgets.line_list import LineList
from ..widgets.page_view import PageView

if TYPE_CHECKING:
    from textual.timer import Timer

    from ..screens.session import SessionScreen

COMPACT_AFTER = 0.3  # seconds from the measuring of a draft, so that typing never waits for a compaction from it


class NotesCommands(Widget):
    """The commands of the pane, and the workers behind them."""

    _screen: "SessionScreen"
    _asked: Opened | None
    _before: tuple[Opened, Run] | None = None
    _wanted: tuple[object, ...] = ()
    _compacting: "Timer | None" = None

    @property
    def area(self) -> TextArea:
        return self.query_one("#notes-editor", TextArea)

    @property
    def sections(self) -> LineList:
        return self.query_one("#notes-sections", LineList)

    @property
    def page(self) -> PageView:
        return self.query_one("#notes-text", PageView)

    @property
    def _draft(self) -> Draft | None:
        return edits.editing_of(self._screen.workspace).draft

    # the text in the editor

    def put(self, text: str) -> None:
        """Another text in the editor, as an edit that can be undone; the cursor stays where it was, as far as that exists."""
        area = self.area
        if area.text == text:
            return
        row, column = area.cursor_location
        area.replace(text, (0, 0), area.document.end, maintain_selection_offset=False)
        last = min(row, area.document.line_count - 1)
        area.move_cursor((last, min(column, len(area.document.get_line(last)))))

    def draft(self) -> None:
        """Measures what stands in the editor."""
        draft, view = self._draft, self._screen.workspace.notes
        if draft is not None and view is not None and self.area.text != draft.shown:
            self.measure(draft, self.area.text, view)

    @work(thread=True, group="notes-draft", exclusive=True, description="measuring the notes")
    def measure(self, old: Draft, shown: str, view: NotesView) -> None:
        draft = draft_of(old.saved, shown, view.budgets, old.frame)
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(lambda: self._screen.commit(edits.drafted(self._screen.workspace, draft)))

    def current(self) -> Draft | None:
        """The draft of what stands in the editor this moment."""
        draft, view = self._draft, self._screen.workspace.notes
        if draft is None or view is None:
            return None
        return draft if draft.shown == self.area.text else draft_of(draft.saved, self.area.text, view.budgets, draft.frame)

    # going about

    def focus_first(self) -> None:
        """The list of sections; without notes, the page."""
        if self.display:
            (self.page if self._draft is None else self.sections).focus()

    def show_section(self, section: int) -> None:
        """Scrolls the editor to a section."""
        draft = self._draft
        if draft is not None and not self.area.has_focus:
            self.area.move_cursor((min(draft.line_of(section), self.area.document.line_count - 1), 0))
            self.area.scroll_to(
                y=max(0, self.area.wrapped_document.location_to_offset(self.area.cursor_location).y), animate=False
            )

    def edit(self) -> None:
        """Into the editor, at the selected section; without notes, some are begun from the template."""
        if self._draft is None:
            self._screen.commit(edits.begun(self._screen.workspace))
            self._load()
        draft = self._draft
        if draft is not None:
            line = min(draft.text_line_of(self._screen.workspace.section), self.area.document.line_count - 1)
            self.area.move_cursor((line, 0))
        self.call_after_refresh(self.area.focus)  # begun this moment, the editor is not on the screen yet

    def leave(self) -> None:
        """From the editor or the page to the sections, from another page to the summary, else as everywhere."""
        workspace = self._screen.workspace
        if not self.sections.has_focus and self._draft is not None:
            self.sections.focus()
        elif edits.editing_of(workspace).page != SUMMARY:
            self._screen.commit(edits.to_page(workspace, SUMMARY))
        else:
            BackToNow.run(self._screen)

    def to_page(self, page: str) -> None:
        self._screen.commit(edits.to_page(self._screen.workspace, page))

    def undo(self) -> None:
        self.area.undo()

    def redo(self) -> None:
        self.area.redo()

    def copy(self) -> None:
        """The section that is selected, or the whole."""
        draft, section = self.current(), self._screen.workspace.section
        if draft is not None:
            sections = draft.notes.sections
            self.app.copy_to_clipboard(editable(sections[section].text if section < len(sections) else draft.text))

    # reading

    def look(self) -> None:
        """Reads the notes anew where somebody else wrote them."""
        view, opened = self._screen.workspace.notes, self._asked
        if opened is None or not self.display or edits.editing_of(self._screen.workspace).job:
            return
        if view is None or disk.has_changed(view.found):
            self.read(opened)

    @work(thread=True, group="notes", exclusive=True, description="reading the notes")
    def read(self, opened: Opened) -> None:
        """Looks for the notes beside the session and reads them."""
        view = notes_view(opened, disk.find_notes(opened.session))
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._read, opened, view)

    def _read(self, opened: Opened, view: NotesView) -> None:
        had = self._screen.workspace.notes is not None and self._draft is not None
        self._screen.commit(edits.read(self._screen.workspace, opened, view))
        draft = self._draft
        if draft is None or draft.is_changed or self.area.text == draft.shown:
            return
        if had:
            self.put(draft.shown)
            self.notify("The notes were written by somebody else; they were read anew.", timeout=4)
        else:
            self._load()
            if self._screen.focused in (None, self.page):
                self.call_after_refresh(self.focus_first)

    def _load(self) -> None:
        """The draft as the editor's first text: nothing before it can be undone."""
        draft = self._draft
        if draft is not None:
            self.area.load_text(draft.shown)
            self.call_after_refresh(self.show_section, self._screen.workspace.section)

    @work(thread=True, group="notes-summary", exclusive=True, description="reading the summary")
    def read_summary(self, opened: Opened) -> None:
        """The summary that the notes are set beside."""
        found = disk.beside(opened)
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(lambda: self._screen.commit(edits.set_beside(self._screen.workspace, opened, found)))

    # saving, and what somebody else wrote

    def save(self) -> None:
        workspace, draft = self._screen.workspace, self.current()
        if workspace.opened is None or workspace.notes is None or draft is None:
            return
        coverage = edits.editing_of(workspace).coverage or workspace.notes.found.coverage
        self._screen.commit(edits.busy(edits.drafted(workspace, draft), "saving"))
        self.write(workspace.opened, workspace.notes, draft.text, coverage)

    @work(thread=True, group="notes", exclusive=True, description="saving the notes")
    def write(self, opened: Opened, view: NotesView, text: str, coverage: Coverage) -> None:
        try:
            found = disk.save(opened.session, view.found, text, coverage)
        except ChangedMeanwhile:
            theirs = notes_view(opened, disk.find_notes(opened.session))
            self.app.call_from_thread(self._refused, opened, theirs, "")
        except WorkbenchError as error:
            self.app.call_from_thread(self._refused, opened, None, str(error))
        else:
            self.app.call_from_thread(self._saved, opened, notes_view(opened, found))

    def _saved(self, opened: Opened, view: NotesView) -> None:
        self._screen.commit(edits.saved(self._screen.workspace, opened, view))
        self.notify("Saved; what was there is kept in a backup beside it.", timeout=4)
        self.draft()

    def _refused(self, opened: Opened, theirs: NotesView | None, why: str) -> None:
        workspace = edits.idle(self._screen.workspace, why)
        self._screen.commit(workspace if theirs is None else edits.read(workspace, opened, theirs))
        words = why or "Somebody else wrote the notes meanwhile; nothing was saved."
        self.notify(words, severity="warning", timeout=6, markup=False)

    def _theirs(self) -> NotesView | None:
        """The file as somebody else wrote it, else as it was read."""
        workspace = self._screen.workspace
        theirs = edits.editing_of(workspace).theirs
        return workspace.notes if theirs is None or workspace.opened is None else notes_view(workspace.opened, theirs)

    def revert(self) -> None:
        """What stands in the file, in the editor again; undo brings the draft back."""
        view = self._theirs()
        if view is not None:
            self._screen.commit(edits.reverted(self._screen.workspace, view))
            draft = self._draft
            if draft is not None:
                self.put(draft.shown)

    def keep(self) -> None:
        """The draft stays, and may be saved over what somebody else wrote, which goes to the backup."""
        view = self._theirs()
        if view is not None:
            self._screen.commit(edits.rebased(self._screen.workspace, view))

    # extracting, compacting, another editor

    def extract(self) -> None:
        """Brings the draft up to date from what it does not cover, offline."""
        workspace, view = self._screen.workspace, self._screen.workspace.notes
        if workspace.opened is None or view is None:
            return
        draft = self.current()
        coverage = edits.editing_of(workspace).coverage or view.found.coverage
        self._screen.commit(edits.busy(workspace, "extracting"))
        self.take(workspace.opened, None if draft is None else draft.text, coverage, view)

    @work(thread=True, group="notes-extract", exclusive=True, description="extracting the notes")
    def take(self, opened: Opened, text: str | None, coverage: Coverage, view: NotesView) -> None:
        taken = disk.extract(opened, text, coverage, view.budgets)
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._taken, taken)

    def _taken(self, taken: Taken) -> None:
        if not taken.had_news:
            self._screen.commit(edits.idle(self._screen.workspace))
            self.notify("The session holds nothing that is newer than the last-summarized row.", timeout=4)
            return
        if self._draft is None:
            self._screen.commit(edits.begun(self._screen.workspace))
            self._load()
        self._screen.commit(edits.extracted(self._screen.workspace, self.area.text, taken.coverage))
        self.put(editable(disk.text_of(taken)))
        count = len(taken.applied.edits)
        self.notify(f"{count} sections written from {len(taken.request.rows)} rows; nothing is saved yet.", timeout=4)
        self.draft()
        self.call_after_refresh(self.sections.focus)

    def compact_soon(self) -> None:
        """Compacts from the draft, unless that is done already or being done."""
        workspace = self._screen.workspace
        editing, opened, view = edits.editing_of(workspace), workspace.opened, workspace.notes
        if opened is None or view is None or editing.draft is None:
            return
        wanted = (id(opened), id(view), editing.draft.text, editing.coverage)
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if self._compacting is not None:
            self._compacting.stop()
        start = partial(self.compact, opened, view, editing.draft.text, editing.coverage)
        self._compacting = self.set_timer(COMPACT_AFTER if editing.result is not None else 0.001, start)

    @work(thread=True, group="notes-result", exclusive=True, description="compacting from the notes")
    def compact(self, opened: Opened, view: NotesView, text: str, coverage: Coverage | None) -> None:
        try:
            if self._before is None or self._before[0] is not opened:
                self._before = (opened, run_before_notes(opened, disk.transcript_of(opened.session)))
            result = result_from(self._before[1], disk.ground_of(opened, view, text, coverage))
        except WorkbenchError as error:
            self.app.call_from_thread(self._not_compacted, str(error))
            return
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._compacted, opened, text, result)

    def _compacted(self, opened: Opened, text: str, result: NotesResult) -> None:
        self._screen.commit(edits.compacted(self._screen.workspace, opened, text, result))

    def _not_compacted(self, why: str) -> None:
        self._screen.commit(edits.idle(self._screen.workspace, why))

    def edit_elsewhere(self) -> None:
        """The draft in the user's own editor; the screen comes back when it ends."""
        draft, view = self.current(), self._screen.workspace.notes
        if draft is None or view is None:
            return
        name = (view.found.path or "summary.md").replace("\\", "/").rpartition("/")[2]
        try:
            with self.app.suspend():
                changed = disk.edit_elsewhere(draft.text, name)
        except (WorkbenchError, SuspendNotSupported) as error:
            words = str(error) or "This terminal cannot be handed to another program."
            self.notify(words, severity="warning", timeout=6, markup=False)
            return
        self.put(editable(changed.text))
        changed.keep()
        self.draft()
