"""A session told row by row, with usage that adds up only if the test says so."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Mapping
from typing import Any

from workbench.storage import MemoryFile, read_index
from workbench.transcript.session import Session

MODEL = "claude-opus-4-5-20251101"
Json = Mapping[str, Any]


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def thinking(words: str = "") -> Json:
    return {"type": "thinking", "thinking": words, "signature": "c2lnbmVk" * 40}


def call(ident: str, name: str = "Read", **given: Any) -> Json:
    return {"type": "tool_use", "id": ident, "name": name, "input": given}


def result(ident: str, content: object = "ok") -> Json:
    return {"type": "tool_result", "tool_use_id": ident, "content": content}


def image(width: int, height: int) -> Json:
    """An image of a size that its header tells, without any picture behind it."""
    head = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + struct.pack(">II", width, height)
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64.b64encode(head).decode()}}


class Told:
    """The rows so far; each hangs on the one before unless `parent` names another. Every method returns the row's uuid."""

    def __init__(self, version: str = "2.1.100") -> None:
        self.rows: list[dict[str, Any]] = []
        self.last: str | None = None
        self.version = version

    def row(self, kind: str, parent: str | None = "", **fields: Any) -> str:
        uuid = f"u{len(self.rows) + 1}"
        time = f"2026-01-01T00:{len(self.rows) % 60:02}:00Z"
        known = {"isSidechain": False, "sessionId": "told", "version": self.version, "timestamp": time}
        self.rows.append({"parentUuid": self.last if parent == "" else parent, "type": kind, "uuid": uuid, **known, **fields})
        if not fields.get("isSidechain"):
            self.last = uuid
        return uuid

    def prompt(self, words: str, **fields: Any) -> str:
        return self.row("user", message={"role": "user", "content": words}, **fields)

    def results(self, *blocks: Json, **fields: Any) -> str:
        return self.row("user", message={"role": "user", "content": list(blocks)}, **fields)

    def reply(self, ident: str, prompt: int, *blocks: Json, output: int = 50, model: str = MODEL, **fields: Any) -> str:
        """A reply, a row for each block; `prompt` is what its call sent, part of it from the cache."""
        cached = {"cache_creation_input_tokens": 2, "cache_read_input_tokens": prompt - 3}
        usage = {"input_tokens": 1, **cached, "output_tokens": output}
        for block in blocks or (text("Done."),):
            message = {"id": ident, "role": "assistant", "model": model, "content": [block], "usage": usage}
            uuid = self.row("assistant", message=message, **fields)
        return uuid

    def attachment(self, kind: str, **fields: Any) -> str:
        return self.row("attachment", attachment={"type": kind, **fields})

    def boundary(
        self, before: int | None = None, after: int | None = None, trigger: str = "auto", summary: str = "What was said."
    ) -> str:
        data = {"trigger": trigger, "preTokens": before, "postTokens": after}
        parent = self.last
        self.row("system", None, subtype="compact_boundary", logicalParentUuid=parent, compactMetadata=data)
        return self.row("user", isCompactSummary=True, message={"role": "user", "content": summary})

    def microcompaction(self, saved: int, *idents: str) -> str:
        data = {"trigger": "auto", "preTokens": saved, "tokensSaved": saved, "compactedToolIds": list(idents)}
        return self.row("system", subtype="microcompact_boundary", microcompactMetadata=data)

    def error(self, words: str) -> str:
        message = {"id": f"e{len(self.rows)}", "role": "assistant", "model": "<synthetic>", "content": [text(words)]}
        return self.row("assistant", isApiErrorMessage=True, message=message)

    def written(self) -> bytes:
        return b"".join(json.dumps(r, ensure_ascii=False).encode() + b"\n" for r in self.rows)

    def session(self) -> Session:
        return read_index(MemoryFile(self.written(), "told"))


def with_steps(growths: list[int], *, size: int = 4_000, model: str = MODEL) -> Told:
    """Calls whose prompts grow so much one after the other, each for the result of a Read of `size` bytes."""
    told = Told()
    told.prompt("Read them all.")
    prompt = 20_000
    for number, growth in enumerate([*growths, 0]):
        told.reply(f"m{number}", prompt, call(f"c{number}", file_path="a.py"), model=model)
        told.results(result(f"c{number}", "x" * size))
        prompt += growth
    return told
