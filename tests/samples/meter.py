"""Keeps the token numbers of a sample in agreement with its content.

Two sizes of everything: `rough` is the agent's own estimate, a quarter of the bytes; `billed` is what the invented API counts,
a little more, as measured on recorded sessions (prose 1.24, calls 1.30, results 1.42 times the rough size).
"""

import json
from dataclasses import dataclass, field
from typing import Any

FACTORS = {"text": 1.24, "call": 1.30, "result": 1.42}


def size(text: str) -> int:
    """UTF-8 bytes; a lone surrogate counts its three."""
    return len(text.encode("utf-8", "surrogatepass"))


def rough(text: str) -> int:
    """The agent's estimate in tokens: a quarter of the bytes, rounded up."""
    return -(-size(text) // 4)


def billed(text: str, kind: str) -> int:
    """What the API counts for a text of that kind (`text`, `call`, `result`), in tokens."""
    return round(size(text) / 4 * FACTORS[kind])


def image_tokens(width: int, height: int) -> int:
    """Tokens of an image of that many pixels: one per 28 by 28, at most 1,568."""
    return min(1568, -(-width // 28) * -(-height // 28))


def compact_json(value: Any) -> str:
    """JSON as the agent writes it: no spaces, no escapes beyond the needed."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass(slots=True)
class Meter:
    """The running numbers of one conversation, in tokens."""

    overhead: int
    prompt: int = 0
    output: int = 0
    added: int = 0
    added_rough: int = 0
    cached: int = 0
    history: list[int] = field(default_factory=list)

    def add(self, text: str, kind: str = "text") -> None:
        """Counts a text that the next call will send."""
        self.added += billed(text, kind)
        self.added_rough += rough(text)

    def add_tokens(self, tokens: int) -> None:
        """Counts something whose size is not that of a text: an image."""
        self.added += tokens
        self.added_rough += tokens

    def context(self) -> int:
        """What the agent compares with its threshold: last prompt + output + rough size of what came after."""
        return self.prompt + self.output + self.added_rough

    def call(self, output: int) -> dict[str, int]:
        """Makes an API call and returns the input side of its usage."""
        before = self.prompt + self.output if self.prompt else self.overhead
        total = before + self.added
        fresh = 3 + total % 5
        read = min(self.cached, total - fresh)
        self.prompt, self.output, self.added, self.added_rough = total, output, 0, 0
        self.cached = total - fresh
        self.history.append(total)
        return {"input_tokens": fresh, "cache_creation_input_tokens": total - fresh - read, "cache_read_input_tokens": read}

    def restart(self, kept: int, unrecorded: int) -> None:
        """After a compaction: the next prompt is the overhead, the kept part and what is sent again without being recorded."""
        self.prompt = self.output = self.added_rough = 0
        self.added = kept + unrecorded
        self.cached = self.overhead - 2_000
