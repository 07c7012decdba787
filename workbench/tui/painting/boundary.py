"""The Boundary tab in words: what a compaction gained, where it stands, every field explained, what it kept and cleared."""

import re

from rich.text import Text

from ...conversation.figure import ESTIMATED, EXACT, LOWER_BOUND, UNKNOWN, Figure
from ...conversation.wording import counted
from ...workspace.boundary_fields import Fact
from ...workspace.boundary_view import BoundaryView, NoBoundary, RowAt
from ...workspace.gain import FIRES_AGAIN, NO_GAIN, REAL, SMALL, Cleared, Gain
from ...workspace.opened import Opened
from .calls import pretty
from .code import json_text
from .document import Document, Paragraph, Span
from .numbers import thousands
from .palette import Palette
from .prose import wrapped
from .sheet import Cell, Sheet
from .text import one_line, pad, visible

WIDE = 104  # cells from which a field and its meaning share a line,
MEANING = 50  # of which the meaning then has so many
VERDICTS = {REAL: "success", SMALL: "warning", NO_GAIN: "error", FIRES_AGAIN: "error"}
KINDS = {EXACT: "exact", ESTIMATED: "estimated", LOWER_BOUND: "lower-bound", "recorded": "exact"}
INVISIBLE = "sent, not saved: re-attached files, plan, skills, tools; and what bytes/4 counts too low"
LARGER = "both are estimates and come out larger than the call: nothing seems to be missing"

_HEADING = re.compile(r"^(?:\d{1,2}\. [A-Z][^\n]{0,60}?:|Analysis:|Summary:|#{1,3} [^\n]+)", re.MULTILINE)


def boundary_title(view: BoundaryView | NoBoundary | None, width: int, palette: Palette) -> Text:
    """Which boundary it is and what is most worth knowing of it."""
    if not isinstance(view, BoundaryView):
        return _text([(" boundary", "bold text"), ("   none" if isinstance(view, NoBoundary) else "", "muted")], width, palette)
    boundary = view.boundary
    cells = [
        (f" boundary {view.number + 1} of {view.count}", "bold text"),
        (" (b, B)" if view.count > 1 else "", "muted"),
        (f"   {boundary.trigger or 'trigger unknown'}", "boundary"),
        (f" · line {thousands(boundary.line)}", "muted"),
        (f"   {view.standing.words}", "success" if view.standing.on_chain else "error"),
        ("   gain: ", "muted"),
        (view.gain.verdict, VERDICTS.get(view.gain.verdict, "muted")),
    ]
    return _text(cells, width, palette)


def summary_title(view: BoundaryView | NoBoundary | None, width: int, palette: Palette) -> Text:
    """What the text beside is, and how large."""
    cells = [(" summary", "bold text")]
    if isinstance(view, BoundaryView) and view.summary is not None:
        if view.summary.line is not None:
            cells.append((f"   line {thousands(view.summary.line)}", "muted"))
        cells += [(f" · {thousands(view.summary_tokens or 0)} tokens", "muted"), (" rough", "estimated")]
    return _text(cells, width, palette)


def summary_document(view: BoundaryView | NoBoundary, width: int) -> Document:
    """The summary's whole text, its headings standing out."""
    if not isinstance(view, BoundaryView) or not view.summary_text:
        return Document()
    text = wrapped(view.summary_text, width)
    spans = tuple(Span(found.start(), found.end(), "bold key") for found in _HEADING.finditer(text))
    return Document((Paragraph(text, "text", spans),))


def boundary_document(view: BoundaryView | NoBoundary, opened: Opened, width: int) -> Document:
    """Everything about a boundary, laid out for a width; for a session without one why there is none."""
    sheet = Sheet(width)
    if isinstance(view, NoBoundary):
        _nothing(sheet, view, opened)
    else:
        _gain(sheet, view.gain)
        sheet.heading("standing", (view.standing.words, "success" if view.standing.on_chain else "error"))
        sheet.text(view.standing.evidence, indent=2)
        _fields(sheet, "compactMetadata", view.metadata, "the record has none: old versions and other tools leave it out")
        _kept(sheet, view)
        _tools(sheet, view)
    _cleared(sheet, view.cleared)
    if isinstance(view, BoundaryView):
        _fields(sheet, "the record around it", view.record, "")
        if view.raw is not None:
            sheet.heading("raw", ("compactMetadata as it is in the file", "muted"))
            sheet.paragraph(json_text(pretty(view.raw)))
    return sheet.document()


def _nothing(sheet: Sheet, view: NoBoundary, opened: Opened) -> None:
    if view.problem:
        sheet.text(view.problem, "error")
        return
    found = opened.inspection
    sheet.text("This session has no compaction.", "bold text")
    threshold, now = found.threshold.auto, found.context.now
    if threshold is not None:
        sheet.text(f"One would come at {thousands(threshold)} tokens: {found.threshold.why}.")
    else:
        sheet.text(f"None comes by itself: {found.threshold.why}.")
    if now.tokens is not None:
        sheet.line(
            ("The context now is ", "text"), (thousands(now.tokens), "text"), (f" {now.kind}", KINDS.get(now.kind, "muted"))
        )


def _gain(sheet: Sheet, gain: Gain) -> None:
    sheet.heading("gain", (gain.verdict, VERDICTS.get(gain.verdict, "muted")))
    sheet.text(gain.why, indent=2)
    _figure(sheet, "before", gain.before)
    _figure(sheet, "last call before", gain.last_call)
    _figure(sheet, "after", gain.after)
    _figure(sheet, "next call", gain.next_call)
    if gain.carried.tokens is None:
        return
    sheet.line(("  in the next call, about", "muted"))
    _figure(sheet, "· system, tools", gain.overhead)
    _figure(sheet, "· messages", gain.carried)
    left = gain.unrecorded
    source = left.source if left.tokens is None else INVISIBLE if left.tokens >= 0 else LARGER
    _figure(sheet, "· not recorded", Figure(left.tokens, left.kind, source))


def _figure(sheet: Sheet, name: str, figure: Figure) -> None:
    tokens = "–" if figure.tokens is None else thousands(figure.tokens)
    kind = (figure.kind.ljust(12), KINDS.get(figure.kind, "unknown"))
    sheet.columns(((f"  {name:<17}", "muted"), (f"{tokens:>9} ", "text"), kind), figure.source)


def _fields(sheet: Sheet, title: str, facts: tuple[Fact, ...], nothing: str) -> None:
    if not facts:
        if nothing:
            sheet.heading(title, (nothing, "muted"))
        return
    sheet.heading(title, (counted(len(facts), "field"), "muted"))
    wide = sheet.width >= WIDE
    longest = max(len(fact.name) for fact in facts), max(len(fact.value) for fact in facts)
    name_width = min(longest[0], 34 if wide else 28) + 4
    kind_width = 12 if any(fact.kind for fact in facts) else 0
    value_width = min(longest[1], max(12, sheet.width - name_width - kind_width - 1 - (MEANING if wide else 0))) + 1
    for fact in facts:
        name, value = (pad(one_line(fact.name), name_width - 3) + " ", "user"), (pad(one_line(fact.value), value_width), "text")
        sheet.columns((("  ", ""), name, value, (fact.kind.ljust(kind_width), KINDS.get(fact.kind, "muted"))), fact.meaning)


def _kept(sheet: Sheet, view: BoundaryView) -> None:
    kept = view.kept
    if not kept.how:
        sheet.heading("kept rows", ("none: everything before it is in the summary", "muted"))
        return
    sheet.heading("kept rows", (f"{len(kept.rows)} by {kept.how}", "muted"))
    if kept.ignored:
        sheet.text(kept.ignored, "error", indent=2)
    for row in kept.rows:
        _row(sheet, row)
    if kept.anchor is not None:
        sheet.line(("  they hang on", "muted"))
        _row(sheet, kept.anchor)


def _tools(sheet: Sheet, view: BoundaryView) -> None:
    tools = view.boundary.discovered_tools
    if tools:
        sheet.heading("discovered tools", (", ".join(tools), "tool"))
    else:
        sheet.heading("discovered tools", ("none recorded", "muted"))
    if view.logical_parent is None:
        sheet.heading("logical parent", ("none recorded; the row before it counts", "muted"))
        return
    in_file = view.logical_parent.line is not None
    words = "in the file" if in_file else "not in the file: it was never saved; the row before it counts instead"
    sheet.heading("logical parent", (words, "muted" if in_file else "warning"))
    _row(sheet, view.logical_parent)


def _row(sheet: Sheet, row: RowAt) -> None:
    if row.line is None:
        sheet.line(("  missing     ", "error"), (row.uuid, "text"))
        return
    head = f"  line {thousands(row.line)} ".ljust(14)
    sheet.line((head, "text"), (pad(row.kind, 22) + " ", "muted"), (f"{row.uuid[:8]}  ", "muted"), (row.words, "text"))


def _cleared(sheet: Sheet, cleared: tuple[Cleared, ...]) -> None:
    if not cleared:
        return
    sheet.heading("microcompactions", (f"{len(cleared)} in this session; the file keeps the results whole", "muted"))
    for each in cleared:
        words = f"{counted(each.results, 'result')} cleared, {each.found} of them in the file"
        sheet.line((f"  line {thousands(each.line)}".ljust(14), "text"), (words, "text"))
        saved = Figure(each.saved, "recorded" if each.saved is not None else UNKNOWN, _saved_words(each))
        _figure(sheet, "  saved", saved)
        _figure(sheet, "  real drop", Figure(each.drop, EXACT if each.drop is not None else UNKNOWN, _drop_words(each)))


def _drop_words(each: Cleared) -> str:
    if each.drop is None or each.before is None or each.after is None:
        return each.until or "no call stands before it"
    ratio = f", {each.drop / each.saved:.2f} times what it says" if each.saved else ""
    return f"{thousands(each.before)} → {thousands(each.after)} between calls{ratio}"


def _saved_words(each: Cleared) -> str:
    return f"its own estimate; bytes/4: {thousands(each.rough)}" if each.found else "its own estimate"


def _text(cells: list[Cell], width: int, palette: Palette) -> Text:
    text = Text.assemble(*((visible(t, newlines=False), palette.style(s)) for t, s in cells), no_wrap=True, end="")
    text.truncate(width, overflow="ellipsis")
    return text
