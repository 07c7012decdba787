"""The array that a session sends, call by call, and the rows in which 2.1.332 records it."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

from .meter import compact_json

Row = dict[str, Any]


def name_of(value: Any) -> str:
    """The name of a message or a shape in a recorded request."""
    return hashlib.sha256(compact_json(value).encode()).hexdigest()


def user_message(items: list[Row]) -> Row:
    """One user message: results first, reminders folded into the last of them; without results they stand before the text."""
    results = [dict(item["result"]) for item in items if "result" in item]
    said = [block for item in items for block in item.get("said", ())]
    reminders = [item for item in items if "text" in item]
    fold = bool(results) and not said and isinstance(results[-1]["content"], str)
    folded = [item["text"] for item in reminders if fold and not item["beside"]]
    loose = [{"type": "text", "text": item["text"]} for item in reminders if not fold or item["beside"]]
    if folded:
        results[-1]["content"] = "\n\n".join([results[-1]["content"], *folded])
    return {"role": "user", "content": [*results, *loose, *said]}


@dataclass(slots=True)
class Array:
    """The messages as sent so far, and the items that wait for the next user message."""

    messages: list[Row] = field(default_factory=list)
    waiting: list[Row] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    reply: str | None = None

    def say(self, text: str | list[Row]) -> None:
        """The user's words."""
        self.waiting.append({"said": [{"type": "text", "text": text}] if isinstance(text, str) else text})

    def remind(self, text: str, beside: bool = False) -> None:
        """The agent's words."""
        self.waiting.append({"text": text, "beside": beside})

    def answer(self, block: Row) -> None:
        """A tool's result."""
        self.waiting.append({"result": block})

    def flush(self) -> None:
        """Makes the waiting items into one user message at the end of the array."""
        if self.waiting:
            self.messages.append(user_message(self.waiting))
        self.waiting = []

    def replied(self, blocks: list[Row]) -> None:
        """The model's reply."""
        self.messages.append({"role": "assistant", "content": blocks})
        self.reply = name_of(self.messages[-1])

    def copy(self) -> "Array":
        """The same array, to go back to."""
        return Array(list(self.messages), list(self.waiting), list(self.sent), self.reply)

    def compacted(self, before: list[Row], summary: str, kept: list[Row]) -> None:
        """Starts again: what stood before the summary, the summary, the kept rows; what waits is sent after them."""
        first = user_message([*before, {"said": [{"type": "text", "text": summary}]}])
        after, self.waiting, self.reply, reply_id = self.waiting, [], None, None
        if not kept:
            self.messages, self.waiting = [], [{"said": first["content"]}, *after]
            return
        self.messages = [first if before else {"role": "user", "content": summary}]
        for row in kept:
            if row["type"] == "assistant":
                self.flush()
                if row["message"]["id"] != reply_id:
                    self.messages.append({"role": "assistant", "content": []})
                    reply_id = row["message"]["id"]
                self.messages[-1]["content"].extend(row["message"]["content"])
            elif row["type"] == "user":
                self.waiting += [{"result": block} for block in row["message"]["content"]]
            else:
                self.waiting += [{"text": item["content"], "beside": False} for item in row.get("rendered", ())]
        self.waiting += after

    def request(self, identifier: str, shape: str, model: str, stamp: Row) -> list[Row]:
        """The rows that record a call: a blob for each new message that is not the reply to the last call, then the request."""
        names = [name_of(message) for message in self.messages]
        same = [old == new for old, new in zip(self.sent, names, strict=False)]
        keep = same.index(False) if False in same else len(same)
        blobs: list[Row] = [
            {"type": "api-request-blob", "sessionId": stamp["sessionId"], "hash": name, "message": message}
            for name, message in zip(names[keep:], self.messages[keep:], strict=True)
            if name != self.reply
        ]
        last = self.messages[-1]["content"]
        marks = [["system", 0], ["messages", len(self.messages) - 1, "content", len(last) - 1]]
        self.sent = names
        return [
            *blobs,
            {
                "type": "api-request",
                "sessionId": stamp["sessionId"],
                "id": identifier,
                "timestamp": stamp["timestamp"],
                "version": stamp["version"],
                "querySource": "repl_main_thread",
                "shapeHash": shape,
                "params": parameters(model),
                "thread": {"type": "none"},
                "echoWireToolInputs": False,
                "keep": keep,
                "tail": names[keep:],
                "cacheControl": [{"path": path, "value": {"type": "ephemeral"}} for path in marks],
                "requestDigest": name_of(names),
            },
        ]


def parameters(model: str) -> Row:
    """What a request says beside its messages."""
    return {
        "model": model,
        "betas": ["interleaved-thinking-2025-05-14"],
        "max_tokens": 32000,
        "thinking": {"budget_tokens": 31999, "type": "enabled", "display": "omitted"},
        "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
    }
