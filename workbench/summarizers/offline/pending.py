"""Pending Tasks: open todos, requests that were not carried out, agents still at work, what an earlier summary left open."""

import re
from collections.abc import Iterator

from ...compaction.prompts import sections as names
from ...memory.offline.codebase import LAUNCHED
from ...memory.offline.commands import groups, is_check, is_failing, plain
from ...memory.offline.facts import OK
from ...memory.words import middle_cut, one_line
from .entries import Entry
from .material import Material
from .wording import carried, entry, quoted, stamped

MOST_EARLIER = 10
WORDS = {"in_progress": "In progress", "pending": "To do"}

_NOTHING = re.compile(r"(?:Earlier: )?(?:none|nothing|no (?:pending|explicit|further|other|remaining|open))\b", re.IGNORECASE)
_AGENT = re.compile(r"agentId:\s*(\w+)")
_CODE = re.compile(r"`([^`]+)`")


def pending(material: Material) -> list[Entry]:
    """The newest request first, where it is not answered."""
    return [*_requests(material), *_todos(material), *_checks(material), *_agents(material), *_earlier(material)]


def _requests(material: Material) -> Iterator[Entry]:
    """The newest request while the agent works on it, or when the user broke it off."""
    turn = material.asked
    if turn is None or turn is not material.last or (turn.is_answered and not turn.interrupted):
        return
    state = "broken off by the user" if turn.interrupted else "being worked on"
    whole = f"{stamped(turn.at)}{quoted(middle_cut(turn.request, 300), 310)} — {state}"
    yield Entry(entry(whole), 90, entry(f"{quoted(turn.request, 110)} — {state}"), must=True)


def _todos(material: Material) -> Iterator[Entry]:
    for todo in material.open_todos:
        old = "" if material.is_fresh(todo) else " (not touched since the newest request)"
        line = f"{WORDS.get(todo.status, todo.status)}: {todo.text}{old}"
        detail = f"\n{todo.detail}" if todo.detail and todo.detail != todo.text else ""
        yield Entry(entry(f"{line}{detail}"), 80 if todo.status == "in_progress" else 70, entry(line), must=True)


def _checks(material: Material) -> Iterator[Entry]:
    """Checks whose newest run failed."""
    for group in groups(material.actions):
        if is_check(group.command) and is_failing(group.last):
            yield Entry(entry(f"Still failing when last run: `{group.command}`"), 60)


def _agents(material: Material) -> Iterator[Entry]:
    """Sub-agents in the background that nobody stopped or asked for their output since."""
    actions = material.actions
    for place, action in enumerate(actions):
        found = _AGENT.search(action.output) if action.output.startswith(LAUNCHED) else None
        if found and not any(found[1] in later.target for later in actions[place + 1 :]):
            yield Entry(entry(f"A sub-agent was started in the background: {quoted(action.target, 160)}"), 65)


def _earlier(material: Material) -> Iterator[Entry]:
    """What was to do then, without commands that have been run since; the rest only a reader can judge."""
    run = {plain(a.target) for a in material.actions if a.is_command and a.outcome == OK}
    found = [e for e in material.earlier.entries(names.PENDING) if not _NOTHING.match(e) and not run & set(_CODE.findall(e))]
    for place, text in enumerate(found):
        weight = 50 - 10 * place / len(found)
        yield Entry(carried(one_line(text, 400)), weight, carried(one_line(text, 140)), must=place < MOST_EARLIER)
