"""What the Doctor tab computes and writes, without a widget: runs in a worker's thread."""

from collections.abc import Iterator
from pathlib import Path

from ...errors import UsageError, WriteRefused
from ...evidence.doctor import diagnose
from ...evidence.finding import Diagnosis
from ...evidence.physical import physical_lines
from ...export.repair import Repair, repaired
from ...storage import Fingerprint, SessionFile, agent_files, read_index, write_atomically
from ...transcript.session import Session
from ...workspace.doctor_view import DoctorView, doctor_view
from ...workspace.opened import Opened
from ..jobs import Reader

MOST_BYTES = 4 << 20  # of a damaged line that is shown


def views_of(opened: Opened, reader: Reader) -> Iterator[DoctorView]:
    """The diagnosis at once, and again with the repair where there is anything to repair. Raises SessionError."""
    agents = set(agent_files(reader.path)) if isinstance(reader, SessionFile) else None
    found = diagnose(opened.session, agents=agents)
    yield doctor_view(opened, found)
    if found.repairable:
        repair = repaired(opened.session)
        yield doctor_view(opened, found.beyond_repair() if repair.leaves_nothing else found, repair)


def suggested(reader: Reader, is_request: bool) -> str:
    """The path of a repaired copy beside the session; in the working folder for what came through standard input."""
    if not isinstance(reader, SessionFile):
        return f"session.repaired.{'json' if is_request else 'jsonl'}"
    suffix = reader.path.suffix or (".json" if is_request else ".jsonl")
    return str(reader.path.with_name(f"{reader.path.stem}.repaired{suffix}"))


def path_of(text: str, name: str) -> Path:
    """What the user typed as a path; `name` within a folder. Raises UsageError for what no path can be."""
    try:
        path = Path(text.strip()).expanduser()
        path.lstat()
        return path / name if path.is_dir() else path
    except FileNotFoundError:
        return path
    except (OSError, RuntimeError, ValueError) as error:  # an unknown user, a name too long, a NUL
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error).rstrip(".")
        raise UsageError(f"Cannot write {text.strip()[:80]}: {reason.lower()}.") from error


def is_taken(path: Path) -> bool:
    """Whether there is something at a path already. Raises WriteRefused where that cannot be told."""
    try:
        return path.exists() or path.is_symlink()
    except (OSError, ValueError) as error:
        raise WriteRefused(f"Cannot write {path}: {error}.") from error


def write_copy(reader: Reader, opened: Fingerprint, repair: Repair, path: Path, *, over: bool) -> Diagnosis:
    """Writes a repaired copy, reads it back and looks at it again.

    Raises ChangedMeanwhile where the session was written to since it was looked at; WriteRefused where the path is the
    session's own, cannot be written, or (unless `over`) names something that is there already.
    """
    if reader.named_now() is not None:  # what was removed since can still be read, and be saved in this way
        reader.check_unchanged(opened)
    if not over and is_taken(path):
        raise WriteRefused(f"{path} is there already; nothing was written.")
    write_atomically(path, b"".join(repair.chunks()), never=reader.path)
    copy = SessionFile(path)
    try:
        return diagnose(read_index(copy))
    finally:
        copy.close()


def line_at(session: Session, number: int) -> bytes:
    """The bytes of a physical line, at most 4 MiB; b"" where there is no such line any more."""
    lines = physical_lines(session.reader, session.index.facts.size)
    return next((line.text[:MOST_BYTES] for line in lines if line.number == number), b"")
