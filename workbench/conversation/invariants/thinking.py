"""Invariants 18 to 24: thinking blocks are kept byte for byte and in order, or the whole reply goes."""

from collections.abc import Iterator, Sequence

from ..block import Block
from ..row import ASSISTANT, USER, Message
from . import fault as f
from . import texts
from .fault import Fault
from .places import THINKING, parts_of, where
from .request import Request


def thinking_faults(messages: Sequence[Message], request: Request | None) -> Iterator[Fault]:
    """Thinking without its signature; for a request also thinking in the wrong place, and signatures bound elsewhere."""
    for index, at, part in parts_of(messages):
        if part.block.kind in THINKING and _is_unsigned(part.block):
            words = f"messages[{index}].content[{at}] is thinking without the signature that proves it."
            error = texts.signature(index, at)
            yield Fault("thinking-unsigned", 22, f.ARRAY, f.HISTORY, words, api_error=error, **where(index, part))
    if request is not None:
        yield from _last_blocks(messages)
        yield from _final_turn(messages, request)
        yield from _bound(messages, request)


def thinking_was_changed(before: Sequence[Message], after: Sequence[Message]) -> tuple[Fault, ...]:
    """Whether the latest reply's thinking still stands as it was (invariant 21): `after` was made from `before`."""
    index = _latest(after)
    if index is None:
        return ()
    id = after[index].message_id
    old = next((m for m in reversed(before) if m.role == ASSISTANT and m.message_id == id), None)
    if old is None or _bodies(old) == _bodies(after[index]):
        return ()
    at = next((i for i, b in enumerate(after[index].blocks) if b.kind in THINKING), 0)
    words = "The thinking of the latest reply is no longer what the model wrote."
    part = after[index].parts[at] if after[index].parts else None
    error = texts.thinking_modified(index, at)
    return (Fault("thinking-modified", 21, f.ARRAY, f.HISTORY, words, id=id, api_error=error, **where(index, part)),)


def _bodies(message: Message) -> list[tuple[object, ...]]:
    return [(b.kind, b.head, b.size, b.body and b.body.get("signature")) for b in message.blocks if b.kind in THINKING]


def _is_unsigned(block: Block) -> bool:
    return block.body is not None and not block.body.get("data" if block.kind == "redacted_thinking" else "signature")


def _latest(messages: Sequence[Message]) -> int | None:
    return next((i for i in range(len(messages) - 1, -1, -1) if messages[i].role == ASSISTANT), None)


def _last_blocks(messages: Sequence[Message]) -> Iterator[Fault]:
    for index, message in enumerate(messages):
        if message.role == ASSISTANT and message.parts and message.parts[-1].block.kind in THINKING:
            words = f"messages[{index}] ends with thinking; a reply ends with text or a call."
            error, place = texts.thinking_last(index), where(index, message.parts[-1])
            yield Fault("thinking-last", 18, f.REQUEST, f.HISTORY, words, api_error=error, **place)


def _final_turn(messages: Sequence[Message], request: Request) -> Iterator[Fault]:
    index = _latest(messages)
    if index is None:
        return
    message = messages[index]
    kinds = [b.kind for b in message.blocks]
    part = message.parts[0] if message.parts else None
    is_last = index == len(messages) - 1
    following = messages[index + 1].blocks if not is_last else ()
    in_loop = "tool_use" in kinds and any(b.kind == "tool_result" for b in following) and messages[index + 1].role == USER
    if request.thinking == "enabled" and in_loop and kinds[0] not in THINKING:
        words = f"messages[{index}] is the reply of an open tool loop and does not start with its thinking."
        error = texts.thinking_first(index, kinds[0])
        yield Fault("thinking-missing", 19, f.REQUEST, f.HISTORY, words, api_error=error, **where(index, part))
    if request.thinking == "disabled" and is_last and set(kinds) & set(THINKING):
        words = "Thinking is off, and the final reply holds some."
        error = texts.thinking_disabled(index)
        yield Fault("thinking-off", 20, f.REQUEST, f.OPTIONS, words, api_error=error, **where(index, part))


def _bound(messages: Sequence[Message], request: Request) -> Iterator[Fault]:
    if not (request.prefix_changed and request.binds_thinking):
        return
    for index, at, part in parts_of(messages):
        if part.block.kind in THINKING:
            words = f"messages[{index}].content[{at}] is thinking signed for a conversation that was edited before it."
            error = texts.bound_thinking(index, at)
            yield Fault("thinking-bound", 23, f.REQUEST, f.ACCOUNT, words, api_error=error, **where(index, part))
