"""`workbench timeline`: the contract of its JSON, and lines that people can read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.builders import boundary, file_of, reply, summary, user, uuid
from tests.evidence.telling import Told, call, result, text
from workbench.cli import main

KEYS = {"index", "line", "message_id", "model", "tokens", "kind", "output", "marks"}


@pytest.fixture
def two_stretches(tmp_path: Path) -> Path:
    """Two calls, a compaction, two calls, and one more compaction."""
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 160_000, call("c1"), output=20)
    told.results(result("c1", "x" * 4_000))
    told.reply("m2", 166_950, text("y" * 4_000), output=2)
    told.boundary(167_950)
    told.reply("m3", 46_694, output=30)
    told.reply("m4", 46_800, output=30, model="claude-opus-4-6")
    told.boundary(46_830, 4_000, trigger="manual")
    path = tmp_path / "told.jsonl"
    path.write_bytes(told.written())
    return path


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["timeline", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def as_text(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["timeline", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_contract(two_stretches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, str(two_stretches))
    assert all(c.keys() >= KEYS for c in found["calls"])
    assert [c["index"] for c in found["calls"]] == [0, 1, 2, 3]
    assert [c["tokens"] for c in found["calls"]] == [160_000, 166_950, 46_694, 46_800]
    assert {c["kind"] for c in found["calls"]} == {"exact"}
    assert [c["marks"] for c in found["calls"]] == [["notes"], ["over-threshold", "notes"], ["boundary"], ["model-change"]]
    assert (found["threshold"], found["window"], found["estimator"]) == (167_000, 200_000, "rough")


def test_every_number_comes_with_its_kind(two_stretches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, *_ = as_json(capsys, str(two_stretches))["calls"]
    assert (first["output"], first["output_kind"], first["added"], first["total"], first["total_kind"]) == (
        20, "exact", 1_000, 161_020, "estimated",
    )  # fmt: skip
    assert (second["output"], second["output_kind"], second["total"]) == (1_000, "estimated", 167_950)
    assert (first["growth"], second["growth"]) == (None, 6_950)


def test_marks_stand_where_they_happened(two_stretches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [(m["kind"], m["before_call"], m["line"]) for m in as_json(capsys, str(two_stretches))["marks"]] == [
        ("notes", 1, 2),
        ("notes", 2, 4),
        ("boundary", 2, 5),
        ("model-change", 3, 8),
        ("boundary", 4, 9),
    ]


def test_the_text_is_aligned_with_a_line_across_for_each_mark(two_stretches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = as_text(capsys, str(two_stretches))
    across = [line for line in lines if line.startswith("──")]
    assert across == [
        "── auto compaction 167,950 → 46,694 (line 5) ──",
        "── model-change: claude-opus-4-5-20251101 → claude-opus-4-6 (line 8) ──",
        "── manual compaction 46,830 → at least 4,000 (line 9) ──",
    ]
    assert lines.index(across[0]) == 3
    calls = [line for line in lines if re.match(r" *\d+ ", line)]
    assert len({line.index("%") for line in calls}) == 1
    assert "~1,000" in calls[1] and calls[1].endswith("100% over the threshold ◆")
    assert lines[-2] == "threshold 167,000  window 200,000"
    assert lines[-1] == "prompt and growth are exact; ~ is estimated: bytes/4, the agent's own estimate"


def test_without_session_memory_no_notes_would_be_taken(two_stretches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    off = ("--set", "sessionMemory=false")
    assert not [c for c in as_json(capsys, str(two_stretches), *off)["calls"] if "notes" in c["marks"]]
    assert "◆" not in "\n".join(as_text(capsys, str(two_stretches), *off))


def test_what_an_error_said_cannot_write_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000)
    told.error("\x1b[2JAPI Error: 529 " + "very " * 60)
    path = tmp_path / "told.jsonl"
    path.write_bytes(told.written())
    (line,) = [line for line in as_text(capsys, str(path)) if line.startswith("── api-error")]
    assert "\x1b" not in line
    assert line.endswith("… (line 3) ──") and len(line) < 130


def test_a_session_without_calls_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = Told()
    told.prompt("Hello.")
    path = tmp_path / "told.jsonl"
    path.write_bytes(told.written())
    assert as_text(capsys, str(path)) == ["No API call is recorded in this session."]
    assert as_json(capsys, str(path))["calls"] == []


def test_a_messages_api_request_has_no_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "request.json"
    path.write_text('{"messages": [{"role": "user", "content": "Hello."}]}')
    assert as_json(capsys, str(path))["calls"] == []


def test_another_branch_is_chosen_by_its_leaf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = Told()
    begun = told.prompt("Go.")
    left = told.reply("m1", 20_000)
    told.prompt("Otherwise.", parent=begun)
    told.reply("m2", 20_010)
    path = tmp_path / "told.jsonl"
    path.write_bytes(told.written())
    assert len(as_json(capsys, str(path))["calls"]) == 2
    assert [c["message_id"] for c in as_json(capsys, str(path), "--leaf", left)["calls"]] == ["m1"]
    assert main(["timeline", str(path), "--leaf", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_a_sub_agents_branch_shows_its_own_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "told.jsonl"
    path.write_bytes(
        file_of(
            user(1, "go"),
            reply(2, "main"),
            user(3, "look", parent=None, isSidechain=True),
            reply(4, "I look", message="s1", isSidechain=True),
            user(5, "x" * 400, isSidechain=True),
            reply(6, "seen", message="s2", isSidechain=True),
            user(7, "look too", parent=None, isSidechain=True),
            reply(8, "seen too", message="s3", isSidechain=True),
            user(9, "thanks", parent=2),
        )
    )
    calls = as_json(capsys, str(path), "--leaf", uuid(6))["calls"]
    assert [(c["message_id"], c["line"], c["added"]) for c in calls] == [("s1", 4, 100), ("s2", 6, 0)]
    assert as_text(capsys, str(path), "--leaf", uuid(6))[0] == "The calls of a sub-agent, on a branch of this session:"
    assert [c["line"] for c in as_json(capsys, str(path))["calls"]] == [2]


def test_calls_without_usage_are_counted_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    silent = reply(2, "hello")
    silent["message"]["usage"] = {"input_tokens": 10**30, "output_tokens": 5}
    path = tmp_path / "told.jsonl"
    path.write_bytes(file_of(user(1, "hi"), silent))
    assert as_text(capsys, str(path)) == ["1 call recorded no usage that can be read: unknown tokens, so no line here"]
    path.write_bytes(file_of(user(1, "hi"), silent, user(3, "on"), reply(4, "yes")))
    assert "1 call recorded no usage that can be read: unknown tokens, so no line here" in as_text(capsys, str(path))
    found = as_json(capsys, str(path))
    assert ([c["line"] for c in found["calls"]], [c["line"] for c in found["unmeasured"]]) == ([4], [2])


def test_a_boundary_that_stands_twice_is_marked_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = boundary(3)
    path = tmp_path / "told.jsonl"
    path.write_bytes(file_of(user(1, "go"), reply(2, "done"), made, dict(made), summary(4), reply(5, "on")))
    assert [m["line"] for m in as_json(capsys, str(path))["marks"] if m["kind"] == "boundary"] == [3]


def test_a_file_that_is_no_session_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(b"")
    assert main(["timeline", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("workbench: ") and said.err.count("\n") == 1


def test_real_sessions_peak_where_inspect_says(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted(p for folder in ("real", "real-new", "cases") for p in shared.glob(f"{folder}/*.jsonl")):
        calls = as_json(capsys, str(path))["calls"]
        assert main(["inspect", str(path), "--json"]) == 0
        peak = json.loads(capsys.readouterr().out)["context"]["peak"]
        assert max((c["tokens"] for c in calls), default=None) == peak, path.name
        lines = as_text(capsys, str(path))
        assert sum(bool(re.match(r" *\d+ ", line)) for line in lines) == len(calls), path.name
