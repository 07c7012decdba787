"""Taking notes from end to end: what is asked, who answers, and what the notes cover afterwards (spec 1, section 8.2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..conversation.row import ASSISTANT, USER, Row
from .coverage import Coverage
from .extraction import Applied, ExtractionRequest, apply_reply, request_update
from .notes import Budgets, Notes, parse, render
from .offline import offline_reply
from .start import seconds
from .template import TEMPLATE

Extractor: TypeAlias = Callable[[ExtractionRequest, Notes], str]
"""Gives a reply: a JSON list of {section, body}. Whoever asks a program or a model stands at the edge."""

AS_USUAL = Budgets()
BEHIND = 0.001  # seconds: the last write counts as later than the newest row that was read


@dataclass(frozen=True, slots=True)
class Taken:
    """Notes after an extraction; `coverage` moved only where everything the reply held was applied."""

    request: ExtractionRequest
    applied: Applied
    coverage: Coverage

    @property
    def notes(self) -> Notes:
        return self.applied.notes

    @property
    def had_news(self) -> bool:
        """Whether there was anything that the notes did not cover."""
        return has_news(self.request)


def offline_extractor(request: ExtractionRequest, notes: Notes) -> str:
    """The extractor that needs no model."""
    return offline_reply(request.rows, notes)


def to_fill(notes: Notes | None, budgets: Budgets = AS_USUAL) -> Notes:
    """The notes to be updated: the template where there are none yet, or an empty file."""
    return notes if notes is not None and render(notes).strip() else parse(TEMPLATE, budgets)


def has_news(request: ExtractionRequest) -> bool:
    """Whether there is anything that the notes do not cover."""
    return any(row.role in (USER, ASSISTANT) for row in request.rows)


def take(notes: Notes, rows: Sequence[Row], coverage: Coverage, extractor: Extractor) -> Taken:
    """An update of `notes` from the rows behind the last-summarized one; without any of them nobody is asked.

    An error of the extractor is the caller's to handle.
    """
    request = request_update(notes, rows, coverage.last_summarized)
    if not has_news(request):
        return Taken(request, Applied(notes, (), ()), coverage)
    return taken(request, notes, extractor(request, notes), coverage)


def taken(request: ExtractionRequest, notes: Notes, reply: str, before: Coverage) -> Taken:
    """The reply applied; the last-summarized row moves to the newest that was read, unless a call is pending there."""
    applied = apply_reply(notes, reply)
    if not applied.is_complete:
        return Taken(request, applied, before)
    times = [at for row in request.rows if (at := seconds(row.timestamp)) is not None]
    written = max(times) + BEHIND if times else before.written
    return Taken(request, applied, Coverage(request.covers or before.last_summarized, written))
