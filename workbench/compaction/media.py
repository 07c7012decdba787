"""Rows without pictures: what a plain request sends where the first one was too large (spec 1, section 6.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..conversation.block import Block, read_block, text_block
from ..conversation.change import Change
from ..conversation.row import Row

PLACEHOLDERS = {"image": "[image]", "document": "[document]"}


def without_media(rows: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Change, ...]]:
    """The rows with `[image]` and `[document]` in place of pictures and documents, in results too; and what changed."""
    bare = tuple(_bare_row(row) for row in rows)
    changed = tuple(row.uuid for row, old in zip(bare, rows, strict=True) if row is not old)
    if not changed:
        return tuple(rows), ()
    return bare, (Change("replace-media", changed, "pictures and documents give way to a word: they made the request too large"),)


def _bare_row(row: Row) -> Row:
    blocks = tuple(_bare(block) for block in row.blocks)
    return row if all(new is old for new, old in zip(blocks, row.blocks, strict=True)) else replace(row, blocks=blocks)


def _bare(block: Block) -> Block:
    if block.kind in PLACEHOLDERS:
        return text_block(PLACEHOLDERS[block.kind])
    content = block.body.get("content") if block.body is not None and block.kind == "tool_result" else None
    if not isinstance(content, Sequence) or isinstance(content, str):
        return block
    pieces = [_bare_piece(piece) for piece in content]
    if all(new is old for new, old in zip(pieces, content, strict=True)):
        return block
    return read_block({**(block.body or {}), "content": pieces})


def _bare_piece(piece: Any) -> Any:
    word = PLACEHOLDERS.get(str(piece.get("type"))) if isinstance(piece, Mapping) else None
    return piece if word is None else {"type": "text", "text": word}
