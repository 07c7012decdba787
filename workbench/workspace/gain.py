"""Whether a compaction freed anything: the calls before and after it, and what the one after holds (spec 2, sections 5-6)."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation.figure import LOWER_BOUND, Figure, estimated, exact, unknown
from ..evidence.inspection import BoundaryFacts
from ..transcript.boundary import Boundary, Microcompaction
from ..transcript.chain import Chain
from ..transcript.index import RESULT, Call
from ..transcript.session import Session
from .opened import Opened

REAL, SMALL, NO_GAIN, FIRES_AGAIN, OPEN = "real", "hardly any", "none", "fires again", "not known yet"
HARDLY = 0.9  # of the context before: with more than that left, little was gained


@dataclass(frozen=True, slots=True)
class Gain:
    """The size of the context around a compaction, in tokens.

    before       what the record says it was; last_call is the prompt of the last call before it
    after        what the record says it became; next_call is the prompt of the first call after it
    first_call   prompt of the session's first call; overhead is what of it are no messages
    carried      rough tokens of the messages that the file holds for the next call
    unrecorded   what is left of the next call: re-attached files, plan, skills and tools that were sent, not saved
    verdict      REAL | SMALL | NO_GAIN | FIRES_AGAIN | OPEN, with `why` in words
    """

    before: Figure
    last_call: Figure
    after: Figure
    next_call: Figure
    first_call: Figure
    overhead: Figure
    carried: Figure
    unrecorded: Figure
    verdict: str
    why: str


@dataclass(frozen=True, slots=True)
class Cleared:
    """A microcompaction: its own estimate of what it saved, and the drop between the calls around it.

    found, rough  how many of the results it names are in the file, and bytes/4 of those
    before, after prompts of the calls around it; `after` is None where another event or the end comes first
    """

    line: int
    results: int
    found: int
    rough: int
    saved: int | None
    compactable: int | None
    before: int | None
    after: int | None
    until: str

    @property
    def drop(self) -> int | None:
        return None if self.before is None or self.after is None else self.before - self.after


def gain_of(opened: Opened, found: BoundaryFacts) -> Gain:
    """The figures of one boundary; walks the chains before the first call and before the next one."""
    session, boundary = opened.session, found.boundary
    calls = session.main_calls
    first = calls[0] if calls and calls[0].row < boundary.place else None
    following = next((c for c in calls if c.row > boundary.place), None) if found.first_call_after is not None else None
    first_call = exact(first.prompt, "its prompt") if first else unknown("no call stands before this compaction")
    overhead = carried = unknown("it needs the session's first call and the one after")
    if first is not None and following is not None:
        overhead = estimated(first.prompt - _rough_before(session, first), f"the first call's {first.prompt:,} less its messages")
        carried = estimated(_rough_before(session, following), "bytes/4 of summary, kept rows and attachments in the file")
    verdict, why = _verdict(opened, found)
    return Gain(
        before=_recorded(boundary.pre_tokens, "preTokens"),
        last_call=_prompt(found.last_call_before),
        after=_after(boundary),
        next_call=_prompt(found.first_call_after),
        first_call=first_call,
        overhead=overhead,
        carried=carried,
        unrecorded=_unrecorded(following, overhead, carried),
        verdict=verdict,
        why=why,
    )


def _rough_before(session: Session, call: Call) -> int:
    chain: Chain = session.chain_at(session.index.lines[call.row])
    return sum(row.tokens for row in session.rows(chain.places) if row.role is not None)


def _recorded(tokens: int | None, field: str) -> Figure:
    return unknown(f"the record has no {field}") if tokens is None else Figure(tokens, "recorded", field)


def _after(boundary: Boundary) -> Figure:
    if boundary.post_tokens is None:
        return unknown("the record has no postTokens")
    return Figure(boundary.post_tokens, LOWER_BOUND, "postTokens: messages only")


def _prompt(tokens: int | None) -> Figure:
    return unknown("there is no such call") if tokens is None else exact(tokens, "its prompt")


def _unrecorded(following: Call | None, overhead: Figure, carried: Figure) -> Figure:
    if following is None or overhead.tokens is None or carried.tokens is None:
        return overhead
    left = following.prompt - overhead.tokens - carried.tokens
    if left < 0 and overhead.tokens > following.prompt:
        return unknown("the session's first call was larger than this one, so it does not tell")
    return estimated(left, "the next call less both")


def _verdict(opened: Opened, found: BoundaryFacts) -> tuple[str, str]:
    """Held against the context it began with: preTokens, or the last call's prompt where the record does not say."""
    after, boundary = found.first_call_after, found.boundary
    before = boundary.pre_tokens if boundary.pre_tokens is not None else found.last_call_before
    if after is None:
        return OPEN, "no call follows before the next compaction or the end of the file"
    if before is None:
        return OPEN, "it is not known how large the context was before"
    if after >= before:
        return NO_GAIN, f"the next call is as large as the context before: {after:,} after {before:,}"
    threshold = opened.inspection.threshold.auto
    if threshold is not None and after >= threshold:
        return FIRES_AGAIN, f"the next call is over the threshold of {threshold:,} already"
    verdict = SMALL if after > before * HARDLY else REAL
    return verdict, f"the next call is {before - after:,} tokens smaller; {after / before:.0%} of the context is left"


def cleared_of(session: Session) -> tuple[Cleared, ...]:
    """Every microcompaction of the file with the calls around it."""
    calls = session.main_calls
    rows = [c.row for c in calls]
    return tuple(_cleared(session, micro, calls, rows) for micro in session.microcompactions)


def _cleared(session: Session, micro: Microcompaction, calls: Sequence[Call], rows: list[int]) -> Cleared:
    at = bisect_left(rows, micro.place)
    end = rows[at] if at < len(rows) else len(session.index)
    between = any(micro.place < b.place < end for b in session.boundaries)
    until = "a compaction comes before the next call" if between else "" if at < len(rows) else "no call follows"
    found = _results(session, micro)
    return Cleared(
        line=micro.line,
        results=len(micro.tool_ids),
        found=len(found),
        rough=sum(found.values()),
        saved=micro.tokens_saved,
        compactable=micro.pre_tokens,
        before=calls[at - 1].prompt if at else None,
        after=None if until else calls[at].prompt,
        until=until,
    )


def _results(session: Session, micro: Microcompaction) -> dict[str, int]:
    """{call id: rough tokens} of the results it names, as far as they are in the file: they stay whole on disk."""
    wanted = set(micro.tool_ids)
    hashes = {hash(i) for i in wanted}
    places = [row for row, call, role in zip(*session.index.tools(), strict=True) if role == RESULT and call in hashes]
    blocks = [b for row in session.rows(sorted(set(places))) for b in row.blocks if b.kind == "tool_result" and b.call in wanted]
    return {b.call: b.tokens for b in blocks}
