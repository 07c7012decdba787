"""Workflow: the commands that were run, in the order of their first run, with how they went."""

from ...conversation.wording import counted
from .commands import Group, groups, is_check, is_failing, is_lookup, reason
from .facts import PENDING, REFUSED, SKIPPED, Facts
from .fitting import Item


def workflow(facts: Facts) -> list[Item]:
    """One line a command; checks and repeated commands weigh most, mere look-ups least."""
    found = groups(facts.actions)
    return [_item(group, place, len(found)) for place, group in enumerate(found)]


def _item(group: Group, place: int, of: int) -> Item:
    times = f" ×{len(group.runs)}" if len(group.runs) > 1 else ""
    by = " (typed by the user)" if group.last.by_user else ""
    line = f"- `{group.command}`{times}{by} — {outcome_of(group)}"
    weight = 10 + 10 * place / of + min(len(group.runs), 5) * 4
    if is_check(group.command):
        weight += 20
    if is_lookup(group.command):
        weight -= 15
    return Item(line, weight, f"- `{group.command}`{times} — {_word(group)}")


def outcome_of(group: Group) -> str:
    """How a command went: its last run, the failures before it, and the line that told."""
    word = _word(group)
    if is_failing(group.last):
        said = reason(group.last, 110)
        return f"{word}: {said}" if said else word
    failed = next((run for run in reversed(group.runs) if is_failing(run)), None)
    return f"{word}, after {counted(group.failures, 'failure')} ({reason(failed, 90)})" if failed else word


def _word(group: Group) -> str:
    if group.last.outcome == REFUSED:
        return "refused by the user"
    if group.last.outcome == SKIPPED:
        return "not run, since a call beside it failed"
    if group.last.outcome == PENDING:
        return "no result yet"
    return "fails" if is_failing(group.last) else "ok"
