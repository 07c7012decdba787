"""Retry when too long: the oldest rounds go, or a shorter prefix is summarised and more is kept (spec 1, section 6b)."""

from collections.abc import Mapping
from dataclasses import replace

from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import FAILED, OK, Number, StageResult, Work, tokens_of
from ..retry import GIVE_UP, retry
from ..too_long import NO_NUMBERS, TooLong, read_error
from .common import number_of, result

NAME = "retry"
THERE = ("truncateHeadForPTLRetry", "groupMessagesByApiRound", "getPromptTooLongTokenGap", "PTL_RETRY_MARKER", "MAX_PTL_RETRIES")
USED = ("tooLongRetry", "maxRetries", "unknownGapPercent", "sumFormMinimum", "sumFormMargin")


def shorten_request(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """The rows of the next request, or the sentence that says how many tokens are missing."""
    text = work.reply.error if work.reply is not None else ""
    error = read_error(text) or TooLong(NO_NUMBERS)
    found = retry(work.asked, error, work.retries, plan.settings)
    numbers = [
        Number(
            "gap",
            "unknown" if error.gap is None else f"{error.gap:,} tokens",
            "exact" if error.gap is not None else "unknown",
            "the API's error",
        ),
        Number("asked", f"{tokens_of(work.asked):,} → {tokens_of(found.rows):,} tokens", "estimated", "rough: bytes/4"),
        *(number_of(plan.settings, n) for n in USED),
    ]
    done = work
    if found.action != GIVE_UP:
        done = replace(
            work,
            asked=found.rows,
            kept=(*found.kept, *work.kept),
            side="suffix" if found.kept or work.side == "suffix" else work.side,
            retries=work.retries + 1,
            max_tokens=found.max_tokens or work.max_tokens,
        )
    outcome = FAILED if found.action == GIVE_UP else OK
    return result(
        NAME,
        ground,
        done,
        work.rows,
        work.rows,
        outcome=outcome,
        reason=found.reason,
        there=THERE,
        section="6b",
        numbers=numbers,
        changes=found.changes,
    )
