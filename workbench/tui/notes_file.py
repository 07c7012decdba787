"""The notes of a session on the disk, for the screen: read, saved, extracted, set beside a summary.

Runs in a worker's thread and knows no widget; what is shown of it is a value of the workspace.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ..answering import answerer
from ..compaction.ground import NotesGround
from ..compaction.plan import Plan
from ..compaction.run import forward, start
from ..compaction.variants import FULL
from ..errors import SessionNotFound
from ..evidence.covered import coverage_at
from ..evidence.grounding import ground_at
from ..memory.coverage import Coverage, digest_of
from ..memory.notes import Budgets, parse, render
from ..memory.taking import Taken, offline_extractor, take, to_fill
from ..notebook import NotesFile, as_bytes, is_changed, notes_of, places_of, save_notes
from ..storage import SessionFile
from ..summarizers.recorded import recorded_summary
from ..transcript.session import Session
from ..workspace.notes_beside import Beside, beside_of
from ..workspace.notes_view import NotesFound, NotesView
from ..workspace.opened import Opened
from ..workspace.state import Workspace


def find_notes(session: Session) -> NotesFound:
    """The notes of a session, or the places where none were; standard input and requests have no such place."""
    looked = tuple(map(str, places_of(session)))
    try:
        file = notes_of(session)
    except SessionNotFound as error:
        return NotesFound(looked, problem=str(error))
    return NotesFound(looked) if file is None else _found(file, looked)


def _found(file: NotesFile, looked: tuple[str, ...]) -> NotesFound:
    return NotesFound(looked, str(file.path), file.text, file.modified, "", file.digest, file.coverage)


def file_of(found: NotesFound) -> NotesFile | None:
    """The file as it was read; one that is still to be made where there is none; None where notes have no place."""
    if found.path is not None:
        return NotesFile(Path(found.path), found.text or "", found.digest, found.modified, found.coverage)
    return NotesFile(Path(found.looked[0])) if found.looked else None


def has_changed(found: NotesFound) -> bool:
    """Whether the notes on the disk are others than were read: changed, gone, or there where there were none."""
    if found.path is None:
        return any(Path(place).exists() for place in found.looked)
    file = file_of(found)
    return file is not None and is_changed(file)


def save(session: Session, found: NotesFound, text: str, coverage: Coverage) -> NotesFound:
    """Writes the notes. Raises ChangedMeanwhile, or WriteRefused with the reason."""
    file = file_of(found)
    if file is None:
        raise SessionNotFound("Only a session file has notes beside it; this was read from elsewhere.")
    return _found(save_notes(file, text, coverage, session), found.looked)


def extract(opened: Opened, text: str | None, coverage: Coverage, budgets: Budgets) -> Taken:
    """The notes brought up to date offline, from what they do not cover; `text` None: from the template."""
    session = opened.session
    notes = to_fill(None if text is None else parse(text, budgets), budgets)
    return take(notes, tuple(session.rows(session.chain.places)), coverage_at(session, coverage), offline_extractor)


def text_of(taken: Taken) -> str:
    """The notes as they are after an extraction."""
    return render(taken.notes)


def transcript_of(session: Session) -> str | None:
    """The path that a continuation names."""
    reader = session.reader
    return str(reader.path) if isinstance(reader, SessionFile) and not session.is_request else None


def ground_of(opened: Opened, view: NotesView, text: str, extracted: Coverage | None = None) -> NotesGround:
    """What a compaction from a draft starts from: its text, and what the saved notes, or the extraction into it, cover."""
    coverage = coverage_at(opened.session, extracted or view.found.coverage)
    written = coverage.written if coverage.written is not None else view.found.modified
    return NotesGround(parse(text, view.budgets), view.found.path, written, coverage.last_summarized)


def draft_file(workspace: Workspace) -> NotesFile | None:
    """The notes as they stand in the editor, as if they were saved; None where nobody has looked at them yet."""
    view, editing = workspace.notes, workspace.editing
    if view is None or editing is None or editing.draft is None:
        return None
    file = file_of(view.found)
    if file is None:
        return None
    content = as_bytes(editing.draft.text)
    coverage = editing.coverage or view.found.coverage
    return replace(file, text=editing.draft.text, digest=digest_of(content), coverage=coverage)


def beside(opened: Opened) -> Beside:
    """The newest summary that the session records; without one, what a full compaction would write offline."""
    session = opened.session
    if session.boundaries:
        last = session.boundaries[-1]
        found = recorded_summary(session, last.line)
        if found is not None and found.text.strip():
            return beside_of(found.text, f"the recorded summary, line {found.line}")
    ground = ground_at(session, opened.settings)
    run = forward(start(ground, Plan(opened.settings, FULL, "manual")), answerer(session, "offline"))
    return beside_of(run.work.summary, "a summary simulated offline") if run.work.summary else Beside()


@dataclass(frozen=True, slots=True)
class Changed:
    """What another editor gave back: `keep` removes its copy, once the text is safe elsewhere."""

    text: str
    keep: Callable[[], None]


def edit_elsewhere(text: str, name: str) -> Changed:
    """The text in the user's own editor; blocks until it ends. Raises UsageError."""
    from ..editor import edit

    edited = edit(as_bytes(text), name)
    return Changed(edited.content.decode("utf-8", "surrogateescape"), edited.forget)
