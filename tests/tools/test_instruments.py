"""The instruments must measure right on programs whose behaviour is known."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.big_session import write_session
from tests.tools.empty_app import SHOWN
from tests.tools.floor import count_rows, lines
from tests.tools.processes import clean_environment, peak_of_run, seconds_to_run
from tests.tools.pty_screen import Latencies, PtyScreen, ScreenError, walk

EMPTY_APP = [sys.executable, str(Path(__file__).with_name("empty_app.py"))]
ECHO = """
import os, tty
tty.setraw(0)
os.write(1, b"\\x1b[2J\\x1b[3;5Hre\\x1b[31mady\\x1b[0m\\x1b]0;title\\x07\\x1b[9;1Hnext")
while (key := os.read(0, 16)) != b"\\x11":
    if key != b"\\t":
        os.write(1, b"got " + key.replace(b"\\x1b[", b""))
"""


def run(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return clean_environment(tmp_path)


def test_an_empty_textual_app_paints_and_quits(environment: dict[str, str]) -> None:
    with PtyScreen(EMPTY_APP, environment) as screen:
        painted = screen.wait_for(SHOWN)
        assert screen.first_byte is not None
        assert 0 < screen.first_byte <= painted
        assert 10e6 < screen.peak().main < 200e6
        assert screen.quit() == 0


def test_text_is_found_across_colours_and_lines_are_kept_apart(environment: dict[str, str]) -> None:
    with PtyScreen(run(ECHO), environment) as screen:
        screen.wait_for(r"\bready\b")
        screen.wait_for("next")
        assert screen.text().split() == ["ready", "next"]


def test_each_key_is_timed_to_its_answer(environment: dict[str, str]) -> None:
    with PtyScreen(run(ECHO), environment) as screen:
        screen.wait_for("ready")
        latencies = screen.type_keys(["down", "up", "x"], every=0.01)
        assert len(latencies.milliseconds) == 3
        assert all(0 < each < 1000 for each in latencies.milliseconds)
        assert screen.quit() == 0


def test_a_key_without_an_answer_is_not_passed_over(environment: dict[str, str]) -> None:
    with PtyScreen(run(ECHO), environment) as screen:
        screen.wait_for("next")
        latencies = screen.type_keys(["x", "tab"], every=0.2, patience=0.1)
        assert latencies.unanswered == 1
        assert latencies.percentile(95) == float("inf")


def test_percentiles_are_by_nearest_rank() -> None:
    latencies = Latencies(tuple(map(float, range(1, 101))))
    assert [latencies.percentile(percent) for percent in (50, 95, 100)] == [50, 95, 100]


def test_what_never_comes_is_said_with_the_last_screen(environment: dict[str, str]) -> None:
    with PtyScreen(run("print('farewell')"), environment) as screen, pytest.raises(ScreenError, match=r"ended.*(?s:.)*farewell"):
        screen.wait_for("welcome")


def test_memory_of_children_is_told_apart(environment: dict[str, str]) -> None:
    child = "held = b'x' * 80_000_000; print('held', flush=True); input()"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with PtyScreen(run(parent), environment) as screen:
        screen.wait_for("held")
        peak = screen.peak()
    assert peak.main < 40e6
    assert len(peak.children) == 1
    assert peak.children[0] > 80e6


def test_the_peak_of_a_run_is_its_own_and_not_the_runner_s(environment: dict[str, str]) -> None:
    ballast = bytearray(b"x" * 150_000_000)
    assert peak_of_run(run("for _ in range(3_000_000): pass"), environment).main < 50e6 < len(ballast)
    assert peak_of_run(run("held = b'x' * 60_000_000\nfor _ in range(2_000_000): pass"), environment).main > 60e6


def test_a_run_that_fails_is_not_timed(environment: dict[str, str]) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        seconds_to_run(run("raise SystemExit(3)"), environment)


def test_the_floor_sees_every_row(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    written = write_session(path, 3)
    assert count_rows(path) == written.rows
    assert b"\n".join([*lines(path), b""]) == path.read_bytes()


def test_a_walk_has_as_many_keys_as_asked_and_begins_downward() -> None:
    assert walk(13)[0] == "down"
    assert len(walk(13)) == 13
