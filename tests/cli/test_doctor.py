"""`workbench doctor`: what it prints, its exit codes, and the copy that it writes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import call, file_of, reply, result, user
from workbench.cli import main

BROKEN = file_of(user(1, "run it"), reply(2, "Running.", call("toolu_a")), user(3, "stop"), reply(4, "ok"))
SOUND = file_of(user(1, "run it"), reply(2, call("toolu_a")), user(3, result("toolu_a")), reply(4, "ok"))


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.jsonl"
    path.write_bytes(BROKEN)
    return path


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_sound_session_says_so_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sound.jsonl"
    path.write_bytes(SOUND)
    assert main(["doctor", str(path)]) == 0
    assert capsys.readouterr().out == "sound.jsonl: no fault, 4 messages in the array\n"


def test_a_fault_can_be_pasted_into_an_issue(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", str(broken)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "broken.jsonl: 1 fault, 1 repairable, 4 messages in the array"
    assert "  1. unanswered-call: array, lost, line 2, messages[1]" in lines
    assert (
        "     API      messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_a."
        in "\n".join(lines)
    )
    assert "     on load  drops the call" in lines
    assert '-message.content[1]: {"type":"tool_use","id":"toolu_a","name":"Bash","input":{"command":"ls"}}' in lines
    assert "\x1b" not in "".join(lines)


def test_json_holds_the_contract_and_more(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", str(broken), "--json"]) == 1
    value = printed(capsys)
    (fault,) = value["faults"]
    assert {"kind", "class", "level", "line", "message_index", "id", "api_error", "advice", "repairable"} <= fault.keys()
    assert (fault["kind"], fault["class"], fault["level"], fault["line"], fault["id"]) == (
        "unanswered-call",
        "lost",
        "array",
        2,
        "toolu_a",
    )
    assert value["counts"] == {"unanswered-call": 1}
    assert value["repair"]["changes"][0]["kind"] == "drop-call"
    assert "written" not in value


def test_fix_writes_a_checked_copy_and_leaves_the_session_alone(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = broken.with_name("mended.jsonl")
    assert main(["doctor", str(broken), "--fix", "-o", str(out)]) == 1
    assert capsys.readouterr().out.endswith(f"{out} is written, 1 change; read back and checked: no fault is left.\n")
    assert broken.read_bytes() == BROKEN
    assert main(["doctor", str(out), "--json"]) == 0
    assert out.read_bytes().splitlines()[2:] == BROKEN.splitlines()[2:]


def test_fix_to_standard_output_prints_the_copy_alone(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", str(broken), "--fix", "-o", "-"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_fix_of_a_sound_session_is_a_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "sound.jsonl", tmp_path / "copy.jsonl"
    path.write_bytes(SOUND)
    assert main(["doctor", str(path), "--fix", "-o", str(out), "--json"]) == 0
    assert printed(capsys)["written"]["faults_left"] == {}
    assert out.read_bytes() == SOUND


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--fix"], "go together"),
        (["-o", "x.jsonl"], "go together"),
        (["--fix", "-o", "SAME"], "is the file that was opened"),
        (["--fix", "-o", "x.jsonl", "--leaf", "y"], "leave --leaf out"),
        (["--leaf", "nobody"], "No row has the uuid"),
    ],
)
def test_wrong_use_is_one_sentence(broken: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = [str(broken) if word == "SAME" else word for word in arguments]
    assert main(["doctor", str(broken), *given]) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert broken.read_bytes() == BROKEN


@pytest.mark.parametrize("target", ["copy.jsonl", "-"])
def test_where_nothing_would_be_left_fix_refuses_and_writes_nothing(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hollow.jsonl").write_bytes(file_of(user(1, ""), reply(2), user(3, None)))
    assert main(["doctor", "hollow.jsonl", "--fix", "-o", target]) == 2
    out, err = capsys.readouterr()
    assert (out, [p.name for p in tmp_path.iterdir()]) == ("", ["hollow.jsonl"])
    assert err.count("\n") == 1
    assert "no message" in err
    assert main(["doctor", "hollow.jsonl"]) == 1
    assert "0 repairable" in capsys.readouterr().out


def test_what_only_trying_shows_to_leave_nothing_is_not_called_repairable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hollow.json"
    talked_over = [
        {"role": "user", "content": ""},
        {"role": "assistant", "content": [call("a")]},
        {"role": "user", "content": " "},
    ]
    path.write_text(json.dumps(talked_over))
    assert main(["doctor", str(path)]) == 1
    out = capsys.readouterr().out
    assert "0 repairable" in out
    assert "nothing can be sent" in out


def test_a_request_is_never_written_over_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "request.json"
    path.write_text(json.dumps([{"role": "user", "content": ""}, {"role": "user", "content": "hi"}]))
    monkeypatch.chdir(tmp_path.parent)
    assert main(["doctor", str(path), "--fix", "-o", str(path)]) == 2
    assert main(["doctor", str(path), "--fix", "-o", str(tmp_path / "mended.json")]) == 1
    assert json.loads((tmp_path / "mended.json").read_text()) == [{"role": "user", "content": "hi"}]


def test_a_folder_is_a_line_a_session(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (broken.parent / "sound.jsonl").write_bytes(SOUND)
    (broken.parent / "empty.jsonl").write_bytes(b"")
    assert main(["doctor", str(broken.parent)]) == 1
    told = capsys.readouterr()
    assert [line.split() for line in sorted(told.out.splitlines())] == [
        ["broken", "1", "1", "unanswered-call", "1"],
        ["session", "faults", "repairable", "kinds"],
        ["sound", "0", "0"],
    ]
    assert "empty.jsonl" in told.err
    assert main(["doctor", str(broken.parent), "--json"]) == 1
    assert {Path(s["path"]).name: len(s.get("faults", ())) for s in printed(capsys)["sessions"]} == {
        "broken.jsonl": 1,
        "sound.jsonl": 0,
        "empty.jsonl": 0,
    }
    assert main(["doctor", str(broken.parent), "--fix", "-o", "x"]) == 2


def test_many_faults_of_a_kind_and_a_long_repair_are_cut_and_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.jsonl"
    rows = [row for n in range(100) for row in (user(2 * n + 1, "hi"), reply(2 * n + 2, call(f"toolu_{n}")))]
    path.write_bytes(file_of(*rows, user(999, "so")))
    assert main(["doctor", str(path)]) == 1
    out = capsys.readouterr().out
    assert "and 80 more of the kind unanswered-call (--json lists them all)" in out
    assert "more lines (--diff shows them all)" in out
    assert main(["doctor", str(path), "--diff"]) == 1
    assert "more lines" not in capsys.readouterr().out


def test_every_case_gets_the_diagnosis_it_is_known_for(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = {
        "B01": ("unanswered-call", "lost"),
        "B02": ("unasked-result", "cut off by a boundary"),
        "B03": ("misplaced-result", "misplaced"),
        "B05": ("duplicate-result", "duplicate"),
        "B10": ("misplaced-result", "misplaced"),
        "B105": ("skill-lost", "lost"),
        "B20": ("empty-text", "empty"),
        "B29": ("lone-surrogate", "bytes"),
        "B33": ("conflicting-uuid", "duplicate"),
        "B37": ("two-branches", "tree"),
        "B45": ("boundary-bypassed", "boundary"),
        "B47": ("boundary-without-metadata", "boundary"),
        "B89": ("damaged-line", "damage"),
    }
    for path in sorted((shared / "cases").glob("*.jsonl")):
        code = main(["doctor", str(path), "--json"])
        kinds = [(f["kind"], f["class"]) for f in printed(capsys)["faults"]]
        known = expected.get(path.name.partition("-")[0])
        assert (path.name, known in kinds if known else not kinds, code) == (path.name, True, 1 if known else 0)
