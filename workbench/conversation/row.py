"""A row, and the messages that rows make (spec 1, head: the row is the unit of cut, keep window and pins)."""

from dataclasses import dataclass, replace

from .block import Block

USER, ASSISTANT = "user", "assistant"


@dataclass(frozen=True, slots=True)
class Row:
    """One record that stands in a chain.

    place       its place in the index; -1 for a row made here
    line        1-based physical line; None where there is none
    uuid        the record's id; `message:i` in Messages API JSON
    kind        type, or type:subtype
    role        "user" or "assistant" when it is sent; None for a mere link
    message_id  id of the reply it belongs to; rows of one id are never split
    blocks      what it adds to the array; () for a link
    """

    place: int
    line: int | None
    uuid: str
    kind: str
    role: str | None
    message_id: str | None = None
    model: str = ""
    timestamp: str | None = None
    parent: str | None = None
    is_meta: bool = False
    is_summary: bool = False
    is_sidechain: bool = False
    blocks: tuple[Block, ...] = ()

    @property
    def tokens(self) -> int:
        """Rough tokens of its blocks."""
        return sum(b.tokens for b in self.blocks)

    @property
    def is_attachment(self) -> bool:
        return self.kind.startswith("attachment")

    def slim(self) -> "Row":
        """The same row without the bodies of its blocks."""
        return replace(self, blocks=tuple([b.slim() for b in self.blocks])) if self.blocks else self


@dataclass(frozen=True, slots=True)
class Part:
    """A block of a message, and the row it came from (None: made by a repair)."""

    block: Block
    row: Row | None


@dataclass(frozen=True, slots=True)
class Message:
    """An element of the array sent: rows of one `message.id` joined, neighbouring user rows joined, results first."""

    role: str
    parts: tuple[Part, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(p.block for p in self.parts)

    @property
    def rows(self) -> tuple[Row, ...]:
        """Its rows, each once, in order."""
        return tuple({p.row.uuid: p.row for p in self.parts if p.row is not None}.values())

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(r.line for r in self.rows if r.line is not None)

    @property
    def tokens(self) -> int:
        """Rough tokens."""
        return sum(p.block.tokens for p in self.parts)

    @property
    def size(self) -> int:
        """Bytes of its texts in UTF-8."""
        return sum(p.block.size for p in self.parts)

    @property
    def message_id(self) -> str | None:
        return next((p.row.message_id for p in self.parts if p.row and p.row.message_id), None)
