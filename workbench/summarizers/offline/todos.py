"""The todo list as it stands at the end: from the todo tools, and from the reminders in which the agent was shown it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...conversation.block import Block
from ...conversation.row import Row
from ...memory.words import given, one_line, text_of

OPEN = ("in_progress", "pending")
REMINDERS = ("attachment:task_reminder", "attachment:todo_reminder")

_NUMBER = re.compile(r"#(\w+)")
_RENDERED = re.compile(r"^\s*#?(\w+)\.\s*\[(\w+)\]\s*(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Todo:
    """status: "pending" | "in_progress" | "completed", or what the session says; touched: place of the row that set it."""

    text: str
    status: str
    touched: int
    detail: str = ""

    @property
    def is_open(self) -> bool:
        return self.status in OPEN


def todos(rows: Iterable[Row]) -> tuple[Todo, ...]:
    """The list, in its order; a task that was created before these rows is known by a reminder only."""
    found: dict[str, Todo] = {}
    created: dict[str, Mapping[str, Any]] = {}
    for order, row in enumerate(rows):
        if row.kind in REMINDERS:
            found = _reminded(row, order, found)
            continue
        for block in row.blocks:
            if block.kind == "tool_use" and block.name == "TodoWrite":
                found = dict(_listed(given(block).get("todos"), order))
            elif block.kind == "tool_use" and block.name == "TaskCreate":
                created[block.call] = given(block)
            elif block.kind == "tool_use" and block.name == "TaskUpdate":
                _update(found, given(block), order)
            elif block.kind == "tool_result" and block.call in created:
                _create(found, created.pop(block.call), block, order)
    return tuple(found.values())


def _listed(items: object, order: int) -> Iterator[tuple[str, Todo]]:
    for number, item in enumerate(items if isinstance(items, list) else (), 1):
        if isinstance(item, Mapping):
            text = item.get("content") or item.get("subject")
            ident = str(item.get("id") or number)
            yield ident, Todo(one_line(str(text or ""), 300), str(item.get("status") or "pending"), order, _detail(item))


def _detail(item: Mapping[str, Any]) -> str:
    detail = item.get("description")
    return one_line(detail, 300) if isinstance(detail, str) else ""


def _create(found: dict[str, Todo], task: Mapping[str, Any], result: Block, order: int) -> None:
    number = _NUMBER.search(text_of(result))
    if number and not result.error:
        found[number[1]] = Todo(one_line(str(task.get("subject") or ""), 300), "pending", order, _detail(task))


def _update(found: dict[str, Todo], change: Mapping[str, Any], order: int) -> None:
    ident, status = str(change.get("taskId")), change.get("status")
    if ident in found and isinstance(status, str):
        found[ident] = replace(found[ident], status=status, touched=order)


def _reminded(row: Row, order: int, known: dict[str, Todo]) -> dict[str, Todo]:
    """The list of a reminder: as JSON in older versions, as numbered lines in newer ones; an empty one says nothing."""
    text = "\n".join(text_of(b) for b in row.blocks)
    shown = dict(_listed(_json_list(text), order)) or {
        number: Todo(one_line(words, 300), status, order) for number, status, words in _RENDERED.findall(text)
    }
    for ident, todo in shown.items():
        old = known.get(ident)
        if old is not None and (old.text, old.status) == (todo.text, todo.status):
            shown[ident] = replace(todo, touched=old.touched)
    return shown or known


def _json_list(text: str) -> object:
    start, end = text.find("[{"), text.rfind("}]")
    if start < 0 or end < start:
        return None
    try:
        return json.loads(text[start : end + 2])
    except (ValueError, RecursionError):
        return None
