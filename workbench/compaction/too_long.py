"""The request was too long: what the error says of it (spec 1, section 6b; spec 4, section 1)."""

import re
from dataclasses import dataclass

from .settings import Settings

PLAIN, SUM, NO_NUMBERS, SIZE = "plain", "sum", "no-numbers", "size"

_NUMBER = r"(\d[\d,_]*)"
_PLAIN = re.compile(rf"prompt is too long[^0-9]*{_NUMBER}\s*tokens?\s*>\s*{_NUMBER}", re.IGNORECASE)
_SUM = re.compile(rf"context limit:\s*{_NUMBER}\s*\+\s*{_NUMBER}\s*>\s*{_NUMBER}", re.IGNORECASE)
_WORDS = re.compile(
    r"prompt is too long|input is too long|prompt_too_long|model_context_window_exceeded|exceed context limit", re.IGNORECASE
)
_BYTES = re.compile(r"request_too_large|(?:entity|payload|content) too large|error code: 413|^\s*413\b", re.IGNORECASE)
_GREATER = re.compile(r"\\+u003e|&gt;", re.IGNORECASE)  # how a JSON text within a JSON text may write ">"


@dataclass(frozen=True, slots=True)
class TooLong:
    """What an error says of the length; tokens, None where it does not say.

    form        plain | sum | no-numbers | size (bytes of the body, not tokens)
    max_tokens  the part of the sum that was asked for as output
    """

    form: str
    input: int | None = None
    max_tokens: int | None = None
    limit: int | None = None

    @property
    def gap(self) -> int | None:
        """Tokens too many; None when unknown, also when the numbers make no gap."""
        if self.input is None or self.limit is None:
            return None
        gap = self.input + (self.max_tokens or 0) - self.limit
        return gap if gap > 0 else None

    def smaller_output(self, settings: Settings) -> int | None:
        """max_tokens with which the same request would fit; None when too little would be left."""
        if self.form != SUM or self.input is None or self.limit is None:
            return None
        left = self.limit - self.input - settings.number("sumFormMargin")
        return left if left >= settings.number("sumFormMinimum") else None


def read_error(text: str) -> TooLong | None:
    """The length in an error's text, wherever it stands in it, also inside JSON; None when it is another error."""
    text = _GREATER.sub(">", text)
    found = _PLAIN.search(text)
    if found:
        return TooLong(PLAIN, input=_int(found[1]), limit=_int(found[2]))
    found = _SUM.search(text)
    if found:
        return TooLong(SUM, input=_int(found[1]), max_tokens=_int(found[2]), limit=_int(found[3]))
    if _WORDS.search(text):
        return TooLong(NO_NUMBERS)
    return TooLong(SIZE) if _BYTES.search(text) else None


def _int(digits: str) -> int:
    return int(digits.replace(",", "").replace("_", "")[:18])
