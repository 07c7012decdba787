"""An open session: its index, and what can be looked up through it. Holds no bodies but the few last looked at."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Protocol

from ..conversation.array import assemble
from ..conversation.row import Message, Row
from ..errors import UsageError
from . import boundary as boundaries_
from .boundary import Boundary, Microcompaction, read_boundary, read_microcompaction
from .chain import Chain, Tree, chain_before, load_chain
from .index import SUMMARY, Call, FileFacts, Index
from .lines import body_of, fields_of
from .requests import RecordedRequest, messages_of, read_requests, request_of
from .rows import read_row

CACHED_ROWS = 256
CACHED_BYTES = 8 << 20  # of the lines behind the cached rows


class Reader(Protocol):
    """Whoever can give bytes of the file; handed in from the edge."""

    @property
    def name(self) -> str: ...

    def read(self, offset: int, length: int) -> bytes: ...


class Session:
    """A session as far as it is indexed. Looking never changes what is seen; a grown file makes a new Session."""

    def __init__(
        self, reader: Reader, index: Index, *, plain: Mapping[str, Any] | None = None, facts: FileFacts | None = None
    ) -> None:
        self.reader = reader
        self.index = index
        self.plain = plain  # `system` and `tools` of a Messages API request
        self._facts = facts
        self._rows: OrderedDict[int, Row] = OrderedDict()
        self._cached_bytes = 0

    @property
    def facts(self) -> FileFacts:
        """Counts of the file that was opened; the index of a Messages API request counts lines made of it."""
        return self._facts or self.index.facts

    @property
    def is_request(self) -> bool:
        """Whether the input is a Messages API request, so that rows have no lines."""
        return self.plain is not None

    def body(self, place: int) -> Mapping[str, Any]:
        """The decoded record; {} where the bytes are no longer there or unreadable."""
        return body_of(self.raw(place))

    def raw(self, place: int) -> bytes:
        """The record's bytes as they are in the file."""
        return self.reader.read(self.index.offsets[place], self.index.lengths[place])

    def row(self, place: int) -> Row:
        """The row with its blocks; the last few are kept."""
        row = self._rows.get(place)
        if row is not None:
            self._rows.move_to_end(place)
            return row
        row = self._read(place)
        self._rows[place] = row
        self._cached_bytes += self.index.lengths[place]
        while len(self._rows) > 1 and (len(self._rows) > CACHED_ROWS or self._cached_bytes > CACHED_BYTES):
            dropped, _ = self._rows.popitem(last=False)
            self._cached_bytes -= self.index.lengths[dropped]
        return row

    def _read(self, place: int) -> Row:
        return read_row(self.index, place, fields_of(self.raw(place)))

    def rows(self, places: Iterable[int]) -> Iterator[Row]:
        """The rows at these places, with bodies, none kept: for passing once through many."""
        for place in places:
            row = self._rows.get(place)
            yield row if row is not None else self._read(place)

    @cached_property
    def boundaries(self) -> tuple[Boundary, ...]:
        """Every compaction in file order; old versions wrote a summary without a boundary row (spec 2, section 5)."""
        index = self.index
        places = index.places(boundaries_.KIND)
        roots = set(index.roots)
        places += [p for p in index.places("user") if index.flags[p] & SUMMARY and p in roots]
        return tuple(read_boundary(p, index.lines[p], self.body(p)) for p in sorted(places))

    def version_at(self, place: int) -> str | None:
        """The agent's version that a record names."""
        version = self.body(place).get("version")
        return version if isinstance(version, str) else None

    @cached_property
    def microcompactions(self) -> tuple[Microcompaction, ...]:
        return tuple(
            read_microcompaction(p, self.index.lines[p], self.body(p)) for p in self.index.places(boundaries_.MICRO_KIND)
        )

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        return tuple(self.index.calls())

    @cached_property
    def requests(self) -> tuple[RecordedRequest, ...]:
        return read_requests(self.index, self.body)

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.index, self.boundaries)

    @cached_property
    def chain(self) -> Chain:
        """The chain that the agent loads when it resumes the file now."""
        return load_chain(self.tree)

    def branch(self, uuid: str) -> Chain:
        """The branch that ends at that row. Raises UsageError for an unknown uuid."""
        place = self.index.find(uuid)
        if place is None:
            raise UsageError(f"No row has the uuid {uuid}; `inspect --json` lists the leaves under tree.leaves.")
        return load_chain(self.tree, place)

    def place_of_line(self, line: int) -> int:
        """The first row that starts at or after a physical line; the number of rows behind the end."""
        lines = self.index.lines
        low, high = 0, len(lines)
        while low < high:
            middle = (low + high) // 2
            if lines[middle] < line:
                low = middle + 1
            else:
                high = middle
        return low

    def chain_at(self, line: int) -> Chain:
        """The chain right before a physical line (spec 5, "At a point"). Raises UsageError outside the file."""
        if self.is_request:
            raise UsageError(f"{self.reader.name} is a Messages API request, whose rows have no lines to go back to.")
        if line < 1 or (len(self.index) and line > self.index.lines[-1] + 1):
            last = self.index.lines[-1] if len(self.index) else 0
            raise UsageError(f"There is no line {line}; the records of {self.reader.name} stand on the lines from 1 to {last}.")
        return chain_before(Tree(self.index, self.boundaries, self.place_of_line(line)))

    def recorded_at(self, line: int) -> tuple[Message, ...] | None:
        """The request recorded for the reply that starts at a line, exactly as sent; None where there is none."""
        place = self.place_of_line(line)
        if place >= len(self.index) or self.index.lines[place] != line:
            return None
        request = request_of(self.index, self.body, self.requests, place)
        return None if request is None else messages_of(request, self.index, self.body)

    def array(self, chain: Chain) -> tuple[Message, ...]:
        """The array of a chain, as loaded, with bodies."""
        return assemble(self.rows(chain.places))

    def outline(self, chain: Chain) -> tuple[Message, ...]:
        """The same array with slim blocks: what a list needs, however large the bodies."""
        return assemble(row.slim() for row in self.rows(chain.places))
