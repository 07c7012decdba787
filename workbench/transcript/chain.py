"""The living branch: which rows the agent loads, and in which order (spec 6, section 4; spec 2, sections 4 and 5)."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .boundary import Boundary
from .index import CALL, NONE, RESULT, SIDECHAIN, UNREAD, Index

CONVERSATION = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Chain:
    """Rows as places in the index, in the order in which the agent loads them.

    leaf      the conversation row it ends with; None in a file without one
    boundary  the compaction it starts behind; None: from the root
    kept      rows of the boundary's preserved segment, in order
    gaps      rows whose parent was missing (or led past the boundary, or round in a circle) and was bridged to the row before
    circle    the first row whose parent leads back to a row below it; None where the links reach a root by themselves
    joined    rows added by widening: pieces of replies on the chain, results of calls on the chain
    """

    places: tuple[int, ...] = ()
    leaf: int | None = None
    is_sub_agent: bool = False
    circle: int | None = None
    boundary: int | None = None
    kept: tuple[int, ...] = ()
    gaps: tuple[int, ...] = ()
    joined: frozenset[int] = field(default_factory=frozenset)

    @property
    def ends_in_cycle(self) -> bool:
        """Whether the links by themselves never reach a root."""
        return self.circle is not None


class Tree:
    """The links of an index up to a point, with kept rows re-linked as the agent does when it loads the file.

    boundaries  each once: a copy of one is taken for the first
    side        only the rows of the sub-agents that an old version wrote into the file of their session
    is_sub_agent  whether every conversation row is a sub-agent's, where that is known
    """

    def __init__(
        self,
        index: Index,
        boundaries: tuple[Boundary, ...],
        limit: int | None = None,
        *,
        side: bool = False,
        is_sub_agent: bool | None = None,
    ) -> None:
        self.index = index
        self.limit = len(index) if limit is None else limit
        self._conversation = index.kind_codes(*CONVERSATION)
        self.is_sub_agent = side or (_all_sidechain(index, self._conversation) if is_sub_agent is None else is_sub_agent)
        self._wanted = SIDECHAIN if side else 0
        self._judged = UNREAD if self.is_sub_agent and not side else UNREAD | SIDECHAIN
        self._first = _copies(index, boundaries)
        earlier = [b for b in boundaries if b.place < self.limit and self.is_main(b.place)]
        self.boundaries = {b.place: b for b in earlier}
        self.boundary = earlier[-1] if earlier else None
        self.kept: tuple[int, ...] = ()
        self.anchor: int | None = None
        self._moved: dict[int, int] = {}
        if self.boundary is not None:
            self._relink(self.boundary)

    def before_boundary(self, place: int) -> "Tree":
        """The links as they were when the boundary at a place was written: kept rows are those of the one before it."""
        return Tree(self.index, tuple(self.boundaries.values()), place, side=bool(self._wanted), is_sub_agent=self.is_sub_agent)

    def is_main(self, place: int) -> bool:
        """A row of the main chain that the agent reads at all."""
        return self.index.flags[place] & self._judged == self._wanted

    def takes(self, *, sidechain: bool) -> bool:
        """Whether rows that are marked so, or are not, belong to it."""
        return (SIDECHAIN if sidechain else 0) & self._judged == self._wanted

    def is_conversation(self, place: int) -> bool:
        """A main-chain user or assistant row."""
        index = self.index
        return index.kinds[place] in self._conversation and index.uuids[place] is not None and self.is_main(place)

    def parent(self, place: int) -> int:
        """Place of the parent as loaded; NONE at a root or where the parent is not in the file."""
        moved = self._moved.get(place)
        if moved is not None:
            return moved
        found = self.index.parents[place]
        return self._first.get(found, found) if self._is_there(found) else NONE

    def _is_there(self, place: int) -> bool:
        return place < self.limit and (place == NONE or not self.index.flags[place] & UNREAD)

    def is_gap(self, place: int) -> bool:
        """Whether the row names a parent that is not in the file (up to the limit)."""
        return place not in self._moved and (place in self.index.dangling or not self._is_there(self.index.parents[place]))

    def before(self, place: int) -> int:
        """The main-chain node before a row in file order: what a missing parent is bridged to."""
        place -= 1
        while place >= 0 and (self.index.uuids[place] is None or not self.is_main(place)):
            place -= 1
        return place

    def last(self, *, conversation: bool) -> int | None:
        """The last main-chain row: a user or assistant row, or any node; a row written again stands where it stood first."""
        uuids = self.index.uuids
        for place in range(self.limit - 1, -1, -1):
            if self.index.is_repeated(place):
                continue
            if self.is_conversation(place) if conversation else uuids[place] is not None and self.is_main(place):
                return place
        return None

    def _relink(self, boundary: Boundary) -> None:
        """Hangs the kept rows on the anchor one after the other; what hung on the anchor follows the last of them."""
        kept = kept_places(self.index, boundary, self.limit)
        anchor = self.index.find(boundary.anchor) if boundary.anchor else None
        if not kept or anchor is None or anchor >= self.limit:
            return
        self.kept, self.anchor = kept, anchor
        previous = anchor
        for place in kept:
            self._moved[place] = previous
            previous = place
        inside = set(kept)
        for place in range(boundary.place + 1, self.limit):
            parent = self.index.parents[place]
            if place not in inside and (parent == anchor and place != anchor):
                self._moved[place] = kept[-1]


def kept_places(index: Index, boundary: Boundary, limit: int | None = None) -> tuple[int, ...]:
    """Places of the preserved rows: the list where it is given, else the segment from tail to head; () if one is missing."""
    limit = len(index) if limit is None else limit
    if not boundary.is_kept_read:
        return ()
    if boundary.kept_uuids:
        found = index.find_all(boundary.kept_uuids, before=boundary.place)
        places = [p for p in found if p is not None and p < limit]
        return tuple(dict.fromkeys(places)) if len(places) == len(found) else ()
    if not boundary.head or not boundary.tail:
        return ()
    head, at = index.find(boundary.head, before=boundary.place), index.find(boundary.tail, before=boundary.place)
    walked: dict[int, None] = {}
    while head is not None and at is not None and at != NONE and at not in walked:
        walked[at] = None
        if at == head:
            return tuple(reversed(walked))
        at = index.parents[at]
    return ()


def _copies(index: Index, boundaries: tuple[Boundary, ...]) -> dict[int, int]:
    """{a copy of a boundary: the boundary}, as places."""
    known = {b.place for b in boundaries}
    return {
        copy: b.place
        for b in boundaries
        for copy in index.duplicates.get(b.uuid, ())
        if copy not in known and index.kinds[copy] == index.kinds[b.place]
    }


def _all_sidechain(index: Index, conversation: frozenset[int]) -> bool:
    flags = [index.flags[p] for p, kind in enumerate(index.kinds) if kind in conversation]
    return bool(flags) and all(flag & SIDECHAIN for flag in flags)


def load_chain(tree: Tree, leaf: int | None = None) -> Chain:
    """The chain that the agent loads on resume; with `leaf`, the branch that ends at that row."""
    if leaf is None:
        leaf = choose_leaf(tree)
    return _chain(tree, leaf, strict=False)


def chain_before(tree: Tree) -> Chain:
    """The chain right before the tree's limit: every gap bridged, never past the previous boundary (spec 5, "At a point")."""
    return _chain(tree, tree.last(conversation=False), strict=True)


def choose_leaf(tree: Tree) -> int | None:
    """The row named by the last `last-prompt`, unless the last conversation row descends from it (spec 6, section 4).

    One that stands before the last boundary, or names no row, says nothing any more.
    """
    last = tree.last(conversation=True)
    named: int | None = None
    for place, uuid in reversed(tree.index.last_prompts):
        if uuid and place < tree.limit and not tree.index.has(place, UNREAD):
            since_boundary = tree.boundary is None or place > tree.boundary.place
            named = tree.index.find(uuid, before=place) if since_boundary else None
            break
    if named is None or named >= tree.limit or not tree.is_main(named):
        named = None
    if last is None or named is None:
        return last if named is None else named
    return last if _descends(tree, last, named) else named


def _descends(tree: Tree, place: int, ancestor: int) -> bool:
    return ancestor in walk(tree, place)


def walk(tree: Tree, place: int | None) -> Iterator[int]:
    """Parents from a row up to a root or a boundary, gaps and circles bridged; the row itself first."""
    seen: set[int] = set()
    while place is not None and place != NONE and place not in seen:
        seen.add(place)
        yield place
        if place in tree.boundaries:
            return
        parent = tree.parent(place)
        place = tree.before(place) if tree.is_gap(place) or parent in seen else parent


def _chain(tree: Tree, leaf: int | None, *, strict: bool) -> Chain:
    upwards: list[int] = []
    gaps: list[int] = []
    seen: set[int] = set()
    kept = set(tree.kept)
    floor = tree.boundary.place if strict and tree.boundary is not None else NONE
    if tree.kept and tree.boundary is not None and leaf == tree.anchor:
        leaf = tree.kept[-1]
    place = NONE if leaf is None else leaf
    circle: int | None = None
    while place != NONE:
        seen.add(place)
        upwards.append(place)
        if place in tree.boundaries:
            break
        parent = tree.parent(place)
        astray = NONE < parent < floor and parent not in kept
        if parent in seen and circle is None:
            circle = place
        if tree.is_gap(place) or astray or parent in seen:
            before = tree.before(place)
            if before == NONE or before in seen or place in kept or (place > floor > before):
                break
            gaps.append(place)
            parent = before
        place = parent
    path = upwards[::-1]
    boundary = path[0] if path and path[0] in tree.boundaries else None
    on_path = tuple(p for p in tree.kept if p in seen) if boundary is not None else ()
    joined = _widen(tree, path, boundary, on_path)
    return Chain(
        places=_merge(path, joined, set(on_path)),
        leaf=_conversation_at_or_above(tree, path),
        is_sub_agent=tree.is_sub_agent,
        circle=circle,
        boundary=boundary,
        kept=on_path,
        gaps=tuple(gaps),
        joined=frozenset(joined),
    )


def _conversation_at_or_above(tree: Tree, path: list[int]) -> int | None:
    return next((p for p in reversed(path) if tree.is_conversation(p)), None)


def _widen(tree: Tree, path: list[int], boundary: int | None, kept: tuple[int, ...]) -> list[int]:
    """Rows of replies and results of calls on the path, from behind the boundary; results of kept calls from before it too."""
    index = tree.index
    inside = set(path)
    first = NONE if boundary is None else boundary
    replies = {index.messages[p] for p in path if index.messages[p] != NONE and p > first}
    joined = [
        place
        for place in range(first + 1, tree.limit)
        if index.messages[place] in replies and place not in inside and tree.is_main(place) and index.uuids[place] is not None
    ]
    joined = [place for place in joined if not _is_copy(index, place, inside)]
    inside.update(joined)
    return sorted(joined + _missing_results(tree, inside, first, set(kept)))


def _is_copy(index: Index, place: int, inside: set[int]) -> bool:
    """Whether another row of the same uuid is on the path: the agent loads a uuid once."""
    copies = index.duplicates.get(index.uuids[place] or "", ())
    return any(copy in inside for copy in copies)


def _missing_results(tree: Tree, inside: set[int], first: int, kept: set[int]) -> list[int]:
    rows, hashes, roles = tree.index.tools()
    calls: set[int] = set()
    kept_calls: set[int] = set()
    answered: set[int] = set()
    outside: list[tuple[int, int]] = []
    for row, call, role in zip(rows, hashes, roles, strict=True):
        if row >= tree.limit or not call:
            continue
        if row not in inside:
            if role == RESULT:
                outside.append((row, call))
        elif role == CALL:
            (kept_calls if row in kept else calls).add(call)
        else:
            answered.add(call)
    found: dict[int, None] = {}
    for row, call in outside:
        wanted = call in kept_calls or (call in calls and row > first)
        if wanted and call not in answered and tree.is_main(row) and tree.index.uuids[row] is not None:
            found[row] = None
            answered.add(call)
    return list(found)


def _merge(path: list[int], joined: list[int], kept: set[int]) -> tuple[int, ...]:
    """Each joined row behind the nearest earlier row of the path, kept rows among kept ones."""
    if not joined:
        return tuple(path)
    floor = path[0] if path else NONE
    pools = sorted(p for p in path if p not in kept), sorted(kept & set(path))
    behind: Mapping[int, list[int]] = {p: [] for p in path}
    for place in joined:
        pool = pools[0] if place >= floor or not kept else pools[1]
        at = bisect_left(pool, place)
        behind[pool[max(at - 1, 0)] if pool else path[0]].append(place)
    return tuple(step for p in path for step in (p, *behind[p]))
