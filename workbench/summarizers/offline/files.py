"""Files and Code Sections: every file that was edited, with its newest code; then those that were only read."""

from collections.abc import Iterator
from itertools import islice

from ...compaction.prompts import sections as names
from ...conversation.wording import counted
from ...memory.offline.facts import OK, PENDING
from ...memory.offline.files import files as one_line_each
from ...memory.template import FILES
from ...memory.words import one_line
from .edits import Edited
from .entries import Entry
from .languages import fence_of
from .material import Material
from .pieces import Piece, standing
from .wording import carried, clock, entry, fenced, head_of

PIECES, LINES, NEWEST, OLDER = 3, 32, 1_300, 700  # of one file: newest places shown, lines and characters of each
REMOVED = 6  # lines shown of what was taken out
READ = 24  # files that were only read


def files(material: Material) -> list[Entry]:
    """Edited files, newest edit first, each by its whole path; then what was read, and what an earlier summary knows."""
    known = {
        item.text.partition("`")[2].partition("`")[0]: item.text.partition(" — ")[2] for item in one_line_each(material.facts)
    }
    entries: list[Entry] = []
    for place, file in enumerate(material.files):
        entries.append(_edited(file, known.get(file.path, ""), 80 - 40 * place / len(material.files)))
    return [*entries, *_read(material), *_earlier(material)]


def _edited(file: Edited, known: str, weight: float) -> Entry:
    head = f"`{file.path}` — {_what(file, known)}"
    shown = [_shown(piece, file.path, NEWEST if at == 0 else OLDER) for at, piece in enumerate(islice(standing(file), PIECES))]
    return Entry("\n".join([entry(head), *shown]), weight, entry(f"`{file.path}` — {_counts(file)}"), must=True)


def _what(file: Edited, known: str) -> str:
    touched = known.partition("; touched: ")[2].partition("; newest edit")[0]
    return _counts(file) + (f"; touched: {touched}" if touched else "")


def _counts(file: Edited) -> str:
    good = file.good
    writes = sum(e.tool == "Write" for e in good)
    failed = sum(e.outcome not in (OK, PENDING) for e in file.edits)
    waiting = sum(e.outcome == PENDING for e in file.edits)
    parts = [
        "written" if writes == 1 else f"written {writes} times" if writes else "",
        counted(len(good) - writes, "edit") if len(good) > writes else "",
        f"{failed} that did not go through" if failed else "",
        f"{waiting} without a result" if waiting else "",
    ]
    return ", ".join(filter(None, parts)) or "no edit"


def _shown(piece: Piece, path: str, most: int) -> str:
    at = f" ({clock(piece.edit.at)})" if piece.edit.at else ""
    what = "removed" if piece.removed else "written" if piece.edit.tool == "Write" else "changed to"
    lines, most = (REMOVED, most // 2) if piece.removed else (LINES, most)
    return f"     {what}{at}:\n{fenced(head_of(piece.text, lines, most), fence_of(path))}"


def _read(material: Material) -> Iterator[Entry]:
    edited = {file.path for file in material.files}
    read = [each for each in material.reads if each.path not in edited]
    if read:
        label = "Read, not changed (newest first): "
        more = f" and {len(read) - READ} more" if len(read) > READ else ""
        whole = f"{label}{', '.join(map(str, read[:READ]))}{more}"
        yield Entry(entry(whole), 35, entry(f"{label}{', '.join(f'`{each.path}`' for each in read[:6])}"))


def _earlier(material: Material) -> Iterator[Entry]:
    """Files of an earlier summary that these rows did not touch, with its code where there is room."""
    paths = [file.path for file in material.files]
    found = material.earlier.entries(names.FILES, FILES)
    left = [e for e in found if not any(path in e.partition("\n")[0] for path in paths)]
    for place, text in enumerate(left):
        first = text.partition("\n")[0]
        yield Entry(carried(text), 20 - 5 * place / len(left), carried(one_line(first, 200)))
