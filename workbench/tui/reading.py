"""Reading one session for the screen: runs in a worker's thread, knows callbacks and no widget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Thread
from typing import TYPE_CHECKING

from rich.segment import Segment

from ..errors import WorkbenchError
from ..storage import session_of
from ..transcript.index import Index
from ..workspace.state import Loading, Workspace
from .jobs import Reader, read_in_steps
from .painting.palette import Palette

if TYPE_CHECKING:
    from ..compaction.settings import Settings
    from ..transcript.session import Session
    from ..workspace.opened import Opened

Move = Callable[[Workspace], Workspace]


class RowsSoFar:
    """The records of the file in file order, as far as they are indexed: shown until the array is known."""

    def __init__(self, index: Index, palette: Palette) -> None:
        self._index = index
        self._palette = palette
        self._count = len(index)

    def __len__(self) -> int:
        return self._count

    def line(self, index: int, _width: int, /) -> Sequence[Segment]:
        rows, style = self._index, self._palette.style
        kind = rows.kind(index)
        speaker = kind if kind in ("user", "assistant") else "muted"
        return [
            Segment(f"  {rows.lines[index]:>7}  ", style("muted")),
            Segment(f"{kind:<40}", style(speaker)),
            Segment(f"{rows.lengths[index]:>12,} bytes", style("muted")),
        ]


class Reading:
    """A session file on its way to the screen. `settings` gives the settings for an indexed session."""

    def __init__(self, reader: Reader, settings: Callable[[Session], Settings]) -> None:
        self.reader = reader
        self.settings = settings
        self.index = Index()
        self._steps: Iterator[tuple[int, int]] | None = None
        self._first = Thread(target=self._begin, name="first rows", daemon=True)
        self._first.start()

    def _begin(self) -> None:
        """Indexes the first chunk while the application starts; a file that cannot be read is told by `run`."""
        steps = read_in_steps(self.reader, self.index)
        try:
            next(steps, None)
        except WorkbenchError:
            return
        self._steps = steps

    def wait_for_first_rows(self) -> bool:
        """Waits for the first chunk of the file; whether that took any waiting."""
        is_waited_for = self._first.is_alive()
        self._first.join()
        return is_waited_for

    @property
    def name(self) -> str:
        return self.reader.name

    def rows_so_far(self, palette: Palette) -> RowsSoFar:
        return RowsSoFar(self.index, palette)

    def run(
        self,
        progress: Callable[[Loading], object],
        done: Callable[[Opened], object],
        failed: Callable[[str], object],
        cancelled: Callable[[], bool],
    ) -> None:
        """Indexes the file, then draws its figures; stops quietly when cancelled."""
        self._first.join()
        try:
            size = self.reader.fingerprint().size
            for rows, at in self._steps or read_in_steps(self.reader, self.index):
                if cancelled():
                    return
                progress(Loading(rows, at, size))
            opened = self.open()
        except WorkbenchError as error:
            if not cancelled():
                failed(str(error))
            return
        if not cancelled():
            done(opened)

    def open(self) -> Opened:
        """The figures of what is indexed. Imports them only now, when the first rows stand on the screen."""
        from ..workspace.opened import open_up

        session = session_of(self.reader, self.index)
        return open_up(session, self.settings(session))

    def instead(self, reader: Reader, index: Index) -> Opened:
        """The figures of a file that took the place of the one that was read."""
        session = session_of(reader, index)
        from ..workspace.opened import open_up

        opened = open_up(session, self.settings(session))
        self.reader, self.index = reader, index
        return opened

    def columns(self, workspace: Workspace) -> Move:
        """The move that puts the arrays of the workspace's view in place, or says why they cannot be had."""
        from ..workspace import moves
        from ..workspace.columns import columns_of

        if workspace.opened is None:
            return lambda now: now
        try:
            columns = columns_of(workspace.opened, workspace.view)
        except WorkbenchError as error:
            words = str(error)
            return lambda now: moves.view_failed(now, workspace.view, words)
        return lambda now: moves.filled(now, columns)

    def close(self) -> None:
        """Lets the file go."""
        self.reader.close()
