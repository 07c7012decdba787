"""A file with some of its lines replaced: everything else is the original's own bytes, read from it by offset.

Line edits of several rounds are put together into one edit a line of the original, so that what was done can be shown
beside what stood there, and the original is never copied.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..evidence.physical import CHUNK, Line, physical_lines
from ..transcript.lines import BOM
from ..transcript.session import Reader


@dataclass(frozen=True, slots=True)
class LineEdit:
    """What stands in the place of one physical line: no line drops it, several insert behind it. Without line ends."""

    line: int
    before: bytes
    after: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Patch:
    """Line edits of an original file, by its own line numbers."""

    edits: Mapping[int, LineEdit] = field(default_factory=dict)

    @property
    def state(self) -> int:
        """What tells one patched file from another."""
        return hash(frozenset((e.line, e.after) for e in self.edits.values() if e.after != (e.before,)))

    def then(self, edits: Iterable[LineEdit]) -> "Patch":
        """With further edits, whose line numbers are those of the file that this patch makes."""
        found = dict(self.edits)
        lines = sorted(self.edits)
        starts = self._starts(lines)
        for edit in sorted(edits, key=lambda e: -e.line):  # from the end, so that places within one line stay
            line, at = self._origin(edit.line, lines, starts)
            old = found.get(line)
            if old is None:
                found[line] = LineEdit(line, edit.before, edit.after)
            else:
                found[line] = LineEdit(line, old.before, old.after[:at] + edit.after + old.after[at + 1 :])
        return Patch(found)

    def origin(self, number: int) -> int:
        """The line of the original that a line of the patched file comes from, or stands behind."""
        lines = sorted(self.edits)
        return self._origin(number, lines, self._starts(lines))[0]

    def _starts(self, lines: list[int]) -> list[int]:
        """The number, in the patched file, of the first line behind each edited one."""
        moved, starts = 0, []
        for line in lines:
            moved += len(self.edits[line].after) - 1
            starts.append(line + 1 + moved)
        return starts

    def _origin(self, number: int, lines: list[int], starts: list[int]) -> tuple[int, int]:
        """The original line that a line of the patched file comes from, and which of those in its place it is."""
        at = bisect_right(starts, number)
        if at < len(lines):
            edited = lines[at]
            first = starts[at] - len(self.edits[edited].after)
            if number >= first:
                return edited, number - first
        moved = starts[at - 1] - lines[at - 1] - 1 if at else 0
        return number - moved, 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the patched file: bytes made here, or `length` bytes of the original from `offset` on."""

    start: int
    length: int
    offset: int
    made: bytes | None = None


class Patched:
    """The file that a patch makes, as a reader."""

    def __init__(self, original: Reader, size: int, patch: Patch) -> None:
        self.original = original
        self.patch = patch
        self._pieces = tuple(_pieces(physical_lines(original, size), patch.edits, size))
        self._starts = [p.start for p in self._pieces]

    @property
    def name(self) -> str:
        return self.original.name

    def line(self, number: int) -> int:
        """The original's number of one of its lines."""
        return self.patch.origin(number)

    @property
    def size(self) -> int:
        """Bytes."""
        return self._pieces[-1].start + self._pieces[-1].length if self._pieces else 0

    def read(self, offset: int, length: int) -> bytes:
        """`length` bytes at `offset`, fewer at the end."""
        found = []
        at = max(bisect_right(self._starts, offset) - 1, 0)
        while length > 0 and at < len(self._pieces):
            piece = self._pieces[at]
            skip = offset - piece.start
            take = min(piece.length - skip, length)
            if take > 0:
                made = piece.made
                found.append(self.original.read(piece.offset + skip, take) if made is None else made[skip : skip + take])
                offset, length = offset + take, length - take
            at += 1
        return b"".join(found)

    def chunks(self) -> Iterator[bytes]:
        """The whole file, at most 1 MiB at a time."""
        for at in range(0, self.size, CHUNK):
            yield self.read(at, CHUNK)


def _pieces(lines: Iterable[Line], edits: Mapping[int, LineEdit], size: int) -> Iterator[_Piece]:
    start, offset = 0, 0
    for line in lines if edits else ():
        edit = edits.get(line.number)
        if edit is None:
            continue
        if line.offset > offset:
            yield _Piece(start, line.offset - offset, offset)
            start += line.offset - offset
        made = _made(line, edit)
        if made:
            yield _Piece(start, len(made), 0, made)
            start += len(made)
        offset = line.offset + len(line.content)
    if size > offset:
        yield _Piece(start, size - offset, offset)


def _made(line: Line, edit: LineEdit) -> bytes:
    """The bytes in place of a line; a byte order mark and the kind of line end stay."""
    mark = BOM if not line.offset and line.content.startswith(BOM) else b""
    end = line.end or b"\n"
    return mark + b"".join(new + end for new in edit.after)
