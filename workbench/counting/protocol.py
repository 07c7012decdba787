"""What travels between the program and its counting process: frames of a 4-byte length and one JSON value.

The child says Hello once; then every Batch gets one Answer. Closing the child's input ends it.
"""

from typing import IO, TypeVar

import msgspec

LENGTH_BYTES = 4

Frame = TypeVar("Frame", bound=msgspec.Struct)


class Hello(msgspec.Struct, frozen=True):
    """The first frame: which engine was loaded ("" for none), and a sentence when it is not the usual one."""

    engine: str
    note: str


class Batch(msgspec.Struct, frozen=True):
    """Well-formed texts to count."""

    texts: list[str]


class Answer(msgspec.Struct, frozen=True):
    """Tokens of each text of the batch, in its order."""

    tokens: list[int]


def write_frame(stream: IO[bytes], value: msgspec.Struct) -> None:
    """Writes and flushes one frame; raises OSError when the other side is gone."""
    data = msgspec.json.encode(value)
    stream.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
    stream.flush()


def read_frame(stream: IO[bytes], kind: type[Frame]) -> Frame | None:
    """The next frame, or None at the end of the stream.

    Raises EOFError when the stream ends inside a frame, msgspec.MsgspecError when the frame is no `kind`.
    """
    head = stream.read(LENGTH_BYTES)
    if not head:
        return None
    size = int.from_bytes(head, "big")
    data = stream.read(size)
    if len(head) < LENGTH_BYTES or len(data) < size:
        raise EOFError("the stream ended inside a frame")
    return msgspec.json.decode(data, type=kind)
