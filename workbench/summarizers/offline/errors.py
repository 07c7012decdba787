"""Errors and fixes: each error with what followed, those still open first; what the user refused or corrected."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...compaction.prompts import sections as names
from ...memory.offline.commands import are_alike, is_failing, is_lookup, plain, program, reason, telling_line
from ...memory.offline.facts import REFUSED, SKIPPED, Action
from ...memory.offline.gather import CONSEQUENTIAL
from ...memory.offline.worklog import name_of
from ...memory.template import ERRORS
from ...memory.words import middle_cut, one_line
from .entries import Entry
from .material import Material
from .wording import carried, cut_in_the_middle, entry, fenced

OUTPUT = 900  # bytes of the text of an error that is open


_NOTHING = re.compile(r"(?:Earlier: )?(?:none|no (?:\w+ )?errors?)\b", re.IGNORECASE)

_CHAINED = re.compile(r"\s*(?:&&|\|\||;|\n)\s*")
_LOOKS = ("Read", "Grep", "Glob", "WebFetch", "WebSearch", "LS")
_WHATEVER = ("git commit", "git push", "git rebase", "git merge")


@dataclass(frozen=True, slots=True)
class Remedy:
    """What followed an error; `corrected` when the same thing worked later."""

    corrected: bool
    words: str


def errors(material: Material) -> list[Entry]:
    """Open errors, corrected ones, refusals, then what an earlier summary tells."""
    actions = material.actions
    wrong = [(a, remedy(actions, place)) for place, a in enumerate(actions) if is_failing(a)]
    return [*_open(wrong), *_corrected(wrong), *_refused(actions), *_not_run(actions), *_earlier(material)]


def remedy(actions: Sequence[Action], place: int) -> Remedy:
    """Whether the same aim was reached later, how, and after which edits; else what was done next."""
    action, later = actions[place], actions[place + 1 :]
    again = [(at, other) for at, other in enumerate(later) if other.tool == action.tool and _same_aim(action, other)]
    good = next(((at, other) for at, other in again if not is_failing(other) and other.outcome != REFUSED), None)
    if good is not None:
        at, other = good
        edited = _names(a.path for a in later[:at] if a.is_edit)
        tried = sum(is_failing(o) for a, o in again if a < at)
        changed = f" as `{plain(other.target)}`" if other.is_command and plain(other.target) != plain(action.target) else ""
        by, after = f" after editing {edited}" if edited else "", f", after {tried} more failures" if tried else ""
        return Remedy(True, f"worked later{changed}{by}{after}")
    if again:
        return Remedy(False, f"tried {len(again)} more times, not cured: {telling_line(again[-1][1].output, 120)}")
    if not later:
        return Remedy(False, "nothing was done about it yet")
    return Remedy(False, f"not tried again; next was {_what(later[0])}")


def _same_aim(action: Action, other: Action) -> bool:
    if not action.is_command:
        return bool(action.target) and action.target == other.target
    return are_alike(action.target, other.target) or any(
        _is_like(_steps(action.target)[-1], step) for step in _steps(other.target)
    )


def _steps(command: str) -> list[str]:
    """The commands of a chain, without the text of a here-document; at least one."""
    return [step for step in _CHAINED.split(command.partition("<<")[0]) if step.strip()] or [command]


def _is_like(step: str, other: str) -> bool:
    """Whether two steps of chains try the same thing; of a commit or a push the rest does not matter."""
    return are_alike(step, other) or (program(step) in _WHATEVER and program(step) == program(other))


def _names(paths: Iterator[str]) -> str:
    found = list(dict.fromkeys(map(name_of, paths)))
    return ", ".join(found[:4]) + (f" and {len(found) - 4} more" if len(found) > 4 else "")


def _open(wrong: Sequence[tuple[Action, Remedy]]) -> Iterator[Entry]:
    """Newest first. A look-up that found nothing is no open problem, but it is told: it need not be tried again."""
    told: dict[str, None] = {}
    left = [(a, r) for a, r in wrong if not r.corrected]
    for place, (action, followed) in enumerate(reversed(left)):
        why = reason(action, 200) or one_line(action.output, 80) or "no message"
        looked = action.tool in _LOOKS or (action.is_command and is_lookup(action.target))
        line = f"{'' if looked else 'OPEN — '}{_what(action)}: {why}"
        if line in told:
            continue
        told[line] = None
        whole = entry(f"{line} → {followed.words}")
        said = action.output.strip()
        if not looked and len(said) > len(why) + 10:
            whole += f"\n{fenced(cut_in_the_middle(said, OUTPUT))}"
        yield Entry(whole, (40 if looked else 85) - 30 * place / len(left), entry(line), must=True)


def _corrected(wrong: Sequence[tuple[Action, Remedy]]) -> Iterator[Entry]:
    told: dict[str, None] = {}
    left = [(a, r) for a, r in wrong if r.corrected]
    for place, (action, followed) in enumerate(left):
        line = f"{_what(action)}: {reason(action)}"
        if line not in told:
            told[line] = None
            yield Entry(entry(f"{line} → {followed.words}"), 50 + 20 * place / len(left), entry(one_line(line, 160)))


def _refused(actions: Sequence[Action]) -> Iterator[Entry]:
    for action in actions:
        if action.outcome == REFUSED:
            words = f": “{one_line(middle_cut(action.words, 400), 410)}”" if action.words else ", without a word"
            yield Entry(entry(f"The user refused {_what(action)}{words}"), 80, must=True)


def _not_run(actions: Sequence[Action]) -> Iterator[Entry]:
    """Calls that the program left out because one beside them failed: they did not happen, though they were called."""
    skipped = [_what(a) for a in actions if a.outcome == SKIPPED]
    if skipped:
        text = f"Not run (“{CONSEQUENTIAL}”): {'; '.join(skipped)}"
        yield Entry(entry(text), 45, entry(one_line(text, 300)), must=True)


def _earlier(material: Material) -> Iterator[Entry]:
    found = [e for e in material.earlier.entries(names.ERRORS, ERRORS) if not _NOTHING.match(e)]
    for place, text in enumerate(found):
        weight = (35 if "OPEN" in text[:20] else 25) - 5 * place / len(found)
        yield Entry(carried(text), weight, carried(one_line(text, 200)))


def _what(action: Action) -> str:
    target = plain(action.target) if action.is_command else one_line(action.target, 200)
    return f"`{target}`" if action.is_command else f"{action.tool} `{target}`" if target else action.tool
