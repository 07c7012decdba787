"""The floor of reading a session: every line found, and of each only its type, ids and usage decoded.

`python tests/tools/floor.py PATH` prints how many lines had them, and the milliseconds of reading alone, without the start
of Python and the imports.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

CHUNK = 1 << 20


class Usage(msgspec.Struct, gc=False):
    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0


class Message(msgspec.Struct, gc=False):
    id: str | None = None
    usage: Usage | None = None


class Row(msgspec.Struct, gc=False):
    type: str
    uuid: str | None = None
    parentUuid: str | None = None
    message: Message | None = None


def lines(path: Path) -> Iterator[bytes]:
    """Whole lines without their newline, read in chunks of 1 MB."""
    rest = b""
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(CHUNK):
            *whole, rest = (rest + chunk).split(b"\n")
            yield from whole
    if rest:
        yield rest


def count_rows(path: Path) -> int:
    """Lines that could be decoded; the others are passed over."""
    decode = msgspec.json.Decoder(Row).decode
    count = 0
    for line in lines(path):
        try:
            decode(line)
        except msgspec.DecodeError:
            continue
        count += 1
    return count


if __name__ == "__main__":
    started = time.perf_counter()
    rows = count_rows(Path(sys.argv[1]))
    print(f"{rows} rows, {(time.perf_counter() - started) * 1000:.1f} ms")
