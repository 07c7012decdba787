"""Facts about the tree and the file as a whole (spec 5, `tree` and `pairs.file`)."""

from collections.abc import Iterable
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


def tree_facts(session: Session, chain: Chain) -> TreeFacts:
    """Roots, dangling parents, conflicting uuids and leaves of the file."""
    index = session.index
    rows = sum(uuid is not None for uuid in index.uuids)
    extra = sum(len(places) - 1 for places in index.duplicates.values())
    return TreeFacts(
        nodes=rows - extra,
        duplicate_rows=extra,
        roots=_uuids(session, index.roots),
        dangling=tuple(dict.fromkeys(index.dangling.values())),
        conflicting=tuple(u for u, places in index.duplicates.items() if len({index.parents[p] for p in places}) > 1),
        leaves=_uuids(session, leaf_places(session.tree, chain)),
    )


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
    return [place for place in rows if place not in has_below and place not in chain.joined]


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
        at = next((p for p in walk(tree, start) if p in tree.boundaries), None)
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
