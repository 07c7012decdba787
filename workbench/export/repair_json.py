"""Changes within one JSON record that leave every other byte of it as it was."""

import json
import re
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]

_decoder = json.JSONDecoder(strict=False, parse_int=str)  # looked through for places: a number may be of any length
_blank = re.compile(r"[ \t\r\n]*")


class Record:
    """The text of a record, with changes by path; `bytes(record)` is the record as changed."""

    def __init__(self, raw: bytes) -> None:
        self._text = raw.decode("utf-8", "surrogateescape")

    def __bytes__(self) -> bytes:
        return self._text.encode("utf-8", "surrogateescape")

    def raw(self, path: Path) -> str | None:
        """The JSON text at a path; None where there is nothing."""
        span = _find(self._text, path)
        return None if span is None else self._text[span[0] : span[1]]

    def elements(self, path: Path) -> list[str]:
        """The JSON texts of a list's elements; [] where there is no list."""
        span = _find(self._text, path)
        if span is None or self._text[span[0]] != "[":
            return []
        return [self._text[start:end] for start, end in _elements(self._text, span[0])]

    def put(self, path: Path, text: str) -> None:
        """Puts JSON text at a path; a key that is not there yet is added at the end of its object."""
        span = _find(self._text, path)
        if span is None:
            self._add(path, text)
            return
        self._text = self._text[: span[0]] + text + self._text[span[1] :]

    def put_list(self, path: Path, elements: list[str]) -> None:
        self.put(path, "[" + ",".join(elements) + "]")

    def remove(self, path: Path) -> None:
        """Takes a key out of its object; nothing happens where it is not there."""
        owner, key = _find(self._text, path[:-1]), path[-1]
        if owner is None or self._text[owner[0]] != "{":
            return
        kept = [self._text[start:end] for name, start, _, end in _members(self._text, owner[0]) if name != key]
        self._text = self._text[: owner[0]] + "{" + ",".join(kept) + "}" + self._text[owner[1] :]

    def _add(self, path: Path, text: str) -> None:
        owner = _find(self._text, path[:-1])
        if owner is None or self._text[owner[0]] != "{":
            return
        empty = _skip(self._text, owner[0] + 1) == owner[1] - 1
        member = ("" if empty else ",") + json.dumps(path[-1]) + ":" + text
        self._text = self._text[: owner[1] - 1] + member + self._text[owner[1] - 1 :]


def compact(value: Any) -> str:
    """JSON text without blanks; characters that cannot be encoded stay escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def _find(text: str, path: Path) -> tuple[int, int] | None:
    start = _skip(text, 0)
    end = _decoder.raw_decode(text, start)[1]
    for step in path:
        found = None
        if isinstance(step, str) and text[start] == "{":
            found = next(((s, e) for name, _, s, e in reversed(list(_members(text, start))) if name == step), None)
        elif isinstance(step, int) and text[start] == "[":
            elements = list(_elements(text, start))
            found = elements[step] if step < len(elements) else None
        if found is None:
            return None
        start, end = found
    return start, end


def _members(text: str, at: int) -> Iterator[tuple[str, int, int, int]]:
    """(name, start of the member, start and end of its value) of the object at a place."""
    at = _skip(text, at + 1)
    while text[at] != "}":
        name, end = _decoder.raw_decode(text, at)
        value = _skip(text, _skip(text, end) + 1)
        stop = _decoder.raw_decode(text, value)[1]
        yield name, at, value, stop
        at = _skip(text, stop)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _elements(text: str, at: int) -> Iterator[tuple[int, int]]:
    at = _skip(text, at + 1)
    while text[at] != "]":
        stop = _decoder.raw_decode(text, at)[1]
        yield at, stop
        at = _skip(text, stop)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _blank.match(text, at)
    return found.end() if found else at
