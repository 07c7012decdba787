"""Where a needle is found in a long text, and which of the places is the current one."""

import re
from bisect import bisect_left
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Matches:
    """Offsets at which the needle begins, its length in characters, and the current match's position among them."""

    starts: tuple[int, ...] = ()
    length: int = 0
    current: int = 0

    def near(self, offset: int) -> "Matches":
        """With the first match at or after an offset as the current one; the first of all when there is none."""
        at = bisect_left(self.starts, offset)
        return replace(self, current=at if at < len(self.starts) else 0)

    def moved(self, step: int) -> "Matches":
        """With another match as the current one, going round at both ends."""
        return replace(self, current=(self.current + step) % len(self.starts)) if self.starts else self

    def within(self, start: int, end: int) -> list[tuple[int, int, bool]]:
        """The parts of matches in `text[start:end]`: begin, end relative to `start`, and whether it is the current match."""
        found = []
        at = bisect_left(self.starts, start - self.length + 1)
        while at < len(self.starts) and self.starts[at] < end:
            begin = self.starts[at]
            found.append((max(begin, start) - start, min(begin + self.length, end) - start, at == self.current))
            at += 1
        return found


def find(text: str, needle: str) -> Matches:
    """Every place of a needle. Case counts only when the needle holds a capital letter; an empty needle is nowhere."""
    if not needle:
        return Matches()
    flags = 0 if needle != needle.lower() else re.IGNORECASE
    starts = tuple(found.start() for found in re.finditer(re.escape(needle), text, flags))
    return Matches(starts, len(needle))
