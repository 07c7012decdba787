"""The picture of the timeline: bars of block elements, their scale, the threshold, the boundaries and the marks."""

from itertools import groupby

from rich.segment import Segment

from workbench.tui.painting.chart import BOUNDARY, MARK_GLYPHS, OTHER_MARK_GLYPH, SIMULATED, ChartModel, Mark, level, scale_top
from workbench.tui.painting.chart_columns import Column, View, column_of, columns_of, mark_column
from workbench.tui.painting.numbers import short
from workbench.tui.painting.palette import Palette
from workbench.tui.painting.text import clip

GUTTER = 6  # cells left of the bars: a number of four, a space, the axis
BLOCKS = " ▁▂▃▄▅▆▇█"
ESTIMATED_SHARE = 0.62  # how much of its colour a bar keeps whose tokens are not exact

Cell = tuple[str, str]  # a character and the words of its style
Row = tuple[Segment, ...]


def draw(
    model: ChartModel, laid: tuple[Column, ...], view: View, cursor: int, width: int, height: int, palette: Palette, empty: str
) -> tuple[Row, ...]:
    """`height` rows of exactly `width` cells: bars above, one row of axis and marks at the foot.

    `laid` are the columns for `view` at `width - GUTTER`; without calls the picture is the sentence `empty`.
    """
    if not model.points or height < 2 or width <= GUTTER:
        return _sentence(empty if not model.points else "", width, height, palette)
    rows = height - 1
    top = scale_top(model)
    if model.threshold is not None and model.threshold > top:
        top *= rows / max(1, rows - 1)  # the uppermost row says that it lies above: no bar ends there
    labels = _labels(model, top, rows)
    drawn = [_column(model, laid, x, cursor, rows, top, palette) for x in range(len(laid))]
    dotted = _row_of(model.threshold, top, rows)
    rest = [("┄", "threshold") if y == dotted else (" ", "text") for y in range(rows)]
    drawn += [rest] * (width - GUTTER - len(laid))
    for x, mark in _simulated(model, laid, view, len(drawn)):
        drawn[x] = _simulated_column(mark, rows, top)
    out = [_segments([*labels[y], *(column[y] for column in drawn)], palette) for y in range(rows)]
    return (*out, _segments([*_gutter("", "axis", "└"), *_axis(model, laid, view, cursor, width - GUTTER)], palette))


def bar_height(tokens: int, top: float, rows: int) -> int:
    """The eighths of a row that a bar fills; a call with any tokens at all is seen."""
    return max(1 if tokens else 0, round(tokens / top * rows * 8))


def _column(
    model: ChartModel, laid: tuple[Column, ...], x: int, cursor: int, rows: int, top: float, palette: Palette
) -> list[Cell]:
    column = laid[x]
    filled = 0 if column.gap else bar_height(column.tokens, top, rows)
    pointed = column.first <= cursor < column.last and not column.gap
    ground = " on pointer-ground" if pointed else ""
    above = _above(column, pointed and x == column_of(laid, cursor), ground)
    colour = "pointer" if pointed else _bar_colour(model, column, palette)
    dotted = _row_of(model.threshold, top, rows)
    cells: list[Cell] = []
    for y in range(rows):
        fill = max(0, min(8, filled - (rows - 1 - y) * 8))
        if fill == 8 and column.boundary:
            cells.append(("┃", f"boundary on {colour}"))
        elif fill:
            cells.append((BLOCKS[fill], colour + ground))
        elif y == dotted and above[0] == " ":
            cells.append(("┄", "threshold" + ground))
        else:
            cells.append(above)
    return cells


def _simulated(model: ChartModel, laid: tuple[Column, ...], view: View, width: int) -> list[tuple[int, Mark]]:
    """The columns in which a simulated compaction stands: behind the last call where there is room for one."""
    marks = [m for m in model.marks if m.kind == SIMULATED and view.first <= m.index <= view.last]
    behind = len(laid) + 1 if len(laid) + 1 < width else -1
    places = [(behind if m.index == len(model.points) and behind > 0 else mark_column(laid, m), m) for m in marks]
    return [(x, mark) for x, mark in places if x >= 0]


def _simulated_column(mark: Mark, rows: int, top: float) -> list[Cell]:
    """A dotted line; at its foot, as a bar, what the compaction leaves."""
    filled = bar_height(mark.after or 0, top, rows)
    fills = [max(0, min(8, filled - (rows - 1 - y) * 8)) for y in range(rows)]
    return [(BLOCKS[fill] if fill else "┊", "key") for fill in fills]


def _above(column: Column, is_middle: bool, ground: str) -> Cell:
    """What stands over a bar."""
    if column.boundary:
        return "┃", "boundary" + ground
    return ("│" if is_middle else " "), "pointer" + ground


def _bar_colour(model: ChartModel, column: Column, palette: Palette) -> str:
    role = level(model, column.tokens)
    exact = column.first == column.last or model.points[column.peak].kind == "exact"
    return role if exact else palette.faded(role, ESTIMATED_SHARE)


def _row_of(tokens: int | None, top: float, rows: int) -> int | None:
    """The row, from the top, in which a bar of so many tokens ends; None when it is above the picture."""
    if tokens is None or tokens > top:
        return None
    return rows - 1 - min(rows - 1, int(tokens / top * rows))


def _labels(model: ChartModel, top: float, rows: int) -> list[list[Cell]]:
    """The scale: the threshold before all else, then zero, the window, and a round number between where there is room."""
    lines = [_gutter("", "axis", "│") for _ in range(rows)]
    taken: set[int] = set()
    if model.threshold is not None and _row_of(model.threshold, top, rows) is None:
        lines[0] = _gutter(short(model.threshold), "threshold", "│", "↑")
        taken.add(0)
    peak = model.peak if 0 in taken else None
    wanted = [
        (model.threshold, "threshold"), (0, "axis"), (peak, "axis"), (model.window, "axis"), (_round_number(top), "axis"),
    ]  # fmt: skip
    for tokens, role in wanted:
        row = _row_of(tokens, top, rows)
        if tokens is None or row is None or row in taken:
            continue
        lines[row] = _gutter(short(tokens), role, "┤")
        taken |= {row} if role == "threshold" else {row - 1, row, row + 1}
    return lines


def _round_number(top: float) -> int:
    """A round number near the middle of the scale."""
    size = int(10 ** (len(str(int(top / 2))) - 1))
    return max(1, int(top / 2 / size)) * size


def _gutter(label: str, role: str, edge: str, sign: str = " ") -> list[Cell]:
    return [*((character, role) for character in f"{label:>4}{sign}"), (edge, role if role == "threshold" else "axis")]


def _axis(model: ChartModel, laid: tuple[Column, ...], view: View, cursor: int, width: int) -> list[Cell]:
    cells: list[Cell] = [("─", "axis")] * width
    for x in columns_of(laid, cursor):
        cells[x] = ("━", "bold pointer on pointer-ground")
    if view.first > 0:
        cells[0] = ("‹", "bold key")
    if view.last < len(model.points):
        cells[-1] = ("›", "bold key")
    order = [*MARK_GLYPHS]
    simulated = {mark: x for x, mark in _simulated(model, laid, view, width)}
    known = sorted(model.marks, key=lambda mark: -order.index(mark.kind) if mark.kind in order else -len(order))
    for mark in known:
        x = simulated.get(mark, mark_column(laid, mark)) if view.first <= mark.index <= view.last else -1
        if x >= 0:
            ground = " on pointer-ground" if cells[x][0] == "━" or cells[x][1].endswith("-ground") else ""
            cells[x] = (MARK_GLYPHS.get(mark.kind, OTHER_MARK_GLYPH), _mark_role(mark.kind) + ground)
    for mark, x in simulated.items():
        _label(cells, x, mark)
    return cells


def _label(cells: list[Cell], x: int, mark: Mark) -> None:
    """How much a simulated compaction leaves, beside its mark: behind it where there is room, else before it."""
    words = f"→ {short(mark.after)}" if mark.after is not None else ""
    start = x + 2 if x + 2 + len(words) <= len(cells) else x - 1 - len(words)
    if words and start >= 0:
        cells[start : start + len(words)] = [(character, "bold key") for character in words]


def _mark_role(kind: str) -> str:
    return kind if kind in (BOUNDARY, "notes", "microcompaction") else "key"


def _sentence(sentence: str, width: int, height: int, palette: Palette) -> tuple[Row, ...]:
    blank = (Segment(" " * width),)
    words = (Segment(clip(sentence, width).center(width), palette.style("muted")),)
    return tuple(words if y == (height - 1) // 2 else blank for y in range(height))


def _segments(cells: list[Cell], palette: Palette) -> Row:
    runs = ((words, "".join(cell[0] for cell in run)) for words, run in groupby(cells, key=lambda cell: cell[1]))
    return tuple(Segment(characters, palette.style(words)) for words, characters in runs)
