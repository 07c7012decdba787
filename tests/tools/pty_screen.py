"""A full-screen program on a real terminal, watched and typed at from outside.

The program runs on a pseudo terminal of its own with nothing between: what is measured is what a user's terminal would be
sent. By hand: `python -m tests.tools.pty_screen --until REGEX -- COMMAND ARGS` prints the times, the keys' latencies and memory.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.tools.processes import Family, Peak, clean_environment

KEYS = {
    "up": b"\x1b[A",
    "down": b"\x1b[B",
    "right": b"\x1b[C",
    "left": b"\x1b[D",
    "home": b"\x1b[H",
    "end": b"\x1b[F",
    "pageup": b"\x1b[5~",
    "pagedown": b"\x1b[6~",
    "tab": b"\t",
    "enter": b"\r",
    "escape": b"\x1b",
    "ctrl+q": b"\x11",
    "ctrl+c": b"\x03",
}
ANSWERS = {
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",  # yes, this terminal can hold back a frame until it is complete
    b"\x1b[?2048$p": b"\x1b[?2048;0$y",  # no, it reports a resize by signal only
    b"\x1b[c": b"\x1b[?62;22c",
}
"""What a program may ask its terminal, and what a common one answers."""

_CURSOR_MOVE = re.compile(rb"\x1b\[[0-9;]*[A-Hdf]")
_ESCAPE = re.compile(
    rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles, links, clipboard
    rb"|\x1b[P_^X][^\x1b]*\x1b\\"  # device strings
    rb"|\x1b\[[0-?]*[ -/]*[@-~]"  # colours, modes
    rb"|\x1b[ -/]*[0-~]"
)


class ScreenError(AssertionError):
    """The program ended, or did not show in time what was waited for; the message ends with the last it did show."""


@dataclass(frozen=True, slots=True)
class Latencies:
    """Milliseconds from a key to the next bytes for the screen, in the order typed; `unanswered` keys had none in time.

    Output the program makes by itself answers a key too. A program that paints from one loop still cannot hide a stall
    behind that: while the loop stands still, neither comes.
    """

    milliseconds: tuple[float, ...]
    unanswered: int = 0

    def percentile(self, percent: float) -> float:
        """Nearest rank, an unanswered key counting as endless."""
        ranked = [*sorted(self.milliseconds), *[float("inf")] * self.unanswered]
        return ranked[max(0, ceil(percent / 100 * len(ranked)) - 1)] if ranked else float("inf")

    def __str__(self) -> str:
        p50, p95, worst = (self.percentile(percent) for percent in (50, 95, 100))
        return (
            f"{len(self.milliseconds)} keys, p50 {p50:.1f} ms, p95 {p95:.1f} ms, max {worst:.1f} ms, {self.unanswered} unanswered"
        )


class PtyScreen:
    """Starts `argv` on entering, makes sure it has ended on leaving. Times are seconds since the start."""

    def __init__(
        self, argv: Sequence[str], environment: Mapping[str, str], *, columns: int = 120, rows: int = 36, cwd: Path | None = None
    ) -> None:
        self.first_byte: float | None = None
        self._last_byte: float | None = None
        self._argv = list(argv)
        self._environment = {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self._size = struct.pack("HHHH", rows, columns, 0, 0)
        self._cwd = cwd
        self._raw = bytearray()
        self._answered = 0
        self._ended = False

    def __enter__(self) -> Self:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, self._size)
        self._started = time.perf_counter()
        self._process = subprocess.Popen(
            self._argv,
            env=self._environment,
            cwd=self._cwd,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_adopt_terminal,
        )
        os.close(slave)
        self._family = Family(self._process.pid)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether the program has left the terminal."""
        return self._ended

    @property
    def raw(self) -> str:
        """All that it sent, escape sequences and all."""
        return bytes(self._raw).decode("utf-8", "replace")

    @property
    def received(self) -> int:
        """Bytes the program has sent so far; a place to search from."""
        return len(self._raw)

    def text(self, since: int = 0) -> str:
        """All that was painted from byte `since` on, in the order painted, a line per cursor movement, without colours."""
        spread = _CURSOR_MOVE.sub(b"\n", bytes(self._raw[since:]))
        return _ESCAPE.sub(b"", spread).decode("utf-8", "replace")

    def read(self, timeout: float) -> float | None:
        """Takes what the program has sent, waiting up to `timeout` for it; when it came, or None."""
        if self._ended or not select.select([self._master], [], [], max(0.0, timeout))[0]:
            return None
        at = time.perf_counter() - self._started
        try:
            chunk = os.read(self._master, 1 << 16)
        except OSError:  # how Linux says that the last program has left the terminal
            chunk = b""
        self._ended = not chunk
        self._raw += chunk
        self._answer()
        if not chunk:
            return None
        self.first_byte = at if self.first_byte is None else self.first_byte
        self._last_byte = at
        return at

    def wait_for(self, pattern: str, timeout: float = 30, since: int = 0) -> float:
        """When text matching `pattern` was painted, from byte `since` of the output on; if it already is, when the last bytes
        came. Raises ScreenError."""
        wanted = re.compile(pattern)
        deadline = time.perf_counter() + timeout
        at: float | None = self._last_byte
        while at is None or not wanted.search(self.text(since)):
            left = deadline - time.perf_counter()
            if self._ended or left <= 0:
                raise self._error(
                    f"the program ended before {pattern!r}" if self._ended else f"{timeout} s passed before {pattern!r}"
                )
            at = self.read(left)
        return at

    def press(self, key: str) -> None:
        """One key by name, or the characters themselves."""
        os.write(self._master, KEYS.get(key) or key.encode())

    def type_keys(self, keys: Iterable[str], every: float = 0.03, patience: float = 2) -> Latencies:
        """Types at a steady pace whatever the program does; after the last key waits at most `patience` seconds for answers."""
        left = deque(keys)
        pending: list[float] = []
        taken: list[float] = []
        due = time.perf_counter()
        until = due + len(left) * every + patience
        while not self._ended and (left or pending) and time.perf_counter() < until:
            if left and time.perf_counter() >= due:
                pending.append(time.perf_counter() - self._started)
                self.press(left.popleft())
                due += every
            at = self.read((due if left else until) - time.perf_counter())
            if at is not None:
                taken += [(at - sent) * 1000 for sent in pending]
                pending.clear()
        return Latencies(tuple(taken), len(pending) + len(left))

    def watch(self, seconds: float, *, quiet: float | None = None, every: float = 0.1) -> float:
        """Only looks on, sampling memory, for `seconds`, or until the program ends or has painted nothing for `quiet` seconds.
        Returns when it last painted while being watched, or when watching began."""
        began = last = time.perf_counter() - self._started
        while not self._ended and (now := time.perf_counter() - self._started) < began + seconds:
            if quiet is not None and now - last > quiet:
                break
            last = self.read(every) or last
            self._family.sample()
        return last

    def peak(self) -> Peak:
        """Resident memory at most so far, of the program and of its children."""
        self._family.sample()
        return self._family.peak

    def quit(self, key: str = "ctrl+q", timeout: float = 10) -> int:
        """Presses `key` and waits for the end. Returns the exit code; raises ScreenError when it stays."""
        self.press(key)
        deadline = time.perf_counter() + timeout
        while not self._ended and (left := deadline - time.perf_counter()) > 0:
            self.read(left)
        try:
            return self._process.wait(max(0.1, deadline - time.perf_counter()))
        except subprocess.TimeoutExpired:
            raise self._error(f"still there {timeout} s after {key}") from None

    def _error(self, what: str) -> ScreenError:
        return ScreenError(f"{what}; last on the screen:\n{self.text()[-1500:]}")

    def _answer(self) -> None:
        """Replies to the questions in what came since the last reply; one that is only half there waits for the rest."""
        for question, reply in ANSWERS.items():
            asked = self._raw.count(question, max(0, self._answered - len(question) + 1))
            for _ in range(asked):
                os.write(self._master, reply)
        self._answered = len(self._raw)


def _adopt_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Run a full-screen program on a terminal of its own and measure it.")
    parser.add_argument("--until", default=r"\S", metavar="REGEX", help="text that means painted (default: anything)")
    parser.add_argument("--keys", type=int, default=150, help="how many keys to type after that (default %(default)s)")
    parser.add_argument("--watch", type=float, default=2, metavar="SECONDS", help="and how long to look on after them")
    parser.add_argument("--quit", default="ctrl+q", metavar="KEY")
    parser.add_argument("--show", action="store_true", help="print what was painted")
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, PtyScreen(args.command, clean_environment(Path(home))) as screen:
        painted = screen.wait_for(args.until)
        print(f"first byte {(screen.first_byte or 0) * 1000:.0f} ms, painted {painted * 1000:.0f} ms")
        print(screen.type_keys(walk(args.keys)))
        screen.watch(args.watch)
        peak = screen.peak()
        print(f"peak {peak.main / 1e6:.1f} MB, children {[round(size / 1e6, 1) for size in peak.children]} MB")
        if args.show:
            print(screen.text())
        sys.exit(screen.quit(args.quit))


def walk(count: int) -> tuple[str, ...]:
    """`count` keys as a reader uses them: mostly down, now and then a page, some steps back."""
    pattern = ("down", "down", "up", "down", "pagedown", "down", "up", "down", "pageup", "down")
    return tuple(pattern[number % len(pattern)] for number in range(count))


if __name__ == "__main__":
    main()
