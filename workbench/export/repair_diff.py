"""A repair as lines of a diff: per changed line the JSON paths that differ, shortened and safe to show."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..transcript.lines import parse_object
from .repair_lines import LineEdit

SHOWN = 100  # characters of a value
ABSENT = object()


def diff_of(name: str, edits: Iterable[LineEdit]) -> tuple[str, ...]:
    """Unified diff lines: `@@` names the line of the original, `-` and `+` a path and its value."""
    edits = sorted(edits, key=lambda e: e.line)
    if not edits:
        return ()
    lines = [f"--- {name}", f"+++ {name} (repaired)"]
    standing = {uuid: e.line for e in edits for new in e.after if (uuid := _uuid(parse_object(new)))}
    left = {uuid: e.line for e in edits if (uuid := _uuid(parse_object(e.before))) and uuid not in map(_uuid_of, e.after)}
    for edit in edits:
        lines += _hunk(edit, standing, left)
    return tuple(lines)


def _hunk(edit: LineEdit, standing: Mapping[str, int], left: Mapping[str, int]) -> Iterator[str]:
    old = parse_object(edit.before)
    after = [parse_object(new) for new in edit.after]
    kept = next((at for at, new in enumerate(after) if old is not None and _is_same_row(old, new)), None)
    yield f"@@ line {edit.line}{_named(old)} @@"
    if kept is None:
        moved = standing.get(_uuid(old) or "")
        yield _whole("-", edit.before, old) + (f"  (moves to line {moved})" if moved else "")
    for at, record in enumerate(after):
        if at == kept:
            yield from _changes(old, record, "")
        else:
            came_from = left.get(_uuid(record) or "")
            yield _whole("+", edit.after[at], record) + (f"  (from line {came_from})" if came_from else "")


def _whole(sign: str, line: bytes, record: Mapping[str, Any] | None) -> str:
    """A whole row: what it says, where it says anything."""
    message = record.get("message") if record is not None else None
    if record is None or not isinstance(message, Mapping):
        return f"{sign}{_short(line.decode('utf-8', 'replace'))}"
    return f"{sign}the row {_printable(str(record.get('type')))} {_uuid(record)}: {_value(message.get('content'))}"


def _changes(old: Any, new: Any, path: str) -> Iterator[str]:
    """The paths at which two values differ, old before new; lists are compared from both ends."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            where = f"{path}.{key}" if path else str(key)
            yield from _changes(old.get(key, ABSENT), new.get(key, ABSENT), where)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _list_changes(old, new, path)
    elif old is ABSENT or new is ABSENT:
        yield f"+{path}: {_value(new)}" if old is ABSENT else f"-{path}: {_value(old)}"
    elif old != new or type(old) is not type(new):
        yield from (f"{sign}{path}: {text}" for sign, text in zip("-+", _both(old, new), strict=True))


def _list_changes(old: list[Any], new: list[Any], path: str) -> Iterator[str]:
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < min(len(old), len(new)) - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    if len(old) == len(new):
        for at in range(same, len(old) - tail):
            yield from _changes(old[at], new[at], f"{path}[{at}]")
        return
    yield from (f"-{path}[{at}]: {_value(old[at])}" for at in range(same, len(old) - tail))
    yield from (f"+{path}[{at}]: {_value(new[at])}" for at in range(same, len(new) - tail))


def _is_same_row(old: Mapping[str, Any], new: Mapping[str, Any] | None) -> bool:
    """Whether a record is the old one changed: its uuid, or everything but its uuid, is the same."""
    if new is None:
        return False
    if _uuid(old) is not None and _uuid(old) == _uuid(new):
        return True
    return {**old, "uuid": None, "leafUuid": None} == {**new, "uuid": None, "leafUuid": None}


def _uuid(record: Mapping[str, Any] | None) -> str | None:
    uuid = record.get("uuid") if record is not None else None
    return uuid if isinstance(uuid, str) else None


def _uuid_of(line: bytes) -> str | None:
    return _uuid(parse_object(line))


def _named(record: Mapping[str, Any] | None) -> str:
    if record is None:
        return ", damaged"
    uuid = _uuid(record)
    return f", {_printable(str(record.get('type')))}" + (f" {_printable(uuid)}" if uuid else "")


def _both(old: Any, new: Any) -> tuple[str, str]:
    """Two values that differ, each with what stands around the first difference."""
    before, after = _json(old), _json(new)
    same = next((at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    return _around(before, same), _around(after, same)


def _around(text: str, at: int) -> str:
    """A text, of a long one what stands around a place in it."""
    if len(text) <= SHOWN or at < SHOWN // 2:
        return _short(text)
    start = max(min(at - SHOWN // 3, len(text) - SHOWN), 0)
    end = start + SHOWN
    return _printable(f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}")


def _value(value: Any) -> str:
    return _short(_json(value))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _short(text: str) -> str:
    text = text if len(text) <= SHOWN else f"{text[: SHOWN * 2 // 3]} … {text[-SHOWN // 3 :]}"
    return _printable(text)


def _printable(text: str) -> str:
    """Every character that moves the cursor, hides or cannot be encoded as its escape."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
