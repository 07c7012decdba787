"""What happened between the calls of a session: compactions, changes of model and version, errors, branches, notes."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..conversation.figure import LOWER_BOUND, Figure, exact, unknown
from ..memory.trigger import Judgement
from ..transcript.boundary import Boundary
from ..transcript.index import API_ERROR, Call
from ..transcript.session import Session

BOUNDARY, MICROCOMPACTION, MODEL, VERSION = "boundary", "microcompaction", "model-change", "version-change"
ERROR, BRANCH, OVER, NOTES = "api-error", "branch", "over-threshold", "notes"
RETRY_KIND = "system:api_error"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened before the call at `index` (the number of calls: after the last one).

    before, after  of a boundary: tokens it recorded, and the prompt of the call behind it, or else its own post count
    """

    index: int
    line: int
    kind: str
    label: str
    before: int | None = None
    after: Figure | None = None


def marks_of(
    session: Session, calls: Sequence[Call], branches: Sequence[int] = (), taken: Sequence[Judgement] = ()
) -> tuple[Mark, ...]:
    """Every mark in the order of the calls.

    branches  the calls that do not go on from the call before
    taken     what the extraction rule says after each call: a mark where notes would have been taken
    """
    rows = [c.row for c in calls]
    found = [*_compactions(session, calls, rows), *_changes(session, calls), *_errors(session, rows)]
    found += [Mark(i, session.index.lines[rows[i]], BRANCH, "goes on from a row before the last call") for i in branches]
    found += [Mark(j.place + 1, session.index.lines[calls[j.place].last], NOTES, j.reason) for j in taken if j.extracts]
    return tuple(sorted(found, key=lambda m: (m.index, m.line)))


def _compactions(session: Session, calls: Sequence[Call], rows: Sequence[int]) -> Iterator[Mark]:
    for b, following in zip_longest(session.boundaries, session.boundaries[1:]):
        label = f"{b.trigger or 'unknown'} compaction" + (f" at {b.pre_tokens:,} tokens" if b.pre_tokens is not None else "")
        at = bisect_left(rows, b.place)
        until = len(session.index) if following is None else following.place
        call = calls[at] if at < len(calls) and rows[at] < until else None
        yield Mark(at, b.line, BOUNDARY, label, b.pre_tokens, _after(b, call))
    for m in session.microcompactions:
        saved = f", {m.tokens_saved:,} tokens saved" if m.tokens_saved is not None else ""
        yield Mark(bisect_left(rows, m.place), m.line, MICROCOMPACTION, f"{len(m.tool_ids)} old results cleared{saved}")


def _after(boundary: Boundary, call: Call | None) -> Figure:
    if call is not None:
        return exact(call.prompt, "the prompt of the next call")
    if boundary.post_tokens is not None:
        return Figure(boundary.post_tokens, LOWER_BOUND, "the boundary's postTokens: messages only")
    return unknown("no call since, and no count of its own")


def _changes(session: Session, calls: Sequence[Call]) -> Iterator[Mark]:
    models = [c.model for c in calls]
    versions = [session.version_at(c.row) for c in calls] if len(session.index.versions) > 1 else []
    for kind, names in ((MODEL, models), (VERSION, versions)):
        for i in range(1, len(names)):
            if names[i] != names[i - 1]:
                yield Mark(i, session.index.lines[calls[i].row], kind, f"{names[i - 1] or '?'} → {names[i] or '?'}")


def _errors(session: Session, rows: Sequence[int]) -> Iterator[Mark]:
    """Errors that the agent showed, in its words; of the errors it retried after, one mark for each stretch of them."""
    index, tree = session.index, session.tree
    retried = index.kind_codes(RETRY_KIND)
    stretches: dict[int, list[int]] = {}
    for place, flags in enumerate(index.flags):
        if flags & API_ERROR and tree.is_main(place):
            words = " ".join("".join(b.head for b in session.row(place).blocks).split())
            yield Mark(bisect_left(rows, place), index.lines[place], ERROR, words or "an error without words")
        elif index.kinds[place] in retried and tree.is_main(place):
            stretches.setdefault(bisect_left(rows, place), []).append(place)
    for at, places in stretches.items():
        yield Mark(at, index.lines[places[0]], ERROR, f"{len(places)} error{'s' * (len(places) > 1)} of the API, retried")
