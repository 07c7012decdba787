"""Where settings come from: what the session recorded, the user's file, the environment if asked, one by one by flag."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from tests.builders import file_of, reply, user
from tests.ordinary import ordinary_user
from workbench.cli import main
from workbench.cli.screen import user_keys

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A session of an agent whose reserve was still 32,000 tokens."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(file_of(user(1, "go", version="2.1.7"), reply(2, "done", version="2.1.7")))
    return path


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's settings file; the test writes it."""
    monkeypatch.setenv("WORKBENCH_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    return tmp_path / "config" / "settings.toml"


def threshold(path: Path, capsys: Captured, *options: str) -> int:
    assert main(["inspect", str(path), "--json", *options]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    auto: int = found["threshold"]["auto"]
    return auto


def complaint(arguments: list[str], capsys: Captured) -> str:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("workbench: ") and said.err.endswith(".\n") and said.err.count("\n") == 1
    return said.err.removeprefix("workbench: ").rstrip("\n")


def test_the_recorded_version_decides_where_nothing_else_does(path: Path, capsys: Captured) -> None:
    assert threshold(path, capsys) == 200_000 - 32_000 - 13_000


def test_a_flag_counts_and_the_later_of_two(path: Path, capsys: Captured) -> None:
    assert threshold(path, capsys, "--set", "autocompactBuffer=1000") == 167_000
    assert threshold(path, capsys, "--set", "autocompactBuffer=1", "--set", "AUTOCOMPACT_BUFFER_TOKENS=2000") == 166_000


def test_the_file_counts_unless_told_otherwise_and_a_flag_more(path: Path, file: Path, capsys: Captured) -> None:
    file.write_text("[settings]\nautocompactBuffer = 3000\n")
    assert threshold(path, capsys) == 165_000
    assert threshold(path, capsys, "--settings", "file") == 165_000
    assert threshold(path, capsys, "--settings", "none") == 155_000
    assert threshold(path, capsys, "--settings", "env") == 155_000
    assert threshold(path, capsys, "--set", "autocompactBuffer=1000") == 167_000


def test_the_environment_counts_only_when_asked_for(path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000")
    monkeypatch.setenv("CLAUDE_CODE_SOMETHING_ELSE", "1")
    assert threshold(path, capsys) == 155_000
    assert threshold(path, capsys, "--settings", "env") == 100_000 - 45_000


def test_a_profile_is_chosen_by_name(path: Path, capsys: Captured) -> None:
    found = []
    for profile in ("articles", "observed-2.1.332"):
        assert main(["inspect", str(path), "--json", "--profile", profile]) == 0
        found.append(json.loads(capsys.readouterr().out)["threshold"]["auto"])
    assert found == [155_000, None]


@pytest.mark.parametrize("command", [["inspect"], ["timeline"]])
def test_an_unknown_name_is_refused_naming_the_nearest(command: list[str], path: Path, capsys: Captured) -> None:
    said = complaint([*command, str(path), "--set", "autocompactBufer=5"], capsys)
    assert said == "There is no setting 'autocompactBufer'; the nearest is autocompactBuffer."


def test_a_setting_without_value_is_refused(path: Path, capsys: Captured) -> None:
    assert complaint(["inspect", str(path), "--set", "autocompactBuffer"], capsys).startswith("Write a setting as NAME=VALUE")


def test_an_unknown_name_in_the_file_is_refused_too(path: Path, file: Path, capsys: Captured) -> None:
    file.write_text("[settings]\nautocompactBufer = 5\n")
    said = complaint(["inspect", str(path)], capsys)
    assert said.startswith(f"{file}: ") and "the nearest is autocompactBuffer" in said


@pytest.mark.parametrize("broken", ["[settings\n", "settings = \n", "a = 1\na = 2\n", "\0", "[settings]\nwindow = 1 2"])
def test_broken_toml_is_told_with_a_way_out(broken: str, path: Path, file: Path, capsys: Captured) -> None:
    file.write_text(broken)
    said = complaint(["inspect", str(path)], capsys)
    assert said.startswith(f"{file} is not valid TOML (") and said.endswith("; mend it or use --settings none.")
    assert threshold(path, capsys, "--settings", "none") == 155_000


@pytest.mark.parametrize("value", ["5", '"x"', "[1]", "true"])
def test_settings_that_are_no_table_are_told(value: str, path: Path, file: Path, capsys: Captured) -> None:
    file.write_text(f"settings = {value}\n")
    assert complaint(["inspect", str(path)], capsys).startswith(f"settings in {file} is no table: write it as [settings], ")


def test_an_empty_file_and_other_tables_say_nothing(path: Path, file: Path, capsys: Captured) -> None:
    for content in ("", "# nothing yet\n", '[keys]\nhelp = "f1"\n', "[settings]\n"):
        file.write_text(content)
        assert threshold(path, capsys) == 155_000


def test_a_value_that_cannot_be_read_is_ignored_as_the_agent_ignores_it(path: Path, file: Path, capsys: Captured) -> None:
    file.write_text('[settings]\nautoCompactWindow = "abc"\n')
    assert threshold(path, capsys) == 155_000


def test_what_is_ignored_is_said_once_with_where_it_stands_and_why(path: Path, file: Path, capsys: Captured) -> None:
    file.write_text('[settings]\nkeepRecent = "some"\n')
    (path.parent / "another.jsonl").write_bytes(path.read_bytes())
    flags = ("--set", "window=abc", "--set", "autoCompactPercent=nan", "--set", "maxOutputTokens=-5")
    for target in (path, path.parent):
        assert main(["inspect", str(target), *flags]) == 0
        assert sorted(capsys.readouterr().err.splitlines()) == [
            "workbench: autoCompactPercent=nan (flag) is ignored: it is not a number.",
            f"workbench: keepRecent=some (file {file}) is ignored: it is not a whole number from 0.",
            "workbench: maxOutputTokens=-5 (flag) is ignored: it is not positive.",
            "workbench: window=abc (flag) is ignored: it is not a number.",
        ]


@pytest.mark.parametrize("window", ["500k", "20000"])
def test_a_window_that_leaves_no_threshold_hides_nothing_else(
    window: str, path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_AUTO_COMPACT_WINDOW", window)
    assert main(["inspect", str(path), "--settings", "env", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    shown = found["threshold"]
    assert (shown["auto"], shown["effective"], shown["warning"], shown["manual"]) == (None, None, None, None)
    assert shown["source"] == "refused" and "leaves no threshold; raise autoCompactWindow" in shown["why"]
    assert found["window"]["tokens"] == 200_000 and found["array"]["messages"] == 2
    assert main(["inspect", str(path), "--settings", "env"]) == 0
    assert "fires at     - (effective window -" in capsys.readouterr().out


def test_a_file_that_may_not_be_read_is_told(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    content = path.read_bytes()
    with ordinary_user() as folder:
        (folder / "s.jsonl").write_bytes(content)
        (folder / "config").mkdir()
        file = folder / "config" / "settings.toml"
        file.write_text("[settings]\n")
        monkeypatch.setenv("WORKBENCH_CONFIG_DIR", str(folder / "config"))
        for closed in (file, file.parent):
            closed.chmod(0)
            said = complaint(["inspect", str(folder / "s.jsonl")], capsys)
            assert said == f"Cannot read {file}: permission denied."
        assert main(["inspect", str(folder / "s.jsonl"), "--settings", "none"]) == 0


def test_the_users_keys_come_from_the_same_file(file: Path) -> None:
    assert user_keys(Namespace(settings="file")) == {}
    file.write_text('[keys]\nhelp = "f1"\nquit = "q,ctrl+q"\nodd = 5\n')
    assert user_keys(Namespace(settings="file")) == {"help": "f1", "quit": "q,ctrl+q", "odd": "5"}
    assert user_keys(Namespace(settings="none")) == {}


def test_keys_that_are_no_table_are_told_before_the_screen_is_taken(path: Path, file: Path, capsys: Captured) -> None:
    file.write_text("keys = 5\n")
    assert complaint([str(path)], capsys).startswith(f"keys in {file} is no table: ")


def test_the_time_that_counts_as_now_is_named_by_a_flag(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(file_of(user(1, "go", timestamp="2026-03-01T09:00:00Z"), reply(2, "done", timestamp="2026-03-01T09:00:00Z")))
    assert main(["compact", str(path), "--variant", "micro-time", "--json", "--now", "2026-03-01T11:00:00Z"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["settings"]["now"] == {"value": "2026-03-01T11:00:00Z", "source": "flag"}
    assert found["reason"].startswith("120.0 minutes")


def test_what_is_no_time_is_refused(path: Path, capsys: Captured) -> None:
    assert main(["inspect", str(path), "--now", "yesterday"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and "'yesterday' is no time; write it as 2026-03-01T09:00:00Z" in told.err
