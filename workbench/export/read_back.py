"""Reads a session back before it is written: what the agent would load from it must be what the run gave."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..compaction.result import messages_of
from ..conversation.row import Message, Row
from ..conversation.wording import counted
from ..errors import WriteRefused
from ..transcript.index import Index
from ..transcript.session import Session

CHUNK = 1 << 20  # bytes

TEXTS = ("text", "reminder")

Shape = list[tuple[str, list[tuple[str, str, bool, int]]]]


@dataclass(frozen=True, slots=True)
class Written:
    """Bytes that are not on the disk yet, as a reader of sessions takes them."""

    content: bytes
    name: str

    def read(self, offset: int, length: int) -> bytes:
        return self.content[offset : offset + length]

    def chunks(self) -> Iterator[bytes]:
        for at in range(0, len(self.content), CHUNK):
            yield self.content[at : at + CHUNK]


def check_holds(session: Session, content: bytes, rows: Sequence[Row]) -> None:
    """Raises WriteRefused where the agent would load other messages from these bytes than those of the rows."""
    wanted, found = messages_of(rows), _loaded(Written(content, session.reader.name))
    if _shape(found) != _shape(wanted):
        instead = "others" if len(found) == len(wanted) else f"{counted(len(found), 'message')} instead of {len(wanted):,}"
        raise WriteRefused(
            f"Nothing was written: read back, the session would not resume with what this compaction leaves ({instead}), since "
            "the ids or links of its rows are odd; `workbench doctor` tells where."
        )


def _loaded(written: Written) -> tuple[Message, ...]:
    index = Index()
    for _ in index.feed(written.chunks()):
        pass
    session = Session(written, index)
    return session.outline(session.chain)


def _shape(messages: Sequence[Message]) -> Shape:
    """Roles, and of every block its kind, its call, whether it is an error, and how long a text is.

    A result may stand whole on the disk that was cleared when it was sent.
    """
    return [(m.role, [(b.kind, b.call, b.error, b.size if b.kind in TEXTS else 0) for b in m.blocks]) for m in messages]
