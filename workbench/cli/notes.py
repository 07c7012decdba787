"""The session notes: show them, check their budgets, bring them up to date, edit them in $EDITOR."""

import argparse

from ..errors import UsageError
from ..evidence.covered import budgets_of, facts_of_notes
from ..memory.coverage import Coverage
from ..memory.notes import render
from ..notebook import NotesFile, notes_of, places_of
from ..storage import load
from ..transcript.chain import Chain
from ..transcript.session import Session
from . import output
from .extracting import USAGE
from .options import add_common, chain_of, settings_of
from .telling_notes import as_json, as_text

HELP = "the session notes: show, budgets, extract, edit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument("--notes", metavar="PATH", help="the notes (default: the session's own file)")
    parser.add_argument("--at", type=int, metavar="LINE", help="the state right before this physical line (default: the end)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--extract", metavar="WHO", help=f"bring them up to date: {USAGE}")
    what.add_argument("--edit", action="store_true", help="edit them in $EDITOR")
    parser.add_argument("-o", "--output", metavar="OUT", help="for --extract: the file to write (default: standard output)")
    parser.add_argument("--model", metavar="ID", help="for claude: default the session's")


def run(options: argparse.Namespace) -> int:
    if options.output and not options.extract:
        raise UsageError("-o goes with --extract; --edit saves the notes where they are.")
    if options.at is not None and options.leaf:
        raise UsageError("--at and --leaf exclude each other: the state before a line has one branch.")
    session = load(options.path)
    if options.extract:
        from .notes_extract import extract

        return extract(session, options)
    if options.edit:
        from .notes_edit import edit_notes

        return edit_notes(session, options)
    return _show(session, options)


def _show(session: Session, options: argparse.Namespace) -> int:
    file = notes_of(session, options.notes)
    notes = None if file is None else file.parsed(budgets_of(settings_of(session, options)))
    facts = facts_of_notes(session, chain_for(session, options), notes, coverage_of(file), limit_of(session, options))
    if options.json:
        output.write_json(as_json(file, facts, texts=True))
        return 0
    output.write_lines(as_text(file, facts))
    if notes is not None:
        output.write_lines(["", *render(notes).rstrip("\n").split("\n")])
    else:
        output.write_lines(f"  {place}" for place in places_of(session))
    return 0


def chain_for(session: Session, options: argparse.Namespace) -> Chain:
    """The chain at --at, of --leaf, or the one that the agent loads."""
    return chain_of(session, options) if options.at is None else session.chain_at(options.at)


def limit_of(session: Session, options: argparse.Namespace) -> int | None:
    """The place of --at; None: the end."""
    return None if options.at is None else session.place_of_line(options.at)


def coverage_of(file: NotesFile | None) -> Coverage:
    return Coverage() if file is None else file.coverage
