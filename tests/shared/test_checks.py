"""The four checks of the shared folder with their own comparisons, in this process: no difference in any figure or array.

`.ci/run` runs the scripts as they are, with the installed command; here the same is held in seconds and by every test run.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from workbench.cli import main

Captured = pytest.CaptureFixture[str]
ABSENT = "<absent>"


@pytest.fixture
def check(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the scripts; importing them leaves no trace there or here."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "resumed", raising=False)
    return shared / "check"


REFUSED = "workbench: The agent sends this array as it is, but it may be refused: "


def script(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(capsys: Captured, *arguments: str) -> Any:
    assert main(arguments) == 0, capsys.readouterr().err
    said = capsys.readouterr()
    assert not said.err or (said.err.startswith(REFUSED) and said.err.count("\n") == 1)
    return json.loads(said.out)


def array(capsys: Captured, path: Path, *options: str) -> list[Any]:
    messages: list[Any] = answer(capsys, "export", str(path), "--as", "messages", "-o", "-", *options)["messages"]
    return messages


def inspected(capsys: Captured, path: Path) -> Any:
    return answer(capsys, "inspect", str(path), "--json")


def test_cases(check: Path, shared: Path, capsys: Captured) -> None:
    cases = script(check / "cases.py")
    figures, differences = 0, []
    for case in json.loads((shared / "cases" / "index.json").read_text()):
        found = inspected(capsys, shared / "cases" / f"{case['case']}.jsonl")
        for key, path, wanted in cases.expectations(case):
            got: Any = ABSENT
            with suppress(KeyError, IndexError, ValueError, TypeError):
                got = cases.look(found, path)
            figures += 1
            if in_any_order(got) != in_any_order(wanted):
                differences.append((case["case"], path, key, wanted, got))
    assert not differences
    assert figures > 200


def in_any_order(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, list) else value


def test_real_sessions(check: Path, shared: Path, capsys: Captured) -> None:
    real = script(check / "real.py")
    figures = [
        (expected["file"], name, wanted, got)
        for expected in json.loads((shared / "real" / "expected.json").read_text())
        for name, wanted, got in real.figures(expected, inspected(capsys, shared / "real" / expected["file"]))
    ]
    assert not [figure for figure in figures if figure[2] != figure[3]]
    assert len(figures) > 250


@pytest.mark.parametrize("folder", ["cases", "real"])
def test_what_is_sent_on_resume(folder: str, check: Path, shared: Path, capsys: Captured) -> None:
    resumed = script(check / "resumed.py")
    differences, compared = [], 0
    for name, messages in json.loads((shared / folder / "resumed.json").read_text()).items():
        path = shared / folder / (name if name.endswith(".jsonl") else f"{name}.jsonl")
        if messages is None or not path.is_file():
            continue
        compared += 1
        wanted, end = resumed.gold(messages)
        if resumed.ours(array(capsys, path)) not in (wanted, wanted + end):
            differences.append(name)
    assert not differences
    assert compared >= 10


@pytest.mark.parametrize("recorded", ["use", "ignore"])
def test_what_was_sent_at_each_call(recorded: str, check: Path, shared: Path, capsys: Captured) -> None:
    sent = script(check / "sent.py")
    differences, compared = [], 0
    for path, line, wanted in requests(sent, shared / "real-new"):
        compared += 1
        found = sent.resumed.ours(array(capsys, path, "--at", str(line), "--recorded", recorded))
        if [(role, [block.rstrip("!") for block in blocks]) for role, blocks in found] != wanted:
            differences.append((path.name, line))
    assert not differences
    assert compared > 50


def requests(sent: ModuleType, folder: Path) -> Iterator[tuple[Path, int, Any]]:
    """(session, line of the first row of a reply, the request that it answers) of every recorded call."""
    for path in sorted(folder.glob("*.jsonl")):
        recorded = json.loads(path.with_suffix(".requests.json").read_text())
        for line, number in sent.replies(path):
            messages = [m for m in recorded[number - 1]["messages"] if m["role"] != "system"]
            kept = [{**m, "blocks": [b for b in m["blocks"] if b not in ("reminder", "instruction")]} for m in messages]
            yield path, line, sent.resumed.merged(kept)
