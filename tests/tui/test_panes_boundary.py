"""The Boundary tab as a user reads it: which compaction, what it gained, its record in full, its summary beside."""

import json
from pathlib import Path

import pytest

from tests.tui.opening import SAMPLES, opened
from workbench.cli import main

TWO = SAMPLES / "02-two-auto-compactions.jsonl"


def inspected(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, list[dict[str, object]]]:
    main(["inspect", str(path), "--json"])
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


async def test_the_last_one_first_then_those_that_b_chooses() -> None:
    async with opened(TWO, "3") as shown:
        assert shown.titles("boundary")[0].startswith(" boundary 2 of 2 (b, B)   auto · line 285   on the active chain")
        await shown.press("b")
        assert shown.titles("boundary")[0].startswith(" boundary 1 of 2")
        assert shown.focused == "boundary-facts"
        await shown.press("B")
        assert shown.titles("boundary")[0].startswith(" boundary 2 of 2")


@pytest.mark.parametrize("name", ["02-two-auto-compactions", "03-manual-kept-rows", "12-reactive"])
async def test_the_numbers_are_those_of_inspect(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = SAMPLES / f"{name}.jsonl"
    told = inspected(path, capsys)["boundaries"][-1]
    async with opened(path, "3", size=(200, 60)) as shown:
        facts = shown.lines("#boundary-facts")
        for label, key in (("before", "pre_tokens"), ("last call before", "last_call_before"), ("next call", "first_call_after")):
            line = next(line for line in facts if line.startswith(f"  {label}  "))
            assert line.removeprefix(f"  {label}").split()[0] == f"{told[key]:,}"


async def test_every_field_of_the_record_stands_there() -> None:
    async with opened(SAMPLES / "03-manual-kept-rows.jsonl", "3", size=(200, 60)) as shown:
        page = shown.screen.query_one("#boundary-facts").document.text  # type: ignore[attr-defined]
        for words in (
            "preservedMessages.uuids",
            "lower bound",
            "kept rows  1 by the list",
            "raw  compactMetadata",
            '"preTokens": 56633',
        ):
            assert words in page


async def test_the_summary_stands_beside_it_where_there_is_room_and_below_where_not() -> None:
    async with opened(TWO, "3") as shown:
        facts, beside = (shown.screen.query_one(f"#boundary-{name}").region for name in ("facts", "beside"))
        assert facts.y == beside.y and facts.right <= beside.x
        assert "This session goes on from an earlier" in shown.lines("#boundary-summary")[0]
    async with opened(TWO, "3", size=(80, 24)) as shown:
        facts, beside = (shown.screen.query_one(f"#boundary-{name}").region for name in ("facts", "beside"))
        assert facts.bottom <= beside.y


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_words_are_not_broken(size: tuple[int, int]) -> None:
    async with opened(TWO, "3", size=size) as shown:
        width = shown.screen.query_one("#boundary-facts").size.width
        page = shown.screen.query_one("#boundary-facts").document.text  # type: ignore[attr-defined]
        assert all(len(line) < width for line in page.split("\n"))


async def test_a_bypassed_boundary_says_which_row_leads_past_it() -> None:
    async with opened(SAMPLES / "09-damage.jsonl", "3") as shown:
        assert "bypassed   gain: none" in shown.titles("boundary")[0]
        assert any("line 25 hangs on line 19" in line for line in shown.lines("#boundary-facts"))


async def test_a_session_without_compaction_says_when_one_would_come() -> None:
    async with opened(SAMPLES / "01-plain-short.jsonl", "3") as shown:
        facts = shown.lines("#boundary-facts")
        assert facts[0] == "This session has no compaction."
        assert facts[1].startswith("One would come at 167,000 tokens")
        await shown.press("enter")
        assert shown.screen.workspace.tab == "boundary"


async def test_microcompactions_are_told_with_the_real_drop() -> None:
    async with opened(SAMPLES / "04-microcompaction.jsonl", "3", size=(200, 60)) as shown:
        page = shown.screen.query_one("#boundary-facts").document.text  # type: ignore[attr-defined]
        assert "26,782 exact" in page and "133,771 → 106,989 between calls" in page


async def test_enter_shows_the_messages_before_and_after() -> None:
    async with opened(TWO, "3", "enter") as shown:
        assert shown.screen.workspace.tab == "messages"
        assert "before 2/2" in shown.lines("#title-0")[0] or "before boundary 2 of 2" in shown.lines("#title-0")[0]


async def test_copy_gives_the_facts_or_the_summary_without_the_line_ends_of_the_screen() -> None:
    async with opened(TWO, "3", "y") as shown:
        assert shown.pilot.app.clipboard.startswith("gain  real")
        shown.screen.query_one("#boundary-summary").focus()
        await shown.press("y")
        assert shown.pilot.app.clipboard == shown.screen.workspace.boundary.summary_text  # type: ignore[union-attr]
