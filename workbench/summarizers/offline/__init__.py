"""A summary without a model: the nine sections from the conversation itself (spec 5, "Summarizers"; spec 1, section 6.5).

Same rows, same text. It understands nothing: it keeps the user's words, pairs what belongs together, quotes, and says
where it cut. No key, no network.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ...compaction.prompts import section_names
from ...compaction.request import Reply, Request
from ...compaction.variants import FULL, UP_TO
from ...conversation.row import Row
from ...memory.words import clean
from ..shown import rows_shown
from .concepts import concepts
from .current import current
from .ending import completed, context, next_step
from .entries import Entry, Section, compose, floor_of
from .errors import errors
from .files import files
from .material import Material, material
from .messages import said_earlier, user_messages
from .pending import pending
from .request import request
from .solving import solving
from .tags import tagged

__all__ = ["OfflineSettings", "offline", "summarize"]


@dataclass(frozen=True, slots=True)
class OfflineSettings:
    """Rough tokens: of the whole summary, and of a user message that stays word for word."""

    total: int = 17_000
    message: int = 1_000


AS_USUAL = OfflineSettings()
SHARES = (0.12, 0.05, 0.30, 0.15, 0.12, 0.08, 0.05, 0.10, 0.03)  # of what is left once everything that must be there is
MOST = (3_000, 700, 4_500, 2_500, 1_800, 17_000, 1_200, 2_500, 800)  # rough tokens; a section grows no further
RESERVE = 3_000  # rough tokens that user messages leave to the rest while they can


def summarize(rows: Iterable[Row], variant: str = FULL, settings: OfflineSettings = AS_USUAL) -> str:
    """The nine sections for rows with bodies, oldest first: those that the summary replaces, an earlier summary included.

    For `from` these are the rows behind the cut. The text holds every path edited in them, every message of the user,
    every error, and at most `settings.total` rough tokens.
    """
    found = material(rows)
    written = _written(found, variant)
    room = (settings.total - RESERVE) * 4 - floor_of(written)
    messages = user_messages(found, settings.message * 4, room)
    written[5] = _section(variant, 5, [*said_earlier(found), *messages], MESSAGES_NOTE)
    return clean(compose(written, settings.total))


MESSAGES_NOTE = "In the user's own words, oldest first; […] marks what was too long."


def _written(found: Material, variant: str) -> list[Section]:
    """The sections, that of the user's messages with what an earlier summary holds only."""
    last_two = (completed(found), context(found)) if variant == UP_TO else (current(found), next_step(found))
    first = (request(found, variant), concepts(found), files(found), errors(found), solving(found), said_earlier(found))
    entries = (*first, pending(found), *last_two)
    return [_section(variant, at, each) for at, each in enumerate(entries)]


def _section(variant: str, at: int, entries: Iterable[Entry], note: str = "") -> Section:
    return Section(section_names(variant)[at], tuple(entries), SHARES[at], MOST[at], note)


@dataclass(frozen=True, slots=True)
class Offline:
    """The summarizer of one variant. Where no `rows` are given, those that the request covers, else those that it shows."""

    variant: str = FULL
    rows: tuple[Row, ...] | None = None
    settings: OfflineSettings = AS_USUAL

    def __call__(self, request: Request) -> Reply:
        rows = self.rows or request.covers or rows_shown(request)
        return Reply(text=tagged(summarize(rows, self.variant, self.settings)), source="offline")


def offline(variant: str = FULL, rows: tuple[Row, ...] | None = None, settings: OfflineSettings = AS_USUAL) -> Offline:
    """The offline summarizer for a run of that variant."""
    return Offline(variant, rows, settings)
