"""The list of keys, and the way out: what is said can be read whole, whatever the terminal's width."""

from pathlib import Path

import pytest
from rich.text import Text
from textual.widgets import Label

from tests.tui.opening import SAMPLES, opened
from workbench.tui.commands.registry import COMMANDS
from workbench.tui.screens.help import HelpScreen
from workbench.tui.widgets.line_list import LineList

pytestmark = pytest.mark.long

SIZES = [(40, 12), (80, 24), (200, 60)]


@pytest.mark.parametrize("size", SIZES)
async def test_what_a_key_does_is_told_to_its_last_word(size: tuple[int, int]) -> None:
    async with opened(SAMPLES / "01-plain-short.jsonl", "question_mark", size=size) as shown:
        screen = shown.pilot.app.screen
        assert isinstance(screen, HelpScreen)
        rows = screen.query_one(LineList)
        lines = [rows.source.line(i, 0) for i in range(len(rows.source))]
        assert all(isinstance(line, Text) and line.cell_len <= rows.scrollable_content_region.width for line in lines)
        words = " ".join(line.plain[18:].strip() for line in lines if isinstance(line, Text))
        assert not [c.id for c in COMMANDS if c.tooltip() not in words]


async def test_why_there_is_nothing_to_list_is_told_to_its_last_word() -> None:
    keys = ("t", "left_square_bracket", "w")
    async with opened(SAMPLES / "02-two-auto-compactions.jsonl", *keys, size=(60, 24)) as shown:
        label = shown.pilot.app.screen.query_one(Label)
        rows = [label.render_line(y).text.strip() for y in range(label.size.height)]
        assert len(rows) > 1
        assert "b shows before and after" in " ".join(rows)


async def test_ctrl_c_says_how_to_leave() -> None:
    async with opened(SAMPLES / "01-plain-short.jsonl", "ctrl+c") as shown:
        assert shown.told == ["Ctrl+Q leaves the workbench."]


async def test_messages_are_listed_where_a_terminal_is_low() -> None:
    async with opened(SAMPLES / "01-plain-short.jsonl", size=(60, 12)) as shown:
        assert shown.screen.messages.list_of(0).page >= 1
        assert any(line.split()[1:2] == ["assi"] or "assistant" in line for line in shown.lines("#list-0")[1:])


@pytest.mark.parametrize(("tab", "told"), [("1", "characters"), ("2", "characters"), ("7", "lines")])
async def test_what_is_copied_is_told(tab: str, told: str) -> None:
    async with opened(SAMPLES / "06-orphans.jsonl", tab, "y") as shown:
        assert shown.told[-1].endswith(f" {told} copied to the clipboard.")


async def test_a_picture_is_saved_where_the_workbench_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(SAMPLES / "01-plain-short.jsonl", "ctrl+s") as shown:
        await shown.settle()
        assert [path.suffix for path in tmp_path.iterdir()] == [".svg"]


@pytest.mark.parametrize("tab", ["1", "2", "3", "4", "7"])
async def test_every_tab_says_why_a_file_cannot_be_read(tab: str, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    async with opened(tmp_path / "empty.jsonl", tab, size=(120, 36)) as shown:
        assert "empty.jsonl is empty" in "".join(shown.picture)
