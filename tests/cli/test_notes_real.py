"""Real sessions: notes extracted offline hold what the session shows, and compacting from them works or says why not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main
from workbench.memory.offline.facts import ERROR, OK, Facts
from workbench.memory.offline.gather import gather
from workbench.memory.template import SECTIONS
from workbench.storage import load


def sessions(shared: Path) -> Iterator[Path]:
    yield from sorted(p for pattern in ("real/*.jsonl", "real-new/*.jsonl") for p in shared.glob(pattern))


def notes_of(path: Path, out: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["notes", str(path), "--extract", "offline", "-o", str(out), "--json", *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def compacted(path: Path, out: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code = main(["compact", str(path), "--notes", str(out), "--json", *arguments])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert code == (0 if found["outcome"] == "compacted" else 1)
    return found


def expected(facts: Facts) -> set[str]:
    """Sections that the session has something for."""
    wanted = {"Current State", "Worklog"} if facts.turns else set()
    if facts.requests:
        wanted |= {"Session Title", "Task specification"}
    if any(a.is_edit and a.outcome == OK for a in facts.actions):
        wanted |= {"Files and Functions"}
    if any(a.is_command for a in facts.actions):
        wanted |= {"Workflow"}
    if any(a.outcome == ERROR for a in facts.actions):
        wanted |= {"Errors & Corrections"}
    return wanted


def test_ten_sections_within_budget_and_none_empty_that_has_something(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in sessions(shared):
        found = notes_of(path, tmp_path / f"{path.stem}.md", capsys)
        assert [s["title"] for s in found["sections"]] == list(SECTIONS), path.name
        assert not found["over_budget"] and found["tokens"] <= 12_000, path.name
        assert not found["extraction"]["refused"], path.name
        session = load(str(path))
        facts = gather(session.rows(session.chain.places))
        filled = {s["title"] for s in found["sections"] if s["text"]}
        assert expected(facts) <= filled, path.name


def test_compacting_from_them_succeeds_below_the_threshold_or_names_the_reason(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = []
    for path in sessions(shared):
        out = tmp_path / f"{path.stem}.md"
        notes_of(path, out, capsys)
        found = compacted(path, out, capsys, "--variant", "session-memory", "--trigger", "auto")
        threshold = _threshold(path, capsys)
        outcomes.append(found["outcome"])
        if found["outcome"] == "compacted":
            assert threshold is None or found["result"]["context"] < threshold, path.name
            assert found["result"]["faults"] == [], path.name
        else:
            assert found["reason"].startswith(("Not available: ", "From the notes ", "Does not fire: Thrash: ")), path.name
    assert outcomes.count("compacted") > len(outcomes) // 2


def _threshold(path: Path, capsys: pytest.CaptureFixture[str]) -> int | None:
    assert main(["inspect", str(path), "--json"]) == 0
    found: int | None = json.loads(capsys.readouterr().out)["threshold"]["auto"]
    return found


def test_before_each_recorded_boundary_auto_compacts_and_falls_to_full_where_notes_fail(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = []
    for path in sessions(shared):
        for boundary in load(str(path)).boundaries:
            if boundary.trigger != "auto":
                continue
            at = ("--at", str(boundary.line))
            out = tmp_path / f"{path.stem}-{boundary.line}.md"
            notes_of(path, out, capsys, *at)
            named = compacted(path, out, capsys, *at, "--variant", "session-memory", "--trigger", "auto")
            found = compacted(path, out, capsys, *at, "--variant", "auto")
            names = [s["name"] for s in found["stages"]]
            if "session-memory" not in names:  # a guard stopped it, and says which
                assert found["outcome"] == "skipped" and found["reason"].startswith("Does not fire"), path.name
                ways.append("skipped")
                continue
            assert found["outcome"] == "compacted", (path.name, boundary.line, found["reason"])
            assert ("ask" in names) == (named["outcome"] != "compacted"), (path.name, boundary.line)
            assert found["result"]["faults"] == []
            ways.append("full" if "ask" in names else "notes")
    assert len(ways) >= 10 and ways.count("notes") > 0
