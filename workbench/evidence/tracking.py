"""The counters at a point of a session, from the compactions it recorded (spec 1, section 4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..compaction.breaker import SUCCESS, Tracking, after, next_turn, refilled
from ..compaction.settings import Settings
from ..compaction.threshold import Threshold
from ..conversation.block import call_words
from ..conversation.row import Row
from ..transcript.boundary import Boundary
from ..transcript.session import Session


@dataclass(frozen=True, slots=True)
class Refill:
    """The context was full again within a few turns of a compaction: seen at a physical line, filled `by` what came in since."""

    line: int
    by: str


def tracking_at(session: Session, threshold: Threshold, settings: Settings, limit: int, tokens: int | None = None) -> Tracking:
    """The state before the record at `limit`, with `tokens` in context there: at the threshold it was refilled once more.

    Failed attempts are not recorded in a file, so they count for nothing.
    """
    state, at = Tracking(), 0
    for boundary, judged in _judged(session, threshold, settings, limit):
        state, at = after(judged, SUCCESS, boundary.uuid, trigger=boundary.trigger or "auto"), boundary.place
    state = _turns(state, _calls_between(session, at, limit))
    if tokens is None or threshold.auto is None or tokens < threshold.auto:
        return state
    return refilled(state, _filled_by(session, state, at, limit, settings), settings)


def refills(
    session: Session, threshold: Threshold, settings: Settings, now: tuple[int, int] | None = None
) -> list[tuple[Refill, ...]]:
    """The quick refills of a session, those that followed one another together; `now` is (line, tokens) of the newest call."""
    limit = len(session.index)
    seen = [(boundary.line, judged) for boundary, judged in _judged(session, threshold, settings, limit)]
    if now is not None:
        seen.append((now[0], tracking_at(session, threshold, settings, limit, now[1])))
    runs: list[tuple[Refill, ...]] = []
    count = 0
    for line, state in seen:
        if state.quick_refills > count:
            refill = Refill(line, state.refilled_by[-1])
            runs[-1:] = [(*runs[-1], refill)] if count and runs else [*runs[-1:], (refill,)]
        count = state.quick_refills
    return runs


def _judged(session: Session, threshold: Threshold, settings: Settings, limit: int) -> Iterator[tuple[Boundary, Tracking]]:
    """Each compaction before `limit` with the state in which it was decided."""
    state, at = Tracking(), 0
    for boundary in [b for b in session.boundaries if b.place < limit]:
        state = _turns(state, _calls_between(session, at, boundary.place))
        if boundary.trigger == "auto" and _at_threshold(boundary, threshold):
            state = refilled(state, _filled_by(session, state, at, boundary.place, settings), settings)
        yield boundary, state
        state = after(state, SUCCESS, boundary.uuid, trigger=boundary.trigger or "auto")
        at = boundary.place


def _calls_between(session: Session, first: int, limit: int) -> int:
    return sum(first < c.row < limit for c in session.main_calls)


def _turns(state: Tracking, number: int) -> Tracking:
    for _ in range(number):
        state = next_turn(state)
    return state


def _at_threshold(boundary: Boundary, threshold: Threshold) -> bool:
    return threshold.auto is None or boundary.pre_tokens is None or boundary.pre_tokens >= threshold.auto


def _filled_by(session: Session, state: Tracking, first: int, limit: int, settings: Settings) -> str:
    """What came in since a compaction and filled the context, in words; not looked for where that is long ago.

    Between the two calls whose prompts differ most the largest row is named; with one call only, the largest row of all.
    """
    if not state.compacted or state.turn_counter > settings.number("thrashTurns"):
        return ""
    calls = [c for c in session.main_calls if first < c.row < limit]
    grown = max(pairwise(calls), key=lambda pair: pair[1].prompt - pair[0].prompt, default=None)
    growth = 0 if grown is None else grown[1].prompt - grown[0].prompt
    if grown is not None and growth > 0:
        first, limit = grown[0].row, grown[1].row
    places = [p for p in range(first + 1, limit) if session.index.kind(p).startswith(("user", "attachment"))]
    rows = [row for row in session.rows(places) if not row.is_summary and row.blocks]
    if not rows:
        return "what came in since"
    row = max(rows, key=lambda r: r.tokens)
    measured = f", with which the prompt grew by {growth:,}" if growth > 0 else ""
    return f"{_what(session, row, first)} of {row.tokens:,} tokens (rough) in line {row.line:,}{measured}"


def _what(session: Session, row: Row, first: int) -> str:
    """A row by what it brought: a result by the tool and what it was asked for."""
    if row.is_attachment:
        return "an attachment"
    result = max((b for b in row.blocks if b.kind == "tool_result"), key=lambda b: b.tokens, default=None)
    if result is None:
        return "a message"
    places = [p for p in range(row.place - 1, first - 1, -1) if session.index.kind(p) == "assistant"]
    called = (b for r in session.rows(places) for b in r.blocks if b.kind == "tool_use" and b.call == result.call)
    call = next(called, None)
    return "a tool result" if call is None else f"the result of {call.name} {call_words(call.head)[:80]}"
