"""What a call asks for, told as its tool means it: a command as a command, an edit as its changes, a file in its language."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .code import code, json_text
from .diff import diff
from .document import Paragraph, Span
from .languages import language_of_path

MOST = 4_000_000  # characters shown of one value
SHORT = 60  # characters of a value that still stands beside its name

PATHS = ("file_path", "notebook_path", "path")
OLD, NEW = "old_string", "new_string"
_CODE = ("command", "content", "new_source", "code", "script")
_STATES = {"completed": "☑", "in_progress": "◪", "pending": "☐"}


def call_paragraphs(tool: str, given: object) -> list[Paragraph]:
    """The input of a call: short values as `name: value`, then what an edit changes, then long values below their names."""
    if not isinstance(given, Mapping):
        return [json_text(pretty(given)[:MOST])]
    if not given:
        return [Paragraph("(no input)", "muted")]
    language = language_of_call(tool, given)
    names = [name for name in given if not (_is_edit(given) and name in (OLD, NEW))]
    paragraphs = [_beside(name, given[name]) for name in names if _is_short(given[name])]
    if _is_edit(given):
        paragraphs += diff(given[OLD][:MOST], given[NEW][:MOST])
    for name in names:
        if not _is_short(given[name]):
            paragraphs += [Paragraph(name, "muted"), *_long(name, given[name], language)]
    return paragraphs


def language_of_call(tool: str, given: object) -> str:
    """The language of what a call writes or gets back, by the file it names or by its tool; "" when neither tells."""
    if not isinstance(given, Mapping):
        return ""
    if tool == "NotebookEdit":
        return "python"
    path = next((given[name] for name in PATHS if isinstance(given.get(name), str)), "")
    return language_of_path(path)


def _is_edit(given: Mapping[str, Any]) -> bool:
    return isinstance(given.get(OLD), str) and isinstance(given.get(NEW), str)


def _is_short(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= SHORT and "\n" not in value
    return value is None or isinstance(value, bool | int | float)


def _beside(name: str, value: object) -> Paragraph:
    label = f"{name}: "
    shown = code(value, "bash" if name == "command" else "") if isinstance(value, str) else json_text(pretty(value))
    spans = (replace(span, start=span.start + len(label), end=span.end + len(label)) for span in shown.spans)
    return Paragraph(label + shown.text, "text", (Span(0, len(label), "muted"), *spans))


def _long(name: str, value: object, language: str) -> list[Paragraph]:
    if isinstance(value, str):
        spoken = "bash" if name == "command" else language
        return [code(value[:MOST], spoken) if name in _CODE else Paragraph(value[:MOST], "text")]
    if name in _TELLERS and isinstance(value, Sequence) and all(isinstance(each, Mapping) for each in value):
        return _TELLERS[name](value)
    return [json_text(pretty(value)[:MOST])]


def _edits(edits: Sequence[Mapping[str, Any]]) -> list[Paragraph]:
    paragraphs: list[Paragraph] = []
    for number, each in enumerate(edits, 1):
        paragraphs.append(Paragraph(f"edit {number} of {len(edits)}", "muted"))
        paragraphs += diff(each[OLD], each[NEW]) if _is_edit(each) else [json_text(pretty(each))]
    return paragraphs


def _todos(todos: Sequence[Mapping[str, Any]]) -> list[Paragraph]:
    return [
        Paragraph(f"{_STATES.get(str(each.get('status')), '·')} {each.get('content', '')}", _todo_style(each)) for each in todos
    ]


def _todo_style(todo: Mapping[str, Any]) -> str:
    return {"completed": "muted", "in_progress": "bold text"}.get(str(todo.get("status")), "text")


_TELLERS: dict[str, Callable[[Sequence[Mapping[str, Any]]], list[Paragraph]]] = {"edits": _edits, "todos": _todos}


def pretty(value: object) -> str:
    """A value as indented JSON; what is none is shown as Python writes it."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (TypeError, ValueError, RecursionError):
        return repr(value)
