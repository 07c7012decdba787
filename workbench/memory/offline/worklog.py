"""Worklog: what was done, step by step: each request, and under it what the agent said it would do and what it did."""

from collections.abc import Iterator, Sequence

from ...conversation.wording import counted
from ..words import one_line
from .commands import is_failing
from .facts import OK, REFUSED, Action, Facts, Turn
from .fitting import Item

SEARCHES = ("Grep", "Glob", "WebSearch", "WebFetch", "ToolSearch")


def worklog(facts: Facts) -> list[Item]:
    """A line a request and a line a step; requests and steps that changed something weigh most."""
    items: list[Item] = []
    day = ""
    counted = set(map(id, facts.requests))
    for place, turn in enumerate(t for t in facts.turns if id(t) in counted or not t.request):
        at = turn.at[:16].replace("T", " ")
        stamp = at[11:] if at[:10] == day else at
        day = at[:10] or day
        items.append(
            Item(
                f"- {_stamp(stamp)}{one_line(turn.request, 90) or 'went on'} → {done(turn.actions)}{_end(turn)}", 30 + place / 100
            )
        )
        items += _steps(turn, place)
    return items


def _stamp(stamp: str) -> str:
    return f"{stamp} " if stamp else ""


def _end(turn: Turn) -> str:
    return ", broken off by the user" if turn.interrupted else ""


def _steps(turn: Turn, place: int) -> Iterator[Item]:
    """Within a long turn, each text of the agent with the actions up to the next."""
    if len(turn.actions) < 6 or not turn.said:
        return
    bounds = [s.order for s in turn.said[1:]] + [float("inf")]
    for said, end in zip(turn.said, bounds, strict=True):
        actions = [a for a in turn.actions if said.order <= a.order < end]
        if actions:
            changed = any(a.is_edit for a in actions)
            yield Item(f"  - {one_line(said.text, 80).rstrip(':')} → {done(actions)}", (20 if changed else 8) + place / 100)


def done(actions: Sequence[Action]) -> str:
    """Actions in short: files edited by name, everything else by number."""
    edited = list(dict.fromkeys(name_of(a.path) for a in actions if a.is_edit and a.outcome == OK))
    commands = [a for a in actions if a.is_command]
    failed = sum(map(is_failing, commands))
    reads = sum(a.tool == "Read" for a in actions)
    searches = sum(a.tool in SEARCHES for a in actions)
    others = dict.fromkeys(a.tool for a in actions if not (a.is_edit or a.is_command or a.tool == "Read" or a.tool in SEARCHES))
    refused = sum(a.outcome == REFUSED for a in actions)
    parts = [
        f"edited {', '.join(edited[:4])}" + (f" and {len(edited) - 4} more" if len(edited) > 4 else "") if edited else "",
        counted(len(commands), "command") + (f" ({failed} failed)" if failed else "") if commands else "",
        counted(reads, "read") if reads else "",
        f"{searches} search{'es' if searches > 1 else ''}" if searches else "",
        *(f"{sum(a.tool == tool for a in actions)} {tool.split('__')[-1]}" for tool in others),
        f"{refused} refused by the user" if refused else "",
    ]
    return ", ".join(filter(None, parts)) or "answered"


def name_of(path: str) -> str:
    """The last part of a path."""
    return path.replace("\\", "/").rpartition("/")[2]
