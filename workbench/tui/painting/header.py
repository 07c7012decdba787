"""The top line and the line below the timeline, as words with styles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ...conversation.figure import EXACT
from ...workspace.state import Workspace
from .numbers import thousands
from .palette import Palette
from .text import clip, visible

if TYPE_CHECKING:
    from ...evidence.timeline import Point

WIDE = 110  # cells from which the program's own name has room


def top_line(workspace: Workspace, width: int, palette: Palette) -> Text:
    """What is open: name, size, model, version; on the right window and threshold with their sources."""
    left = [("Compaction Workbench  ", "bold key")] if width >= WIDE else [(" ", "")]  # narrow: the file's name matters more
    left += [(visible(clip(workspace.name, 40)), "bold text"), ("  ", "")]
    right: list[tuple[str, str]] = []
    opened = workspace.opened
    if opened is None:
        loading = workspace.loading
        if workspace.problem:
            left.append(("cannot be read", "error"))
        elif loading is not None:
            left.append((f"reading… {thousands(loading.rows)} records, {_size(loading.done)} of {_size(loading.size)}", "muted"))
        return _joined(left, right, width, palette)
    found = opened.inspection
    facts = opened.session.index.facts
    words = [_size(facts.size), f"{thousands(len(opened.session.index))} records"]
    words += [m.removeprefix("claude-") for m in list(found.models)[:1]]
    if opened.session.index.last_version:
        words.append(f"agent {opened.session.index.last_version}")
    if facts.damaged_lines:
        words.append(f"{facts.damaged_lines} damaged lines")
    left.append((visible(" · ".join(words)), "muted"))
    right = [("window ", "muted"), (thousands(found.window.tokens), "text"), (f" {found.window.source}", "muted")]
    if found.threshold.auto is not None:
        right += [
            ("  fires at ", "muted"),
            (thousands(found.threshold.auto), "threshold"),
            (f" {found.threshold.preset}", "muted"),
        ]
    else:
        right += [("  fires at ", "muted"), ("the API's limit only", "threshold")]
    return _joined(left, right, width, palette)


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} KB" if size >= 1e4 else f"{size:,} bytes"


def _joined(left: list[tuple[str, str]], right: list[tuple[str, str]], width: int, palette: Palette) -> Text:
    made_left = Text.assemble(*((t, palette.style(s)) for t, s in left), no_wrap=True, end="")
    made_right = Text.assemble(*((t, palette.style(s)) for t, s in right), no_wrap=True, end="")
    room = width - made_left.cell_len - made_right.cell_len
    if room >= 2:
        return made_left + Text(" " * room) + made_right
    if right and made_right.cell_len + 24 < width:  # the threshold matters more than the model's name
        made_left.truncate(width - made_right.cell_len - 2, overflow="ellipsis")
        return made_left + Text("  ") + made_right
    made_left.truncate(width, overflow="ellipsis")
    return made_left


def call_line(workspace: Workspace, width: int, palette: Palette) -> Text:
    """The selected call in one line: exact prompt, output, whether it fires, and what stands before it."""
    opened = workspace.opened
    if opened is None or not opened.timeline.points:
        return Text("")
    points = opened.timeline.points
    point = points[min(workspace.call, len(points) - 1)]
    cells = [
        (f"call {workspace.call + 1} of {len(points)}", "bold text"),
        (f"  line {point.line:,}  ", "muted"),
        (thousands(point.tokens), "text"),
        (f" {point.kind}", _kind_style(point.kind)),
        (f"  + output {thousands(point.output)}", "text"),
        (f" {point.output_kind}", _kind_style(point.output_kind)),
    ]
    if point.growth is not None:
        cells.append((f"  {point.growth:+,} since the call before", "muted"))
    cells += _verdict(opened.timeline.threshold, point)
    if marks := [m.label for m in opened.timeline.marks if m.index == workspace.call]:
        cells.append((f"  ▲ {', '.join(marks)}", "boundary"))
    text = Text.assemble(*((visible(t), palette.style(s)) for t, s in cells), no_wrap=True, end="")
    text.truncate(width, overflow="ellipsis")
    return text


def _kind_style(kind: str) -> str:
    return "exact" if kind == EXACT else "estimated" if kind == "estimated" else "muted"


def _verdict(threshold: int | None, point: Point) -> list[tuple[str, str]]:
    if threshold is None:
        return []
    total = point.tokens + point.output
    if total >= threshold:
        return [(f"  = {thousands(total)} ≥ {thousands(threshold)} → fires", "bold threshold")]
    return [(f"  {thousands(threshold - total)} below the threshold", "muted")]
