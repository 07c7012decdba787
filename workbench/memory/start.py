"""Behind which row the keep window starts: the last-summarized row where it is recorded, else a marked guess.

Spec 1, section 5.3 [decided].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..conversation.row import Row
from ..transcript.boundary import KIND as BOUNDARY

CONVERSATION = ("user", "assistant")
RECORDED, GUESS, SINCE_BOUNDARY, END = "recorded", "guess", "since-boundary", "end"


@dataclass(frozen=True, slots=True)
class Start:
    """The first row that the notes do not cover.

    place   place in the rows that were asked about; their number where the notes cover all
    kind    "recorded" | "guess" | "since-boundary" | "end"
    uuid    the last row that the notes cover; None where nothing is known of it
    reason  a sentence for the user
    """

    place: int
    kind: str
    uuid: str | None
    reason: str

    @property
    def is_guess(self) -> bool:
        return self.kind == GUESS


def find_start(rows: Sequence[Row], last_summarized: str | None, written: float | None) -> Start:
    """Where the kept rows start at the latest.

    last_summarized  uuid recorded by the extractor; it must be one of the rows (`availability` says so otherwise)
    written          time of the notes' last write, in seconds since the epoch; None: not known
    """
    if last_summarized is not None:
        place = next(i for i, row in enumerate(rows) if row.uuid == last_summarized)
        return Start(place + 1, RECORDED, last_summarized, "The notes cover everything up to the recorded row.")
    floor = behind_summary(rows)
    guess = _newest_before(rows, written) if written is not None and _is_since_boundary(rows, written) else None
    if guess is not None and guess >= floor:
        return Start(guess + 1, GUESS, rows[guess].uuid, "A guess: the newest row that is older than the notes' last write.")
    if last_boundary(rows) is not None:
        return Start(
            floor, SINCE_BOUNDARY, None, "No notes were taken since the last boundary, so everything behind its summary stays."
        )
    return Start(len(rows), END, None, "Nothing tells what the notes cover, so only the newest rows stay.")


def last_boundary(rows: Sequence[Row]) -> int | None:
    """Place of the last boundary row; of a summary where an old version wrote no boundary; None: no compaction."""
    boundary = summary = None
    for place, row in enumerate(rows):
        if row.kind == BOUNDARY:
            boundary = place
        elif row.is_summary:
            summary = place
    return boundary if boundary is not None else summary


def behind_summary(rows: Sequence[Row]) -> int:
    """Place of the first row that the last boundary's summary does not stand for; 0 without a compaction.

    Where a prefix was kept, it stands between the boundary and the summary and counts as not summarised.
    """
    boundary = last_boundary(rows)
    if boundary is None:
        return 0
    for place in range(boundary, len(rows)):
        row = rows[place]
        if row.is_summary:
            return place + 1
        if row.kind in CONVERSATION:
            break
    return boundary + 1


def _is_since_boundary(rows: Sequence[Row], written: float) -> bool:
    """Whether the notes were written after the last compaction; kept rows are older than it and prove nothing."""
    boundary = last_boundary(rows)
    at = None if boundary is None else seconds(rows[boundary].timestamp)
    return at is None or at < written


def _newest_before(rows: Sequence[Row], written: float) -> int | None:
    """Attachments are skipped: they are stamped earlier than the rows they stand behind."""
    for place in range(len(rows) - 1, -1, -1):
        at = seconds(rows[place].timestamp)
        if rows[place].kind in CONVERSATION and at is not None and at < written:
            return place
    return None


def seconds(timestamp: str | None) -> float | None:
    """An ISO time as seconds since the epoch; None when it is missing or unreadable."""
    if timestamp is None:
        return None
    try:
        return datetime.fromisoformat(timestamp).timestamp()
    except (ValueError, OverflowError):
        return None
