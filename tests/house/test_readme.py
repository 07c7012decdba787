"""What README says is so: its commands run, its tree of the house is the house, its links lead somewhere."""

import re
import shlex
from pathlib import Path

import pytest

from tests.house.files import ROOT, kept
from tests.tools.readme_keys import with_table
from workbench.cli import main

README = (ROOT / "README.md").read_text()
FENCED = re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
EXAMPLES = [line for block in FENCED for line in block.splitlines() if line.startswith("workbench ")]
FIRST, SECOND = (block.strip() for block in FENCED if block.startswith("python3"))


def test_the_two_commands() -> None:
    install = "python3 -m venv .venv && .venv/bin/pip install -q "
    assert re.fullmatch(re.escape(install) + r"\. && \.venv/bin/workbench \S+", FIRST)
    assert (ROOT / FIRST.split()[-1]).is_file()
    assert re.fullmatch(re.escape(install) + r"-e '\.\[test\]' && \.venv/bin/pytest -q", SECOND)


@pytest.mark.parametrize("line", EXAMPLES, ids=lambda line: line.partition("#")[0].strip())
def test_an_example(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sample_sessions").symlink_to(ROOT / "sample_sessions")
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(line, comments=True)[1:]) == 0
    shown, complaints = capfd.readouterr()
    assert shown or len(list(tmp_path.iterdir())) == 2
    assert complaints == ""


def test_the_key_table_is_the_registry() -> None:
    assert with_table(README) == README, "run: python -m tests.tools.readme_keys"


def test_the_tree_is_the_house() -> None:
    drawn = README.partition("\nworkbench/\n")[2].partition("\ntests/")[0]
    rooms = {path.relative_to(ROOT / "workbench").parts[0] for path in kept() if path.is_relative_to(ROOT / "workbench")}
    assert {line.split()[0].rstrip("/") for line in drawn.splitlines()} == rooms - {"__init__.py", "py.typed"}


def test_links_lead_somewhere() -> None:
    links = re.findall(r"(?<!!)\[[^]]+\]\(([^)#:]+)\)", README)
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


def test_names_of_files_are_of_files() -> None:
    """Every `path/file.py` in running text, from the checkout or from the package on."""
    names = re.findall(r"`([\w/]+\.\w+)`", README.partition("## Glossary")[0])
    assert not [name for name in names if not (ROOT / name).exists() and not (ROOT / "workbench" / name).exists()]
