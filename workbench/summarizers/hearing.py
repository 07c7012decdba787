"""What has been heard of a streaming reply, and how it ended: from the events of the Messages API to a reply."""

from typing import Any

from ..compaction.request import EMPTY, ERROR, OK, TOO_LONG, TOOL_CALL, TRUNCATED, Reply, Usage
from .refusals import Attempt

_FULL = "model_context_window_exceeded"


class Hearing:
    """Takes the events of one stream, in order."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.called: list[str] = []
        self.stop_reason: str | None = None
        self.prompt: int | None = None
        self.output = 0

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def usage(self) -> Usage | None:
        return None if self.prompt is None else Usage(self.prompt, self.output)

    def take(self, event: Any) -> str:
        """The text that an event brings; "" for one that brings none."""
        if event.type == "text":
            self.pieces.append(event.text)
            return str(event.text)
        if event.type == "message_start":
            self._count(event.message.usage)
        elif event.type == "content_block_start" and event.content_block.type.endswith("tool_use"):
            self.called.append(event.content_block.name)
        elif event.type == "message_delta":
            self.stop_reason = event.delta.stop_reason
            self._count(event.usage)
        return ""

    def _count(self, usage: Any) -> None:
        """Prompt tokens, cached ones included; later events repeat them or leave them out."""
        parts = [getattr(usage, f, None) for f in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")]
        if parts[0] is not None:
            self.prompt = max(self.prompt or 0, sum(p or 0 for p in parts))
        self.output = getattr(usage, "output_tokens", None) or self.output

    def end(self) -> Attempt:
        """How a stream ended that no error broke off."""
        if self.stop_reason is None:
            return self.broken()
        outcome, why = self._outcome()
        return Attempt(Reply(outcome, self.text, self.stop_reason, why, usage=self.usage))

    def broken(self) -> Attempt:
        """A stream that stopped before the reply was complete: worth another try."""
        why = "The stream broke off before the reply was complete."
        return Attempt(Reply(ERROR, self.text, error=why, usage=self.usage), again=why)

    def _outcome(self) -> tuple[str, str]:
        if self.called or self.stop_reason == "tool_use":
            return TOOL_CALL, f"The model called a tool ({', '.join(self.called) or 'unnamed'}) instead of writing the summary."
        if self.stop_reason == "max_tokens":
            return TRUNCATED, "The summary was cut off at max_tokens."
        if self.stop_reason == _FULL:
            return TOO_LONG, f"The window was full before the summary was complete ({_FULL})."
        if self.stop_reason == "refusal":
            return ERROR, "The model declined to write the summary."
        if not self.text.strip():
            return EMPTY, "The model answered with nothing."
        return OK, ""
