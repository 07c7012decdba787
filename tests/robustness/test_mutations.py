"""Whatever happened to a file, `inspect` and `export` answer with JSON or one sentence: exit 0 or 2, never a traceback."""

import json
from pathlib import Path

import pytest

from tests.robustness.mutations import mutations
from workbench.cli import main

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
SMALL = ("01-plain-short.jsonl", "05-parallel-calls.jsonl", "06-orphans.jsonl", "09-damage.jsonl")
EACH = 500  # times four samples: two thousand


@pytest.mark.parametrize("name", SMALL)
def test_inspect_never_tracebacks(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "damaged.jsonl"
    for number, content in enumerate(mutations((SAMPLES / name).read_bytes(), EACH, seed=7)):
        target.write_bytes(content)
        code = main(["inspect", str(target), "--json", "--settings", "none"])
        said = capsys.readouterr()
        assert code in (0, 2), f"mutation {number}: exit {code}: {said.err[-300:]}"
        if code == 0:
            assert json.loads(said.out)["file"]["bytes"] == len(content)
        else:
            assert said.err.startswith("workbench: ") and said.err.count("\n") == 1, said.err


@pytest.mark.parametrize("name", SMALL)
def test_what_is_sent_of_a_damaged_file_has_no_open_call(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "damaged.jsonl"
    for number, content in enumerate(mutations((SAMPLES / name).read_bytes(), EACH // 4, seed=11)):
        target.write_bytes(content)
        code = main(["export", str(target), "--as", "messages", "-o", "-", "--settings", "none"])
        said = capsys.readouterr()
        assert code in (0, 2), f"mutation {number}: exit {code}: {said.err[-300:]}"
        if code == 0:
            messages = json.loads(said.out)["messages"]
            calls = [(i, b["id"]) for i, m in enumerate(messages) for b in m["content"] if b.get("type") == "tool_use"]
            for at, call in calls:
                answers = [
                    b for b in messages[at + 1]["content"] if b.get("type") == "tool_result" and b.get("tool_use_id") == call
                ]
                assert len(answers) == 1, f"mutation {number}: {call}"
