"""The physical lines of a session file, bytes between 0x0A, with what stands in each (spec 2, section 10)."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..transcript.index import Index
from ..transcript.lines import BOM
from ..transcript.session import Reader

CHUNK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line: 1-based number, offset in the file, bytes with the line end if it has one."""

    number: int
    offset: int
    content: bytes

    @property
    def end(self) -> bytes:
        """The line end: newline, carriage return and newline, or nothing at the end of the file."""
        if self.content.endswith(b"\r\n"):
            return b"\r\n"
        return b"\n" if self.content.endswith(b"\n") else b""

    @property
    def text(self) -> bytes:
        """Without line end and byte order mark."""
        text = self.content[: len(self.content) - len(self.end)].removesuffix(b"\r")
        return text.removeprefix(BOM) if not self.offset else text


def physical_lines(reader: Reader, size: int) -> Iterator[Line]:
    """Every line of the first `size` bytes of a file, read a chunk at a time."""
    number, offset, at = 0, 0, 0
    rest = b""
    while at < size and (chunk := reader.read(at, min(CHUNK, size - at))):
        at += len(chunk)
        block = rest + chunk if rest else chunk
        start = 0
        while (stop := block.find(b"\n", start)) >= 0:
            number += 1
            yield Line(number, offset + start, block[start : stop + 1])
            start = stop + 1
        rest = block[start:]
        offset += start
    if rest:
        yield Line(number + 1, offset, rest)


def lines_with_places(reader: Reader, index: Index) -> Iterator[tuple[Line, tuple[int, ...]]]:
    """Every line with the places of the records that were read from it: one, none, or several from a damaged one."""
    place, count, numbers = 0, len(index), index.lines
    for line in physical_lines(reader, index.facts.size):
        first = place
        while place < count and numbers[place] == line.number:
            place += 1
        yield line, tuple(range(first, place))
