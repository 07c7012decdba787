"""What a stage did to the array: before and after on the same lines, message by message, or only what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ..compaction.diff import ADDED as CAME
from ..compaction.diff import CHANGED, REMOVED, SAME, Match, align_messages, align_parts
from ..compaction.result import StageResult, messages_of
from ..compaction.stages.fold import NAME as FOLD
from ..conversation.row import Message, Row
from .view import ADDED, CLEARED, DROPPED, KEPT, NONE, SUMMARISED, Item

REPLACED = "replaced"


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A block on both sides, or on one of them; `state` is same | changed | removed | added.

    Where what went stands beside what came in its place, it is `replaced`, and the two have nothing to do with one another.
    """

    before: Item | None
    after: Item | None
    state: str

    @property
    def item(self) -> Item | None:
        """What there is of it now, or was."""
        return self.after if self.after is not None else self.before


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """Lines of `messages` messages that are the same on both sides, left out."""

    messages: int


@dataclass(frozen=True, slots=True, eq=False)
class StageArrays:
    """The arrays around a stage.

    lines          everything, before beside after
    differences    the lines that differ, with a gap for each run of those that do not
    before, after  messages; the others count how many of them went, came or changed
    """

    lines: tuple[Line, ...]
    differences: tuple[Line | Gap, ...]
    before: int
    after: int
    removed: int = 0
    added: int = 0
    changed: int = 0

    @property
    def is_same(self) -> bool:
        """Whether the stage left every message as it was."""
        return not (self.removed or self.added or self.changed)


def arrays_of(result: StageResult) -> StageArrays:
    """The arrays of a stage that is done."""
    if result.before is result.after or result.before == result.after:
        return arrays_of_rows(result.after)
    before, after = messages_of(result.before), messages_of(result.after)
    matches = align_messages(before, after)
    gone = _gone(result)
    lines = [line for match in matches for line in _lines(match, before, after, gone)]
    counts = {state: sum(m.state == state for m in matches) for state in (REMOVED, CAME, CHANGED)}
    sizes = len(before), len(after), counts[REMOVED], counts[CAME], counts[CHANGED]
    return StageArrays(tuple(_beside(lines)), _differences(lines), *sizes)


def arrays_of_rows(rows: Sequence[Row]) -> StageArrays:
    """An array that nothing was done to."""
    messages = messages_of(rows)
    lines = [Line(item, item, SAME) for at, m in enumerate(messages) for item in _items(at, m, NONE)]
    return StageArrays(tuple(lines), _differences(lines), len(messages), len(messages))


def _beside(lines: Sequence[Line]) -> Iterator[Line]:
    """What went and what came in its place, side by side from the top."""
    for is_replacing, run in groupby(lines, key=lambda line: line.state in (REMOVED, CAME)):
        if not is_replacing:
            yield from run
            continue
        group = list(run)
        old, new = ([line for line in group if line.state == state] for state in (REMOVED, CAME))
        pairs = min(len(old), len(new))
        yield from (Line(before.before, after.after, REPLACED) for before, after in zip(old, new, strict=False))
        yield from (*old[pairs:], *new[pairs:])


def _differences(lines: Sequence[Line]) -> tuple[Line | Gap, ...]:
    found: list[Line | Gap] = []
    for same, run in groupby(lines, key=lambda line: line.state == SAME):
        group = list(run)
        found += [Gap(len({line.item.message for line in group if line.item is not None}))] if same else group
    return tuple(found)


def _gone(result: StageResult) -> str:
    """What became of messages that are no longer there."""
    made = result.work.summary_row
    replaced = made is not None and any(row is made for row in result.after) and not any(row is made for row in result.before)
    return SUMMARISED if replaced or result.name == FOLD else DROPPED


def _lines(match: Match, before: Sequence[Message], after: Sequence[Message], gone: str) -> Iterator[Line]:
    old = None if match.before is None else before[match.before]
    new = None if match.after is None else after[match.after]
    if old is None and new is not None and match.after is not None:
        yield from (Line(None, item, CAME) for item in _items(match.after, new, ADDED))
    elif new is None and old is not None and match.before is not None:
        yield from (Line(item, None, REMOVED) for item in _items(match.before, old, gone))
    elif old is not None and new is not None and match.before is not None and match.after is not None:
        yield from _paired(match.before, old, match.after, new, gone)


def _paired(at_old: int, old: Message, at_new: int, new: Message, gone: str) -> Iterator[Line]:
    fates = {SAME: (KEPT, KEPT), CHANGED: (CLEARED, CLEARED), REMOVED: (gone, NONE), CAME: (NONE, ADDED)}
    for part in align_parts(old, new):
        left, right = fates[part.state]
        yield Line(
            None if part.before is None else _item(at_old, old, part.before, left),
            None if part.after is None else _item(at_new, new, part.after, right),
            part.state,
        )


def _items(at: int, message: Message, fate: str) -> Iterator[Item]:
    return (_item(at, message, place, fate) for place in range(len(message.parts)))


def _item(at: int, message: Message, place: int, fate: str) -> Item:
    part = message.parts[place]
    return Item(at, place == 0, message.role, part.block, part.row, fate)
