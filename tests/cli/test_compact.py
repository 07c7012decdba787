"""workbench compact: each option does what it says, the JSON holds what was promised, and wrong use is one sentence."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders import boundary, file_of, reply, summary, user
from tests.compaction.running import SAMPLES
from workbench.cli import main
from workbench.storage import load

PLAIN, TWO_AUTO, KEPT, _, PARALLEL, _, NOTES, *_ = map(str, SAMPLES)
KEYS = {
    *("variant", "trigger", "profile", "outcome", "reason", "overhead", "stages", "result", "boundary", "summary"),
    *("attachments", "left_out", "cut", "requests", "settings"),
}
STAGE_KEYS = {
    *("name", "outcome", "reason", "tokens_before", "tokens_after", "messages_before", "messages_after", "changes", "faults"),
}
RESULT_KEYS = {"messages", "tokens", "context", "faults", "inherited", "fires_again"}
REQUEST = {
    "model": "claude-opus-4-5-20251101",
    "max_tokens": 1000,
    "system": "You are careful.",
    "tools": [{"name": "Read", "description": "reads", "input_schema": {"type": "object"}}],
    "messages": [
        {"role": "user", "content": "Read it."},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "/a.py"}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "print()" * 200}]},
        {"role": "assistant", "content": "It prints."},
        {"role": "user", "content": "Good."},
    ],
}


@pytest.fixture
def compact(capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Runs the command: (exit code, stdout, stderr)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["compact", *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture
def told(compact):  # type: ignore[no-untyped-def]
    """Runs the command and gives its JSON."""

    def run(*arguments: str) -> dict[str, Any]:
        _, out, _ = compact(*arguments, "--json")
        answer: dict[str, Any] = json.loads(out)
        return answer

    return run


def first_boundary(path: str) -> str:
    return str(load(path).boundaries[0].line)


# what it prints


def test_the_json_holds_what_was_promised(told) -> None:  # type: ignore[no-untyped-def]
    answer = told(TWO_AUTO, "--at", first_boundary(TWO_AUTO))
    assert answer.keys() >= KEYS
    assert all(s.keys() >= STAGE_KEYS for s in answer["stages"])
    assert answer["result"].keys() >= RESULT_KEYS
    assert answer["overhead"].keys() == {"tokens", "kind", "source"}
    assert all(m.keys() == {"index", "role", "kinds", "tokens", "lines"} for m in answer["result"]["messages"])
    assert all(a.keys() == {"kind", "name", "tokens", "truncated"} for a in answer["attachments"])
    assert all(o.keys() == {"kind", "name", "reason"} for o in answer["left_out"])
    assert all(c.keys() == {"kind", "uuids", "reason"} for s in answer["stages"] for c in s["changes"])
    assert all(v.keys() == {"value", "source"} for v in answer["settings"].values())
    assert answer["cut"].keys() == {"asked", "used", "reason"}
    assert (answer["variant"], answer["trigger"], answer["outcome"]) == ("auto", "auto", "compacted")


def test_unknown_is_null_and_never_0(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    row = {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"role": "user", "content": "Hello."}}
    file = tmp_path / "short.jsonl"
    file.write_text(json.dumps(row) + "\n")
    answer = told(str(file), "--variant", "full")
    assert answer["overhead"]["tokens"] is None and answer["overhead"]["kind"] == "unknown"
    assert answer["event"]["duration_ms"] is None


def test_for_people_the_stages_stand_one_a_line_and_with_steps_their_numbers_too(compact) -> None:  # type: ignore[no-untyped-def]
    code, plain, _ = compact(TWO_AUTO, "--at", first_boundary(TWO_AUTO))
    assert code == 0 and plain.startswith("auto, auto, profile articles: compacted. To be recorded: ")
    for number, name in enumerate(("measure", "microcompact", "decide", "pre-hook", "session-memory", "prepare", "ask"), 1):
        assert f" {number} {name} " in plain
    assert "left out: file" in plain
    _, steps, _ = compact(TWO_AUTO, "--at", first_boundary(TWO_AUTO), "--steps")
    assert len(steps) > len(plain)
    for words in ("there: shouldAutoCompact", "spec 1, 3, 4", "(setting; default)", "threshold: 167,000", "restore 1 row"):
        assert words in steps


def test_cached_clearing_shows_its_block_and_the_public_equivalent(compact, told) -> None:  # type: ignore[no-untyped-def]
    at = ("--at", first_boundary(TWO_AUTO), "--variant", "micro-cached")
    stage = told(TWO_AUTO, *at)["stages"][1]
    assert stage["cache_edits"]["type"] == "cache_edits" and stage["cache_edits"]["edits"][0]["type"] == "delete"
    assert stage["public_equivalent"]["type"] == "clear_tool_uses_20250919"
    assert "never sent: {" in compact(TWO_AUTO, *at, "--steps")[1]


def test_what_was_skipped_exits_with_1_and_says_why(compact) -> None:  # type: ignore[no-untyped-def]
    code, out, err = compact(PLAIN)
    assert code == 1 and err == ""
    assert "auto, auto, profile articles: skipped. Does not fire: 25,177 tokens in context are 141,823 below" in out


# the request


def test_the_request_is_shown_instead_of_the_result(compact) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = compact(PLAIN, "--variant", "full", "--show-request", "--instructions", "Keep the numbers.")
    assert code == 0
    assert out.startswith("summary (same prefix, so that the cache hits): ") and "max_tokens 20,000" in out
    assert "<analysis>" in out and "Keep the numbers." in out
    _, out, _ = compact(PLAIN, "--variant", "full", "--show-request", "--json")
    (request,) = json.loads(out)["requests"]
    assert request["messages"][0]["role"] == "user" and request["max_tokens"] == 20_000
    assert request["messages"][-1]["content"][-1]["text"].strip()


def test_without_a_request_it_says_why(compact) -> None:  # type: ignore[no-untyped-def]
    code, out, err = compact(PLAIN, "--show-request")
    assert code == 1 and out == "" and "No summary request was made: Does not fire" in err
    assert json.loads(compact(PLAIN, "--show-request", "--json")[1]) == {"requests": []}


# options


def test_a_variant_has_its_usual_trigger_and_another_where_it_is_named(told) -> None:  # type: ignore[no-untyped-def]
    assert told(PLAIN, "--variant", "full")["trigger"] == "manual"
    assert told(PLAIN, "--variant", "reactive")["trigger"] == told(PLAIN)["trigger"] == "auto"
    assert told(PLAIN, "--variant", "full", "--trigger", "auto")["boundary"]["trigger"] == "auto"


def test_a_pivot_is_a_line_or_a_uuid(told) -> None:  # type: ignore[no-untyped-def]
    session = load(PARALLEL)
    place = [p for p in session.chain.places if session.index.kind(p) == "user"][2]
    line, uuid = session.index.lines[place], session.index.uuids[place]
    by_line, by_uuid = (told(PARALLEL, "--variant", "up-to", "--pivot", str(name)) for name in (line, uuid))
    assert by_line == by_uuid
    assert uuid in by_line["boundary"]["preserved"]["uuids"]


def test_pinned_rows_stay(told) -> None:  # type: ignore[no-untyped-def]
    session = load(PARALLEL)
    uuid = [session.index.uuids[p] for p in session.chain.places if session.index.kind(p) == "user"][1]
    answer = told(PARALLEL, "--variant", "full", "--keep", str(uuid))
    assert uuid in answer["boundary"]["preserved"]["uuids"]
    lost = told(PARALLEL, "--variant", "full", "--keep", "nobody")
    assert lost["outcome"] == "failed" and "nobody is not in the array" in lost["reason"]


def test_lines_fold(told) -> None:  # type: ignore[no-untyped-def]
    session = load(PARALLEL)
    lines = [session.index.lines[p] for p in session.chain.places if session.index.kind(p) == "assistant"]
    answer = told(PARALLEL, "--variant", "fold", "--fold", f"1-{lines[3]}", f"{lines[4]}-{lines[-2]}")
    assert answer["outcome"] == "compacted" and answer["boundary"] is None
    folds = [c for s in answer["stages"] for c in s["changes"] if c["kind"] == "fold"]
    assert folds and all(c["reason"] for c in folds)


def test_hooks_are_files_with_what_they_print(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for name, words in (("pre", "Name the tests."), ("start", "Mind the gap."), ("why", "A release is on.")):
        (tmp_path / name).write_text(words)
    hooks = ("--hook", f"pre={tmp_path / 'pre'}", "--hook", f"session-start={tmp_path / 'start'}")
    answer = told(PLAIN, "--variant", "full", *hooks)
    assert "15 characters of instructions" in stage_of(answer, "pre-hook")["reason"]
    assert stage_of(answer, "hooks")["tokens_after"] > stage_of(answer, "hooks")["tokens_before"]
    blocked = told(PLAIN, "--variant", "full", "--hook", f"pre-blocked={tmp_path / 'why'}")
    assert blocked["outcome"] == "skipped" and "A release is on." in blocked["reason"]


def test_contents_come_from_the_transcript_or_from_disk(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    on_disk = tmp_path / "tides.py"
    on_disk.write_text("print('as it is now')\n" * 50)
    rows = [
        {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"role": "user", "content": "Read it."}},
        assistant("a1", "u1", {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": str(on_disk)}}),
        {
            "type": "user",
            "uuid": "u2",
            "parentUuid": "a1",
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "1\told"}]},
        },
        assistant("a2", "u2", {"type": "text", "text": "It is old."}),
    ]
    session = tmp_path / "s.jsonl"
    session.write_text("".join(json.dumps(r) + "\n" for r in rows))
    small, large = (told(str(session), "--variant", "full", "--files", where)["attachments"] for where in ("transcript", "disk"))
    assert [a["name"] for a in small] == [a["name"] for a in large] == [str(on_disk)]
    assert small[0]["tokens"] < 10 < large[0]["tokens"]


def assistant(uuid: str, parent: str, block: dict[str, Any]) -> dict[str, Any]:
    message = {"id": f"msg_{uuid}", "role": "assistant", "model": "claude-opus-4-5", "content": [block]}
    return {"type": "assistant", "uuid": uuid, "parentUuid": parent, "message": message}


def stage_of(answer: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(s for s in answer["stages"] if s["name"] == name)
    return found


def test_a_summary_comes_from_a_file_a_program_or_the_session(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "summary.md"
    file.write_text("<summary>From a file.</summary>")
    assert told(PLAIN, "--variant", "full", "--summarizer", f"file:{file}")["summary"] == "Summary:\nFrom a file."
    program = f"command:{sys.executable} -c \"print('<summary>From a program.</summary>')\""
    assert told(PLAIN, "--variant", "full", "--summarizer", program)["summary"] == "Summary:\nFrom a program."
    recorded = told(TWO_AUTO, "--at", first_boundary(TWO_AUTO), "--summarizer", "recorded")
    assert recorded["outcome"] == "compacted" and "(recorded, line" in stage_of(recorded, "ask")["reason"]
    at_the_end = told(TWO_AUTO, "--variant", "full", "--summarizer", "recorded")
    assert at_the_end["outcome"] == "failed" and "no boundary follows" in at_the_end["reason"]


def test_reactive_is_sized_by_the_error_that_is_given(told) -> None:  # type: ignore[no-untyped-def]
    at = ("--at", first_boundary(TWO_AUTO), "--variant", "reactive")
    little = told(TWO_AUTO, *at, "--error", "prompt is too long: 200010 tokens > 200000 maximum")
    much = told(TWO_AUTO, *at, "--error", "prompt is too long: 250000 tokens > 200000 maximum")
    assert little["result"]["tokens"] > much["result"]["tokens"]
    assert "the gap is 50,000" in stage_of(much, "prepare")["reason"]


def test_notes_are_the_session_s_own_or_those_that_are_named(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert told(NOTES, "--variant", "session-memory")["outcome"] == "compacted"
    other = tmp_path / "notes.md"
    other.write_text("# Current State\n_What is going on_\n\nAll of it is done.\n")
    assert "All of it is done." in told(PLAIN, "--variant", "session-memory", "--notes", str(other))["summary"]


def test_profile_preset_and_settings_are_told_with_their_source(told) -> None:  # type: ignore[no-untyped-def]
    answer = told(PLAIN, "--profile", "observed-2.1.332", "--preset", "2.1.20", "--set", "restoreMaxFiles=1")
    assert answer["profile"] == "observed-2.1.332"
    assert answer["settings"]["summaryReserve"] == {"value": 32_000, "source": "preset"}
    assert answer["settings"]["restoreMaxFiles"] == {"value": 1, "source": "flag"}
    assert answer["settings"]["keepLastRound"] == {"value": True, "source": "profile"}
    assert told(PLAIN, "--variant", "full")["settings"]["restoreMaxFiles"]["source"] == "default"


def test_the_time_can_be_given(told) -> None:  # type: ignore[no-untyped-def]
    answer = told(PLAIN, "--variant", "micro-time", "--now", "2031-01-01T00:00:00Z", "--set", "keepRecent=1")
    assert answer["outcome"] == "compacted"
    assert [c["kind"] for c in answer["stages"][1]["changes"]]
    assert told(PLAIN, "--variant", "micro-time")["outcome"] == "skipped"


def test_another_branch_can_be_compacted(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    rows = [
        {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"role": "user", "content": "Begin."}},
        assistant("a1", "u1", {"type": "text", "text": "One way. " * 200}),
        assistant("a2", "u1", {"type": "text", "text": "Other."}),
    ]
    session = tmp_path / "s.jsonl"
    session.write_text("".join(json.dumps(r) + "\n" for r in rows))
    one, other = (told(str(session), "--variant", "full", "--leaf", leaf)["stages"][0]["tokens_before"] for leaf in ("a1", "a2"))
    assert one > 400 > other


def test_a_request_of_the_messages_api_is_compacted_without_lines(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "request.json"
    file.write_text(json.dumps(REQUEST))
    answer = told(str(file), "--variant", "up-to", "--pivot", "message:3")
    assert answer["outcome"] == "compacted"
    assert answer["boundary"]["preserved"]["uuids"] == ["message:3", "message:4"]
    assert all(m["lines"] == [] for m in answer["result"]["messages"])
    assert answer["overhead"]["kind"] == "exact" and answer["overhead"]["tokens"] > 20
    assert answer["result"]["context"] == answer["result"]["tokens"] + answer["overhead"]["tokens"]


def test_a_session_is_read_from_standard_input(told, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(PLAIN).read_bytes())))
    assert told("-", "--variant", "full")["outcome"] == "compacted"


# writing


def test_the_session_is_written_before_anything_is_said(compact, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "out.jsonl"
    code, printed, _ = compact(PLAIN, "--variant", "full", "-o", str(out), "--json")
    assert code == 0 and json.loads(printed)["outcome"] == "compacted"
    assert out.read_bytes().startswith(Path(PLAIN).read_bytes())
    code, printed, err = compact(PLAIN, "--variant", "full", "-o", str(tmp_path / "nowhere" / "out.jsonl"), "--json")
    assert (code, printed) == (2, "") and err.count("\n") == 1


def test_to_standard_output_goes_the_session_and_nothing_else(compact) -> None:  # type: ignore[no-untyped-def]
    code, printed, err = compact(PLAIN, "--variant", "full", "-o", "-")
    assert code == 0 and err == ""
    assert [json.loads(line)["type"] for line in printed.splitlines()][-1] == "last-prompt"


def test_nothing_is_written_where_it_did_not_compact(compact, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, _, err = compact(PLAIN, "-o", str(tmp_path / "out.jsonl"))
    assert code == 1 and "Nothing was written: skipped. Does not fire" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("link", [False, True])
def test_the_input_is_never_written_over(compact, tmp_path: Path, link: bool) -> None:  # type: ignore[no-untyped-def]
    copy = tmp_path / "s.jsonl"
    content = Path(PLAIN).read_bytes()
    copy.write_bytes(content)
    out = tmp_path / "link.jsonl"
    out.symlink_to(copy)
    code, printed, err = compact(str(copy), "--variant", "full", "-o", str(out if link else copy))
    assert (code, printed) == (2, "") and err.count("\n") == 1
    assert copy.read_bytes() == content


# wrong use


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--variant", "from"), "needs --pivot"),
        (("--variant", "up-to"), "needs --pivot"),
        (("--variant", "up-to", "--pivot", "99999"), "Line 99999 holds no row"),
        (("--variant", "fold", "--fold", "three"), "LINE-LINE"),
        (("--variant", "fold", "--fold", "99998-99999"), "No row of the array stands in the lines"),
        (("--hook", "mid=FILE"), "NAME is one of pre, session-start, post"),
        (("--hook", "pre"), "NAME=FILE"),
        (("--hook", "pre=/no/such/file"), "/no/such/file"),
        (("--summarizer", "gpt"), "gpt"),
        (("--variant", "full", "--summarizer", "file:/no/such/file"), "/no/such/file"),
        (("--variant", "sideways"), "sideways"),
        (("--at", "0"), "There is no line 0"),
        (("--at", "99999"), "There is no line 99999"),
        (("--at", "5", "--leaf", "x"), "exclude each other"),
        (("--leaf", "nobody"), "nobody"),
        (("--preset", "old"), "no preset 'old'"),
        (("--set", "thresh=1"), "no setting 'thresh'"),
        (("--set", "window"), "NAME=VALUE"),
        (("--notes", "/no/such/notes.md"), "/no/such/notes.md"),
        (("--profile", "newest"), "newest"),
    ],
)
def test_wrong_use_is_one_sentence_that_says_what_to_do(compact, options: tuple[str, ...], words: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = compact(PLAIN, *options, "--json")
    assert (code, out) == (2, "")
    assert words in err and err.count("\n") == 1 and err.rstrip().endswith((".", "help`."))


def test_a_request_has_neither_lines_nor_a_session_to_write(compact, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "request.json"
    file.write_text(json.dumps(REQUEST))
    for options, words in (
        (("--variant", "up-to", "--pivot", "3"), "message:N"),
        (("--at", "2"), "no lines to go back to"),
        (("--variant", "full", "-o", str(tmp_path / "out.jsonl")), "--as messages"),
    ):
        code, out, err = compact(str(file), *options)
        assert (code, out) == (2, "") and words in err


def test_cached_clearing_leaves_no_other_session_to_write(compact, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "out.jsonl"
    code, printed, err = compact(TWO_AUTO, "--at", first_boundary(TWO_AUTO), "--variant", "micro-cached", "-o", str(out))
    assert (code, printed) == (2, "") and "outgoing copy only" in err and not out.exists()


def test_another_estimator_tells_the_result_beside_and_decides_nothing(compact, told) -> None:  # type: ignore[no-untyped-def]
    options = (TWO_AUTO, "--at", first_boundary(TWO_AUTO), "--variant", "full")
    plain, calibrated = told(*options), told(*options, "--estimator", "calibrated")
    also = calibrated["result"].pop("by_estimator")
    assert "by_estimator" not in plain["result"] and calibrated == plain
    assert also["name"] == "calibrated" and also["kind"] == "estimated"
    assert also["tokens"] != plain["result"]["tokens"] and also["context"] > also["tokens"]
    _, out, _ = compact(*options, "--estimator", "calibrated")
    assert f"by calibrated: {also['tokens']:,} tokens of messages, {also['context']:,} tokens in context" in out


def test_one_of_a_thing_is_singular_and_switches_are_on_or_off(compact, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = written(tmp_path / "s.jsonl", user(1, "hi"), reply(2, "ok"), user(3, "go"))
    _, out, _ = compact(path, "--variant", "up-to", "--pivot", "3", "--steps")
    assert "1 row, 1 token (" in out and "1 tokens" not in out and "1 rows" not in out
    assert "  line 3\n" in out and "lines 3-3" not in out
    assert "timeBased.enabled: off (" in out and "False" not in out and "True" not in out
    _, out, _ = compact(path, "--variant", "reactive")
    assert "The only round is summarised: " in out


def test_messages_alone_have_no_system_prompt_and_no_tools(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    bare = tmp_path / "bare.json"
    for value in (REQUEST["messages"], {"messages": REQUEST["messages"]}):
        bare.write_text(json.dumps(value))
        assert told(str(bare), "--variant", "full")["overhead"] == {
            "tokens": 0,
            "kind": "exact",
            "source": "the input holds messages alone: there is no system prompt and there are no tools in it",
        }


def test_a_now_before_the_last_row_is_no_pause(told) -> None:  # type: ignore[no-untyped-def]
    answer = told(PLAIN, "--variant", "micro-time", "--now", "2020-01-01T00:00:00Z")
    assert answer["outcome"] == "skipped" and "now is before the last assistant message" in answer["reason"]


# what is not known


def written(path: Path, *records: Any) -> str:
    path.write_bytes(file_of(*records))
    return str(path)


def test_what_is_unknown_is_never_nothing(compact, told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    bare = tmp_path / "bare.json"
    bare.write_text("[]")
    system = {**boundary(1), "subtype": "informational", "content": "Hello."}
    for path in (str(bare), written(tmp_path / "s.jsonl", system), written(tmp_path / "b.jsonl", boundary(1))):
        answer = told(path, "--variant", "full")
        assert {(s["tokens_before"], s["tokens_after"], s["tokens_kind"]) for s in answer["stages"]} == {(None, None, "unknown")}
        assert (answer["result"]["context"], answer["result"]["fires_again"]) == (None, None)
        assert (answer["event"]["tokens_before"], answer["event"]["tokens_after"]) == (None, None)
        _, out, _ = compact(path, "--variant", "full")
        line = next(line for line in out.splitlines() if " measure " in line)
        assert line.split()[3] == "-" and "unknown tokens in context" in line


def test_without_the_overhead_figures_are_lower_bounds_and_say_so(compact, told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    rows = (user(1, "Long ago."), boundary(2, metadata={"postTokens": 4000}), summary(3, "What was. " * 40), user(4, "On."))
    path = written(tmp_path / "s.jsonl", *rows)
    answer = told(path, "--variant", "full")
    result, last = answer["result"], answer["stages"][-1]
    assert answer["overhead"]["tokens"] is None
    assert (result["context"], result["fires_again"]) == (None, None)
    assert {s["tokens_kind"] for s in answer["stages"]} == {"lower bound"}
    assert last["tokens_after"] == result["tokens"], "what the array alone comes to"
    numbers = {n["name"]: (n["value"], n["kind"]) for s in answer["stages"] for n in s["numbers"]}
    assert numbers["freed"] == ("unknown", "unknown") and numbers["fires again"][0] == "unknown"
    assert numbers["context after"] == (f"at least {result['tokens']:,} tokens", "lower bound")
    _, out, _ = compact(path, "--variant", "full")
    assert f"≥{result['tokens']:,}" in out and "with overhead" not in out
    for name in ("assemble", "verify"):
        reason = next(s["reason"] for s in answer["stages"] if s["name"] == name)
        assert f"at least {result['tokens']:,} tokens (the overhead is unknown)" in reason
    low = ("--set", "window=33100", "--set", "plausibleThreshold=200000")
    assert told(path, "--variant", "full", *low)["result"]["fires_again"] is True, "even the lower bound reaches 100 tokens"


def test_an_overhead_below_nothing_says_that_the_estimate_is_too_high(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = written(tmp_path / "s.jsonl", user(1, "word " * 800), reply(2, "Yes."))
    answer = told(path, "--variant", "full")
    assert (answer["overhead"]["tokens"], answer["overhead"]["kind"]) == (0, "estimated")
    assert "measured 886 tokens less than bytes/4 of the messages, which estimates them too high" in answer["overhead"]["source"]
    assert answer["result"]["context"] == answer["result"]["tokens"]
