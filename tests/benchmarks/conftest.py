"""Benchmarks run when asked for: `pytest -n 0 -m benchmark`, or with WORKBENCH_BENCH=1; WORKBENCH_BENCH_FULL=1 adds 500 MB.

On one process only: two timings at once on shared cores measure each other.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tools.big_session import THRESHOLD, write_session
from tests.tools.processes import clean_environment

LINES = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LINES] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    asked = "benchmark" in (config.getoption("markexpr") or "") or os.environ.get("WORKBENCH_BENCH") == "1"
    reason = None if asked else "timings run only when asked for: -n 0 -m benchmark"
    if asked and "PYTEST_XDIST_WORKER" in os.environ:
        reason = "timings on shared cores measure each other: run with -n 0"
    for item in items:
        if item.get_closest_marker("benchmark") and reason:
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.stash[LINES]:
        terminalreporter.section("ratios to the floor of the same run, and limits")
        for line in config.stash[LINES]:
            terminalreporter.write_line(line)


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Callable[[str, str, bool], None]:
    """Adds a line to the table shown at the end, then fails the test when the limit is not kept."""

    def add(what: str, measured: str, kept: bool) -> None:
        line = f"{'ok  ' if kept else 'OVER'}  {request.node.callspec.id:<22} {what:<34} {measured}"
        request.config.stash[LINES].append(line)
        assert kept, line

    return add


@pytest.fixture(scope="session")
def session_file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A generated session, `request.param` = (megabytes, with boundaries): in the page cache, and removed after its last test."""
    megabytes, boundaries = request.param
    path = tmp_path_factory.mktemp("sessions") / "session.jsonl"
    write_session(path, megabytes, threshold=THRESHOLD if boundaries else None)
    yield path
    path.unlink()


@pytest.fixture
def fresh_environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], dict[str, str]]:
    """A new home each time: what an earlier run has cached must not answer for a later one."""
    return lambda: clean_environment(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session")
def workbench() -> list[str]:
    """The installed command; WORKBENCH_BENCH_COMMAND measures another build."""
    return shlex.split(os.environ.get("WORKBENCH_BENCH_COMMAND", "")) or [str(Path(sys.executable).with_name("workbench"))]
