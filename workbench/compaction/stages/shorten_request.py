"""Retry when too long: the oldest rounds go, or a shorter prefix is summarised and more is kept (spec 1, section 6b)."""

from collections.abc import Mapping
from dataclasses import replace

from ...conversation.wording import counted
from ..cut import Cut
from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import FAILED, OK, Number, StageResult, Work, tokens_of
from ..retry import DROP_OLDEST, GIVE_UP, Retry, retry
from ..rows_made import BOUNDARY_KIND
from ..settings import VARIANT, Layer, Settings
from ..splitting import PREFIX, SUFFIX
from ..thinking import Unbound, unbound
from ..too_long import NO_NUMBERS, TooLong, read_error
from ..variants import FROM
from .common import number_of, result

NAME = "retry"
THERE = ("truncateHeadForPTLRetry", "groupMessagesByApiRound", "getPromptTooLongTokenGap", "PTL_RETRY_MARKER", "MAX_PTL_RETRIES")
USED = ("tooLongRetry", "maxRetries", "unknownGapPercent", "sumFormMinimum", "sumFormMargin")
READS = (*USED, "retryMarker", "thinking.open_turn")


def shorten_request(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """The rows of the next request, or the sentence that says how many tokens are missing."""
    error = read_error(work.reply.error if work.reply is not None else "") or TooLong(NO_NUMBERS)
    found = retry(work.asked, error, work.retries, retry_settings(plan.settings, work))
    staying = {row.uuid for row in found.kept if row.kind != BOUNDARY_KIND}
    kept = unbound([row for row in work.rows if row.uuid in staying], ground.model, plan.settings)
    gives_up = found.action == GIVE_UP or bool(kept.refused)
    gap = "unknown" if error.gap is None else counted(error.gap, "token")
    numbers = [
        Number("gap", gap, "unknown" if error.gap is None else "exact", "the API's error"),
        Number("asked", f"{tokens_of(work.asked):,} → {counted(tokens_of(found.rows), 'token')}", "estimated", "rough: bytes/4"),
        *(number_of(plan.settings, n) for n in USED),
    ]
    return result(
        NAME,
        ground,
        work if gives_up else _shortened(work, found, kept),
        work.sent,
        work.sent,
        outcome=FAILED if gives_up else OK,
        reason=f"It cannot be shortened: {kept.refused}" if kept.refused else found.reason,
        there=THERE,
        section="6b",
        numbers=numbers,
        changes=() if gives_up else (*found.changes, *kept.changes),
    )


def retry_settings(settings: Settings, work: Work) -> Settings:
    """With a kept prefix nothing can stay behind the summary: the oldest rounds leave the request, and many are kept anyway."""
    return settings.layered(Layer(VARIANT, {"tooLongRetry": DROP_OLDEST}, FROM)) if work.side == PREFIX else settings


def _shortened(work: Work, found: Retry, kept: Unbound) -> Work:
    shorter = replace(work, asked=found.rows, retries=work.retries + 1, max_tokens=found.max_tokens or work.max_tokens)
    if not found.kept:
        return shorter
    first = next(at for at, row in enumerate(work.rows) if row.uuid == found.kept[0].uuid)
    asked, reasons = (work.cut.asked, work.cut.reasons) if work.cut is not None else (len(work.rows), ())
    cut = Cut(asked, first, (*reasons, "the summary request was too long"))
    return replace(shorter, kept=(*kept.rows, *work.kept), side=SUFFIX, cut=cut)
