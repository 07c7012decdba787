"""A repaired copy of a session: what the doctor calls repairable is mended, every other byte is the original's.

Which repair: the cut is moved rather than the real block, that rather than a made-up one deleted, that rather than an
error result made, and only what nothing else mends is dropped. Rows before the last boundary are never touched, and
nothing is appended to please a check (spec 3, head). A repaired copy needs no repair.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ..conversation.block import Block
from ..conversation.change import Change
from ..conversation.invariants.places import THINKING
from ..conversation.repair import HISTORY_STARTS_LATE
from ..errors import WriteRefused
from ..transcript.index import Index
from ..transcript.session import Session
from .messages import encodable
from .repair_blocks import block_steps, call_id_steps, first_message_steps
from .repair_bytes import byte_steps
from .repair_diff import diff_of
from .repair_given import as_given, order_steps
from .repair_lines import LineEdit, Patch, Patched
from .repair_links import link_steps
from .repair_pairs import pair_steps
from .repair_step import Step, disjoint
from .repair_view import NOTHING_LEFT, View, view_of

MOST_ROUNDS = 200
GIVING_UP = ("drop-block", "drop-call", "drop-result")
MADE = (HISTORY_STARTS_LATE, NOTHING_LEFT)
RESTORING = ("split-line", "move-cut", "restore-compaction", "rename-row", "rename-call", "move-result", "add-result")


class _Round:
    """A session as repaired so far, and its array, which is read when a stage asks for it."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @cached_property
    def view(self) -> View:
        return view_of(self.session)


Stage = Callable[[_Round], Iterable[Step]]

_ARRAY_STAGES: tuple[Stage, ...] = (
    lambda now: call_id_steps(now.view),
    lambda now: pair_steps(now.view),
    lambda now: block_steps(now.view),
    lambda now: first_message_steps(now.view),
)
_STAGES: tuple[Stage, ...] = (lambda now: byte_steps(now.session), lambda now: link_steps(now.session), *_ARRAY_STAGES)
_REQUEST_STAGES: tuple[Stage, ...] = (*_ARRAY_STAGES, lambda now: order_steps(now.view))


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
    def leaves_nothing(self) -> bool:
        """Whether all that the session says would have to go, so that a copy would hold nothing but what was made here."""
        gave = any(c.kind in GIVING_UP for c in self.changes)
        return gave and not _says_anything(self.session)

    @property
    def restores(self) -> tuple[Change, ...]:
        """The changes after which more is loaded, or a compaction counts again, than the agent made of the old file."""
        if self.original.is_request:
            return ()
        return tuple(c for c in self.changes if c.kind in RESTORING and (c.kind != "rename-row" or self._loads_more))

    @property
    def gain(self) -> str:
        """What the repaired copy has over the file as the agent loads it, in a sentence; "" where nothing."""
        kinds = {c.kind for c in self.restores}
        if not kinds:
            return ""
        if kinds == {"restore-compaction"}:
            return "The compaction counts again in the repaired copy, which is not so as the agent loads this file."
        return "More is loaded from the repaired copy than the agent makes of this file."

    @property
    def _loads_more(self) -> bool:
        return len(self.session.chain.places) > len(self.original.chain.places)

    @property
    def diff(self) -> tuple[str, ...]:
        """The repair as unified diff lines, shortened, safe to show."""
        return diff_of(self.original.reader.name, self.edits)

    def chunks(self) -> Iterator[bytes]:
        """The repaired file's bytes; of Messages API JSON, the request with its messages repaired.

        Raises WriteRefused where nothing would be left.
        """
        if self.leaves_nothing:
            name = self.original.reader.name
            raise WriteRefused(f"Nothing of {name} can be sent, so that a repaired copy would hold no message; none was written.")
        if self.original.is_request:
            yield json.dumps(encodable(as_given(self.session)), ensure_ascii=False, indent=1).encode()
            return
        reader = self.session.reader
        if isinstance(reader, Patched):
            yield from reader.chunks()


def _says_anything(session: Session) -> bool:
    """Whether there is a message in a repaired session beside those made here."""
    if session.is_request:
        rows = session.rows(range(len(session.index)))
    else:
        rows = session.rows(session.chain.places)
    return any((row.role is None and session.is_request) or any(map(_says, row.blocks)) for row in rows)


def _says(block: Block) -> bool:
    silent = block.kind in (*THINKING, "tool_result", "empty") or (block.kind == "text" and block.blank)
    return not silent and block.head not in MADE


def repaired(session: Session) -> Repair:
    """The repaired copy of a session, and all that was done for it.

    Each round looks at the session as repaired so far, so that no step has to foresee another. A stage that leads back to
    what was there before, or to another branch, has nothing more to give.
    """
    patch, changes = Patch(), []
    current = _patched(session, patch)
    stages = list(_REQUEST_STAGES if session.is_request else _STAGES)
    seen = {patch.state}
    for _ in range(MOST_ROUNDS):
        stage, steps = _next(current, stages)
        if stage is None:
            break
        taken = _taken(_Trial(session, patch, current, frozenset(seen), stage in _ARRAY_STAGES), steps)
        if taken is None:
            stages.remove(stage)
            continue
        steps, patch, current = taken
        seen.add(patch.state)
        changes += [change for step in steps for change in step.changes]
    edits = tuple(patch.edits[line] for line in sorted(patch.edits))
    return Repair(session, current, tuple(changes), tuple(e for e in edits if e.after != (e.before,)))


@dataclass(frozen=True, slots=True)
class _Trial:
    """What steps are tried on: the file as patched so far, and the states that were met before."""

    original: Session
    patch: Patch
    current: Session
    seen: frozenset[int]
    keeps_branch: bool


def _taken(trial: _Trial, steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], Patch, Session] | None:
    """The steps that can be made together, with what they lead to: all, else those of a half; None: not one of them."""
    made = trial.patch.then(edit for step in steps for edit in step.edits)
    if made.state not in trial.seen:
        then = _patched(trial.original, made)
        if not trial.keeps_branch or _is_same_branch(trial.current, then):
            return steps, made, then
    if len(steps) == 1:
        return None
    middle = len(steps) // 2
    return _taken(trial, steps[:middle]) or _taken(trial, steps[middle:])


def _next(session: Session, stages: Iterable[Stage]) -> tuple[Stage | None, tuple[Step, ...]]:
    """The first stage that has any steps: bytes before links before the array that both make."""
    now = _Round(session)
    for stage in stages:
        found = disjoint(stage(now))
        if found:
            return stage, found
    return None, ()


def _is_same_branch(before: Session, after: Session) -> bool:
    """Whether the last row that is still there is still loaded: a leaf that is dropped may leave another branch the newest."""
    loaded = {after.index.uuids[place] for place in after.chain.places}
    there = {uuid for p, uuid in enumerate(after.index.uuids) if after.tree.is_conversation(p)}
    said = (before.index.uuids[p] for p in reversed(before.chain.places) if before.tree.is_conversation(p))
    last = next((uuid for uuid in said if uuid in there), None)
    return last is None or last in loaded


def _patched(session: Session, patch: Patch) -> Session:
    """The session as read from the patched file."""
    reader = Patched(session.reader, session.index.facts.size, patch)
    index = Index()
    for _ in index.feed(reader.chunks()):
        pass
    return Session(reader, index, plain=session.plain)
