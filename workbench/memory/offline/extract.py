"""The ten sections written from facts, merged with what the notes hold already, within the budgets (spec 1, section 8)."""

from collections.abc import Callable, Iterable

from ...conversation.row import Row
from ...conversation.text import rough, utf8_length
from ..extraction import SectionEdit, apply_edits, as_reply
from ..notes import Budgets, Notes, parse
from ..template import (
    CODEBASE,
    CURRENT_STATE,
    ERRORS,
    FILES,
    LEARNINGS,
    RESULTS,
    TASK,
    TEMPLATE,
    TITLE,
    WORKFLOW,
    WORKLOG,
)
from .codebase import codebase
from .continued import continued
from .current import current
from .errors import errors
from .facts import Facts
from .files import files
from .fitting import Draft, Item, fit_all
from .gather import gather
from .headline import headline
from .inherited import inherited
from .learnings import learnings
from .results import results
from .task import task
from .workflow import workflow
from .worklog import worklog

WRITERS: dict[str, Callable[[Facts], list[Item]]] = {
    CURRENT_STATE: current,
    TASK: task,
    FILES: files,
    WORKFLOW: workflow,
    ERRORS: errors,
    CODEBASE: codebase,
    LEARNINGS: learnings,
    RESULTS: results,
    WORKLOG: worklog,
}
SHARES = {  # of the whole, and the order in which sections that were cut get what others left over
    TASK: 0.18,
    ERRORS: 0.13,
    CURRENT_STATE: 0.10,
    FILES: 0.15,
    RESULTS: 0.10,
    WORKFLOW: 0.10,
    WORKLOG: 0.11,
    CODEBASE: 0.07,
    LEARNINGS: 0.06,
}


AS_USUAL = Budgets()
BLANKS = 8  # bytes of line ends around the text of a section


def offline_notes(rows: Iterable[Row], budgets: Budgets = AS_USUAL) -> Notes:
    """Fresh notes in our own template. `rows` need their bodies and are passed through once, oldest first."""
    notes = parse(TEMPLATE, budgets)
    return apply_edits(notes, offline_edits(rows, notes)).notes


def offline_reply(rows: Iterable[Row], notes: Notes) -> str:
    """The same in the form in which every extractor answers: a JSON list of {section, body}."""
    return as_reply(offline_edits(rows, notes))


def offline_edits(rows: Iterable[Row], notes: Notes) -> tuple[SectionEdit, ...]:
    """New texts for those of the ten sections that `notes` have; Current State is written anew, the others go on.

    Where old and new entries do not fit together, the oldest give way, and the section says how many.
    """
    facts = gather(rows)
    edits = []
    title = notes.find(TITLE)
    if title is not None and not title.text and headline(facts):
        edits.append(SectionEdit(title.title, headline(facts)))
    drafts: dict[str, Draft] = {}
    for name, write in WRITERS.items():
        section = notes.find(name)
        if section is not None:
            written = [*write(facts), *inherited(facts, name)]
            drafts[name] = Draft(tuple(written)) if name == CURRENT_STATE else continued(section.text, written)
    room = _room(notes, tuple(drafts), sum(utf8_length(e.body) for e in edits))
    for name, text in fit_all(drafts, SHARES, notes.budgets.section, room).items():
        section = notes.find(name)
        if section is not None and (name == CURRENT_STATE or text != section.text.replace("\r\n", "\n")):
            edits.append(SectionEdit(section.title, text))
    return tuple(edits)


def _room(notes: Notes, written: tuple[str, ...], used: int) -> int:
    """Rough tokens for the texts of the written sections: the whole budget without frame, preamble and other sections."""
    sections = [notes.find(name) for name in written]
    fixed = utf8_length(notes.preamble) + used + BLANKS * len(notes.sections)
    for section in notes.sections:
        fixed += utf8_length(section.heading + section.instruction) + (0 if section in sections else utf8_length(section.body))
    return max(0, notes.budgets.total - rough(fixed) - len(written))
