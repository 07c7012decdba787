"""Rows, columns and open sessions, written by hand for one matter each."""

import json
from pathlib import Path
from typing import Any

from tests.house.files import ROOT
from workbench.compaction.profiles import preset_of, resolve
from workbench.conversation.array import assemble
from workbench.conversation.block import read_content
from workbench.conversation.row import Row
from workbench.storage import load
from workbench.workspace.opened import Opened, open_up
from workbench.workspace.view import Column, Item

SAMPLES = ROOT / "sample_sessions"


def call(name: str, tool: str = "Read", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": tool, "input": given}


def result(name: str, text: str = "done", error: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": name, "content": text, **({"is_error": True} if error else {})}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def row(line: int, role: str, *blocks: dict[str, Any], message: str | None = None) -> Row:
    return Row(line - 1, line, f"row-{line}", role, role, message_id=message, blocks=read_content(list(blocks)))


def column(*rows: Row) -> Column:
    """The array of rows, as the Messages tab lists it."""
    messages = assemble(rows)
    items = [
        Item(index, at == 0, message.role, part.block, part.row)
        for index, message in enumerate(messages)
        for at, part in enumerate(message.parts)
    ]
    return Column("by hand", tuple(items), len(messages), sum(m.tokens for m in messages))


def open_file(path: Path) -> Opened:
    session = load(str(path))
    return open_up(session, resolve("articles", preset_of(session.index.last_version)))


def sample(name: str) -> Opened:
    """A sample session by the start of its name."""
    return open_file(next(SAMPLES.glob(f"{name}*.jsonl")))


def write(path: Path, *records: dict[str, Any]) -> Path:
    """A session file of these records, one a line."""
    path.write_text("\n".join(json.dumps(record) for record in records) + "\n")
    return path
