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
from .index import SIDECHAIN, SUMMARY, Call, FileFacts, Index, Unmeasured
from .lines import body_of, fields_of
from .requests import RecordedRequest, messages_of, read_requests, request_of
from .rows import read_row

CACHED_ROWS = 256
_TELLING = ("type", "subtype", "parentUuid", "message", "attachment", "content", "compactMetadata")
CACHED_BYTES = 8 << 20  # of the lines behind the cached rows


class Reader(Protocol):
    """Whoever can give bytes of the file; handed in from the edge."""

    @property
    def name(self) -> str: ...

    def read(self, offset: int, length: int) -> bytes: ...


class Session:
    """A session as far as it is indexed. Looking never changes what is seen; a grown file makes a new Session."""

    def __init__(
        self,
        reader: Reader,
        index: Index,
        *,
        plain: Mapping[str, Any] | None = None,
        facts: FileFacts | None = None,
        side: bool = False,
    ) -> None:
        self.reader = reader
        self.index = index
        self.plain = plain  # `system` and `tools` of a Messages API request
        self._facts = facts
        self.is_side = side  # seen from the sub-agents whose rows stand in it
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
        """Every compaction in file order, a copy of one left out; old versions wrote a summary alone (spec 2, section 5)."""
        index = self.index
        places = index.places(boundaries_.KIND)
        roots = set(index.roots)
        places += [p for p in index.places("user") if index.flags[p] & SUMMARY and p in roots]
        if self.is_side:
            places = [p for p in places if index.flags[p] & SIDECHAIN]
        return tuple(read_boundary(p, index.lines[p], self.body(p)) for p in sorted(places) if not self._is_copy(p))

    def _is_copy(self, place: int) -> bool:
        """Whether an earlier row is the same record."""
        if not self.index.is_repeated(place):
            return False
        earlier = (p for p in self.index.duplicates[self.index.uuids[place] or ""] if p < place)
        return any(self.is_same(p, place) for p in earlier)

    def is_same(self, one: int, other: int) -> bool:
        """Whether two rows are one record written twice: what they say and where they hang is the same."""
        if self.raw(one) == self.raw(other):
            return True
        a, b = self.body(one), self.body(other)
        return all(a.get(key) == b.get(key) for key in _TELLING)

    def version_at(self, place: int) -> str | None:
        """The agent's version that a record names."""
        version = self.body(place).get("version")
        return version if isinstance(version, str) else None

    @cached_property
    def microcompactions(self) -> tuple[Microcompaction, ...]:
        return tuple(
            read_microcompaction(p, self.index.lines[p], self.body(p))
            for p in self.index.places(boundaries_.MICRO_KIND)
            if not self.is_side or self.index.flags[p] & SIDECHAIN
        )

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call whose usage is recorded."""
        return tuple(self.index.calls())

    @cached_property
    def main_calls(self) -> tuple[Call, ...]:
        """Those of the main chain, in file order; of a sub-agent's file: every one."""
        return tuple(c for c in self.calls if self.tree.takes(sidechain=c.sidechain))

    @cached_property
    def unmeasured(self) -> tuple[Unmeasured, ...]:
        """The calls that record no usage; a Messages API request holds no calls at all."""
        return () if self.is_request else tuple(self.index.unmeasured())

    @cached_property
    def main_unmeasured(self) -> tuple[Unmeasured, ...]:
        """Those of the main chain, as `main_calls`."""
        return tuple(c for c in self.unmeasured if self.tree.takes(sidechain=c.sidechain))

    @cached_property
    def requests(self) -> tuple[RecordedRequest, ...]:
        return read_requests(self.index, self.body)

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.index, self.boundaries, side=self.is_side)

    @cached_property
    def chain(self) -> Chain:
        """The chain that the agent loads when it resumes the file now."""
        return load_chain(self.tree)

    def branch(self, uuid: str) -> Chain:
        """The branch that ends at that row, also one of a sub-agent's. Raises UsageError for an unknown uuid."""
        place = self.index.find(uuid)
        if place is None:
            raise UsageError(f"No row has the uuid {uuid}; `inspect --json` lists the leaves under tree.leaves.")
        if self.index.has(place, SIDECHAIN) and not self.tree.is_sub_agent:
            return load_chain(self.seen_from_agents().tree, place)
        return load_chain(self.tree, place)

    def seen_from_agents(self) -> "Session":
        """The same file, of which only the rows of sub-agents count (spec 2, section 1: versions 1.0.x wrote them into it)."""
        return Session(self.reader, self.index, plain=self.plain, facts=self._facts, side=True)

    def seen_from(self, chain: Chain) -> "Session":
        """The session to which a chain belongs: for a branch of a sub-agent, one whose main rows are the sub-agents'."""
        if not chain.is_sub_agent or self.tree.is_sub_agent:
            return self
        seen = self.seen_from_agents()
        seen.chain = chain
        return seen

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
