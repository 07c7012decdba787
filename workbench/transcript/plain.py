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
    if not isinstance(messages, list) or not all(isinstance(m, Mapping) and isinstance(m.get("role"), str) for m in messages):
        return None
    return messages


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
