"""Following a session that an agent is still writing: whole lines are added, a cut or replaced file is read anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import WorkbenchError
from ..storage import Fingerprint, SessionFile
from ..transcript.index import Index
from .jobs import extend, grown, read_in_steps
from .reading import Reading

if TYPE_CHECKING:
    from ..workspace.opened import Opened

LIVE_LOOKS = 40  # looks without news, at four a second, after which a session no longer counts as live


class Following:
    """Looks whether the file has changed (a few microseconds) and catches up with it (in a worker)."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._seen: tuple[Fingerprint, Fingerprint | None] | None = None
        self._quiet = LIVE_LOOKS

    @property
    def is_live(self) -> bool:
        """Whether rows were added of late."""
        return self._quiet < LIVE_LOOKS

    @property
    def is_gone(self) -> bool:
        """Whether nothing has the file's name any more; what was read can still be read."""
        return self._reading.reader.named_now() is None

    def has_news(self) -> bool:
        """Whether the file is not as it was at the last look: longer, shorter, or another one."""
        self._quiet += 1
        if self._state() == self._seen:
            return False
        if grown(self._reading.reader, self._reading.index):
            return True
        self._seen = self._state()
        return False

    def _state(self) -> tuple[Fingerprint, Fingerprint | None]:
        reader = self._reading.reader
        return reader.fingerprint(), reader.named_now()

    def catch_up(self) -> tuple[Opened | None, str]:
        """(the session as it is now, a sentence for the user); None when there is nothing to show yet."""
        reading = self._reading
        try:
            self._seen = self._state()
            news = grown(reading.reader, reading.index)
            if news == "grown":
                return self._added(), ""
            if news == "finished":
                self._quiet = 0
                return self._anew(), ""
            if news == "replaced":
                return self._anew(), f"{reading.name} was cut or replaced; it was read anew."
        except WorkbenchError as error:
            return None, str(error)
        return None, ""

    def _added(self) -> Opened | None:
        """With the whole lines that were added; None while there are none."""
        reading = self._reading
        rows = len(reading.index)
        extend(reading.reader, reading.index)
        if len(reading.index) == rows:
            return None
        self._quiet = 0
        return reading.open()

    def _anew(self) -> Opened:
        reading = self._reading
        reader = reading.reader
        if isinstance(reader, SessionFile) and not reader.is_current():
            reader = SessionFile(reader.path)
        try:
            index = Index()
            for _ in read_in_steps(reader, index):
                pass
            return reading.instead(reader, index)
        except WorkbenchError:
            if reader is not reading.reader:
                reader.close()
            raise
