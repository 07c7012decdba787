"""The editor for long prose: every row reads as Textual's own editor paints it, after any edit."""

from __future__ import annotations

import random

import pytest
from textual.app import App, ComposeResult
from textual.widgets import TextArea

from workbench.tui.widgets.prose_area import ProseArea

pytestmark = pytest.mark.long

TEXT = "".join(f"line {n} with words enough to be wrapped once or twice, ünïcode and\ttabs\n\n" for n in range(60))
KEYS = (
    *("down", "up", "pagedown", "pageup", "home", "end", "shift+down"),
    *("a", "ß", "enter", "backspace", "delete", "ctrl+z", "ctrl+y"),
)


class Both(App[None]):
    CSS = "TextArea { height: 1fr; border: none; } ProseArea { height: 1fr; border: none; }"

    def compose(self) -> ComposeResult:
        yield ProseArea(id="ours")
        plain = TextArea("", soft_wrap=True, show_line_numbers=False, id="plain")
        plain.match_cursor_bracket = False
        yield plain


def rows(area: TextArea) -> list[str]:
    return [area.render_line(y).text for y in range(area.size.height)]


async def test_it_shows_what_textual_s_own_editor_shows() -> None:
    chance = random.Random(3)
    app = Both()
    async with app.run_test(size=(50, 30)) as pilot:
        ours, plain = app.query_one("#ours", ProseArea), app.query_one("#plain", TextArea)
        for area in (ours, plain):
            area.load_text(TEXT)
        for key in chance.choices(KEYS, k=40):
            for area in (ours, plain):
                area.focus()
                await pilot.press(key)
            assert ours.text == plain.text
            assert rows(ours) == rows(plain), key
        await pilot.resize_terminal(34, 20)
        await pilot.pause()
        assert rows(ours) == rows(plain)


async def test_rows_that_a_key_does_not_touch_are_not_painted_again() -> None:
    app = Both()
    async with app.run_test(size=(50, 30)) as pilot:
        ours = app.query_one("#ours", ProseArea)
        ours.load_text(TEXT)
        ours.focus()
        await pilot.press("a")
        before = [ours.render_line(y) for y in range(2, ours.size.height)]
        await pilot.press("b")
        assert all(ours.render_line(y) is row for y, row in enumerate(before, 2))


async def test_what_would_reorder_or_hide_text_is_not_painted_and_stays_in_the_text() -> None:
    app = Both()
    text = "pay \u202eevil\u202c now\u200b, \u2066left\u2069 and \ufeffright\nnext\u061c line\n"
    async with app.run_test(size=(50, 30)) as pilot:
        ours = app.query_one("#ours", ProseArea)
        ours.load_text(text)
        ours.focus()
        for key in ("down", "up", "end"):
            await pilot.press(key)
            painted = rows(ours)
            assert painted[0].rstrip() == "pay evil now, left and right"
            assert painted[1].rstrip() == "next line"
        assert ours.text == text
