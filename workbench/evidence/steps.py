"""What stands between a call and the next: its reply, and what was added after it (spec 2, sections 3, 4 and 9).

Found from the links of the index alone; whoever needs texts decodes just these rows.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from ..conversation.row import ASSISTANT, USER
from ..transcript.index import CALL, NONE, RESULT, Call
from ..transcript.session import Session

ATTACHMENT = "attachment"


@dataclass(frozen=True, slots=True)
class Step:
    """Rows, as places in the index, from a call up to a point behind it.

    reply    the rows of its reply, each once
    after    rows that may be sent and were added after the reply, in file order
    follows  whether the point goes on from the reply; if not, `after` holds only the results of its calls
    """

    call: Call
    reply: tuple[int, ...]
    after: tuple[int, ...]
    follows: bool


def has_boundary(session: Session, before: Call, after: Call) -> bool:
    """Whether a compaction stands between two calls."""
    return any(before.row < place < after.row for place in session.tree.boundaries)


def steps_of(session: Session, calls: list[Call]) -> Iterator[tuple[Step, Call | None]]:
    """Each call's step up to the next call (named beside it), or, without one, up to the boundary behind it or the file's end."""
    boundaries = sorted(session.tree.boundaries)
    for call, following in zip_longest(calls, calls[1:]):
        at = bisect_left(boundaries, call.row)
        boundary = boundaries[at] if at < len(boundaries) else None
        if boundary is not None and (following is None or boundary < following.row):
            yield step_to(session, call, boundary), None
        elif following is not None:
            yield step_to(session, call, following.row), following
        else:
            yield step_to(session, call, session.tree.limit), None


def step_to(session: Session, call: Call, end: int) -> Step:
    """The step from a call up to the row at `end` (without it), which is a call, a boundary, or the number of rows."""
    index, tree = session.index, session.tree
    number = index.messages[call.row]
    reply: dict[str | None, int] = {}
    for place in range(call.row, end):
        if index.messages[place] == number and tree.is_main(place):
            reply.setdefault(index.uuids[place], place)
    rows = tuple(reply.values())
    if end == tree.limit and (loaded := _loaded(session, call)) is not None:
        return Step(call, rows, loaded, True)
    is_call = end < tree.limit and index.messages[end] != NONE
    path, follows = _path(session, call, _parent(session, end) if is_call else tree.before(end))
    results = set(_results(session, set(rows), call.row, end))
    found = (path | results if follows else results) - set(rows)
    return Step(call, rows, tuple(p for p in sorted(found) if _may_be_sent(session, p)), follows)


def _loaded(session: Session, call: Call) -> tuple[int, ...] | None:
    """What the agent would load behind a call at the end of the file; None for a call that is not on that chain."""
    index, places = session.index, session.chain.places
    number = index.messages[call.row]
    first = next((i for i, p in enumerate(places) if index.messages[p] == number), None)
    if first is None or (session.chain.boundary is not None and call.row < session.chain.boundary):
        return None
    return tuple(p for p in places[first:] if index.messages[p] != number and _may_be_sent(session, p))


def _path(session: Session, call: Call, start: int) -> tuple[set[int], bool]:
    """The rows above `start` down to the call, gaps bridged, and whether they lead to the call's reply."""
    number, found, follows = session.index.messages[call.row], set[int](), False
    place = start
    while place >= call.row and place not in found:
        found.add(place)
        follows = follows or session.index.messages[place] == number
        place = _parent(session, place)
    return found, follows


def _parent(session: Session, place: int) -> int:
    """The parent as written, bridged to the row before where it is not in the file so far; NONE at a root."""
    index = session.index
    parent = index.parents[place]
    if parent > place or place in index.dangling:
        return session.tree.before(place)
    return parent


def _results(session: Session, reply: set[int], first: int, end: int) -> Iterator[int]:
    """Rows with results of the reply's calls."""
    rows, hashes, roles = session.index.tools()
    tools = range(bisect_left(rows, first), bisect_left(rows, end))
    calls = {hashes[n] for n in tools if roles[n] == CALL and rows[n] in reply}
    for n in tools:
        if roles[n] == RESULT and hashes[n] in calls:
            yield rows[n]


def _may_be_sent(session: Session, place: int) -> bool:
    kind = session.index.kind(place)
    return session.tree.is_main(place) and (kind in (USER, ASSISTANT) or kind.startswith(ATTACHMENT))
