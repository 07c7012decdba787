"""Work in progress: the list of todos, and agents that run in the background."""

import re
from collections.abc import Iterable

from .events import Attached, Call, Event, Prompt, Record, items, string

_NUMBER = re.compile(r"#(\w+)")
_NOTICE = re.compile(r"<task-notification>(.*?)</task-notification>", re.DOTALL)
_FIELD = re.compile(r"<(task-id|status)>\s*([^<]*?)\s*</")
_ENDERS = ("TaskOutput", "AgentOutputTool", "TaskStop", "KillShell")


def todos_of(events: Iterable[Event]) -> tuple[tuple[str, str], ...]:
    """(text, status) of each todo, by the newest list, with what was made and changed singly since."""
    found: dict[str, tuple[str, str]] = {}
    for event in events:
        whole = _whole_list(event)
        if whole is not None:
            found = {_id(item, str(at)): (_text(item), string(item.get("status")) or "pending") for at, item in enumerate(whole)}
        elif isinstance(event, Call) and not event.failed:
            _change_one(found, event)
    return tuple(t for t in found.values() if t[0])


def _whole_list(event: Event) -> list[Record] | None:
    if isinstance(event, Call) and not event.failed:
        if event.name == "TodoWrite":
            return items(event.detail.get("newTodos", event.input.get("todos")))
        return items(event.detail.get("tasks")) if event.name == "TaskList" and "tasks" in event.detail else None
    if isinstance(event, Attached) and event.kind in ("todo_reminder", "task_reminder"):
        return items(event.fields.get("content")) if "content" in event.fields else None
    if isinstance(event, Prompt):
        return items(event.record.get("todos")) or None  # an empty one stands on every prompt of the old versions
    return None


def _change_one(found: dict[str, tuple[str, str]], call: Call) -> None:
    if call.name == "TaskCreate":
        task = call.detail.get("task")
        number = _NUMBER.search(call.text)
        key = _id(task, "") if isinstance(task, dict) else ""
        key = key or (number[1] if number is not None else str(len(found) + 1))
        found[key] = (_text(call.input), "pending")
    elif call.name == "TaskUpdate":
        key = str(call.input.get("taskId"))
        text, status = found.get(key, (f"task #{key}", "pending"))
        found[key] = (string(call.input.get("subject")) or text, string(call.input.get("status")) or status)


def _id(item: Record, otherwise: str) -> str:
    value = item.get("id")
    return str(value) if isinstance(value, str | int) else otherwise


def _text(item: Record) -> str:
    return string(item.get("content")) or string(item.get("subject"))


def running_agents(events: Iterable[Event]) -> tuple[str, ...]:
    """Agents that were started in the background and of whose end nothing is told, as "description (id)"."""
    running: dict[str, str] = {}
    for event in events:
        for name, state in _told(event):
            if state == "running":
                running[name] = running.get(name) or _started(event)
            else:
                running.pop(name, None)
    return tuple(f"{words or 'an agent'} ({name})" for name, words in running.items())


def _told(event: Event) -> list[tuple[str, str]]:
    """(id, "running" or how it ended) of each background task that an event tells of."""
    if isinstance(event, Call):
        return _told_by_call(event)
    if isinstance(event, Attached) and event.kind == "task_status":
        name = string(event.fields.get("taskId")) or string(event.fields.get("task_id"))
        is_agent = "agent" in string(event.fields.get("taskType")).lower()
        return [(name, string(event.fields.get("status")))] if name and is_agent else []
    if isinstance(event, Attached | Prompt) and "<task-notification>" in event.text:
        found = [dict(_FIELD.findall(notice)) for notice in _NOTICE.findall(event.text)]
        return [(f["task-id"], f.get("status") or "ended") for f in found if "task-id" in f]
    return []


def _told_by_call(call: Call) -> list[tuple[str, str]]:
    if call.failed:
        return []
    if call.name in ("Task", "Agent"):
        is_async = call.detail.get("isAsync") is True or call.detail.get("status") == "async_launched"
        return [(string(call.detail.get("agentId")), "running")] if is_async and call.detail.get("agentId") else []
    if call.name not in _ENDERS:
        return []
    task = call.detail.get("task")
    if isinstance(task, dict):
        name, state = string(task.get("task_id")), string(task.get("status"))
        return [] if not name or state in ("running", "pending", "") else [(name, state)]
    name = string(call.detail.get("task_id")) or string(call.input.get("task_id")) or string(call.input.get("shell_id"))
    return [(name, "stopped")] if name and call.name in ("TaskStop", "KillShell") else []


def _started(event: Event) -> str:
    if isinstance(event, Call):
        return string(event.detail.get("description")) or string(event.input.get("description"))
    return string(event.fields.get("description")) if isinstance(event, Attached) else ""
