"""A program of the user as the summarizer: the request on its standard input, the summary on its output.

At the edge. The command line is what the user typed or set, never anything from a session; it is split like a shell
would, but no shell runs.
"""

import os
import shlex
import signal
import subprocess
from collections.abc import Callable
from selectors import EVENT_READ, EVENT_WRITE, BaseSelector, DefaultSelector
from time import monotonic
from typing import IO

from ..compaction.request import CANCELLED, EMPTY, ERROR, Reply, Request
from .typed import spoken, text_reply

TIMEOUT_SECONDS = 600.0
LOOK_SECONDS = 0.1  # between two looks at whether the user cancelled
SAID = 300  # characters of what the program said on its standard error
MOST = 4 << 20  # bytes of output: some hundred times what a summary may have
PIECE = 1 << 16  # bytes

Program = subprocess.Popen[bytes]


def run_command(
    command: str, prompt: str, *, timeout: float = TIMEOUT_SECONDS, cancelled: Callable[[], bool] = lambda: False
) -> Reply:
    """Runs the program until it ends, `timeout` seconds have passed or the user cancels; blocks meanwhile.

    Outcomes: ok, empty (nothing on its output), cancelled, error (not found, ended with another status than 0, too slow, an
    output without end). However it ends, the program ends with it.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        return _failed(f"The command cannot be read ({error}); check its quotes.")
    if not words:
        return _failed("No command is given; write command:CMD.")
    began = monotonic()
    try:
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
    except OSError as error:
        return _failed(f"{words[0]} cannot be run: {(error.strerror or str(error)).lower()}.")
    with process, DefaultSelector() as pipes:
        talk = _Talk(process, prompt.encode("utf-8", "replace"), pipes)
        try:
            while not talk.is_over:
                talk.go_on()
                if cancelled() or monotonic() - began > timeout:
                    return _stopped(words[0], timeout, by_user=cancelled())
                if len(talk.output) > MOST:
                    return _failed(f"{words[0]} wrote more than {MOST >> 20} MB, which is no summary, and was stopped.")
        finally:  # also where the user breaks off by ^C: nothing that was started here goes on
            if not talk.is_over:
                _end(process)
    return _reply(words[0], process.returncode, bytes(talk.output), bytes(talk.said), int((monotonic() - began) * 1000))


class _Talk:
    """What goes into a program and comes out of it, a piece at a time, until nobody writes for it any more."""

    def __init__(self, process: Program, prompt: bytes, pipes: BaseSelector) -> None:
        self.output = bytearray()
        self.said = bytearray()
        self._left = memoryview(prompt)
        self._open = pipes
        for pipe, events in ((process.stdin, EVENT_WRITE), (process.stdout, EVENT_READ), (process.stderr, EVENT_READ)):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self._open.register(pipe, events)
        self._process = process

    @property
    def is_over(self) -> bool:
        pipes = (self._process.stdout, self._process.stderr)
        return all(pipe is None or pipe.closed for pipe in pipes) and self._process.poll() is not None

    def go_on(self) -> None:
        """Moves what can be moved now; waits a moment where nothing can."""
        for key, _ in self._open.select(LOOK_SECONDS):
            pipe = key.fileobj
            if pipe is self._process.stdin:
                self._give(self._process.stdin)
            elif pipe is self._process.stdout:
                self._take(self._process.stdout, self.output, MOST + 1)
            elif self._process.stderr is not None:
                self._take(self._process.stderr, self.said, PIECE)

    def _give(self, pipe: IO[bytes]) -> None:
        try:
            self._left = self._left[os.write(pipe.fileno(), self._left[:PIECE]) :]
        except BrokenPipeError:  # it reads no more
            self._left = self._left[:0]
        if not self._left:
            self._close(pipe)

    def _take(self, pipe: IO[bytes], into: bytearray, most: int) -> None:
        """Reads a piece; what exceeds `most` is read and forgotten."""
        piece = os.read(pipe.fileno(), PIECE)
        into += piece[: max(0, most - len(into))]
        if not piece:
            self._close(pipe)

    def _close(self, pipe: IO[bytes]) -> None:
        self._open.unregister(pipe)
        pipe.close()


def command_summarizer(
    command: str, *, timeout: float = TIMEOUT_SECONDS, cancelled: Callable[[], bool] = lambda: False
) -> Callable[[Request], Reply]:
    """The summarizer of that command line; the program is given the conversation and the instruction as one text."""

    def ask(request: Request) -> Reply:
        return run_command(command, spoken(request), timeout=timeout, cancelled=cancelled)

    return ask


def _end(process: Program) -> None:
    """Ends the program and whatever it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _stopped(name: str, timeout: float, *, by_user: bool) -> Reply:
    if by_user:
        return Reply(CANCELLED, error=f"{name} was stopped.", source=f"command {name}")
    return _failed(f"{name} gave no answer within {timeout:g} s and was stopped.")


def _reply(name: str, status: int, output: bytes, said: bytes, milliseconds: int) -> Reply:
    complaint = " ".join(said.decode("utf-8", "replace").split())[:SAID]
    if status:
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return _failed(f"{name} {how}{f': {complaint}' if complaint else ''}.", milliseconds)
    reply = text_reply(output.decode("utf-8", "replace"), f"command {name}")
    why = f"{name} wrote nothing to its output{f'; it said: {complaint}' if complaint else ''}."
    return Reply(
        reply.outcome, reply.text, error=why if reply.outcome == EMPTY else "", source=reply.source, duration_ms=milliseconds
    )


def _failed(why: str, milliseconds: int | None = None) -> Reply:
    return Reply(ERROR, error=why, duration_ms=milliseconds)
