"""From rows to facts, in one pass; texts are cut as they are read, so that a large session costs little."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...conversation.block import Block
from ...conversation.row import ASSISTANT, USER, Row
from ...conversation.text import compact_json
from ..words import clean, given, middle_cut, one_line, text_of
from .facts import EDITS, ERROR, OK, PENDING, REFUSED, SKIPPED, Action, Decision, Facts, Said, Todo, Turn
from .speech import hear, refusal

TEXT, REQUEST, OUTPUT, EDIT = 4_000, 8_000, 2_000, 4_000  # characters kept of each
CONSEQUENTIAL = "Sibling tool call errored"  # not run, since the call beside it failed
FILLER = "No response requested."

PATHS = ("file_path", "notebook_path", "path")
FILE_TOOLS = (*EDITS, "Read")
TARGETS = ("command", "pattern", "url", "query", "skill", "subject", "description", "prompt", *PATHS)
_END_OF_ANSWER = re.compile(r'"(?:, "|\. You can|\.?$| user notes)')
_TASK_NUMBER = re.compile(r"#(\w+)")


def gather(rows: Iterable[Row]) -> Facts:
    """The facts of a session's rows, oldest first; side chains are left out, unless the rows begin with one."""
    gatherer = _Gatherer()
    side: bool | None = None
    for row in rows:
        if row.kind in (USER, ASSISTANT) and side is None:
            side = row.is_sidechain
        if row.role is not None and (side or not row.is_sidechain):
            gatherer.take(row)
    return gatherer.facts()


@dataclass(slots=True)
class _Draft:
    """A turn under construction."""

    request: str = ""
    at: str = ""
    asked: str = ""
    actions: list[Action] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    interrupted: bool = False


class _Gatherer:
    def __init__(self) -> None:
        self.order = 0
        self.drafts = [_Draft()]
        self.open: dict[str, tuple[_Draft, int, Mapping[str, Any]]] = {}  # call id -> where its action is, its input
        self.todos: dict[str, Todo] = {}
        self.decisions: list[Decision] = []
        self.plans: list[str] = []
        self.summary = ""
        self.opens_with_summary = False
        self.tools: dict[str, int] = {}

    @property
    def turn(self) -> _Draft:
        return self.drafts[-1]

    def take(self, row: Row) -> None:
        self.order += 1
        if row.is_summary:
            self.opens_with_summary |= not self.summary and not any(d.request or d.actions for d in self.drafts)
            self.summary = "\n".join(text_of(b) for b in row.blocks)
        elif row.role == ASSISTANT:
            for block in row.blocks:
                self._assistant(block)
        else:
            self._user(row)

    def _assistant(self, block: Block) -> None:
        if block.kind == "text":
            text = clean(text_of(block)).strip()
            if text and text != FILLER:
                self.turn.said.append(Said(self.order, middle_cut(text, TEXT)))
        elif block.kind == "tool_use":
            self._call(block)

    def _call(self, block: Block) -> None:
        value = given(block)
        tool = one_line(block.name, 80)
        self.tools[tool] = self.tools.get(tool, 0) + 1
        action = Action(
            self.order,
            tool,
            _target(value, PATHS if tool in FILE_TOOLS else TARGETS),
            before=_string(value, "old_string")[:EDIT],
            after=(_string(value, "new_string") or _string(value, "content") or _string(value, "new_source"))[:EDIT],
        )
        self.open[block.call] = (self.turn, len(self.turn.actions), value)
        self.turn.actions.append(action)
        if block.name == "TodoWrite":
            self._replace_todos(value.get("todos"))

    def _user(self, row: Row) -> None:
        for block in row.blocks:
            if block.kind == "tool_result":
                self._result(block)
        if row.is_meta or (row.is_attachment and row.kind != "attachment:queued_command"):
            return
        text = "\n".join(text_of(b) for b in row.blocks if b.kind in ("text", "reminder"))
        heard = hear(text.replace("<system-reminder>", "").replace("</system-reminder>", "") if row.is_attachment else text)
        if heard.kind == "request":
            asked = self.turn.said[-1].text if self.turn.said else ""
            self.drafts.append(_Draft(middle_cut(heard.text, REQUEST), row.timestamp or "", asked))
        elif heard.kind == "interrupted":
            self.turn.interrupted = True
        elif heard.kind == "typed":
            self.turn.actions.append(Action(self.order, "Bash", heard.text, outcome=OK, by_user=True))
        elif heard.kind == "printed" and self.turn.actions and self.turn.actions[-1].by_user:
            self.turn.actions[-1] = replace(self.turn.actions[-1], output=middle_cut(heard.text, OUTPUT))

    def _result(self, block: Block) -> None:
        found = self.open.pop(block.call, None)
        if found is None:
            return
        draft, place, value = found
        action = draft.actions[place]
        output = clean(text_of(block)).strip()
        words = refusal(output) if block.error else None
        outcome = _outcome(block.error, output, refused=words is not None)
        draft.actions[place] = replace(
            action, outcome=outcome, output=middle_cut(output, OUTPUT), words=middle_cut(words or "", TEXT)
        )
        if outcome == OK:
            self._learn(action.tool, value, output)

    def _learn(self, tool: str, value: Mapping[str, Any], output: str) -> None:
        if tool == "AskUserQuestion":
            self.decisions += _decisions(value.get("questions"), output)
        elif tool == "ExitPlanMode":
            plan = _string(value, "plan") or output.partition("Approved Plan:")[2]
            if plan.strip():
                self.plans.append(plan.strip()[:REQUEST])
        elif tool == "TaskCreate":
            number = _TASK_NUMBER.search(output)
            if number:
                self.todos[number[1]] = Todo(one_line(_string(value, "subject"), 160), "pending", len(self.drafts))
        elif tool == "TaskUpdate":
            task = self.todos.get(str(value.get("taskId")))
            if task is not None and isinstance(value.get("status"), str):
                self.todos[str(value["taskId"])] = replace(task, status=value["status"], turn=len(self.drafts))

    def _replace_todos(self, todos: object) -> None:
        items = [t for t in todos if isinstance(t, Mapping)] if isinstance(todos, list) else []
        self.todos = {
            str(number): Todo(one_line(_string(item, "content"), 160), _string(item, "status") or PENDING, len(self.drafts))
            for number, item in enumerate(items)
        }

    def facts(self) -> Facts:
        drafts = [d for d in self.drafts if d.request or d.actions or d.said]
        return Facts(
            turns=tuple(Turn(d.request, d.at, d.asked, tuple(d.actions), tuple(d.said), d.interrupted) for d in drafts),
            todos=tuple(self.todos.values()),
            decisions=tuple(self.decisions),
            plans=tuple(self.plans),
            summary=clean(self.summary),
            opens_with_summary=self.opens_with_summary,
            tools=self.tools,
            count=len(self.drafts),
        )


def _outcome(error: bool, output: str, refused: bool) -> str:
    if refused:
        return REFUSED
    if not error:
        return OK
    return SKIPPED if CONSEQUENTIAL in output else ERROR


def _decisions(questions: object, output: str) -> list[Decision]:
    """The answers in the result of the question tool, by the questions that were put."""
    found: list[Decision] = []
    for question in questions if isinstance(questions, list) else ():
        text = _string(question, "question") if isinstance(question, Mapping) else ""
        at = output.find(f'"{text}"="') if text else -1
        if at >= 0:
            start = at + len(text) + 4
            end = _END_OF_ANSWER.search(output, start)
            found.append(Decision(one_line(text, 200), one_line(output[start : end.start() if end else len(output)], 300)))
    return found


def _target(value: Mapping[str, Any], names: Sequence[str]) -> str:
    for name in names:
        text = _string(value, name)
        if text:
            return clean(text)[:OUTPUT] if name == "command" else one_line(text, OUTPUT)
    return one_line(compact_json(dict(value)), 200) if value and names is TARGETS else ""


def _string(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""
