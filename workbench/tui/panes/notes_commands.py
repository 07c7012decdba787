"""What the Notes tab can do beside editing and saving: extract, compact from the draft, hand it to another editor."""

from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.app import SuspendNotSupported
from textual.worker import get_current_worker

from ...compaction.run import Run
from ...conversation.wording import counted
from ...errors import WorkbenchError
from ...memory.coverage import Coverage
from ...memory.taking import Taken
from ...workspace import notes_edit as edits
from ...workspace.notes_result import NotesResult, result_from, run_before_notes
from ...workspace.notes_text import editable
from ...workspace.notes_view import NotesView
from ...workspace.opened import Opened
from .. import notes_file as disk
from .notes_saving import NotesSaving

if TYPE_CHECKING:
    from textual.timer import Timer

COMPACT_AFTER = 0.3  # seconds from the measuring of a draft, so that typing never waits for a compaction from it


class NotesCommands(NotesSaving):
    """The commands of the pane, and the workers behind them."""

    _before: tuple[Opened, Run] | None = None
    _wanted: tuple[object, ...] = ()
    _compacting: "Timer | None" = None

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
            self.load()
        self._screen.commit(edits.extracted(self._screen.workspace, self.area.text, taken.coverage))
        self.put(editable(disk.text_of(taken)))
        written = counted(len(taken.applied.edits), "section")
        self.notify(f"{written} written from {counted(len(taken.request.rows), 'row')}; nothing is saved yet.", timeout=4)
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
