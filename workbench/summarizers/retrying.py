"""When a failed request is asked again, and after how long; every wait is told before it begins and can be cut short."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Cancelled: TypeAlias = Callable[[], bool]
Pause: TypeAlias = Callable[[float, Cancelled], bool]
"""Waits so many seconds; False where the user cancelled meanwhile."""

LOOK_SECONDS = 0.1  # between two looks at whether the user cancelled


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """retries: how many at most; first, most: seconds of the first wait and of the longest, each twice the one before.

    longest_asked  seconds up to which a server's own wish (retry-after) is honoured; a longer one ends the attempts
    """

    retries: int = 4
    first: float = 1.0
    most: float = 30.0
    longest_asked: float = 120.0

    def wait(self, tried: int, asked: float | None) -> float | None:
        """Seconds before the next attempt, after `tried` retries so far; None: no further attempt."""
        if tried >= self.retries or (asked is not None and asked > self.longest_asked):
            return None
        return asked if asked is not None else min(self.most, self.first * 2.0**tried)


@dataclass(frozen=True, slots=True)
class Retrying:
    """Told before a wait: which retry of how many at most, after how many seconds, and why."""

    number: int
    of: int
    seconds: float
    reason: str

    @property
    def sentence(self) -> str:
        return f"{self.reason} Trying again in {self.seconds:g} s ({self.number} of {self.of})."


def pause(seconds: float, cancelled: Cancelled) -> bool:
    """Waits in short steps, so that the user's Esc ends it at once."""
    end = time.monotonic() + seconds
    while not cancelled():
        left = end - time.monotonic()
        if left <= 0:
            return True
        time.sleep(min(left, LOOK_SECONDS))
    return False


def never() -> bool:
    """For callers that cannot cancel."""
    return False
