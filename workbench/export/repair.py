"""A repaired copy of a session: what the doctor calls repairable is mended, every other byte is the original's.

Which repair: the cut is moved rather than the real block, that rather than a made-up one deleted, that rather than an
error result made, and only what nothing else mends is dropped. Rows before the last boundary are never touched, and
nothing is appended to please a check (spec 3, head). A repaired copy needs no repair.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..conversation.change import Change
from ..transcript.index import Index
from ..transcript.session import Session
from .repair_blocks import block_steps, call_id_steps, first_message_steps
from .repair_bytes import byte_steps
from .repair_diff import diff_of
from .repair_given import as_given
from .repair_lines import LineEdit, Patch, Patched
from .repair_links import link_steps
from .repair_pairs import pair_steps
from .repair_step import Step, disjoint
from .repair_view import View, view_of

MOST_ROUNDS = 200
RESTORING = ("split-line", "move-cut", "restore-compaction", "rename-row", "rename-call", "move-result")

Stage = Callable[[Session], Iterable[Step]]


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair does, as values; nothing is written here.

    session  the repaired session, to be looked at like any other
    changes  every change with its reason, in the order in which they were made
    edits    the lines of the original that are replaced, dropped or followed by new ones
    """

    original: Session
    session: Session
    changes: tuple[Change, ...]
    edits: tuple[LineEdit, ...]

    @property
    def is_needed(self) -> bool:
        return bool(self.edits)

    @property
    def restores(self) -> tuple[Change, ...]:
        """The changes after which more is loaded, or a compaction counts again, than the agent made of the old file."""
        return tuple(c for c in self.changes if c.kind in RESTORING)

    @property
    def diff(self) -> tuple[str, ...]:
        """The repair as unified diff lines, shortened, safe to show."""
        return diff_of(self.original.reader.name, self.edits)

    def chunks(self) -> Iterator[bytes]:
        """The repaired file's bytes; of Messages API JSON, the request with its messages repaired."""
        if self.original.is_request:
            yield json.dumps(as_given(self.original, self.session), ensure_ascii=False, indent=1).encode("utf-8", "replace")
            return
        reader = self.session.reader
        if isinstance(reader, Patched):
            yield from reader.chunks()


def repaired(session: Session) -> Repair:
    """The repaired copy of a session, and all that was done for it."""
    patch, changes = Patch(), []
    current = _patched(session, patch)
    for _ in range(MOST_ROUNDS):
        steps = _next(current)
        if not steps:
            break
        patch = patch.then(edit for step in steps for edit in step.edits)
        changes += [change for step in steps for change in step.changes]
        current = _patched(session, patch)
    edits = tuple(patch.edits[line] for line in sorted(patch.edits))
    return Repair(session, current, tuple(changes), tuple(e for e in edits if e.after != (e.before,)))


def _next(session: Session) -> tuple[Step, ...]:
    """The steps of the first stage that has any: bytes before links before the array that both make."""
    for stage in _FILE_STAGES if not session.is_request else ():
        found = disjoint(stage(session))
        if found:
            return found
    view = view_of(session)
    for of_array in _ARRAY_STAGES:
        found = disjoint(of_array(view))
        if found:
            return found
    return ()


_FILE_STAGES: tuple[Stage, ...] = (byte_steps, link_steps)
_ARRAY_STAGES: tuple[Callable[[View], Iterable[Step]], ...] = (call_id_steps, pair_steps, block_steps, first_message_steps)


def _patched(session: Session, patch: Patch) -> Session:
    """The session as read from the patched file."""
    reader = Patched(session.reader, session.index.facts.size, patch)
    index = Index()
    for _ in index.feed(reader.chunks()):
        pass
    return Session(reader, index, plain=session.plain)
