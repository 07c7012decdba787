"""From rows to the array of messages (spec 2, section 12).

An empty row still makes a message (the fault must show); an attachment adds to the neighbouring user message.
"""

from collections.abc import Iterable

from .block import Block
from .row import ASSISTANT, USER, Message, Part, Row

EMPTY = Block("empty", blank=True)


def assemble(rows: Iterable[Row]) -> tuple[Message, ...]:
    """The array of a chain's rows, as loaded: faults visible, no repair."""
    drafts: list[_Draft] = []
    replies: dict[str, _Draft] = {}
    waiting: list[Part] = []
    for row in rows:
        if row.role is None:
            continue
        parts = [Part(b, row) for b in row.blocks]
        if row.role == ASSISTANT:
            draft = replies.get(row.message_id) if row.message_id else None
            if draft is None:
                draft = _Draft(ASSISTANT)
                drafts.append(draft)
                if row.message_id:
                    replies[row.message_id] = draft
            draft.add(row, parts)
        elif drafts and drafts[-1].role == USER:
            drafts[-1].add(row, parts)
        elif row.is_attachment and drafts:
            waiting += parts
        else:
            draft = _Draft(USER)
            draft.parts += waiting
            waiting = []
            draft.add(row, parts)
            drafts.append(draft)
    if waiting:
        drafts.append(_Draft(USER, waiting))
    return tuple(d.message() for d in drafts)


class _Draft:
    """A message under construction."""

    def __init__(self, role: str, parts: list[Part] | None = None) -> None:
        self.role = role
        self.parts = list(parts or ())
        self.empty: Part | None = None

    def add(self, row: Row, parts: list[Part]) -> None:
        self.parts += parts
        if not parts and not row.is_attachment:
            self.empty = self.empty or Part(EMPTY, row)

    def message(self) -> Message:
        if not self.parts and self.empty is not None:
            return Message(self.role, (self.empty,))
        if self.role == USER:
            return Message(self.role, results_first(self.parts))
        return Message(self.role, tuple(self.parts))


def results_first(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Results before everything else, each group in its own order (spec 3, invariant 11)."""
    parts = tuple(parts)
    results = tuple(p for p in parts if p.block.kind == "tool_result")
    return results + tuple(p for p in parts if p.block.kind != "tool_result")
