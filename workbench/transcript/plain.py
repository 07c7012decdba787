"""Messages API JSON as input: each message becomes a row `message:i` whose parent is the one before (spec 5, end).

The messages are written as lines of a session into memory, so that one reader, one chain and one checker serve both.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..conversation.text import compact_json


def messages_in(value: object) -> Sequence[Mapping[str, Any]] | None:
    """The `messages` of a request, or a bare list of messages; None when the value is neither."""
    messages = value.get("messages") if isinstance(value, Mapping) else value
    if not isinstance(messages, list) or not all(_has_role(m) for m in messages):
        return None
    return messages


def oddity_in(value: object) -> str:
    """Why a value that was meant as messages holds none that can be read, in words; "" where it was not meant so."""
    messages = value
    if isinstance(value, Mapping):
        if "messages" not in value:
            return ""
        messages = value["messages"]
        if not isinstance(messages, list):
            return f"its `messages` is {_kind(messages)}, not a list"
    if not isinstance(messages, list) or not (messages is not value or any(_has_role(m) for m in messages)):
        return ""
    at, odd = next(((i, m) for i, m in enumerate(messages) if not _has_role(m)), (0, None))
    if not isinstance(odd, Mapping):
        return f"messages[{at}] is {_kind(odd)}, not an object with a role"
    return f"the role of messages[{at}] is {_kind(odd['role'])}" if "role" in odd else f"messages[{at}] has no role"


def _has_role(message: object) -> bool:
    return isinstance(message, Mapping) and isinstance(message.get("role"), str)


def _kind(value: object) -> str:
    if value is None or isinstance(value, bool):
        return compact_json(value)
    if isinstance(value, int | float):
        return "a number"
    return "a text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"


def as_lines(messages: Sequence[Mapping[str, Any]]) -> bytes:
    """The messages as JSON lines with the links of a session."""
    lines = []
    for number, message in enumerate(messages):
        kind = message["role"] if message["role"] in ("user", "assistant") else f"message-{message['role']}"
        record = {
            "type": kind,
            "uuid": f"message:{number}",
            "parentUuid": f"message:{number - 1}" if number else None,
            "message": message,
        }
        lines.append(compact_json(record) if _is_clean(record) else json.dumps(record))
    return "\n".join(lines).encode()


def _is_clean(record: Mapping[str, Any]) -> bool:
    try:
        compact_json(record).encode()
    except UnicodeEncodeError:
        return False
    return compact_json(record) != "[not JSON]"
