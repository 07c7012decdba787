"""`explain`: the contract of spec 5, as JSON and in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
Captured = pytest.CaptureFixture[str]
GUARDS = [
    "compaction off", "breaker open", "recursion", "context agent", "auto-compact off", "reactive mode on", "context collapse on",
    "below threshold",
]  # fmt: skip


def told(arguments: list[str], capsys: Captured) -> str:
    assert main(["explain", *arguments]) == 0
    return capsys.readouterr().out


def sample(number: str) -> str:
    return str(next(SAMPLES.glob(f"{number}-*.jsonl")))


def test_the_contract(capsys: Captured) -> None:
    found: dict[str, Any] = json.loads(told([sample("02"), "--at", "150", "--json"], capsys))
    assert set(found) == {"at", "decision", "reason", "guards", "threshold", "context", "distance", "findings"}
    assert (found["at"], found["decision"], found["threshold"], found["distance"]) == (150, "fires", 167_000, -591)
    assert found["context"]["tokens"] == 167_591 and found["context"]["kind"] == "estimated"
    assert [g["name"] for g in found["guards"]] == GUARDS
    assert all({"name", "value", "holds", "source"} <= set(g) for g in found["guards"])


def test_findings_are_over_the_whole_session_wherever_one_asks(capsys: Captured) -> None:
    end, before = (json.loads(told([sample("10"), *at, "--json"], capsys)) for at in ([], ["--at", "29"]))
    assert end["findings"] == before["findings"]
    assert {f["kind"] for f in end["findings"]} == {"thrash", "no-gain"}
    assert all(f["lines"] and f["reason"].endswith(".") for f in end["findings"])
    assert end["at"] is None and end["decision"] == "does not fire"


def test_words_say_the_decision_first_and_which_guard_made_it(capsys: Captured) -> None:
    said = told([sample("02"), "--set", "DISABLE_AUTO_COMPACT=1"], capsys).splitlines()
    assert said[0].startswith("At the end: does not fire: Automatic compaction is switched off")
    assert [line.split()[2:4] for line in said if line.startswith("→")] == [["auto-compact", "off"]]
    assert said[-1] == "Nothing odd about the compactions of this session."


def test_a_request_has_no_calls_and_still_an_answer(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "request.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "hi"}]}))
    found = json.loads(told([str(path), "--json"], capsys))
    assert found["decision"] == "does not fire" and found["findings"] == []


def test_a_leaf_and_a_line_exclude_each_other(capsys: Captured) -> None:
    assert main(["explain", sample("02"), "--at", "9", "--leaf", "x"]) == 2
    assert "exclude each other" in capsys.readouterr().err
