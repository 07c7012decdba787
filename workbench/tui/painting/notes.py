"""The Notes tab in words and lines: the state of the notes, a bar for each section's budget, the section beside them."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.segment import Segment
from rich.text import Text

from ...memory.notes import Section
from ...workspace.notes_view import NotesView, counterpart
from .document import Document, Paragraph
from .numbers import thousands
from .palette import Palette
from .prose import wrapped
from .sheet import Sheet
from .text import clip, one_line, pad, visible

STATES = {"ok": "success", "stale": "warning", "template": "warning", "empty": "warning", "missing": "muted"}
FULL, HALF, NONE = "█", "▌", "·"
TOTAL = "whole file"


def notes_title(view: NotesView | None, width: int, palette: Palette) -> Text:
    """What the notes are worth, as a sentence."""
    if view is None:
        return Text("")
    state = view.state
    cells = [(" notes", "bold text"), (f"   {state.name}", STATES.get(state.name, "muted"))]
    if state.too_long:
        cells.append((f"   {len(state.too_long)} over the limit of a section", "error"))
    if state.over_total:
        cells.append(("   over the limit in all", "error"))
    if view.notes is not None:
        cells.append((f"   {state.reason}", "text"))
    return _text(cells, width, palette)


def place_title(view: NotesView | None, width: int, palette: Palette) -> Text:
    """When they were last written, and where the file is, the end of whose path says most."""
    if view is None or view.found.path is None:
        return Text("")
    written = ""
    if view.found.modified is not None:
        written = f" written {datetime.fromtimestamp(view.found.modified, UTC):%Y-%m-%d %H:%M} UTC ·"
    path = visible(view.found.path, newlines=False)
    room = width - len(written) - 1
    return _text([(written, "muted"), (f" {path if len(path) <= room else '…' + path[1 - room :]}", "muted")], width, palette)


def section_header(view: NotesView, width: int, palette: Palette) -> Sequence[Segment]:
    """The names of the columns, for the same width."""
    name, allowed, _ = _widths(width)
    text = f" {'section':<{name}}{'tokens':>8}" + ("" if allowed else f" of {thousands(view.budgets.section)}")
    return [Segment(clip(text, width), palette.style("muted"))]


def section_line(view: NotesView, index: int, width: int, palette: Palette) -> Sequence[Segment]:
    """A section and how much of its budget it fills; behind the last section the whole file against its own."""
    name_width, allowed_width, bar = _widths(width)
    section = section_at(view, index)
    if section is not None:
        name, tokens, allowed = section.title, section.tokens, section.allowed
    else:
        tokens, allowed = (view.notes.tokens if view.notes is not None else 0), view.budgets.total
        name = TOTAL if allowed_width else f"{TOTAL}, {thousands(allowed)}"
    over = tokens > allowed
    filled = "error" if over else "warning" if tokens * 10 > allowed * 9 else "notes"
    drawn = bar_text(tokens, allowed, bar).rstrip(NONE)
    cells = (
        (f" {pad(one_line(name), name_width)}", "muted" if not tokens else "text" if section is not None else "bold text"),
        (f"{thousands(tokens):>8}", "error" if over else "text" if tokens else "muted"),
        (pad(f" of {thousands(allowed)}", allowed_width) if allowed_width else " ", "muted"),
        (drawn, filled),
        (NONE * (bar - len(drawn)), "axis"),
        (f" +{thousands(tokens - allowed)}" if over else "", "error"),
    )
    return [Segment(text, palette.style(style)) for text, style in cells]


def bar_text(tokens: int, allowed: int, width: int) -> str:
    """A bar of `width` cells in half-cell steps, full at the limit; anything at all shows."""
    halves = min(2 * width, -(-2 * width * tokens // allowed)) if allowed else 0
    return (FULL * (halves // 2) + HALF * (halves % 2)).ljust(width, NONE)


def _widths(width: int) -> tuple[int, int, int]:
    """Cells of the name, of the limit (0: it stands in the header), and of the bar."""
    allowed = 11 if width >= 68 else 0
    name = min(34, max(16, width - 8 - allowed - 20))
    return name, allowed, max(4, min(24, width - 1 - name - 8 - allowed - 8))


def section_title(view: NotesView | None, index: int, width: int, palette: Palette) -> Text:
    """What the text beside is."""
    section = section_at(view, index)
    if section is None:
        return _text([(f" {TOTAL}" if view is not None and view.notes is not None else "", "bold text")], width, palette)
    cells = [(f" {section.title}", "bold text"), (f"   {thousands(section.tokens)} tokens", "muted"), (" rough", "estimated")]
    return _text(cells, width, palette)


def section_at(view: NotesView | None, index: int) -> Section | None:
    """The section at an index; None for the whole file."""
    return view.sections[index] if view is not None and 0 <= index < len(view.sections) else None


def section_document(view: NotesView, index: int, width: int) -> Document:
    """A section's text below what belongs into it and what a summary has in its place; or the whole file as it is."""
    section = section_at(view, index)
    if section is None:
        return Document.of(wrapped(view.found.text or "", width), "text")
    sheet = Sheet(width)
    sheet.text(section.hint, "italic muted")
    found = counterpart(section)
    if found is not None:
        stands = " or ".join(found.summary) if found.summary else "nothing"
        sheet.text(f"In a summary: {stands}. {found.reason}", "muted")
    if section.over_budget:
        sheet.text(
            f"{thousands(section.tokens - section.allowed)} tokens over the limit: a compaction cuts what is behind it.", "error"
        )
    sheet.line()
    text = wrapped(section.text, sheet.width)
    sheet.paragraph(Paragraph(text, "text") if text else Paragraph("Nothing is written here yet.", "muted"))
    return sheet.document()


def section_text(view: NotesView, index: int) -> str:
    """What was written into a section, or the whole file, for the clipboard."""
    section = section_at(view, index)
    return section.text if section is not None else view.found.text or ""


def missing_document(view: NotesView, width: int) -> Document:
    """Why there is nothing to show, and where notes were looked for."""
    sheet = Sheet(width)
    sheet.text(view.found.problem or view.state.reason, "error" if view.found.problem else "bold text")
    if not view.found.looked:
        sheet.text("Only a session file has notes beside it; this was read from elsewhere.")
        return sheet.document()
    sheet.text("The agent writes them where session memory is switched on. They were looked for here:")
    for place in view.found.looked:
        sheet.text(place, "muted", indent=2)
    return sheet.document()


def _text(cells: Sequence[tuple[str, str]], width: int, palette: Palette) -> Text:
    text = Text.assemble(*((visible(t, newlines=False), palette.style(s)) for t, s in cells), no_wrap=True, end="")
    text.truncate(width, overflow="ellipsis")
    return text
