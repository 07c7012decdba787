"""A summary request that was too long is tried again with less: the oldest rounds go, or a shorter prefix is summarised.

Spec 1, section 6b; spec 6, section 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from ..conversation.block import text_block
from ..conversation.change import Change
from ..conversation.row import ASSISTANT, USER, Row
from ..conversation.wording import counted, noun
from .media import without_media
from .rounds import Round, joined, oldest, rounds
from .settings import Settings
from .too_long import SIZE, TooLong

ASK_SMALLER, STRIP_MEDIA = "ask-smaller", "strip-media"
DROP_OLDEST, SHORTER_PREFIX, GIVE_UP = "drop-oldest", "shorter-prefix", "give-up"
MARKER_UUID = "retry-marker"


@dataclass(frozen=True, slots=True)
class Retry:
    """What to do after the error.

    action      ask-smaller | strip-media | drop-oldest | shorter-prefix | give-up
    rows        what the next request holds
    kept        rows that leave the request and stay verbatim (shorter-prefix)
    max_tokens  of the next request, where it changes
    missing     tokens that are still too many, when giving up and known
    """

    action: str
    rows: tuple[Row, ...]
    reason: str
    kept: tuple[Row, ...] = ()
    max_tokens: int | None = None
    missing: int | None = None
    dropped_rounds: int = 0
    changes: tuple[Change, ...] = ()


def retry(rows: Sequence[Row], error: TooLong, attempt: int, settings: Settings) -> Retry:
    """The next try of a summary request over `rows`; `attempt` counts the retries made so far, from 0."""
    most = settings.number("maxRetries")
    if attempt >= most:
        return _give_up(rows, error.gap, f"{most} retries are the limit")
    if error.form == SIZE:
        return _strip_media(rows)
    if settings.text("tooLongRetry") == SHORTER_PREFIX:
        return shorter_prefix(rows, error.gap)
    smaller = error.smaller_output(settings)
    if smaller is not None:
        return Retry(ASK_SMALLER, tuple(rows), f"The same request fits with max_tokens {smaller:,}.", max_tokens=smaller)
    return drop_oldest(rows, error.gap, settings)


def drop_oldest(rows: Sequence[Row], gap: int | None, settings: Settings) -> Retry:
    """Leaves out the oldest rounds until the gap is covered; without a known gap a fifth of them, at most all but one.

    There: truncateHeadForPTLRetry. An earlier marker goes first, else a second retry would drop nothing but the marker.
    """
    marker = tuple(r for r in rows if is_marker(r))
    groups = rounds([r for r in rows if not is_marker(r)])
    number = min(oldest_that_cover(groups, gap, settings), len(groups) - 1)
    if number <= 0:
        return _give_up(rows, gap, "only one round is left, and it cannot be left out")
    dropped, rest = groups[:number], joined(groups[number:])
    changes = [Change("drop-marker", tuple(r.uuid for r in marker), "the marker of the retry before")] if marker else []
    tokens = sum(g.tokens for g in dropped)
    why = f"{tokens:,} tokens cover the gap of {gap:,}" if gap and tokens >= gap else _short_of(tokens, gap, settings)
    reason = f"{oldest(number, len(groups))} left out of the request: {why}."
    changes.append(
        Change("drop-rounds", tuple(u for g in dropped for u in g.uuids), f"among the oldest {counted(number, 'round')}: {why}")
    )
    if next((r.role for r in rest if r.role), USER) == ASSISTANT:
        rest = (retry_marker(settings), *rest)
        changes.append(Change("insert-marker", (MARKER_UUID,), "the first message must be the user's"))
    return Retry(DROP_OLDEST, rest, reason, dropped_rounds=number, changes=tuple(changes))


def shorter_prefix(rows: Sequence[Row], gap: int | None) -> Retry:
    """Halves the rounds to be summarised, 12 -> 6 -> 3 -> 1, whatever the error says.

    The others stay verbatim, in front of what earlier tries kept already. What precedes the first call is always summarised.
    """
    groups = rounds(rows)
    head = groups[:1] if groups and groups[0].is_head else ()
    calls = groups[len(head) :]
    if len(calls) < 2:
        return _give_up(rows, gap, "one round is left to summarise, and it cannot be halved")
    half = len(calls) // 2
    summarised, kept = joined((*head, *calls[:half])), joined(calls[half:])
    behind = len(calls) - half
    reason = (
        f"{half} of {counted(len(calls), 'round')} {noun(half, 'is', 'are')} summarised instead; "
        f"what is behind, {counted(behind, 'round')}, stays verbatim."
    )
    change = Change("keep", tuple(r.uuid for r in kept), "not summarised, so that the request becomes shorter: stays verbatim")
    return Retry(SHORTER_PREFIX, summarised, reason, kept=kept, changes=(change,))


def _strip_media(rows: Sequence[Row]) -> Retry:
    """Too many bytes, not tokens: pictures go; text alone over the limit fails at once (spec 4, section 1)."""
    bare, changes = without_media(rows)
    if not changes:
        return _give_up(rows, None, "it is too large in bytes, and there are no pictures to leave out")
    return Retry(STRIP_MEDIA, bare, "The request was too large in bytes: it is sent without pictures.", changes=changes)


def retry_marker(settings: Settings) -> Row:
    """The user row in front of a shortened array; it stands in the request only, never in a session."""
    return Row(-1, None, MARKER_UUID, "user", USER, is_meta=True, blocks=(text_block(settings.text("retryMarker")),))


def is_marker(row: Row) -> bool:
    """Whether a row is the marker of an earlier retry."""
    return row.uuid == MARKER_UUID


def oldest_that_cover(groups: Sequence[Round], gap: int | None, settings: Settings) -> int:
    """How many of the oldest rounds hold the gap; all of them when they hold less; a fifth, at least one, of an unknown gap."""
    if gap is None:
        return max(1, floor(len(groups) * settings.real("unknownGapPercent") / 100))
    left = gap
    for number, group in enumerate(groups, 1):
        left -= group.tokens
        if left <= 0:
            return number
    return len(groups)


def _short_of(tokens: int, gap: int | None, settings: Settings) -> str:
    if gap is None:
        return f"the error names no gap, so {settings.real('unknownGapPercent'):g}% of them go"
    return f"{tokens:,} tokens are all that can go, the gap is {gap:,}"


def _give_up(rows: Sequence[Row], gap: int | None, why: str) -> Retry:
    missing = "how many tokens are missing is unknown" if gap is None else f"{gap:,} tokens are missing"
    return Retry(GIVE_UP, tuple(rows), f"The summary request does not fit: {why}; {missing}.", missing=gap)
