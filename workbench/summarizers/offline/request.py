"""Primary Request and Intent: what was asked for, what came of it, which rules and decisions of the user hold."""

import re
from collections.abc import Iterator

from ...compaction.prompts import sections as names
from ...compaction.variants import FROM
from ...memory.offline.facts import Turn
from ...memory.offline.rules import is_correction, rules
from ...memory.offline.task import answering
from ...memory.template import TASK
from ...memory.words import middle_cut, one_line
from .current import so_far
from .entries import Entry
from .material import Material
from .wording import carried, entry, quoted, stamped

LONG, SHORT = 160, 90  # characters of a request; word for word it stands among the messages
RULE = 300
_NAVIGATION = re.compile(r"more questions\b", re.IGNORECASE)  # asked by the agent to find its way, not the user's
_TURNED = re.compile(r"^(?:i mean\b|sorry\b)|\blet'?s not\b|doesn'?t mean\b|not what i\b|i never (?:said|asked)\b", re.IGNORECASE)
_PASTED = re.compile(r"^[\w./-]+:\d+|^\s*[-+<>|#✓✗*]|[{};]\s*$|^\d+[.)]|=>|\w\(.*\)\s*$|\w+\.\w+:\d+")
PART = "This covers the recent part only; the earlier messages stand in front of it, word for word."


def request(material: Material, variant: str) -> list[Entry]:
    """Earlier requests first, then those of these rows in order, then rules, decisions and plans."""
    scope = [Entry(f"   - {PART}", 99, must=True)] if variant == FROM else []
    return [*scope, *_earlier(material), *_requests(material), *_rules(material), *_decisions(material), *_plans(material)]


def _earlier(material: Material) -> Iterator[Entry]:
    found = material.earlier.entries(names.REQUEST, TASK)
    if not found and material.earlier.loose:
        found = [material.earlier.loose]
    for place, text in enumerate(found):
        weight = 70 - 20 * place / len(found)
        yield Entry(carried(one_line(middle_cut(text, 500), 510)), weight, carried(one_line(text, 140)), must=True)


def _requests(material: Material) -> Iterator[Entry]:
    requests = material.facts.requests
    for place, turn in enumerate(requests):
        ends = place in (0, len(requests) - 1)
        label = "Newest request" if place == len(requests) - 1 else "Request"
        at = stamped(turn.at)
        whole = f"{label} {at}{quoted(middle_cut(turn.request, LONG), LONG + 10)}{answering(turn)} → {_outcome(turn)}"
        short = f"{label} {at}{quoted(turn.request, SHORT)}"
        yield Entry(entry(whole), 90.0 if ends else 50 + 30 * place / len(requests), entry(short), must=True)


def _outcome(turn: Turn) -> str:
    return f"{so_far(turn)}{', broken off by the user' if turn.interrupted else ''}"


def _rules(material: Material) -> Iterator[Entry]:
    """Corrections and lasting rules: short, easily lost, and nowhere else (spec 1, section 12)."""
    told: dict[str, None] = {}
    for place, turn in enumerate(material.facts.requests):
        turned = is_correction(turn.request) or _TURNED.search(turn.request)
        corrected = place > 0 and bool(turned) and len(turn.request) <= RULE
        for text in [turn.request] if corrected else filter(_is_spoken, rules(turn.request)):
            line = one_line(text, RULE)
            if line and not any(line in other for other in told):
                told[line] = None
                yield Entry(entry(f"{'Correction' if corrected else 'Condition'} of the user: “{line}”"), 85, must=True)


def _is_spoken(sentence: str) -> bool:
    """Whether it reads like a sentence of a person, not like a line of a log or of code that was pasted."""
    return not _PASTED.search(sentence) and len(sentence.split()) > 2


def _decisions(material: Material) -> Iterator[Entry]:
    for decision in material.facts.decisions:
        if _NAVIGATION.match(decision.question):
            continue
        text = f"Decided by the user: {decision.question} → {decision.answer}"
        yield Entry(entry(text), 75, entry(one_line(text, 200)), must=True)


def _plans(material: Material) -> Iterator[Entry]:
    """The newest approved plan with its headings, older ones by their title."""
    plans = material.facts.plans
    for place, plan in enumerate(plans):
        title = one_line(plan.lstrip("# ").partition("\n")[0], 160)
        heads = [one_line(line.lstrip("# "), 100) for line in plan.splitlines()[1:] if line.startswith("#")]
        short = f"Plan approved by the user: {title}"
        newest = place == len(plans) - 1
        whole = f"{short}\n{'; '.join(heads[:20]) or one_line(plan, 600)}" if newest else short
        yield Entry(entry(whole), 72, entry(short), must=newest)
