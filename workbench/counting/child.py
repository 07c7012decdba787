"""The counting process: `python -m workbench.counting.child`, batches of texts in, counts out.

A process of its own, because tiktoken answers some inputs with a panic that prints over the screen, and loading it
stalls every thread of the program that does. It ends when its input does, so it never outlives the program; and it
refuses itself the network, so no library below it can look for a vocabulary there.
"""

import os
import sys
from typing import IO

from workbench.counting import engines
from workbench.counting.faults import EngineUnavailable
from workbench.counting.protocol import Answer, Batch, Hello, read_frame, write_frame


def main() -> int:
    """Serves until the input ends; 0 then, 1 when no engine could be loaded."""
    sys.addaudithook(_refuse_network)
    answers = _claim_stdout()
    try:
        return _serve(sys.stdin.buffer, answers)
    except (EOFError, BrokenPipeError):
        return 0


def _serve(batches: IO[bytes], answers: IO[bytes]) -> int:
    try:
        engine = engines.load()
    except EngineUnavailable as error:
        write_frame(answers, Hello("", str(error)))
        return 1
    write_frame(answers, Hello(engine.name, engine.note))
    while (batch := read_frame(batches, Batch)) is not None:
        write_frame(answers, Answer([engine.count(text) for text in batch.texts]))
    return 0


def _claim_stdout() -> IO[bytes]:
    """Takes the real stdout for frames alone; what a library prints goes to stderr."""
    own = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return os.fdopen(own, "wb")


def _refuse_network(event: str, _arguments: tuple[object, ...]) -> None:
    if event.startswith("socket."):
        raise OSError("the counting process does not use the network")


if __name__ == "__main__":
    sys.exit(main())
