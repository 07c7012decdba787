"""Colours for code: which characters of a text get which, found by Pygments for as much of it as takes a moment.

Pygments reads about a megabyte a second, so a text is coloured up to its first few thousand tokens: that is far more
than a screen holds, and a text of 200 KB is there as fast as a plain one. What follows is shown plain.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from .document import Paragraph, Span
from .languages import language_of_text

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]

MOST_COLOURED = 32_000  # characters of a text that are looked at
MOST_TOKENS = 4_000

ROLES = {
    "Comment": "muted",
    "Comment.Preproc": "key",
    "Keyword": "assistant",
    "Keyword.Constant": "tool",
    "Literal.Number": "tool",
    "Literal.String": "added",
    "Name.Attribute": "user",
    "Name.Builtin": "key",
    "Name.Class": "user",
    "Name.Decorator": "key",
    "Name.Function": "user",
    "Name.Tag": "key",
    "Name.Variable": "user",
    "Operator.Word": "assistant",
    "Generic.Deleted": "dropped",
    "Generic.Heading": "bold key",
    "Generic.Inserted": "added",
    "Generic.Strong": "bold",
    "Generic.Subheading": "key",
}
"""The role in whose colour a kind of token is drawn; a kind that is not here takes that of the wider one around it."""

_JSON = re.compile(
    r"""("(?:[^"\\\n]++|\\.)*+(?:"|\Z))(\s*:)?  # a string, perhaps cut off, perhaps a name
    |(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])
    |\b(true|false|null)\b""",
    re.VERBOSE,
)
_NUMBERED = re.compile(r" *\d+(?:→|\t)")  # how a Read gives the lines of a file


def code(text: str, language: str, style: str = "text") -> Paragraph:
    """A text as code of a language ("" looks whether the text itself tells); numbered lines keep their numbers, faded."""
    spans = _spans(text[:MOST_COLOURED], language or language_of_text(text))
    return Paragraph(text, style, tuple(islice(spans, MOST_TOKENS)))


def is_numbered(text: str) -> bool:
    """Whether a text is the lines of a file with their numbers, as a Read gives them."""
    return _NUMBERED.match(text) is not None


def json_text(text: str) -> Paragraph:
    """A text as JSON: names, strings, numbers and the three words in colours. It may be cut off anywhere."""
    return Paragraph(text, "text", tuple(islice(_json_spans(text[:MOST_COLOURED]), MOST_TOKENS)))


def _json_spans(text: str) -> Iterator[Span]:
    for found in _JSON.finditer(text):
        if found[1]:
            yield Span(found.start(1), found.end(1), "key" if found[2] else "added")
        else:
            yield Span(found.start(), found.end(), "assistant" if found[3] else "tool")


def _spans(text: str, language: str) -> Iterator[Span]:
    if is_numbered(text):
        return _numbered_spans(text, language)
    return _json_spans(text) if language == "json" else _token_spans(text, language)


def _token_spans(text: str, language: str) -> Iterator[Span]:
    lexer = _lexer(language) if language else None
    if lexer is None:
        return
    for at, kind, value in islice(lexer.get_tokens_unprocessed(text), MOST_TOKENS):
        if (role := _role(kind)) and value and not value.isspace():
            yield Span(at, at + len(value), role)


def _numbered_spans(text: str, language: str) -> Iterator[Span]:
    """The numbers faded; the code behind them coloured as the one text that it is."""
    shifts: list[tuple[int, int, int]] = []  # where a line begins in the text, in the code, and the length of its number
    pieces = []
    at = bare = 0
    for line in text.split("\n"):
        number = _NUMBERED.match(line)
        length = number.end() if number else 0
        shifts.append((at, bare, length))
        pieces.append(line[length:])
        at, bare = at + len(line) + 1, bare + len(line) - length + 1
    bare_text = "\n".join(pieces)
    inner = _json_spans(bare_text) if language == "json" else _token_spans(bare_text, language)
    yield from _shifted(inner, shifts, pieces)


def _shifted(spans: Iterator[Span], lines: list[tuple[int, int, int]], pieces: list[str]) -> Iterator[Span]:
    waiting: list[Span] = []
    for (at, bare, length), piece in zip(lines, pieces, strict=True):
        if length:
            yield Span(at, at + length, "muted")
        end = bare + len(piece)
        while not waiting or waiting[-1].start < end:
            if (following := next(spans, None)) is None:
                break
            waiting.append(following)
        for span in waiting:
            start, stop = max(span.start, bare), min(span.end, end)
            if start < stop:
                yield Span(start - bare + at + length, stop - bare + at + length, span.style)
        waiting = [span for span in waiting if span.end > end]


@lru_cache(maxsize=32)
def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None


@lru_cache(maxsize=256)
def _role(kind: Any) -> str:
    """The role of a token's kind, or of the nearest kind around it that has one."""
    names = str(kind).split(".")[1:]
    return next((ROLES[name] for end in range(len(names), 0, -1) if (name := ".".join(names[:end])) in ROLES), "")
