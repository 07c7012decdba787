"""What the Pairs tab shows: calls beside their results, what is wrong with a pair, and what a cut before it would part.

Pairs are counted as `inspect` counts them (spec 3, invariants 9-13 and 16); the rules of a cut are those of spec 1, section 9.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..compaction.cut import suffix_cut
from ..conversation.block import Block
from ..conversation.pairing import ANSWERED, MISPLACED, UNANSWERED, Pair, Pairs, pair_up
from ..conversation.row import USER, Message, Part, Row
from .state import ERRORS, FAULTY
from .view import Column, Item

if TYPE_CHECKING:
    from .opened import Opened

ERROR, INTERRUPTED, UNPAIRED = "error", "interrupted", "unpaired"

_INTERRUPTION = "[Request interrupted"  # how the agent words what the user's Esc leaves behind


@dataclass(frozen=True, slots=True)
class PairLine:
    """A call with its result; both are indices into the column's items, None where that half is not in the array.

    status  answered | error (answered, by an error) | interrupted (no result, since the user broke off) | unanswered
            | unasked | misplaced | duplicate | unpaired (a server tool's block without its other half)
    """

    id: str
    tool: str
    status: str
    call: int | None
    result: int | None

    @property
    def is_faulty(self) -> bool:
        """Whether the API would refuse the array because of it."""
        return self.status not in (ANSWERED, ERROR)


@dataclass(frozen=True, slots=True)
class PairsView:
    """The pairs of one array. `pairs` holds the counts of `inspect`; `rows` are the array's rows for cuts."""

    items: tuple[Item, ...]
    lines: tuple[PairLine, ...]
    pairs: Pairs
    rows: tuple[Row, ...]
    row_of: tuple[int, ...]  # for each item, the position of its row in `rows`

    @property
    def counts(self) -> dict[str, int]:
        """{status: lines of it}."""
        return dict(Counter(line.status for line in self.lines))


@dataclass(frozen=True, slots=True)
class CutHere:
    """A cut right before a row: where it stands, which pairs it would part, and the row it would move back to.

    item, moved  indices of items: the first of the row asked for, and of the row a cut may really stand before
    splits       id of the reply it would split; "" for none
    parted       the pairs whose call and result would stand on different sides
    """

    item: int
    moved: int
    splits: str
    parted: tuple[PairLine, ...]

    @property
    def is_valid(self) -> bool:
        return self.moved == self.item


def pairs_view(column: Column) -> PairsView:
    """Every pair of a column's array, in the order of the calls."""
    messages = _messages(column.items)
    pairs = pair_up(messages)
    places = _Places(column.items)
    lines = [_line(pair, messages, places) for pair in pairs.pairs]
    rows, row_of = _rows(column.items)
    ordered = sorted([*_joined(lines), *_server_lines(column.items)], key=_first)
    return PairsView(column.items, tuple(ordered), pairs, rows, row_of)


def shown_pairs(view: PairsView, wanted: str) -> tuple[int, ...]:
    """Indices of the lines that a filter (ALL, FAULTY, ERRORS) lets through."""
    if wanted == FAULTY:
        return tuple(i for i, line in enumerate(view.lines) if line.is_faulty)
    if wanted == ERRORS:
        return tuple(i for i, line in enumerate(view.lines) if _is_error(view, line))
    return tuple(range(len(view.lines)))


def cut_before(view: PairsView, line: PairLine) -> CutHere:
    """What a cut right before the row of a pair's call (of its result, where there is no call) would part."""
    item = _first(line)
    at = view.row_of[item]
    used = suffix_cut(view.rows, at).used
    reply = view.rows[at].message_id or ""
    split = bool(reply) and any(row.message_id == reply for row in view.rows[:at])
    parted = tuple(each for each in view.lines if _is_parted(view, each, at))
    return CutHere(view.row_of.index(at), view.row_of.index(used), reply if split else "", parted)


def whole(opened: Opened, item: Item) -> tuple[Block, bytes | None]:
    """An item's block with its body, and the bytes of its record; those made here have none."""
    row = item.row
    if row is None or row.place < 0:
        return item.block, None
    session = opened.session
    if item.block.body is not None:
        return item.block, session.raw(row.place)
    found = next((b for b in session.row(row.place).blocks if b.slim() == item.block), item.block)
    return found, session.raw(row.place)


def _is_parted(view: PairsView, line: PairLine, at: int) -> bool:
    if line.call is None or line.result is None:
        return False
    low, high = sorted((view.row_of[line.call], view.row_of[line.result]))
    return low < at <= high


def _is_error(view: PairsView, line: PairLine) -> bool:
    return line.result is not None and view.items[line.result].block.error


def _first(line: PairLine) -> int:
    found = line.call if line.call is not None else line.result
    return found if found is not None else 0


def _messages(items: Sequence[Item]) -> list[Message]:
    parts: dict[int, list[Part]] = defaultdict(list)
    roles: dict[int, str] = {}
    for item in items:
        parts[item.message].append(Part(item.block, item.row))
        roles[item.message] = item.role
    return [Message(roles[n], tuple(parts[n])) for n in sorted(parts)]


class _Places:
    """Finds the item of a block by message, kind and id; of several alike, one after the other."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._found: dict[tuple[int, str, str], deque[int]] = defaultdict(deque)
        for at, item in enumerate(items):
            self._found[item.message, item.block.kind, item.block.call].append(at)

    def take(self, message: int | None, kind: str, call: str) -> int | None:
        if message is None or not (found := self._found[message, kind, call]):
            return None
        return found.popleft() if len(found) > 1 else found[0]


def _line(pair: Pair, messages: Sequence[Message], places: _Places) -> PairLine:
    call = places.take(pair.call, "tool_use", pair.id)
    result = places.take(pair.result, "tool_result", pair.id)
    return PairLine(pair.id, pair.name, _status(pair, messages), call, result)


def _status(pair: Pair, messages: Sequence[Message]) -> str:
    if pair.status == ANSWERED:
        return ERROR if pair.error else ANSWERED
    if pair.status == UNANSWERED and pair.call is not None and pair.call + 1 < len(messages):
        following = messages[pair.call + 1]
        if following.role == USER and any(b.head.startswith(_INTERRUPTION) for b in following.blocks if b.kind == "text"):
            return INTERRUPTED
    return pair.status


def _joined(lines: Sequence[PairLine]) -> list[PairLine]:
    """A misplaced call and its misplaced result on one line, so that one sees from where to where."""
    results = {line.id: line for line in reversed(lines) if line.status == MISPLACED and line.call is None}
    joined: list[PairLine] = []
    for line in lines:
        if line.status == MISPLACED and line.call is not None and line.id in results:
            joined.append(replace(line, result=results.pop(line.id).result))
        elif line.status != MISPLACED or line.call is not None:
            joined.append(line)
    return [*joined, *results.values()]


def _server_lines(items: Sequence[Item]) -> list[PairLine]:
    """Calls that the API answers itself, within one message."""
    calls = {(i.message, i.block.call): at for at, i in enumerate(items) if i.block.is_server}
    results = {(i.message, i.block.call): at for at, i in enumerate(items) if i.block.is_server_result}
    lines = []
    for key in dict.fromkeys((*calls, *results)):
        call, result = calls.get(key), results.get(key)
        status = UNPAIRED if call is None or result is None else ANSWERED
        name = items[call].block.name if call is not None else items[result or 0].block.kind
        lines.append(PairLine(key[1], name, status, call, result))
    return lines


def _rows(items: Sequence[Item]) -> tuple[tuple[Row, ...], tuple[int, ...]]:
    """The rows of an array in order, holding what the array holds of them; a message without rows counts as one."""
    positions: dict[tuple[int, str], int] = {}
    found: list[tuple[Item, list[Item]]] = []
    row_of = []
    for item in items:
        key = (item.row.place, item.row.uuid) if item.row is not None else (-2, f"message:{item.message}")
        if key not in positions:
            positions[key] = len(found)
            found.append((item, []))
        row_of.append(positions[key])
        found[positions[key]][1].append(item)
    return tuple(_row(first, inside) for first, inside in found), tuple(row_of)


def _row(first: Item, items: Sequence[Item]) -> Row:
    row = first.row or Row(-1, None, f"message:{first.message}", first.role, first.role)
    return replace(row, blocks=tuple(item.block for item in items))
