"""Old tool results are cleared without a model call (spec 1, section 7; there: microcompactMessages).

These outputs are large, and later only which file was read and what was edited matters; small frequent clean-ups
disturb less than one large one. It runs in every turn, before the guards: by time, after a pause in which the server's
cache went cold, or else in the outgoing copy.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ..conversation.change import Change
from ..conversation.row import ASSISTANT, Row
from ..conversation.wording import counted
from .cached import CachedEdit, Registry, clear_cached
from .results import READ, changes_of, compactable, tokens_of, with_cleared
from .settings import Settings

SIDE_SOURCES = ("session_memory", "compact", "marble_origami")


@dataclass(frozen=True, slots=True)
class TimeTrigger:
    """Whether the pause was long enough: minutes since the last assistant row, None where that is unknown."""

    fires: bool
    reason: str
    minutes: float | None = None


@dataclass(frozen=True, slots=True)
class Cleared:
    """Rows after a clearing.

    rows    the local array; unchanged rows are the same objects
    tools   ids of the calls whose results were cleared
    paths   files whose Read result is gone: their read state is forgotten
    saved   rough tokens
    """

    rows: tuple[Row, ...]
    reason: str
    fired: bool = False
    tools: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    saved: int = 0
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Microcompaction:
    """Both ways after a turn: `time` first; `cached` is None where time-based clearing fired and took its place."""

    time: Cleared
    cached: CachedEdit | None
    registry: Registry

    @property
    def rows(self) -> tuple[Row, ...]:
        """The local array."""
        return self.time.rows

    @property
    def outgoing(self) -> tuple[Row, ...]:
        """What is sent."""
        return self.time.rows if self.cached is None else self.cached.outgoing


def microcompact(
    rows: Sequence[Row],
    *,
    now: str | None,
    tokens: int | None,
    registry: Registry,
    settings: Settings,
    spared: Collection[str] = (),
) -> Microcompaction:
    """Clears by time where that is due, which resets the registry; else in the outgoing copy.

    spared  uuids of rows whose results stay, whatever their age
    """
    time = clear_by_time(rows, now, settings, spared)
    if time.fired:
        return Microcompaction(time, None, Registry())
    cached = clear_cached(time.rows, tokens, registry, settings, spared)
    return Microcompaction(time, cached, cached.registry)


def time_trigger(rows: Sequence[Row], now: str | None, settings: Settings) -> TimeTrigger:
    """Whether time-based clearing is due at `now`, an ISO time (there: evaluateTimeBasedTrigger)."""
    if not settings.on("timeBased.enabled"):
        return TimeTrigger(False, "Time-based clearing is off (timeBased.enabled).")
    source = settings.text("querySource")
    if source in SIDE_SOURCES or source.startswith("agent"):
        return TimeTrigger(False, f"The query source {source} is not the main thread.")
    last = next((row for row in reversed(rows) if row.role == ASSISTANT), None)
    if last is None:
        return TimeTrigger(False, "There is no assistant message yet.")
    then, present = read_time(last.timestamp), read_time(now)
    if then is None or present is None:
        return TimeTrigger(False, f"The time of the {'last assistant row' if then is None else 'present'} is unreadable.")
    minutes = (present - then).total_seconds() / 60
    gap = settings.real("gapThresholdMinutes")
    if minutes < 0:
        return TimeTrigger(False, "What counts as now is before the last assistant message: no pause can be told.", minutes)
    words = f"{minutes:,.1f} minutes since the last assistant message"
    if minutes < gap:
        return TimeTrigger(False, f"Only {words}; clearing starts at {gap:g}.", minutes)
    return TimeTrigger(True, f"{words.capitalize()}: the cache is cold.", minutes)


def clear_by_time(rows: Sequence[Row], now: str | None, settings: Settings, spared: Collection[str] = ()) -> Cleared:
    """Clears all but the newest results in the local array after a long pause (there: maybeTimeBasedMicrocompact)."""
    trigger = time_trigger(rows, now, settings)
    if not trigger.fires:
        return Cleared(tuple(rows), trigger.reason)
    found = compactable(rows, settings)
    keep = max(1, settings.number("keepRecent"))
    old = [r for r in found[:-keep] if not r.is_cleared and r.row.uuid not in spared]
    if not old:
        return Cleared(tuple(rows), f"{trigger.reason} Yet there is no result older than the newest {keep} to clear.")
    text = settings.text("clearedText")
    rewritten = with_cleared(rows, old, text)
    return Cleared(
        rows=rewritten,
        reason=f"{trigger.reason} {counted(len(old), 'result')} cleared, the newest {keep} stay.",
        fired=True,
        tools=tuple(dict.fromkeys(r.block.call for r in old)),
        paths=tuple(dict.fromkeys(r.path for r in old if r.tool == READ and r.path)),
        saved=tokens_of(rows) - tokens_of(rewritten),
        changes=changes_of(old, keep),
    )


def read_time(text: str | None) -> datetime | None:
    """An ISO time, in UTC where it names no zone; None when unreadable."""
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found
