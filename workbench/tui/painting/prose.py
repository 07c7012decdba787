"""Prose wrapped between words: for summaries and notes, which are read like a letter, not like a listing."""

import re

from rich.cells import cell_len

from .text import fitting, visible

MOST = 400_000  # characters; a longer text is cut at the width by its view

_START = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?")


def wrapped(text: str, width: int) -> str:
    """The text with newlines put between words so that no line is wider than `width`; items go on below their own words."""
    if len(text) > MOST:
        return text
    return "\n".join(_lines(line, width) for line in visible(text).split("\n"))


def _lines(line: str, width: int) -> str:
    if cell_len(line) <= width:
        return line
    start = _START.match(line)
    indent = " " * min(start.end() if start else 0, width // 3)
    rows: list[str] = []
    rest, room = line, width
    while cell_len(rest) > room:
        at = _break(rest, room, len(indent) if not rows else 0)
        rows.append(rest[:at].rstrip())
        rest, room = rest[at:].lstrip(), width - len(indent)
    return f"\n{indent}".join([*rows, rest])


def _break(text: str, room: int, least: int) -> int:
    """Where a row of `room` cells ends: before a word, or within one that is longer than the row."""
    end = fitting(text, room)
    if text[end : end + 1] == " ":
        return end
    at = text.rfind(" ", 0, end) + 1
    return at if at > least else max(1, end)
