"""The command line as a whole: exit codes, one sentence for every error, nothing that acts on a terminal, help for everything."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import call, file_of, reply, result, user
from tests.ordinary import ordinary_user
from tests.tools.processes import clean_environment
from tests.tools.pty_screen import PtyScreen
from workbench.cli import COMMANDS, main, output

Captured = pytest.CaptureFixture[str]
WORKBENCH = Path(sys.executable).with_name("workbench")
TALK = (user(1, "go"), reply(2, call("a")), user(3, result("a")), reply(4, "done"))
HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\x00\x08\r\x7f\u202e"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
ARGUMENTS = {"export": ["--as", "messages", "-o", "-"]}
TEXT = [name for name in COMMANDS if name != "export"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(file_of(*TALK))
    return path


def command(name: str, path: object) -> list[str]:
    return [name, str(path), *ARGUMENTS.get(name, [])]


def complaint(arguments: list[str], capsys: Captured) -> str:
    """What is said of wrong use: one sentence on stderr, exit 2, nothing on stdout."""
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("workbench: ") and said.err.endswith(".\n") and said.err.count("\n") == 1, said.err
    return said.err.removeprefix("workbench: ").rstrip("\n")


# exit codes and sentences


@pytest.mark.parametrize("name", COMMANDS)
def test_a_sound_session_is_no_error(name: str, path: Path, capsys: Captured) -> None:
    code = main(command(name, path))
    said = capsys.readouterr()
    assert code == (1 if name == "compact" else 0)  # it does not fire
    assert said.out and said.err == ""


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("content", [None, b"", b"no session\n", b"\xff" * 3000, b"{}"])
def test_what_cannot_be_read_is_one_sentence(name: str, content: bytes | None, path: Path, capsys: Captured) -> None:
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    assert str(path.name) in complaint(command(name, path), capsys)
    assert complaint([*command(name, path), "--json"], capsys)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["inspect"], "The following arguments are required: PATH; see `workbench inspect --help`."),
        (["inspect", "a", "b"], "Unrecognized arguments: b; see `workbench --help`."),
        (["inspect", "--bogus", "a"], "Unrecognized arguments: --bogus; see `workbench --help`."),
        (["--bogus"], "Unrecognized arguments: --bogus; see `workbench --help`."),
        (["inspect", "a", "--leaf"], "Argument --leaf: expected one argument; see `workbench inspect --help`."),
        (["export", "a", "-o", "-"], "The following arguments are required: --as; see `workbench export --help`."),
        (
            ["export", "a", "--as", "messages", "-o", "-", "--at", "x"],
            "Argument --at: invalid int value: 'x'; see `workbench export --help`.",
        ),
        (["inspekt", "a"], "Unrecognized arguments: a; see `workbench --help`."),
    ],
)
def test_wrong_use_is_one_sentence_that_leads_to_help(arguments: list[str], said: str, capsys: Captured) -> None:
    assert complaint(arguments, capsys) == said


@pytest.mark.parametrize("option", ["--estimator", "--profile", "--settings"])
def test_a_choice_that_is_none_names_the_choices(option: str, path: Path, capsys: Captured) -> None:
    said = complaint(["inspect", str(path), option, "bogus"], capsys)
    assert said.startswith(f"Argument {option}: invalid choice: 'bogus' (choose from ")


@pytest.mark.parametrize("name", [n for n in COMMANDS if n not in ("compact",)])
def test_a_leaf_that_is_nowhere_is_one_sentence(name: str, path: Path, capsys: Captured) -> None:
    assert complaint([*command(name, path), "--leaf", "nobody"], capsys).startswith("No row has the uuid nobody; ")


@pytest.mark.parametrize("name", ["inspect", "doctor"])
def test_a_folder_that_may_not_be_listed_is_one_sentence(name: str, capsys: Captured) -> None:
    with ordinary_user() as folder:
        (folder / "s.jsonl").write_bytes(file_of(*TALK))
        folder.chmod(0)
        assert complaint([name, str(folder)], capsys) == f"Cannot read {folder}: permission denied."


@pytest.mark.parametrize("name", TEXT)
def test_an_empty_path_is_one_sentence(name: str, capsys: Captured) -> None:
    assert "is empty; give the path" in complaint(command(name, ""), capsys)


def test_a_name_that_holds_a_line_break_stays_on_its_line(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "two\nlines.jsonl").write_bytes(file_of(*TALK))
    assert main(["inspect", str(tmp_path)]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 1 and rows[0].startswith("two\u240alines") and head.startswith("session")


def test_stopping_by_hand_is_said_and_is_no_success(path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(output, "write_lines", stop)
    assert main(["inspect", str(path)]) == 130
    assert capsys.readouterr().err == "workbench: Stopped.\n"


def test_nesting_that_is_too_deep_is_one_sentence(path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("workbench.cli.export.as_request", too_deep)
    assert complaint(command("export", path), capsys) == "A value in the session is nested too deeply to be handled."


# help


def test_help_names_every_command_and_what_path_may_be(capsys: Captured) -> None:
    for arguments in (["--help"], ["-h"]):
        assert main(arguments) == 0
        said = capsys.readouterr()
        assert said.err == "" and said.out.startswith("usage: workbench [PATH]\n")
        assert not [name for name in COMMANDS if f"\n    {name} " not in said.out]
        assert "- for\nstandard input" in said.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_for_each_of_its_options(name: str, capsys: Captured) -> None:
    assert main([name, "--help"]) == main(["--help", name]) == main([name, "x", "-h"]) == 0
    said = capsys.readouterr()
    assert said.err == "" and said.out.startswith(f"usage: workbench {name} ")
    options = [line.strip() for line in said.out.split("\n") if line.startswith("  -")]
    assert len(options) > 7 and not CONTROL.search(said.out)


def test_the_screen_has_help_too(capsys: Captured) -> None:
    assert main(["s.jsonl", "--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: workbench [-h] [--version] [--profile ")


def test_the_version(capsys: Captured) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(r"workbench \d+\.\d+\.\d+\n", capsys.readouterr().out)


# what reaches a terminal


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A session that says to the terminal whatever it can, in every place that is shown."""
    told = [
        user(1, HOSTILE, version=HOSTILE, sessionId=HOSTILE),
        reply(2, call("toolu_" + HOSTILE, HOSTILE, command=HOSTILE), model=HOSTILE),
        user(3, result("unasked" + HOSTILE, HOSTILE)),
        reply(4, HOSTILE, {"type": HOSTILE}, isApiErrorMessage=True),
        {"type": HOSTILE, "uuid": HOSTILE, "parentUuid": HOSTILE + "gone"},
        user(5, HOSTILE, parent=HOSTILE + "nowhere"),
    ]
    path = tmp_path / f"s{HOSTILE.replace(chr(0), '')}.jsonl"
    path.write_bytes(file_of(*told))
    return path


@pytest.mark.parametrize("name", TEXT)
def test_nothing_that_a_session_holds_acts_on_the_terminal(name: str, hostile: Path, capsys: Captured) -> None:
    assert main(command(name, hostile)) in (0, 1)
    said = capsys.readouterr()
    assert said.out and not CONTROL.search(said.out + said.err)


def test_nor_does_what_is_complained_of(capsys: Captured) -> None:
    for arguments in (["inspect", f"no\nsuch\t{HOSTILE}"], ["inspect", "x", f"--{HOSTILE}"], ["inspect", "x", "--set", HOSTILE]):
        assert not CONTROL.search(complaint(arguments, capsys))


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1", "TERM": "xterm-256color"}], ids=str)
def test_text_that_is_piped_has_no_colours(
    name: str, variables: dict[str, str], path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    main(command(name, path))
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_json_is_one_object_on_one_line_and_nothing_else(name: str, path: Path, capsys: Captured) -> None:
    main([*command(name, path), "--json"])
    said = capsys.readouterr()
    assert said.err == "" and said.out.count("\n") == 1
    assert isinstance(json.loads(said.out), dict)


@pytest.mark.parametrize("name", COMMANDS)
def test_json_is_valid_whatever_the_session_holds(name: str, path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    odd = "\ud800 \u2028 \0 \x1b 👍"
    path.write_bytes(
        file_of(
            user(1, odd, version=odd),
            reply(2, call("a" + odd, odd, x=odd), model=odd),
            {"type": odd, "uuid": odd, "parentUuid": odd},
        )
    )
    main([*command(name, path), "--json"])
    json.loads(capsysbinary.readouterr().out.decode())


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_terminal_will_do(encoding: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(file_of(*TALK, reply(5, "x", model="modèle-👍")))
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding=encoding))
    assert main(["inspect", str(path)]) == 0
    assert {"ascii": "mod?le-?", "latin-1": "modèle-?", "utf-8": "modèle-👍"}[encoding] in shown.getvalue().decode(encoding)


# where the output goes


def run(arguments: list[str], redirected: str, tmp_path: Path) -> tuple[int, str]:
    """Exit code and stderr of the installed command with its stdout redirected by a shell."""
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirected}', "sh", str(WORKBENCH), *arguments],
        capture_output=True, text=True, check=False, env=clean_environment(tmp_path),
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "JSON"])
def test_a_full_disk_is_one_sentence(form: list[str], path: Path, tmp_path: Path) -> None:
    code, said = run(["inspect", str(path), *form], ">/dev/full", tmp_path)
    assert (code, said) == (2, "workbench: Cannot write to standard output: no space left on device.\n")


def test_a_closed_output_is_one_sentence(path: Path, tmp_path: Path) -> None:
    code, said = run(["inspect", str(path)], ">&-", tmp_path)
    assert (code, said) == (2, "workbench: There is no standard output to write to; redirect it to a file.\n")


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "JSON"])
def test_a_reader_that_went_away_is_no_error(form: list[str], path: Path, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    arguments = [WORKBENCH, "inspect", path, *form]
    done = subprocess.run(
        arguments, stdout=writing, stderr=subprocess.PIPE, text=True, check=False, env=clean_environment(tmp_path)
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


# the screen


@pytest.mark.parametrize("arguments", [[], ["PATH"]])
def test_without_a_terminal_the_screen_says_what_to_do(arguments: list[str], path: Path, capsys: Captured) -> None:
    said = complaint([str(path) for _ in arguments], capsys)
    assert said == "The screen needs a terminal; `workbench inspect PATH` prints what is in a session."


def test_what_cannot_be_opened_is_told_before_the_screen_is_taken(tmp_path: Path, capsys: Captured) -> None:
    assert complaint([str(tmp_path / "gone.jsonl")], capsys).startswith("There is no file ")


def test_a_session_from_standard_input_is_shown_and_the_keys_come_from_the_terminal(path: Path, tmp_path: Path) -> None:
    argv = ["sh", "-c", f"'{WORKBENCH}' - <'{path}'"]
    with PtyScreen(argv, clean_environment(tmp_path)) as screen:
        screen.wait_for("standard input")
        assert screen.quit() == 0


# loading


def test_only_the_command_that_is_named_is_loaded(path: Path, tmp_path: Path) -> None:
    ask = (
        f"import json, sys; from workbench.cli import main; main(['timeline', {str(path)!r}]); print(json.dumps([*sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", ask], capture_output=True, text=True, check=True, env=clean_environment(tmp_path)
    )
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert {f"workbench.cli.{name}" for name in COMMANDS} & set(loaded) == {"workbench.cli.timeline"}


def test_a_screen_that_is_told_to_end_gives_the_terminal_back(path: Path, tmp_path: Path) -> None:
    with PtyScreen([str(WORKBENCH), str(path)], clean_environment(tmp_path)) as screen:
        screen.wait_for(r"\bassistant\b")
        os.kill(screen.pid, signal.SIGTERM)
        screen.watch(10)
        assert screen.ended and "\x1b[?1049l" in screen.raw
