"""Habits that a linter does not hold fast, or could be told to overlook."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.house.files import ROOT, named, python_files

SHORT_WAIT_SECONDS = 0.05
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
SWITCHED_OFF = re.compile(r"noqa.*BLE")
WRITES = ROOT / "workbench" / "cli" / "output.py"

Finding = tuple[int, str]
Habit = Callable[[ast.AST], Iterator[Finding]]


def blind_excepts(tree: ast.AST) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)} if node.type else {"everything"}
            if caught & {"Exception", "BaseException", "everything"}:
                yield node.lineno, "catches whatever happens: name the errors that are expected"


def prints(tree: ast.AST) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in {"print", "pprint", "sys.stdout.write", "sys.stderr.write"}:
            yield node.lineno, "writes to the terminal: cli/output.py does that"


def stubs(tree: ast.AST) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "NotImplementedError":
            yield node.lineno, "is not there yet: leave out what does not exist"


def sleeps(tree: ast.AST) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in {"time.sleep", "sleep", "asyncio.sleep"}:
            waits = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else 1
            if "asyncio" not in called(node) or not isinstance(waits, int | float) or waits > SHORT_WAIT_SECONDS:
                yield node.lineno, "sleeps: wait for what the test needs"


def called(node: ast.Call) -> str:
    return ast.unparse(node.func)


@pytest.mark.parametrize(
    ("folder", "habit"),
    [("workbench", blind_excepts), ("workbench", prints), ("workbench", stubs), ("tests", stubs), ("tests", sleeps)],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_habit(folder: str, habit: Habit) -> None:
    files = [path for path in python_files(folder) if habit is not prints or path != WRITES]
    assert files
    assert not [f"{named(path)}:{line} {what}" for path in files for line, what in habit(ast.parse(path.read_bytes()))]


@pytest.mark.parametrize("marked", [UNFINISHED, SWITCHED_OFF], ids=["unfinished", "a blind except"])
def test_no_comment_excuses(marked: re.Pattern[str]) -> None:
    files = [*python_files("workbench"), *python_files("tests")]
    assert not [f"{named(path)}:{line}" for path in files for line, text in comments(path) if marked.search(text)]


def test_every_module_says_why_it_exists() -> None:
    assert not [named(path) for path in python_files("workbench") if not ast.get_docstring(ast.parse(path.read_bytes()))]


def comments(path: Path) -> Iterator[Finding]:
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize(
    ("habit", "source"),
    [
        (blind_excepts, "try: f()\nexcept: pass"),
        (blind_excepts, "try: f()\nexcept (OSError, Exception): pass"),
        (prints, "print(1)"),
        (stubs, "def f(): raise NotImplementedError"),
        (sleeps, "import time; time.sleep(0.001)"),
        (sleeps, "async def f(): await asyncio.sleep(0.2)"),
        (sleeps, "async def f(): await asyncio.sleep(patience)"),
    ],
)
def test_each_habit_is_noticed(habit: Habit, source: str) -> None:
    assert list(habit(ast.parse(source)))


def test_giving_way_to_other_tasks_is_no_sleep() -> None:
    assert not list(sleeps(ast.parse("async def f(): await asyncio.sleep(0)")))
