"""What the Messages tab can show, as values: which array, and its blocks as lines with their fates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..conversation.block import Block
    from ..conversation.change import Change
    from ..conversation.row import Row

NOW, CALL, BOUNDARY = "now", "call", "boundary"
LOADED, SENT, RECORDED = "loaded", "sent", "recorded"
KEPT, SUMMARISED, DROPPED, CLEARED, ADDED, NONE = "kept", "summarised", "dropped", "cleared", "added", ""


@dataclass(frozen=True, slots=True)
class View:
    """Which array: now, before call `number`, or around boundary `number` (both from 0); as loaded, sent or recorded."""

    point: str = NOW
    number: int = 0
    reading: str = LOADED


@dataclass(frozen=True, slots=True)
class Item:
    """One block of a message; `message` is the message's index in the array, `first` whether it is its first block."""

    message: int
    first: bool
    role: str
    block: Block
    row: Row | None
    fate: str = NONE

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is, to find the same block in another array."""
        return (self.row.uuid if self.row else "", self.block.kind, self.block.call or self.block.head[:40])


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity: a list of 50,000 blocks is not walked at every key
class Column:
    """An array as lines. `tokens` are rough tokens of its messages; `total` what a call of it measured, None without."""

    title: str
    items: tuple[Item, ...]
    messages: int
    tokens: int
    total: int | None = None
    total_kind: str = ""
    changes: tuple[Change, ...] = ()
    empty: str = "no message"


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What a view shows: one array, or two."""

    view: View
    left: Column
    right: Column | None = None
    counterparts: dict[tuple[str, str, str], int] = field(default_factory=dict)
