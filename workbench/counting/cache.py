"""Counts already made, in a small database keyed by the content of the text: reopening a session asks no tokenizer.

Losing it costs time only. So a damaged, locked or read-only database is left alone: counting goes on without it, and
`problem` says so. Each use opens the file anew, which takes about a millisecond and leaves nothing to close.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from workbench.counting.vocabulary import cache_dir

FILE_NAME = "tokens-o200k.sqlite3"
MAX_ENTRIES = 1_000_000
"""About 60 MB on disk."""

_KEY_BYTES = 16
_KEYS_A_QUERY = 500
_WAIT_SECONDS = 0.5
_SCHEMA = "CREATE TABLE IF NOT EXISTS counts (key BLOB PRIMARY KEY NOT NULL, tokens INTEGER NOT NULL)"
_STORE = "INSERT OR REPLACE INTO counts (key, tokens) VALUES (?, ?)"
_PRUNE = "DELETE FROM counts WHERE rowid <= (SELECT MAX(rowid) FROM counts) - ?"


def key(text: str) -> bytes:
    """BLAKE2b-128 of a well-formed text."""
    return hashlib.blake2b(text.encode(), digest_size=_KEY_BYTES).digest()


def shared() -> CountCache:
    """The cache every run of this program uses, in `cache_dir()`."""
    return CountCache(cache_dir() / FILE_NAME)


class CountCache:
    """Token counts by `key`, at most `limit` of them; the first stored are the first to go."""

    def __init__(self, path: Path, limit: int = MAX_ENTRIES) -> None:
        self._path = path
        self._limit = limit
        self._problem = ""

    @property
    def problem(self) -> str:
        """Why the cache is no longer used, as a sentence, or ""; once set, no call touches the file again."""
        return self._problem

    def load(self, keys: Sequence[bytes]) -> dict[bytes, int]:
        """The counts known among `keys`."""
        known: dict[bytes, int] = {}

        def look_up(database: sqlite3.Connection) -> None:
            for start in range(0, len(keys), _KEYS_A_QUERY):
                known.update(_query(database, keys[start : start + _KEYS_A_QUERY]))

        self._use(look_up)
        return known

    def store(self, counts: Mapping[bytes, int]) -> None:
        """Keeps `counts`, and forgets the oldest beyond the limit."""

        def keep(database: sqlite3.Connection) -> None:
            database.executemany(_STORE, counts.items())
            database.execute(_PRUNE, (self._limit,))

        self._use(keep)

    def _use(self, action: Callable[[sqlite3.Connection], None]) -> None:
        """Runs `action` in one transaction, unless there is a problem; an error becomes the problem."""
        if self._problem:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with closing(sqlite3.connect(self._path, timeout=_WAIT_SECONDS)) as database, database:
                database.execute(_SCHEMA)
                action(database)
        except (sqlite3.Error, OSError) as error:
            self._problem = f"Token counts are not being remembered: {self._path} cannot be used ({error})."


def _query(database: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, int]:
    marks = ",".join("?" * len(keys))
    return dict(database.execute(f"SELECT key, tokens FROM counts WHERE key IN ({marks})", keys))
