"""What the Notes tab shows: the sections of the session's notes against their budgets, and where notes were looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..memory.notes import Budgets, Notes, NotesState, Section, parse, state
from ..memory.template import Match, match_of

if TYPE_CHECKING:
    from .opened import Opened


@dataclass(frozen=True, slots=True)
class NotesFound:
    """What the edge found: the places where notes are looked for, and the file's path, text and last write, if there is one.

    `problem` says why a file that is there cannot be read; `modified` is in seconds since the epoch.
    """

    looked: tuple[str, ...] = ()
    path: str | None = None
    text: str | None = None
    modified: float | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class NotesView:
    """The notes as they are now; `notes` is None where there is no file, `newest` the time of the session's newest row."""

    found: NotesFound
    notes: Notes | None
    state: NotesState
    newest: float | None

    @property
    def sections(self) -> tuple[Section, ...]:
        return self.notes.sections if self.notes is not None else ()

    @property
    def budgets(self) -> Budgets:
        return self.notes.budgets if self.notes is not None else Budgets()


def notes_view(opened: Opened, found: NotesFound) -> NotesView:
    """The notes parsed, measured in rough tokens and dated against the session (spec 1, section 8.1)."""
    notes = None if found.text is None else parse(found.text)
    newest = max(opened.session.index.times, default=0.0) or None
    return NotesView(found, notes, state(notes, found.modified, newest), newest)


def counterpart(section: Section) -> Match | None:
    """What a summary has in place of a section; None for a section of another template."""
    return match_of(section.title)
