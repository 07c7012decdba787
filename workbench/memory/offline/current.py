"""Current State: where the newest turns stand, what is open, what comes next. Written anew at every extraction."""

import re
from collections.abc import Iterator

from ..words import middle_cut, one_line
from .commands import plain
from .facts import OK, PENDING, Action, Facts, Todo, Turn
from .fitting import Item
from .task import answering, indented
from .worklog import done

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


def current(facts: Facts) -> list[Item]:
    """The items, the most important first; one that says so where the session has not begun."""
    if not facts.turns:
        return [Item("- Nothing was said or done yet.")]
    asked = next((turn for turn in reversed(facts.turns) if turn.request), None)
    return [
        *_last_request(asked),
        *_doing(facts.turns[-1]),
        *_todos(facts),
        *_uncommitted(facts),
        Item(f"- Next: {_next(facts, asked)}", 90),
    ]


def _last_request(asked: Turn | None) -> Iterator[Item]:
    if asked is None:
        return
    at = f" ({asked.at[:16].replace('T', ' ')})" if asked.at else ""
    to = answering(asked)
    yield Item(
        f"- Last request{at}: “{indented(middle_cut(asked.request, 1_200))}”{to}",
        100,
        f"- Last request{at}: “{one_line(middle_cut(asked.request, 300), 310)}”{to}",
    )
    yield Item(f"- Done for it: {done(asked.actions)}", 70)


def _doing(turn: Turn) -> Iterator[Item]:
    if turn.actions:
        last = turn.actions[-1]
        yield Item(f"- Last action: {_action(last)} — {'no result yet' if last.outcome == PENDING else last.outcome}", 80)
    if turn.answer:
        yield Item(
            f"- Last words of the agent: “{indented(middle_cut(turn.answer, 1_500))}”",
            60,
            f"- Last words of the agent: “{one_line(middle_cut(turn.answer, 400), 410)}”",
        )
    if turn.interrupted:
        yield Item("- The user broke the last turn off.", 85)


def _action(action: Action) -> str:
    target = plain(action.target) if action.is_command else one_line(action.target, 140)
    return f"{action.tool} `{target}`" if target else action.tool


def _todos(facts: Facts) -> Iterator[Item]:
    words = {"in_progress": "In progress", "pending": "To do"}
    for todo in facts.todos:
        if todo.status in words:
            old = "" if _is_fresh(facts, todo) else " (not touched by the newest requests)"
            yield Item(f"- {words[todo.status]}: {todo.text}{old}", (75 if todo.status == "in_progress" else 65) - 20 * bool(old))


def _is_fresh(facts: Facts, todo: Todo) -> bool:
    """Whether one of the last two requests touched it: agents often leave finished todos open."""
    return todo.turn >= facts.count - 1


def _uncommitted(facts: Facts) -> Iterator[Item]:
    paths: dict[str, None] = {}
    for action in facts.actions:
        if action.is_edit and action.outcome == OK:
            paths[action.path] = None
        elif action.is_command and action.outcome == OK and "git commit" in action.target:
            paths.clear()
    if paths:
        names = [f"`{p}`" for p in list(paths)[-10:]]
        yield Item(f"- Edited since the last commit: {', '.join(names)}", 50)


def _next(facts: Facts, asked: Turn | None) -> str:
    last = facts.turns[-1]
    if last.actions and last.actions[-1].outcome == PENDING:
        return f"the result of {_action(last.actions[-1])}."
    if last.interrupted:
        return "wait for what the user wants instead."
    question = _FENCED.sub("", last.answer).rstrip().rpartition("\n")[2]
    if last.is_answered and "?" in question:
        return f"the user's answer to “{one_line(question, 240)}”"
    doing = next((t.text for t in facts.todos if t.status == "in_progress" and _is_fresh(facts, t)), "")
    if doing:
        return f"go on with “{doing}”."
    if last.is_answered:
        return "the last request is answered; the user speaks next."
    return "go on with the last request." if asked is not None else "go on with the last action."
