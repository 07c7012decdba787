"""Learnings: only what the session proves - a variant that worked where another failed, what was refused, what was undone."""

import re
from collections.abc import Iterator

from .commands import are_alike, groups, is_failing, is_lookup, plain, reason
from .facts import OK, REFUSED, Facts
from .fitting import Item

_UNDO = re.compile(r"^git (?:revert|reset|checkout (?:--|HEAD)|restore|stash)\b")


def learnings(facts: Facts) -> list[Item]:
    """The items; [] where nothing is proven."""
    return [*_variants(facts), *_stubborn(facts), *_refused(facts), *_undone(facts), *_tools(facts)]


def _variants(facts: Facts) -> Iterator[Item]:
    """Commands that failed, and the different form that worked."""
    commands = [a for a in facts.actions if a.is_command and not is_lookup(a.target)]
    told: dict[str, None] = {}
    for place, action in enumerate(commands):
        if not is_failing(action):
            continue
        other = next((a for a in commands[place + 1 : place + 6] if are_alike(action.target, a.target)), None)
        if other is None or is_failing(other) or other.outcome != OK or plain(other.target) == plain(action.target):
            continue
        line = f"- `{plain(other.target)}` worked where `{plain(action.target)}` failed ({reason(action, 90)})"
        if line not in told:
            told[line] = None
            yield Item(line, 30)


def _stubborn(facts: Facts) -> Iterator[Item]:
    for group in groups(facts.actions):
        if group.failures >= 2 and not is_failing(group.last) and not is_lookup(group.command):
            yield Item(f"- `{group.command}` failed {group.failures} times before it passed; run it after every change.", 25)


def _refused(facts: Facts) -> Iterator[Item]:
    for action in facts.actions:
        if action.outcome == REFUSED and action.is_command:
            yield Item(f"- Not without asking: `{plain(action.target)}` was refused by the user.", 35)


def _undone(facts: Facts) -> Iterator[Item]:
    for action in facts.actions:
        if action.is_command and action.outcome == OK and _UNDO.match(plain(action.target)):
            yield Item(f"- Undone: `{plain(action.target)}`.", 28)


def _tools(facts: Facts) -> Iterator[Item]:
    """What the tools themselves refused, once each."""
    told: dict[str, None] = {}
    for action in facts.actions:
        if action.outcome == OK or action.is_command or not is_failing(action):
            continue
        line = f"- {action.tool} refuses: {reason(action, 150)}"
        if line not in told:
            told[line] = None
            yield Item(line, 10)
