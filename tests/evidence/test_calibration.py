"""Real tokens for a rough one: fitted where a session shows enough, else by what its tokenizer usually needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.telling import Told, call, image, result, text, with_steps
from workbench.conversation.block import read_block, text_block
from workbench.evidence.calibration import (
    LEAST_STEPS,
    MOST_STEPS,
    USUAL,
    Calibration,
    Measured,
    calibrate,
    calibration_of,
    has_new_tokenizer,
    model_of,
    usual,
)
from workbench.storage import MemoryFile, read_index

OLD, NEW = "claude-opus-4-5-20251101", "claude-opus-4-7"


def results(ratio: float, count: int = LEAST_STEPS, rough: int = 1_000) -> list[Measured]:
    return [Measured(round(ratio * rough), {"tool_result": rough})] * count


@pytest.mark.parametrize(
    ("model", "new"),
    [
        ("claude-opus-4-6", False),
        ("claude-opus-4-5-20251101", False),
        ("claude-sonnet-4-20250514", False),
        ("claude-haiku-4-5-20251001", False),
        ("claude-3-5-sonnet-20241022", False),
        ("claude-opus-4-7", True),
        ("claude-sonnet-5", True),
        ("us.anthropic.claude-opus-5-20260601-v1:0", True),
        ("claude-fable-5-2", True),
        ("gpt-9", False),
        ("", False),
        (None, False),
    ],
)
def test_the_newer_tokenizer_is_known_by_the_model(model: str | None, new: bool) -> None:
    assert has_new_tokenizer(model) is new


def test_few_steps_say_nothing_so_the_usual_factors_count() -> None:
    found = calibrate(results(1.9, LEAST_STEPS - 1), OLD)
    assert found.factors == USUAL
    assert (found.steps, found.ratio, found.spread) == (0, None, None)
    assert "Opus 4.5" in found.source and "only 9 steps" in found.source


def test_the_newer_tokenizer_takes_thirty_percent_more() -> None:
    assert usual(NEW).factors == {kind: pytest.approx(f * 1.3, abs=0.001) for kind, f in USUAL.items()}


def test_a_kind_with_steps_of_its_own_gets_their_median() -> None:
    found = calibrate(results(1.5), OLD)
    assert found.factors["tool_result"] == 1.5
    assert found.ratio == 1.5
    assert found.steps == LEAST_STEPS


def test_a_kind_without_steps_is_scaled_like_the_others() -> None:
    found = calibrate(results(1.33 * 1.1), OLD)
    assert found.factors["text"] == pytest.approx(1.1, abs=0.001)
    assert found.factors["tool_use"] == pytest.approx(1.2 * 1.1, abs=0.001)


def test_steps_of_mixed_kinds_fit_one_scale() -> None:
    steps = [Measured(round(1.2 * (500 + 1.2 * 500)), {"text": 500, "tool_use": 500})] * LEAST_STEPS
    assert calibrate(steps, OLD).factors["tool_use"] == pytest.approx(1.2 * 1.2, abs=0.002)


def test_odd_steps_do_not_move_it() -> None:
    odd = [Measured(80_000, {"tool_result": 600}), Measured(5, {"tool_result": 90_000}), Measured(-30_000, {"tool_result": 800})]
    assert calibrate(results(1.4, 21) + odd, OLD).factors["tool_result"] == 1.4


def test_the_spread_tells_how_far_the_steps_agree() -> None:
    steps = [s for ratio in (1.2, 1.3, 1.4, 1.5, 1.6) for s in results(ratio, 4)]
    found = calibrate(steps, OLD)
    assert found.ratio == 1.4
    assert found.spread is not None and found.spread[0] < 1.35 < 1.45 < found.spread[1]
    assert "median 1.40" in found.source


def test_a_block_counts_by_its_kind_and_its_images_by_their_sides() -> None:
    found = Calibration({"text": 1.1, "tool_use": 1.2, "tool_result": 1.5, "thinking": 1.3}, 10, "")
    assert found.calibrated(text_block("x" * 400)) == 110
    assert found.calibrated(text_block("x" * 400, "attachment:file")) == 110
    assert found.calibrated(read_block(result("c1", [image(560, 560), {"type": "text", "text": "x" * 400}]))) == 400 + 150
    assert found.calibrated(read_block({"type": "thinking", "thinking": "x" * 400})) == 130
    assert found.calibrated(read_block({"type": "web_search_tool_result", "content": "x" * 400})) == 150
    assert found.estimator.texts(["x" * 400, ""]) == [110, 0]


def test_a_session_is_fitted_on_its_own_growth() -> None:
    found = calibration_of(with_steps([1_510] * 12).session())
    assert found.steps == 12
    assert found.factors["tool_result"] == pytest.approx(1.5, abs=0.01)


def test_small_steps_prompts_images_and_boundaries_are_left_out() -> None:
    told = with_steps([1_510] * 6)
    told.prompt("x" * 4_000)
    told.reply("p1", 60_000, call("p1c"))
    told.results(result("p1c", [image(800, 800), {"type": "text", "text": "x" * 4_000}]))
    told.reply("p2", 66_000, call("p2c"))
    told.results(result("p2c", "x" * 400))
    told.reply("p3", 66_150, call("p3c"))
    told.results(result("p3c", "x" * 4_000))
    told.boundary(70_000)
    told.reply("p4", 30_000)
    assert "only 6 steps" in calibration_of(told.session()).source


def test_steps_of_another_tokenizer_are_left_out() -> None:
    told = with_steps([1_510] * 12)
    told.reply("n1", 60_000, text("By another model."), model=NEW)
    found = calibration_of(told.session())
    assert found.steps == 0
    assert "Opus 4.7" in found.source


def test_only_the_newest_steps_of_a_long_session_count() -> None:
    told = with_steps([2_500] * 100 + [1_410] * (MOST_STEPS + 5))
    found = calibration_of(told.session())
    assert found.steps == MOST_STEPS
    assert found.factors["tool_result"] == pytest.approx(1.4, abs=0.01)


def test_a_messages_api_request_is_judged_by_the_model_it_names() -> None:
    request = b'{"model": "claude-sonnet-5", "messages": [{"role": "user", "content": "Hello."}]}'
    session = read_index(MemoryFile(request))
    assert model_of(session) == "claude-sonnet-5"
    assert calibration_of(session).factors["text"] == 1.3


def test_a_session_without_calls_has_the_usual_factors() -> None:
    told = Told()
    told.prompt("Hello.")
    assert calibration_of(told.session()).factors == USUAL


def test_real_sessions_of_the_older_tokenizer_lie_where_they_were_measured(shared: Path) -> None:
    fitted = {p.name: calibration_of(read_index(p)) for p in shared.glob("real/*.jsonl")}
    enough = {name: c for name, c in fitted.items() if c.ratio is not None}
    assert len(enough) == 10
    assert all(1.2 < c.ratio < 1.5 for c in enough.values() if c.ratio), {n: c.ratio for n, c in enough.items()}
    assert all(0.9 < c.factors["text"] < 1.25 and 1.3 < c.factors["tool_result"] < 1.75 for c in enough.values())
