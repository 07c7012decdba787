"""Errors & Corrections: what the user corrected, the rules the user gave, each error with what followed."""

from collections.abc import Iterator, Sequence

from ...conversation.wording import counted
from ..words import one_line
from .commands import are_alike, is_failing, plain, reason, telling_line
from .facts import REFUSED, Action, Facts
from .fitting import Item
from .rules import is_correction, rules
from .worklog import name_of

FURTHEST = 200  # actions looked at behind an error


def errors(facts: Facts) -> list[Item]:
    """Corrections and rules first, since they cannot be read again anywhere; then errors, the newest weighing most."""
    return [*_corrections(facts), *_errors(facts)]


def _corrections(facts: Facts) -> Iterator[Item]:
    said: dict[str, None] = {}
    for place, turn in enumerate(facts.turns):
        found = [turn.request] if place and is_correction(turn.request) else []
        for text in (*found, *rules(turn.request)):
            line = one_line(text, 260)
            if line and not any(line in other for other in said):
                said[line] = None
                kind, weight = ("Correction", 60) if text in found else ("Rule", 80)
                yield Item(f"- {kind} of the user: “{line}”", weight)
        for action in turn.actions:
            if action.outcome == REFUSED and action.words:
                yield Item(f"- The user refused {_what(action)}: “{one_line(action.words, 260)}”", 70)


def _errors(facts: Facts) -> Iterator[Item]:
    actions = facts.actions
    wrong = [place for place, action in enumerate(actions) if is_failing(action)]
    told: dict[str, None] = {}
    for number, place in enumerate(wrong):
        action = actions[place]
        line = ": ".join(filter(None, (f"- {_what(action)}", reason(action))))
        if line in told:
            continue
        told[line] = None
        yield Item(f"{line} → {what_followed(actions, place)}", 20 + 30 * number / len(wrong), line)


def what_followed(actions: Sequence[Action], place: int) -> str:
    """What came after an error: the same thing tried again, with the edits in between; else the next action."""
    action = actions[place]
    later = actions[place + 1 : place + 1 + FURTHEST]
    for distance, other in enumerate(later):
        if other.tool == action.tool and _same_aim(action, other):
            edited = _names(a.path for a in later[:distance] if a.is_edit)
            by = f" after editing {edited}" if edited else ""
            if is_failing(other):
                return (
                    f"tried again{by}, failed again" if not by else f"tried again{by}, failed: {telling_line(other.output, 80)}"
                )
            changed = f" as `{plain(other.target)}`" if other.is_command and plain(other.target) != plain(action.target) else ""
            return f"worked{changed}{by}"
    if not later:
        return "nothing yet"
    return f"went on with {_what(later[0])}"


def _same_aim(action: Action, other: Action) -> bool:
    return are_alike(action.target, other.target) if action.is_command else bool(action.target) and action.target == other.target


def _names(paths: Iterator[str]) -> str:
    names = list(dict.fromkeys(map(name_of, paths)))
    return ", ".join(names[:3]) + (f" and {counted(len(names) - 3, 'more file')}" if len(names) > 3 else "")


def _what(action: Action) -> str:
    target = plain(action.target) if action.is_command else one_line(action.target, 140)
    return f"`{target}`" if action.is_command else f"{action.tool} `{target}`" if target else action.tool
