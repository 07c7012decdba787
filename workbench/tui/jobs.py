"""What takes time, as generators and functions without a widget: reading a file, drawing its figures, following it.

A worker of the screen runs them in a thread and posts what they give.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING

from ..storage import MemoryFile, SessionFile, session_of
from ..transcript.index import Index

if TYPE_CHECKING:
    from ..transcript.session import Session

PROGRESS_EVERY = 0.1  # seconds

Reader = SessionFile | MemoryFile


def read_in_steps(reader: Reader, index: Index) -> Iterator[tuple[int, int]]:
    """Indexes a file; yields (rows, bytes) at once after the first chunk, then ten times a second."""
    due = 0.0
    for rows in index.feed(reader.chunks(index.end)):
        now = monotonic()
        if now >= due:
            due = now + PROGRESS_EVERY
            yield rows, index.end


def grown(reader: Reader, index: Index) -> str:
    """What became of a file since it was indexed: "" the same; "grown"; "finished" when its last line, which was read before
    its end was written, goes on; "replaced" when what was read is gone."""
    size = reader.fingerprint().size
    if size < index.end or not reader.is_current():
        return "replaced"
    if size == index.end:
        return ""
    return "finished" if index.open_tail else "grown"


def extend(reader: Reader, index: Index) -> Session:
    """Indexes the whole lines that were added; a line without its end waits."""
    for _ in index.feed(reader.chunks(index.end), last=False):
        pass
    return session_of(reader, index)
