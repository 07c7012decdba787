"""Notes set beside a summary, section by section, with why the two differ (spec 1, section 8.1, the table)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..memory.notes import Section
from ..memory.offline.inherited import summary_sections
from ..memory.template import MATCHES, Match, match_of


@dataclass(frozen=True, slots=True)
class Beside:
    """A summary as sections.

    source    where it comes from, in words; "" there is none
    sections  {title in lower case: text}
    text      the whole of it
    """

    source: str = ""
    sections: Mapping[str, str] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Counterpart:
    """What a summary has in place of a section of the notes; `title` and `text` are "" where it has nothing of the kind."""

    match: Match
    title: str = ""
    text: str = ""


def beside_of(summary: str, source: str) -> Beside:
    """A summary, taken apart by the titles that summaries have."""
    return Beside(source, summary_sections(summary), summary)


def counterpart_of(section: Section, beside: Beside | None) -> Counterpart | None:
    """What the summary has in place of a section; None for a section of another template."""
    match = match_of(section.title)
    return None if match is None else _found(match, beside)


def without_notes(beside: Beside | None) -> tuple[Counterpart, ...]:
    """What only a summary has, and why the notes do without."""
    return tuple(_found(match, beside) for match in MATCHES if match.section is None)


def _found(match: Match, beside: Beside | None) -> Counterpart:
    for title in match.summary if beside is not None else ():
        text = beside.sections.get(title.casefold()) if beside is not None else None
        if text:
            return Counterpart(match, title, text)
    return Counterpart(match, match.summary[0] if match.summary else "")
