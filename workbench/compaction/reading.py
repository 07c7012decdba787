"""How the text of a setting is read: the agent's own lenient rules, kept exactly, and our plain ones (spec 1, section 1).

A reader gets the given value and the values of the settings before it in the table. It raises Unreadable, with a reason
for the user, where the value does not count; the setting then keeps what it had.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

Earlier: TypeAlias = Mapping[str, Any]
Reading: TypeAlias = Callable[[object, Earlier], Any]

_LEADING_INTEGER = re.compile(r"\s*([+-]?\d+)")
_LEADING_FLOAT = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_AMOUNT = re.compile(r"\s*([+-]?\d[\d_,]*(?:\.\d+)?)\s*([kKmM]?)\s*")
_SCALE = {"": 1, "k": 1_000, "m": 1_000_000}
_ON = frozenset(("1", "true", "yes", "on"))
_OFF = frozenset(("0", "false", "no", "off", ""))
LONGEST = 300  # characters of a number's text: longer ones are no amounts, and int() refuses thousands of digits


class Unreadable(ValueError):
    """The value does not count; the text says why."""


def amount(given: object, _: Earlier) -> int:
    """A positive whole number: 20000, 20_000, 20,000, 500k, 1.5M."""
    value = _amount(given)
    if value is None:
        raise Unreadable("is not a number")
    if value <= 0:
        raise Unreadable("is not positive")
    return value


def amount_or_none(given: object, earlier: Earlier) -> int | None:
    """An amount, or `none` (also empty): found out elsewhere."""
    return None if _is_none(given) else amount(given, earlier)


def count(given: object, _: Earlier) -> int:
    """A whole number from 0."""
    value = _amount(given)
    if value is None or value < 0:
        raise Unreadable("is not a whole number from 0")
    return value


def positive(given: object, _: Earlier) -> float:
    """A positive number, whole or not."""
    text = _text(given)
    try:
        value = float(text) if len(text) <= LONGEST else 0.0
    except ValueError:
        raise Unreadable("is not a number") from None
    if not 0 < value < float("inf"):
        raise Unreadable("is not a positive number")
    return value


def configured_window(given: object, earlier: Earlier) -> int | None:
    """The agent's window override: a leading integer > 0; in the newer syntax `500k` and `1M` too, clamped."""
    if _is_none(given):
        return None
    value = _configured(_text(given), suffixes=earlier["windowSyntax"] == "suffix")
    if value <= 0:
        raise Unreadable("is not positive")
    low: int = earlier["windowMinimum"]
    high: int = earlier["windowMaximum"]
    return min(max(value, low), high) if high else max(value, low)


def percentage(given: object, _: Earlier) -> float | None:
    """The agent's percent override: a leading float, 0 < pct <= 100."""
    if _is_none(given):
        return None
    found = _LEADING_FLOAT.match(_text(given)[:LONGEST])
    if found is None:
        raise Unreadable("is not a number")
    value = float(found[1])
    if not 0 < value <= 100:
        raise Unreadable("is not above 0 and at most 100")
    return value


def switch(given: object, _: Earlier) -> bool:
    """on or off, in the usual spellings."""
    text = _text(given).lower()
    if text in _ON:
        return True
    if text in _OFF:
        return False
    raise Unreadable("is neither on nor off")


def words(given: object, _: Earlier) -> str:
    """Any text that is not blank."""
    text = _text(given)
    if not text:
        raise Unreadable("is empty")
    return text


def words_or_none(given: object, earlier: Earlier) -> str | None:
    return None if _is_none(given) else words(given, earlier)


def names(given: object, _: Earlier) -> tuple[str, ...]:
    """A list of names: a JSON list, or names between commas."""
    pieces = given if isinstance(given, Sequence) and not isinstance(given, str) else _text(given).split(",")
    found = tuple(n for n in (str(p).strip() for p in pieces) if n)
    if not found:
        raise Unreadable("names nothing")
    return found


def one_of(*choices: str) -> Reading:
    """One of a few words."""

    def read(given: object, _: Earlier) -> str:
        text = _text(given)
        if text not in choices:
            raise Unreadable(f"is none of {', '.join(choices)}")
        return text

    return read


def _configured(text: str, *, suffixes: bool) -> int:
    whole = _amount(text) if suffixes else None
    if whole is not None:
        return whole
    found = _LEADING_INTEGER.match(text[:LONGEST])
    if found is None:
        raise Unreadable("is not a number")
    return int(found[1])


def _amount(given: object) -> int | None:
    text = _text(given)
    found = _AMOUNT.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        return None
    digits, scale = found[1].replace("_", "").replace(",", ""), _SCALE[found[2].lower()]
    value = float(digits) * scale if "." in digits else int(digits) * scale
    return int(value) if value == int(value) else None


def _text(given: object) -> str:
    if isinstance(given, bool):
        return "true" if given else "false"
    return "" if given is None else str(given).strip()


def _is_none(given: object) -> bool:
    return _text(given).lower() in ("", "none", "null", "auto")
