"""Text in bulk, already escaped for JSON.

A session of 100 MB is mostly tool output. Building and escaping that text row by row would take a minute; cutting whole
lines out of one long text prepared once takes a second, and cuts of differing start and length are still all different.
"""

from __future__ import annotations

import json
import random
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NAMES = _words(
    "orchard basket ledger harvest ripeness sorter crate label weigher conveyor season grower parcel route depot invoice "
    "batch window cursor buffer record branch anchor queue worker cache index parser loader writer reader filter mapper registry "
    "policy schedule retry timeout session request response payload header cookie token digest signature schema column "
    "migration fixture"
)
VERBS = _words(
    "load store merge split sort weigh label route collect drop retry resolve parse render measure compare widen trim close open"
)
PROSE = _words(
    "the a this that every no one two before after while because so but and or it we they when a reader would expect is was are "
    "stays goes comes needs keeps loses finds misses only still already again slowly once first last next wrong right same "
    "other empty whole"
)
FOREIGN = ("naïve café", "größer", "数据已保存", "再試行します", "→ done ✓", "🍎", "Ошибка сети", "├── src")


@dataclass(frozen=True, slots=True)
class Pool:
    """Lines end to end. `escaped` is UTF-8 as it stands between two JSON quotes; the two tables hold, for n = 0..number of
    lines, where the first n lines end in `escaped` and how many bytes they are unescaped."""

    escaped: bytes
    ends: tuple[int, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, lines: Iterable[str]) -> Pool:
        kept = [line + "\n" for line in lines]
        escaped = [json.dumps(line, ensure_ascii=False)[1:-1].encode() for line in kept]
        sizes = (len(line.encode()) for line in kept)
        return cls(b"".join(escaped), (0, *accumulate(map(len, escaped))), (0, *accumulate(sizes)))

    def choose(self, rng: random.Random, size: int) -> tuple[int, int]:
        """A run of whole lines [first, last) of about `size` bytes unescaped, at least one line."""
        first = rng.randrange(max(1, bisect_right(self.sizes, self.sizes[-1] - size)))
        last = bisect_left(self.sizes, self.sizes[first] + size)
        return first, min(max(last, first + 1), len(self.sizes) - 1)

    def text(self, first: int, last: int) -> bytes:
        """Lines [first, last), escaped."""
        return self.escaped[self.ends[first] : self.ends[last]]

    def size(self, first: int, last: int) -> int:
        """Bytes of lines [first, last) once a JSON reader has unescaped them."""
        return self.sizes[last] - self.sizes[first]


@dataclass(frozen=True, slots=True)
class Pools:
    """`numbered` holds the lines of `code` behind a line number and an arrow, as a file read shows them."""

    prose: Pool
    code: Pool
    numbered: Pool
    log: Pool


def make_pools(rng: random.Random) -> Pools:
    code = _lines(rng, _code_line, 600_000)
    numbered = (f"{number:6}→{line}" for number, line in enumerate(code, 1))
    return Pools(
        prose=Pool.of(_lines(rng, _sentence, 300_000)),
        code=Pool.of(code),
        numbered=Pool.of(numbered),
        log=Pool.of(_lines(rng, _log_line, 600_000)),
    )


def _lines(rng: random.Random, make: Callable[[random.Random], str], size: int) -> list[str]:
    lines: list[str] = []
    while size > 0:
        lines.append(rng.choice(FOREIGN) if rng.random() < 0.01 else make(rng))
        size -= len(lines[-1]) + 1
    return lines


def _code_line(rng: random.Random) -> str:
    one, two, three = rng.choices(NAMES, k=3)
    indent = "    " * rng.choice((0, 1, 1, 2, 2, 3))
    forms = (
        f"{one}_{two} = {three}.{rng.choice(VERBS)}({two}, limit={rng.randrange(5000)})",
        f'def {rng.choice(VERBS)}_{one}({two}: int, {three}: str = "{one}") -> None:',
        f"if {one}.{two} is not None and len({three}) > {rng.randrange(64)}:",
        f"# {_sentence(rng)}",
        f'return {{"{one}": {two}[{rng.randrange(9)}], "{three}": \'\\t\'.join({one})}}',
        "",
    )
    line = rng.choice(forms)
    return indent + line if line else line


def _log_line(rng: random.Random) -> str:
    one, two = rng.choices(NAMES, k=2)
    clock = f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}.{rng.randrange(1000):03}"
    level = rng.choice(("DEBUG", "INFO", "INFO", "INFO", "WARN", "\x1b[31mERROR\x1b[0m"))
    place = f"/srv/{one}/{two}.py:{rng.randrange(900)}"
    return f"{clock} {level} {one}.{two}[{rng.getrandbits(32):08x}]: {rng.choice(VERBS)} {rng.randrange(10**6)} {place}"


def _sentence(rng: random.Random) -> str:
    words = rng.choices(PROSE, k=rng.randint(4, 14)) + rng.choices(NAMES, k=3)
    rng.shuffle(words)
    return " ".join(words).capitalize() + "."
