"""An opened session with the figures that the whole screen shows."""

from dataclasses import dataclass

from ..compaction.settings import Settings
from ..evidence.inspection import Inspection, inspect
from ..evidence.timeline import Timeline, timeline_of
from ..transcript.session import Session


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A session that is indexed as far as it goes, its facts and its timeline."""

    session: Session
    settings: Settings
    inspection: Inspection
    timeline: Timeline


def open_up(session: Session, settings: Settings) -> Opened:
    """Draws the figures of an indexed session; takes as long as `inspect`. Raises UsageError for impossible settings."""
    return Opened(session, settings, inspect(session, settings), timeline_of(session, settings))
