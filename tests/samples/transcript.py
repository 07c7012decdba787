"""Reads a sample for its tests: plain, strict, and independent of the code that the project itself reads with."""

import json
from collections.abc import Iterator
from typing import Any

from .meter import rough
from .session import Row, text_of


def rows_of(content: bytes) -> list[Row]:
    """The rows of a file without damage."""
    assert content.endswith(b"\n")
    return [json.loads(line) for line in content.split(b"\n")[:-1]]


def blocks_of(row: Row) -> list[Row]:
    """The content blocks of a user or assistant row; a string is one text block."""
    if row["type"] not in ("user", "assistant"):
        return []
    content = row["message"]["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def calls_of(rows: list[Row]) -> list[Row]:
    """One row, the last, of every API call, in file order."""
    last: dict[str, Row] = {}
    for row in rows:
        if row["type"] == "assistant" and row["message"]["model"] != "<synthetic>":
            last.pop(row["message"]["id"], None)
            last[row["message"]["id"]] = row
    return list(last.values())


def prompt_of(call: Row) -> int:
    """Prompt tokens of a call: input + cache creation + cache read."""
    usage = call["message"]["usage"]
    return int(usage["input_tokens"] + usage["cache_creation_input_tokens"] + usage["cache_read_input_tokens"])


def reply_rough(rows: list[Row], message_id: str) -> int:
    """Rough tokens of all that a reply says."""
    return sum(
        block_rough(block)
        for row in rows
        if row["type"] == "assistant" and row["message"]["id"] == message_id
        for block in blocks_of(row)
    )


def block_rough(block: Row) -> int:
    """Rough tokens of one block; an image counts nothing here."""
    if block["type"] == "tool_use":
        return rough(block["name"] + json.dumps(block["input"], ensure_ascii=False, separators=(",", ":")))
    return rough(block.get("text", "") + block.get("thinking", "") + text_of(block.get("content", "")))


def sent_rough(row: Row) -> int:
    """Rough tokens that a row adds to the next request."""
    if row["type"] == "attachment":
        return sum(rough(item["content"]) for item in row.get("rendered", ()))
    return sum(block_rough(block) for block in blocks_of(row)) if row["type"] == "user" else 0


def requests_of(rows: list[Row]) -> Iterator[tuple[Row, list[Any]]]:
    """Every recorded request with its messages put together again: kept ones, blobs, replies to the request before."""
    blobs = {row["hash"]: row["message"] for row in rows if row["type"] == "api-request-blob"}
    previous: list[Any] = []
    before: Row | None = None
    for row in rows:
        if row["type"] != "api-request":
            continue
        reply = [block for each in rows if before and each.get("requestRef") == before["id"] for block in blocks_of(each)]
        tail = [blobs.get(name) or {"role": "assistant", "content": reply} for name in row["tail"]]
        previous, before = previous[: row["keep"]] + tail, row
        yield row, previous
