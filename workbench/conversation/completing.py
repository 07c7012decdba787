"""What makes an array valid that nobody sent yet: replies joined, calls of the form that the API takes (spec 3, 3, 14, 18)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from .block import Block
from .row import ASSISTANT, Message, Part

NAMELESS = "unnamed"  # the name of a call that has none
_THINKING = ("thinking", "redacted_thinking")
_VALID = re.compile(r"[a-zA-Z0-9_-]+\Z")
_REFUSED = re.compile(r"[^a-zA-Z0-9_-]+")
_FIELDS: Mapping[str, str] = {"tool_use": "id", "tool_result": "tool_use_id"}


def completed(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The array with neighbouring replies as one message that does not end in thinking, and every call whole.

    A call or result without a valid id gets one, a call without a name or an input these.
    """
    joined = tuple(_whole_calls(_without_last_thinking(m)) for m in _join_replies(messages))
    ids = {b.call for m in joined for b in m.blocks if b.kind in _FIELDS}
    taken = {id for id in ids if _VALID.match(id)}
    names = dict(zip(sorted(ids - taken), _new_ids(sorted(ids - taken), taken), strict=True))
    if not names:
        return joined
    return tuple(replace(m, parts=tuple(_renamed(p, names) for p in m.parts)) for m in joined)


def _join_replies(messages: Sequence[Message]) -> tuple[Message, ...]:
    result: list[Message] = []
    for message in messages:
        if result and message.role == ASSISTANT == result[-1].role:
            result[-1] = Message(ASSISTANT, (*result[-1].parts, *message.parts))
        else:
            result.append(message)
    return tuple(result)


def _without_last_thinking(message: Message) -> Message:
    """The agent leaves a reply of thinking alone out, so that something else stands before it."""
    end = len(message.parts)
    while end and message.role == ASSISTANT and message.parts[end - 1].block.kind in _THINKING:
        end -= 1
    return replace(message, parts=message.parts[:end]) if end else message


def _whole_calls(message: Message) -> Message:
    return replace(message, parts=tuple(_whole(p) if p.block.kind == "tool_use" else p for p in message.parts))


def _whole(part: Part) -> Part:
    body = part.block.body
    if body is None:
        return part
    name, given = body.get("name"), body.get("input")
    named = {} if isinstance(name, str) and name else {"name": NAMELESS}
    filled = {} if isinstance(given, Mapping) else {"input": {} if given is None else {"value": given}}
    return replace(part, block=replace(part.block, body={**body, **named, **filled})) if named or filled else part


def _new_ids(bad: Sequence[str], taken: set[str]) -> Iterator[str]:
    """An id that is still free for each bad one, as like it as can be."""
    used = set(taken)
    for id in bad:
        like = _REFUSED.sub("_", id.removesuffix(" (no string)")).strip("_") or "call"
        free = next(n for n in (like, *(f"{like}_{k}" for k in range(2, len(used) + 3))) if n not in used)
        used.add(free)
        yield free


def _renamed(part: Part, names: Mapping[str, str]) -> Part:
    block = part.block
    if block.kind not in _FIELDS or block.call not in names:
        return part
    return replace(part, block=_with_id(block, names[block.call]))


def _with_id(block: Block, id: str) -> Block:
    body = None if block.body is None else {**block.body, _FIELDS[block.kind]: id}
    return replace(block, call=id, body=body)
