"""A list of any length is moved through with the usual keys, and asks its source for nothing that is out of sight."""

from typing import Any

import pytest
from rich.segment import Segment
from rich.text import Text
from textual.message import Message

from workbench.tui.widgets.line_list import FixedLines, LineList


class Numbered:
    """Rows that say their number, and remember which were asked for."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.asked: list[int] = []

    def __len__(self) -> int:
        return self.count

    def line(self, index: int, width: int, /) -> list[Segment]:
        self.asked.append(index)
        return [Segment(f"row {index}")]


def shown(rows: LineList) -> list[str]:
    return [rows.render_line(y).text.rstrip() for y in range(rows.size.height)]


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [
        ("down down j", 3),
        ("down k", 0),
        ("up", 0),
        ("pagedown", 9),
        ("pagedown pageup", 0),
        ("ctrl+d", 4),
        ("ctrl+d ctrl+u", 0),
        ("end", 999_999),
        ("G up", 999_998),
        ("G g", 0),
        ("end down", 999_999),
        ("end home", 0),
    ],
)
async def test_keys_move_the_cursor_and_keep_it_in_sight(stage: Any, keys: str, cursor: int) -> None:
    rows = LineList(Numbered(1_000_000), header=[Segment("number")])
    async with stage(rows).run_test(size=(40, 10)) as pilot:
        await pilot.press(*keys.split())
        assert rows.cursor == cursor
        assert shown(rows)[0] == "number"
        assert f"row {cursor}" in shown(rows)


async def test_only_rows_in_sight_are_asked_for(stage: Any) -> None:
    source = Numbered(1_000_000)
    rows = LineList(source)
    async with stage(rows).run_test(size=(40, 10)) as pilot:
        await pilot.press("end")
        await pilot.pause()
        assert set(source.asked) <= {*range(10), *range(999_990, 1_000_000)}


async def test_moving_and_opening_are_told(stage: Any) -> None:
    heard: list[Message] = []
    rows = LineList(Numbered(50))
    async with stage(rows).run_test(size=(40, 10), message_hook=heard.append) as pilot:
        await pilot.press("down", "enter")
        await pilot.double_click(LineList, offset=(3, 5))
        await pilot.pause()
    moved = [m.index for m in heard if isinstance(m, LineList.Highlighted)]
    opened = [m.index for m in heard if isinstance(m, LineList.Selected)]
    assert list(dict.fromkeys(moved)) == [1, 5]
    assert list(dict.fromkeys(opened)) == [1, 5]


async def test_a_click_below_the_last_row_or_on_the_header_moves_nothing(stage: Any) -> None:
    rows = LineList(Numbered(3), header=[Segment("number")])
    async with stage(rows).run_test(size=(40, 10)) as pilot:
        await pilot.click(LineList, offset=(3, 3))
        assert rows.cursor == 2
        await pilot.click(LineList, offset=(3, 8))
        await pilot.click(LineList, offset=(3, 0))
        assert rows.cursor == 2


async def test_the_wheel_scrolls_and_the_next_key_brings_the_cursor_back(stage: Any) -> None:
    rows = LineList(Numbered(100))
    async with stage(rows).run_test(size=(40, 10)) as pilot:
        rows.scroll_to(y=50, animate=False)
        await pilot.pause()
        assert shown(rows)[0] == "row 50"
        await pilot.press("down")
        assert "row 1" in shown(rows)


async def test_a_shorter_source_takes_the_cursor_to_its_last_row(stage: Any) -> None:
    rows = LineList(Numbered(100))
    async with stage(rows).run_test(size=(40, 10)) as pilot:
        await pilot.press("end")
        rows.set_source(Numbered(20))
        await pilot.pause()
        assert rows.cursor == 19
        assert shown(rows)[-1] == "row 19"
        rows.set_source(Numbered(20), keep_cursor=False)
        await pilot.pause()
        assert rows.cursor == 0
        assert shown(rows)[0] == "row 0"


async def test_a_list_that_is_filled_and_at_once_shown_from_its_end_has_its_scroll_bar_there(stage: Any) -> None:
    rows = LineList()
    async with stage(rows).run_test(size=(40, 10)) as pilot:
        rows.set_source(Numbered(200))
        rows.cursor = 199  # the scroll bar comes with the next layout
        await pilot.pause()
        assert rows.vertical_scrollbar.position == rows.scroll_y == 190


async def test_an_empty_list_says_why_and_survives_every_key(stage: Any) -> None:
    rows = LineList(FixedLines(), empty="no message fits the filter")
    async with stage(rows).run_test(size=(40, 9)) as pilot:
        await pilot.press("down", "up", "end", "home", "pagedown", "enter")
        assert rows.cursor == 0
        assert shown(rows)[4].strip() == "no message fits the filter"


async def test_a_long_line_is_cut_at_the_width(stage: Any) -> None:
    rows = LineList(FixedLines([[Segment("漢字" * 40)], [Segment("short")]]))
    async with stage(rows).run_test(size=(21, 5)):
        assert [rows.render_line(y).cell_length for y in range(2)] == [21, 21]


async def test_the_cursor_looks_other_when_the_list_has_the_focus(stage: Any) -> None:
    rows = LineList(Numbered(5))
    async with stage(rows).run_test(size=(40, 10)) as pilot:
        assert rows.has_focus

        def ground(y: int) -> Any:
            return next(iter(rows.render_line(y))).style

        focused, plain = ground(0), ground(1)
        pilot.app.set_focus(None)
        await pilot.pause()
        assert len({str(focused), str(plain), str(ground(0))}) == 3


async def test_a_line_may_be_a_styled_text(stage: Any) -> None:
    rows = LineList(FixedLines([Text("first"), Text("second", style="italic")]))
    async with stage(rows).run_test(size=(40, 10)):
        first = next(iter(rows.render_line(1)))
        assert first.text == "second"
        assert first.style is not None
        assert first.style.italic
