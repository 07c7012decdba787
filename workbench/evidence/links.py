"""What is wrong with the links of a file: parents that are missing, uuids used twice, a cycle, a boundary bypassed.

Each problem is a value that names rows by their places, so that the doctor can tell it and the repair can mend it.
Rows before the last boundary are sealed: they are reported, never repaired (spec 3, "Which repair").
"""

from dataclasses import dataclass

from ..transcript.chain import CONVERSATION, Chain, Tree, chain_before, choose_leaf, walk
from ..transcript.index import NONE, SIDECHAIN, SUMMARY
from ..transcript.session import Session


@dataclass(frozen=True, slots=True)
class Dangling:
    """A row whose parent is not in the file; the agent takes the row before it (`bridge`, NONE for the first row)."""

    place: int
    parent: str
    bridge: int


@dataclass(frozen=True, slots=True)
class Copy:
    """A later row with the uuid of an earlier one.

    same  it is the same record once more, rather than another one
    goes  nothing would be missing without it; of a row that a compaction wrote again, what follows hangs on the copy
    """

    place: int
    first: int
    uuid: str
    same: bool
    goes: bool


@dataclass(frozen=True, slots=True)
class Bypass:
    """A continuation that does not hang behind the last boundary.

    first   its first row behind the boundary
    target  the row behind the boundary that it should hang on; None where the history was left behind on purpose
            or the boundary has no summary to go on from
    """

    boundary: int
    first: int
    target: int | None


def sealed_before(session: Session) -> int:
    """Rows at places below this one are never touched: that of the last boundary; 0 without one."""
    boundary = session.tree.boundary
    return 0 if boundary is None else boundary.place


def is_sealed(session: Session, place: int) -> bool:
    """Whether a row is never moved or linked: it stands before the last boundary, or its compaction says where it hangs."""
    return place < sealed_before(session) or place in session.tree.kept


def is_fixed(session: Session, place: int) -> bool:
    """Whether what a row says is never changed: it is sealed, or the summary of a compaction."""
    return is_sealed(session, place) or session.index.has(place, SUMMARY)


def is_ours(session: Session, place: int) -> bool:
    """A linked row of the main chain, or of the sub-agent whose file it is."""
    index = session.index
    return index.uuids[place] is not None and (session.tree.is_sub_agent or not index.has(place, SIDECHAIN))


def dangling(session: Session) -> tuple[Dangling, ...]:
    """Every row whose parent is not in the file, in file order; a boundary needs none."""
    tree = session.tree
    found = sorted((p, name) for p, name in session.index.dangling.items() if is_ours(session, p) and p not in tree.boundaries)
    return tuple(Dangling(place, name, tree.before(place)) for place, name in found)


def copies(session: Session) -> tuple[Copy, ...]:
    """Every row beyond the first of its uuid, in file order."""
    found = []
    sealed, parents = sealed_before(session), set(session.index.parents) if session.index.duplicates else set()
    for uuid, places in session.index.duplicates.items():
        for at, place in enumerate(places[1:], 1):
            same = next((p for p in places[:at] if session.is_same(p, place)), None)
            first = places[0] if same is None else same
            goes = same is not None and (first >= sealed or place not in parents)
            found.append(Copy(place, first, uuid, same is not None, goes))
    return tuple(sorted((c for c in found if is_ours(session, c.place)), key=lambda c: c.place))


def cycle_top(chain: Chain) -> int | None:
    """The row whose parent closes a cycle; None where the chain ends at a root."""
    return chain.circle


def path_of(chain: Chain) -> tuple[int, ...]:
    """The rows of a chain that follow from parent to child, without those that were joined in."""
    return tuple(p for p in chain.places if p not in chain.joined)


def opening(session: Session) -> int | None:
    """The first user or assistant row that is loaded, where it stands on the path itself: what is put before it comes first."""
    chain = session.chain
    first = next((p for p in chain.places if session.index.kind(p) in CONVERSATION), None)
    if first is None or chain.leaf is None or first in chain.joined or is_sealed(session, first):
        return None
    return first if chain.leaf >= sealed_before(session) else None  # else what is put there would be the newest row


def bypass(session: Session, chain: Chain) -> Bypass | None:
    """The continuation that goes past the last boundary; None where the chain starts behind it, or nothing follows it."""
    tree = session.tree
    boundary = tree.boundary
    if boundary is None or chain.boundary == boundary.place:
        return None
    path = path_of(chain)
    at = next((i for i, place in enumerate(path) if place > boundary.place), None)
    if not at:
        return None
    tail = path[at - 1]
    target = _end_of_summary(tree, boundary.place, path[at])
    fits = _hangs_on_tail(session, boundary.place, tail) and session.index.parents[path[at]] != target
    return Bypass(boundary.place, path[at], target if fits else None)


def _hangs_on_tail(session: Session, boundary: int, place: int) -> bool:
    """Whether nothing was said between a row and the boundary: then the row is the end of what was compacted."""
    before = Tree(session.index, session.boundaries, boundary)
    old = path_of(chain_before(before))
    if place not in old:
        return False
    return not any(before.is_conversation(p) for p in old[old.index(place) + 1 :])


def _end_of_summary(tree: Tree, boundary: int, until: int) -> int | None:
    """The last row before `until` that descends from the boundary, if its summary is among them."""
    behind = {boundary}
    summary = False
    last = None
    for place in range(boundary + 1, until):
        if tree.index.uuids[place] is not None and tree.is_main(place) and tree.parent(place) in behind:
            behind.add(place)
            summary |= tree.index.has(place, SUMMARY)
            last = place
    return last if summary else None


def left_branch(session: Session, chain: Chain) -> int | None:
    """The newest conversation row where it is not on the branch that the agent loads; None where it is."""
    tree = session.tree
    newest, leaf = tree.last(conversation=True), choose_leaf(tree)
    if newest is None or leaf is None or newest in chain.places or newest == leaf:
        return None
    return newest


def branch_length(session: Session, leaf: int, chain: Chain) -> int:
    """How many rows of the branch that ends at a leaf are not on the chain."""
    inside = set(chain.places)
    return sum(place != NONE and place not in inside for place in walk(session.tree, leaf))
