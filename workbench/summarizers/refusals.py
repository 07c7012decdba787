"""From an error of the API to a named outcome, and whether it is worth another try (spec 4, section 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..compaction.request import ERROR, TOO_LONG, Reply
from ..compaction.too_long import read_error

if TYPE_CHECKING:
    from .hearing import Hearing

SAID = 600  # characters of the API's own words that are shown
LONG = 4_000  # characters of an error in which its length is looked for

_PASSING = {  # by type: the stream's own errors have no status
    "rate_limit_error": "Too many requests for this key.",
    "overloaded_error": "The API is overloaded.",
    "api_error": "The API failed.",
    "timeout_error": "The API took too long.",
}
_BY_STATUS = {408: "timeout_error", 429: "rate_limit_error", 504: "timeout_error", 529: "overloaded_error"}
_LASTING = {
    401: "The API key was refused; check ANTHROPIC_API_KEY.",
    402: "The account cannot pay for it; check its credit.",
    403: "The API key may not use this model; use another key or model.",
    404: "The API does not know this model or address; choose another with --model, or check ANTHROPIC_BASE_URL.",
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request and how it ended.

    again  why another try is worth it; "" where it is not
    asked  seconds that the server asks to wait (retry-after), None where it does not say
    """

    reply: Reply
    again: str = ""
    asked: float | None = None


def of_status(status: int, text: str, body: object, waits: tuple[str | None, str | None], hearing: Hearing) -> Attempt:
    """The outcome of an error that the API answered with.

    status  of the answer; 200 where the error came within the stream
    waits   headers retry-after-ms and retry-after
    """
    kind, said = _told(body)
    too_long = _too_long(status, kind, said or text, f"{text} {body}"[:LONG])
    if too_long:
        return Attempt(Reply(TOO_LONG, hearing.text, error=too_long, usage=hearing.usage))
    passing = _PASSING.get(kind) or _PASSING.get(_BY_STATUS.get(status, "api_error" if status >= 500 else ""))
    sentence = passing or _LASTING.get(status) or f"The API refused the request (HTTP {status})."
    where = " It came within the reply." if status == 200 else ""
    quote = " ".join((said or ("" if body is None else text)).split())[:SAID]
    error = f"{sentence}{where}" + (f" The API said: {quote}" if quote else "")
    return Attempt(
        Reply(ERROR, hearing.text, error=error, usage=hearing.usage), again=sentence if passing else "", asked=_seconds(waits)
    )


def of_connection(hearing: Hearing, *, slow: bool) -> Attempt:
    """The outcome where there was no connection, or it broke."""
    if hearing.prompt is not None and not slow:
        return hearing.broken()
    why = "The API gave no answer in time." if slow else "The API cannot be reached; check the network and ANTHROPIC_BASE_URL."
    return Attempt(Reply(ERROR, hearing.text, error=why, usage=hearing.usage), again=why)


def _told(body: object) -> tuple[str, str]:
    """Type and message of the answer's `error`; "" where it has none."""
    detail = body.get("error") if isinstance(body, Mapping) else None
    if not isinstance(detail, Mapping):
        return "", ""
    kind, said = detail.get("type"), detail.get("message")
    return kind if isinstance(kind, str) else "", said if isinstance(said, str) else ""


def _too_long(status: int, kind: str, said: str, whole: str) -> str:
    """The sentence of a request that was too long, with the API's own numbers in it; "" for another error."""
    if status == 413 or kind == "request_too_large":
        return f"The request has too many bytes (413 request_too_large): {' '.join(said.split())[:SAID]}"
    if status not in (200, 400) or read_error(whole) is None:
        return ""
    told = said if read_error(said) == read_error(whole) else whole
    return f"The request is too long: {' '.join(told.split())}"


def _seconds(waits: tuple[str | None, str | None]) -> float | None:
    for value, scale in zip(waits, (0.001, 1.0), strict=True):
        try:
            seconds = float(value or "") * scale
        except ValueError:
            continue
        if 0 <= seconds < 1e9:
            return seconds
    return None
