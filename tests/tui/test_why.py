"""`w`: what a call has more than the one before, row by row, and the way to those rows."""

from pathlib import Path

import pytest

from tests.builders import boundary, call, file_of, reply, result, summary, user
from tests.tui.opening import SAMPLES, Shown, lines_of, opened
from workbench.evidence.growth import growth
from workbench.storage import load
from workbench.tui.screens.why import WhyScreen
from workbench.tui.widgets.line_list import LineList
from workbench.workspace.view import CALL, NOW, View

pytestmark = pytest.mark.long

LONG = SAMPLES / "11-long.jsonl"


def table(shown: Shown) -> list[str]:
    return [line for line in lines_of(shown.pilot.app.screen.query_one(LineList)) if line]


def title(shown: Shown) -> str:
    screen = shown.pilot.app.screen
    assert isinstance(screen, WhyScreen)
    return str(screen.query_one("Vertical").border_title)


async def ask(shown: Shown, number: int) -> None:
    shown.screen.timeline.cursor = number
    await shown.settle()
    await shown.press("w")


async def test_the_shares_add_up_to_the_measured_difference() -> None:
    calls = load(str(LONG)).main_calls
    number = next(i for i in range(5, len(calls)) if growth(load(str(LONG)), calls[i - 1], calls[i]) is not None)
    async with opened(LONG) as shown:
        await ask(shown, number)
        total = calls[number].prompt - calls[number - 1].prompt
        assert title(shown) == f"Call {number + 1}: {total:+,} tokens since call {number}, exact"
        header, *lines = table(shown)
        assert header.split() == ["tokens", "share", "kind", "name", "line", "rough", "factor"]
        shares = [int(line.split()[0].replace(",", "")) for line in lines]
        assert sum(shares) == total
        assert sorted(map(abs, shares), reverse=True) == [*map(abs, shares)]


async def test_enter_goes_to_the_message_and_escape_nowhere() -> None:
    async with opened(LONG, "4") as shown:
        await ask(shown, 6)
        line = int(table(shown)[1].split()[-3])
        await shown.press("enter")
        assert shown.screen.workspace.tab == "messages"
        assert f"· line {line} ·" in shown.lines("#detail-title")[0]
        assert shown.screen.workspace.view == View(CALL, 6)
        assert shown.focused == "list-0"
        await shown.press("w", "escape")
        assert shown.screen.workspace.view == View(CALL, 6)


async def test_a_row_that_is_listed_is_selected_where_it_stands() -> None:
    async with opened(SAMPLES / "01-plain-short.jsonl") as shown:
        await ask(shown, 3)
        await shown.press("enter")
        assert shown.screen.workspace.view == View(NOW)


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_the_first_call_and_one_behind_a_compaction_say_why_there_is_nothing(tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "short.jsonl"
    records = (user(1, "hi"), reply(2, "ho"), boundary(3), summary(4), user(5, "on"), reply(6, "yes"))
    path.write_bytes(file_of(*records))
    async with opened(path, size=size) as shown:
        await ask(shown, 0)
        assert "It is the first call" in "".join(shown.picture)
        await shown.press("enter", "escape")
        await ask(shown, 1)
        assert "A compaction stands between" in "".join(shown.picture)


async def test_what_no_row_explains_has_no_message_to_go_to(tmp_path: Path) -> None:
    first, second = reply(2, call("toolu_1")), reply(4, "done")
    second["message"]["usage"]["cache_read_input_tokens"] = 50_000
    path = tmp_path / "jump.jsonl"
    path.write_bytes(file_of(user(1, "hi"), first, user(3, result("toolu_1", "a.py")), second))
    async with opened(path) as shown:
        await ask(shown, 1)
        assert table(shown)[1].split()[1:] == ["100%", "not", "recorded"]
        await shown.press("enter")
        assert shown.told[-1] == "No row of the file holds this share."
        assert isinstance(shown.pilot.app.screen, WhyScreen)


async def test_without_a_call_the_key_says_so(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_bytes(file_of(user(1, "hi")))
    async with opened(path, "w") as shown:
        assert shown.told == ["No API call is recorded in this session."]
