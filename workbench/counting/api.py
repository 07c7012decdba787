"""Asks the Messages API how many tokens a request or a text has; the one exact answer, and the one that needs a key.

Call it only when the user asked: it sends the text away. One request, no retries: the user sees the outcome and
decides. The key comes from ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, the address from ANTHROPIC_BASE_URL.
The SDK takes over a second to import and is imported by the first question, never before.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.conversation.text import without_surrogates
from workbench.counting import faults

if TYPE_CHECKING:
    import anthropic

TIMEOUT_SECONDS = 60.0
_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_DETAIL_CHARACTERS = 300

_BY_STATUS: Mapping[int, tuple[type[faults.ApiFault], str]] = {
    401: (faults.KeyRefused, "The API key was refused; check ANTHROPIC_API_KEY."),
    403: (faults.KeyRefused, "The API key may not count tokens for this model; use another key or model."),
    413: (faults.TooLong, "The request is too large for the API; count fewer messages."),
    429: (faults.RateLimited, "Too many requests for this key; wait and count again."),
    529: (faults.Overloaded, "The API is overloaded; count again in a moment."),
}


def count_request(
    messages: Sequence[Mapping[str, object]],
    *,
    model: str,
    system: str = "",
    tools: Sequence[Mapping[str, object]] = (),
) -> int:
    """Input tokens of one whole request in the form of the Messages API, the frame around the messages included.

    Blocks for up to 60 s; raises an ApiFault.
    """
    _require_key()
    request: dict[str, Any] = {"model": model, "messages": messages}
    if system:
        request["system"] = system
    if tools:
        request["tools"] = tools
    return _ask(json.loads(without_surrogates(json.dumps(request, ensure_ascii=False))))


def count_texts(texts: Sequence[str], *, model: str) -> list[int]:
    """Tokens of each text as the only message of a request: its frame, a few tokens, is part of each figure.

    One request per text; a blank text is 0, as the API accepts none. Raises an ApiFault.
    """
    return [count_request([{"role": "user", "content": text}], model=model) if text.strip() else 0 for text in texts]


def _require_key() -> None:
    if not any(os.environ.get(name) for name in _KEYS):
        raise faults.NoKey("No API key: set ANTHROPIC_API_KEY and start again, or choose another estimator.")


def _ask(request: dict[str, Any]) -> int:
    import anthropic

    try:
        with anthropic.Anthropic(max_retries=0, timeout=TIMEOUT_SECONDS) as client:
            answer = client.messages.count_tokens(**request)
    except anthropic.APITimeoutError as error:
        raise faults.Unreachable(f"The API gave no answer within {TIMEOUT_SECONDS:.0f} s; count again.") from error
    except anthropic.APIConnectionError as error:
        raise faults.Unreachable("The API cannot be reached; check the network and ANTHROPIC_BASE_URL.") from error
    except anthropic.APIStatusError as error:
        raise _fault(error) from error
    except (anthropic.AnthropicError, ValueError) as error:
        raise faults.ServiceFailed("The API's answer cannot be read; check ANTHROPIC_BASE_URL.") from error
    tokens = getattr(answer, "input_tokens", None)
    if not isinstance(tokens, int):
        raise faults.ServiceFailed("The API's answer holds no count; check ANTHROPIC_BASE_URL.")
    return tokens


def _fault(error: anthropic.APIStatusError) -> faults.ApiFault:
    kind, sentence = _kind(error)
    wait = error.response.headers.get("retry-after") if kind is faults.RateLimited else None
    said = _said(error)
    return kind(sentence + (f" Retry after {wait} s." if wait else "") + (f" The API said: {said}" if said else ""))


def _kind(error: anthropic.APIStatusError) -> tuple[type[faults.ApiFault], str]:
    status = error.status_code
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status == 400 and "too long" in _said(error):
        return faults.TooLong, "The request is longer than the model's window; count fewer messages."
    if status < 500:
        return faults.RequestRefused, f"The API refused the request (HTTP {status})."
    return faults.ServiceFailed, f"The API failed (HTTP {status}); count again in a moment."


def _said(error: anthropic.APIStatusError) -> str:
    """`error.message` of the answer's body, on one line and cut; "" when there is none."""
    detail = error.body.get("error") if isinstance(error.body, dict) else None
    message = detail.get("message") if isinstance(detail, dict) else None
    return " ".join(message.split())[:_DETAIL_CHARACTERS] if isinstance(message, str) else ""
