"""Task specification: every request in the user's words, the answers given to questions, the approved plans."""

import re
from collections.abc import Iterator

from ..words import middle_cut, one_line
from .facts import Facts, Turn
from .fitting import Item
from .rules import states_rule

SHORT = 160  # characters of a request that is shortened
TERSE = 4  # words: such an answer means nothing without the question

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_PICKED = re.compile(r"\W*(?:option )?([A-H]|\d{1,2})\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!])\s+(?=\S)")
_NAVIGATION = re.compile(r"^more questions\b", re.IGNORECASE)


def task(facts: Facts) -> list[Item]:
    """The items, oldest first; first and newest requests and those that state a rule weigh most."""
    requests = facts.requests
    items = [_request(turn, place, len(requests)) for place, turn in enumerate(requests)]
    items += _decisions(facts)
    items += [
        Item(f"- Plan approved by the user: {_outline(plan)}", 40, f"- Plan approved by the user: {_title(plan)}")
        for plan in facts.plans
    ]
    return items


def _request(turn: Turn, place: int, of: int) -> Item:
    text = indented(turn.request)
    asked = answering(turn)
    weight = 100.0 if place == 0 else 90.0 if place == of - 1 else 10 + 40 * place / of
    if states_rule(turn.request):
        weight += 20
    if asked:
        weight -= 8
    return Item(f"- {text}{asked}", weight, f"- {one_line(middle_cut(turn.request, SHORT), SHORT + 10)}{asked}")


def indented(text: str) -> str:
    """A text of several lines as one entry: further lines stand so deep that none of them is a heading or a fence."""
    return "\n    ".join(line.rstrip() for line in text.strip().splitlines() if line.strip())


def answering(turn: Turn, most: int = 160) -> str:
    """For an answer too short to be understood alone: the question before it, and the option it picks; "" for others."""
    if not turn.asked or len(turn.request.split()) > TERSE:
        return ""
    lines = [line.strip() for line in _FENCED.sub("", turn.asked).splitlines() if line.strip()]
    prose = [_plain(line) for line in lines if not line.startswith("|")]
    question = next((line for line in reversed(prose) if "?" in line), prose[-1] if prose else "")
    picked = _PICKED.match(turn.request)
    option = ""
    if picked:
        mark = re.compile(rf"^[\s|*#>-]*(?:option\s+)?{picked[1]}[.):*\s]", re.IGNORECASE)
        option = next((f" — {one_line(_plain(line), most)}" for line in lines if mark.match(line)), "")
    return f" (answering: {one_line(_SENTENCE.split(question)[-1], most)}{option})" if question else ""


def _plain(line: str) -> str:
    return " ".join(line.replace("**", "").strip("|#>-* ").replace("|", " — ").split())


def _decisions(facts: Facts) -> Iterator[Item]:
    for place, decision in enumerate(facts.decisions):
        if _NAVIGATION.match(decision.question):
            continue
        yield Item(f"- Decided: {decision.question} → {decision.answer}", 45 + 20 * place / len(facts.decisions))


def _title(plan: str) -> str:
    return one_line(plan.lstrip("# ").partition("\n")[0], 120)


def _outline(plan: str) -> str:
    """Title and headings of a plan."""
    heads = [one_line(line.lstrip("# "), 80) for line in plan.splitlines()[1:] if line.startswith("#")]
    return f"{_title(plan)} ({'; '.join(heads[:14])})" if heads else one_line(plan, 400)
