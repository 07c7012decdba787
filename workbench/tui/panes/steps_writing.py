"""Writes the compacted session that a run gave, beside the one it was made of, and reads it back."""

from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.widget import Widget

from ...compaction.run import COMPACTED, Run
from ...conversation.array import assemble
from ...conversation.wording import counted
from ...errors import ChangedMeanwhile, WorkbenchError, WriteRefused
from ...export.session import compacted_session
from ...storage import SessionFile, read_index, write_atomically
from ...transcript.session import Session
from ...workspace import steps_moves as moves
from ...workspace.steps import Steps
from ..copies import ask_where, is_taken
from ..jobs import Reader

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


def written(reader: Reader, session: Session, run: Run, path: Path, *, over: bool) -> str:
    """Writes the session that resumes, and says what is read back from it.

    Raises ChangedMeanwhile where the session is not as it was read; WriteRefused where the path is the session's own, cannot
    be written, or (unless `over`) names something that is there already.
    """
    since = reader.fingerprint()
    if since.size != session.facts.size:
        raise ChangedMeanwhile(f"{reader.name} has changed since it was read; R starts anew.")
    content = compacted_session(session, run)
    if reader.named_now() is not None:  # what was removed since can still be read, and be saved in this way
        reader.check_unchanged(since)
    if not over and is_taken(path):
        raise WriteRefused(f"{path} is there already; nothing was written.")
    write_atomically(path, content, never=reader.path)
    copy = SessionFile(path)
    try:
        loaded = read_index(copy)
        messages = counted(len(assemble(list(loaded.rows(loaded.chain.places)))), "message")
    finally:
        copy.close()
    return f"{path} is written; read back, it loads {messages}."


class StepsWriting(Widget):
    """The command that writes, with the reason why it cannot."""

    _screen: "SessionScreen"

    @property
    def _steps(self) -> Steps | None:
        return self._screen.workspace.steps

    def why_no_copy(self) -> str:
        """Why there is no compacted session to write; "" when there is one."""
        steps = self._steps
        run = None if steps is None else steps.run
        if steps is None or run is None or run.ahead or run.outcome != COMPACTED:
            return "There is no compacted session yet: c goes on to the end."
        if steps.opened is not self._screen.workspace.opened:
            return "The session has changed since this was computed; R starts anew."
        if steps.opened is not None and steps.opened.session.is_request:
            return "A Messages API request has no session to go on with; workbench export writes it --as messages."
        return ""

    def ask_copy(self) -> None:
        """Asks where the compacted session goes."""
        steps = self._steps
        if steps is None or steps.opened is None or steps.run is None:
            return
        reader, session, run = self._screen.reading.reader, steps.opened.session, steps.run

        def write(path: Path, over: bool) -> None:
            if self._steps is None or self._steps.run is not run or self.why_no_copy():  # while the path was asked for
                self._refused("The session has changed since this was computed; nothing was written. R starts anew.")
            else:
                self.write(reader, session, run, path, over=over)

        ask_where(self._screen, reader, False, "compacted", write)

    @work(thread=True, group="steps-copy", description="writing the compacted session")
    def write(self, reader: Reader, session: Session, run: Run, path: Path, *, over: bool) -> None:
        """Writes it, reads it back, and tells."""
        try:
            words = written(reader, session, run, path, over=over)
        except WorkbenchError as error:
            self.app.call_from_thread(self._refused, str(error))
        else:
            self.app.call_from_thread(self._written, run, words)

    def _written(self, run: Run, words: str) -> None:
        self._screen.commit(moves.written(self._screen.workspace, run))
        self._screen.notify(words, timeout=8, markup=False)

    def _refused(self, sentence: str) -> None:
        self._screen.notify(sentence, severity="error", timeout=8, markup=False)
