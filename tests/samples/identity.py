"""Ids and times that are the same on every run, since the committed samples are compared byte for byte."""

import hashlib
import uuid
from datetime import UTC, datetime, timedelta

NAMESPACE = uuid.UUID("6f1d3c52-7f0a-5a0e-9a55-2f6c0d3b8e11")
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def digest(*parts: object) -> bytes:
    """sha256 of the parts joined by a separator."""
    return hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).digest()


def letters(length: int, *parts: object) -> str:
    """A stable string of base-58 letters, such as ids are made of."""
    value = int.from_bytes(digest(*parts) + digest("more", *parts), "big")
    found = []
    for _ in range(length):
        value, rest = divmod(value, len(ALPHABET))
        found.append(ALPHABET[rest])
    return "".join(found)


class Ids:
    """Hands out the ids of one sample, numbered by kind."""

    def __init__(self, sample: str) -> None:
        self.sample = sample
        self._counts: dict[str, int] = {}

    def _next(self, kind: str) -> int:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return self._counts[kind]

    def uuid(self, kind: str = "row") -> str:
        """A new uuid for a row, a session, a prompt."""
        return str(uuid.uuid5(NAMESPACE, f"{self.sample}/{kind}/{self._next(kind)}"))

    def message(self) -> str:
        """The id that all rows of one API response share."""
        return "msg_01" + letters(22, self.sample, "message", self._next("message"))

    def call(self) -> str:
        """The id of a tool_use block."""
        return "toolu_01" + letters(22, self.sample, "call", self._next("call"))

    def request(self) -> str:
        """The id of an HTTP request, as responses carry it."""
        return "req_011C" + letters(20, self.sample, "request", self._next("request"))

    def spread(self, low: int, high: int, kind: str = "spread") -> int:
        """A number between low and high, both included, that looks random and never changes."""
        return low + int.from_bytes(digest(self.sample, kind, self._next(kind))[:4], "big") % (high - low + 1)


class Clock:
    """The time of the sample: every row is stamped a little later than the one before."""

    def __init__(self, start: str, ids: Ids) -> None:
        self.now = datetime.fromisoformat(start).astimezone(UTC)
        self._ids = ids

    def tick(self, low_ms: int = 300, high_ms: int = 4_000) -> str:
        """Moves on by low_ms to high_ms milliseconds and returns the new time in ISO form."""
        self.now += timedelta(milliseconds=self._ids.spread(low_ms, high_ms, "clock"))
        return self.stamp()

    def wait(self, minutes: float) -> None:
        """Lets time pass, as when the user is away."""
        self.now += timedelta(minutes=minutes)

    def stamp(self) -> str:
        """The current time in ISO form, milliseconds and Z."""
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.now.microsecond // 1000:03d}Z"

    def epoch_ms(self) -> int:
        """The current time in milliseconds since 1970."""
        return int(self.now.timestamp() * 1000)
