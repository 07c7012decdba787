"""Growth between two calls: exact as a whole, put down to the rows between, and honest about what they do not explain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.telling import Told, call, image, result, text, thinking
from workbench.evidence.calibration import Calibration, calibration_of
from workbench.evidence.growth import CLEARED, NOT_RECORDED, PROMPT, Growth, growth
from workbench.storage import MemoryFile, read_index
from workbench.transcript.session import Session


def first_growth(told: Told, calibration: Calibration | None = None) -> Growth:
    session = told.session()
    before, after = session.main_calls[:2]
    found = growth(session, before, after, calibration)
    assert found is not None
    assert sum(p.tokens for p in found.parts) == found.total == after.prompt - before.prompt
    return found


def one_read(prompts: Sequence[int], size: int = 4_000) -> Told:
    """A Read of so many bytes between two calls."""
    told = Told()
    told.prompt("Read it.")
    told.reply("m1", prompts[0], text("I look."), call("c1", file_path="a.py"))
    told.results(result("c1", "x" * size))
    told.reply("m2", prompts[1])
    return told


def test_each_row_gets_its_share_of_what_was_measured() -> None:
    found = first_growth(one_read([20_000, 21_400]))
    assert [(p.row_line, p.kind, p.name, p.rough) for p in found.parts] == [
        (2, "text", "", 2),
        (3, "tool_use", "Read", 6),
        (4, "tool_result", "Read", 1_000),
    ]
    assert found.factor == pytest.approx(1_400 / 1_008)
    assert found.parts[2].factor == pytest.approx(found.factor, abs=0.01)
    assert found.unexplained == 0


def test_parallel_calls_count_with_the_results_of_all() -> None:
    told = Told()
    told.prompt("Read both.")
    first = told.reply("m1", 20_000, call("c1", file_path="a.py"))
    told.reply("m1", 20_000, call("c2", "Grep", pattern="x"))
    told.results(result("c2", "y" * 400))
    told.results(result("c1", "x" * 800), parent=first)  # the tree forks here: each result hangs on its own call
    told.reply("m2", 20_500)
    found = first_growth(told)
    assert [(p.kind, p.name) for p in found.parts] == [
        ("tool_use", "Read"), ("tool_use", "Grep"), ("tool_result", "Grep"), ("tool_result", "Read"),
    ]  # fmt: skip
    assert found.unexplained == 0


def test_a_new_prompt_and_an_attachment_are_told_apart_from_the_reply() -> None:
    told = Told()
    told.prompt("Begin.")
    told.reply("m1", 20_000, text("Done with all of it."))
    told.prompt("Now the next one, please.")
    told.attachment("todo_reminder", content="x" * 300)
    told.reply("m2", 20_100)
    assert [(p.kind, p.name) for p in first_growth(told).parts] == [("text", ""), (PROMPT, ""), ("attachment", "todo_reminder")]


def test_an_image_keeps_what_its_sides_say_and_only_text_is_scaled() -> None:
    told = Told()
    told.prompt("Look.")
    told.reply("m1", 20_000, call("c1", file_path="a.png"))
    told.results(result("c1", [image(1_000, 560), {"type": "text", "text": "x" * 400}]))
    told.reply("m2", 20_880)
    found = first_growth(told)
    assert found.parts[1].rough == 36 * 20 + 100
    assert found.parts[1].tokens == pytest.approx(720 + 100 * 160 / 107, abs=1)
    assert found.factor == pytest.approx(160 / 107)


def test_thinking_without_text_has_what_the_recorded_output_leaves() -> None:
    told = Told()
    told.prompt("Think.")
    told.reply("m1", 20_000, thinking(), text("x" * 400), output=900)
    told.prompt("Go on with it.")
    told.reply("m2", 20_915)
    found = first_growth(told)
    assert [(p.kind, p.rough) for p in found.parts] == [("thinking", None), ("text", 100), (PROMPT, 4)]
    assert found.parts[0].tokens == 800
    assert found.parts[0].factor is None


def test_stored_thinking_is_estimated_like_other_text() -> None:
    told = Told()
    told.prompt("Think.")
    told.reply("m1", 20_000, thinking("x" * 400), text("y" * 400), output=200)
    told.reply("m2", 20_250)
    assert [p.tokens for p in first_growth(told).parts] == [125, 125]


def test_what_no_row_explains_is_named_and_not_spread_over_the_rows() -> None:
    found = first_growth(one_read([20_000, 30_000]))
    assert found.factor is None
    assert found.unexplained == found.parts[-1].tokens > 8_000
    assert found.parts[-1].kind == NOT_RECORDED
    assert found.parts[2].tokens == 1_330  # the usual factor of a result


def test_a_fitted_calibration_tells_what_the_rows_alone_would_be() -> None:
    fitted = Calibration({"text": 1.0, "tool_use": 1.0, "tool_result": 1.5, "thinking": 1.0}, 20, "fitted")
    assert first_growth(one_read([20_000, 30_000]), fitted).parts[2].tokens == 1_500


def test_what_left_the_context_unseen_is_negative() -> None:
    found = first_growth(one_read([60_000, 36_000]))
    assert found.total == -24_000
    assert found.unexplained < -24_000


def test_nothing_between_but_growth_is_all_not_recorded() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, thinking(), output=0)
    told.reply("m2", 27_000)
    found = first_growth(told)
    assert found.unexplained == 7_000


def test_a_recorded_microcompaction_takes_what_the_rows_leave() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 60_000, text("x" * 400))
    told.microcompaction(20_000, "c1", "c2", "c3")
    told.prompt("y" * 400)
    told.reply("m2", 35_200)
    found = first_growth(told)
    assert [(p.kind, p.name, p.rough, p.tokens) for p in found.parts] == [
        ("text", "", 100, 100), (PROMPT, "", 100, 100), (CLEARED, "3 old results", -20_000, -25_000),
    ]  # fmt: skip
    assert found.unexplained == 0


def test_a_microcompaction_does_not_explain_any_loss_whatever() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 160_000, text("x" * 400))
    told.microcompaction(2_000, "c1")
    told.reply("m2", 40_000)
    found = first_growth(told)
    assert [p.tokens for p in found.parts if p.kind == CLEARED] == [-2_660]
    assert found.unexplained == -120_000 - 100 + 2_660


def test_nothing_is_measured_across_a_boundary() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 160_000)
    told.boundary(160_050)
    told.reply("m2", 30_000)
    session = told.session()
    assert growth(session, *session.main_calls) is None


def test_nothing_is_measured_to_a_call_on_another_branch() -> None:
    told = Told()
    begun = told.prompt("Go.")
    told.reply("m1", 20_000)
    told.prompt("Otherwise, then.", parent=begun)
    told.reply("m2", 20_010)
    session = told.session()
    assert growth(session, *session.main_calls) is None


def test_a_missing_parent_is_bridged_as_the_agent_does() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, text("x" * 400))
    told.prompt("y" * 400, parent="not-in-this-file")
    told.reply("m2", 20_300)
    assert [p.tokens for p in first_growth(told).parts] == [150, 150]


def test_sub_agents_and_answers_that_were_never_sent_are_left_out() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, text("x" * 400))
    told.row("user", isSidechain=True, message={"role": "user", "content": "z" * 4_000})
    told.error("API Error: 529 overloaded")
    told.prompt("y" * 400)
    told.reply("m2", 20_300)
    assert [p.tokens for p in first_growth(told).parts] == [150, 150]


def test_only_the_rows_between_are_read() -> None:
    told = one_read([20_000, 21_400])
    for number in range(50):
        told.prompt(f"More of it, {number}.")
        told.reply(f"n{number}", 22_000 + number)
    reader = Counting(told.written())
    session = read_index(reader)
    before, after = session.main_calls[:2]
    reader.asked.clear()
    growth(session, before, after)
    assert len(reader.asked) == 3


class Counting(MemoryFile):
    """Remembers the offsets it was asked for."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content, "counting")
        self.asked: list[int] = []

    def read(self, offset: int, length: int) -> bytes:
        self.asked.append(offset)
        return super().read(offset, length)


@given(
    st.integers(0, 300_000), st.integers(0, 300_000), st.lists(st.integers(0, 5_000), max_size=4), st.integers(0, 5_000),
    st.one_of(st.none(), st.integers(1, 50_000)),
)  # fmt: skip
def test_the_parts_always_add_up(before: int, after: int, sizes: list[int], output: int, saved: int | None) -> None:
    told = Told()
    told.prompt("Go.")
    blocks = [thinking(), *(call(f"c{i}", text="x" * n) for i, n in enumerate(sizes))]
    told.reply("m1", before + 3, *blocks, output=output)
    told.results(*(result(f"c{i}", "y" * n) for i, n in enumerate(sizes)), image(300, 200))
    if saved is not None:
        told.microcompaction(saved, "c0")
    told.reply("m2", after + 3)
    first_growth(told)


def growths(session: Session) -> list[Growth]:
    calibration = calibration_of(session)
    return [g for pair in pairwise(session.main_calls) if (g := growth(session, *pair, calibration)) is not None]


def test_real_growth_adds_up_and_its_rows_explain_nearly_every_step(shared: Path) -> None:
    for path in sorted(shared.glob("real/*.jsonl")):
        found = growths(read_index(path))
        assert all(sum(p.tokens for p in g.parts) == g.total for g in found), path.name
        assert sum(not g.unexplained for g in found) >= 0.9 * len(found), path.name


def test_a_recorded_clearing_explains_the_loss_in_a_real_session(shared: Path) -> None:
    cleared = [p for g in growths(read_index(shared / "real" / "03-v2.1.17.jsonl")) for p in g.parts if p.kind == CLEARED]
    assert [p.name for p in cleared] == ["9 old results", "18 old results"]
    assert all(p.factor is not None and 1.15 < p.factor < 1.4 for p in cleared)
