"""What the Notes tab shows: the sections of the session's notes against their budgets, and where notes were looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..evidence.covered import Reach, budgets_of, facts_of_notes
from ..memory.coverage import NOTHING, Coverage
from ..memory.notes import Budgets, Notes, NotesState, Section, parse
from ..memory.template import Match, match_of

if TYPE_CHECKING:
    from .opened import Opened


@dataclass(frozen=True, slots=True)
class NotesFound:
    """What the edge found: the places where notes are looked for, and the file, if there is one.

    text      of the file; bytes that are no UTF-8 stand in it as lone surrogates
    modified  its last write, in seconds since the epoch
    problem   why a file that is there cannot be read
    digest    of its bytes; "" where there is no file
    coverage  what they cover, as far as that is recorded beside them
    """

    looked: tuple[str, ...] = ()
    path: str | None = None
    text: str | None = None
    modified: float | None = None
    problem: str = ""
    digest: str = ""
    coverage: Coverage = NOTHING


@dataclass(frozen=True, slots=True)
class NotesView:
    """The notes as they are saved; `notes` is None where there is no file, `reach` says which row they cover."""

    found: NotesFound
    notes: Notes | None
    state: NotesState
    budgets: Budgets
    reach: Reach | None = None

    @property
    def sections(self) -> tuple[Section, ...]:
        return self.notes.sections if self.notes is not None else ()


def notes_view(opened: Opened, found: NotesFound) -> NotesView:
    """The notes parsed, measured in rough tokens and dated against the session (spec 1, section 8.1)."""
    budgets = budgets_of(opened.settings)
    notes = None if found.text is None else parse(found.text, budgets)
    coverage = found.coverage if found.coverage.written is not None else Coverage(found.coverage.last_summarized, found.modified)
    facts = facts_of_notes(opened.session, opened.session.chain, notes, coverage)
    return NotesView(found, notes, facts.state, budgets, facts.reach)


def counterpart(section: Section) -> Match | None:
    """What a summary has in place of a section; None for a section of another template."""
    return match_of(section.title)
