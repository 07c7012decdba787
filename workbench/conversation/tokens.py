"""Tokens by another estimate than the agent's own: who estimates is handed in from the edge (spec 1, section 2).

A row that was measured anew carries the new figures in its blocks, so that every sum over them is by that estimator.
What decides stays bytes/4, as the agent does it; images count by their sides whoever estimates.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TypeAlias

from .block import Block
from .row import Row
from .text import compact_json, rough, text_pieces, utf8_length

Measure: TypeAlias = Callable[[Sequence[str]], list[int]]
"""Texts in, tokens of each out. May raise CountingError."""

BATCH_BYTES = 1 << 20  # of text handed to an estimator at once, so that a large session is never whole in memory
_SERVER_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


@dataclass(frozen=True, slots=True)
class Estimator:
    """An estimator of tokens.

    name    "rough" | "tiktoken" | "calibrated" | "api"
    words   what its figures are: "bytes/4"
    detail  how they come about, in words
    texts   tokens of plain texts, in order
    blocks  tokens of blocks with bodies, in order, images included
    """

    name: str
    words: str
    detail: str
    texts: Measure
    blocks: Callable[[Sequence[Block]], list[int]]

    @property
    def is_rough(self) -> bool:
        """Whether it is the estimate that blocks carry anyway."""
        return self.name == ROUGH.name


def _rough_texts(texts: Sequence[str]) -> list[int]:
    return [rough(utf8_length(text)) for text in texts]


ROUGH = Estimator("rough", "bytes/4", "the agent's own estimate", _rough_texts, lambda blocks: [b.tokens for b in blocks])
"""The agent's own: ceil(UTF-8 bytes / 4) of each text."""


def by_texts(name: str, words: str, detail: str, measure: Measure) -> Estimator:
    """The estimator that asks `measure` for the texts of each block."""

    def blocks(found: Sequence[Block]) -> list[int]:
        texts = [texts_of(b) for b in found]
        counts = iter(measure([t for several in texts for t in several]))
        return [
            sum(next(counts) for _ in several) + image_tokens(block) if several else block.tokens
            for block, several in zip(found, texts, strict=True)
        ]

    return Estimator(name, words, detail, measure, blocks)


def texts_of(block: Block) -> tuple[str, ...]:
    """The texts of a block that are counted; () for one without a body, and where something else than text is counted."""
    body = block.body
    if body is None or block.kind in ("image", "document"):
        return ()
    if block.kind in _SERVER_CALLS:
        return (block.name + compact_json(body.get("input", {})),)
    if block.kind.endswith("tool_result"):
        return tuple(text_pieces(body.get("content")))
    text = body.get("text") or body.get("thinking") or body.get("data")
    return (text,) if isinstance(text, str) and block.tokens else ()


def image_tokens(block: Block) -> int:
    """Tokens of the images in a block."""
    return sum(i.tokens for i in block.images)


def measured_anew(rows: Iterable[Row], by: Estimator) -> Iterator[Row]:
    """The same rows, with bodies, their blocks' tokens by that estimator; a batch of them is held at a time."""
    if by.is_rough:
        yield from rows
        return
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(b.size for b in row.blocks)
        if size >= BATCH_BYTES:
            yield from _measured(batch, by)
            batch, size = [], 0
    yield from _measured(batch, by)


def _measured(rows: Sequence[Row], by: Estimator) -> Iterator[Row]:
    counts = iter(by.blocks([b for row in rows for b in row.blocks]))
    for row in rows:
        yield replace(row, blocks=tuple(replace(b, tokens=next(counts)) for b in row.blocks)) if row.blocks else row


def shared_out(total: int, weights: Sequence[float]) -> list[int]:
    """`total` in whole parts in the proportions of the weights (none negative), each within one token; they add up exactly.

    Weights that are all 0: equal parts. No weights: no parts.
    """
    sums = list(accumulate(weights if any(weights) else [1.0] * len(weights)))
    ends = [round(total * (s / sums[-1])) for s in sums[:-1]] + [total] * bool(sums)
    return [end - start for start, end in pairwise([0, *ends])]
