"""The line below the timeline: what the selected call held, part by part, and whether that makes the agent compact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from ...conversation.figure import EXACT
from ...workspace.state import Workspace
from .numbers import thousands
from .palette import Palette
from .text import visible

if TYPE_CHECKING:
    from ...evidence.timeline import Point, Timeline

Cell = tuple[str, str]
LEGEND: tuple[Cell, ...] = (("   ▲", "boundary"), (" compaction  ", "muted"), ("┄", "threshold"), (" threshold", "muted"))


def call_line(workspace: Workspace, width: int, palette: Palette) -> Text:
    """Prompt + output + added = total against the threshold, each with its kind; then, where there is room, what is around it."""
    timeline = None if workspace.opened is None else workspace.opened.timeline
    if timeline is None or not timeline.points:
        return Text("")
    at = min(workspace.call, len(timeline.points) - 1)
    cells = next((c for c in _sums(timeline, at) if _cells_of(c) <= width), [*_sums(timeline, at)][-1])
    for extra in _extras(timeline, at):
        if _cells_of([*cells, *extra]) <= width:
            cells = [*cells, *extra]
    text = Text.assemble(*((words, palette.style(style)) for words, style in cells), no_wrap=True, end="")
    text.truncate(width, overflow="ellipsis")
    return text


def _sums(timeline: Timeline, at: int) -> Iterator[list[Cell]]:
    """The sum in full, and shorter."""
    point, count, is_passed = timeline.points[at], len(timeline.points), _is_passed(timeline, at)
    added: list[Cell] = [(f"  + added {thousands(point.added)}", "text"), (" est.", "estimated")] if point.added else []
    yield [
        (f"call {at + 1} of {count}", "bold text"),
        (f"  line {point.line:,}  ", "muted"),
        *_figure(point.tokens, point.kind),
        ("  + output ", "text"),
        *_figure(point.output, point.output_kind),
        *added,
        *_verdict(timeline.threshold, point, "  ", is_passed),
    ]
    added = [(f" + {thousands(point.added)}", "text"), (" est.", "estimated")] if point.added else []
    yield [
        (f"call {at + 1}/{count}  ", "bold text"),
        *_figure(point.tokens, point.kind),
        (" + ", "text"),
        *_figure(point.output, point.output_kind),
        *added,
        *_verdict(timeline.threshold, point, " ", is_passed),
    ]


def _extras(timeline: Timeline, at: int) -> Iterator[list[Cell]]:
    from .chart import MARK_GLYPHS, NOTES, OTHER_MARK_GLYPH  # here, so that the first rows do not wait for it

    point = timeline.points[at]
    marks = [m for m in timeline.marks if m.index == at and m.kind != NOTES]
    if marks:
        words = ", ".join(f"{MARK_GLYPHS.get(m.kind, OTHER_MARK_GLYPH)} {m.label}" for m in marks)
        yield [(visible(f"   before it: {words}", newlines=False), "boundary")]
    if point.growth is not None:
        yield [(f"   {point.growth:+,} since call {at}", "text"), (": w says why", "muted")]
    if NOTES in point.marks:
        (taken,) = (m for m in timeline.marks if m.index == at + 1 and m.kind == NOTES)
        yield [(f"   {MARK_GLYPHS[NOTES]} notes would be taken here: {taken.label}", "notes")]
    elif not marks:
        yield [*LEGEND]


def _figure(tokens: int, kind: str) -> list[Cell]:
    return [(thousands(tokens), "text"), (" exact" if kind == EXACT else " est.", "exact" if kind == EXACT else "estimated")]


def _is_passed(timeline: Timeline, at: int) -> bool:
    """Whether another call follows without a compaction before it."""
    from .chart import BOUNDARY

    return at + 1 < len(timeline.points) and not any(m.index == at + 1 and m.kind == BOUNDARY for m in timeline.marks)


def _verdict(threshold: int | None, point: Point, gap: str, is_passed: bool) -> list[Cell]:
    total: Cell = (thousands(point.total), "bold " + ("exact" if point.total_kind == EXACT else "estimated"))
    if threshold is None:
        return [(f"{gap}= ", "text"), total]
    if point.total >= threshold:
        then = ", yet no compaction followed" if is_passed else " → fires"
        return [(f"{gap}= ", "text"), (f"{thousands(point.total)} ≥ {thousands(threshold)}{then}", "bold threshold")]
    return [(f"{gap}= ", "text"), total, (f", {thousands(threshold - point.total)} below {thousands(threshold)}", "muted")]


def _cells_of(cells: list[Cell]) -> int:
    return sum(cell_len(words) for words, _ in cells)
