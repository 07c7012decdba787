"""`export --as messages`: what the agent would send, valid as it stands, written whole and never over the session (spec 5)."""

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
    Record,
    attachment,
    boundary,
    call,
    file_of,
    reply,
    result,
    summary,
    text,
    thinking,
    user,
    uuid,
)
from tests.ordinary import ordinary_user
from workbench.cli import main

Captured = pytest.CaptureFixture[str]
Json = dict[str, Any]
TALK = (
    user(1, "go"),
    reply(2, "I look.", call("a"), message="m"),
    user(3, result("a", "x")),
    reply(4, "done"),
    user(5, "thanks"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(file_of(*TALK))
    return path


def export(path: Path, capsys: Captured, *options: str) -> list[Json]:
    assert main(["export", str(path), "--as", "messages", "-o", "-", *options]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    messages: list[Json] = json.loads(said.out)["messages"]
    return messages


def exported(records: Sequence[Record | bytes], tmp_path: Path, capsys: Captured, *options: str) -> list[Json]:
    path = tmp_path / "told.jsonl"
    path.write_bytes(file_of(*records))
    return export(path, capsys, *options)


def complaint(arguments: Sequence[str], capsys: Captured) -> str:
    assert main(["export", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("workbench: ") and said.err.count("\n") == 1
    return said.err.removeprefix("workbench: ").rstrip("\n")


def blocks(message: Json) -> list[str]:
    return [f"{b['type']}:{b.get('id') or b.get('tool_use_id') or b.get('text')}" for b in message["content"]]


# what is written


def test_the_messages_are_the_array(path: Path, capsys: Captured) -> None:
    assert export(path, capsys) == [
        {"role": "user", "content": [text("go")]},
        {"role": "assistant", "content": [text("I look."), call("a")]},
        {"role": "user", "content": [result("a", "x")]},
        {"role": "assistant", "content": [text("done")]},
        {"role": "user", "content": [text("thanks")]},
    ]


def test_for_people_it_is_laid_out_and_for_programs_on_one_line(path: Path, capsys: Captured) -> None:
    main(["export", str(path), "--as", "messages", "-o", "-"])
    laid_out = capsys.readouterr().out
    main(["export", str(path), "--as", "messages", "-o", "-", "--json"])
    compact = capsys.readouterr().out
    assert json.loads(laid_out) == json.loads(compact)
    assert laid_out.count("\n") > 20 and compact.count("\n") == 1


def test_behind_a_compaction_the_summary_begins(tmp_path: Path, capsys: Captured) -> None:
    kept = {"preservedMessages": {"anchorUuid": uuid(7), "uuids": [uuid(4)]}}
    found = exported((*TALK, boundary(6, metadata=kept), summary(7, "What was."), user(8, "on")), tmp_path, capsys)
    assert [(m["role"], blocks(m)) for m in found] == [
        ("user", ["text:What was."]),
        ("assistant", ["text:done"]),
        ("user", ["text:on"]),
    ]


def test_reminders_are_texts_that_begin_as_such_and_queued_prompts_are_plain(tmp_path: Path, capsys: Captured) -> None:
    told = (
        user(1, "go"),
        attachment(2, "file", filename="/a.py", content={"file": {"content": "x = 1"}}),
        {
            **attachment(3, "date", date="2026"),
            "rendered": [{"role": "user", "content": "Today is a day."}],
            "renderedRole": "user",
        },
        {**attachment(4, "model"), "rendered": [{"content": "<system-reminder>\nAs it was.\n</system-reminder>"}]},
        {**attachment(5, "model"), "rendered": None},
        attachment(6, "queued_command", prompt="and the tests"),
        attachment(7, "hook_success", content="not sent"),
        user(8, "on"),
    )
    (message,) = exported(told, tmp_path, capsys)
    assert message["content"] == [
        text("go"),
        text("<system-reminder>\n/a.py\nx = 1\n</system-reminder>"),
        text("<system-reminder>\nToday is a day.\n</system-reminder>"),
        text("<system-reminder>\nAs it was.\n</system-reminder>"),
        text("and the tests"),
        text("on"),
    ]


def test_what_the_agent_mends_is_mended(tmp_path: Path, capsys: Captured) -> None:
    told = (
        reply(1, "an old reply", parent=None),
        user(2, result("stray"), ""),
        reply(3, thinking(), "said", model="another-model"),
        user(4, "go"),
        reply(5, call("a"), call("b")),
        user(6, result("b")),
        reply(7, call("open")),
    )
    found = exported(told, tmp_path, capsys)
    assert found[2]["role"] == "user" and "left out" in found[2]["content"][0]["text"]  # it parts the two replies
    assert [(m["role"], blocks(m)) for m in (found[1], *found[3:])] == [
        ("assistant", ["text:an old reply"]),
        ("assistant", ["text:said"]),
        ("user", ["text:go"]),
        ("assistant", ["tool_use:a", "tool_use:b"]),
        ("user", ["tool_result:a", "tool_result:b"]),
        ("assistant", ["tool_use:open"]),
        ("user", ["tool_result:open"]),
    ]
    assert found[0]["role"] == "user"
    assert [b.get("is_error") for b in found[-3]["content"] + found[-1]["content"]] == [True, None, True]


def test_a_lone_surrogate_is_replaced_wherever_it_stands(path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    odd = "a\ud800b"
    told = (user(1, odd), reply(2, call("a", odd, **{odd: [odd, {odd: odd}, 1, None]})), user(3, result("a", [text(odd)])))
    path.write_bytes(file_of(*told))
    for options in ([], ["--json"]):
        assert main(["export", str(path), "--as", "messages", "-o", "-", *options]) == 0
        shown = capsysbinary.readouterr().out
        first, second, third = json.loads(shown.decode())["messages"]
        assert first["content"] == [text("a\ufffdb")]
        assert second["content"][0]["input"] == {"a\ufffdb": ["a\ufffdb", {"a\ufffdb": "a\ufffdb"}, 1, None]}
        assert third["content"][0]["content"] == [text("a\ufffdb")]


def test_a_number_beyond_all_bounds_is_null(path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    lines = file_of(user(1, "go"), reply(2, call("a", "Read", limit="LIMIT")), user(3, result("a")))
    path.write_bytes(lines.replace(b'"LIMIT"', b"1e999"))
    assert main(["export", str(path), "--as", "messages", "-o", "-"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["messages"][1]["content"][0]["input"] == {"limit": None}


def test_what_names_no_type_is_no_block_and_is_not_sent(path: Path, capsys: Captured) -> None:
    odd = ["loose", None, 5, {}, {"type": 7}, {"text": "no type"}]
    told = [user(1, "go"), reply(2, "a"), user(3, "on"), reply(4, "b")]
    told[0]["message"]["content"] = odd
    told[1]["message"]["content"] = [text("a"), *odd]
    path.write_bytes(file_of(*told))
    assert main(["export", str(path), "--as", "messages", "-o", "-"]) == 0
    sent = json.loads(capsys.readouterr().out)["messages"]
    assert [m["content"] for m in sent[1:]] == [[text("a")], [text("on")], [text("b")]]
    assert sent[0]["role"] == "user" and [b["type"] for b in sent[0]["content"]] == ["text"]


def test_images_and_blocks_nobody_knows_go_as_they_are(tmp_path: Path, capsys: Captured) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    odd = {"type": "hologram", "depth": [1, 2.5, {"x": None}]}
    assert exported((user(1, image, odd),), tmp_path, capsys)[0]["content"] == [image, odd]


# which array


def test_a_branch_and_a_point(tmp_path: Path, capsys: Captured) -> None:
    told = (user(1, "go"), reply(2, "left"), reply(3, "right", parent=1), user(4, "on", parent=3))
    assert blocks(exported(told, tmp_path, capsys)[1]) == ["text:right"]
    assert blocks(exported(told, tmp_path, capsys, "--leaf", uuid(2))[1]) == ["text:left"]
    assert [blocks(m) for m in exported(told, tmp_path, capsys, "--at", "3")] == [["text:go"], ["text:left"]]
    assert len(exported(told, tmp_path, capsys, "--at", "5")) == 3


def test_a_point_and_a_branch_exclude_each_other(path: Path, capsys: Captured) -> None:
    arguments = [str(path), "--as", "messages", "-o", "-", "--at", "2", "--leaf", uuid(2)]
    assert complaint(arguments, capsys) == "--at and --leaf exclude each other: the state before a line has one branch."


@pytest.mark.parametrize("line", ["0", "-1", "7", "99999999999"])
def test_a_line_outside_the_file_is_refused(line: str, path: Path, capsys: Captured) -> None:
    said = complaint([str(path), "--as", "messages", "-o", "-", "--at", line], capsys)
    assert said == f"There is no line {line}; the records of s.jsonl stand on the lines from 1 to 5."


RECORDED = (
    user(1, "go"),
    {"type": "api-request-blob", "hash": "h", "message": {"role": "user", "content": "go, as it was sent \ud800"}},
    {"type": "api-request", "id": "r", "keep": 0, "tail": ["h"]},
    reply(2, "done", requestRef="r"),
    user(3, "on"),
    reply(4, "not recorded"),
)


def test_a_recorded_request_is_the_answer_unless_it_is_to_be_ignored(tmp_path: Path, capsys: Captured) -> None:
    assert exported(RECORDED, tmp_path, capsys, "--at", "4") == [{"role": "user", "content": [text("go, as it was sent \ufffd")]}]
    assert exported(RECORDED, tmp_path, capsys, "--at", "4", "--recorded", "use")[0]["content"][0]["text"].startswith("go, as")
    assert exported(RECORDED, tmp_path, capsys, "--at", "4", "--recorded", "ignore") == [
        {"role": "user", "content": [text("go")]}
    ]
    assert len(exported(RECORDED, tmp_path, capsys, "--at", "6")) == 3


def test_what_would_be_sent_now_is_never_recorded(tmp_path: Path, capsys: Captured) -> None:
    assert blocks(exported(RECORDED[:4], tmp_path, capsys)[0]) == ["text:go"]


def test_a_recorded_request_with_a_part_missing_gives_way_to_our_own_assembly(tmp_path: Path, capsys: Captured) -> None:
    told = [r for r in RECORDED if r.get("hash") != "h"]
    assert exported(told, tmp_path, capsys, "--at", "3") == [{"role": "user", "content": [text("go")]}]


# requests as input


def test_a_request_keeps_what_stands_beside_its_messages(tmp_path: Path, capsys: Captured) -> None:
    request = {
        "model": MODEL,
        "system": "\ud800",
        "tools": [{"name": "Bash", "\udfff": 1}],
        "messages": [{"role": "user", "content": "go"}],
    }
    path = tmp_path / "request.json"
    path.write_text(json.dumps(request, indent=2))
    assert main(["export", str(path), "--as", "messages", "-o", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "model": MODEL,
        "system": "\ufffd",
        "tools": [{"name": "Bash", "\ufffd": 1}],
        "messages": [{"role": "user", "content": [text("go")]}],
    }


@pytest.mark.parametrize(
    "given",
    [["--variant", "full"], ["--instructions", "Briefly."], ["--keep", "x"], ["--summarizer", "recorded"], ["--preset", "2.1.7"]],
)
def test_options_of_a_compaction_are_refused_for_messages(given: list[str], path: Path, capsys: Captured) -> None:
    assert main(["export", str(path), "--as", "messages", *given, "-o", "-"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert f"runs no compaction and takes no {given[0]}; write it out with --as session." in said.err


def test_what_was_exported_is_read_again_as_the_same(path: Path, tmp_path: Path, capsys: Captured) -> None:
    once, twice = tmp_path / "once.json", tmp_path / "twice.json"
    assert main(["export", str(path), "--as", "messages", "-o", str(once)]) == 0
    assert main(["export", str(once), "--as", "messages", "-o", str(twice)]) == 0
    assert once.read_bytes() == twice.read_bytes()


# where it goes


def test_a_file_is_written_whole_and_nothing_is_said(path: Path, tmp_path: Path, capsys: Captured) -> None:
    before = path.stat()
    out = tmp_path / "out.json"
    assert main(["export", str(path), "--as", "messages", "-o", str(out)]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")
    assert len(json.loads(out.read_bytes())["messages"]) == 5 and out.read_bytes().endswith(b"}\n")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (file_of(*TALK), before.st_mtime_ns)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.json", "s.jsonl"]


@pytest.mark.parametrize("name", ["s.jsonl", "soft", "hard", "./s.jsonl"])
def test_the_session_is_never_written_to(name: str, path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    Path("soft").symlink_to("s.jsonl")
    Path("hard").hardlink_to("s.jsonl")
    for given in ("s.jsonl", str(path), "soft"):
        said = complaint([given, "--as", "messages", "-o", name], capsys)
        assert said == f"{Path(name)} is the file that was opened; name another one for the output."
    assert path.read_bytes() == file_of(*TALK)


def test_nor_is_a_request(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "request.json"
    path.write_text('{"messages": []}')
    assert "is the file that was opened" in complaint([str(path), "--as", "messages", "-o", str(path)], capsys)
    assert path.read_text() == '{"messages": []}'


def test_standard_input_can_go_to_any_file(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file_of(*TALK))))
    out = tmp_path / "out.json"
    out.write_bytes(b"old")
    assert main(["export", "-", "--as", "messages", "-o", str(out)]) == 0
    assert len(json.loads(out.read_bytes())["messages"]) == 5


def test_a_pipe_or_device_is_refused_and_stays(path: Path, tmp_path: Path, capsys: Captured) -> None:
    os.mkfifo(tmp_path / "pipe")
    said = complaint([str(path), "--as", "messages", "-o", str(tmp_path / "pipe")], capsys)
    assert said == f"{tmp_path}/pipe is not a file; name a file for the output."
    assert (tmp_path / "pipe").is_fifo()


def test_a_folder_that_is_missing_or_closed_is_told(path: Path, tmp_path: Path, capsys: Captured) -> None:
    said = complaint([str(path), "--as", "messages", "-o", str(tmp_path / "nowhere" / "out")], capsys)
    assert said == f"Cannot write {tmp_path}/nowhere/out: no such file or directory."
    content = path.read_bytes()
    with ordinary_user() as folder:
        (folder / "s.jsonl").write_bytes(content)
        folder.chmod(0o500)
        said = complaint([str(folder / "s.jsonl"), "--as", "messages", "-o", str(folder / "out")], capsys)
        assert said == f"Cannot write {folder}/out: permission denied."
        assert [p.name for p in folder.iterdir()] == ["s.jsonl"]


def test_a_folded_session_holds_every_reply_once(tmp_path: Path, capsys: Captured) -> None:
    """Copies have message ids of their own, shared by the rows of one reply, and no usage of a context that is gone."""
    told = [row for n in range(1, 13, 2) for row in (user(n, f"ask {n}"), reply(n + 1, f"answer {n}", message=f"m{n}"))]
    told.append(reply(13, "and more", message="m11"))
    path, out = tmp_path / "s.jsonl", tmp_path / "folded.jsonl"
    path.write_bytes(file_of(*told))
    assert main(["export", str(path), "--as", "session", "--variant", "fold", "-o", str(out)]) == 0
    copies = [r for r in map(json.loads, out.read_bytes().splitlines()[13:]) if r["type"] == "assistant"]
    ids = [r["message"]["id"] for r in copies]
    assert not {r["message"]["id"] for r in told if r["type"] == "assistant"} & set(ids)
    assert ids[-1] == ids[-2] and len(set(ids)) == len(ids) - 1
    assert not any(any(r["message"]["usage"].values()) for r in copies)
    capsys.readouterr()
    assert main(["inspect", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["context"]["source"] == "boundary"


def test_a_report_is_written_with_the_options_of_a_compaction(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "sample_sessions" / "02-two-auto-compactions.jsonl"
    out = tmp_path / "report.html"
    assert main(["export", str(sample), "--as", "report", "--at", "150", "--variant", "full", "-o", str(out)]) == 0
    page = out.read_text()
    assert page.startswith("<!doctype html>") and "Simulated before line 150: full, manual" in page
    assert main(["export", str(sample), "--as", "report", "-o", str(sample)]) == 2


# what the API would refuse


def told_beside(given: bytes, tmp_path: Path, capsys: Captured, *options: str) -> tuple[list[Json], str]:
    """The messages, and what is said on stderr."""
    path = tmp_path / ("told.json" if given[:1] == b"[" or b'"messages"' in given[:20] else "told.jsonl")
    path.write_bytes(given)
    assert main(["export", str(path), "--as", "messages", "-o", "-", *options]) == 0
    said = capsys.readouterr()
    return json.loads(said.out)["messages"], said.err


@pytest.mark.parametrize("id", ["", None, "a b"])
def test_an_id_that_the_agent_sends_as_it_is_stays_and_is_told(id: str | None, tmp_path: Path, capsys: Captured) -> None:
    asked, answer = call("x"), result("x")
    asked["id"] = answer["tool_use_id"] = id
    sent, said = told_beside(file_of(user(1, "q"), reply(2, asked), user(3, answer), reply(4, "k")), tmp_path, capsys)
    assert (sent[1]["content"][0]["id"], sent[2]["content"][0]["tool_use_id"]) == (id, id)
    assert said.startswith("workbench: The agent sends this array as it is, but it may be refused: ")
    assert "messages.1.content.0.id: String should match pattern" in said and said.count("\n") == 1


def test_a_number_and_the_string_that_looks_like_it_are_two_ids(tmp_path: Path, capsys: Captured) -> None:
    asked, answer = call("x"), result("5")
    asked["id"] = 5
    sent, _ = told_beside(file_of(user(1, "q"), reply(2, asked), user(3, answer), reply(4, "k")), tmp_path, capsys)
    assert [m["role"] for m in sent] == ["user", "assistant"]
    assert not [b for m in sent for b in m["content"] if b["type"] in ("tool_use", "tool_result")]


def test_the_error_result_of_an_odd_id_has_that_id(tmp_path: Path, capsys: Captured) -> None:
    asked = call("x")
    asked["id"] = [None]
    sent, said = told_beside(file_of(user(1, "q"), reply(2, asked)), tmp_path, capsys)
    assert [sent[1]["content"][0]["id"], sent[2]["content"][0]["tool_use_id"]] == [[None], [None]]
    assert "messages.1.content.0.id" in said


def test_replies_in_a_row_are_sent_so_and_told(tmp_path: Path, capsys: Captured) -> None:
    sent, said = told_beside(file_of(user(1, "q"), reply(2, "a"), reply(3, "b")), tmp_path, capsys)
    assert [m["role"] for m in sent] == ["user", "assistant", "assistant"]
    assert "roles must alternate" in said and "and 1 more" not in said


def test_an_empty_message_between_two_replies_parts_them(tmp_path: Path, capsys: Captured) -> None:
    for nothing in ("", "  ", text("")):
        sent, said = told_beside(file_of(user(1, "q"), reply(2, "a"), user(3, nothing), reply(4, "b")), tmp_path, capsys)
        assert ([m["role"] for m in sent], said) == (["user", "assistant", "user", "assistant"], "")
        assert sent[2]["content"][0]["text"].strip()


def test_before_the_first_line_there_is_nothing_and_that_is_said(path: Path, capsys: Captured) -> None:
    assert main(["export", str(path), "--as", "messages", "-o", "-", "--at", "1"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == {"messages": []}
    assert said.err.startswith("workbench: There is no message before line 1") and said.err.count("\n") == 1


def test_a_request_becomes_valid(tmp_path: Path, capsys: Captured) -> None:
    """Nobody sent it yet: ids, names and inputs of calls, thinking at the end, replies in a row."""
    value = {
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": 5, "name": None, "input": "x"}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": 5, "content": "y"}]},
            {"role": "assistant", "content": [call("a b"), {"type": "tool_use"}, thinking()]},
            {"role": "user", "content": [result("a b"), {"type": "tool_result", "content": "z"}]},
            {"role": "assistant", "content": "one"},
            {"role": "assistant", "content": "two"},
        ]
    }
    sent, said = told_beside(json.dumps(value).encode(), tmp_path, capsys)
    assert said == ""
    assert [m["role"] for m in sent] == ["user", "assistant", "user", "assistant", "user", "assistant"]
    assert sent[1]["content"] == [{"type": "tool_use", "id": "5", "name": "unnamed", "input": {"value": "x"}}]
    assert [b["id"] for b in sent[3]["content"]] == ["a_b", "call"]
    assert [b.get("tool_use_id") for m in sent for b in m["content"] if b["type"] == "tool_result"] == ["5", "a_b", "call"]
    assert [b["text"] for b in sent[5]["content"]] == ["one", "two"]


def test_an_id_made_for_a_request_is_nobody_elses(tmp_path: Path, capsys: Captured) -> None:
    value = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [call("a_b"), call("a b"), call("a.b")]},
        {"role": "user", "content": [result("a.b"), result("a b"), result("a_b")]},
    ]
    sent, _ = told_beside(json.dumps(value).encode(), tmp_path, capsys)
    asked = [b["id"] for b in sent[1]["content"]]
    assert len(set(asked)) == 3 and asked[0] == "a_b"
    assert [b["tool_use_id"] for b in sent[2]["content"]] == asked[::-1]


def test_an_input_nested_deeply_is_written_out(tmp_path: Path, capsys: Captured) -> None:
    deep = b'{"x":' + b"[" * 900 + b"]" * 900 + b"}"
    content = file_of(user(1, "q"), reply(2, call("a")), user(3, result("a"))).replace(b'{"command":"ls"}', deep)
    sent, _ = told_beside(content, tmp_path, capsys)
    found, depth = sent[1]["content"][0]["input"]["x"], 1
    while found:
        found, depth = found[0], depth + 1
    assert depth == 900
