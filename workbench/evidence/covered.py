"""How far the notes of a session reach: the recorded last-summarized row, as any compaction resets it, or a marked guess."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..compaction.settings import Settings
from ..conversation.row import Row
from ..memory.coverage import NOTHING, Coverage
from ..memory.notes import Budgets, Notes, NotesState, state
from ..memory.start import CONVERSATION, RECORDED, find_start, seconds
from ..transcript.chain import Chain
from ..transcript.session import Session

LOST = "lost"


@dataclass(frozen=True, slots=True)
class Reach:
    """The last row that notes cover.

    kind  "recorded" | "guess" | "since-boundary" | "end" | "lost" (recorded, but not in the array)
    uuid  of the row, `line` its physical line; None where nothing is known of it
    """

    kind: str
    uuid: str | None
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class NotesFacts:
    """Notes at a point of a session; `reach` is None without notes."""

    notes: Notes | None
    state: NotesState
    coverage: Coverage
    reach: Reach | None


def budgets_of(settings: Settings) -> Budgets:
    """The budgets of notes that are set."""
    return Budgets(settings.number("noteSectionTokens"), settings.number("noteTotalTokens"))


def coverage_at(session: Session, found: Coverage, limit: int | None = None) -> Coverage:
    """The coverage before the row at `limit` (default: at the end): a compaction behind the last-summarized row resets it."""
    if found.last_summarized is None:
        return found
    limit = len(session.index) if limit is None else limit
    place = session.index.find(found.last_summarized, before=limit)
    if place is not None and any(place < b.place < limit for b in session.boundaries):
        return Coverage(None, found.written)
    return found


def facts_of_notes(session: Session, chain: Chain, notes: Notes | None, found: Coverage, limit: int | None = None) -> NotesFacts:
    """The notes of a session held against the rows of a chain; the file is read for them only where there are notes."""
    if notes is None:
        return NotesFacts(None, state(None), NOTHING, None)
    rows = tuple(row.slim() for row in session.rows(chain.places))
    coverage = coverage_at(session, found, limit)
    reach = reach_of(rows, coverage)
    return NotesFacts(notes, state(notes, _covered(rows, reach, coverage), _newest(rows)), coverage, reach)


def reach_of(rows: Sequence[Row], coverage: Coverage) -> Reach:
    """The last row that notes cover, and how that is known; `rows` are those of a chain, in order."""
    recorded = coverage.last_summarized
    if recorded is not None and all(row.uuid != recorded for row in rows):
        return Reach(LOST, recorded, None, "The recorded last-summarized row is not in the array.")
    start = find_start(rows, recorded, coverage.written)
    row = next((r for r in rows if r.uuid == start.uuid), None) if start.uuid is not None else None
    return Reach(start.kind, start.uuid, None if row is None else row.line, start.reason)


def _covered(rows: Sequence[Row], reach: Reach, coverage: Coverage) -> float | None:
    """The time of the newest row that the notes cover: of the recorded one, else their last write."""
    if reach.kind != RECORDED:
        return coverage.written
    return next((seconds(row.timestamp) for row in rows if row.uuid == reach.uuid), None)


def _newest(rows: Sequence[Row]) -> float | None:
    return max((at for row in rows if row.kind in CONVERSATION and (at := seconds(row.timestamp)) is not None), default=None)
