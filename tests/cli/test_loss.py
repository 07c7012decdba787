"""`loss`: the contract of spec 5, as JSON and in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.cli import main

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
Captured = pytest.CaptureFixture[str]


def sample(number: str) -> str:
    return str(next(SAMPLES.glob(f"{number}-*.jsonl")))


def test_the_contract(capsys: Captured) -> None:
    assert main(["loss", sample("02"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["boundaries"]
    assert [b["line"] for b in found] == [150, 285]
    for each in found:
        assert set(each) == {"line", "items", "retention", "unsupported", "lint", "afterwards"}
        assert all(set(i) == {"class", "risk", "text", "line", "fate", "sentence", "evidence"} for i in each["items"])
        assert all(set(counts) == {"kept", "total"} for counts in each["retention"].values())
    assert any(sign["kind"] == "read-again" for sign in found[0]["afterwards"])


def test_one_compaction_by_its_number(capsys: Captured) -> None:
    assert main(["loss", sample("02"), "--boundary", "2", "--json"]) == 0
    assert [b["line"] for b in json.loads(capsys.readouterr().out)["boundaries"]] == [285]
    assert main(["loss", sample("02"), "--boundary", "3"]) == 2
    assert "There is no compaction 3: this session has 2." in capsys.readouterr().err


def test_words_tell_high_risk_and_what_is_gone_in_full(capsys: Captured) -> None:
    assert main(["loss", sample("02"), "--boundary", "1"]) == 0
    said = capsys.readouterr().out
    assert "summary     rule, line 14: Plain for loops, I have to debug this at sea." in said
    assert "gone        error, line 19: " in said
    assert "read-again: 15 more files" in said


def test_without_a_compaction_nothing_was_lost(capsys: Captured) -> None:
    assert main(["loss", sample("01")]) == 0
    assert capsys.readouterr().out == "This session has no compaction: nothing was lost to one.\n"
