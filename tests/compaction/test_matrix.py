"""`workbench compact` on every session, every variant, both profiles: no traceback, and outcome, reason and totals that agree.

Of the real sessions a fixed few in the default run, all of them with WORKBENCH_FULL=1; likewise of the rows to cut at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.compaction.running import SAMPLES, check, ground_from, run_at, settings_for, well
from tests.conftest import FULL
from workbench.cli import main
from workbench.compaction.profiles import ARTICLES, OBSERVED
from workbench.compaction.variants import FROM, UP_TO, VARIANTS
from workbench.storage import load
from workbench.transcript.session import Session

PROFILES = (ARTICLES, OBSERVED)
ENDS = {"compacted": 0, "skipped": 1, "failed": 1}
SOME_REAL = ("02-v2.1.20", "05-v2.1.29", "10-v2.1.39.agent-a2898e3", "11-auto-restores-files", "14-reactive", "16-breaker")
REAL = (
    *("01-v2.1.7", "02-v2.1.20", "03-v2.1.17", "04-v2.1.25", "05-v2.1.29", "06-v2.1.32", "07-v2.1.33", "08-v2.1.5"),
    *("09-v2.1.49", "10-v2.1.39", "10-v2.1.39.agent-a2898e3", "11-auto-restores-files", "12-thrash", "13-manual-then-on"),
    *("14-reactive", "15-summary-request-too-long", "16-breaker"),
)
WANTED = REAL if FULL else SOME_REAL


def real(shared: Path, name: str) -> Path:
    return next(iter(shared.glob(f"real*/{name}.jsonl")))


def pivot_line(session: Session, line: int | None) -> int:
    """The line of a row in the middle of the array."""
    chain = session.chain if line is None else session.chain_at(line)
    said = [session.index.lines[p] for p in chain.places if session.index.kind(p) in ("user", "assistant")]
    return said[len(said) // 2]


def commands(path: Path) -> Iterator[list[str]]:
    """A command line for every variant and profile: at the end, and at each boundary with the summary recorded there."""
    session = load(str(path))
    for line in (None, *(b.line for b in session.boundaries)):
        at = [] if line is None else ["--at", str(line), "--summarizer", "recorded"]
        for variant in VARIANTS:
            pivot = ["--pivot", str(pivot_line(session, line))] if variant in (FROM, UP_TO) else []
            for profile in PROFILES:
                yield ["compact", str(path), "--variant", variant, "--profile", profile, "--settings", "none", *at, *pivot]


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    """The exit code, and the one JSON object on stdout."""
    code = main([*arguments, "--json"])
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    answer: dict[str, Any] = json.loads(printed.out)
    return code, answer


def agrees(code: int, answer: dict[str, Any]) -> None:
    stages, result = answer["stages"], answer["result"]
    assert code == ENDS[answer["outcome"]]
    assert answer["reason"]
    assert all(earlier["tokens_after"] == later["tokens_before"] for earlier, later in pairwise(stages))
    assert sum(m["tokens"] for m in result["messages"]) == result["tokens"]
    is_known = answer["overhead"]["tokens"] is not None
    assert result["context"] == (stages[-1]["tokens_after"] if is_known else None)
    assert [m["index"] for m in result["messages"]] == list(range(len(result["messages"])))
    assert result["faults"] == [] and not any(s["faults"] for s in stages)
    assert all(s["reason"] for s in stages)
    assert all(s["outcome"] in ("ok", "skipped", "stopped", "failed") for s in stages)
    assert all(left["reason"] for left in answer["left_out"])
    if answer["outcome"] == "compacted" and answer["summary"] is not None:
        assert answer["boundary"]["post_tokens"] == result["tokens"]
        assert result["messages"][0] == {"index": 0, "role": "system", "kinds": ["boundary"], "tokens": 0, "lines": []}
    else:
        assert answer["boundary"] is None


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_every_variant_on_every_sample(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in commands(path):
        agrees(*told(capsys, *command))


@pytest.mark.parametrize("name", WANTED)
def test_every_variant_on_the_real_sessions(shared: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in commands(real(shared, name)):
        agrees(*told(capsys, *command))


def test_every_variant_on_the_cases(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted(shared.glob("cases/*.jsonl")):
        for command in commands(path):
            agrees(*told(capsys, *command))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_the_same_command_twice_prints_the_same(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for variant in ("full", "session-memory", "reactive", "fold"):
        for form in (["--json"], ["--steps"]):
            once, twice = ((main(["compact", str(path), "--variant", variant, *form]), capsys.readouterr().out) for _ in "12")
            assert once == twice
            assert once[1]


@pytest.mark.parametrize("name", WANTED)
def test_wherever_a_real_session_is_cut(shared: Path, name: str) -> None:
    session = load(str(real(shared, name)))
    for line in (None, *(b.line for b in session.boundaries)):
        grounds = [ground_from(session, settings_for("full", profile=profile), line) for profile in PROFILES]
        places = [at for at, row in enumerate(grounds[0].rows) if row.uuid]
        for at in places[:: 1 if FULL else max(1, len(places) // 4)]:
            pivot, which = grounds[0].rows[at].uuid, at % 2
            for variant in (FROM, UP_TO):
                check(run_at(session, variant, profile=PROFILES[which], pivot=pivot, ask=well, ground=grounds[which]))
            check(run_at(session, "full", pins=(pivot,), ask=well, ground=grounds[which]))
