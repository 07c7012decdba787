"""`workbench notes --edit`: the notes in the user's own editor, saved only where nobody else wrote meanwhile."""

import argparse
from pathlib import Path

from ..editor import edit
from ..errors import UsageError, WorkbenchError
from ..evidence.covered import budgets_of
from ..memory.edit import touched
from ..memory.notes import parse
from ..memory.template import TEMPLATE
from ..notebook import NotesFile, as_bytes, notes_of, places_of, save_notes
from ..transcript.session import Session
from . import output
from .options import settings_of


def edit_notes(session: Session, options: argparse.Namespace) -> int:
    """Opens them in $EDITOR and saves what comes back; a refused save leaves the edited copy and names it."""
    file = _file_for(session, options.notes)
    before = file.text if file.exists else TEMPLATE
    edited = edit(as_bytes(before), file.path.name)
    text = edited.content.decode("utf-8", "surrogateescape")
    if text == before:
        edited.forget()
        output.complain("The notes were not changed.")
        return 0
    try:
        saved = save_notes(file, text, file.coverage, session)
    except WorkbenchError as error:
        raise type(error)(f"{error} Your text is in {edited.path}.") from error
    edited.forget()
    budgets = budgets_of(settings_of(session, options))
    for change in touched(parse(before, budgets), parse(text, budgets)):
        output.complain(change.sentence)
    notes = parse(text, budgets)
    for title in notes.too_long:
        output.complain(f"{title} is over its budget of {budgets.section:,} tokens.")
    output.complain(f"{saved.path} saved: {notes.tokens:,} of {budgets.total:,} tokens.")
    return 0


def _file_for(session: Session, named: str | None) -> NotesFile:
    file = notes_of(session, named) if named is None or Path(named).exists() else NotesFile(Path(named))
    if file is not None:
        return file
    places = places_of(session)
    if not places:
        raise UsageError("Only a session file has notes of its own; name a file with --notes.")
    return NotesFile(places[0])
