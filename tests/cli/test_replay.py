"""`replay`: the contract of spec 5, as JSON and in words; exit 1 where a boundary differs."""

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
    assert main(["replay", sample("12"), "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["boundaries"]
    assert {"line", "trigger", "version", "recorded", "simulated", "differences"} <= set(found)
    assert {"pre_tokens", "post_tokens", "next_call", "kept", "attachments"} <= set(found["recorded"])
    assert {"tokens_before", "fires_calls_early", "tokens_after", "kept", "attachments"} <= set(found["simulated"])
    assert found["differences"] and all(set(d) == {"what", "tokens", "explanation"} for d in found["differences"])
    assert (found["line"], found["trigger"], found["simulated"]["fires_calls_early"]) == (38, "auto", None)


def test_what_agrees_is_exit_0_and_says_so(capsys: Captured) -> None:
    assert main(["replay", sample("02")]) == 0
    said = capsys.readouterr().out
    assert said.count("the same, within what can be estimated") == 2
    assert "boundary 1, line 150: auto, version 2.1.34; simulated as auto" in said
    attachments = next(line.split() for line in said.splitlines() if "attachments" in line)
    assert attachments == ["attachments", "-", "5"], "not recorded is not 0"


def test_without_a_compaction_that_is_said(capsys: Captured) -> None:
    assert main(["replay", sample("01")]) == 0
    assert capsys.readouterr().out == "This session has no compaction to replay.\n"
