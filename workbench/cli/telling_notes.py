"""Notes in words and as JSON, for `notes` and for `inspect`: path, budgets, state, and what they cover."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from ..evidence.covered import NotesFacts
from ..memory.notes import Section
from ..memory.start import RECORDED
from ..notebook import NotesFile
from . import output

BAR = 20  # cells


def as_json(file: NotesFile | None, facts: NotesFacts, *, texts: bool = False) -> dict[str, Any]:
    """The contract of spec 5, `notes`; with the text of each section for the command of that name."""
    notes, reach = facts.notes, facts.reach
    return {
        "path": None if file is None else str(file.path),
        "sections": [_section(s, texts) for s in notes.sections] if notes else [],
        "tokens": notes.tokens if notes else None,
        "last_summarized": None if reach is None else reach.uuid,
        "last_summarized_kind": None if reach is None else reach.kind,
        "last_summarized_line": None if reach is None else reach.line,
        "state": facts.state.name,
        "reason": facts.state.reason,
        "over_budget": facts.state.over_budget,
        "budgets": None if notes is None else {"section": notes.budgets.section, "total": notes.budgets.total},
    }


def _section(section: Section, texts: bool) -> dict[str, Any]:
    found = {"title": section.title, "tokens": section.tokens, "over_budget": section.over_budget}
    return {**found, "text": section.text} if texts else found


def as_text(file: NotesFile | None, facts: NotesFacts) -> Iterator[str]:
    """For people: the state in a sentence, what is covered, a line a section against its budget."""
    yield f"notes {facts.state.name}: {facts.state.reason}"
    if file is not None and file.exists:
        yield f"  file     {file.path}{_written(file)}"
    if facts.reach is not None:
        where = "" if facts.reach.line is None else f"up to line {facts.reach.line}. "
        yield f"  covers   {where}{'Recorded: ' if facts.reach.kind == RECORDED else ''}{facts.reach.reason}"
    if facts.notes is not None:
        yield ""
        yield from _budgets(facts)


def _written(file: NotesFile) -> str:
    return "" if file.modified is None else f", written {datetime.fromtimestamp(file.modified, UTC):%Y-%m-%d %H:%M} UTC"


def _budgets(facts: NotesFacts) -> Iterator[str]:
    notes = facts.notes
    if notes is None:
        return
    rows = [["section", "tokens", "limit", ""]]
    rows += [[s.title, f"{s.tokens:,}", f"{s.allowed:,}", _bar(s.tokens, s.allowed)] for s in notes.sections]
    rows.append(["whole file", f"{notes.tokens:,}", f"{notes.budgets.total:,}", _bar(notes.tokens, notes.budgets.total)])
    yield from output.table(rows, right=(1, 2))


def _bar(tokens: int, limit: int) -> str:
    """How much of a budget is used; anything at all shows."""
    filled = min(BAR, -(-BAR * tokens // limit)) if limit else BAR
    over = f" {tokens - limit:,} over" if tokens > limit else ""
    return ("█" * filled).ljust(BAR, "·") + over
