"""The notes on the disk: read, saved, and what to do where somebody else wrote them."""

from textual import work
from textual.worker import get_current_worker

from ...errors import ChangedMeanwhile, WorkbenchError
from ...memory.coverage import Coverage
from ...workspace import notes_edit as edits
from ...workspace.notes_view import NotesView, notes_view
from ...workspace.opened import Opened
from .. import notes_file as disk
from .notes_editing import NotesEditing


class NotesSaving(NotesEditing):
    """Workers read and write; what came of it is committed on the screen's own thread."""

    _asked: Opened | None

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
        typed = self.current()
        workspace = self._screen.workspace
        if typed is not None:  # what was typed this moment counts too
            workspace = edits.drafted(workspace, typed)
        self._screen.commit(edits.read(workspace, opened, view))
        draft = self._draft
        if draft is None or draft.is_changed or self.area.text == draft.shown:
            return
        if typed is not None:
            self.put(draft.shown)
            self.notify("The notes were written by somebody else; they were read anew.", timeout=4)
        else:
            self.load()
            if self._screen.focused in (None, self.page):
                self.call_after_refresh(self.focus_first)

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
