"""Facts about the tree and the file as a whole (spec 5, `tree` and `pairs.file`)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .chain import Chain, Tree, walk
from .index import CALL, NONE
from .session import Session


@dataclass(frozen=True, slots=True)
class TreeFacts:
    """Uuids of what stands out in the tree; `nodes` counts distinct uuids, `duplicate_rows` the rows beyond them."""

    nodes: int
    duplicate_rows: int
    roots: tuple[str, ...]
    dangling: tuple[str, ...]
    conflicting: tuple[str, ...]
    leaves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePairs:
    """Calls and results over all records, by id, whatever their place."""

    calls: int
    results: int
    unanswered: tuple[str, ...]
    unasked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OddParent:
    """A row whose parentUuid is no uuid; `is_root`: the agent takes it for none and loads nothing before the row."""

    line: int
    uuid: str
    parent: str
    is_root: bool


def odd_parents(session: Session) -> tuple[OddParent, ...]:
    """Every row whose parentUuid is neither a uuid nor null, in file order."""
    index = session.index
    found = sorted(index.odd_parents.items())
    return tuple(OddParent(index.lines[p], index.uuids[p] or "", parent, p not in index.dangling) for p, parent in found)


def tree_facts(session: Session, chain: Chain) -> TreeFacts:
    """Roots, dangling parents, conflicting uuids and leaves of the file."""
    index = session.index
    rows = sum(uuid is not None for uuid in index.uuids)
    extra = sum(len(places) - 1 for places in index.duplicates.values())
    return TreeFacts(
        nodes=rows - extra,
        duplicate_rows=extra,
        roots=tuple(dict.fromkeys(_uuids(session, index.roots))),
        dangling=tuple(dict.fromkeys(index.dangling.values())),
        conflicting=tuple(u for u, places in index.duplicates.items() if _differ(session, places)),
        leaves=tuple(dict.fromkeys(_uuids(session, leaf_places(session.tree, chain)))),
    )


def _differ(session: Session, places: Sequence[int]) -> bool:
    """Whether rows of one uuid are more than one record."""
    return not all(any(session.is_same(p, place) for p in places[:at]) for at, place in enumerate(places[1:], 1))


def leaf_places(tree: Tree, chain: Chain) -> list[int]:
    """Main-chain conversation rows since the last boundary without a conversation row below them, joined ones left out."""
    first = tree.boundary.place if tree.boundary is not None else NONE
    rows = [place for place in range(first + 1, tree.limit) if tree.is_conversation(place)]
    has_below: set[int] = set()
    for place in reversed(rows):
        at = tree.parent(place)
        while at not in (NONE, place) and at not in has_below:
            has_below.add(at)
            if at > first and tree.is_conversation(at):  # kept rows stand before the boundary and are passed through
                break
            at = tree.parent(at)
    return [place for place in rows if place not in chain.joined and not has_below.intersection(_copies(tree, place))]


def _copies(tree: Tree, place: int) -> Sequence[int]:
    """The rows that have a row's uuid, itself among them."""
    return tree.index.duplicates.get(tree.index.uuids[place] or "", (place,))


def dead_replies(tree: Tree, chain: Chain) -> int:
    """Assistant rows since the last boundary that the chain leaves out."""
    first = tree.boundary.place if tree.boundary is not None else NONE
    inside = set(chain.places)
    codes = tree.index.kind_codes("assistant")
    return sum(tree.index.kinds[p] in codes and tree.is_conversation(p) and p not in inside for p in range(first + 1, tree.limit))


def boundaries_in_history(tree: Tree, chain: Chain) -> frozenset[int]:
    """The boundary that the chain starts behind, and those before it: each was on the chain in its time."""
    named = [(boundary.logical_parent, at) for at, boundary in tree.boundaries.items() if boundary.logical_parent]
    parents = dict(zip((at for _, at in named), tree.index.find_each(named), strict=True))
    found: set[int] = set()
    at = chain.boundary
    while at is not None and at not in found:
        found.add(at)
        before = parents.get(at)
        start = before if before is not None and before < at else tree.before(at)
        then = tree.before_boundary(at)
        at = next((p for p in walk(then, start) if p in then.boundaries), None)
    return frozenset(found)


def file_pairs(session: Session) -> FilePairs:
    """Every call and result of the file by id; names are read from the rows only for those without a partner."""
    rows, hashes, roles = session.index.tools()
    calls: dict[int, int] = {}
    results: dict[int, int] = {}
    for row, call, role in zip(rows, hashes, roles, strict=True):
        (calls if role == CALL else results).setdefault(call, row)
    count = sum(role == CALL for role in roles)
    return FilePairs(
        calls=count,
        results=len(roles) - count,
        unanswered=_names(session, "tool_use", {h: r for h, r in calls.items() if h not in results}),
        unasked=_names(session, "tool_result", {h: r for h, r in results.items() if h not in calls}),
    )


def _names(session: Session, kind: str, wanted: dict[int, int]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for row in session.rows(sorted(set(wanted.values()))):
        for block in row.blocks:
            if block.kind == kind and hash(block.call) in wanted:
                names[block.call] = None
    return tuple(names)


def _uuids(session: Session, places: Iterable[int]) -> tuple[str, ...]:
    uuids = session.index.uuids
    return tuple(u for p in places if (u := uuids[p]) is not None)
