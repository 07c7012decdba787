"""A session of any size, the same for the same seed: `python -m tests.tools.big_session OUT --megabytes 100`.

Made to be measured with, so it has the proportions of real ones: replies split into a row per block, results of 1-200 KB
written twice, progress on side branches, parallel calls, and a compaction whenever the context reaches the threshold. The
recorded usage adds up: the context of a call is that of the call before, its output, and the size of what came in between.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

from tests.tools.session_rows import CWD, Call, Id, RowWriter
from tests.tools.text_pool import Pools, make_pools

THRESHOLD = 167_000
"""Tokens at which a model with a window of 200,000 compacts by itself."""
CEILING = 195_000
"""Tokens no request goes beyond: a result that would take it there is cut shorter, as tools do."""
OVERHEAD = 21_000
"""Tokens of system prompt, tools and instructions in every call."""
REATTACHED = 7_000
"""Tokens sent again after a compaction without being recorded."""
LARGEST = 200_000
SMALLEST = 1_000
"""Bytes of a result."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a generated file holds; `calls` are requests to the model."""

    rows: int
    bytes: int
    calls: int
    boundaries: int


def tokens(size: int) -> int:
    """Tokens of `size` bytes of code and tool output, as measured on current models."""
    return round(1.33 * size / 4)


def write_session(path: Path, megabytes: float, *, seed: int = 1, threshold: int | None = THRESHOLD) -> Written:
    """Writes whole turns until the file has `megabytes` (millions of bytes); `threshold` None: never compacts."""
    rng = random.Random(seed)
    with path.open("wb", buffering=1 << 20) as out:
        rows = RowWriter(out, rng)
        talk = _Talk(rows, rng, make_pools(rng), threshold)
        while rows.written < megabytes * 1_000_000:
            talk.turn()
    return Written(rows.rows, rows.written, talk.calls, talk.boundaries)


class _Talk:
    """The conversation. Tokens: `_context` sent by the last call, `_output` answered to it, `_since` added after that."""

    def __init__(self, rows: RowWriter, rng: random.Random, pools: Pools, threshold: int | None) -> None:
        self.calls = 0
        self.boundaries = 0
        self._rows = rows
        self._rng = rng
        self._pools = pools
        self._threshold = threshold
        self._context = 0
        self._output = 0
        self._since = OVERHEAD
        rows.hook_progress(b"SessionStart:startup")

    def turn(self) -> None:
        text, size = self._prose(self._rng.randint(40, 900))
        self._rows.snapshot(self._rows.prompt(text))
        self._since += tokens(size)
        for _ in range(self._rng.randint(3, 24)):
            self._tool_round()
        call = self._call()
        self._reply(call, [self._text_block()])
        self._rows.turn_end(self._rng.randrange(2_000, 400_000))

    def _tool_round(self) -> None:
        """A reply that asks for one tool, or now and then for two at once, and the results."""
        call = self._call()
        said = ((self._thinking_block, 0.5), (self._text_block, 0.4))
        blocks = [make() for make, chance in said if self._rng.random() < chance]
        tools = self._rng.choices(("Bash", "Read", "Grep"), k=2 if self._rng.random() < 0.1 else 1)
        asked = [(self._rows.new_id(b"toolu"), tool) for tool in tools]
        blocks += [self._tool_block(tool_id, tool) for tool_id, tool in asked]
        call_rows = self._reply(call, blocks)[-len(asked) :]
        for call_row, (tool_id, tool) in zip(call_rows, asked, strict=True):
            self._result(call_row, tool_id, tool)

    def _call(self) -> Call:
        if self._threshold is not None and self._context + self._output + self._since >= self._threshold:
            self._compact()
        cached, self._context = self._context, self._context + self._output + self._since
        self._output = self._since = 0
        self.calls += 1
        return self._rows.new_call(self._context, cached)

    def _reply(self, call: Call, blocks: list[tuple[bytes, int]]) -> list[Id]:
        """One row per block; as the agent streams, only the last row knows the whole output."""
        self._output = tokens(sum(size for _, size in blocks)) + 12 * len(blocks)
        placeholder = min(self._output, self._rng.randint(1, 9))
        outputs = [placeholder] * (len(blocks) - 1) + [self._output]
        return [self._rows.block(call, block, output) for (block, _), output in zip(blocks, outputs, strict=True)]

    def _compact(self) -> None:
        self._rows.boundary(self._context + self._output + self._since)
        text, size = self._prose(self._rng.randint(5_000, 20_000))
        self._rows.summary(b"Earlier work, in short:\\n\\n" + text)
        self._rows.hook_progress(b"SessionStart:compact")
        self._context, self._output, self._since = 0, 0, OVERHEAD + REATTACHED + tokens(size)
        self.boundaries += 1

    def _result(self, call_row: Id, tool_id: Id, tool: str) -> None:
        room = CEILING - self._context - self._output - self._since if self._threshold is not None else CEILING
        wanted = SMALLEST * (LARGEST / SMALLEST) ** (self._rng.random() ** 3)
        size = max(SMALLEST, min(int(wanted), room * 3))
        text, copy, size = self._output_of(tool, size)
        if tool == "Bash" and self._rng.random() < 0.6:
            self._progress(call_row, tool_id)
        self._rows.result(call_row, tool_id, text, copy)
        self._since += tokens(size)

    def _output_of(self, tool: str, size: int) -> tuple[bytes, bytes, int]:
        """The result's text, the agent's own record of it as JSON, and the text's bytes."""
        if tool == "Read":
            first, last = self._pools.numbered.choose(self._rng, size)
            lines = b'"numLines":%d,"startLine":%d,"totalLines":%d' % (last - first, first + 1, len(self._pools.code.ends) - 1)
            code = self._pools.code.text(first, last)
            record = b'{"type":"text","file":{"filePath":"%b/src/crate.py","content":"%b",%b}}' % (CWD, code, lines)
            return self._pools.numbered.text(first, last), record, self._pools.numbered.size(first, last)
        pool = self._pools.log if tool == "Bash" else self._pools.code
        first, last = pool.choose(self._rng, size)
        text = pool.text(first, last)
        if tool == "Bash":
            return text, b'{"stdout":"%b","stderr":"","interrupted":false,"isImage":false}' % text, pool.size(first, last)
        record = b'{"mode":"content","numFiles":0,"filenames":[],"content":"%b","numLines":%d}' % (text, last - first)
        return text, record, pool.size(first, last)

    def _progress(self, call_row: Id, tool_id: Id) -> None:
        parent = call_row
        for second in range(2, 2 + self._rng.randint(1, 6)):
            span = self._pools.log.choose(self._rng, 300)
            parent = self._rows.command_progress(parent, tool_id, second, self._pools.log.text(*span))

    def _prose(self, size: int) -> tuple[bytes, int]:
        span = self._pools.prose.choose(self._rng, size)
        return self._pools.prose.text(*span), self._pools.prose.size(*span)

    def _text_block(self) -> tuple[bytes, int]:
        text, size = self._prose(self._rng.randint(60, 1_500))
        return b'{"type":"text","text":"%b"}' % text, size

    def _thinking_block(self) -> tuple[bytes, int]:
        text, size = self._prose(self._rng.randint(100, 2_500))
        return b'{"type":"thinking","thinking":"%b","signature":"%b"}' % (text, b"%0400x" % self._rng.getrandbits(1600)), size

    def _tool_block(self, tool_id: Id, tool: str) -> tuple[bytes, int]:
        text, size = self._prose(self._rng.randint(30, 200))
        argument = {"Bash": b"command", "Read": b"file_path", "Grep": b"pattern"}[tool]
        block = b'{"type":"tool_use","id":"%b","name":"%b","input":{"%b":"%b"}}' % (tool_id, tool.encode(), argument, text)
        return block, size + len(tool) + 20


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a large session to measure with.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--seed", type=int, default=1)
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--boundaries", type=int, metavar="TOKENS", default=THRESHOLD, help="compact here (default %(default)s)")
    when.add_argument("--no-boundaries", action="store_true", help="never compact: the context grows without limit")
    args = parser.parse_args()
    done = write_session(args.out, args.megabytes, seed=args.seed, threshold=None if args.no_boundaries else args.boundaries)
    print(f"{args.out}: {done.bytes:,} bytes, {done.rows:,} rows, {done.calls:,} calls, {done.boundaries:,} boundaries")


if __name__ == "__main__":
    main()
