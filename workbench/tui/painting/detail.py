"""The selected message as a document: block by block, as JSON, or as the raw record."""

import json
from collections.abc import Mapping
from typing import Any

from ...conversation.block import Block
from ...conversation.text import text_pieces
from ...workspace.state import JSON, RAW
from .document import Document, Paragraph

MOST = 4_000_000  # characters shown of one block; more is said, not shown


def block_document(block: Block, form: str, raw: bytes | None = None) -> Document:
    """The block in one of the forms; `raw` are the bytes of its record."""
    if form == RAW:
        text = raw.decode("utf-8", "replace") if raw is not None else "This block was made here: it has no record in the file."
        return Document((Paragraph(text[:MOST], "text"),))
    if form == JSON:
        return Document((Paragraph(_pretty(block.body)[:MOST], "text"),))
    return Document(tuple(_paragraphs(block)))


def _pretty(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def _paragraphs(block: Block) -> list[Paragraph]:
    body = block.body or {}
    if block.kind == "tool_use":
        return _call(body)
    if block.kind == "tool_result":
        return _result(block, body)
    if block.kind in ("thinking", "redacted_thinking"):
        text = str(body.get("thinking") or "")
        return [Paragraph(text or "Only the signature of this thinking is stored; its text is not in the file.", "muted")]
    if block.kind == "empty":
        return [Paragraph("This message has no content. The API refuses it unless it is the last reply.", "warning")]
    if isinstance(body.get("text"), str):
        return [Paragraph(body["text"][:MOST], "text")]
    if block.images:
        return [Paragraph(block.head, "text"), *_image_lines(block)]
    return [Paragraph(_pretty(body)[:MOST], "text")]


def _call(body: Mapping[str, Any]) -> list[Paragraph]:
    given = body.get("input")
    if not isinstance(given, Mapping):
        return [Paragraph(_pretty(given), "text")]
    paragraphs = []
    for name, value in given.items():
        if name in ("old_string", "new_string") and isinstance(value, str):
            sign, style = ("-", "dropped") if name == "old_string" else ("+", "added")
            paragraphs.append(Paragraph(f"{name}", "muted"))
            paragraphs.append(Paragraph("\n".join(f"{sign} {line}" for line in value.split("\n")), style))
        elif isinstance(value, str) and ("\n" in value or len(value) > 60):
            paragraphs += [Paragraph(str(name), "muted"), Paragraph(value[:MOST], "text")]
        else:
            shown = value if isinstance(value, str) else _pretty(value)
            paragraphs.append(Paragraph(f"{name}: {shown}"[:MOST], "text"))
    return paragraphs or [Paragraph("(no input)", "muted")]


def _result(block: Block, body: Mapping[str, Any]) -> list[Paragraph]:
    texts = text_pieces(body.get("content"))
    style = "error" if block.error else "text"
    paragraphs = [Paragraph(t[:MOST], style) for t in texts] + _image_lines(block)
    return paragraphs or [Paragraph("(an empty result: the API allows it)", "muted")]


def _image_lines(block: Block) -> list[Paragraph]:
    return [
        Paragraph(
            f"image {i.width}×{i.height}, {i.size:,} bytes, {i.tokens:,} tokens"
            if i.side
            else f"image of unknown size, {i.size:,} bytes",
            "muted",
        )
        for i in block.images
    ]
