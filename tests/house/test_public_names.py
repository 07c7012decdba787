"""Names others rely on: changing one is a decision, taken here and told in the README."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from workbench import errors
from workbench.cli import COMMANDS, main

ERRORS = {
    "WorkbenchError": "Exception",
    "UsageError": "WorkbenchError",
    "SessionError": "WorkbenchError",
    "SessionNotFound": "SessionError",
    "NotASession": "SessionError",
    "ChangedMeanwhile": "WorkbenchError",
    "WriteRefused": "WorkbenchError",
    "CountingError": "WorkbenchError",
}
SUB_COMMANDS = {"inspect", "compact", "doctor", "explain", "replay", "loss", "timeline", "notes", "export"}
OPTIONS_OF_ALL = {"--json", "--leaf", "--estimator", "--profile", "--settings", "--set", "--now"}


def test_the_errors_and_their_family() -> None:
    defined = {name: each for name, each in vars(errors).items() if inspect.isclass(each)}
    assert {name: each.__base__.__name__ for name, each in defined.items()} == ERRORS


def test_the_tree_of_errors_is_drawn_where_they_are_defined() -> None:
    assert not [name for name in ERRORS if name not in (errors.__doc__ or "")]


def test_every_error_says_when_it_is_raised() -> None:
    assert not [name for name in ERRORS if not getattr(errors, name).__doc__]


def test_the_sub_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(COMMANDS) == SUB_COMMANDS
    main(["--help"])
    shown = capsys.readouterr().out
    assert not [name for name in SUB_COMMANDS if f"\n    {name} " not in shown]


@pytest.mark.parametrize("command", sorted(SUB_COMMANDS))
def test_options_of_every_sub_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out.split()
    assert {option for option in OPTIONS_OF_ALL if any(word.strip("[],") == option for word in shown)} == OPTIONS_OF_ALL


def test_the_installed_command_is_this_one() -> None:
    installed = Path(sys.executable).with_name("workbench")
    done = subprocess.run([installed, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("workbench ")
