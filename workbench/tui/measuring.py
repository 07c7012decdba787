"""The tokens of what is listed, by other estimators than the rough one: a worker runs this, a megabyte of text at a time.

What is in sight is counted first. What was counted stays known as long as the session is open, so that another array of
the same rows is there at once; beyond that the counter has a cache of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

from ..conversation.block import Block
from ..conversation.tokens import BATCH_BYTES, Estimator, by_texts
from ..counting.cache import shared
from ..counting.counter import Counter
from ..counting.faults import CounterClosed
from ..errors import WorkbenchError
from ..evidence.calibration import Calibration, calibration_of
from ..transcript.session import Session
from ..workspace.figures import CALIBRATED, NOT_YET, O200K, TIKTOKEN, Figures, figures_of
from ..workspace.view import Columns, Item
from .jobs import PROGRESS_EVERY

Slot = tuple[int, int]  # side, index of the item
Key = tuple[int, int]  # place of the row, number of the block in it
InSight = tuple[tuple[int, ...], tuple[int, ...]]


def open_counter() -> Counter:
    """The counter with the cache that every session shares; no process is started before a text has to be counted."""
    return Counter(shared())


class Measuring:
    """Figures for the arrays of one session file. `in_sight` may be replaced at any time, from any thread."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._tokenizer = by_texts(TIKTOKEN, "o200k_base tokens", O200K, counter.count)
        self._index: object = None
        self._known: dict[Key, int] = {}
        self._calibrated: tuple[Session, Calibration] | None = None
        self.in_sight: InSight = ((), ())

    def run(
        self,
        session: Session,
        columns: Columns,
        counts: bool,
        post: Callable[[Figures], object],
        cancelled: Callable[[], bool],
    ) -> str:
        """Posts calibrated figures at once and, where `counts`, the tokenizer's as they come; gives the reason it has none."""
        post(_calibrated(columns, self.calibration(session)))
        try:
            for figures in self.counted(session, columns, cancelled) if counts else ():
                if cancelled():
                    break
                post(figures)
        except CounterClosed:
            return ""
        except WorkbenchError as error:  # no tokenizer, or the file can no longer be read
            return str(error)
        return ""

    def calibration(self, session: Session) -> Calibration:
        """The session's own factors; made once for as long as it does not grow."""
        if self._calibrated is None or self._calibrated[0] is not session:
            self._calibrated = session, calibration_of(session)
        return self._calibrated[1]

    def notices(self) -> tuple[str, ...]:
        """What the user should know about the counter, each sentence once."""
        return self._counter.notices()

    def close(self) -> None:
        """Ends the counting process, even while it is at work."""
        self._counter.close()

    def counted(self, session: Session, columns: Columns, cancelled: Callable[[], bool]) -> Iterator[Figures]:
        """The tokenizer's figures, what is in sight first. Raises CountingError when it gives none."""
        if session.index is not self._index:
            self._index, self._known = session.index, {}
        known = self._known
        sides = (columns.left.items, columns.right.items if columns.right is not None else ())
        tokens = ([NOT_YET] * len(sides[0]), [NOT_YET] * len(sides[1]))
        waiting = {(side, i): item for side in (0, 1) for i, item in enumerate(sides[side])}
        size, done, due = sum(map(_weight, waiting.values())), 0, 0.0
        while waiting and not cancelled():
            slots = _next_batch(waiting, self.in_sight)
            batch = [(slot, waiting.pop(slot)) for slot in slots]
            for (side, index), count in self._count(session, batch, known):
                tokens[side][index] = count
            done += sum(_weight(item) for _, item in batch)
            now = monotonic()
            if now >= due and waiting:
                due = now + PROGRESS_EVERY
                yield figures_of(columns, TIKTOKEN, O200K, tokens, done, size)
        if not waiting:
            yield figures_of(columns, TIKTOKEN, O200K, tokens, size, size)

    def _count(self, session: Session, batch: list[tuple[Slot, Item]], known: dict[Key, int]) -> Iterator[tuple[Slot, int]]:
        unknown: list[tuple[Slot, Key | None, Block]] = []
        for slot, item in batch:
            key = key_of(item)
            if key is not None and key in known:
                yield slot, known[key]
            elif (block := _whole(session, item, key)) is not None:
                unknown.append((slot, key, block))
        for (slot, key, _), count in zip(unknown, self._tokenizer.blocks([b for _, _, b in unknown]), strict=True):
            if key is not None:
                known[key] = count
            yield slot, count


def _weight(item: Item) -> int:
    """Its part of the whole: bytes of text, and something for a block without any."""
    return item.block.size + 1


def key_of(item: Item) -> Key | None:
    """Where the block stands in the file; None for one that a repair or a recorded request made."""
    row = item.row
    if row is None or row.place < 0:
        return None
    return next(((row.place, at) for at, block in enumerate(row.blocks) if block is item.block), None)


def _whole(session: Session, item: Item, key: Key | None) -> Block | None:
    """The block with its body; None where it has none, so that its rough figure stands in."""
    if item.block.body is not None or key is None:
        return item.block if item.block.body is not None else None
    place, at = key
    blocks = next(session.rows((place,))).blocks
    return blocks[at] if at < len(blocks) else None  # the file was cut meanwhile


def _next_batch(waiting: dict[Slot, Item], in_sight: InSight) -> list[Slot]:
    """What to count now: what is in sight, else the next of the rest; a megabyte, or one block that is larger."""
    seen = [(side, i) for side in (0, 1) for i in in_sight[side] if (side, i) in waiting]
    batch, size = [], 0
    for slot in seen or waiting:
        batch.append(slot)
        size += waiting[slot].block.size
        if size >= BATCH_BYTES:
            break
    return batch


def _calibrated(columns: Columns, calibration: Calibration) -> Figures:
    estimator: Estimator = calibration.estimator
    left, right = columns.left.items, columns.right.items if columns.right is not None else ()
    tokens = (estimator.blocks([i.block for i in left]), estimator.blocks([i.block for i in right]))
    return figures_of(columns, CALIBRATED, calibration.source, tokens, 0, 0)
