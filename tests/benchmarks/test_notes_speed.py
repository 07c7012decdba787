"""Typing in notes of 12,000 tokens, as a ratio to typing in an empty editor in the same run: a key answers a key."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.empty_editor import SHOWN
from tests.tools.pty_screen import Latencies, PtyScreen
from workbench.memory.template import TEMPLATE

pytestmark = pytest.mark.benchmark

Report = Callable[[str, str, bool], None]
Environment = Callable[[], dict[str, str]]

ROOT = Path(__file__).parents[2]
EMPTY_EDITOR = [sys.executable, str(ROOT / "tests" / "tools" / "empty_editor.py")]
TOKENS = 12_000
KEYS = "the reader compares inode and size, and reopens the segment when either differs; "
ROUNDS = 3
LIMIT = 2.0
CASES = [
    pytest.param("typing", 0.03, 80, False, id="typing"),
    pytest.param("typing, bars follow", 0.25, 40, False, id="bars-follow"),
    pytest.param("typing, compaction follows", 0.6, 20, True, id="compaction-follows"),
]
"""Seconds between two keys: too fast for anything but the editor, slow enough for the bars, and for a compaction."""


def large_notes() -> str:
    """Notes of exactly so many rough tokens, spread over the ten sections."""
    line = "- compared the cursor with the size of the file, and kept what the rotation had left behind\n"
    sections = TEMPLATE.split("# ")[1:]
    room = (4 * TOKENS - len(TEMPLATE)) // len(sections)
    text = "".join(f"# {part}{line * (room // len(line))}\n" for part in sections)
    return text + "x" * (4 * TOKENS - len(text) - 1) + "\n"


@pytest.fixture(scope="module")
def session_with_notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    path = Path(shutil.copy(ROOT / "sample_sessions" / "11-long.jsonl", folder))
    os.utime(path, (1_700_000_000, 1_700_000_000))
    notes = path.with_suffix("") / "session-memory" / "summary.md"
    notes.parent.mkdir(parents=True)
    notes.write_text(large_notes())
    return path


def typing(
    argv: list[str], environment: dict[str, str], shown: str, before: list[tuple[str, str]], keys: str, pace: float
) -> Latencies:
    """Latencies of typing, once what is typed into is on the screen; `before` are keys with what each shows."""
    with PtyScreen(argv, environment) as screen:
        screen.wait_for(shown)
        for key, then in before:
            since = screen.received
            screen.press(key)
            screen.wait_for(then, since=since)
        screen.watch(3, quiet=0.5)
        latencies = screen.type_keys(keys, every=pace)
        screen.press("ctrl+q")
        screen.press("y")
        return latencies


@pytest.mark.parametrize(("what", "pace", "count", "compacts"), CASES)
def test_a_key_in_large_notes_is_answered_about_as_soon_as_in_an_empty_editor(
    what: str,
    pace: float,
    count: int,
    compacts: bool,
    session_with_notes: Path,
    workbench: list[str],
    fresh_environment: Environment,
    report: Report,
) -> None:
    before = [("4", "12,000"), *([("c", "tokens in context")] if compacts else []), ("enter", "leave")]

    def measured() -> tuple[float, str]:
        ratios, seen = [], []
        for _ in range(ROUNDS):
            empty = typing(EMPTY_EDITOR, fresh_environment(), SHOWN, [], KEYS[:count], pace)
            ours = typing([*workbench, str(session_with_notes)], fresh_environment(), r"call \d+", before, KEYS[:count], pace)
            assert not ours.unanswered
            ratios.append(ours.percentile(95) / empty.percentile(95))
            seen.append(f"{ours.percentile(95):.1f} / {empty.percentile(95):.1f} ms")
        return sorted(ratios)[ROUNDS // 2], ", ".join(seen)

    ratio, seen = measured()
    if ratio > LIMIT:  # of twenty keys the second slowest is the p95: a machine that others use has its moments
        ratio, seen = measured()
    report(f"{what} / empty editor, p95", f"{ratio:.2f}x (limit {LIMIT:.2f}x), {seen}", ratio <= LIMIT)
