"""The selected message as a document: block by block with code and changes in colours, as JSON, or as the raw record."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...conversation.block import Block
from ...conversation.image import Image
from ...workspace.state import JSON, RAW
from .calls import MOST, call_paragraphs, language_of_call, pretty
from .code import code, is_numbered, json_text
from .document import Document, Paragraph
from .languages import language_of_path

_FILE_PATH = re.compile(rb'"filePath":"((?:[^"\\]|\\.)*)"')  # only a record's own field: within a text its quotes are escaped


def block_document(block: Block, form: str, raw: bytes | None = None, call: Block | None = None) -> Document:
    """The block in one of the forms; `raw` are the bytes of its record, `call` is the call that a result answers."""
    if form == RAW:
        if raw is None:
            return Document((Paragraph("This block was made here: it has no record in the file.", "text"),))
        return Document((json_text(raw.decode("utf-8", "replace")[:MOST]),))
    if form == JSON:
        return Document((json_text(pretty(block.body)[:MOST]),))
    return Document(tuple(_paragraphs(block, raw, call)))


def _paragraphs(block: Block, raw: bytes | None, call: Block | None) -> list[Paragraph]:
    body = block.body or {}
    if block.kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
        return call_paragraphs(block.name, body.get("input"))
    if block.kind.endswith("tool_result"):
        return _result(block, body, _language(raw, call))
    if block.kind in ("thinking", "redacted_thinking"):
        text = str(body.get("thinking") or "")
        return [Paragraph(text or "Only the signature of this thinking is stored; its text is not in the file.", "muted")]
    if block.kind == "empty":
        return [Paragraph("This message has no content. The API refuses it unless it is the last reply.", "warning")]
    if isinstance(body.get("text"), str):
        return [Paragraph(body["text"][:MOST], "text")]
    if block.images:
        return _image_lines([body], block.images)
    return [json_text(pretty(body)[:MOST])]


def _language(raw: bytes | None, call: Block | None) -> str:
    """The language of a result: by the file its call names, or that the record names beside the result."""
    if call is not None and call.body is not None and (found := language_of_call(call.name, call.body.get("input"))):
        return found
    path = _FILE_PATH.search(raw) if raw is not None else None
    return language_of_path(path[1].decode("utf-8", "replace")) if path else ""


def _result(block: Block, body: Mapping[str, Any], language: str) -> list[Paragraph]:
    content = body.get("content")
    pieces = [content] if isinstance(content, str | Mapping) and content else content if isinstance(content, list | tuple) else []
    paragraphs = [p for piece in pieces if (p := _piece(piece, block.error, language)) is not None]
    paragraphs += _image_lines([p for p in pieces if isinstance(p, Mapping) and p.get("type") == "image"], block.images)
    return paragraphs or [Paragraph("(an empty result: the API allows it)", "muted")]


def _piece(piece: object, error: bool, language: str) -> Paragraph | None:
    text = piece.get("text") if isinstance(piece, Mapping) else piece
    if isinstance(text, str):
        if error:
            return Paragraph(text[:MOST], "error")
        return code(text[:MOST], language if is_numbered(text) else "")  # what is not numbered only speaks of the file
    if isinstance(piece, Mapping) and piece.get("type") == "image":
        return None
    return json_text(pretty(piece)[:MOST])


def _image_lines(bodies: Sequence[Mapping[str, Any]], images: Sequence[Image]) -> list[Paragraph]:
    kinds = [str(s.get("media_type") or "") if isinstance(s := b.get("source"), Mapping) else "" for b in bodies]
    kinds += [""] * (len(images) - len(kinds))
    numbers = [f"image {n} of {len(images)}" if len(images) > 1 else "image" for n in range(1, len(images) + 1)]
    return [Paragraph(_image_words(*each), "muted") for each in zip(numbers, kinds, images, strict=False)]


def _image_words(number: str, kind: str, image: Image) -> str:
    size = f"{image.width}×{image.height} pixels" if image.side else "of unknown size"
    words = " ".join(word for word in (kind, size) if word)
    return f"{number}: {words}, {image.size:,} bytes, {image.tokens:,} tokens estimated"
