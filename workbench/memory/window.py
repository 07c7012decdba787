"""Which rows stay verbatim beside the notes, and how that window grew (spec 1, section 5.3).

What the notes do not cover stays, whatever its size; from there the window grows backwards until both minimums are met
or the maximum is reached, never past the last boundary. The valid cut (section 9) comes after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation.row import Row
from ..conversation.wording import counted
from ..transcript.boundary import KIND as BOUNDARY_ROW
from .start import Start, last_boundary

MINIMUMS, MAXIMUM, BOUNDARY, BEGINNING = "minimums", "maximum", "boundary", "beginning"


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """Rough tokens, and rows with text."""

    min_tokens: int = 10_000
    min_text_rows: int = 5
    max_tokens: int = 40_000


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the growth: the window from `place` to the end.

    met   minimums that this step met: "tokens", "text rows"
    """

    place: int
    uuid: str
    tokens: int
    text_rows: int
    met: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeepWindow:
    """The rows from `place` to the end, before the cut is moved to a valid place.

    start      where it began to grow: right behind the last-summarized row
    steps      the growth, first step the rows not covered by the notes, then one a row
    stopped    "minimums" | "maximum" | "boundary" | "beginning"
    tokens     rough tokens of the kept rows
    """

    place: int
    start: Start
    steps: tuple[Step, ...]
    stopped: str
    reason: str

    @property
    def tokens(self) -> int:
        return self.steps[-1].tokens

    @property
    def text_rows(self) -> int:
        return self.steps[-1].text_rows

    def kept(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """The rows that stay: old boundary and summary rows are dropped from them."""
        return tuple(row for row in rows[self.place :] if is_kept(row))


def is_kept(row: Row) -> bool:
    """Whether a row of the window stays: boundaries and summaries of earlier compactions do not."""
    return not row.is_summary and row.kind != BOUNDARY_ROW


def has_text(row: Row) -> bool:
    """Whether a row counts as one with text: a text block, or a string that is not empty; tool-only rows do not."""
    return row.role is not None and any(b.kind == "text" and b.size for b in row.blocks)


def keep_window(rows: Sequence[Row], start: Start, settings: WindowSettings = WindowSettings()) -> KeepWindow:
    """Grows the window backwards from `start` (spec 1, section 5.3). `rows` are those of a chain, in order."""
    boundary = last_boundary(rows)
    floor = 0 if boundary is None else boundary + 1
    place = max(start.place, floor)
    tokens = sum(map(_tokens, rows[place:]))
    texts = sum(map(_text, rows[place:]))
    steps = [Step(place, rows[place].uuid if place < len(rows) else "", tokens, texts, _met(0, 0, tokens, texts, settings))]
    while _wants_more(tokens, texts, settings) and tokens < settings.max_tokens and place > floor:
        place -= 1
        before = tokens, texts
        tokens += _tokens(rows[place])
        texts += _text(rows[place])
        steps.append(Step(place, rows[place].uuid, tokens, texts, _met(*before, tokens, texts, settings)))
    stopped = _stopped(tokens, texts, settings, boundary)
    return KeepWindow(place, start, tuple(steps), stopped, _reason(stopped, tokens, texts, settings))


def _tokens(row: Row) -> int:
    return row.tokens if row.role is not None and is_kept(row) else 0


def _text(row: Row) -> int:
    return int(is_kept(row) and has_text(row))


def _wants_more(tokens: int, texts: int, settings: WindowSettings) -> bool:
    return tokens < settings.min_tokens or texts < settings.min_text_rows


def _met(tokens_before: int, texts_before: int, tokens: int, texts: int, settings: WindowSettings) -> tuple[str, ...]:
    met = []
    if tokens_before < settings.min_tokens <= tokens:
        met.append("tokens")
    if texts_before < settings.min_text_rows <= texts:
        met.append("text rows")
    return tuple(met)


def _stopped(tokens: int, texts: int, settings: WindowSettings, boundary: int | None) -> str:
    if not _wants_more(tokens, texts, settings):
        return MINIMUMS
    if tokens >= settings.max_tokens:
        return MAXIMUM
    return BEGINNING if boundary is None else BOUNDARY


def _reason(stopped: str, tokens: int, texts: int, settings: WindowSettings) -> str:
    have = f"{tokens:,} tokens and {counted(texts, 'row')} with text"
    wanted = f"{settings.min_tokens:,} tokens and {settings.min_text_rows} rows with text"
    if stopped == MINIMUMS:
        return f"Both minimums are met: {have}, at least {wanted} were wanted."
    if stopped == MAXIMUM:
        return f"The maximum of {settings.max_tokens:,} tokens stopped it: {have}, at least {wanted} were wanted."
    where = "last boundary" if stopped == BOUNDARY else "beginning"
    return f"The {where} stopped it: {have}, at least {wanted} were wanted."
