"""One life of the counting process, seen from the program: started, greeted, asked, ended."""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, TypeVar, cast

import msgspec

from workbench.counting.faults import CounterStopped, EngineUnavailable
from workbench.counting.protocol import Answer, Batch, Hello, read_frame, write_frame

COMMAND = (sys.executable, "-P", "-m", "workbench.counting.child")
"""-P keeps the folder the user stands in, which may be anyone's project, off the import path."""

_FAREWELL_SECONDS = 1.0

Frame = TypeVar("Frame", bound=msgspec.Struct)


class Link:
    """A running child process; starting it takes milliseconds, its hello comes about 0.4 s later."""

    def __init__(self) -> None:
        """Raises CounterStopped when no process can be started."""
        try:
            self._process = subprocess.Popen(
                COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C in the terminal is meant for the program
            )
        except OSError as error:
            raise CounterStopped(f"The token counter cannot be started ({error}).") from error
        self._input = cast(IO[bytes], self._process.stdin)
        self._output = cast(IO[bytes], self._process.stdout)
        self._hello: Hello | None = None

    @property
    def pid(self) -> int:
        """The process id of the child."""
        return self._process.pid

    def hello(self) -> Hello:
        """Waits for the engine to be loaded; raises EngineUnavailable or CounterStopped."""
        if self._hello is None:
            self._hello = self._receive(Hello)
        if not self._hello.engine:
            raise EngineUnavailable(self._hello.note)
        return self._hello

    def ask(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each well-formed text; raises CounterStopped when the process ends meanwhile."""
        try:
            write_frame(self._input, Batch(list(texts)))
        except (OSError, ValueError) as error:
            raise self._stopped() from error
        tokens = self._receive(Answer).tokens
        if len(tokens) != len(texts):
            raise CounterStopped("The token counter answered something else than it was asked; count again.")
        return tokens

    def end(self) -> None:
        """Ends the process at once and waits for it; a thread still asking gets CounterStopped."""
        self._process.kill()
        self._process.wait()

    def release(self) -> None:
        """Closes the pipes; call after `end`, when no other thread asks any more."""
        self._output.close()
        with suppress(OSError):  # the rest of an unread question: nobody is left to read it
            self._input.close()

    def _receive(self, kind: type[Frame]) -> Frame:
        try:
            frame = read_frame(self._output, kind)
        except (OSError, EOFError, ValueError, msgspec.MsgspecError) as error:
            raise self._stopped() from error
        if frame is None:
            raise self._stopped()
        return frame

    def _stopped(self) -> CounterStopped:
        with suppress(subprocess.TimeoutExpired):  # when it ended by itself, its own reason is worth a moment
            self._process.wait(timeout=_FAREWELL_SECONDS)
        self.end()
        ending = _ending(self._process.returncode)
        return CounterStopped(f"The token counter stopped ({ending}); counting again starts a new one.")


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
