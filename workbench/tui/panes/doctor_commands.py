"""What the keys of the Doctor tab do: to the message of a finding, and a repaired copy of the session."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.widget import Widget

from ...errors import ChangedMeanwhile, WorkbenchError
from ...evidence.finding import Diagnosis, Finding
from ...export.repair import Repair
from ...export.repair_report import as_text
from ...storage import Fingerprint
from ...workspace import moves
from ...workspace.doctor_view import DoctorView, NoDoctor, RepairedCopy, Target, target_of
from ..copies import ask_where
from ..jobs import Reader
from ..painting.calls import MOST, pretty
from ..painting.code import json_text
from ..painting.doctor import AGAIN, copy_words
from ..painting.document import Document
from ..painting.text import copyable
from ..screens.read_text import Form, ReadText
from .doctor_job import line_at, write_copy

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


class DoctorCommands(Widget):
    """The commands of the pane, each with the reason why it cannot run, and the worker that writes."""

    _screen: "SessionScreen"
    _reader: Reader  # of the session as it was looked at, and what its file was like then
    _seen: Fingerprint

    @property
    def view(self) -> DoctorView | None:
        """The diagnosis that is shown."""
        doctor = self._screen.workspace.doctor
        return doctor if isinstance(doctor, DoctorView) else None

    @property
    def selected(self) -> Finding | None:
        """The finding under the cursor; None where none is listed."""
        return None

    @property
    def _target(self) -> Target | None:
        return target_of(self.view, self.selected) if self.view is not None and self.selected is not None else None

    # why not

    def why_no_diagnosis(self) -> str:
        """Why there is no diagnosis of the session as it is now."""
        doctor = self._screen.workspace.doctor
        if doctor is None:
            return "The session is still being looked through."
        if isinstance(doctor, NoDoctor):
            return doctor.problem
        return "" if doctor.opened is self._screen.workspace.opened else f"Not now: {AGAIN}"

    def why_no_target(self) -> str:
        """Why the selected finding leads nowhere."""
        if self.selected is None:
            return "No finding is listed here."
        return "" if self._target is not None else "This is about the session as a whole; there is no message to go to."

    def why_no_copy(self) -> str:
        """Why no repaired copy can be written."""
        view = self.view
        if view is None or not view.is_complete:
            return "The repair is still being tried."
        if view.copy is not None and view.copy.left is None:
            return f"{view.copy.path} is still being written."
        if not view.diagnosis.findings:
            return "Nothing is wrong, so there is nothing to repair."
        if view.repair is None or not view.repair.is_needed:
            return "Nothing here can be repaired; the advice says what else to do."
        return ""

    # looking

    def go_to_message(self) -> None:
        """To the message of the selected finding; a row that is not sent, or a damaged line, is shown as it stands."""
        view, target = self.view, self._target
        if view is None or target is None:
            return
        if target.place is None:
            self.read_line(view, target.line or 0)
        elif target.sent and target.line is not None:
            self._screen.commit(moves.to_row(self._screen.workspace, target.place, target.line, target.call))
            self._screen.messages.list_of(0).focus()
        else:
            session, where = view.opened.session, f"line {target.line:,}, which is not in the array as it is loaded"
            self._show_record(where, session.raw(target.place), pretty(session.body(target.place)))

    @work(thread=True, group="doctor-line", exclusive=True, description="reading the line")
    def read_line(self, view: DoctorView, number: int) -> None:
        """Reads a line that holds no record, and shows it."""
        try:
            text = line_at(view.opened.session, number)
        except WorkbenchError as error:
            self.app.call_from_thread(self._refused, str(error))
        else:
            self.app.call_from_thread(self._show_record, f"line {number:,} as it stands in the file", text)

    def _show_record(self, where: str, raw: bytes, record: str = "") -> None:
        as_it_is = Document.of(raw[:MOST].decode("utf-8", "replace"), "text")
        forms = [Form("as it stands", lambda _width: as_it_is)]
        if record:
            as_json = Document((json_text(record[:MOST]),))
            forms.insert(0, Form("as JSON", lambda _width: as_json))
        self.app.push_screen(ReadText(where, forms))

    def copy(self) -> None:
        """The diagnosis and the repair as `workbench doctor` prints them, to the clipboard."""
        if self.view is not None:
            self.app.copy_to_clipboard(copyable("\n".join([*as_text(self.view.diagnosis, self.view.repair), ""])))

    # writing

    def ask_path(self) -> None:
        """Asks where the repaired copy goes."""
        view = self.view
        if view is not None:

            def write(path: Path, over: bool) -> None:
                self._start(view, path, over=over)

            ask_where(self._screen, self._reader, view.opened.session.is_request, "repaired", write)

    def _start(self, view: DoctorView, path: Path, *, over: bool = False) -> None:
        if view.repair is None or self.view is not view or self.why_no_diagnosis():
            self._refused("The session has changed meanwhile; nothing was written.")
            return
        started = replace(view, copy=RepairedCopy(str(path), len(view.repair.changes)))
        self._screen.commit(moves.copied(self._screen.workspace, view, started))
        self.write(started, view.repair, path, self._reader, self._seen, over=over)

    @work(thread=True, group="doctor-copy", description="writing the repaired copy")
    def write(self, view: DoctorView, repair: Repair, path: Path, reader: Reader, seen: Fingerprint, *, over: bool) -> None:
        """Writes the copy, reads it back and looks at it again."""
        try:
            left = write_copy(reader, seen, repair, path, over=over)
        except ChangedMeanwhile:
            words = f"{reader.name} was written to since it was opened; nothing was written. o opens it again."
            self.app.call_from_thread(self._written, view, None, words)
        except WorkbenchError as error:
            self.app.call_from_thread(self._written, view, None, str(error))
        else:
            self.app.call_from_thread(self._written, view, left, "")

    def _written(self, view: DoctorView, left: Diagnosis | None, problem: str) -> None:
        copy = replace(view.copy, left=left) if view.copy is not None and left is not None else None
        self._screen.commit(moves.copied(self._screen.workspace, view, replace(view, copy=copy)))
        if copy is None:
            self._refused(problem)
        else:
            self._screen.notify(f"{copy.path} is written: {copy_words(copy)}.", timeout=8, markup=False)

    def _refused(self, sentence: str) -> None:
        self._screen.notify(sentence, severity="error", timeout=8, markup=False)
