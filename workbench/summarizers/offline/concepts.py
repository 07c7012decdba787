"""Key Technical Concepts: what the rows give evidence of - languages, libraries, commands, terms - and no more."""

import re
from collections import Counter
from collections.abc import Iterator

from ...compaction.prompts import sections as names
from ...conversation.wording import counted
from ...memory.offline.commands import groups, is_check
from ...memory.offline.facts import OK
from ...memory.template import CODEBASE
from ...memory.words import one_line
from .entries import Entry
from .languages import language_of
from .material import Material
from .wording import EARLIER, carried, entry

TERMS, OFTEN = 18, 3  # terms shown; how often one has to be used

_IMPORTS = re.compile(
    r"^\s*(?:import\s+[\w{}*,\s]+\s+from\s+|export\s+[\w{}*,\s]+\s+from\s+|import\s+|from\s+|require\s*\(?\s*|use\s+|alias\s+"
    r"|\w+\s+(?=\"[\w.-]+/))[\"']?(@?[A-Za-z_][\w.@/:-]*)",
    re.MULTILINE,
)
_CODE = re.compile(r"`([A-Za-z_][\w .:/()<>-]{2,48})`")
_WORDS = re.compile(r"(?:the|a|this|that|it|them|we|you|is|are|and|of|to|in|for|if|as|be|by|on)", re.IGNORECASE)


def concepts(material: Material) -> list[Entry]:
    """Languages first, then libraries, checks, tools, terms, and what an earlier summary named."""
    return [
        *_languages(material),
        *_libraries(material),
        *_checks(material),
        *_tools(material),
        *_terms(material),
        *_earlier(material),
    ]


def _languages(material: Material) -> Iterator[Entry]:
    paths = dict.fromkeys(a.path for a in material.actions if a.path and a.outcome == OK)
    found = Counter(filter(None, map(language_of, paths)))
    if found:
        told = ", ".join(f"{name} ({counted(number, 'file')})" for name, number in found.most_common(8))
        yield Entry(entry(f"Languages of the files at hand: {told}"), 60, must=True)


def _libraries(material: Material) -> Iterator[Entry]:
    """What the edited code imports."""
    found: Counter[str] = Counter()
    for file in material.files:
        for edit in file.good:
            found.update({name.rstrip(".:/") for _, after in edit.pieces for name in _IMPORTS.findall(after)})
    told = [name for name, _ in found.most_common(40) if len(name) > 2 and not _WORDS.fullmatch(name)]
    if told:
        yield Entry(entry(f"Imported by the edited code: {', '.join(f'`{n}`' for n in told[:16])}"), 45)


def _checks(material: Material) -> Iterator[Entry]:
    found = [g for g in groups(material.actions) if is_check(g.command)]
    told = [f"`{one_line(g.command, 90)}`" for g in sorted(found, key=lambda g: -len(g.runs))[:8]]
    if told:
        yield Entry(entry(f"Checked with: {', '.join(told)}"), 55)


def _tools(material: Material) -> Iterator[Entry]:
    servers = Counter(
        {name.split("__")[1]: 0 for name in material.facts.tools if name.startswith("mcp__") and name.count("__") > 1}
    )
    for name, calls in material.facts.tools.items():
        if name.startswith("mcp__") and name.count("__") > 1:
            servers[name.split("__")[1]] += calls
    skills = dict.fromkeys(a.target for a in material.actions if a.tool == "Skill" and a.target)
    parts = [f"tool server {name} ({counted(calls, 'call')})" for name, calls in servers.items()]
    parts += [f"skill {one_line(name, 60)}" for name in skills]
    if parts:
        yield Entry(entry(f"Used: {', '.join(parts)}"), 50)


def _terms(material: Material) -> Iterator[Entry]:
    """Names that the agent set in code marks again and again."""
    found: Counter[str] = Counter()
    for turn in material.facts.turns:
        for said in turn.said:
            found.update(set(_CODE.findall(said.text)))
    told = [f"`{term}`" for term, times in found.most_common(TERMS) if times >= OFTEN]
    if told:
        yield Entry(entry(f"Names that came up again and again: {', '.join(told)}"), 40)


def _earlier(material: Material) -> Iterator[Entry]:
    found = material.earlier.entries(names.CONCEPTS, CODEBASE)
    computed = ("Languages of the files", "Imported by the edited", "Checked with:", "Used:", "Names that came up")
    left = [e for e in found if not e.removeprefix(EARLIER).startswith(computed)]
    for place, text in enumerate(left):
        yield Entry(carried(one_line(text, 260)), 30 - 10 * place / len(left))
