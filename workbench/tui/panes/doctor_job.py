"""What the Doctor tab computes and writes, without a widget: runs in a worker's thread."""

from collections.abc import Iterator
from pathlib import Path

from ...errors import WriteRefused
from ...evidence.doctor import diagnose
from ...evidence.finding import Diagnosis
from ...evidence.physical import physical_lines
from ...export.repair import Repair, repaired
from ...storage import Fingerprint, SessionFile, agent_files, read_index, write_atomically
from ...transcript.session import Session
from ...workspace.doctor_view import DoctorView, doctor_view
from ...workspace.opened import Opened
from ..copies import is_taken
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
