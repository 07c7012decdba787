"""Calls and their results, paired by adjacency as the API does it (spec 3, invariants 9-13 and 16).

Works on any array, whole or slim, and never raises.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .row import ASSISTANT, Message

ANSWERED, UNANSWERED, UNASKED, MISPLACED, DUPLICATE = "answered", "unanswered", "unasked", "misplaced", "duplicate"


@dataclass(frozen=True, slots=True)
class Pair:
    """A call and its result: indices of their messages in the array, None where the other half is missing there.

    status  answered | unanswered (no result in the next message) | unasked (no call in the previous reply)
            | misplaced (both exist, not beside each other) | duplicate (a second result of one call)
    """

    id: str
    name: str
    call: int | None
    result: int | None
    status: str
    error: bool = False
    call_tokens: int = 0
    result_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of an array in order, and the ids at fault, each once and in order."""

    pairs: tuple[Pair, ...]
    calls: int
    results: int
    unanswered: tuple[str, ...]
    unasked: tuple[str, ...]
    duplicate_results: tuple[str, ...]
    duplicate_calls: tuple[str, ...]
    misplaced: tuple[str, ...]
    server_unpaired: tuple[str, ...]


def pair_up(messages: Sequence[Message]) -> Pairs:
    """Pairs every client call with the results of the next message, and names what has no partner."""
    called: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    pairs: list[Pair] = []
    duplicate_results: list[str] = []
    for index, message in enumerate(messages):
        for block in message.blocks:
            if block.kind == "tool_use":
                called[block.call] += 1
            elif block.kind == "tool_result":
                answered[block.call] += 1
        if message.role == ASSISTANT:
            pairs += _answers(messages, index)
        pairs += _strays(messages, index, duplicate_results)
    unanswered = _unique(p.id for p in pairs if p.status == UNANSWERED)
    unasked = _unique(p.id for p in pairs if p.status == UNASKED)
    return Pairs(
        pairs=tuple(_placed(p, called, answered) for p in pairs),
        calls=sum(called.values()),
        results=sum(answered.values()),
        unanswered=unanswered,
        unasked=unasked,
        duplicate_results=_unique(duplicate_results),
        duplicate_calls=tuple(id_ for id_, n in called.items() if n > 1),
        misplaced=tuple(id_ for id_ in unasked if called[id_]),
        server_unpaired=_unique(_server_unpaired(messages)),
    )


def _placed(pair: Pair, called: Counter[str], answered: Counter[str]) -> Pair:
    elsewhere = (pair.status == UNANSWERED and answered[pair.id]) or (pair.status == UNASKED and called[pair.id])
    if not elsewhere:
        return pair
    return Pair(pair.id, pair.name, pair.call, pair.result, MISPLACED, pair.error, pair.call_tokens, pair.result_tokens)


def _answers(messages: Sequence[Message], index: int) -> list[Pair]:
    """A pair for each client call of the reply at `index`."""
    following = messages[index + 1] if index + 1 < len(messages) else None
    results = {b.call: b for b in reversed(following.blocks) if b.kind == "tool_result"} if following else {}
    pairs = []
    for block in messages[index].blocks:
        if block.kind != "tool_use":
            continue
        result = results.get(block.call)
        if result is None or following is None or following.role == ASSISTANT:
            pairs.append(Pair(block.call, block.name, index, None, UNANSWERED, call_tokens=block.tokens))
        else:
            pairs.append(Pair(block.call, block.name, index, index + 1, ANSWERED, result.error, block.tokens, result.tokens))
    return pairs


def _strays(messages: Sequence[Message], index: int, duplicates: list[str]) -> list[Pair]:
    """Results at `index` that answer nothing in the previous reply, or answer it a second time."""
    before = messages[index - 1] if index else None
    asked = {b.call: b.name for b in before.blocks if b.kind == "tool_use"} if before and before.role == ASSISTANT else {}
    seen: set[str] = set()
    pairs = []
    for block in messages[index].blocks:
        if block.kind != "tool_result":
            continue
        status = None
        if block.call in seen:
            duplicates.append(block.call)
            status = DUPLICATE
        elif block.call not in asked:
            status = UNASKED
        seen.add(block.call)
        if status:
            pairs.append(Pair(block.call, asked.get(block.call, ""), None, index, status, block.error, 0, block.tokens))
    return pairs


def _server_unpaired(messages: Sequence[Message]) -> Iterable[str]:
    for message in messages:
        calls = {b.call for b in message.blocks if b.is_server}
        results = {b.call for b in message.blocks if b.is_server_result}
        yield from (
            b.call
            for b in message.blocks
            if (b.is_server and b.call not in results) or (b.is_server_result and b.call not in calls)
        )


def _unique(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
