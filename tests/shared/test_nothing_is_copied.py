"""The real sessions are other people's words: data to read, of which no stretch may stand anywhere in the project.

Their texts are cut into pieces of one length; the project's texts are searched for each of them at every position. So a
copy of twice that length is found wherever it was cut out and put in, and a shorter one often.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.house.files import kept, named

PIECE = 120
PLAIN = 20
"""Rulers, padding and the like have fewer different characters and belong to nobody."""
EVERYBODY_S = {"LICENSE"}


def test_no_stretch_of_a_real_session_stands_in_the_project(shared: Path) -> None:
    theirs = {piece for path in shared.glob("real*/*.jsonl") for text in texts_of(path) for piece in pieces(text)}
    assert len(theirs) > 10_000
    copied = {named(path): found for path in kept() if path.name not in EVERYBODY_S for found in occurring(theirs, path)}
    assert not copied


def test_a_copy_is_found_wherever_it_stands(tmp_path: Path) -> None:
    original = json.__doc__ or ""
    copy = tmp_path / "copy.jsonl"
    copy.write_text(json.dumps({"message": {"content": [f"before {original[333 : 333 + 2 * PIECE]} after"]}}))
    assert list(occurring(set(pieces(original)), copy))
    copy.write_text("-" * 1000)
    assert not list(occurring(set(pieces("-" * 1000)), copy))


def texts_of(path: Path) -> Iterator[str]:
    """The texts of a file: the strings in its records, else the whole of it."""
    content = path.read_bytes().decode(errors="replace")
    for line in content.split("\n") if path.suffix == ".jsonl" else [content]:
        try:
            yield from strings(json.loads(line))
        except ValueError:
            yield line


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text) - PIECE + 1, PIECE):
        piece = text[start : start + PIECE]
        if len(set(piece)) >= PLAIN:
            yield piece


def occurring(theirs: set[str], path: Path) -> Iterator[str]:
    """The first piece found in each text of a file."""
    for text in texts_of(path):
        found = next((start for start in range(len(text) - PIECE + 1) if text[start : start + PIECE] in theirs), None)
        if found is not None:
            yield text[found : found + PIECE]
