"""The timeline's picture keeps its promises at every size: no peak is lost, no compaction is hidden."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from workbench.tui.painting.chart import ChartModel, Mark, Point, level, neighbour_mark, scale_top
from workbench.tui.painting.chart_columns import Column, View, column_of, columns, following, mark_column, zoomed
from workbench.tui.painting.chart_draw import BLOCKS, GUTTER, bar_height, draw
from workbench.tui.painting.palette import Palette
from workbench.tui.theme import ROLES

PALETTE = Palette((("background", "#000000"), *((role, row[1]) for role, row in ROLES.items())))


def model(tokens: list[int], boundaries: tuple[int, ...] = (), **lines: int) -> ChartModel:
    return ChartModel(tuple(map(Point, tokens)), marks=tuple(Mark(i, "boundary") for i in boundaries), **lines)


def picture(chart: ChartModel, width: int = 60, height: int = 10, cursor: int = -1, view: View | None = None) -> list[str]:
    view = view or View(0, len(chart.points))
    laid = columns(chart, view, width - GUTTER) if chart.points else ()
    rows = draw(chart, laid, view, cursor, width, height, PALETTE, "no API call in this session")
    return ["".join(segment.text for segment in row) for row in rows]


def drawn_heights(rows: list[str]) -> list[int]:
    """The eighths filled in each column of the picture."""
    bars = [row[GUTTER:] for row in rows[:-1]]
    fill = {**{block: eighths for eighths, block in enumerate(BLOCKS)}, "┃": 0, "┄": 0, "│": 0}
    return [sum(fill[character] for character in column) for column in zip(*bars, strict=True)]


@pytest.mark.parametrize("width", [8, 20, 60, 200])
@pytest.mark.parametrize("height", [2, 6, 14])
def test_the_tallest_column_is_the_peak(width: int, height: int) -> None:
    tokens = [1_000 + i % 7 for i in range(3_000)]
    tokens[1_711] = 160_000
    chart = model(tokens, threshold=155_000, window=200_000)
    heights = drawn_heights(picture(chart, width, height))
    assert max(heights) == bar_height(160_000, scale_top(chart), height - 1)
    laid = columns(chart, View(0, 3_000), width - GUTTER)
    assert heights.index(max(heights)) == column_of(laid, 1_711)


@given(
    st.lists(st.integers(0, 200_000), min_size=1, max_size=300),
    st.sets(st.integers(0, 300), max_size=12),
    st.integers(1, 80),
)
def test_every_call_is_in_a_column_and_every_boundary_is_drawn(tokens: list[int], where: set[int], width: int) -> None:
    bounds = tuple(sorted(i for i in where if i <= len(tokens)))
    chart = model(tokens, bounds)
    laid = columns(chart, View(0, len(tokens)), width)
    assert len(laid) <= width
    assert {call for c in laid for call in range(c.first, c.last)} == set(range(len(tokens)))
    assert max(c.tokens for c in laid) == max(tokens)
    for mark in chart.marks:
        assert laid[mark_column(laid, mark)].boundary
    rows = picture(chart, width + GUTTER, 8)
    assert all(cell_len(row) == width + GUTTER for row in rows)
    assert rows[-1].count("▲") == len({mark_column(laid, mark) for mark in chart.marks})


def test_boundaries_stand_between_the_calls_they_part() -> None:
    rows = picture(model([100, 200, 50, 100], boundaries=(2,), window=200), width=GUTTER + 33, height=6)
    assert [row[GUTTER + 16] for row in rows] == ["┃"] * 5 + ["▲"]


def test_the_threshold_is_dotted_where_no_bar_covers_it() -> None:
    rows = picture(model([10_000] * 20 + [200_000] * 20, threshold=155_000, window=200_000), width=GUTTER + 40)
    row = next(row for row in rows if row.startswith("155K"))
    assert row[GUTTER:] == "┄" * 20 + "█" * 20


def test_the_scale_names_threshold_window_and_zero() -> None:
    rows = picture(model([150_000] * 9, threshold=155_000, window=200_000), height=12)
    assert [row[:4].strip() for row in rows if row[:4].strip()] == ["200K", "155K", "100K", "0"]


def test_a_threshold_far_above_all_calls_does_not_flatten_them() -> None:
    rows = picture(model([20_000] * 9, threshold=967_000, window=1_000_000))
    assert rows[0].startswith("967K↑")
    assert max(drawn_heights(rows)) > 60


def test_where_the_threshold_lies_above_the_scale_no_bar_reaches_its_mark_and_the_peak_has_a_label() -> None:
    rows = picture(model([10_000, 25_000], threshold=167_000, window=200_000))
    assert rows[0].startswith("167K↑") and not set(rows[0]) & set("▁▂▃▄▅▆▇█")
    assert rows[1].startswith(" 25K") and "█" in rows[2]


def test_marks_of_every_kind_stand_under_their_call() -> None:
    kinds = ("notes", "microcompaction", "model-change", "something new")
    chart = ChartModel(tuple(Point(10) for _ in range(40)), marks=tuple(Mark(5 * i, kind) for i, kind in enumerate(kinds)))
    foot = picture(chart, width=GUTTER + 40)[-1][GUTTER:]
    assert (foot[0], foot[5], foot[10], foot[15]) == ("◆", "✂", "⇄", "•")


def test_the_cursor_is_seen_without_colour() -> None:
    rows = picture(model([100] * 40, window=140), width=GUTTER + 40, cursor=17)
    assert rows[0][GUTTER + 17] == "│"
    assert rows[-1][GUTTER + 17] == "━"


def test_a_part_of_the_calls_says_that_there_are_more() -> None:
    foot = picture(model([100] * 100), view=View(10, 50))[-1]
    assert (foot[GUTTER], foot[-1]) == ("‹", "›")


def test_no_call_at_all_is_said_in_words() -> None:
    assert any("no API call in this session" in row for row in picture(ChartModel(), 80, 6))


@pytest.mark.parametrize(
    ("tokens", "role"), [(0, "level-low"), (117_999, "level-low"), (118_000, "level-warning"), (155_000, "level-over")]
)
def test_levels_begin_at_their_line(tokens: int, role: str) -> None:
    assert level(model([1], threshold=155_000, warning=118_000), tokens) == role


def test_marks_are_gone_through_in_order() -> None:
    chart = model([1] * 10, boundaries=(3, 7, 10))
    assert [neighbour_mark(chart, call, 1) for call in (0, 3, 7, 9)] == [3, 7, 9, 9]
    assert [neighbour_mark(chart, call, -1) for call in (9, 7, 3, 0)] == [7, 3, 3, 0]


def test_zooming_keeps_the_cursor_in_sight_and_comes_back() -> None:
    view = View(0, 1_000)
    for _ in range(9):
        view = zoomed(view, 1_000, 700, 0.5)
        assert view.first <= 700 < view.last
    assert view.count == 8
    for _ in range(9):
        view = zoomed(view, 1_000, 700, 2)
    assert view == View(0, 1_000)


def test_the_view_follows_the_cursor_no_further_than_needed() -> None:
    assert following(View(0, 10), 100, 5) == View(0, 10)
    assert following(View(0, 10), 100, 12) == View(4, 10)
    assert following(View(50, 10), 100, 0) == View(0, 10)
    assert following(View(0, 10), 100, 99) == View(90, 10)


def test_few_calls_have_wide_bars_with_a_gap_between() -> None:
    laid = columns(model([10, 20]), View(0, 2), 60)
    assert [type(c) for c in laid] == [Column] * 16
    assert [c.gap for c in laid] == [x == 7 for x in range(16)]
