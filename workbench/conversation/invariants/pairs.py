"""Invariants 9 to 16: calls and results beside each other, each once, ids of the right form, server pairs together."""

import re
from collections.abc import Iterator, Sequence

from ..pairing import ANSWERED, DUPLICATE, MISPLACED, UNANSWERED, UNASKED, Pair, pair_up
from ..row import ASSISTANT, USER, Message, Part
from . import fault as f
from . import texts
from .fault import Fault
from .places import find, parts_of, where

OPEN_CALL = "open-call"
INTERRUPTION = "[Request interrupted"  # how the agent marks that the user stopped it
_ID = re.compile(r"[a-zA-Z0-9_-]+\Z")


def pair_faults(messages: Sequence[Message], *, at_rest: bool) -> Iterator[Fault]:
    """Calls without result, results without call, both twice, both apart; an open last turn is none at rest."""
    pairs = pair_up(messages)
    answers = {p.id: p for p in pairs.pairs if p.status == ANSWERED}
    strays = {p.id for p in pairs.pairs if p.result is not None and p.status == MISPLACED}
    for pair in pairs.pairs:
        if pair.status == DUPLICATE and pair.result is not None:
            yield _second_result(messages, pair.id, pair.result)
        elif pair.status == UNASKED and pair.result is not None:
            yield _unasked(messages, pair.id, pair.result)
        elif pair.status == MISPLACED and pair.result is not None:
            yield _astray(messages, pair, answers.get(pair.id))
        elif pair.call is not None and (
            pair.status == UNANSWERED
            or (pair.status == MISPLACED and pair.id not in strays and pair.id not in pairs.duplicate_calls)
        ):
            yield _unanswered(messages, pair.id, pair.call, pair.name, at_rest)
    yield from _second_calls(messages)
    yield from _late_results(messages)
    yield from _bad_ids(messages)
    yield from _server_pairs(messages)


def is_open_turn(messages: Sequence[Message], index: int) -> bool:
    """Whether the array ends in the tool loop of the reply at `index`: nothing but results and reminders follow."""
    rest = messages[index + 1 :]
    if any(m.role != USER for m in rest):
        return False
    return not any(p.block.kind == "text" and not (p.row and p.row.is_meta) for m in rest for p in m.parts)


def _call_named(name: str, id: str) -> str:
    """A call in words, by what it says of itself."""
    if name:
        return f"call of {name} ({id})" if id else f"call of {name} without an id"
    return f"call {id}" if id else "call without name and id"


def _result_named(id: str) -> str:
    return f"The result of {id}" if id else "A result that names no call"


def _unanswered(messages: Sequence[Message], id: str, index: int, name: str, at_rest: bool) -> Fault:
    _, part = find(messages[index], "tool_use", id)
    if at_rest and is_open_turn(messages, index):
        words = f"The session ends before the {_call_named(name, id)} was answered; that is no fault of a session at rest."
        return Fault(OPEN_CALL, 9, f.ARRAY, f.INTERRUPTED, words, id=id, severity=f.REMARK, **where(index, part))
    following = messages[index + 1] if index + 1 < len(messages) else None
    stopped = following is not None and any(b.head.startswith(INTERRUPTION) for b in following.blocks)
    words = f"The {_call_named(name, id)} has no result in the next message" + (": the user interrupted it." if stopped else ".")
    class_ = f.INTERRUPTED if stopped else f.LOST
    error = texts.unanswered(index, id)
    return Fault("unanswered-call", 9, f.ARRAY, class_, words, id=id, api_error=error, **where(index, part))


def _unasked(messages: Sequence[Message], id: str, index: int) -> Fault:
    at, part = find(messages[index], "tool_result", id)
    words = f"{_result_named(id)} answers no call in the message before it; the call is nowhere in the array."
    error = texts.unasked(index, at, id)
    return Fault("unasked-result", 10, f.ARRAY, f.LOST, words, id=id, api_error=error, **where(index, part))


def _second_result(messages: Sequence[Message], id: str, index: int) -> Fault:
    at, part = find(messages[index], "tool_result", id, skip=1)
    words = f"The {_call_named('', id)} has more than one result in one message."
    error = texts.duplicate_result(index, at, id)
    return Fault("duplicate-result", 12, f.ARRAY, f.DUPLICATE, words, id=id, api_error=error, **where(index, part))


def _astray(messages: Sequence[Message], pair: Pair, answer: Pair | None) -> Fault:
    """A result whose call exists elsewhere: the real one astray, or another one of a call that is answered."""
    index = pair.result or 0
    at, part = find(messages[index], "tool_result", pair.id)
    if answer is not None and (pair.error or not answer.error):
        words = f"The {_call_named('', pair.id)} is answered where it should be, and once more in messages[{index}]."
        error = texts.unasked(index, at, pair.id)
        return Fault("duplicate-result", 12, f.ARRAY, f.DUPLICATE, words, id=pair.id, api_error=error, **where(index, part))
    call = next(i for i, m in enumerate(messages) if any(b.kind == "tool_use" and b.call == pair.id for b in m.blocks))
    side = "before its call" if index < call else "too late"
    words = f"{_result_named(pair.id)} stands in messages[{index}], {side}: the call is in messages[{call}]"
    words += ", where an error stands in its place." if answer is not None else "."
    split = index > call + 1 and all(m.role == USER for m in messages[call + 1 : index])
    number, kind = (15, "split-results") if split else (9, "misplaced-result")
    error = texts.unanswered(call, pair.id) if answer is None else texts.unasked(index, at, pair.id)
    return Fault(kind, number, f.ARRAY, f.MISPLACED, words, id=pair.id, api_error=error, **where(index, part))


def _second_calls(messages: Sequence[Message]) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for index, _, part in parts_of(messages):
        id = part.block.call
        if part.block.kind != "tool_use" or not id:
            continue
        if id in seen:
            words = f"The call id {id} is used again; it was used in messages[{seen[id]}] before."
            place = where(index, part)
            yield Fault("duplicate-call", 13, f.ARRAY, f.DUPLICATE, words, id=id, api_error=texts.DUPLICATE_CALL, **place)
        seen.setdefault(id, index)


def _late_results(messages: Sequence[Message]) -> Iterator[Fault]:
    for index, message in enumerate(messages):
        other = False
        for part in message.parts if message.role == USER else ():
            other |= part.block.kind != "tool_result"
            if other and part.block.kind == "tool_result":
                id = part.block.call
                words = f"{_result_named(id)} stands behind other content; results come first."
                error = texts.unanswered(max(index - 1, 0), id)
                yield Fault("results-not-first", 11, f.ARRAY, f.ORDER, words, id=id, api_error=error, **where(index, part))


def _bad_ids(messages: Sequence[Message]) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, at, part in parts_of(messages):
        kind, id = part.block.kind, part.block.call
        if kind not in ("tool_use", "tool_result") or _ID.match(id) or (id and id in seen):
            continue
        seen.add(id)
        nameless = f"The {_call_named(part.block.name, '')}" if kind == "tool_use" else _result_named("")
        words = f"The call id {id!r} holds characters that the API refuses." if id else f"{nameless} cannot be paired."
        error = texts.bad_id(index, at, "id" if kind == "tool_use" else "tool_use_id")
        yield Fault("bad-call-id", 14, f.ARRAY, f.HISTORY, words, id=id, api_error=error, **where(index, part))


def unpaired_server_parts(message: Message) -> list[Part]:
    """The server calls of a reply whose result is not in it, and the server results whose call is not."""
    calls = {b.call for b in message.blocks if b.is_server}
    results = {b.call for b in message.blocks if b.is_server_result}
    lonely = calls ^ results if message.role == ASSISTANT else set()
    return [p for p in message.parts if p.block.call in lonely and (p.block.is_server or p.block.is_server_result)]


def _server_pairs(messages: Sequence[Message]) -> Iterator[Fault]:
    for index, message in enumerate(messages):
        for part in unpaired_server_parts(message):
            kind, name, id = part.block.kind, part.block.name, part.block.call
            if part.block.is_server:
                words = f"The server {_call_named(name, id)} has no result within its message."
                error = texts.server_call(index, kind, id, f"{name or 'server'}_tool_result")
            else:
                words = f"The server result of {id} has no call within its message."
                at = next(i for i, p in enumerate(message.parts) if p is part)
                error = texts.server_result(index, at, kind, id)
            place = where(index, part)
            yield Fault("server-pair", 16, f.ARRAY, f.SERVER_PAIR, words, id=id, api_error=error, **place)
