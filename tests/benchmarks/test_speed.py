"""Speed and memory on large sessions, as ratios to a floor measured in the same run, in turn with the product.

Every run of the product starts with an empty home: nothing is answered from a cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from tests.tools.empty_app import SHOWN
from tests.tools.processes import peak_of_run, seconds_to_run
from tests.tools.pty_screen import PtyScreen, walk

pytestmark = pytest.mark.benchmark

Report = Callable[[str, str, bool], None]
Environment = Callable[[], dict[str, str]]

ROUNDS = 5
AGAIN = 2
BUSY = 1.4 if os.environ.get("CI") else 1.0
"""A first paint takes a fifth of a second: on a machine that others use its ratio is told, and held with this much slack."""

FIRST_ROW = r"\bassistant\b"
"""What the screen shows as soon as, and not before, it shows rows of the session."""

TOOLS = Path(__file__).parents[1] / "tools"
EMPTY_APP = [sys.executable, str(TOOLS / "empty_app.py")]
FLOOR = [sys.executable, str(TOOLS / "floor.py")]

LARGE = [pytest.param((100, True), id="100MB")]
if os.environ.get("WORKBENCH_BENCH_FULL") == "1":
    LARGE.append(pytest.param((500, True), id="500MB"))
ONE_CONTEXT = pytest.param((100, False), id="100MB-no-boundaries")

on_large = pytest.mark.parametrize("session_file", LARGE, indirect=True)
on_every = pytest.mark.parametrize("session_file", [*LARGE, ONE_CONTEXT], indirect=True)


def in_turn(limit: float, *measures: Callable[[], float]) -> tuple[float, float, float]:
    """Medians of two measures in ms, and the median of their ratios pair by pair, second to first; one round unmeasured.

    Over the limit it is measured up to twice more, and the last counts: a machine that others use has its moments.
    """
    for _ in range(AGAIN):
        found = _in_turn(*measures)
        if found[2] <= limit:
            return found
    return _in_turn(*measures)


def _in_turn(*measures: Callable[[], float]) -> tuple[float, float, float]:
    rounds = [[measure() for measure in measures] for _ in range(ROUNDS + 1)][1:]
    floor, ours = (median(column) * 1000 for column in zip(*rounds, strict=True))
    return floor, ours, median(second / first for first, second in rounds)


def first_paint(argv: list[str], environment: dict[str, str], pattern: str) -> float:
    with PtyScreen(argv, environment) as screen:
        painted = screen.wait_for(pattern)
        screen.quit()
        return painted


@on_large
def test_first_rows_are_painted_about_as_soon_as_an_empty_app(
    session_file: Path, workbench: list[str], fresh_environment: Environment, report: Report
) -> None:
    empty, ours, ratio = in_turn(
        1.5,
        lambda: first_paint(EMPTY_APP, fresh_environment(), SHOWN),
        lambda: first_paint([*workbench, str(session_file)], fresh_environment(), FIRST_ROW),
    )
    told = f"{ratio:.2f}x (limit 1.50x), {ours:.0f} ms / {empty:.0f} ms"
    report("first rows / empty app", told, ratio <= 1.5 * BUSY)


@on_every
def test_inspect_takes_little_more_than_reading_the_file(
    session_file: Path, workbench: list[str], fresh_environment: Environment, report: Report, request: pytest.FixtureRequest
) -> None:
    whole = "no-boundaries" in request.node.callspec.id  # each of 100 MB is in the array: told, not held
    limit = float("inf") if whole else 3.0
    floor, ours, ratio = in_turn(
        limit,
        lambda: seconds_to_run([*FLOOR, str(session_file)], fresh_environment()),
        lambda: seconds_to_run([*workbench, "inspect", str(session_file), "--json"], fresh_environment()),
    )
    held = f"limit {limit:.2f}x" if limit < 100 else "all of it in one array, no limit"
    report("inspect --json / reading floor", f"{ratio:.2f}x ({held}), {ours:.0f} ms / {floor:.0f} ms", ratio <= limit)


@on_every
def test_inspect_stays_small(session_file: Path, workbench: list[str], fresh_environment: Environment, report: Report) -> None:
    peak = peak_of_run([*workbench, "inspect", str(session_file), "--json"], fresh_environment())
    report("inspect --json peak memory", f"{peak.main / 1e6:.0f} MB (limit 150 MB){apart(peak.children)}", peak.main < 150e6)


@on_every
def test_the_screen_stays_small(session_file: Path, workbench: list[str], fresh_environment: Environment, report: Report) -> None:
    with PtyScreen([*workbench, str(session_file)], fresh_environment()) as screen:
        screen.wait_for(FIRST_ROW)
        settled = screen.watch(60, quiet=3)
        peak = screen.peak()
        screen.quit()
    measured = f"{peak.main / 1e6:.0f} MB (limit 250 MB), settled after {settled:.1f} s{apart(peak.children)}"
    report("screen peak memory, all counted", measured, peak.main < 250e6)


@on_large
def test_keys_answer_while_it_loads_and_counts(
    session_file: Path, workbench: list[str], fresh_environment: Environment, report: Report
) -> None:
    with PtyScreen([*workbench, str(session_file)], fresh_environment()) as screen:
        screen.wait_for(FIRST_ROW)
        latencies = screen.type_keys(walk(150))
        screen.quit()
    p95 = latencies.percentile(95)
    report("key to screen while it counts, p95", f"{p95:.0f} ms (limit 100 ms): {latencies}", p95 < 100)


@on_large
def test_the_index_is_a_few_numbers_a_row(session_file: Path, fresh_environment: Environment, report: Report) -> None:
    argv = [sys.executable, "-m", "tests.tools.index_size", str(session_file)]
    out = subprocess.run(argv, env=fresh_environment(), cwd=TOOLS.parents[1], stdout=subprocess.PIPE, text=True, check=True)
    rows, held = map(int, out.stdout.split())
    report("index bytes a row", f"{held / rows:.0f} (limit 300), {rows:,} rows", held / rows <= 300)


def apart(children: tuple[int, ...]) -> str:
    return f"; children apart: {', '.join(f'{size / 1e6:.0f} MB' for size in children)}" if children else ""
