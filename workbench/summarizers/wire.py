"""A summary request as the Messages API takes it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..compaction.models import has_large_window
from ..compaction.request import Request
from ..conversation.row import Message

MAX_TOKENS = 20_000  # where the request names none
LARGE_WINDOW = "context-1m-2025-08-07"  # the beta that ids with [1m] stand for
_THOUGHTS = ("thinking", "redacted_thinking")


def body_of(
    request: Request,
    model: str,
    encode: Callable[[Message], Mapping[str, Any]],
    system: str | Sequence[Mapping[str, Any]] = "",
    tools: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The body. System and tools go with a request that shares the session's prefix; a plain one goes without tools.

    Thinking is bound to all that stands before it, so its blocks stay only where that is unchanged (spec 4, section 7).
    """
    shares = request.shared_prefix and bool(system or tools)
    whole = shares and request.model in ("", model)
    messages = [encoded for m in request.messages if (encoded := _encoded(encode(m), keep_thoughts=whole))["content"]]
    if whole and messages:
        messages[-1]["content"][-1] = {**messages[-1]["content"][-1], "cache_control": {"type": "ephemeral"}}
    body: dict[str, Any] = {
        "model": bare_id(model),
        "max_tokens": request.max_tokens or MAX_TOKENS,
        "messages": messages,
    }
    if system and request.shared_prefix:
        body["system"] = system
    if tools and request.shared_prefix:
        body["tools"] = list(tools)
    return body


def bare_id(model: str) -> str:
    """The id without the mark of a large window, which the API does not know."""
    return model[: model.lower().index("[1m]")].strip() if has_large_window(model) else model


def _encoded(message: Mapping[str, Any], *, keep_thoughts: bool) -> dict[str, Any]:
    content = [b for b in message["content"] if keep_thoughts or b.get("type") not in _THOUGHTS]
    return {"role": message["role"], "content": content}
