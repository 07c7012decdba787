"""A program of the user as the summarizer: the request on its standard input, the summary on its output.

At the edge. The command line is what the user typed or set, never anything from a session; it is split like a shell
would, but no shell runs.
"""

import os
import shlex
import signal
import subprocess
from collections.abc import Callable
from time import monotonic

from ..compaction.request import CANCELLED, EMPTY, ERROR, Reply, Request
from .typed import spoken, text_reply

TIMEOUT_SECONDS = 600.0
LOOK_SECONDS = 0.1  # between two looks at whether the user cancelled
SAID = 300  # characters of what the program said on its standard error


def run_command(
    command: str, prompt: str, *, timeout: float = TIMEOUT_SECONDS, cancelled: Callable[[], bool] = lambda: False
) -> Reply:
    """Runs the program until it ends, `timeout` seconds have passed or the user cancels; blocks meanwhile.

    Outcomes: ok, empty (nothing on its output), cancelled, error (not found, ended with another status than 0, too slow).
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
    with process:
        given: bytes | None = prompt.encode("utf-8", "replace")
        while True:
            try:
                output, said = process.communicate(given, timeout=LOOK_SECONDS)
                break
            except subprocess.TimeoutExpired:
                given = None
            if cancelled() or monotonic() - began > timeout:
                _end(process)
                return _stopped(words[0], timeout, by_user=cancelled())
    return _reply(words[0], process.returncode, output, said, int((monotonic() - began) * 1000))


def command_summarizer(
    command: str, *, timeout: float = TIMEOUT_SECONDS, cancelled: Callable[[], bool] = lambda: False
) -> Callable[[Request], Reply]:
    """The summarizer of that command line; the program is given the conversation and the instruction as one text."""

    def ask(request: Request) -> Reply:
        return run_command(command, spoken(request), timeout=timeout, cancelled=cancelled)

    return ask


def _end(process: "subprocess.Popen[bytes]") -> None:
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
