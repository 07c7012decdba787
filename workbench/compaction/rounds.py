"""Rows by API round: what one call to the model added (spec 1, section 6b; there: groupMessagesByApiRound)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..conversation.row import ASSISTANT, Row
from ..conversation.wording import noun
from .ties import can_cut, tied_from


@dataclass(frozen=True, slots=True)
class Round:
    """Rows that belong to one call; `is_head` for those before the first."""

    rows: tuple[Row, ...]
    is_head: bool = False

    @property
    def tokens(self) -> int:
        """Rough tokens."""
        return sum(row.tokens for row in self.rows)

    @property
    def uuids(self) -> tuple[str, ...]:
        return tuple(row.uuid for row in self.rows)


def rounds(rows: Sequence[Row]) -> tuple[Round, ...]:
    """A round starts at each assistant row with a new `message.id`; what stands before the first is a round of its own.

    A call and its results stay together, and so do the rows of a reply that others stand between.
    """
    starts = _starts(rows)
    if not rows:
        return ()
    edges = [0, *(s for s in starts if s > 0), len(rows)]
    first_is_head = not starts or starts[0] > 0
    return tuple(Round(tuple(rows[a:b]), is_head=first_is_head and a == 0) for a, b in pairwise(edges))


def joined(groups: Sequence[Round]) -> tuple[Row, ...]:
    """The rows of rounds, one after the other."""
    return tuple(row for group in groups for row in group.rows)


def _starts(rows: Sequence[Row]) -> list[int]:
    tied = tied_from(rows)
    seen: set[str] = set()
    found: list[int] = []
    for at, row in enumerate(rows):
        if row.role != ASSISTANT:
            continue
        name = row.message_id or row.uuid
        if name not in seen and can_cut(tied, at):
            found.append(at)
        seen.add(name)
    return found


def oldest(number: int, of: int) -> str:
    """Some of the rounds as the subject of a sentence: "The only round is", "The oldest 1 of 4 rounds is"."""
    if of == 1:
        return "The only round is"
    return f"The oldest {number:,} of {of:,} rounds {noun(number, 'is', 'are')}"
