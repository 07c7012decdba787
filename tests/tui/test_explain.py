"""Why it fires, and what a compaction lost, over the screen; what is odd in the whole session."""

from __future__ import annotations

import pytest

from tests.tui.opening import SAMPLES, opened
from workbench.tui.screens.found_text import FoundText
from workbench.tui.screens.session import SessionScreen

pytestmark = pytest.mark.long


async def test_at_a_compaction_it_fires_and_the_guards_are_listed() -> None:
    async with opened(SAMPLES / "02-two-auto-compactions.jsonl", "b", "E", size=(120, 50)) as shown:
        said = "\n".join(shown.picture)
        assert "Before boundary 1, line 150" in said
        assert "Fires: 167,591 tokens in context have reached the threshold of 167,000." in said
        assert "context 167,591 estimated: prompt 165,757 + output" in said
        assert "breaker open" in said and "below threshold" in said
        assert "nothing odd about its compactions" in said


async def test_at_the_end_of_a_session_that_thrashed_it_is_stopped_and_the_findings_follow() -> None:
    async with opened(SAMPLES / "10-thrash.jsonl", "E", size=(120, 70)) as shown:
        said = "\n".join(shown.picture)
        assert "The end" in said and "Does not fire: Thrash: 3 times in a row" in said
        assert "no-gain" in said and "lines 50, 69, 82" in said


async def test_it_may_be_left_before_it_has_come() -> None:
    async with opened(SAMPLES / "11-long.jsonl") as shown:
        await shown.type("E", "escape")
        assert isinstance(shown.pilot.app.screen, SessionScreen)
        await shown.press("E")
        assert isinstance(shown.pilot.app.screen, FoundText)
        await shown.press("q")
        assert isinstance(shown.pilot.app.screen, SessionScreen)


async def test_what_a_compaction_lost_is_told_class_by_class() -> None:
    async with opened(SAMPLES / "02-two-auto-compactions.jsonl", "b", "L", size=(120, 70)) as shown:
        said = "\n".join(shown.picture)
        assert "Compaction 1 of 2" in said and "line 150, auto" in said
        assert "rule, line 14: Plain for loops, I have to debug this at sea." in said
        assert "1 of 1" in said and "analysis-left" in said


async def test_without_a_compaction_there_is_a_reason_instead() -> None:
    async with opened(SAMPLES / "01-plain-short.jsonl", "L") as shown:
        assert isinstance(shown.pilot.app.screen, SessionScreen)
        assert "This session has no compaction." in shown.told
