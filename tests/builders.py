"""Small sessions for tests: records by number, linked one behind the other unless said otherwise, read from memory.

session_of(user(1, "hi"), reply(2, call("toolu_a")), user(3, result("toolu_a", "done")))
"""

import json
from collections.abc import Sequence
from typing import Any

from workbench.storage import MemoryFile, read_index
from workbench.transcript.session import Session

Record = dict[str, Any]
SESSION = "5e550000-0000-4000-8000-000000000001"
MODEL = "claude-sonnet-4-5-20250929"
LINKED = object()


def uuid(number: int) -> str:
    """The uuid of the record with a number."""
    return f"00000000-0000-4000-8000-{number:012d}"


def text(words: str, **fields: Any) -> Record:
    return {"type": "text", "text": words, **fields}


def call(id: str, name: str = "Bash", **given: Any) -> Record:
    return {"type": "tool_use", "id": id, "name": name, "input": given or {"command": "ls"}}


def result(id: str, content: Any = "ok", *, error: bool = False, **fields: Any) -> Record:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **({"is_error": True} if error else {}), **fields}


def thinking(words: str = "hm", signature: str | None = "c2lnbmF0dXJl") -> Record:
    return {"type": "thinking", "thinking": words, **({"signature": signature} if signature is not None else {})}


def user(number: int, *content: Any, parent: Any = LINKED, **fields: Any) -> Record:
    """A user row: one string is its content as it is, blocks are a list; `parent` is a number, None or a uuid."""
    plain = content[0] if len(content) == 1 and (content[0] is None or isinstance(content[0], str)) else list(content)
    return _row(number, parent, {"type": "user", "message": {"role": "user", "content": plain}, **fields})


def reply(
    number: int, *blocks: Any, parent: Any = LINKED, message: str | None = None, model: str = MODEL, **fields: Any
) -> Record:
    """An assistant row; rows of one `message` are one reply."""
    body = {
        "id": message or f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [text(b) if isinstance(b, str) else b for b in blocks],
        "usage": {"input_tokens": 5, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 0, "output_tokens": 10},
    }
    return _row(number, parent, {"type": "assistant", "message": body, **fields})


def boundary(number: int, *, parent: Any = None, metadata: Record | None = None, **fields: Any) -> Record:
    """A compact_boundary row; a root unless said otherwise."""
    given = {"trigger": "auto", "preTokens": 1000, "postTokens": 100, **(metadata or {})}
    return _row(number, parent, {"type": "system", "subtype": "compact_boundary", "compactMetadata": given, **fields})


def summary(number: int, words: str = "What was done so far.", parent: Any = LINKED) -> Record:
    return user(number, words, parent=parent, isCompactSummary=True, isVisibleInTranscriptOnly=True)


def attachment(number: int, kind: str, parent: Any = LINKED, **fields: Any) -> Record:
    return _row(number, parent, {"type": "attachment", "attachment": {"type": kind, **fields}})


def last_prompt(number: int) -> Record:
    """A bookkeeping record that names the leaf."""
    return {"type": "last-prompt", "leafUuid": uuid(number), "sessionId": SESSION}


def _row(number: int, parent: Any, rest: Record) -> Record:
    base = {"parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/home/ada/garden", "sessionId": SESSION}
    return {**base, "version": "2.1.200", **rest, "uuid": uuid(number), "timestamp": f"2026-03-01T09:00:{number % 60:02d}.000Z"}


def linked(records: Sequence[Record | bytes]) -> list[Record | bytes]:
    """The records with their parents as uuids: the row before, unless one was given."""
    found: list[Record | bytes] = []
    before: str | None = None
    for record in records:
        if isinstance(record, bytes):
            found.append(record)
            continue
        if "parentUuid" in record:
            parent = record["parentUuid"]
            record = {**record, "parentUuid": before if parent is LINKED else uuid(parent) if isinstance(parent, int) else parent}
            before = record["uuid"]
        found.append(record)
    return found


def lines_of(*records: Record | bytes) -> list[bytes]:
    """The lines of a session file; bytes are taken as they are."""
    dumped = [json.dumps(r, ensure_ascii=False, separators=(",", ":")) if isinstance(r, dict) else r for r in linked(records)]
    return [line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass") for line in dumped]


def file_of(*records: Record | bytes) -> bytes:
    """A session file."""
    return b"".join(line + b"\n" for line in lines_of(*records))


def session_of(*records: Record | bytes) -> Session:
    """The session that these records make, read from memory."""
    return read(file_of(*records))


def read(content: bytes, name: str = "session.jsonl") -> Session:
    """A session read from bytes."""
    return read_index(MemoryFile(content, name))
