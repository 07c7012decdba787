"""The counters at a point of a session, from the compactions it recorded (spec 1, section 4)."""

from ..compaction.breaker import SUCCESS, Tracking, after, next_turn, refilled
from ..compaction.settings import Settings
from ..compaction.threshold import Threshold
from ..transcript.boundary import Boundary
from ..transcript.session import Session


def tracking_at(session: Session, threshold: Threshold, settings: Settings, limit: int, tokens: int | None = None) -> Tracking:
    """The state before the record at `limit`, with `tokens` in context there: at the threshold it was refilled once more.

    Failed attempts are not recorded in a file, so they count for nothing.
    """
    state, at = Tracking(), 0
    calls = [c.row for c in session.calls if session.tree.is_sub_agent or not c.sidechain]
    for boundary in [b for b in session.boundaries if b.place < limit]:
        state = _turns(state, sum(at < row < boundary.place for row in calls))
        if boundary.trigger == "auto" and _at_threshold(boundary, threshold):
            state = refilled(state, _filled_by(session, state, at, boundary.place, settings), settings)
        state = after(state, SUCCESS, boundary.uuid, trigger=boundary.trigger or "auto")
        at = boundary.place
    state = _turns(state, sum(at < row < limit for row in calls))
    if tokens is None or threshold.auto is None or tokens < threshold.auto:
        return state
    return refilled(state, _filled_by(session, state, at, limit, settings), settings)


def _turns(state: Tracking, number: int) -> Tracking:
    for _ in range(number):
        state = next_turn(state)
    return state


def _at_threshold(boundary: Boundary, threshold: Threshold) -> bool:
    return threshold.auto is None or boundary.pre_tokens is None or boundary.pre_tokens >= threshold.auto


def _filled_by(session: Session, state: Tracking, first: int, limit: int, settings: Settings) -> str:
    """The largest thing that came in since a compaction, in words; not looked for where that is long ago."""
    if not state.compacted or state.turn_counter > settings.number("thrashTurns"):
        return ""
    places = [p for p in range(first + 1, limit) if session.index.kind(p).startswith(("user", "attachment"))]
    rows = [row for row in session.rows(places) if not row.is_summary and row.blocks]
    if not rows:
        return "what came in since"
    row = max(rows, key=lambda r: r.tokens)
    is_result = any(b.kind == "tool_result" for b in row.blocks)
    what = "a tool result" if is_result else "an attachment" if row.is_attachment else "a message"
    return f"{what} of {row.tokens:,} tokens in line {row.line:,}"
