"""The array as Messages API JSON, valid after the agent's own repairs (spec 5, "As loaded"; spec 2, section 12).

Of a session it is what the agent sends: where that would be refused, `refusals_of` says so. A Messages API request was
sent by nobody yet, so that what the agent would leave is mended too.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from ..conversation.block import REMINDER, Block
from ..conversation.completing import completed
from ..conversation.invariants import Fault, faults_of, remarks_of
from ..conversation.repair import as_sent
from ..conversation.row import ASSISTANT, USER, Message
from ..conversation.text import without_surrogates
from ..transcript.chain import Chain
from ..transcript.session import Session


def messages_to_send(session: Session, chain: Chain) -> tuple[Message, ...]:
    """The array of a chain with the agent's repairs, for the model of its newest reply; of a request, valid."""
    messages = session.array(chain)
    model = next(
        (r.model for m in reversed(messages) if m.role == ASSISTANT for r in m.rows if r.model and r.model[0] != "<"), None
    )
    sent = as_sent(messages, model)[0]
    return completed(sent) if session.is_request else sent


def refusals_of(messages: Sequence[Message]) -> tuple[Fault, ...]:
    """What the API, or a gateway before it, would refuse in an array."""
    same_role = [f for f in remarks_of(messages) if f.kind == "same-role"]
    return tuple(f for f in (*faults_of(messages), *same_role) if f.api_error)


def as_request(messages: Sequence[Message], session: Session) -> dict[str, Any]:
    """`{messages}`, with `system` and `tools` where the input held them; every string in it can be encoded."""
    plain = {encodable(k): encodable(v) for k, v in (session.plain or {}).items() if k != "messages"}
    return {**plain, "messages": [as_json(m) for m in messages if m.role in (USER, ASSISTANT)]}


def as_json(message: Message) -> dict[str, Any]:
    """One message; every string in it can be encoded."""
    return {"role": message.role, "content": [encodable(_body(b)) for b in message.blocks if b.body is not None]}


def _body(block: Block) -> Mapping[str, Any]:
    body = block.body or {}
    if block.kind == "reminder" and body.get("type") == "text" and not str(body.get("text")).startswith(REMINDER):
        return {**body, "text": f"{REMINDER}\n{body.get('text')}\n</system-reminder>"}
    return body


def encodable(value: Any) -> Any:
    """A value without what JSON has no word for: lone surrogates become U+FFFD, an infinite number null."""
    made: list[Any] = [None]
    waiting: list[tuple[Any, Any, Any]] = [(value, made, 0)]  # (value, where it goes, under which key): nesting has no limit
    while waiting:
        found, whole, key = waiting.pop()
        if isinstance(found, Mapping):
            keys = [without_surrogates(k) for k in found]
            whole[key] = dict.fromkeys(keys)
            waiting += [(v, whole[key], k) for k, v in zip(keys, found.values(), strict=True)]
        elif isinstance(found, list | tuple):
            whole[key] = [None] * len(found)
            waiting += [(v, whole[key], at) for at, v in enumerate(found)]
        else:
            whole[key] = _scalar(found)
    return made[0]


def _scalar(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, float) and not isfinite(value):  # what 1e999 is read as
        return None
    return value
