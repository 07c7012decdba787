"""Messages API JSON as it was given: one message a row, nothing joined or sorted, and what the request says beside them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..conversation.array import EMPTY, results_first
from ..conversation.block import read_content
from ..conversation.invariants import Request
from ..conversation.row import USER, Message, Part, Row
from ..conversation.text import compact_json
from ..transcript.session import Session

MOST_SHOWN = 60  # characters of a value that is none of the kind that belongs there


def messages_given(session: Session, reading: Callable[[Row], Row] = lambda row: row) -> tuple[Message, ...]:
    """The messages of a Messages API request, each from its own row, in their own order of blocks, whatever their roles.

    `reading`: what is kept of a row, all of it unless said otherwise.
    """
    found = []
    for place, read in enumerate(session.rows(range(len(session.index)))):
        blocks = (
            read.blocks if read.role is not None else read_content(_mapping(session.body(place).get("message")).get("content"))
        )
        row = reading(replace(read, line=None, blocks=blocks))
        parts = tuple(Part(b, row) for b in row.blocks) or (Part(EMPTY, row),)
        found.append(Message(row.role or row.kind.removeprefix("message-"), parts))
    return tuple(found)


def joined_given(session: Session, reading: Callable[[Row], Row]) -> tuple[Message, ...]:
    """The same messages with neighbours of the user joined, as the API joins them."""
    found: list[Message] = []
    for message in messages_given(session, reading):
        if found and message.role == USER == found[-1].role:
            found[-1] = Message(USER, results_first((*found[-1].parts, *message.parts)))
        else:
            found.append(message)
    return tuple(found)


def request_given(session: Session) -> Request | None:
    """What a request holds beside its messages; None for bare messages, which are judged as a session at rest is.

    So are those of a request that names no model; what else it says is judged all the same.
    """
    plain = session.plain
    if not plain:
        return None
    thinking, choice, tools = plain.get("thinking"), plain.get("tool_choice"), plain.get("tools")
    budget, model = _mapping(thinking).get("budget_tokens"), _string(plain.get("model"))
    return Request(
        model=model,
        at_rest=model is None,
        max_tokens=_number(plain.get("max_tokens")),
        thinking=_string(_mapping(thinking).get("type")),
        thinking_budget=_number(budget),
        unfit_budget=None if budget is None or _number(budget) is not None else compact_json(budget)[:MOST_SHOWN],
        tool_choice=_string(_mapping(choice).get("type")),
        tools=tuple(_string(_mapping(t).get("name")) or "" for t in tools) if isinstance(tools, list) else None,
        marks=_marks(tools) + _marks(plain.get("system")),
    )


def _marks(blocks: object) -> int:
    return sum(_mapping(b).get("cache_control") is not None for b in blocks) if isinstance(blocks, list) else 0


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None
