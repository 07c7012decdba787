"""Following a session that an agent is still writing: whole lines are added, a cut or replaced file is read anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import WorkbenchError
from ..storage import SessionFile
from ..transcript.index import Index
from .jobs import extend, grown, read_in_steps
from .reading import Reading

if TYPE_CHECKING:
    from ..workspace.opened import Opened


class Following:
    """Looks whether the file has changed (a few microseconds) and catches up with it (in a worker)."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._seen = -1

    def has_news(self) -> bool:
        """Whether there are bytes that were not looked at yet, or fewer than before."""
        size = self._reading.reader.fingerprint().size
        if size == self._seen:
            return False
        news = grown(self._reading.reader, self._reading.index)
        if not news:
            self._seen = size
        return bool(news)

    def catch_up(self) -> tuple[Opened | None, str]:
        """(the session as it is now, a sentence for the user); None when there is nothing to show yet."""
        reading = self._reading
        news = grown(reading.reader, reading.index)
        self._seen = reading.reader.fingerprint().size
        try:
            if news == "grown":
                rows = len(reading.index)
                extend(reading.reader, reading.index)
                if len(reading.index) == rows:
                    return None, ""
                return reading.open(), ""
            if news == "replaced":
                return self._anew(), f"{reading.name} was cut or replaced; it was read anew."
        except WorkbenchError as error:
            return None, str(error)
        return None, ""

    def _anew(self) -> Opened:
        reading = self._reading
        reader = reading.reader
        if isinstance(reader, SessionFile) and not reader.is_current():
            reader = SessionFile(reader.path)
        index = Index()
        for _ in read_in_steps(reader, index):
            pass
        return reading.instead(reader, index)
