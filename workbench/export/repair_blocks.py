"""Repairs of blocks and messages: ids, empty texts, empty messages, unsigned thinking, server pairs, the first message."""

import re
from collections.abc import Iterator

from ..conversation.invariants.order import is_empty, is_tolerated_blank
from ..conversation.invariants.pairs import unpaired_server_parts
from ..conversation.invariants.places import THINKING
from ..conversation.repair import HISTORY_STARTS_LATE
from ..conversation.row import ASSISTANT, Message, Part
from ..evidence.links import opening
from .repair_draft import fresh_uuid
from .repair_json import compact
from .repair_step import Step
from .repair_view import View, answers_to, places_of

_UNFIT = re.compile(r"[^a-zA-Z0-9_-]")
_FIT = re.compile(r"[a-zA-Z0-9_-]+\Z")


def call_id_steps(view: View) -> Iterator[Step]:
    """Ids that the API refuses, and ids used twice: both halves of the pair get another one."""
    yield from _no_ids(view)
    yield from _bad_ids(view)
    seen: dict[str, tuple[int, Part]] = {}
    for index, message in enumerate(view.messages):
        for part in message.parts:
            if part.block.kind != "tool_use" or not part.block.call:
                continue
            first = seen.setdefault(part.block.call, (index, part))
            if first[1] is not part:
                yield from _second_call(view, index, part, first)


def _no_ids(view: View) -> Iterator[Step]:
    """Calls without an id get one, and with them the results without one that follow, in their order; others go."""
    nameless = [p for m in view.messages for kind in ("tool_use", "tool_result") for p in _without_id(m, kind)]
    if not view.is_free(*nameless):
        return
    for index, message in enumerate(view.messages):
        before = view.messages[index - 1] if index else None
        calls = _without_id(before, "tool_use") if before is not None and before.role == ASSISTANT else []
        spare = _without_id(message, "tool_result")[len(calls) :]
        if spare:
            draft = view.draft()
            view.without(draft, message, spare)
            where = ", ".join(dict.fromkeys(view.line(p) for p in spare))
            draft.note("drop-result", f"what names no call ({where}) is no result of any", places_of(spare))
            yield draft.step()
        answers = answers_to(view.messages, index)
        answering = _without_id(answers, "tool_result") if answers is not None else []
        for at, part in enumerate(_without_id(message, "tool_use")):
            new = f"toolu_{_digits(view, part, _at(part))[:24]}"
            reason = f"a call ({view.line(part)}) had no id: it is {new} now, and so says its result"
            yield _renamed(view, [part, *answering[at : at + 1]], new, reason)


def _without_id(message: Message, kind: str) -> list[Part]:
    return [p for p in message.parts if p.block.kind == kind and not p.block.call]


def _at(part: Part) -> int:
    """Which block of its row a part is."""
    return next((i for i, b in enumerate(part.row.blocks) if b is part.block), 0) if part.row is not None else 0


def _bad_ids(view: View) -> Iterator[Step]:
    parts: dict[str, list[Part]] = {}
    for message in view.messages:
        for part in message.parts:
            if part.block.kind in ("tool_use", "tool_result"):
                parts.setdefault(part.block.call, []).append(part)
    for id, found in parts.items():
        if not id or _FIT.match(id) or not view.is_free(*found):
            continue
        new = _UNFIT.sub("_", id)
        new = new if new not in parts else f"{new}_{_digits(view, found[0], 0)[:8]}"
        yield _renamed(view, found, new, f"the call id {id!r} holds characters that the API refuses: it is {new} now")


def _second_call(view: View, index: int, part: Part, first: tuple[int, Part]) -> Iterator[Step]:
    id = part.block.call
    if not view.is_free(part):
        return
    if first[0] == index and (first[1].block.name, first[1].block.head) == (part.block.name, part.block.head):
        draft = view.draft()
        view.without(draft, view.messages[index], [part])
        draft.note("drop-call", f"{id} ({view.line(part)}) stands twice in one reply", places_of([part]))
        yield draft.step()
        return
    answer = answers_to(view.messages, index)
    results = [p for p in answer.parts if p.block.kind == "tool_result" and p.block.call == id] if answer else []
    if first[0] == index:
        results = results[1:]
    if view.is_free(*results):
        new = f"toolu_{_digits(view, part, index)[:24]}"
        yield _renamed(view, [part, *results], new, f"the call id {id} ({view.line(part)}) was used before: it is {new} now")


def _digits(view: View, part: Part, ordinal: int) -> str:
    row = part.row.uuid if part.row is not None else ""
    return fresh_uuid(view.session, f"{row}:{part.block.call}", ordinal).replace("-", "")


def _renamed(view: View, parts: list[Part], new: str, reason: str) -> Step:
    draft = view.draft()
    for part in parts:
        if part.row is not None:
            at = _at(part)
            key = "id" if part.block.kind == "tool_use" else "tool_use_id"
            draft.put(part.row.place, ("message", "content", at, key), new)
    draft.note("rename-call", reason, places_of(parts))
    return draft.step()


def block_steps(view: View) -> Iterator[Step]:
    """What is empty or cannot be sent goes; a reply keeps what it holds beside."""
    for index, message in enumerate(view.messages):
        bad = [p for p in _unsendable(view, index, message) if view.is_free(p)]
        if bad:
            draft = view.draft()
            view.without(draft, message, bad)
            kinds = ", ".join(dict.fromkeys("an empty row" if p.block.kind == "empty" else p.block.kind for p in bad))
            where = ", ".join(dict.fromkeys(view.line(p) for p in bad))
            draft.note("drop-block", f"{where}: {kinds}, which the API refuses", places_of(bad))
            yield draft.step()


def _unsendable(view: View, index: int, message: Message) -> list[Part]:
    """The parts of a message that go."""
    if is_empty(message):
        last_reply = message.role == ASSISTANT and index == len(view.messages) - 1
        return [] if last_reply else list(message.parts)
    nothing = [p for p in message.parts if p.block.kind == "empty"]  # a message of a request beside others of the user
    blank = [p for p in message.parts if p.block.kind == "text" and p.block.blank and not is_tolerated_blank(message, p)]
    unpaired = unpaired_server_parts(message)
    unsigned = [p for p in message.parts if p.block.kind in THINKING and p.block.body is not None]  # the signed ones are slim
    return [*nothing, *blank, *unpaired, *unsigned]


def first_message_steps(view: View) -> Iterator[Step]:
    """A history that starts with a reply gets a short text of the user's before it."""
    if not view.messages or view.messages[0].role != ASSISTANT:
        return
    first = opening(view.session)
    if first is None:
        return
    draft = view.draft()
    fields = {} if view.session.is_request else {"isMeta": True}
    draft.make_before(first, compact(HISTORY_STARTS_LATE), **fields)
    where = draft.uuid(first) if view.session.is_request else f"line {draft.line(first)}"
    draft.note("add-marker", f"the history starts with a reply ({where}): a text of the user's goes before it", [first])
    yield draft.step()
