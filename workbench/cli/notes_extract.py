"""`workbench notes --extract`: the notes brought up to date from what they do not cover yet, to OUT or standard output."""

import argparse
import sys
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..evidence.covered import budgets_of, coverage_at, facts_of_notes
from ..memory.notes import Notes, render
from ..memory.taking import Taken, take, to_fill
from ..notebook import NotesFile, as_bytes, notes_of, read_or_new, save_notes
from ..transcript.session import Session
from . import output
from .extracting import extractor_named
from .notes import chain_for, coverage_of, limit_of
from .options import settings_of
from .telling_notes import as_json


def extract(session: Session, options: argparse.Namespace) -> int:
    """Extracts, says on standard error what was refused, and writes the notes. Raises UsageError where nothing came."""
    extractor = extractor_named(options.extract, session, options.model)
    file = notes_of(session, options.notes)
    budgets = budgets_of(settings_of(session, options))
    notes = to_fill(None if file is None else file.parsed(budgets), budgets)
    chain, limit = chain_for(session, options), limit_of(session, options)
    coverage = coverage_at(session, coverage_of(file), limit)
    done = take(notes, tuple(session.rows(chain.places)), coverage, extractor)
    if not done.had_news:
        output.complain("Nothing is newer than the last-summarized row; the notes stay as they are.")
    _complain(done)
    saved = _write(session, options, done)
    if options.json:
        facts = facts_of_notes(session, chain, done.notes, done.coverage, limit)
        output.write_json({**as_json(saved, facts, texts=True), "extraction": _as_json(done, options)})
    elif saved is None:
        _to_stdout(done.notes)
    return 0


def _complain(done: Taken) -> None:
    for refused in done.applied.refused:
        output.complain(f"{refused.section}: {refused.reason}" if refused.section else refused.reason)
    if done.applied.refused and not done.applied.edits:
        raise UsageError("The extractor's reply was not used; the notes stay as they are.")
    for title in done.applied.too_long:
        output.complain(f"{title} is over its budget; the next extraction is asked to shorten it.")


def _write(session: Session, options: argparse.Namespace, done: Taken) -> NotesFile | None:
    """The file that was written; None for standard output."""
    if not options.output or options.output == "-":
        return None
    return save_notes(read_or_new(Path(options.output)), render(done.notes), done.coverage, session)


def _to_stdout(notes: Notes) -> None:
    """To a file or a program as it is; to a terminal without what would control it."""
    if sys.stdout.isatty():
        output.write_lines(render(notes).rstrip("\n").split("\n"))
    else:
        output.write_bytes(as_bytes(render(notes)))


def _as_json(done: Taken, options: argparse.Namespace) -> dict[str, Any]:
    return {
        "by": options.extract,
        "rows": len(done.request.rows),
        "covers": done.coverage.last_summarized,
        "edits": [
            {"section": e.section, "tokens_before": e.tokens_before, "tokens_after": e.tokens_after} for e in done.applied.edits
        ],
        "refused": [{"section": r.section, "reason": r.reason} for r in done.applied.refused],
    }
