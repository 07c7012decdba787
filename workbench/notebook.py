"""The notes of a session as a file, at the edge: where they are, what they cover, and saving them without losing a word.

Nothing is ever written into a session file. A save keeps what was there in a backup, is refused when somebody else wrote
meanwhile or the agent is at work, and remembers beside the notes what they cover.
"""

from dataclasses import dataclass
from pathlib import Path
from time import time

from .compaction.ground import NotesGround
from .conversation.text import without_surrogates
from .errors import ChangedMeanwhile, SessionNotFound, WriteRefused
from .evidence.covered import coverage_at
from .memory.coverage import NOTHING, Coverage, as_record, digest_of, from_record
from .memory.notes import Budgets, Notes, parse
from .storage import (
    SessionFile,
    modified_at,
    never_over,
    notes_file,
    notes_places,
    read_bytes,
    read_if_there,
    write_atomically,
)
from .transcript.session import Session

RECORD = ".covers"  # behind the name of the notes: what they cover
AS_USUAL = Budgets()
BACKUP = ".bak"
LIVE_SECONDS = 30.0  # a session written to so recently has an agent at work


@dataclass(frozen=True, slots=True)
class NotesFile:
    """A notes file as it was read.

    text      of the whole file; bytes that are no UTF-8 stand in it as lone surrogates, so that they can be written back
    digest    of its bytes; "" where there is no such file yet
    modified  last write, seconds since the epoch
    """

    path: Path
    text: str = ""
    digest: str = ""
    modified: float | None = None
    coverage: Coverage = NOTHING

    @property
    def exists(self) -> bool:
        return bool(self.digest)

    def parsed(self, budgets: Budgets = AS_USUAL) -> Notes | None:
        """The notes; None where there is no file."""
        return parse(self.text, budgets) if self.exists else None


def places_of(session: Session) -> tuple[Path, ...]:
    """Where the notes of a session may be; () for what is no session file."""
    reader = session.reader
    if session.is_request or not isinstance(reader, SessionFile):
        return ()
    return notes_places(reader.path, next(iter(session.index.sessions), None))


def notes_of(session: Session, named: str | None = None) -> NotesFile | None:
    """The notes file that is named, else the session's own; None where there is none. Raises SessionNotFound."""
    if named is not None:
        return read_notes(Path(named))
    reader = session.reader
    if session.is_request or not isinstance(reader, SessionFile):
        return None
    found = notes_file(reader.path, next(iter(session.index.sessions), None))
    return None if found is None else read_notes(found)


def read_notes(path: Path) -> NotesFile:
    """The notes at a path. Raises SessionNotFound with the reason."""
    content = read_bytes(path)
    modified = modified_at(path)
    coverage = from_record(read_if_there(record_of(path)), content, modified)
    return NotesFile(path, content.decode("utf-8", "surrogateescape"), digest_of(content), modified, coverage)


def read_or_new(path: Path) -> NotesFile:
    """The notes at a path, or a file that is still to be made."""
    return read_notes(path) if path.exists() else NotesFile(path)


def notes_ground(session: Session, file: NotesFile | None, budgets: Budgets = AS_USUAL, limit: int | None = None) -> NotesGround:
    """What a compaction starts from; the coverage as it was before the row at `limit` (default: at the end)."""
    if file is None:
        return NotesGround()
    coverage = coverage_at(session, file.coverage, limit)
    return NotesGround(file.parsed(budgets), str(file.path), coverage.written, coverage.last_summarized)


def record_of(path: Path) -> Path:
    """Where it is kept what the notes at a path cover."""
    return path.with_name(path.name + RECORD)


def is_changed(file: NotesFile) -> bool:
    """Whether the path holds another text than was read; a mere touch is no change."""
    if not file.path.exists():
        return file.exists
    try:
        return digest_of(read_bytes(file.path)) != file.digest
    except SessionNotFound:
        return True


def why_live(session: Session, now: float | None = None) -> str:
    """Why the notes must not be written now: the agent may be at work on them. "" where nothing says so."""
    reader = session.reader
    modified = modified_at(reader.path) if isinstance(reader, SessionFile) else None
    if modified is None:
        return ""
    ago = (time() if now is None else now) - modified
    if not 0 <= ago < LIVE_SECONDS:
        return ""
    return (
        f"{reader.name} was written to {ago:.0f} s ago, so its agent may be at work and write its notes itself; "
        f"try again {LIVE_SECONDS:.0f} s after its last row, or write to another file."
    )


def save_notes(file: NotesFile, text: str, coverage: Coverage, session: Session | None = None) -> NotesFile:
    """Writes the notes at once or not at all, what was there into a backup beside them, and what they cover.

    `session` is the one whose own notes these are: refused while it is live, and never written over itself.
    Raises ChangedMeanwhile, or WriteRefused with the reason.
    """
    never = getattr(session.reader, "path", None) if session is not None else None
    never_over(file.path, never)
    if session is not None and file.path in places_of(session) and (why := why_live(session)):
        raise WriteRefused(why)
    if is_changed(file):
        what = "was changed by someone else" if file.path.exists() else "was removed"
        raise ChangedMeanwhile(f"{file.path} {what} since it was read; nothing was written.")
    content = as_bytes(text)
    if session is None or file.path in places_of(session):  # the agent's own folder; another one has to be there
        _make_folder(file.path)
    if file.exists and digest_of(content) != file.digest:
        _back_up(file)
    write_atomically(file.path, content, never=never)
    write_atomically(record_of(file.path), as_record(coverage, content), never=never)
    return read_notes(file.path)


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteRefused(f"Cannot write {path}: {(error.strerror or str(error)).lower()}.") from error


def as_bytes(text: str) -> bytes:
    """The bytes of notes: those that were no UTF-8 as they were read, any other lone surrogate as U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return without_surrogates(text).encode()


def _back_up(file: NotesFile) -> None:
    """Keeps the text as it was read under the first free name; one that is kept already is not kept twice."""
    content = as_bytes(file.text)
    number = 1
    while (path := backup_path(file.path, number)).exists():
        if read_notes(path).digest == file.digest:
            return
        number += 1
    write_atomically(path, content)


def backup_path(path: Path, number: int) -> Path:
    """`summary.md.1.bak`"""
    return path.with_name(f"{path.name}.{number}{BACKUP}")
