"""The timeline is walked by call and by mark, zoomed around the cursor, and clicked."""

from typing import Any

import pytest
from textual.message import Message

from workbench.tui.painting.chart import ChartModel, Mark, Point
from workbench.tui.painting.chart_draw import GUTTER
from workbench.tui.widgets.timeline import Timeline

CALLS = 200
MODEL = ChartModel(
    tuple(Point(1_000 * (call % 100)) for call in range(CALLS)),
    threshold=90_000,
    marks=(Mark(40, "notes"), Mark(60, "microcompaction"), Mark(100, "boundary"), Mark(CALLS, "boundary")),
)


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [
        ("right right", 2),
        ("left", 0),
        ("end", 199),
        ("end right", 199),
        ("end home", 0),
        ("ctrl+right", 60),
        ("ctrl+right right_square_bracket", 100),
        ("end left_square_bracket ctrl+left", 60),
    ],
)
async def test_keys_move_from_call_to_call_and_from_mark_to_mark(stage: Any, keys: str, cursor: int) -> None:
    timeline = Timeline(MODEL)
    async with stage(timeline).run_test(size=(80, 12)) as pilot:
        await pilot.press(*keys.split())
        assert timeline.cursor == cursor


async def test_zoom_closes_in_on_the_cursor_and_zero_shows_all_again(stage: Any) -> None:
    timeline = Timeline(MODEL)
    async with stage(timeline).run_test(size=(80, 12)) as pilot:
        timeline.cursor = 120
        await pilot.press("plus", "plus")
        assert timeline.view.count == 50
        assert timeline.view.first <= 120 < timeline.view.last
        await pilot.press("home")
        assert timeline.view.first == 0
        await pilot.press("minus")
        assert timeline.view.count == 100
        await pilot.press("0")
        assert timeline.view.count == CALLS


async def test_moving_choosing_and_clicking_are_told(stage: Any) -> None:
    heard: list[Message] = []
    timeline = Timeline(MODEL)
    async with stage(timeline).run_test(size=(80, 12), message_hook=heard.append) as pilot:
        await pilot.press("end", "enter")
        await pilot.click(Timeline, offset=(GUTTER, 3))
        await pilot.click(Timeline, offset=(2, 3))
        await pilot.pause()
        assert timeline.cursor in range(4)
    moved = [m.index for m in heard if isinstance(m, Timeline.Moved)]
    assert list(dict.fromkeys(moved)) == [199, timeline.cursor]
    assert {m.index for m in heard if isinstance(m, Timeline.Chosen)} == {199}


async def test_without_calls_every_key_is_harmless(stage: Any) -> None:
    heard: list[Message] = []
    timeline = Timeline()
    async with stage(timeline).run_test(size=(80, 12), message_hook=heard.append) as pilot:
        await pilot.press("left", "right", "end", "ctrl+right", "plus", "minus", "0", "enter")
        await pilot.click(Timeline, offset=(20, 3))
        assert timeline.cursor == 0
        assert any("no API call" in timeline.render_line(y).text for y in range(10))
    assert not [m for m in heard if isinstance(m, Timeline.Moved | Timeline.Chosen)]


async def test_another_session_takes_the_cursor_along_as_far_as_it_goes(stage: Any) -> None:
    timeline = Timeline(MODEL)
    async with stage(timeline).run_test(size=(80, 12)) as pilot:
        await pilot.press("end")
        timeline.set_model(ChartModel(MODEL.points[:10]))
        await pilot.pause()
        assert timeline.cursor == 9
        assert timeline.view.count == 10


async def test_it_is_repainted_in_the_colours_of_another_theme(stage: Any) -> None:
    timeline = Timeline(MODEL)
    async with stage(timeline).run_test(size=(80, 12)) as pilot:
        before = [segment.style for segment in timeline.render_line(8)]
        pilot.app.theme = "workbench-light"
        await pilot.pause()
        assert [segment.style for segment in timeline.render_line(8)] != before
