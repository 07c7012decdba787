"""Two arrays held against each other, message by message: what stayed, what changed, what went and what came.

Messages are the same ones when they hold rows of the same uuid, wherever they stand; text is never guessed to be alike.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..conversation.block import Block
from ..conversation.row import Message, Part

SAME, CHANGED, REMOVED, ADDED = "same", "changed", "removed", "added"


@dataclass(frozen=True, slots=True)
class Match:
    """One line of a comparison: positions in both sequences, None on the side where there is nothing."""

    before: int | None
    after: int | None
    state: str


def align_messages(before: Sequence[Message], after: Sequence[Message]) -> tuple[Match, ...]:
    """Every message of both arrays once, in an order that is that of both; what went stands before what came."""
    where = {row.uuid: at for at, message in reversed(list(enumerate(after))) for row in message.rows}
    partners = [next((where[r.uuid] for r in m.rows if r.uuid in where), None) for m in before]
    return tuple(_merged(len(before), len(after), _increasing(partners), lambda i, j: _alike(before[i], after[j])))


def align_parts(before: Message, after: Message) -> tuple[Match, ...]:
    """The blocks of a message that stands on both sides."""
    places: dict[tuple[str, str, str], list[int]] = {}
    for at, part in enumerate(after.parts):
        places.setdefault(_key(part), []).append(at)
    partners = [found.pop(0) if (found := places.get(_key(part))) else None for part in before.parts]
    return tuple(
        _merged(
            len(before.parts),
            len(after.parts),
            _increasing(partners),
            lambda i, j: _equal(before.parts[i].block, after.parts[j].block),
        )
    )


def _key(part: Part) -> tuple[str, str, str]:
    return (part.row.uuid if part.row is not None else "", part.block.kind, part.block.call)


def _alike(one: Message, other: Message) -> bool:
    pairs = zip(one.parts, other.parts, strict=False)
    return len(one.parts) == len(other.parts) and all(_equal(a.block, b.block) for a, b in pairs)


def _equal(one: Block, other: Block) -> bool:
    return one is other or one == other


def _increasing(partners: Sequence[int | None]) -> dict[int, int]:
    """The most pairs that can be drawn without crossing: {position before: position after}, both rising."""
    tails: list[int] = []  # the least end of a rising run of each length
    ends: list[int] = []  # and where it stands before
    previous: dict[int, int | None] = {}
    for at, partner in enumerate(partners):
        if partner is None:
            continue
        length = bisect_left(tails, partner)
        previous[at] = ends[length - 1] if length else None
        tails[length:] = [partner, *tails[length + 1 :]]
        ends[length:] = [at, *ends[length + 1 :]]
    found: dict[int, int] = {}
    at_last = ends[-1] if ends else None
    while at_last is not None:
        partner = partners[at_last]
        if partner is not None:
            found[at_last] = partner
        at_last = previous[at_last]
    return dict(sorted(found.items()))


def _merged(before: int, after: int, pairs: dict[int, int], alike: Callable[[int, int], bool]) -> Iterator[Match]:
    at_before = at_after = 0
    for i, j in (*pairs.items(), (before, after)):
        yield from (Match(k, None, REMOVED) for k in range(at_before, i))
        yield from (Match(None, k, ADDED) for k in range(at_after, j))
        if i < before:
            yield Match(i, j, SAME if alike(i, j) else CHANGED)
        at_before, at_after = i + 1, j + 1
