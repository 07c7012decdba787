"""The preserved part of the last boundary: can it be loaded, and does its cut part what belongs together?

The cut moves back, never forward, until every kept result has its call and no reply is split (spec 3, end). What the
agent does with a part it cannot resolve: all of it is ignored (spec 6, section 4).
"""

from dataclasses import dataclass

from ..transcript.boundary import Boundary
from ..transcript.chain import kept_places
from ..transcript.index import CALL, NONE, RESULT, Index
from ..transcript.session import Session


@dataclass(frozen=True, slots=True)
class KeptFault:
    """A preserved part that does not hold.

    missing   uuids that it names and the file lacks, or where the walk from tail to head breaks off
    calls     hashes of the calls that the cut parts from their results
    split     places of replies whose first rows the cut leaves out
    proposal  the places that should be kept instead; None where the file does not hold what is needed
    """

    boundary: Boundary
    kept: tuple[int, ...]
    missing: tuple[str, ...]
    calls: frozenset[int]
    split: tuple[int, ...]
    proposal: tuple[int, ...] | None


def kept_fault(session: Session) -> KeptFault | None:
    """What is wrong with the preserved part of the last boundary; None where there is none, or it is sound."""
    boundary, index = session.tree.boundary, session.index
    if boundary is None or not boundary.keeps_rows or not boundary.is_kept_read:
        return None
    kept = kept_places(index, boundary)
    anchor = None if boundary.anchor is None else index.find(boundary.anchor)
    anchored = anchor is not None and anchor not in kept  # a kept row that hangs on itself leads nowhere
    missing: tuple[str, ...] = () if anchored else (boundary.anchor or "the anchor",)
    base = kept
    if not kept:
        base, lacking = _present(index, boundary)
        missing += lacking
    ties = _Ties(index, boundary.place)
    calls, split = ties.parted(base), ties.split(base)
    if kept and anchored and not calls and not split:
        return None
    proposal = ties.close(base) if base and anchored else None
    if proposal == kept or not all(_can_be_kept(session, boundary, place) for place in proposal or ()):
        proposal = None
    return KeptFault(boundary, kept, missing, calls, split, proposal)


def _can_be_kept(session: Session, boundary: Boundary, place: int) -> bool:
    """Whether a row stands before the boundary, its name means it, and it is no boundary itself, which would end the chain."""
    index = session.index
    return (
        place < boundary.place
        and index.find(index.uuids[place] or "", before=boundary.place) == place
        and place not in session.tree.boundaries
    )


def _present(index: Index, boundary: Boundary) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The rows named that are there, and the names of those that are not."""
    if boundary.kept_uuids:
        places = {uuid: index.find(uuid, before=boundary.place) for uuid in boundary.kept_uuids}
        return tuple(p for p in places.values() if p is not None), tuple(u for u, p in places.items() if p is None)
    names = (boundary.head or "", boundary.tail or "")
    return (), tuple(name for name in names if index.find(name) is None) or ("a row between head and tail",)


class _Ties:
    """What belongs together among the rows before a boundary."""

    def __init__(self, index: Index, limit: int) -> None:
        self.index = index
        self.limit = limit
        self.calls: dict[int, int] = {}
        self.of_row: dict[int, list[tuple[int, int]]] = {}
        for row, call, role in zip(*index.tools(), strict=True):
            if row < limit:
                self.of_row.setdefault(row, []).append((call, role))
                if role == CALL:
                    self.calls[call] = row

    def parted(self, kept: tuple[int, ...]) -> frozenset[int]:
        """The calls whose results are kept and which are not."""
        asked = {call for place in kept for call, role in self.of_row.get(place, ()) if role == CALL}
        return frozenset(
            call for place in kept for call, role in self.of_row.get(place, ()) if role == RESULT and call not in asked
        )

    def split(self, kept: tuple[int, ...]) -> tuple[int, ...]:
        """Earlier rows of kept replies that are not kept."""
        inside = set(kept)
        replies = {self.index.messages[p] for p in kept if self.index.messages[p] != NONE}
        if not replies:
            return ()
        first = min(kept)
        return tuple(p for p in range(first) if self.index.messages[p] in replies and p not in inside)

    def close(self, kept: tuple[int, ...]) -> tuple[int, ...] | None:
        """The kept rows with everything before them that they need; None where a call is not above them."""
        while needed := {self.calls.get(call, NONE) for call in self.parted(kept)} | set(self.split(kept)):
            above = self._up_to(kept[0], needed)
            if above is None:
                return None
            kept = above + kept
        return kept

    def _up_to(self, head: int, needed: set[int]) -> tuple[int, ...] | None:
        """The rows above a head, up to the last one needed; None where one of them is not above it."""
        above: list[int] = []
        place, left = self.index.parents[head], set(needed)
        seen = {head}
        while left and place != NONE and place not in seen:
            seen.add(place)
            above.append(place)
            left.discard(place)
            place = self.index.parents[place]
        return None if left else tuple(reversed(above))
