"""What the sections are written from: the facts of the rows, the user's voice, edits, todos, an earlier summary."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...conversation.row import ASSISTANT, USER, Row
from ...memory.offline.facts import Action, Facts, Turn
from ...memory.offline.gather import gather
from ...memory.words import text_of
from .earlier import Earlier, read_earlier
from .edits import Edited, edited_files
from .reads import Passages, passages_read
from .todos import Todo, todos
from .voices import Voice, voices


@dataclass(frozen=True, slots=True)
class Material:
    """All of it, for one summary; `newest_request` is the place of the row with the user's newest request."""

    facts: Facts
    voices: tuple[Voice, ...]
    files: tuple[Edited, ...]
    reads: tuple[Passages, ...]
    todos: tuple[Todo, ...]
    earlier: Earlier
    newest_request: int = 0

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.facts.actions

    @property
    def last(self) -> Turn | None:
        return self.facts.turns[-1] if self.facts.turns else None

    @property
    def asked(self) -> Turn | None:
        """The turn of the user's newest request; None where nobody asked for anything in these rows."""
        return next((turn for turn in reversed(self.facts.turns) if turn.request), None)

    @property
    def open_todos(self) -> tuple[Todo, ...]:
        return tuple(t for t in self.todos if t.is_open)

    def is_fresh(self, todo: Todo) -> bool:
        """Whether it was touched since the user's newest request: agents often leave finished todos open."""
        return todo.touched >= self.newest_request


def material(rows: Iterable[Row]) -> Material:
    """The material of rows with bodies, oldest first. Same rows, same material."""
    main = tuple(_main(rows))
    facts = gather(main)
    asked = {t.at for t in facts.turns if t.request and t.at}
    newest = max((i for i, row in enumerate(main) if row.role == USER and row.timestamp in asked), default=0)
    return Material(
        facts, voices(main), edited_files(main), passages_read(main), todos(main), read_earlier(_summary(main)), newest
    )


def _main(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows that are sent; side chains are left out, unless the rows begin with one."""
    side: bool | None = None
    for row in rows:
        if row.kind in (USER, ASSISTANT) and side is None:
            side = row.is_sidechain
        if row.role is not None and (side or not row.is_sidechain):
            yield row


def _summary(rows: tuple[Row, ...]) -> str:
    return next(("\n".join(map(text_of, row.blocks)) for row in reversed(rows) if row.is_summary), "")
