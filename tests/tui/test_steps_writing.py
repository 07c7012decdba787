"""The compacted session leaves the screen as a file, and what the user wrote is not lost without a question."""

from __future__ import annotations

import shutil
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.widgets import Input, TextArea

from tests.tui.opening import SAMPLES, Shown, opened
from tests.tui.test_steps import choose, status, steps
from workbench.compaction.ground import Ground
from workbench.evidence.grounding import ground_at
from workbench.storage import load
from workbench.tui.panes import steps_job
from workbench.tui.screens.agree import Agree
from workbench.tui.screens.commands import Commands
from workbench.tui.screens.edit_text import EditText
from workbench.tui.screens.session import SessionScreen

pytestmark = pytest.mark.long

LOOKS = 50


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return Path(shutil.copy(SAMPLES / "02-two-auto-compactions.jsonl", tmp_path / "talk.jsonl"))


async def edit(shown: Shown, words: str) -> None:
    """Replaces the summary."""
    await shown.press("e")
    assert isinstance(shown.pilot.app.screen, EditText)
    shown.pilot.app.screen.query_one(TextArea).load_text(words)
    await shown.press("ctrl+s")
    assert "summary edited" in status(shown)


async def write_to(shown: Shown, path: Path) -> None:
    await shown.press("x")
    shown.pilot.app.screen.query_one(Input).value = str(path)
    await shown.press("enter")


async def test_the_edited_compaction_is_written_and_resumes_with_the_summary(session: Path, tmp_path: Path) -> None:
    before, out = session.read_bytes(), tmp_path / "out.jsonl"
    async with opened(session, "b", "5", "c") as shown:
        await edit(shown, "Only this is remembered.")
        await write_to(shown, out)
        assert any(f"{out} is written; read back, it loads 1 message." in words for words in shown.told)
    assert session.read_bytes() == before
    again = load(str(out))
    texts = [b.body["text"] for row in again.rows(again.chain.places) for b in row.blocks if b.body and b.kind == "text"]
    assert any("Only this is remembered." in text for text in texts)
    assert again.chain.boundary is not None


async def test_the_offered_path_stands_beside_the_session_and_what_is_there_is_asked_about(session: Path) -> None:
    async with opened(session, "5", "v") as shown:
        await shown.press("escape")
        await shown.press("x")
        assert "There is no compacted session yet: c goes on to the end." in shown.told
    async with opened(session, "b", "5", "c", "x") as shown:
        offered = Path(shown.pilot.app.screen.query_one(Input).value)
        assert offered == session.with_name("talk.compacted.jsonl")
        offered.write_text("mine")
        await shown.press("enter")
        assert isinstance(shown.pilot.app.screen, Agree)
        await shown.press("n")
        assert offered.read_text() == "mine"


async def test_never_over_the_session_itself(session: Path) -> None:
    before = session.read_bytes()
    async with opened(session, "b", "5", "c") as shown:
        await write_to(shown, session)
        assert any("is the file that was opened" in words for words in shown.told)
    assert session.read_bytes() == before


async def test_a_session_that_grew_meanwhile_is_not_written(session: Path, tmp_path: Path) -> None:
    async with opened(session, "b", "5", "c") as shown:
        with session.open("ab") as file:
            file.write(session.read_bytes().splitlines(keepends=True)[-1])
        await write_to(shown, tmp_path / "out.jsonl")
        assert not (tmp_path / "out.jsonl").exists()
        assert any("changed since" in words for words in shown.told)


@pytest.mark.parametrize("key", ["q", "o", "R", "full_stop"])
async def test_an_edited_summary_is_asked_about_before_it_is_lost(key: str, session: Path) -> None:
    async with opened(session, "b", "5", "c") as shown:
        await edit(shown, "Mine.")
        await shown.press(key)
        assert isinstance(shown.pilot.app.screen, Agree)
        await shown.press("n")
        assert isinstance(shown.pilot.app.screen, SessionScreen)
        assert "summary edited" in status(shown)


async def test_another_plan_asks_too_and_with_yes_the_model_s_summary_is_back(session: Path) -> None:
    async with opened(session, "b", "5", "c") as shown:
        await edit(shown, "Mine.")
        await shown.press("v")
        await choose(shown, "trigger")
        await shown.press("right", "ctrl+s")
        assert isinstance(shown.pilot.app.screen, Agree)
        await shown.press("y")
        assert "summary edited" not in status(shown)


async def test_once_it_is_written_nobody_is_asked(session: Path, tmp_path: Path) -> None:
    async with opened(session, "b", "5", "c") as shown:
        await edit(shown, "Mine.")
        await write_to(shown, tmp_path / "out.jsonl")
        assert not steps(shown).is_edited
        await shown.press("R")
        assert isinstance(shown.pilot.app.screen, SessionScreen)


async def test_the_request_can_be_read_after_the_run_too(session: Path) -> None:
    async with opened(session, "b", "5", "c", "Q") as shown:
        assert any("The request as it goes out" in line for line in shown.picture)


async def test_nothing_over_the_session_leads_out_past_the_question(session: Path) -> None:
    async with opened(session, "b", "5", "c") as shown:
        await edit(shown, "Mine.")
        await shown.press("E", "ctrl+p")
        assert not isinstance(shown.pilot.app.screen, Commands)
        await shown.pilot.app.action_quit()
        await shown.settle()
        assert isinstance(shown.pilot.app.screen, Agree)
        await shown.press("n", "escape")
        assert shown.pilot.app.return_code is None and steps(shown).is_edited


async def until_compacted(shown: Shown) -> None:
    """A key that waits runs behind the next refresh: looks until it has."""
    for _ in range(LOOKS):
        await shown.settle()
        if status(shown).startswith(" compacted  "):
            return


async def test_a_key_typed_while_the_ground_is_drawn_waits_for_it(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Event()

    def slowly(*given: Any, **named: Any) -> Ground:
        assert drawn.wait(10)
        return ground_at(*given, **named)

    monkeypatch.setattr(steps_job, "ground_at", slowly)
    async with opened(session, "b") as shown:
        shown.screen.run_command("tab.steps")
        while shown.screen.workspace.steps is None:
            await shown.pilot.pause()
        shown.send("c")
        await shown.pilot.pause()
        drawn.set()
        await until_compacted(shown)
        assert not [words for words in shown.told if "being read" in words]
        assert status(shown).startswith(" compacted  ")


async def test_a_key_of_a_tab_reaches_it_while_the_focus_is_still_in_the_tab_that_was_left(session: Path) -> None:
    async with opened(session, "b") as shown:
        shown.screen.run_command("tab.steps")
        shown.send("c")
        await until_compacted(shown)
        assert status(shown).startswith(" compacted  ")
