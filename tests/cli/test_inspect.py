"""`inspect`: every figure of the contract (spec 5), as JSON and in words, of sessions, sub-agents, requests and folders."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.builders import (
    MODEL,
    SESSION,
    Record,
    attachment,
    boundary,
    call,
    file_of,
    last_prompt,
    lines_of,
    reply,
    result,
    summary,
    user,
    uuid,
)
from workbench.cli import main
from workbench.transcript.lines import BOM

Captured = pytest.CaptureFixture[str]
Json = dict[str, Any]

CONTRACT: dict[str, set[str]] = {
    "file": {
        "path",
        "bytes",
        "lines",
        "damaged_lines",
        "recovered_records",
        "lost_fragments",
        "nul_bytes",
        "lone_surrogates",
        "nul_characters",
        "bom",
        "crlf",
    },
    "tree": {"nodes", "duplicate_rows", "roots", "dangling", "conflicting_uuids", "leaves"},
    "chain": {"kind", "leaf", "end", "length", "gaps", "dead_replies"},
    "array": {
        "messages",
        "bytes",
        "images",
        "image_max_px",
        "empty_texts",
        "empty_messages",
        "tokens",
        "unknown_block_types",
    },
    "pairs": {
        "calls",
        "results",
        "unanswered",
        "unasked",
        "duplicate_results",
        "duplicate_calls",
        "misplaced",
        "server_unpaired",
        "file",
    },
    "calls": {"main", "sidechain", "synthetic_rows"},
    "spend": {"main", "sidechain"},
    "context": {"tokens", "kind", "source", "last_call", "peak"},
    "overhead": {"tokens", "kind", "source"},
    "window": {"tokens", "source", "proven_by"},
    "threshold": {"effective", "auto", "warning", "manual", "preset", "source"},
    "requests": {"count", "exact"},
    "notes": {"path", "sections", "tokens", "last_summarized", "state"},
}
LISTS = {"boundaries", "microcompactions"}
OPEN = {"records", "sessions", "versions", "models"}
OF_A_BOUNDARY = {
    "line",
    "uuid",
    "trigger",
    "pre_tokens",
    "post_tokens",
    "duration_ms",
    "on_active_chain",
    "logical_parent_in_file",
    "preserved",
    "discovered_tools",
    "summary",
    "last_call_before",
    "first_call_after",
}


def inspect(given: bytes | Sequence[Record | bytes], tmp_path: Path, capsys: Captured, *options: str) -> Json:
    path = tmp_path / "s.jsonl"
    path.write_bytes(given if isinstance(given, bytes) else file_of(*given))
    assert main(["inspect", str(path), "--json", *options]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    found: Json = json.loads(said.out)
    return found


def words(given: Sequence[Record | bytes], tmp_path: Path, capsys: Captured, *options: str) -> str:
    path = tmp_path / "s.jsonl"
    path.write_bytes(file_of(*given))
    assert main(["inspect", str(path), *options]) == 0
    return capsys.readouterr().out


def used(record: Record, prompt: int, output: int = 10) -> Record:
    record["message"]["usage"] = {"input_tokens": 1, "cache_read_input_tokens": prompt - 1, "output_tokens": output}
    return record


KEPT = {
    "trigger": "manual",
    "preTokens": 150_000,
    "postTokens": 9_000,
    "durationMs": 70_000,
    "preCompactDiscoveredTools": ["TaskStop"],
    "preservedMessages": {"anchorUuid": uuid(5), "uuids": [uuid(3)]},
    "preservedSegment": {"headUuid": uuid(3), "anchorUuid": uuid(5), "tailUuid": uuid(3)},
}
WHOLE = (
    user(1, "go"),
    used(reply(2, call("a"), message="m1"), 150_000),
    user(3, result("a", "x" * 400)),
    boundary(4, metadata=KEPT, logicalParentUuid=uuid(3)),
    summary(5, "What was done. " * 20),
    used(reply(6, "I go on.", call("b"), message="m2"), 30_000),
    used(reply(7, "inside", message="s1", parent=6, isSidechain=True), 5_000),
    user(8, result("b"), parent=6),
    used(reply(9, "Done.", message="m3"), 31_000, 20),
    last_prompt(9),
)


def test_the_keys_are_a_contract(tmp_path: Path, capsys: Captured) -> None:
    found = inspect(WHOLE, tmp_path, capsys)
    assert CONTRACT.keys() | LISTS | OPEN <= found.keys()
    for name, keys in CONTRACT.items():
        assert keys <= found[name].keys(), name
    assert all(each.keys() >= OF_A_BOUNDARY for each in found["boundaries"])
    assert found["spend"]["main"].keys() == found["spend"]["sidechain"].keys() == {"prompt", "output"}
    assert found["pairs"]["file"].keys() == {"calls", "results", "unanswered", "unasked"}
    assert found["boundaries"][0]["preserved"].keys() == {"head", "anchor", "tail", "uuids", "resolved"}


def test_of_a_whole_session_every_figure_is_told(tmp_path: Path, capsys: Captured) -> None:
    found = inspect(WHOLE, tmp_path, capsys)
    assert found["file"]["bytes"] == len(file_of(*WHOLE)) and found["file"]["lines"] == 10
    assert found["records"] == {"assistant": 4, "user": 4, "system:compact_boundary": 1, "last-prompt": 1}
    assert (found["sessions"], found["versions"], found["models"]) == ({SESSION: 10}, {"2.1.200": 9}, {MODEL: 4})
    assert found["tree"] == {
        "nodes": 9,
        "duplicate_rows": 0,
        "roots": [uuid(1), uuid(4)],
        "dangling": [],
        "conflicting_uuids": [],
        "odd_parents": [],
        "leaves": [uuid(9)],
    }
    chain = found["chain"]
    assert (chain["kind"], chain["leaf"], chain["end"], chain["length"]) == ("main", uuid(9), "root", 6)
    assert (chain["gaps"], chain["dead_replies"], chain["kept"], chain["boundary"]) == ([], 0, [uuid(3)], uuid(4))
    assert (found["array"]["messages"], found["array"]["images"]) == (4, 0)
    assert (found["pairs"]["calls"], found["pairs"]["results"], found["pairs"]["unasked"]) == (1, 2, ["a"])
    assert found["pairs"]["file"] == {"calls": 2, "results": 2, "unanswered": [], "unasked": []}
    assert found["calls"] == {"main": 3, "sidechain": 1, "synthetic_rows": 0, "unmeasured": 0}
    assert found["spend"] == {"main": {"prompt": 211_000, "output": 40}, "sidechain": {"prompt": 5_000, "output": 10}}
    context = found["context"]
    assert (context["tokens"], context["kind"], context["source"]) == (31_020, "exact", "usage")
    assert (context["last_call"], context["peak"]) == (31_000, 150_000)
    assert (found["overhead"]["kind"], found["window"]["tokens"], found["threshold"]["auto"]) == ("estimated", 200_000, 167_000)
    assert (found["requests"], found["microcompactions"], found["notes"]["state"]) == (
        {"count": 0, "exact": False},
        [],
        "missing",
    )


def test_of_a_boundary_everything_around_it_is_told(tmp_path: Path, capsys: Captured) -> None:
    (found,) = inspect(WHOLE, tmp_path, capsys)["boundaries"]
    summed = found.pop("summary")
    assert found == {
        "line": 4,
        "uuid": uuid(4),
        "trigger": "manual",
        "pre_tokens": 150_000,
        "post_tokens": 9_000,
        "duration_ms": 70_000,
        "on_active_chain": True,
        "logical_parent_in_file": True,
        "discovered_tools": ["TaskStop"],
        "preserved": {"head": uuid(3), "anchor": uuid(5), "tail": uuid(3), "uuids": [uuid(3)], "resolved": True},
        "last_call_before": 150_000,
        "first_call_after": 30_000,
    }
    assert summed["uuid"] == uuid(5) and 60 <= summed["tokens"] <= 80


def test_what_a_boundary_does_not_say_is_unknown_and_never_zero(tmp_path: Path, capsys: Captured) -> None:
    bare = {k: v for k, v in boundary(2).items() if k != "compactMetadata"}
    (found,) = inspect((user(1, "go"), bare), tmp_path, capsys)["boundaries"]
    assert {k for k, v in found.items() if v is None} == {
        "trigger",
        "pre_tokens",
        "post_tokens",
        "duration_ms",
        "preserved",
        "summary",
        "last_call_before",
        "first_call_after",
    }
    assert found["logical_parent_in_file"] is False


def test_a_call_between_two_boundaries_belongs_to_neither_side_of_the_other(tmp_path: Path, capsys: Captured) -> None:
    told = (used(reply(1, "a"), 100), boundary(2), summary(3), boundary(4), summary(5), used(reply(6, "b"), 50))
    found = inspect(told, tmp_path, capsys)["boundaries"]
    assert [(b["last_call_before"], b["first_call_after"]) for b in found] == [(100, None), (100, 50)]


def test_a_kept_row_that_is_gone_is_told(tmp_path: Path, capsys: Captured) -> None:
    found = inspect([r for r in WHOLE if r.get("uuid") != uuid(3)], tmp_path, capsys)
    assert found["boundaries"][0]["preserved"]["resolved"] is False
    assert found["chain"]["kept"] == []


def test_a_bypassed_boundary_is_told(tmp_path: Path, capsys: Captured) -> None:
    told = (*WHOLE[:6], user(8, "back", parent=2), used(reply(9, "the old way"), 160_000))
    found = inspect(told, tmp_path, capsys)
    assert (found["boundaries"][0]["on_active_chain"], found["chain"]["boundary"]) == (False, None)
    assert "NOT on the active chain" in words(told, tmp_path, capsys)


def test_nothing_to_go_by_is_null(tmp_path: Path, capsys: Captured) -> None:
    found = inspect(({"type": "summary", "summary": "A title", "leafUuid": "x"},), tmp_path, capsys)
    context = found["context"]
    assert (context["tokens"], context["last_call"], context["peak"], context["source"]) == (None, None, None, "unknown")
    assert (found["overhead"]["tokens"], found["chain"]["leaf"], found["notes"]["tokens"]) == (None, None, None)
    assert (found["array"]["messages"], found["chain"]["length"]) == (0, 0)


def test_without_a_call_since_the_boundary_its_count_is_a_lower_bound(tmp_path: Path, capsys: Captured) -> None:
    context = inspect(WHOLE[:5], tmp_path, capsys)["context"]
    assert (context["source"], context["kind"], context["last_call"], context["peak"]) == (
        "boundary",
        "lower bound",
        9_000,
        150_000,
    )


def test_damage_is_counted(tmp_path: Path, capsys: Captured) -> None:
    first, second, third = lines_of(user(1, "a\0"), reply(2, "\ud800"), user(3, "c"))
    content = (
        BOM
        + b"// note\r\n"
        + first
        + b"\r\n"
        + second.replace(b"\xed\xa0\x80", b"\\ud800")
        + b"\0\0\n\n"
        + third
        + first[:50]
        + b"\n"
    )
    found = inspect(content, tmp_path, capsys)["file"]
    assert found | {"path": ""} == {
        "path": "",
        "bytes": len(content),
        "lines": 4,
        "damaged_lines": 3,
        "recovered_records": 2,
        "lost_fragments": 2,
        "nul_bytes": 2,
        "lone_surrogates": 1,
        "nul_characters": 1,
        "bom": True,
        "crlf": True,
    }
    shown = words((b"// note", user(1, "a\0")), tmp_path, capsys)
    assert "damaged      1 line, 0 records recovered, 1 fragment lost" in shown
    assert "NUL characters 1" in shown


def test_faults_of_pairs_are_listed_and_named(tmp_path: Path, capsys: Captured) -> None:
    told = (
        user(1, result("early")),
        reply(2, call("early"), call("open")),
        user(3, result("stray"), result("stray")),
        reply(4, call("open"), {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}),
        user(5, result("open")),
    )
    pairs = inspect(told, tmp_path, capsys)["pairs"]
    assert pairs["unanswered"] == ["early", "open"] and pairs["unasked"] == ["early", "stray"]
    assert (pairs["duplicate_results"], pairs["duplicate_calls"], pairs["misplaced"]) == (["stray"], ["open"], ["early"])
    assert pairs["server_unpaired"] == ["s"]
    shown = words(told, tmp_path, capsys)
    assert "; unanswered: early, open; unasked: early, stray; duplicate results: stray; duplicate calls: open" in shown


def test_blocks_nobody_knows_empty_ones_and_images_are_counted(tmp_path: Path, capsys: Captured) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    told = (
        user(1, {"type": "hologram"}, image),
        reply(2, " "),
        user(3, result("x", [image, image])),
        reply(4),
        attachment(5, "file", content="f"),
    )
    array = inspect(told, tmp_path, capsys)["array"]
    assert (array["unknown_block_types"], array["images"]) == (["hologram"], 3)
    assert (array["empty_texts"], array["empty_messages"]) == (1, 1)


def test_a_branch_is_chosen_by_its_leaf(tmp_path: Path, capsys: Captured) -> None:
    told = (user(1, "go"), used(reply(2, "left"), 20_000), used(reply(3, "right", parent=1), 21_000))
    found = inspect(told, tmp_path, capsys)
    assert (found["tree"]["leaves"], found["chain"]["leaf"], found["chain"]["dead_replies"]) == ([uuid(2), uuid(3)], uuid(3), 1)
    found = inspect(told, tmp_path, capsys, "--leaf", uuid(2))
    assert (found["chain"]["leaf"], found["context"]["last_call"]) == (uuid(2), 20_000)
    assert "2 leaves, 1 assistant row on dead branches" in words(told, tmp_path, capsys)


def test_gaps_and_cycles_are_told(tmp_path: Path, capsys: Captured) -> None:
    told = (user(1, "go"), reply(2, "a", parent="gone"))
    found = inspect(told, tmp_path, capsys)
    assert (found["tree"]["dangling"], found["chain"]["gaps"]) == (["gone"], [uuid(2)])
    assert "1 missing parent bridged" in words(told, tmp_path, capsys)
    assert inspect((user(1, "a", parent=1),), tmp_path, capsys)["chain"]["end"] == "cycle"
    assert "ends in a cycle" in words((user(1, "a", parent=1),), tmp_path, capsys)


def test_a_sub_agents_file_is_its_own_main_chain(tmp_path: Path, capsys: Captured) -> None:
    told = (user(1, "look", isSidechain=True), used(reply(2, "found", isSidechain=True), 9_000))
    found = inspect(told, tmp_path, capsys)
    assert (found["chain"]["kind"], found["chain"]["length"]) == ("sub-agent", 2)
    assert (found["calls"]["main"], found["context"]["peak"], found["context"]["last_call"]) == (1, 9_000, 9_000)


def test_recorded_requests_are_counted_and_whether_the_last_array_is_exact(tmp_path: Path, capsys: Captured) -> None:
    recorded = (
        user(1, "go"),
        {"type": "api-request-blob", "hash": "h", "message": {"role": "user", "content": "go"}},
        {"type": "api-request", "id": "r", "keep": 0, "tail": ["h"]},
        used(reply(2, "done", requestRef="r"), 20_000),
    )
    assert inspect(recorded, tmp_path, capsys)["requests"] == {"count": 1, "exact": True}
    assert inspect([r for r in recorded if r.get("hash") != "h"], tmp_path, capsys)["requests"] == {"count": 1, "exact": False}
    assert "requests     1 recorded; the newest call's array is known exactly" in words(recorded, tmp_path, capsys)


def test_microcompactions_are_listed(tmp_path: Path, capsys: Captured) -> None:
    data = {"preTokens": 60_000, "tokensSaved": 20_000, "compactedToolIds": ["a"]}
    micro = {**user(4), "type": "system", "subtype": "microcompact_boundary", "microcompactMetadata": data}
    found = inspect((user(1, "go"), reply(2, call("a")), user(3, result("a")), micro), tmp_path, capsys)
    assert found["microcompactions"] == [{"line": 4, "pre_tokens": 60_000, "tokens_saved": 20_000, "tool_ids": ["a"]}]


REQUEST = {"system": "s" * 400, "tools": [{"name": "Bash"}], "messages": [{"role": "user", "content": "x" * 40}]}


@pytest.mark.parametrize("indent", [None, 2])
def test_a_request_has_an_overhead_and_no_calls(indent: int | None, tmp_path: Path, capsys: Captured) -> None:
    content = json.dumps(REQUEST, indent=indent).encode()
    found = inspect(content, tmp_path, capsys)
    assert (found["file"]["bytes"], found["file"]["damaged_lines"]) == (len(content), 0)
    assert found["file"]["path"] == str(tmp_path / "s.jsonl")
    assert (found["overhead"]["tokens"], found["overhead"]["kind"]) == (100 + 5, "exact")
    assert (found["context"]["tokens"], found["context"]["source"], found["context"]["peak"]) == (115, "estimate", None)
    assert (found["calls"]["main"], found["boundaries"], found["versions"], found["sessions"]) == (0, [], {}, {})
    assert (found["tree"]["leaves"], found["chain"]["length"]) == (["message:0"], 1)


def test_standard_input_is_read(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    for content, path in ((file_of(*WHOLE), "main"), (json.dumps(REQUEST, indent=1).encode(), "main")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(["inspect", "-", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["file"]["path"], found["file"]["bytes"], found["chain"]["kind"]) == ("standard input", len(content), path)


def test_words_give_each_number_its_kind(tmp_path: Path, capsys: Captured) -> None:
    shown = words(WHOLE, tmp_path, capsys)
    assert shown.startswith("s.jsonl: ") and "10 lines, 10 records\n" in shown
    for line in (
        "  context      31,020 exact: prompt 31,000 + output 20 of the newest call\n",
        "  peak         150,000 prompt tokens\n",
        "  spend        3 calls, 211,000 prompt and 40 output tokens; sub-agents 1 call, 5,000 prompt and 10 output tokens; "
        "outputs as recorded\n",
        "  boundary 1, line 4: manual, 150,000 tokens before, 9,000 after; next call 30,000\n",
        "  notes        missing: ",
    ):
        assert line in shown
    nothing = words(({"type": "mode", "mode": "plan"},), tmp_path, capsys)
    assert "  peak         - prompt tokens\n" in nothing and "  context      -: " in nothing


# what is told of odd files


def test_outputs_are_told_as_recorded_and_as_placeholders_where_the_version_wrote_them(tmp_path: Path, capsys: Captured) -> None:
    assert " output tokens; outputs as recorded\n" in words((user(1, "go"), reply(2, "done")), tmp_path, capsys)
    old = user(1, "go"), reply(2, "done", version="2.1.34"), reply(3, "more", version="2.1.50")
    assert "; outputs as recorded, which in 2.1.34 are mere placeholders: timeline estimates" in words(old, tmp_path, capsys)


COMPACTED = (
    user(1, "go"),
    reply(2, "done"),
    boundary(3, logicalParentUuid=uuid(2)),
    summary(4, "What was done."),
)


@pytest.mark.parametrize("again", [COMPACTED[2:3], COMPACTED[2:]])
def test_a_boundary_that_stands_twice_is_one(again: Sequence[Record], tmp_path: Path, capsys: Captured) -> None:
    copies = [json.loads(line) for line in lines_of(*COMPACTED)][-len(again) :]
    told = (*COMPACTED, *copies, reply(6, "on", parent=4))
    found = inspect(told, tmp_path, capsys)
    assert [(b["line"], b["on_active_chain"]) for b in found["boundaries"]] == [(3, True)]
    assert (found["tree"]["roots"], found["tree"]["conflicting_uuids"]) == ([uuid(1), uuid(3)], [])
    assert (found["tree"]["leaves"], found["tree"]["duplicate_rows"]) == ([uuid(6)], len(again))
    assert (found["chain"]["boundary"], found["chain"]["length"], found["array"]["messages"]) == (uuid(3), 3, 2)


def test_two_boundaries_of_one_uuid_that_say_different_things_are_two(tmp_path: Path, capsys: Captured) -> None:
    other = boundary(3, metadata={"preTokens": 2000})
    found = inspect((*COMPACTED, other, summary(5, "Anew."), reply(6, "on")), tmp_path, capsys)
    assert ([b["line"] for b in found["boundaries"]], found["tree"]["conflicting_uuids"]) == ([3, 5], [uuid(3)])


def test_a_boundary_whose_kept_rows_carried_the_conversation_on_was_on_the_chain(tmp_path: Path, capsys: Captured) -> None:
    kept = {"preservedMessages": {"anchorUuid": uuid(5), "uuids": [uuid(3)]}}
    told = (
        user(1, "go"),
        reply(2, "done"),
        user(3, "and now"),
        boundary(4, metadata=kept, logicalParentUuid=uuid(3)),
        summary(5),
        reply(6, "on", parent=3),
        boundary(7, logicalParentUuid=uuid(6)),
        summary(8),
        reply(9, "on"),
    )
    assert [b["on_active_chain"] for b in inspect(told, tmp_path, capsys)["boundaries"]] == [True, True]


def test_a_reply_without_usage_is_a_call_of_unknown_tokens(tmp_path: Path, capsys: Captured) -> None:
    silent = reply(2, "hello", model="claude-opus-4-6")
    silent["message"]["usage"] = {}
    found = inspect((user(1, "hi"), silent), tmp_path, capsys)
    assert (found["calls"]["main"], found["calls"]["unmeasured"], found["models"]) == (1, 1, {"claude-opus-4-6": 1})
    assert (found["spend"]["main"], found["context"]["peak"]) == ({"prompt": None, "output": None}, None)
    shown = words((user(1, "hi"), silent), tmp_path, capsys)
    assert "  spend        1 call without a recorded usage: tokens unknown\n" in shown and "Opus 4.6" in shown
    mixed = words((user(1, "hi"), silent, user(3, "on"), reply(4, "yes")), tmp_path, capsys)
    assert "  spend        2 calls, 1 of them without a recorded usage, 105 prompt and 10 output tokens" in mixed


def test_an_error_row_is_no_call_of_unknown_tokens(tmp_path: Path, capsys: Captured) -> None:
    error = reply(2, "API Error: 529", isApiErrorMessage=True, model="<synthetic>")
    found = inspect((user(1, "hi"), error), tmp_path, capsys)
    assert (found["calls"]["main"], found["calls"]["unmeasured"], found["models"]) == (0, 0, {})


def test_a_sub_agents_branch_has_a_context_and_a_peak_of_its_own(tmp_path: Path, capsys: Captured) -> None:
    told = (
        user(1, "go"),
        used(reply(2, "main", message="m1"), 7_000),
        user(3, "look", parent=None, isSidechain=True),
        used(reply(4, "seen", message="s1", isSidechain=True), 48_000),
        user(5, "look too", parent=None, isSidechain=True),
        used(reply(6, "seen too", message="s2", isSidechain=True), 90_000),
        user(7, "thanks", parent=2),
    )
    found = inspect(told, tmp_path, capsys, "--leaf", uuid(4))
    assert (found["chain"]["kind"], found["chain"]["length"], found["chain"]["dead_replies"]) == ("sub-agent", 2, 0)
    assert (found["context"]["last_call"], found["context"]["peak"]) == (48_000, 48_000)
    assert (found["calls"]["main"], found["calls"]["sidechain"]) == (1, 2)
    assert "  chain        2 rows, a sub-agent's branch of this session, " in words(told, tmp_path, capsys, "--leaf", uuid(4))
    usual = inspect(told, tmp_path, capsys)
    assert (usual["chain"]["kind"], usual["context"]["peak"]) == ("main", 7_000)


@pytest.mark.parametrize("parent", [1_000_000, ["x"], {}, [], True, 5.5])
def test_a_parent_that_is_no_uuid_is_missing_and_bridged(parent: object, tmp_path: Path, capsys: Captured) -> None:
    shown = json.dumps(parent, separators=(",", ":"))
    path = tmp_path / "odd.jsonl"
    lines = lines_of(user(1, "a"), reply(2, "b"), user(3, "c", parent=None), reply(4, "d"))
    lines[2] = lines[2].replace(b'"parentUuid":null', b'"parentUuid":' + shown.encode())
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert main(["inspect", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["chain"]["length"], found["chain"]["gaps"], found["tree"]["roots"]) == (4, [uuid(3)], [uuid(1)])
    assert found["tree"]["odd_parents"] == [{"line": 3, "uuid": uuid(3), "parent": shown, "is_root": False}]
    assert main(["inspect", str(path)]) == 0
    assert f"line 3: parentUuid is {shown}, which is no uuid: it is bridged to the row before" in capsys.readouterr().out


@pytest.mark.parametrize("parent", ["", False, 0, 0.0])
def test_a_parent_that_counts_as_none_is_told(parent: object, tmp_path: Path, capsys: Captured) -> None:
    lines = lines_of(user(1, "a"), reply(2, "b"), user(3, "c", parent=None), reply(4, "d"))
    lines[2] = lines[2].replace(b'"parentUuid":null', b'"parentUuid":' + json.dumps(parent).encode())
    path = tmp_path / "odd.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert main(["inspect", str(path)]) == 0
    shown = capsys.readouterr().out
    assert f"line 3: parentUuid is {json.dumps(parent)}, which is no uuid; nothing before that row is loaded" in shown
    assert "  chain        2 rows, " in shown


def test_an_id_that_is_no_string_is_named_as_it_stands(tmp_path: Path, capsys: Captured) -> None:
    odd = call("a")
    odd["id"] = [None]
    assert "; unanswered: [null] (no string)\n" in words((user(1, "q"), reply(2, odd), user(3, "z")), tmp_path, capsys)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"messages": [{"role": "user", "content": "a"}, 3]}, "messages[1] is a number, not an object with a role"),
        ([{"role": "user", "content": "a"}, None], "messages[1] is null, not an object with a role"),
        ({"messages": [{"content": "a"}]}, "messages[0] has no role"),
        ({"messages": [{"role": 5}]}, "the role of messages[0] is a number"),
        ({"messages": {}}, "its `messages` is an object, not a list"),
        ({"messages": "hi"}, "its `messages` is a text, not a list"),
    ],
)
def test_what_is_odd_in_a_request_is_named(value: object, why: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(value))
    assert main(["inspect", str(path)]) == 2
    assert capsys.readouterr().err == f"workbench: odd.json cannot be read as a Messages API request: {why}.\n"


# folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two sessions, a sub-agent's file, an empty file and a text."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    for age, (name, content) in enumerate(
        {"new": file_of(*WHOLE), "empty": b"", "old": file_of(*WHOLE[:2]), "agent-1": file_of(*WHOLE)}.items()
    ):
        (folder / f"{name}.jsonl").write_bytes(content)
        os.utime(folder / f"{name}.jsonl", (1_000_000 - age, 1_000_000 - age))
    (folder / "notes.txt").write_text("no session")
    return folder


def test_a_folder_is_told_a_line_a_session_and_what_cannot_be_read_stops_nothing(folder: Path, capsys: Captured) -> None:
    assert main(["inspect", str(folder)]) == 0
    said = capsys.readouterr()
    head, *lines = said.out.splitlines()
    assert head.split() == ["session", "bytes", "lines", "messages", "context", "boundaries", "damaged"]
    assert [line.split()[0] for line in lines] == ["new", "old"]
    assert lines[0].split()[2:] == ["10", "4", "31,020", "exact", "1", "0"]
    assert said.err == "workbench: empty.jsonl is empty; a session file has one JSON record a line.\n"


def test_a_folder_as_json(folder: Path, capsys: Captured) -> None:
    assert main(["inspect", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["sessions"]
    assert [Path(each["path"]).stem for each in found] == ["new", "empty", "old"]
    assert [each["context"]["last_call"] for each in found if "error" not in each] == [31_000, 150_000]
    assert [each["error"] for each in found if "error" in each] == [
        "empty.jsonl is empty; a session file has one JSON record a line."
    ]


def test_a_folder_without_sessions_says_so(tmp_path: Path, capsys: Captured) -> None:
    assert main(["inspect", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"There is no session file in {tmp_path}.\n"
    assert main(["inspect", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"sessions": []}
