"""A summary request as it goes out: its facts, the instruction, then every message; or as the JSON of the API."""

from ...compaction.request import Request
from ...conversation.row import Message
from ...export.messages import as_json
from .calls import pretty
from .code import json_text
from .detail import block_document
from .document import Document, Paragraph
from .numbers import thousands
from .prose import wrapped
from .sheet import Sheet

MOST = 4_000_000  # characters of JSON shown


def request_document(request: Request, width: int) -> Document:
    """For people; the instruction stands in front, although it is sent last."""
    sheet = Sheet(width)
    sheet.text(request.purpose, "bold text")
    tokens = request.tokens
    size = "unknown" if tokens is None or tokens.tokens is None else f"{thousands(tokens.tokens)} tokens"
    facts = (
        ("model", request.model or "the session's"),
        ("prompt", f"{size} ({tokens.kind}, {tokens.source})" if tokens is not None else size),
        ("max_tokens", thousands(request.max_tokens)),
        ("messages", thousands(len(request.messages))),
        (
            "prefix",
            "as in the session's own calls, so that the cache hits" if request.shared_prefix else "plain: no tools, no thinking",
        ),
    )
    for name, words in facts:
        sheet.columns(((f"  {name:<12}", "muted"),), words, "text")
    sheet.heading("instruction", ("the last user message", "muted"))
    sheet.paragraph(Paragraph(wrapped(request.prompt, sheet.width), "text"))
    for at, message in enumerate(request.messages):
        _message(sheet, at, message)
    return sheet.document()


def _message(sheet: Sheet, at: int, message: Message) -> None:
    sheet.heading(f"{at} {message.role}", (f"{thousands(message.tokens)} tokens rough", "muted"))
    for block in message.blocks:
        sheet.line((f"{block.kind} {block.name}".strip(), "muted"))
        for paragraph in block_document(block, "text").paragraphs:
            sheet.paragraph(paragraph)


def request_json(request: Request, _width: int) -> Document:
    """The body of the call."""
    body = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [as_json(message) for message in request.messages],
    }
    return Document((json_text(pretty(body)[:MOST]),))
