"""Rows in a few letters, for tests: who says what, how many tokens, which call."""

from workbench.conversation.block import Block, read_block, text_block
from workbench.conversation.row import ASSISTANT, USER, Row

_numbers = iter(range(1, 1_000_000))


def row(role: str | None, *blocks: Block, message: str | None = None, kind: str = "", **fields: object) -> Row:
    number = next(_numbers)
    name = message or (f"msg_{number}" if role == ASSISTANT else None)
    values = {"uuid": f"row-{number}", "line": number, **fields}
    return Row(-1, kind=kind or role or "system:note", role=role, message_id=name, blocks=blocks, **values)


def text(tokens: int) -> Block:
    return text_block("word" * tokens)


def call(name: str, tool: str = "Read", path: str = "/src/a.py") -> Block:
    return read_block({"type": "tool_use", "id": name, "name": tool, "input": {"file_path": path}})


def result(name: str, tokens: int = 10, error: bool = False) -> Block:
    body = {"type": "tool_result", "tool_use_id": name, "content": "data" * tokens}
    return read_block(body | ({"is_error": True} if error else {}))


def thinking(tokens: int = 5) -> Block:
    return read_block({"type": "thinking", "thinking": "hmm " * tokens, "signature": "s"})


def user(*blocks: Block, **fields: object) -> Row:
    return row(USER, *(blocks or (text(5),)), **fields)


def assistant(*blocks: Block, message: str | None = None, **fields: object) -> Row:
    return row(ASSISTANT, *(blocks or (text(5),)), message=message, **fields)


def turn(tokens: int, name: str = "", tool: str = "Read") -> tuple[Row, Row]:
    """A call and its result, together of about so many tokens (the call's own included)."""
    name = name or f"toolu_{next(_numbers)}"
    asks = assistant(call(name, tool))
    return asks, user(result(name, max(0, tokens - asks.tokens)))
