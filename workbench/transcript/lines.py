"""From bytes to records: physical lines, and what can be saved from a damaged one (spec 2, section 10)."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import msgspec

BOM = b"\xef\xbb\xbf"
MOST_FAILED_STARTS = 200  # a damaged line is searched from at most so many openings: each may cost its whole length

_OPENING = re.compile(r'\{\s*"')
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_WITHOUT_SESSION = frozenset(("summary", "file-history-snapshot", "file-history-delta"))


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _integer(digits: str) -> int | float:
    """An integer; one of thousands of digits, which Python will not read, is infinite as in the agent's own reading."""
    return int(digits) if len(digits) < 4_000 else float(digits)


_decoder = json.JSONDecoder(strict=False, parse_constant=_refuse, parse_int=_integer)


@dataclass(frozen=True, slots=True)
class Recovered:
    """A whole record found in a damaged line: its place in bytes within the line, and the record."""

    start: int
    length: int
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Salvage:
    """What a damaged line still holds: whole records, and the number of fragments that are none."""

    records: tuple[Recovered, ...]
    lost_fragments: int


def parse_object(line: bytes) -> Mapping[str, Any] | None:
    """The JSON object that is the whole line, read leniently; None where it is not exactly one object."""
    try:
        value = json.loads(line.decode("utf-8", "surrogatepass"), parse_constant=_refuse, parse_int=_integer)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class RowFields(msgspec.Struct, gc=False, rename="camel"):
    """The fields of a record that its row is made of; the copy of a tool's output beside the message is skipped."""

    parent_uuid: Any = None
    message: Any = None
    attachment: Any = None
    rendered: Any = msgspec.UNSET
    rendered_role: Any = msgspec.UNSET


_decode_any = msgspec.json.Decoder().decode
_decode_fields = msgspec.json.Decoder(RowFields).decode


def fields_of(line: bytes) -> Mapping[str, Any]:
    """What `read_row` needs of a record, several times faster than its whole body."""
    try:
        found = _decode_fields(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return body_of(line)
    record = {"parentUuid": found.parent_uuid, "message": found.message, "attachment": found.attachment}
    if found.rendered is not msgspec.UNSET:
        record["rendered"] = found.rendered
    if found.rendered_role is not msgspec.UNSET:
        record["renderedRole"] = found.rendered_role
    return record


def body_of(line: bytes) -> Mapping[str, Any]:
    """A record's body for display: invalid UTF-8 is replaced, an unreadable line is an empty record."""
    try:
        value = _decode_any(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return _leniently(line)
    return value if isinstance(value, dict) else {}


def _leniently(line: bytes) -> Mapping[str, Any]:
    found = parse_object(line)
    if found is not None:
        return found
    try:
        value = _decoder.decode(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def salvage(line: bytes) -> Salvage:
    """Whole records within a damaged line, in order, and how many fragments are lost between them."""
    text = line.decode("utf-8", "surrogateescape")
    found: list[Recovered] = []
    lost, rest = 0, 0
    for start, end, record in _whole_records(text):
        lost += _is_fragment(text[rest:start])
        prefix = _bytes(text[:start])
        found.append(Recovered(len(prefix), len(_bytes(text[start:end])), record))
        rest = end
    return Salvage(tuple(found), lost + _is_fragment(text[rest:]))


def _whole_records(text: str) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    at, failed = 0, 0
    while failed < MOST_FAILED_STARTS and (opening := _OPENING.search(text, at)):
        start = opening.start()
        try:
            value, end = _decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            failed += 1
            at = start + 1
            continue
        if _looks_like_record(value):
            yield start, end, value
        at = end


def _looks_like_record(value: Mapping[str, Any]) -> bool:
    """A record, rather than an object within one: a message, a block and a nested copy carry no session id."""
    kind = value.get("type")
    return isinstance(kind, str) and (isinstance(value.get("sessionId"), str) or kind in _WITHOUT_SESSION)


def _is_fragment(text: str) -> bool:
    """Padding of blanks and NULs is none: nothing that was written is lost with it."""
    return bool(text.strip(" \t\r\n\x00"))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def count_bad_characters(line: bytes) -> tuple[int, int]:
    """(lone surrogates, NUL characters) among the escapes of a JSON line; a surrogate pair is one good character."""
    lone = nuls = high_end = 0
    pending = False
    for found in _ESCAPE.finditer(line):
        if found[1] is None:
            continue
        code = int(found[1], 16)
        if pending and found.start() == high_end and 0xDC00 <= code <= 0xDFFF:
            pending = False
            continue
        lone += pending
        pending = 0xD800 <= code <= 0xDBFF
        high_end = found.end()
        lone += 0xDC00 <= code <= 0xDFFF
        nuls += code == 0
    return lone + pending, nuls
