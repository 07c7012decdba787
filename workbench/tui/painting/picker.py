"""The lines of the session picker: rows in columns that hold at any width, their header, and what the top line says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text

from ...conversation.wording import counted
from ...workspace.catalogue import (
    LARGEST,
    MOST_COMPACTED,
    RECENT,
    SAMPLE,
    Catalogue,
    Entry,
    Facts,
    project_words,
    title_words,
)
from ...workspace.listing import Heading, Note, Row
from .moments import ago
from .numbers import mebibytes, thousands
from .palette import Palette
from .paths import clip_start
from .text import ELLIPSIS, clip, one_line, pad, visible

WIDE = 110  # cells from which there is room for the records


MARK = 2


@dataclass(frozen=True, slots=True)
class Columns:
    """Widths in cells, each with the blanks beside it; records 0: no such column."""

    activity: int
    size: int
    records: int
    compactions: int
    project: int
    title: int


def columns_for(width: int) -> Columns:
    """The columns of a list so wide; the title has what is left."""
    if width < WIDE:
        fixed = (12, 11, 0, 7, max(14, (width - 32) // 3))
    else:
        fixed = (15, 12, 10, 14, (width - 54) // 4)
    return Columns(*fixed, max(0, width - MARK - sum(fixed)))


def header_line(width: int, order: str, palette: Palette) -> Sequence[Segment]:
    """The names of the columns; ▼ stands at the one they are sorted by."""
    at = columns_for(width)
    wide = at.records > 0

    def named(words: str, by: str) -> str:
        return f"{words}▼" if order == by else words

    words = (
        " " * MARK
        + pad(named("last activity" if wide else "activity", RECENT), at.activity)
        + pad(named("size", LARGEST), at.size - 2, right=True)
        + (pad("records", at.records, right=True) if wide else "")
        + pad(named("compactions" if wide else "comp.", MOST_COMPACTED), at.compactions - (1 if wide else 0), right=True)
        + " " * (3 if wide else 2)
        + pad("project", at.project)
        + "title"
    )
    return [Segment(clip(words, width), palette.style("muted"))]


def row_line(row: Row, now: Catalogue, seconds: float, width: int, palette: Palette) -> Sequence[Segment]:
    """One row for `width` cells; `seconds` is the time it is, since the epoch."""
    match row:
        case Heading(title, about):
            cells = [(f" {title}", "bold key"), (f"  {_clean(about)}", "muted")]
        case Note(sentence, warns):
            cells = [("   ", ""), (_clean(sentence), "warning" if warns else "muted")]
        case Entry():
            cells = _entry_cells(row, now, seconds, columns_for(width))
        case _:
            cells = [("   ", ""), ("o", "bold key"), ("  open a file or a session id, or list another folder…", "text")]
    return [Segment(text, palette.style(style)) for text, style in _within(cells, width)]


def _entry_cells(entry: Entry, now: Catalogue, seconds: float, at: Columns) -> list[tuple[str, str]]:
    facts = now.facts.get(entry.path)
    damaged = facts is not None and bool(facts.damaged_lines or facts.problem)
    home = now.found.home if now.found else ""
    cells = [("! " if damaged else "  ", "bold error")]
    cells.append((pad(ago(seconds, active_at(entry, facts)), at.activity), "text"))
    cells.append((pad(mebibytes(entry.size), at.size - 2, right=True), "text"))
    if at.records:
        cells.append((pad(count_words(facts, "records"), at.records, right=True), "muted"))
    gap = 3 if at.records else 2
    style = "boundary" if facts is not None and facts.compactions else "muted"
    cells.append((pad(count_words(facts, "compactions"), at.compactions + 2 - gap, right=True), style))
    cells.append((" " * gap, ""))
    project, room = _clean(project_words(entry, facts, home)), at.project - 2
    cells.append((pad(clip(project, room) if entry.group == SAMPLE else clip_start(project, room), at.project), "user"))
    cells.append(title_cell(entry, facts))
    return cells


def title_cell(entry: Entry, facts: Facts | None) -> tuple[str, str]:
    """(what the session is about, style words), or why that is not known."""
    if facts is not None and facts.problem:
        return _clean(facts.problem), "error"
    title = title_words(entry, facts)
    if title:
        return _clean(title), "text"
    if facts is None:
        return ELLIPSIS, "muted"
    return ("empty file" if facts.size == 0 else _clean(entry.name)), "muted"


def count_words(facts: Facts | None, name: str) -> str:
    """A count of the facts: … while it is being counted, ≥ where the rest of the file was not read, "" when unreadable."""
    if facts is None or not facts.counted:
        return ELLIPSIS
    if facts.problem:
        return ""
    return f"{'' if facts.whole else '≥'}{thousands(getattr(facts, name))}"


def active_at(entry: Entry, facts: Facts | None) -> float:
    """When it was last written, or the newest record's time where the file's own says nothing; 0.0: unknown."""
    return entry.modified or (facts.last_record if facts is not None else 0.0)


def _clean(text: str) -> str:
    return one_line(text)


def _within(cells: Sequence[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """Cells cut to `width` together."""
    out, room = [], width
    for text, style in cells:
        fitted = clip(text, room)
        out.append((fitted, style))
        room -= cell_len(fitted)
    return out


def painted(cells: Sequence[tuple[str, str]], width: int, palette: Palette) -> Text:
    """Cells as one line of at most `width`."""
    fitted = _within([(visible(text, newlines=False), style) for text, style in cells], width)
    return Text.assemble(*((text, palette.style(style)) for text, style in fitted), no_wrap=True, end="")


def top_line(now: Catalogue, busy: bool, width: int, palette: Palette) -> Text:
    """What the screen is, the order of the list, and whether files are still being read."""
    cells = [(" Compaction Workbench", "bold key"), ("  choose a session", "text")]
    if now.found is not None:
        cells.append((f"  {counted(len(now.found.sessions), 'session')}", "muted"))
    if now.order != RECENT:
        cells.append((f"  sorted by {now.order}", "warning"))
    if busy:
        cells.append((f"  reading… {_read(now.facts)}", "muted"))
    return painted(cells, width, palette)


def _read(facts: Mapping[str, Facts]) -> str:
    return counted(len(facts), "file")
