"""Rows made by hand, of a size one asks for."""

from collections.abc import Mapping
from typing import Any

from workbench.conversation.block import read_content
from workbench.conversation.row import Row

BOUNDARY = Row(0, None, "boundary", "system:compact_boundary", None, timestamp="2026-01-01T00:00:00Z")
SUMMARY = Row(1, None, "summary", "user", "user", is_summary=True, blocks=read_content("what was before"))


def said(uuid: str, text: str, **fields: Any) -> Row:
    """A row of the user with a plain text."""
    return Row(0, None, uuid, "user", "user", blocks=read_content(text), **fields)


def replied(uuid: str, *blocks: Mapping[str, Any] | str, **fields: Any) -> Row:
    """A row of the assistant; a string stands for a text block."""
    content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    fields.setdefault("message_id", f"msg_{uuid}")
    return Row(0, None, uuid, "assistant", "assistant", blocks=read_content(content), **fields)


def call(name: str, ident: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": ident, "name": name, "input": given}


def result(uuid: str, ident: str, text: str = "ok", error: bool = False, **fields: Any) -> Row:
    block = {"type": "tool_result", "tool_use_id": ident, "content": text, "is_error": error}
    return Row(0, None, uuid, "user", "user", blocks=read_content([block]), **fields)


def sized(uuid: str, tokens: int, *, text: bool = True, **fields: Any) -> Row:
    """A row of exactly so many rough tokens, with text or of a tool result only."""
    filler = "x" * (4 * tokens)
    return said(uuid, filler, **fields) if text else result(uuid, f"call_{uuid}", filler, **fields)


def rows_of(sizes: list[int], *, text: bool = True) -> tuple[Row, ...]:
    """Rows r0, r1, ... of these sizes."""
    return tuple(sized(f"r{i}", size, text=text) for i, size in enumerate(sizes))
