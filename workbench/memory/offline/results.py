"""Key results: what was asked for and answered, what was committed, how the checks stand."""

import re
from collections.abc import Iterator

from ..words import middle_cut, one_line
from .commands import groups, is_check, is_failing, reason
from .facts import OK, Facts
from .fitting import Item
from .task import indented

LONG, SHORT = 900, 220  # characters of an answer

_COMMIT = re.compile(r"^\[([^\]\s]+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.*)$", re.M)
_PULL = re.compile(r"https?://\S+/(?:pull|merge_requests)/\d+(?=\s|$|[\"'])")
_OPENER = re.compile(r"(?:perfect|excellent|great|good|now i|let me|i have|i've|based on|here(?:'s| is))\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\?|^\W*(?:ok,?\s+|so,?\s+|now,?\s+)*(?:what|why|how|where|which|when|who|is|are|do|does|did|can we|could we|would|should"
    r"|give me|show|list|explain|summari[sz]e|compare|review|check|brainstorm|analy[sz]e)\b",
    re.IGNORECASE,
)


def results(facts: Facts) -> list[Item]:
    """Commits and checks first, then answers, the newest weighing most."""
    return [*_commits(facts), *_pulls(facts), *_checks(facts), *_answers(facts)]


def _commits(facts: Facts) -> Iterator[Item]:
    found: dict[str, str] = {}
    for action in facts.actions:
        if action.is_command and action.outcome == OK and "commit" in action.target:
            for branch, sha, subject in _COMMIT.findall(action.output):
                found[sha] = f"- Commit {sha} on {branch}: {one_line(subject, 120)}"
    for place, line in enumerate(found.values()):
        yield Item(line, 60 + place / 100)


def _pulls(facts: Facts) -> Iterator[Item]:
    found: dict[str, None] = {}
    for action in facts.actions:
        if action.is_command and action.outcome == OK and "gh pr create" in action.target:
            found.update(dict.fromkeys(_PULL.findall(action.output)))
    for link in found:
        yield Item(f"- Pull request: {link}", 70)


def _checks(facts: Facts) -> Iterator[Item]:
    checks = sorted((g for g in groups(facts.actions) if is_check(g.command)), key=lambda g: g.last.order)
    for place, group in enumerate(checks[-6:]):
        state = f"fails: {reason(group.last, 110)}" if is_failing(group.last) else group.last.outcome
        yield Item(f"- Last run of `{group.command}`: {state}", 50 + place)


def _answers(facts: Facts) -> Iterator[Item]:
    requests = facts.requests
    asking = [t for t in requests if t.is_answered and (len(requests) == 1 or _ASKS.search(t.request))]
    for place, turn in enumerate(asking):
        question = one_line(turn.request, 120)
        yield Item(
            f"- Asked: {question}\n    {indented(_upto(turn.answer, LONG))}",
            10 + 30 * place / len(asking),
            f"- Asked: {question} → {one_line(first_lines(turn.answer), SHORT)}",
        )


def first_lines(text: str) -> str:
    """The text without opening phrase, headings, fences and rules of tables, which say little in one line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and _OPENER.match(lines[0]):
        lines = lines[1:]
    return " ".join(line for line in lines if line and not line.startswith(("#", "```")) and not set(line) <= set("|-: ="))


def _upto(text: str, most: int) -> str:
    """Whole lines up to so many characters."""
    if len(text) <= most:
        return text
    end = text.rfind("\n", 0, most)
    return f"{text[:end]}\n[…]" if end > most // 3 else middle_cut(text, most)
