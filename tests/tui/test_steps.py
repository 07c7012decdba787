"""The Steps tab as a user goes through it: stage by stage, to a breakpoint, with another plan, with an edited summary."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from rich.cells import cell_len
from textual.widgets import Input, TextArea

from tests.tui.opening import SAMPLES, Shown, opened
from workbench.compaction.request import CANCELLED, Reply
from workbench.compaction.stages import table
from workbench.summarizers import claude
from workbench.tui.painting.numbers import short
from workbench.tui.screens.agree import Agree
from workbench.tui.screens.edit_text import EditText
from workbench.tui.screens.plan_form import PlanForm
from workbench.tui.screens.read_text import ReadText
from workbench.workspace.steps import Steps

pytestmark = pytest.mark.long

TWO = SAMPLES / "02-two-auto-compactions.jsonl"
NOTES = SAMPLES / "07-session-notes.jsonl"


def steps(shown: Shown) -> Steps:
    found = shown.screen.workspace.steps
    assert found is not None
    return found


def flow(shown: Shown) -> list[str]:
    return [line for line in shown.lines("#steps-flow") if line.strip()]


def page(shown: Shown) -> str:
    return "\n".join(shown.lines("#steps-page"))


def status(shown: Shown) -> str:
    return shown.lines("#steps-status")[0]


async def choose(shown: Shown, name: str) -> PlanForm:
    """The plan form with a field under the cursor."""
    form = shown.pilot.app.screen
    assert isinstance(form, PlanForm)
    while form.field is None or form.field.name != name:
        await shown.pilot.press("down")
    return form


def axis(shown: Shown) -> str:
    return shown.lines("#timeline")[-1]


async def test_a_compaction_from_its_boundary_to_the_end() -> None:
    async with opened(TWO, "b", "5") as shown:
        assert "▶ 1 measure is next" in status(shown)
        assert "boundary 1, line " in status(shown)
        await shown.press("n", "n", "n")
        assert "Fires: " in page(shown) and "threshold" in page(shown)
        assert [line.split()[0] for line in flow(shown)[:4]] == ["●", "○", "●", "▶"]
        await shown.press("c")
        assert status(shown).startswith(" compacted  ")
        assert steps(shown).run.outcome == "compacted"  # type: ignore[union-attr]
        expected = steps(shown).next_call
        assert expected is not None and expected.tokens is not None
        recorded = steps(shown).opened.inspection.boundaries[0].first_call_after  # type: ignore[union-attr]
        assert abs(expected.tokens - recorded) < recorded * 0.1, "nearer than bytes/4 can tell"
        assert f"{expected.tokens:,} est. calibrated · {recorded:,} recorded" in status(shown)
        assert f"▼─→ {short(expected.tokens)}" in axis(shown)


async def test_going_back_and_on_computes_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    for name, stage in list(table.STAGES.items()):

        def do(*given: object, stage: table.Stage = stage) -> object:
            counts[stage.name] += 1
            return stage.do(*given)  # type: ignore[arg-type]

        monkeypatch.setitem(table.STAGES, name, replace(stage, do=do))  # type: ignore[arg-type]
    async with opened(TWO, "b", "5", "c") as shown:
        before = Counter(counts)
        results = steps(shown).run.results  # type: ignore[union-attr]
        await shown.pilot.press(*"pppp", *"nnn", *"pp")
        await shown.press("c")
        assert counts == before
        assert steps(shown).run.results == results  # type: ignore[union-attr]


async def test_choosing_a_boundary_editing_the_summary_and_seeing_the_new_result() -> None:
    async with opened(TWO, "b", "b", "5", "c") as shown:
        before = steps(shown).run
        await shown.press("e")
        assert isinstance(shown.pilot.app.screen, EditText)
        area = shown.pilot.app.screen.query_one(TextArea)
        assert area.text.startswith("Summary:")
        area.text = "Only this is left."
        await shown.press("ctrl+s")
        after = steps(shown).run
        assert before is not None and after is not None
        assert after.outcome == "compacted" and after.work.summary == "Only this is left."
        clean = [r.name for r in after.results].index("clean")
        assert all(one is other for one, other in zip(after.results[:clean], before.results[:clean], strict=True))
        assert after.results[-1].tokens_after < before.results[-1].tokens_after
        await shown.pilot.press(*["up"] * (len(after.results) - clean - 1))
        assert "Edited by the user." in page(shown)
        await shown.press("e")
        assert shown.pilot.app.screen.query_one(TextArea).text == "Only this is left."


async def test_an_editor_is_not_left_with_changes_by_one_key() -> None:
    async with opened(TWO, "b", "5", "c", "e") as shown:
        shown.pilot.app.screen.query_one(TextArea).text = "changed"
        await shown.settle()
        await shown.press("escape")
        assert isinstance(shown.pilot.app.screen, EditText)
        assert any("again to drop the changes" in line for line in shown.picture)
        await shown.press("escape")
        assert steps(shown).run.work.summary != "changed"  # type: ignore[union-attr]


async def test_a_breakpoint_stops_and_is_seen() -> None:
    async with opened(TWO, "b", "5", "down", "down", "b") as shown:
        assert flow(shown)[2].startswith("◉")
        assert "◉ decide" in status(shown)
        await shown.press("c")
        assert "▶ 3 decide is next" in status(shown) and "Breakpoint: decide comes next." in status(shown)
        await shown.press("c")
        assert status(shown).startswith(" compacted")


async def test_breakpoints_at_tokens_are_typed() -> None:
    async with opened(TWO, "b", "5", "B") as shown:
        shown.pilot.app.screen.query_one(Input).value = "tokens<=100000, fault"
        await shown.press("enter")
        assert steps(shown).breakpoints == {"tokens<=100000", "fault"}
        await shown.press("c")
        assert "▶ 9 restore is next" in status(shown)
        await shown.press("B")
        shown.pilot.app.screen.query_one(Input).value = "tokens<=soon"
        await shown.press("enter")
        assert "is no breakpoint" in shown.told[-1]


async def test_another_variant_by_the_form() -> None:
    async with opened(TWO, "b", "5", "c", "v") as shown:
        assert isinstance(shown.pilot.app.screen, PlanForm)
        await shown.press("right", "right", "ctrl+s")
        assert steps(shown).wish.variant == "full"
        assert status(shown).startswith(" compacted") and "variant full by hand" in status(shown)
        assert any("session memory" in line and "the variant full" in line for line in flow(shown))


async def test_a_setting_that_does_not_count_says_so_in_the_form() -> None:
    async with opened(TWO, "5", "v", size=(120, 60)) as shown:
        form = await choose(shown, "summaryReserve")
        await shown.press("enter")
        form.query_one(Input).value = "many"
        await shown.press("enter")
        assert any("summaryReserve: 'many' is not a number; it stays 20,000." in line for line in shown.picture)
        form.query_one(Input).value = "32k"
        await shown.press("enter", "ctrl+s")
        assert steps(shown).wish.edits == (("summaryReserve", "32k"),)
        assert "settings 1 changed" in status(shown)
        assert "155,000" in page(shown), "the ladder has come down"


async def test_cutting_at_the_selected_message() -> None:
    async with opened(TWO, "b", "5", "n") as shown:
        await shown.press("tab", "tab")
        assert shown.focused == "steps-arrays"
        await shown.pilot.press(*["pageup"] * 3)
        await shown.press("m")
        assert isinstance(shown.pilot.app.screen, PlanForm)
        await shown.press("ctrl+s", "c")
        run = steps(shown).run
        assert run is not None and run.plan.variant == "up-to" and run.outcome == "compacted"
        assert run.work.kept and run.work.kept[0].uuid


async def test_a_plan_that_does_not_fit_is_told_and_can_be_mended() -> None:
    async with opened(TWO, "5", "v") as shown:
        await shown.pilot.press(*["left"] * 5)
        await shown.press("ctrl+s")
        assert steps(shown).wish.variant == "up-to"
        assert "cuts at a message: select one and press m" in status(shown)
        await shown.press("v", "left", "left", "ctrl+s")
        assert steps(shown).wish.variant == "full" and "measure is next" in status(shown)


async def test_the_message_takes_the_place_of_the_explanation_and_gives_it_back() -> None:
    async with opened(TWO, "b", "5", "n", "tab", "tab") as shown:
        titles = shown.titles("steps")
        assert titles[1].startswith(" message ")
        await shown.press("escape")
        assert shown.titles("steps")[1].startswith(" measure")
        assert shown.focused == "steps-flow"


async def test_in_a_wide_terminal_both_are_seen() -> None:
    async with opened(TWO, "b", "5", "n", size=(200, 60)) as shown:
        await shown.press("tab", "tab")
        titles = shown.titles("steps")
        assert titles[1].startswith(" measure") and titles[3].startswith(" message ")


async def test_only_what_differs() -> None:
    async with opened(TWO, "b", "5", "c") as shown:
        await shown.pilot.press(*"pppp")
        await shown.press("d")
        lines = [line for line in shown.lines("#steps-arrays")[1:] if line.strip()]
        assert lines[0].strip().startswith("⋯ 1 message as before") and all(line.startswith("+") for line in lines[1:])


async def test_the_request_before_it_goes_out() -> None:
    async with opened(TWO, "b", "5", "Q") as shown:
        assert "There is no request yet" in shown.told[-1]
        await shown.pilot.press(*["down"] * 6)
        await shown.press("b", "c", "Q")
        assert isinstance(shown.pilot.app.screen, ReadText)
        assert any("summary (same prefix, so that the cache hits)" in line for line in shown.picture)
        await shown.press("f")
        assert any('"max_tokens": 20000' in line for line in shown.picture)
        await shown.press("escape")
        assert steps(shown).run.next == "ask"  # type: ignore[union-attr]


async def test_the_state_at_the_point() -> None:
    async with opened(NOTES, "5", "s", size=(120, 60)) as shown:
        text = "\n".join(shown.picture)
        for words in ("breaker", "Closed: 0 of 3", "session-memory/summary.md", "files read or written", "project instructions"):
            assert words in text


async def test_notes_make_the_keep_window_a_picture() -> None:
    async with opened(NOTES, "5", "v", "right", "ctrl+s", "c", size=(160, 48)) as shown:
        await shown.pilot.press(*["up"] * 9)
        assert "keep window" in page(shown) and "not in the notes" in page(shown)
        assert sum("no model is asked" in line or "the notes stand in" in line for line in flow(shown)) == 4
        await shown.settle()
        await shown.press("e")
        assert "The notes stand in for a summary here" in shown.told[-1]


async def test_it_starts_where_the_timeline_stands() -> None:
    async with opened(TWO) as shown:
        await shown.pilot.press("t", "home", *["right"] * 4)
        await shown.press("5")
        assert "before call 5, line " in status(shown)
        await shown.press("n", "n", "n")
        assert "Does not fire" in page(shown)
        assert status(shown).startswith(" skipped")
        await shown.press("n")
        assert "The run is over: skipped" in shown.told[-1]
        await shown.press("b", "t", "end", "5", "full_stop")
        assert "at the end" in status(shown)


async def test_claude_is_asked_only_after_the_cost_was_agreed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def ask(self: claude.ClaudeSummarizer, request: object, on_text: object, *_: object) -> Reply:
        asked.append(self.model)
        on_text("1. Primary")  # type: ignore[operator]
        return Reply(text="<summary>From the model.</summary>", source="claude")

    monkeypatch.setattr(claude.ClaudeSummarizer, "ask", ask)
    async with opened(TWO, "b", "5", "v") as shown:
        await choose(shown, "summarizer")
        await shown.press("left", "ctrl+s", "c")
        assert isinstance(shown.pilot.app.screen, Agree)
        assert any("Send the conversation to the Messages API" in line for line in shown.picture)
        assert any("$" in line for line in shown.picture)
        await shown.press("n")
        assert not asked and "waits for an answer" in status(shown)
        await shown.press("c", "y")
        assert len(asked) == 1
        assert steps(shown).run.work.summary == "Summary:\nFrom the model."  # type: ignore[union-attr]


async def test_esc_stops_a_model_and_it_can_be_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[str] = []
    began = Event()

    def ask(_self: object, _request: object, on_text: Callable[[str], None], cancelled: Callable[[], bool], *_: object) -> Reply:
        if answers:
            return Reply(text=f"<summary>{answers[-1]}</summary>")
        on_text("1. Primary Request and Intent")
        began.set()
        while not cancelled():
            Event().wait(0.01)
        return Reply(CANCELLED)

    monkeypatch.setattr(claude.ClaudeSummarizer, "ask", ask)
    async with opened(TWO, "b", "5", "v") as shown:
        await choose(shown, "summarizer")
        await shown.press("left", "ctrl+s", "c")
        await shown.pilot.press("y")
        while not began.is_set():
            await shown.pilot.pause()
        await shown.pilot.pause()
        assert "the model is answering… Esc stops" in status(shown)
        assert "1. Primary Request and Intent" in page(shown)
        await shown.pilot.press("n")
        assert "Not while something is computed" in shown.told[-1]
        await shown.press("escape")
        assert "Stopped; nothing was changed" in status(shown)
        assert steps(shown).run.next == "ask"  # type: ignore[union-attr]
        answers.append("At last.")
        await shown.press("c", "y")
        assert steps(shown).run.work.summary == "Summary:\nAt last."  # type: ignore[union-attr]


async def test_a_named_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    async with opened(TWO, "b", "5", "v") as shown:
        form = await choose(shown, "summarizer")
        await shown.press("enter")
        form.query_one(Input).value = f"file:{tmp_path / 'none.md'}"
        await shown.press("enter", "ctrl+s", "c")
        assert status(shown).startswith(" failed")
        assert "Cannot read" in page(shown) or "none.md" in page(shown)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_every_line_fits_its_terminal(size: tuple[int, int]) -> None:
    async with opened(TWO, "b", "5", "c", size=size) as shown:
        for _ in range(13):
            await shown.pilot.press("up")
            assert {cell_len(line) for line in shown.picture} == {size[0]}


async def test_the_footer_offers_no_key_twice() -> None:
    async with opened(TWO, "5", size=(200, 60)) as shown:
        foot = shown.lines("#foot")[0]
        assert "next" in foot and "edit summary" in foot and "estimator" not in foot
