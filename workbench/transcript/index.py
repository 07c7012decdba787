"""Where every record stands and how it links: the only thing that grows with the file.

Columns instead of objects, so that a row costs about 200 bytes whatever its line holds. A feed of chunks fills it; a
growing file is fed further. Bodies are decoded by whoever looks at one, from the offsets kept here.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec

from ..conversation.text import compact_json
from .lines import BOM, count_bad_characters, parse_object, salvage
from .record import MessageHead, RecordHead, UsageHead, decode_head, from_plain

NONE = -1
SIDECHAIN, META, SUMMARY, API_ERROR, SYNTHETIC = 1, 2, 4, 8, 16
UNREAD = 32  # recovered from within a damaged line: the agent itself reads a line's first record only
CALL, RESULT, SERVER = 0, 1, 2
SYNTHETIC_MODEL = "<synthetic>"
OTHER = "(other)"
MOST_NAMES = 65_000
MOST_TOKENS = 1 << 60
ODD_PARENT = 60  # characters of a parentUuid that is no string
EARLIEST, LATEST = -62_135_596_800, 253_402_300_799  # seconds of the years 1 and 9999, which an offset can lead beyond


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Counts of the bytes themselves (spec 5, `file`); `lines` are the non-blank ones."""

    size: int = 0
    lines: int = 0
    damaged_lines: int = 0
    recovered_records: int = 0
    lost_fragments: int = 0
    nul_bytes: int = 0
    lone_surrogates: int = 0
    nul_characters: int = 0
    bom: bool = False
    crlf: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One call to the API: rows of one `message.id`, each usage field at its maximum (spec 1, section 2).

    row, last   first and last row, as places in the index
    prompt      tokens: input + cache creation + cache read
    """

    message_id: str
    row: int
    last: int
    model: str
    input: int
    cache_creation: int
    cache_read: int
    output: int
    sidechain: bool

    @property
    def prompt(self) -> int:
        return self.input + self.cache_creation + self.cache_read


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """A call whose rows record no usage that can be read: how many tokens it took is unknown."""

    message_id: str
    row: int
    line: int
    model: str
    sidechain: bool


class Index:
    """The rows of a session file in file order, each a place 0..n-1; only `feed` changes it, and only at the end."""

    def __init__(self) -> None:
        self.offsets = array("Q")
        self.lengths = array("I")
        self.lines = array("I")
        self.kinds = array("H")
        self.flags = array("B")
        self.parents = array("i")  # place of the parent row; NONE: null, or `dangling` holds the name
        self.times = array("d")  # seconds since the epoch; 0.0: unreadable
        self.messages = array("i")  # place in `message_ids`; NONE: no assistant row
        self.models = array("H")
        self.uuids: list[str | None] = []
        self.kind_names: list[str] = []
        self.model_names: list[str] = [""]
        self.message_ids: list[str] = []
        self.tool_rows = array("I")
        self.tool_hashes = array("q")
        self.tool_roles = array("B")
        self.dangling: dict[int, str] = {}
        self.roots: list[int] = []
        self.odd_parents: dict[int, str] = {}  # rows whose parentUuid is there and neither null nor a uuid: what it is
        self.duplicates: dict[str, list[int]] = {}
        self.sessions: Counter[str] = Counter()
        self.versions: Counter[str] = Counter()
        self.last_version = ""
        self.last_prompts: list[tuple[int, str | None]] = []  # (place of the record, its leafUuid)
        self._kind_codes: dict[str, int] = {}
        self._model_codes: dict[str, int] = {"": 0}
        self._call_numbers = array("i")  # per message id: its call, NONE without usage
        self._usage = tuple(array("q") for _ in range(7))  # per call: message, row, last, input, creation, read, output
        self._facts = FileFacts()
        self._line = 0
        self._at = 0  # offset of the first byte not yet indexed
        self._parent_names: dict[int, str] = {}  # rows of this feed whose parent is not yet looked up
        self._numbered: dict[str, int] = {}  # number of each message id, while feeding
        self.open_tail = False  # the last line had no newline yet

    def __len__(self) -> int:
        return len(self.offsets)

    @property
    def facts(self) -> FileFacts:
        return self._facts

    @property
    def end(self) -> int:
        """Offset in bytes up to which the file is indexed: always behind a line end."""
        return self._at

    def kind(self, place: int) -> str:
        """type, or type:subtype."""
        return self.kind_names[self.kinds[place]]

    def kind_codes(self, *names: str) -> frozenset[int]:
        """The codes of kinds by name, to compare with `kinds` without looking up each row's name."""
        return frozenset(self._kind_codes[n] for n in names if n in self._kind_codes)

    def places(self, *kinds: str) -> list[int]:
        """The rows of these kinds, in file order."""
        codes = self.kind_codes(*kinds)
        return [i for i, code in enumerate(self.kinds) if code in codes] if codes else []

    def model(self, place: int) -> str:
        return self.model_names[self.models[place]]

    def has(self, place: int, flag: int) -> bool:
        return bool(self.flags[place] & flag)

    def message_id(self, place: int) -> str | None:
        number = self.messages[place]
        return None if number == NONE else self.message_ids[number]

    def record_counts(self) -> dict[str, int]:
        """{kind: count}, most frequent first."""
        return {self.kind_names[code]: n for code, n in Counter(self.kinds).most_common()}

    def places_by_uuid(self) -> dict[str, int]:
        """{uuid: place of its last row}; made anew, kept by nobody: it costs as much as the index."""
        return {uuid: place for place, uuid in enumerate(self.uuids) if uuid is not None}

    def find(self, uuid: str, before: int | None = None) -> int | None:
        """The nearest earlier row with that uuid (before a place), else the first later one; None: nowhere."""
        places = self.duplicates.get(uuid)
        if places is None:
            try:
                return self.uuids.index(uuid)
            except ValueError:
                return None
        earlier = [p for p in places if before is None or p < before]
        return earlier[-1] if earlier else places[0]

    def is_repeated(self, place: int) -> bool:
        """Whether an earlier row has the same uuid."""
        uuid = self.uuids[place]
        return uuid is not None and uuid in self.duplicates and self.duplicates[uuid][0] != place

    def find_all(self, uuids: Sequence[str], before: int | None = None) -> list[int | None]:
        """As `find`, for each of several uuids in one pass over the rows."""
        return self.find_each([(uuid, before) for uuid in uuids])

    def find_each(self, wanted: Sequence[tuple[str, int | None]]) -> list[int | None]:
        """As `find`, for several (uuid, before), in one pass over the rows."""
        uuids = {uuid for uuid, _ in wanted}
        single = {uuid: place for place, uuid in enumerate(self.uuids) if uuid in uuids}
        return [self.find(uuid, before) if uuid in self.duplicates else single.get(uuid) for uuid, before in wanted]

    def calls(self) -> list[Call]:
        """Every call whose prompt is known, in file order of its first row; rows of `<synthetic>` and of API errors are none.

        A usage of zeros, as some proxies write it, or with a prompt that is no number measures nothing: no prompt is empty.
        """
        return [
            Call(self.message_ids[number], row, last, self.model(row), given, made, read, output, self.has(row, SIDECHAIN))
            for number, row, last, given, made, read, output in zip(*self._usage, strict=True)
            if given or made or read
        ]

    def unmeasured(self) -> list[Unmeasured]:
        """Every call without a usage that can be read, in file order of its first row."""
        numbers, prompts = self._usage[0], zip(*self._usage[3:6], strict=True)
        measured = {number for number, counts in zip(numbers, prompts, strict=True) if any(counts)}
        if len(measured) == len(self.message_ids):
            return []
        found: dict[int, int] = {}
        for row, number in enumerate(self.messages):
            if number != NONE and number not in measured and not self.flags[row] & (API_ERROR | SYNTHETIC):
                found.setdefault(number, row)
        return [
            Unmeasured(self.message_ids[number], row, self.lines[row], self.model(row), self.has(row, SIDECHAIN))
            for number, row in found.items()
        ]

    def timestamp(self, place: int) -> str | None:
        """ISO time in UTC with milliseconds; None when the record's own is unreadable."""
        seconds = self.times[place]
        if not seconds:
            return None
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    # feeding

    def feed(self, chunks: Iterator[bytes], last: bool = True) -> Iterator[int]:
        """Indexes further bytes from `end` on; yields the number of rows after each chunk.

        A line without its newline waits for more unless `last`: then it is taken as it is and `open_tail` says that
        a file which grows later must be indexed anew.
        """
        begun: list[bytes] = []  # pieces of a line that has no end yet: joined once, however many chunks it spans
        self._numbered = {message_id: number for number, message_id in enumerate(self.message_ids)}
        for chunk in chunks:
            whole = chunk.rfind(b"\n") + 1
            if whole:
                self._take(b"".join((*begun, chunk[:whole])))
                begun = [chunk[whole:]]
            else:
                begun.append(chunk)
            yield len(self)
        rest = b"".join(begun)
        if rest and last:
            self._take(rest)
            self.open_tail = True
        self._link()
        self._numbered = {}
        yield len(self)

    def _take(self, block: bytes) -> None:
        """Indexes whole lines that stand one after the other from `end` on."""
        start = 0
        offset = self._at
        facts = self._facts
        lines, bom, crlf = facts.lines, facts.bom, facts.crlf
        if not offset and block.startswith(BOM):
            bom, start = True, len(BOM)
        suspicious = b"\\u0000" in block
        decode, add = decode_head, self._add
        size = len(block)
        while start < size:
            stop = block.find(b"\n", start)
            if stop < 0:
                stop = size
            self._line += 1
            line = block[start:stop]
            at = offset + start
            start = stop + 1
            if line.endswith(b"\r"):
                crlf, line = True, line[:-1]
            if not line or line.isspace():
                continue
            lines += 1
            try:
                head = decode(line)
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
                self._take_by_hand(at, line)
                continue
            add(at, len(line), head)
            if suspicious and b"\\u0000" in line:
                self._count_characters(line)
        self._at = offset + size
        self._facts = replace(self._facts, size=self._at, lines=lines, bom=bom, crlf=crlf)

    def _take_by_hand(self, at: int, line: bytes) -> None:
        """A line that msgspec refuses: the standard library's reading of it, else what can be recovered."""
        facts = self._facts
        nuls = line.count(b"\x00")
        record = parse_object(line)
        if record is not None:
            self._facts = replace(facts, nul_bytes=facts.nul_bytes + nuls)
            self._add_plain(at, len(line), record)
            self._count_characters(line)
            return
        saved = salvage(line)
        self._facts = replace(
            facts,
            nul_bytes=facts.nul_bytes + nuls,
            damaged_lines=facts.damaged_lines + 1,
            recovered_records=facts.recovered_records + len(saved.records),
            lost_fragments=facts.lost_fragments + saved.lost_fragments,
        )
        for found in saved.records:
            self._add_plain(at + found.start, found.length, found.record)
            if found.start:
                self.flags[-1] |= UNREAD
            self._count_characters(line[found.start : found.start + found.length])

    def _count_characters(self, line: bytes) -> None:
        lone, nuls = count_bad_characters(line)
        facts = self._facts
        self._facts = replace(facts, lone_surrogates=facts.lone_surrogates + lone, nul_characters=facts.nul_characters + nuls)

    def _add_plain(self, offset: int, length: int, record: Mapping[str, Any]) -> None:
        """A record decoded whole: only there a parentUuid can be something else than a string or null.

        The agent takes false and 0 for no parent, and anything else for one that is not in the file.
        """
        self._add(offset, length, from_plain(record))
        parent, place = record.get("parentUuid"), len(self.offsets) - 1
        if parent is None or isinstance(parent, str) or self.uuids[place] is None:
            return
        self.odd_parents[place] = compact_json(parent)[:ODD_PARENT]
        if parent or isinstance(parent, list | dict):
            self.roots.pop()
            self._parent_names[place] = f"{self.odd_parents[place]} (no uuid)"

    def _add(self, offset: int, length: int, head: RecordHead) -> None:
        place = len(self.offsets)
        self.offsets.append(offset)
        self.lengths.append(length)
        self.lines.append(self._line)
        self.kinds.append(_code(self._kind_codes, self.kind_names, head.kind))
        self.uuids.append(head.uuid)
        self.times.append(_seconds(head.timestamp))
        self.parents.append(NONE)
        if head.uuid is not None:
            if not head.parent_uuid:
                self.roots.append(place)
                if head.parent_uuid is not None:
                    self.odd_parents[place] = '""'
            else:
                self._parent_names[place] = head.parent_uuid
        if head.session_id is not None:
            self.sessions[head.session_id] += 1
        if head.version is not None:
            self.versions[head.version] += 1
            self.last_version = head.version
        if head.type == "last-prompt":
            self.last_prompts.append((place, head.leaf_uuid))
        message = head.message
        model = (message.model or "") if message is not None and head.type == "assistant" else ""
        self.models.append(_code(self._model_codes, self.model_names, model))
        self.flags.append(
            (SIDECHAIN if head.is_sidechain else 0)
            | (META if head.is_meta else 0)
            | (SUMMARY if head.is_compact_summary else 0)
            | (API_ERROR if head.is_api_error_message else 0)
            | (SYNTHETIC if model == SYNTHETIC_MODEL else 0)
        )
        if message is None or head.type not in ("assistant", "user"):
            self.messages.append(NONE)
            return
        self.messages.append(self._message(place, head, message))
        if type(message.content) is list:
            for block in message.content:
                kind = block.type
                if kind == "tool_use":
                    self._tool(place, block.id, CALL)
                elif kind == "tool_result":
                    self._tool(place, block.tool_use_id, RESULT)

    def _tool(self, place: int, call: str, role: int) -> None:
        self.tool_rows.append(place)
        self.tool_hashes.append(hash(call))
        self.tool_roles.append(role)

    def _message(self, place: int, head: RecordHead, message: MessageHead) -> int:
        """The number of this row's message; its usage is merged into the call's (the maximum of each field)."""
        if head.type != "assistant" or message.id is None:
            return NONE
        number = self._numbered.get(message.id, NONE)
        if number == NONE:
            number = self._numbered[message.id] = len(self.message_ids)
            self.message_ids.append(message.id)
            self._call_numbers.append(NONE)
        usage = message.usage
        if usage is not None and not self.flags[place] & (API_ERROR | SYNTHETIC):
            self._count(place, number, usage)
        return number

    def _count(self, place: int, number: int, usage: UsageHead) -> None:
        given, made, read = usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens
        if not (0 <= given <= MOST_TOKENS and 0 <= made <= MOST_TOKENS and 0 <= read <= MOST_TOKENS):
            return  # a prompt of which a part cannot be read is unknown
        output = usage.output_tokens
        tokens = (given, made, read, output if 0 <= output <= MOST_TOKENS else 0)
        call = self._call_numbers[number]
        if call == NONE:
            self._call_numbers[number] = len(self._usage[0])
            for column, value in zip(self._usage, (number, place, place, *tokens), strict=True):
                column.append(value)
            return
        self._usage[2][call] = place
        for column, value in zip(self._usage[3:], tokens, strict=True):
            if value > column[call]:
                column[call] = value

    def _link(self) -> None:
        """Looks up the parents of the rows fed last: the nearest earlier row of that uuid, else a later one."""
        places = self.places_by_uuid()
        named = sum(uuid is not None for uuid in self.uuids)
        if named > len(places):
            self._note_duplicates(places)
        for place, name in self._parent_names.items():
            found: int | None = places.get(name)
            if found is not None and name in self.duplicates:
                found = self.find(name, before=place)
            if found is None:
                self.dangling[place] = name
            else:
                self.parents[place] = found
        for place in [p for p, name in self.dangling.items() if name in places]:
            name = self.dangling.pop(place)
            self.parents[place] = self.duplicates[name][0] if name in self.duplicates else places[name]
        self._parent_names = {}

    def _note_duplicates(self, places: dict[str, int]) -> None:
        seen: dict[str, list[int]] = {}
        for place, uuid in enumerate(self.uuids):
            if uuid is not None and (places[uuid] != place or uuid in seen):
                seen.setdefault(uuid, []).append(place)
        for uuid, found in seen.items():
            if found[-1] != places[uuid]:
                found.append(places[uuid])
        self.duplicates = seen

    def tools(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """(row, hash of the id, CALL or RESULT) of every client call and result, as columns in file order."""
        return self.tool_rows, self.tool_hashes, self.tool_roles


def _code(codes: dict[str, int], names: list[str], name: str) -> int:
    code = codes.get(name)
    if code is None:
        if len(names) >= MOST_NAMES:  # a hostile file: what comes beyond shares one name
            return codes[OTHER] if OTHER in codes else _code_of(codes, names, OTHER)
        code = _code_of(codes, names, name)
    return code


def _code_of(codes: dict[str, int], names: list[str], name: str) -> int:
    codes[name] = len(names)
    names.append(name)
    return codes[name]


def _seconds(timestamp: str | None) -> float:
    if timestamp is None:
        return 0.0
    try:
        seconds = datetime.fromisoformat(timestamp).timestamp()
    except (ValueError, OverflowError):
        return 0.0
    return seconds if EARLIEST <= seconds <= LATEST else 0.0
