"""What an earlier summary says, for the sections that correspond to it (spec 1, section 8.1, the table)."""

import re
from collections.abc import Iterator

from ..template import CODEBASE, CURRENT_STATE, LEARNINGS, MATCHES, TASK, WORKLOG
from ..words import one_line
from .facts import Facts
from .fitting import Item

_HEAD = re.compile(r"^\s{0,3}(?:#+\s*)?(?:\d+[.)]\s*)?\**\s*([A-Za-z][A-Za-z ,/&]+?)\s*:?\s*\**\s*:?\s*$")
_KNOWN = {title.casefold() for match in MATCHES for title in match.summary}
_PASSING = re.compile(r"(?:current|currently|still|in progress|ongoing|now|the user|next)\b", re.IGNORECASE)  # true then, not now
ALWAYS = (CODEBASE, LEARNINGS)  # a summary says here what no single action shows
PENDING = "Pending Tasks"
SOURCES = {match.section: match.summary for match in MATCHES if match.section and match.summary} | {
    CURRENT_STATE: (PENDING,),
    TASK: ("Primary Request and Intent", "All user messages"),
    WORKLOG: (),
}


def summary_sections(summary: str) -> dict[str, str]:
    """The sections of a summary by title in lower case; text before the first is dropped."""
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in summary.splitlines():
        head = _HEAD.match(line) if len(line) < 80 else None
        if head and head[1].casefold() in _KNOWN:
            lines = found.setdefault(head[1].casefold(), [])
        elif lines is not None:
            lines.append(line)
    return {title: "\n".join(body).strip("\n") for title, body in found.items()}


def inherited(facts: Facts, title: str) -> Iterator[Item]:
    """Items from the matching sections of the newest summary; only what the rows do not show themselves.

    A compaction from notes drops an earlier summary, so what only the summary knows must go into the notes.
    """
    if not facts.summary or not (facts.opens_with_summary or title in ALWAYS):
        return
    sections = summary_sections(facts.summary)
    for name in SOURCES.get(title, ()):
        entries = [e for e in entries_of(sections.get(name.casefold(), "")) if title not in ALWAYS or not _PASSING.match(e)]
        for place, line in enumerate(entries):
            label = f"- (earlier summary{', still to do then' if name == PENDING else ''}) "
            yield Item(f"{label}{one_line(line, 320)}", 22 - place / 100, f"{label}{one_line(line, 140)}")


def opening_request(facts: Facts) -> str:
    """The first thing asked for according to the summary that the rows open with; "" where there is none."""
    if not facts.opens_with_summary:
        return ""
    return next(entries_of(summary_sections(facts.summary).get("primary request and intent", "")), "")


def entries_of(text: str) -> Iterator[str]:
    """The list entries of a section, each with what is indented below it; paragraphs where it has no list."""
    entry: list[str] = []
    in_fence = False
    for line in text.splitlines():
        if line.strip().startswith("```"):
            in_fence = not in_fence
            continue
        if in_fence or not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        if depth <= 3 and entry:
            yield " ".join(entry)
            entry = []
        entry.append(line.strip().lstrip("-*• ").replace("**", ""))
    if entry:
        yield " ".join(entry)
