"""Sizes of text: bytes, and the agent's own rough estimate of tokens (spec 1, section 2)."""

import json
from collections.abc import Mapping, Sequence

import msgspec


def utf8_length(text: str) -> int:
    """Bytes of `text` in UTF-8; a lone surrogate counts as the three bytes of U+FFFD."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-8", "surrogatepass"))


def rough(length: int) -> int:
    """Tokens by the agent's own estimator: ceil(bytes / 4)."""
    return -(-length // 4)


def compact_json(value: object) -> str:
    """`value` as JSON without blanks, non-ASCII kept: the form in which a tool's input is counted."""
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):  # lone surrogates, huge numbers, deep nesting
        return _by_hand(value)


def _by_hand(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        return "[not JSON]"


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate replaced by U+FFFD, so that it can be written and sent."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def text_pieces(content: object) -> list[str]:
    """The texts of a `content` field: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return [content]
    if isinstance(content, Sequence):
        return [b["text"] for b in content if isinstance(b, Mapping) and isinstance(b.get("text"), str)]
    return []
