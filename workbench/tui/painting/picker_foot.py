"""What the foot of the picker says: the selected session exactly, in three lines, and the keys."""

from collections.abc import Sequence

from rich.text import Text

from ...conversation.wording import counted
from ...workspace.catalogue import SAMPLE, Catalogue, Entry, Facts
from ...workspace.listing import OpenPath, Row
from .moments import moment
from .numbers import thousands
from .palette import Palette
from .paths import clip_start
from .picker import active_at, painted, title_cell
from .text import one_line

Cell = tuple[str, str]

ROOMY = 100  # cells from which there is room to say what the time is of


def preview(row: Row | None, now: Catalogue, line: int, width: int, palette: Palette) -> Text:
    """Line 0, 1 or 2: title; time, size and counts; path."""
    if isinstance(row, OpenPath):
        return painted([(_ABOUT_PATHS[line], "text" if line == 0 else "muted")], width, palette)
    if not isinstance(row, Entry):
        return Text("")
    facts = now.facts.get(row.path)
    if line == 0:
        text, style = title_cell(row, facts)
        return painted([(f" {text}", style if style != "text" else "bold text")], width, palette)
    if line == 1:
        return painted(_facts(row, facts, width >= ROOMY), width, palette)
    return painted([(" " + clip_start(one_line(row.path, 4_000), width - 2), "muted")], width, palette)


_ABOUT_PATHS = (
    " Open a session file, a session id or its first characters, or Messages API JSON",
    " A folder is listed here, with the folders right below it; Esc goes back",
    "",
)


def _facts(entry: Entry, facts: Facts | None, roomy: bool) -> list[Cell]:
    cells: list[Cell] = []
    when = active_at(entry, facts)
    if when:
        meant = " last record" if entry.group == SAMPLE else " last written"
        cells += [(f" {moment(when)}", "text"), (meant if roomy else "", "muted")]
    cells.append((f" · {thousands(entry.size)} bytes" if cells else f" {thousands(entry.size)} bytes", "muted"))
    if facts is None:
        return [*cells, (" · not read yet", "muted")]
    if facts.problem:
        return cells
    at_least = "" if facts.whole else "at least "
    cells.append((f" · {at_least}{counted(facts.records, 'record')}", "muted"))
    cells.append((f" · {at_least}{counted(facts.compactions, 'compaction')}", "boundary" if facts.compactions else "muted"))
    if facts.damaged_lines:
        cells.append((f" · {at_least}{counted(facts.damaged_lines, 'damaged line')}", "error"))
    if facts.version:
        cells.append((f" · agent {one_line(facts.version, 40)}", "muted"))
    if facts.model:
        cells.append((f" · {one_line(facts.model, 60).removeprefix('claude-')}", "muted"))
    return cells


def key_cells(keys: Sequence[tuple[str, str, str]], width: int) -> list[tuple[str, Cell]]:
    """(command, cell) of (command, key, label) in order, as many whole ones as fit; the last two are always there."""
    room = width - 1 - sum(_width(key) for key in keys[-2:])
    out: list[tuple[str, Cell]] = []
    for command, key, label in keys[:-2]:
        room -= _width((command, key, label))
        if room < 0:
            break
        out += _key(command, key, label)
    return out + [cell for key in keys[-2:] for cell in _key(*key)]


def _width(key: tuple[str, str, str]) -> int:
    return sum(len(text) for _, (text, _) in _key(*key))


def _key(command: str, key: str, label: str) -> list[tuple[str, Cell]]:
    return [(command, (key, "bold key")), (command, (f" {label}  ", "muted"))]
