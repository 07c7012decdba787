"""Problem Solving: what the agent found out, in its own words; what worked in the end; how checks and commits stand."""

import re
from collections.abc import Iterator

from ...compaction.prompts import sections as names
from ...memory.offline.codebase import AGENTS, LAUNCHED
from ...memory.offline.facts import OK
from ...memory.offline.learnings import learnings
from ...memory.offline.results import first_lines, results
from ...memory.template import LEARNINGS, RESULTS
from ...memory.words import one_line
from .entries import Entry
from .material import Material
from .wording import carried, cut_in_the_middle, entry, fenced, quoted

SHORTEST, LONGEST = 30, 320  # characters of a finding
REPORT = 900  # of what a sub-agent reported

_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`*\"“(])|\n+")
_FINDING = re.compile(
    r"\b(?:root cause|the (?:real |actual |main )?(?:issue|problem|bug|cause|reason|culprit) (?:is|was)|turns out|this is because"
    r"|that(?:'s| is) (?:why|because)|the fix (?:is|was)|fixed (?:it )?by|which means|so the \w+ (?:is|was)n't|instead of"
    r"|found (?:it|the (?:issue|problem|bug))|no longer|does(?:n't| not) (?:work|exist|support)|confirmed)\b",
    re.IGNORECASE,
)
_USAGE = re.compile(r"\n(?:agentId: .*|<usage>.*)\Z", re.DOTALL)
_MARKS = re.compile(r"^[\s#>*-]+|\*\*")


def solving(material: Material) -> list[Entry]:
    """State of checks and commits first, then findings in order, then what is proven by trial, then what was known before."""
    items = results(material.facts)
    stands, answers = ([i for i in items if i.text.startswith("- Asked:") is asked] for asked in (False, True))
    proven = [item for item in learnings(material.facts) if not item.text.startswith("- Not without asking")]
    entries = [Entry(f"   {item.text}", item.weight) for item in stands]
    entries += [*_findings(material), *_reports(material)]
    entries += [Entry(_deeper(item.text), item.weight + 15, _deeper(item.short)) for item in answers]
    entries += [Entry(f"   {item.text}", item.weight) for item in proven]
    return [*entries, *_earlier(material)]


def _deeper(item: str) -> str:
    return "\n".join(f"   {line}" for line in item.split("\n")) if item else ""


def _findings(material: Material) -> Iterator[Entry]:
    """Sentences of the agent that state a cause or what came of a try; the newest weigh most."""
    told: dict[str, None] = {}
    for turn in material.facts.turns:
        for said in turn.said:
            for sentence in _SENTENCE.split(said.text):
                line = one_line(_MARKS.sub("", sentence), LONGEST)
                if len(line) > SHORTEST and not line.endswith((":", "?")) and not line.startswith("|") and _FINDING.search(line):
                    told[line] = None
    for place, line in enumerate(told):
        yield Entry(entry(f"The agent found: “{line}”"), 30 + 30 * place / len(told))


def _reports(material: Material) -> Iterator[Entry]:
    """What sub-agents reported: dear to find out, and in no file."""
    reports = [a for a in material.actions if a.tool in AGENTS and a.outcome == OK and not a.output.startswith(LAUNCHED)]
    for place, action in enumerate(reports):
        said = _USAGE.sub("", action.output).strip()
        head = entry(f"A sub-agent was sent for {quoted(action.target, 120)} and reported:")
        whole = f"{head}\n{fenced(cut_in_the_middle(said, REPORT), 'text')}"
        yield Entry(whole, 45 + 10 * place / len(reports), f"{head} {quoted(first_lines(said), 240)}")


def _earlier(material: Material) -> Iterator[Entry]:
    found = material.earlier.entries(names.SOLVING, LEARNINGS, RESULTS)
    for place, text in enumerate(found):
        yield Entry(carried(one_line(text, 400)), 20 - 10 * place / len(found), carried(one_line(text, 140)))
