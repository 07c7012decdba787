"""The notes beside a session file, brought from the disk for the screen: runs in a worker, knows no widget."""

from pathlib import Path

from ..errors import SessionNotFound
from ..storage import SessionFile, modified_at, notes_file, projects_folder, read_text
from ..transcript.session import Session
from ..workspace.notes_view import NotesFound


def find_notes(session: Session) -> NotesFound:
    """The notes of a session, or the places where none were; standard input and requests have no such place."""
    reader = session.reader
    if session.is_request or not isinstance(reader, SessionFile):
        return NotesFound()
    session_id = next(iter(session.index.sessions), None)
    looked = notes_places(reader.path, session_id)
    found = notes_file(reader.path, session_id)
    if found is None:
        return NotesFound(looked)
    try:
        return NotesFound(looked, str(found), read_text(found), modified_at(found))
    except SessionNotFound as error:
        return NotesFound(looked, str(found), problem=str(error))


def notes_places(path: Path, session_id: str | None) -> tuple[str, ...]:
    """Where `storage.notes_file` looks for the notes of a session file, in its order."""
    inner = Path("session-memory") / "summary.md"
    places = [path.with_suffix("") / inner]
    if session_id:
        places += [path.parent / session_id / inner, projects_folder().parent / "session-memory" / f"{session_id}.md"]
    return tuple(dict.fromkeys(str(place) for place in places))
