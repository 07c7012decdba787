"""Keeps a counting process at hand: started early, replaced when it dies, given up when it keeps dying."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress

from workbench.counting.faults import CounterClosed, CounterStopped, EngineUnavailable
from workbench.counting.link import Link
from workbench.errors import CountingError

MAX_DEATHS = 3


class Service:
    """The current `Link`, if any; every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # one question at a time
        self._link: Link | None = None
        self._engine = ""
        self._note = ""
        self._unavailable = ""
        self._deaths = 0
        self._closed = False

    @property
    def engine(self) -> str:
        """The tokenizer in use; "" until the first answer."""
        return self._engine

    @property
    def note(self) -> str:
        """The sentence that says why the tokenizer is not the usual one, or ""."""
        return self._note

    @property
    def pid(self) -> int | None:
        """The process id of the child, or None while there is none."""
        link = self._link
        return None if link is None else link.pid

    def start(self) -> None:
        """Starts the child without waiting for it; what goes wrong is reported by the first question."""
        if self._lock.acquire(blocking=False):
            try:
                with suppress(CountingError):
                    self._linked()
            finally:
                self._lock.release()

    def ask(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each well-formed text; raises EngineUnavailable, CounterStopped or CounterClosed."""
        with self._lock:
            try:
                tokens = self._asked(texts)
            except EngineUnavailable as error:
                self._unavailable = str(error)
                self._drop()
                raise
            except CounterStopped as error:
                self._deaths += 1
                self._drop()
                if self._closed:
                    raise _closed() from error
                raise
            self._deaths = 0
            return tokens

    def close(self) -> None:
        """Ends the child at once, even while another thread waits for it; that thread gets CounterClosed."""
        self._closed = True
        link = self._link
        if link is not None:
            link.end()
        with self._lock:
            self._drop()

    def _asked(self, texts: Sequence[str]) -> list[int]:
        link = self._linked()
        hello = link.hello()
        self._engine, self._note = hello.engine, hello.note
        return link.ask(texts)

    def _linked(self) -> Link:
        if self._closed:
            raise _closed()
        if self._unavailable:
            raise EngineUnavailable(self._unavailable)
        if self._deaths >= MAX_DEATHS:
            raise CounterStopped(f"The token counter stopped {MAX_DEATHS} times in a row and is not started again.")
        if self._link is None:
            self._link = Link()
        return self._link

    def _drop(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.end()
            link.release()


def _closed() -> CounterClosed:
    return CounterClosed("The token counter is closed.")
