"""What went wrong with the compactions of a session as a whole, as findings with the lines that show it (spec 5, "explain").

Drawn from the calls as points over time and the recorded boundaries; nothing here looks at the settings of one moment.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..compaction.settings import Settings
from ..compaction.threshold import Threshold
from ..conversation.wording import counted
from ..transcript.boundary import Boundary, Microcompaction
from ..transcript.index import API_ERROR
from ..transcript.session import Session
from .calibration import Calibration
from .growth import NOT_RECORDED, growth
from .links import bypass
from .marks import BOUNDARY, BRANCH, MICROCOMPACTION
from .timeline import Point, Timeline
from .tracking import refills

THRASH, NEVER, EARLY, LATE, DOUBLE, NO_GAIN = "thrash", "never-fired", "early", "late", "double", "no-gain"
FAILING, SILENT, BYPASSED, OTHER_DROP = "failing", "silent-microcompaction", "bypassed-boundary", "other-drop"

SURE = 0.01  # of the threshold: recorded compactions agree with the estimate within less
LEAST_GAIN = 0.25  # of the tokens before: a compaction that frees less is soon followed by another one
LEAST_DROP = 1_000  # tokens: below, a prompt shrinks by what a new turn leaves out of old thinking
TOO_LONG = ("prompt is too long", "conversation too long", "context limit", "exceed context limit")


@dataclass(frozen=True, slots=True)
class Firing:
    """One thing that is odd about when the session compacted: its kind (spec 5), 1-based physical lines, a sentence."""

    kind: str
    lines: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class _Epoch:
    """The calls from a boundary (or the beginning) up to the next one, `boundary`, or to the end, where that is None."""

    first: int
    points: tuple[Point, ...]
    boundary: Boundary | None


def firings(
    session: Session, settings: Settings, threshold: Threshold, timeline: Timeline, calibration: Calibration
) -> tuple[Firing, ...]:
    """Every finding, in the order of the lines that show it."""
    epochs = tuple(_epochs(session, timeline.points))
    found = [
        *_thrash(session, settings, threshold, timeline),
        *_missed(epochs, threshold),
        *_early(session, threshold),
        *_double(epochs),
        *_no_gain(epochs, timeline.points, threshold),
        *_failing(session),
        *_silent(session, timeline),
        *_bypassed(session),
        *_drops(session, timeline, calibration),
    ]
    return tuple(sorted(found, key=lambda f: f.lines))


def _epochs(session: Session, points: Sequence[Point]) -> Iterator[_Epoch]:
    lines = [p.line for p in points]
    first = 0
    for boundary in session.boundaries:
        end = bisect_left(lines, boundary.line)
        yield _Epoch(first, tuple(points[first:end]), boundary)
        first = end
    yield _Epoch(first, tuple(points[first:]), None)


def _thrash(session: Session, settings: Settings, threshold: Threshold, timeline: Timeline) -> Iterator[Firing]:
    """Runs of compactions after each of which the context was full again within a few turns."""
    most, turns = settings.number("thrashRepeats"), settings.number("thrashTurns")
    last = timeline.points[-1] if timeline.points else None
    is_behind = last is not None and (not session.boundaries or last.line > session.boundaries[-1].line)
    for run in refills(session, threshold, settings, (last.line, last.total) if last is not None and is_behind else None):
        if len(run) < 2:
            continue
        stops = "the agent stops there" if len(run) >= most else f"the agent stops at {most}"
        words = "; ".join(dict.fromkeys(refill.by for refill in run if refill.by)) or "what came in since"
        reason = (
            f"{len(run)} times in a row the context was full again within {turns} turns of a compaction, refilled by {words}; "
            f"{stops}."
        )
        yield Firing(THRASH, tuple(refill.line for refill in run), reason)


def _missed(epochs: Sequence[_Epoch], threshold: Threshold) -> Iterator[Firing]:
    """Calls that were made though the context had reached the threshold before them."""
    if threshold.auto is None:
        return
    for epoch in epochs:
        over = [p for p, following in pairwise(epoch.points) if _was_over(p, following, threshold.auto)]
        if not over:
            continue
        boundary, first = epoch.boundary, over[0]
        behind = len(epoch.points) - 1 - epoch.points.index(first)
        reached = (
            f"The context reached {first.total:,} tokens ({first.total_kind}) behind the call at line {first.line}, "
            f"{first.total - threshold.auto:,} over the threshold of {threshold.auto:,} ({threshold.why})"
        )
        if boundary is not None and boundary.trigger == "auto":
            reason = f"{reached}; the compaction at line {boundary.line} came {counted(behind, 'call')} later."
            yield Firing(LATE, (first.line, boundary.line), reason)
        else:
            then = "the session ends" if boundary is None else f"one was made by hand at line {boundary.line}"
            reason = (
                f"{reached}, and {counted(behind, 'more call')} came without a compaction; then {then}. "
                "It was switched off, or the breaker was open: attempts that fail leave no trace in a file."
            )
            yield Firing(NEVER, tuple(p.line for p in over), reason)


def _was_over(point: Point, following: Point, threshold: int) -> bool:
    """Whether the context had reached the threshold before the next call: by far, or by what that call itself measured."""
    return point.total >= threshold * (1 + SURE) or (point.total >= threshold and following.tokens >= threshold)


def was_reactive(boundary: Boundary, threshold: Threshold) -> bool:
    """Whether an automatic compaction came by the API's answer, or under another window: well below where it fires by itself."""
    if boundary.trigger != "auto":
        return False
    if threshold.auto is None:  # without a threshold nothing else can have made it
        return True
    return boundary.pre_tokens is not None and boundary.pre_tokens < threshold.auto * (1 - SURE)


def _early(session: Session, threshold: Threshold) -> Iterator[Firing]:
    for boundary in session.boundaries:
        if boundary.pre_tokens is not None and threshold.auto is not None and was_reactive(boundary, threshold):
            reason = (
                f"The automatic compaction at line {boundary.line} was made at {boundary.pre_tokens:,} tokens, "
                f"{threshold.auto - boundary.pre_tokens:,} below the threshold of {threshold.auto:,} ({threshold.why}): "
                "it was reactive, the API's answer to a prompt that was too long, or another window was in force then."
            )
            yield Firing(EARLY, (boundary.line,), reason)


def _double(epochs: Sequence[_Epoch]) -> Iterator[Firing]:
    for before, between in pairwise(epochs):
        if before.boundary is not None and between.boundary is not None and not between.points:
            lines = (before.boundary.line, between.boundary.line)
            reason = (
                f"Between the compactions at the lines {lines[0]} and {lines[1]} no call was made: the second had nothing new."
            )
            yield Firing(DOUBLE, lines, reason)


def _no_gain(epochs: Sequence[_Epoch], points: Sequence[Point], threshold: Threshold) -> Iterator[Firing]:
    for before, behind in pairwise(epochs):
        if before.boundary is None or not behind.points or not before.points:
            continue
        last, following = before.points[-1], points[behind.first]
        refills = threshold.auto is not None and following.tokens >= threshold.auto
        if following.tokens <= last.tokens * (1 - LEAST_GAIN) and not refills:
            continue
        reason = (
            f"The compaction at line {before.boundary.line} freed little: the call before it had {last.tokens:,} prompt tokens, "
            f"the first behind it {following.tokens:,}"
            + (", which is over the threshold again." if refills else f" ({_share(following.tokens, last.tokens)} of them).")
        )
        yield Firing(NO_GAIN, (before.boundary.line, following.line), reason)


def _share(part: int, whole: int) -> str:
    return f"{100 * part // whole}%"


def _failing(session: Session) -> Iterator[Firing]:
    """Compactions that failed as today's agent records them, and answers of the API that the prompt was too long."""
    index = session.index
    for place in index.places("system:status"):
        body = session.body(place)
        if body.get("compact_result") == "failed":
            line = index.lines[place]
            reason = f"A compaction failed at line {line}: {body.get('compact_error') or 'no reason is recorded'}"
            yield Firing(FAILING, (line,), reason.rstrip(".") + ".")
    lines = []
    for place, flags in enumerate(index.flags):
        if flags & API_ERROR and session.tree.is_main(place):
            words = "".join(b.head for b in session.row(place).blocks).lower()
            if any(said in words for said in TOO_LONG):
                lines.append(index.lines[place])
    if lines:
        times = "once" if len(lines) == 1 else f"{len(lines)} times"
        yield Firing(
            FAILING, tuple(lines), f"The API answered {times} that the prompt was too long; no compaction had come before."
        )


def _silent(session: Session, timeline: Timeline) -> Iterator[Firing]:
    """Old results cleared without a word to the user."""
    for micro in session.microcompactions:
        at = next((m.index for m in timeline.marks if m.kind == MICROCOMPACTION and m.line == micro.line), None)
        yield Firing(SILENT, (micro.line,), _silently(micro, timeline.points, at))


def _silently(micro: Microcompaction, points: Sequence[Point], at: int | None) -> str:
    saved = "an unknown number of" if micro.tokens_saved is None else f"{micro.tokens_saved:,}"
    told = (
        f"{counted(len(micro.tool_ids), 'old result')} cleared at line {micro.line} without a word to the user: "
        f"{saved} tokens saved as recorded"
    )
    if at is None or not 0 < at < len(points) or points[at].growth is None:
        return f"{told}; no call follows of which the effect could be read."
    return f"{told}, the prompt went from {points[at - 1].tokens:,} to {points[at].tokens:,} tokens."


def _bypassed(session: Session) -> Iterator[Firing]:
    past = bypass(session, session.chain)
    if past is None:
        return
    boundary, line = session.tree.boundaries[past.boundary], session.index.lines[past.first]
    reason = (
        f"The compaction at line {boundary.line} counts for nothing: line {line} goes on from the history before it, "
        "which is sent in full."
    )
    yield Firing(BYPASSED, (boundary.line, line), reason)


def _drops(session: Session, timeline: Timeline, calibration: Calibration) -> Iterator[Firing]:
    """Prompts that shrank from a call to the next with nothing on record that explains it."""
    calls, recorded = session.main_calls, {BOUNDARY, MICROCOMPACTION, BRANCH}
    for at, point in enumerate(timeline.points):
        if point.growth is None or point.growth > -LEAST_DROP or recorded & set(point.marks):
            continue
        before = timeline.points[at - 1]
        words = f"The prompt shrank by {-point.growth:,} tokens between the calls at the lines {before.line} and {point.line}"
        found = growth(session, calls[at - 1], calls[at], calibration)
        added = 0 if found is None else sum(p.tokens for p in found.parts if p.kind != NOT_RECORDED)
        though = f", though the rows between add {added:,} (estimated)" if added > 0 else ""
        reason = f"{words}{though}: something left the context without a record of it."
        yield Firing(OTHER_DROP, (before.line, point.line), reason)
