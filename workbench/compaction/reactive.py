"""The API has answered too long: one compaction of the oldest rounds, then the call is repeated (spec 1, section 11).

How many rounds go is a setting. `gap`: the oldest ones that make up what is too much. `fits`: as many as still fit into a
summary request, by the share of the array that the API would have taken; this is how today's agent was seen to size it
(its own usage figures play no part; without numbers all but the newest round go).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation.change import Change
from ..conversation.row import Row
from ..conversation.wording import counted, noun
from .retry import oldest_that_cover
from .rounds import Round, joined, oldest, rounds
from .settings import Settings
from .too_long import TooLong

FITS = "fits"


@dataclass(frozen=True, slots=True)
class Reaction:
    """Whether a reactive compaction is tried; if not, the API's error is shown to the user."""

    is_tried: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Split:
    """The oldest rounds, which are summarised, and the rows behind them, which stay verbatim.

    asked   tokens too many, as reported; None: not reported
    rounds  (summarised, all), what precedes the first call not counted
    """

    summarised: tuple[Row, ...]
    kept: tuple[Row, ...]
    rounds: tuple[int, int]
    asked: int | None
    reason: str
    changes: tuple[Change, ...]


def reaction(earlier: int, settings: Settings) -> Reaction:
    """Whether an answer "too long" is met by a compaction, after `earlier` such attempts for the same call."""
    if settings.on("DISABLE_COMPACT"):
        return Reaction(False, "Compaction is switched off (DISABLE_COMPACT): the API's error is shown.")
    if earlier:
        return Reaction(False, "The call was still too long after a reactive compaction: the API's error is shown.")
    if settings.on("reactive"):
        return Reaction(True, "Reactive mode: the API has answered too long.")
    if settings.on("collapse"):
        return Reaction(False, "Context collapse is on and excludes a reactive compaction: the API's error is shown.")
    if settings.on("DISABLE_AUTO_COMPACT") or not settings.on("autoCompactEnabled"):
        return Reaction(False, "Neither reactive nor automatic compaction is on: the API's error is shown.")
    return Reaction(True, "The API has answered too long all the same: one reactive compaction is the safety net.")


def split(rows: Sequence[Row], error: TooLong, settings: Settings) -> Split:
    """Which rounds are summarised. At least one call stays where there are two; a single one is summarised whole."""
    groups = rounds(rows)
    head = 1 if groups and groups[0].is_head else 0
    calls = len(groups) - head
    if settings.text("reactiveSizing") == FITS:
        number, why = _fitting(groups, head, error, settings)
    else:
        number, why = _covering(groups, error.gap, settings)
    number = max(head + 1, min(number, len(groups) - 1)) if calls > 1 else len(groups)
    summarised, kept = joined(groups[:number]), joined(groups[number:])
    gone = number - head
    rest = f", {calls - gone} {noun(calls - gone, 'stays', 'stay')} verbatim" if kept else ""
    reason = f"{oldest(gone, calls)} summarised{rest}: {why}."
    changes = [Change("summarise", tuple(r.uuid for r in summarised), f"among the oldest {counted(gone, 'round')}: {why}")]
    if kept:
        changes.append(Change("keep", tuple(r.uuid for r in kept), "behind what is summarised: stays verbatim"))
    return Split(summarised, kept, (gone, calls), error.gap, reason, tuple(changes))


def _covering(groups: Sequence[Round], gap: int | None, settings: Settings) -> tuple[int, str]:
    number = oldest_that_cover(groups, gap, settings)
    tokens = sum(g.tokens for g in groups[:number])
    if gap is None:
        return number, f"the API named no gap, so {settings.real('unknownGapPercent'):g}% of the rounds go"
    return number, f"they hold {tokens:,} tokens, the gap is {gap:,}"


def _fitting(groups: Sequence[Round], head: int, error: TooLong, settings: Settings) -> tuple[int, str]:
    """The largest prefix that the API would have taken, with the instruction; half of the rounds where not even one fits."""
    gap, limit = error.gap, error.limit
    if gap is None or limit is None:
        return len(groups) - 1, "the API named no numbers, so all but the newest go"
    total = sum(g.tokens for g in groups)
    room = total * limit // (limit + gap) - settings.number("reactiveHeadroom")
    number = used = 0
    while number < len(groups) and used + groups[number].tokens <= room:
        used += groups[number].tokens
        number += 1
    if number > head:
        return number, f"they hold {used:,} of the {room:,} tokens that a summary request has room for"
    half = (len(groups) - head - 1) // 2
    return head + half, f"not one round fits into the {max(room, 0):,} tokens of a summary request, so about half of them go"
