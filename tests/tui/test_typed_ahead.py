"""Keys typed faster than the screen follows: they wait for what they are meant for, and none closes more than it should."""

import pytest

from tests.tui.opening import SAMPLES, Shown, application, opened
from workbench.tui.screens.session import SessionScreen

pytestmark = pytest.mark.long

LONG = SAMPLES / "11-long.jsonl"


@pytest.mark.parametrize(
    "keys",
    [
        ("w", "enter", "enter", "enter"),
        ("w", "escape", "escape", "escape"),
        ("question_mark", "escape", "escape", "escape"),
        ("slash", "a", "enter", "enter"),
        ("o", "escape", "escape", "escape"),
        ("5", "5", "enter"),
        ("2", "enter", "1", "v"),
        ("4", "y", "7", "y", "3", "y"),
        ("t", "left", "left", "w"),
    ],
    ids=" ".join,
)
async def test_the_session_stays_open(keys: tuple[str, ...]) -> None:
    async with opened(LONG) as shown:
        for key in keys:
            shown.send(key)
            if key in ("w", "question_mark", "slash", "o"):
                await shown.settle()
        await shown.settle()
        if keys[-1] != "w":
            assert isinstance(shown.pilot.app.screen, SessionScreen)
        assert shown.pilot.app.return_code is None
        assert any(isinstance(screen, SessionScreen) for screen in shown.pilot.app.screen_stack)


async def test_the_sub_agent_is_opened_once() -> None:
    async with opened(SAMPLES / "08-images-and-sub-agents.jsonl", "A") as shown:
        await shown.type("enter", "enter", "enter")
        assert shown.screen.workspace.name.startswith("agent-")
        assert len(shown.pilot.app.screen_stack) == 2


async def test_arrows_typed_behind_t_move_along_the_timeline() -> None:
    async with opened(LONG) as shown:
        last = shown.screen.workspace.call
        await shown.type("t", "left", "left")
        assert shown.screen.workspace.call == last - 2


@pytest.mark.parametrize("key", ["t", "w", "2", "b", "e", "A", "slash", "escape"])
async def test_a_key_may_come_before_anything_is_read(key: str) -> None:
    app = application(LONG)
    async with app.run_test(size=(80, 24)) as pilot:
        shown = Shown(pilot)
        shown.send(key)
        await shown.settle()
        assert app.return_code is None
        assert "^p palette" in "".join(shown.picture)


@pytest.mark.parametrize("keys", [("pagedown",), ("a", "pagedown"), ("a", "up", "pageup"), ("down", "pagedown")], ids=" ".join)
@pytest.mark.parametrize("opens", ["ctrl+p", "T"])
async def test_a_palette_may_be_paged_before_its_rows_are_laid_out(opens: str, keys: tuple[str, ...]) -> None:
    async with opened(SAMPLES / "01-plain-short.jsonl") as shown:
        await shown.type(opens, *keys)
        assert shown.pilot.app.return_code is None
        await shown.press("escape")
        assert isinstance(shown.pilot.app.screen, SessionScreen)
