"""What is brought back, before it is a row; and texts cut to a budget of tokens."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...conversation.text import rough, utf8_length

CUT_MARK = "[Cut here: {kept:,} of {all:,} tokens are shown. Read {name} again for the rest.]"


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to bring back.

    kind    the type of its attachment
    name    what a user calls it: a path, names of skills
    text    what is sent, without the frame of a reminder
    tokens  rough tokens of the contents in it, our words around them not counted: what the budgets are about
    fields  the attachment as it stands on disk
    reason  why it comes back, and from where
    """

    kind: str
    name: str
    text: str
    tokens: int
    reason: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    truncated: bool = False


def tokens_in(text: str) -> int:
    """Rough tokens of a text."""
    return rough(utf8_length(text))


def start_of(text: str, tokens: int) -> str:
    """The start of a text that has at most so many rough tokens; no character is split."""
    if tokens_in(text) <= tokens:
        return text
    data = text.encode("utf-8", "surrogatepass")
    end = tokens * 4
    while end and data[end] & 0xC0 == 0x80:
        end -= 1
    return data[:end].decode("utf-8", "surrogatepass")
