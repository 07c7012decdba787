"""The Notes tab in words and lines: the state of the notes, and a bar for each section's budget as one types."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.segment import Segment
from rich.text import Text

from ...conversation.wording import counted
from ...memory.notes import Notes
from ...memory.start import RECORDED
from ...workspace.notes_edit import DIFF, RESULT, SUMMARY, Editing
from ...workspace.notes_view import NotesView
from .numbers import thousands
from .palette import Palette
from .paths import clip_start
from .text import clip, one_line, pad, visible

STATES = {"ok": "success", "stale": "warning", "template": "warning", "empty": "warning", "missing": "muted"}
FULL, HALF, NONE = "█", "▌", "·"
TOTAL = "whole file"
CHANGED, TOUCHED = "●", "▲"
PAGE_TITLES = {SUMMARY: "in a summary", DIFF: "what was changed", RESULT: "compacted from these notes"}


def notes_title(view: NotesView | None, editing: Editing, width: int, palette: Palette) -> Text:
    """What the notes are worth as a sentence, and whether what is seen is what is saved."""
    if view is None:
        return Text("")
    state, draft = view.state, editing.draft
    cells = [(" notes", "bold text"), (f"   {state.name}", STATES.get(state.name, "muted"))]
    if editing.job:
        cells.append((f"   {editing.job}…", "key"))
    if draft is not None and draft.is_changed:
        cells.append((f"   {CHANGED} {_changes(len(draft.changed))}, not saved", "warning"))
    notes = draft.notes if draft is not None else view.notes
    if notes is not None and notes.too_long:
        cells.append((f"   {len(notes.too_long)} over the limit of a section", "error"))
    if notes is not None and notes.over_budget:
        cells.append(("   over the limit in all", "error"))
    return _text([*cells, (f"   {state.reason}", "text")], width, palette)


def _changes(sections: int) -> str:
    return f"{counted(sections, 'section')} changed" if sections else "changed"


def place_title(view: NotesView | None, editing: Editing, width: int, palette: Palette) -> Text:
    """What needs to be known most: what went wrong, who else wrote, which fixed line was touched; else where the file is."""
    if view is None:
        return Text("")
    draft = editing.draft
    if editing.problem:
        return _text([(f" {editing.problem}", "error")], width, palette)
    if editing.theirs is not None:
        words = (
            "Somebody else wrote the notes meanwhile, so saving is refused: R takes theirs, K keeps yours, d shows what differs."
        )
        return _text([(f" {words}", "error")], width, palette)
    if draft is not None and draft.touched:
        more = f" (and {len(draft.touched) - 1} more)" if len(draft.touched) > 1 else ""
        return _text([(f" {TOUCHED} {draft.touched[0].sentence}{more}", "warning")], width, palette)
    if view.found.path is None:
        where = view.found.looked[0] if view.found.looked and draft is not None else ""
        return _text([(f" not saved yet · {where}" if where else "", "muted")], width, palette)
    cells = []
    if view.found.modified is not None:
        written = datetime.fromtimestamp(view.found.modified, UTC)
        cells.append((f" written {written:%Y-%m-%d %H:%M} UTC", "muted"))
    if view.reach is not None and view.reach.line is not None:
        kind = "recorded" if view.reach.kind == RECORDED else "a guess"
        cells.append((f" · covers up to line {view.reach.line:,}, {kind}", "muted" if kind == "recorded" else "estimated"))
    used = sum(len(text) for text, _ in cells) + 3
    cells.append((f" · {clip_start(visible(view.found.path, newlines=False), max(1, width - used))}", "muted"))
    return _text(cells, width, palette)


def editor_title(editing: Editing, has_focus: bool, width: int, palette: Palette) -> Text:
    """Above the editor: what the keys do that are not letters there."""
    if editing.draft is None:
        return Text("")
    keys = [("esc", "leave"), ("^o", "save"), ("^z", "undo"), ("^y", "redo")] if has_focus else [("enter", "edit")]
    cells = [(" Markdown", "bold text")]
    for key, label in keys:
        cells += [(f"   {key}", "bold key"), (f" {label}", "muted")]
    return _text(cells, width, palette)


def page_title(editing: Editing, width: int, palette: Palette) -> Text:
    """Which page stands beside the editor, and the keys to the others."""
    cells = []
    for key, page in (("m", SUMMARY), ("d", DIFF), ("c", RESULT)):
        is_shown = page == editing.page
        cells += [(f" {key}", "bold key"), (f" {_short(page)} ", "bold text on panel" if is_shown else "muted")]
    if editing.page == RESULT and editing.is_stale and editing.result is not None:
        cells.append(("  computing…", "estimated"))
    return _text(cells, width, palette)


def _short(page: str) -> str:
    return {SUMMARY: "summary", DIFF: "diff", RESULT: "compact"}[page]


def section_header(view: NotesView, width: int, palette: Palette) -> Sequence[Segment]:
    """The names of the columns, for the same width."""
    name, allowed, _ = _widths(width)
    text = f"   {'section':<{name}}{'~tokens':>8}" + ("" if allowed else f" of {thousands(view.budgets.section)}")
    return [Segment(clip(text, width), palette.style("muted"))]


def section_line(notes: Notes, editing: Editing, index: int, width: int, palette: Palette) -> Sequence[Segment]:
    """A section and how much of its budget it fills; behind the last section the whole file against its own."""
    name_width, allowed_width, bar = _widths(width)
    if index < len(notes.sections):
        section = notes.sections[index]
        name, tokens, allowed, style = section.title, section.tokens, section.allowed, "text" if section.tokens else "muted"
        mark, marked = _mark(editing, section.title)
    else:
        tokens, allowed, style = notes.tokens, notes.budgets.total, "bold text"
        name = TOTAL if allowed_width else f"{TOTAL}, {thousands(allowed)}"
        mark, marked = " ", "muted"
    over = tokens > allowed
    filled = "error" if over else "warning" if tokens * 10 > allowed * 9 else "notes"
    drawn = bar_text(tokens, allowed, bar).rstrip(NONE)
    cells = (
        (f" {mark} ", marked),
        (pad(one_line(name), name_width), style),
        (f"{thousands(tokens):>8}", "error" if over else "text" if tokens else "muted"),
        (pad(f" of {thousands(allowed)}", allowed_width) if allowed_width else " ", "muted"),
        (drawn, filled),
        (NONE * (bar - len(drawn)), "axis"),
        (f" +{thousands(tokens - allowed)}" if over else "", "error"),
    )
    return [Segment(text, palette.style(style)) for text, style in cells]


def _mark(editing: Editing, title: str) -> tuple[str, str]:
    """Whether a section was changed, or a line of it that nobody edits."""
    draft = editing.draft
    if draft is None:
        return " ", "muted"
    if any(t.title == title or title in t.sentence for t in draft.touched):
        return TOUCHED, "warning"
    return (CHANGED, "warning") if title in draft.changed else (" ", "muted")


def bar_text(tokens: int, allowed: int, width: int) -> str:
    """A bar of `width` cells in half-cell steps, full at the limit; anything at all shows."""
    halves = min(2 * width, -(-2 * width * tokens // allowed)) if allowed else 0
    return (FULL * (halves // 2) + HALF * (halves % 2)).ljust(width, NONE)


def _widths(width: int) -> tuple[int, int, int]:
    """Cells of the name, of the limit (0: it stands in the header), and of the bar."""
    allowed = 11 if width >= 70 else 0
    name = min(34, max(14, width - 3 - 8 - allowed - 14))
    return name, allowed, max(3, min(24, width - 3 - name - 8 - max(1, allowed) - 7))


def _text(cells: Sequence[tuple[str, str]], width: int, palette: Palette) -> Text:
    text = Text.assemble(*((visible(t, newlines=False), palette.style(s)) for t, s in cells), no_wrap=True, end="")
    text.truncate(width, overflow="ellipsis")
    return text
