"""Damaged lines and bad characters, with offsets: what is wrong with the bytes themselves (spec 2, section 10)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from ..transcript.lines import Recovered, count_bad_characters, parse_object, salvage
from ..transcript.record import decode_head
from .physical import Line

SHOWN = 80  # characters of a damaged line


@dataclass(frozen=True, slots=True)
class DamagedLine:
    """A line that is not one JSON object.

    offset          bytes from the start of the file
    records         whole records found in it; the agent reads the first alone, and only at the start of the line
    lost_fragments  pieces between them that are no record
    head            its first characters, for display
    """

    line: int
    offset: int
    size: int
    records: tuple[Recovered, ...]
    lost_fragments: int
    nul_bytes: int
    head: str


@dataclass(frozen=True, slots=True)
class BadCharacter:
    """A lone surrogate or a NUL in a string of a record: JSON path, and which character of the string (from 0)."""

    path: str
    at: int
    code: int

    @property
    def is_nul(self) -> bool:
        return self.code == 0

    @property
    def name(self) -> str:
        return f"U+{self.code:04X}"


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that holds bad characters."""

    place: int
    line: int
    characters: tuple[BadCharacter, ...]


def damage_in(line: Line) -> DamagedLine | None:
    """What is left of a line that is not exactly one record; None where it is one, or blank."""
    text = line.text
    if not text or text.isspace() or is_record(text):
        return None
    saved = salvage(text)
    return DamagedLine(
        line=line.number,
        offset=line.offset,
        size=len(text),
        records=saved.records,
        lost_fragments=saved.lost_fragments,
        nul_bytes=text.count(b"\x00"),
        head=text[:SHOWN].decode("utf-8", "replace"),
    )


def is_record(text: bytes) -> bool:
    """Whether a line is read as it stands, by the same two readings as the index."""
    try:
        decode_head(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return parse_object(text) is not None
    return True


def bad_characters_in(line: Line) -> tuple[BadCharacter, ...]:
    """Lone surrogates and NUL characters of a whole record, in order of appearance."""
    text = line.text
    if b"\\u" not in text or not any(count_bad_characters(text)):
        return ()
    record = parse_object(text)
    return tuple(_walk(record, "")) if record is not None else ()


def _walk(value: Any, path: str) -> Iterator[BadCharacter]:
    if isinstance(value, str):
        yield from (BadCharacter(path, at, ord(c)) for at, c in enumerate(value) if c == "\0" or "\ud800" <= c <= "\udfff")
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            where = f"{path}.{_key(key)}" if path else _key(key)
            yield from _walk(key, f"{where} (the name)")
            yield from _walk(inner, where)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _walk(inner, f"{path}[{at}]")


def _key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else json.dumps(key)
