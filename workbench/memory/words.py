"""Making texts of a session short and harmless, so that a line of notes stays a line of notes."""

import re
from collections.abc import Mapping
from typing import Any

from ..conversation.block import Block
from ..conversation.text import text_pieces, without_surrogates

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]")
_BLANKS = re.compile(r"\s+")


def clean(text: str) -> str:
    """`text` without escape sequences, control characters and lone surrogates; lines end with a newline only."""
    return without_surrogates(_CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def one_line(text: str, most: int) -> str:
    """`text` in one line of at most `most` characters, cut at its end."""
    line = _BLANKS.sub(" ", clean(text)).strip()
    return line if len(line) <= most else f"{_at_word(line[: most - 2])} …"


def middle_cut(text: str, most: int) -> str:
    """`text` with its middle cut to at most about `most` characters: begin and end say most."""
    if len(text) <= most:
        return text
    head = most * 2 // 3
    left, right = _at_word(text[:head]), text[len(text) - (most - head) :]
    blank = right.find(" ")
    right = right[blank + 1 :] if 0 <= blank < len(right) // 2 else right
    return f"{left} […] {right}"


def _at_word(text: str) -> str:
    blank = text.rfind(" ")
    return (text[:blank] if blank > len(text) * 2 // 3 else text).rstrip()


def text_of(block: Block) -> str:
    """The text of a text block or of a tool result; its first characters where the body was dropped."""
    if block.body is None:
        return block.head
    if block.kind == "tool_result":
        return "\n".join(text_pieces(block.body.get("content")))
    text = block.body.get("text")
    return text if isinstance(text, str) else ""


def given(block: Block) -> Mapping[str, Any]:
    """The input of a call; {} where it is none or the body was dropped."""
    value = block.body.get("input") if block.body is not None else None
    return value if isinstance(value, Mapping) else {}
