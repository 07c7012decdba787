"""Where a block stands: the parts of an array that a fault names by message, block and row."""

from collections.abc import Iterator, Sequence
from typing import TypedDict

from ..row import Message, Part

THINKING = ("thinking", "redacted_thinking")


class Where(TypedDict):
    """The fields of a fault that say where it is."""

    message_index: int
    line: int | None
    uuid: str | None


def where(index: int, part: Part | None) -> Where:
    """The place of a part (or, without one, of a message) as fields of a fault."""
    row = part.row if part is not None else None
    return {"message_index": index, "line": row.line if row else None, "uuid": row.uuid if row else None}


def parts_of(messages: Sequence[Message]) -> Iterator[tuple[int, int, Part]]:
    """(index of the message, index of the block in it, part) of a whole array."""
    for index, message in enumerate(messages):
        for at, part in enumerate(message.parts):
            yield index, at, part


def first_part(message: Message) -> Part | None:
    return message.parts[0] if message.parts else None


def find(message: Message, kind: str, call: str, skip: int = 0) -> tuple[int, Part | None]:
    """The block of that kind for that call in a message, and its place; `skip` passes over earlier ones."""
    for at, part in enumerate(message.parts):
        if part.block.kind == kind and part.block.call == call:
            if not skip:
                return at, part
            skip -= 1
    return 0, None
