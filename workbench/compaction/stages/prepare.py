"""Prepare the full compaction: which rows are summarised, which stay, and the instruction (spec 1, sections 6.1-6.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...conversation.change import Change
from ...conversation.row import Row
from ...memory.window import is_kept
from ..cut import Cut, prefix_cut, suffix_cut
from ..ground import Ground
from ..models import lookup
from ..plan import Plan
from ..reactive import split as split_reactive
from ..request import Reply
from ..result import FAILED, OK, Number, StageResult, Work, tokens_of
from ..rounds import rounds
from ..rows_made import BOUNDARY_KIND
from ..too_long import NO_NUMBERS, TooLong, read_error
from ..variants import FROM, REACTIVE, UP_TO
from .common import number_of, result

NAME = "prepare"
THERE = ("compactConversation", "BASE_COMPACT_PROMPT", "PARTIAL_COMPACT_PROMPT", "PARTIAL_COMPACT_UP_TO_PROMPT")
USED = ("summaryMaxTokens", "keepLastRound", "keepLastRoundFrom", "reactiveSizing")


def prepare(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Splits the rows since the boundary into what is summarised and what stays verbatim."""
    rows = work.rows
    split = _split(ground, plan, rows)
    if isinstance(split, str):
        return _result(ground, plan, work, work, FAILED, split, None)
    cut, side, reason = split
    asked, kept = _parts(rows, cut, side, plan.variant)
    pinned = _pins(plan, asked, rows)
    if pinned:
        return _result(ground, plan, work, work, FAILED, pinned, cut)
    model = lookup(ground.model)
    most = plan.settings.number("summaryMaxTokens")
    done = replace(
        work,
        asked=asked,
        kept=kept,
        side=side if kept else "",
        cut=cut,
        path="full",
        max_tokens=min(most, model.max_output) if model is not None else most,
    )
    if not any(r.role for r in asked):
        return _result(
            ground, plan, work, done, FAILED, "There is nothing to summarise: no message stands before the kept rows.", cut
        )
    return _result(ground, plan, work, done, OK, reason, cut)


def _parts(rows: Sequence[Row], cut: Cut, side: str, variant: str) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """(rows that the summary request shows, rows that stay): `from` shows everything, so that the cache hits."""
    if side == "prefix":
        return tuple(rows), tuple(r for r in rows[: cut.used] if r.kind != BOUNDARY_KIND)  # an earlier summary is its beginning
    return tuple(rows[: cut.used]), tuple(r for r in rows[cut.used :] if is_kept(r))


def _split(ground: Ground, plan: Plan, rows: Sequence[Row]) -> tuple[Cut, str, str] | str:
    if plan.variant in (FROM, UP_TO):
        return _at_pivot(plan, rows)
    if plan.variant == REACTIVE:
        sized = split_reactive(rows, read_error(plan.error) or TooLong(NO_NUMBERS), plan.settings)
        return suffix_cut(rows, len(rows) - len(sized.kept)), "suffix", sized.reason
    pins = [i for i, r in enumerate(rows) if r.uuid in plan.pins]
    if pins:
        cut = suffix_cut(rows, min(pins))
        return cut, "suffix", f"The pinned rows stay, and everything behind the first of them. {cut.reason}"
    if not plan.settings.on("keepLastRound"):
        return Cut(len(rows), len(rows)), "", "The whole conversation since the boundary is summarised; nothing stays verbatim."
    return _last_round(plan, rows)


def _last_round(plan: Plan, rows: Sequence[Row]) -> tuple[Cut, str, str]:
    """Today's agent keeps the last API round (by hand: the last message) and does not show it (spec 6, section 2)."""
    found = [g for g in rounds(rows) if not g.is_head]
    least = plan.settings.number("keepLastRoundFrom")
    whole = Cut(len(rows), len(rows))
    if plan.trigger == "manual":
        last = max((i for i, r in enumerate(rows) if r.role == "assistant"), default=None)
        if last is None:
            return whole, "", "There is no reply to keep; everything is summarised."
        cut = suffix_cut(rows, last)
        return cut, "suffix", f"The last message stays verbatim. {cut.reason}"
    if len(found) < least:
        return (
            whole,
            "",
            f"Only {len(found)} rounds stand since the boundary ({least} are needed to keep the last one); everything is summarised.",
        )
    cut = suffix_cut(rows, len(rows) - len(found[-1].rows))
    return cut, "suffix", f"The last of {len(found)} API rounds stays verbatim and is not shown to the summarizer. {cut.reason}"


def _at_pivot(plan: Plan, rows: Sequence[Row]) -> tuple[Cut, str, str] | str:
    at = next((i for i, r in enumerate(rows) if r.uuid == plan.pivot), None)
    if at is None:
        return f"The pivot {plan.pivot} is not in the array; name a row of it by line or uuid (--pivot)."
    if plan.variant == FROM:
        cut = prefix_cut(rows, at)
        return cut, "prefix", f"Everything from the pivot on is summarised; {cut.used} rows stay in front. {cut.reason}"
    cut = suffix_cut(rows, at)
    return cut, "suffix", f"Everything before the pivot is summarised; {len(rows) - cut.used} rows follow. {cut.reason}"


def _pins(plan: Plan, asked: Sequence[Row], rows: Sequence[Row]) -> str:
    """Why the pinned rows cannot all stay; "" when they do."""
    known = {r.uuid for r in rows}
    unknown = [u for u in plan.pins if u not in known]
    if unknown:
        return f"The pinned row {unknown[0]} is not in the array."
    lost = [u for u in plan.pins if u in {r.uuid for r in asked}] if plan.variant != FROM else []
    return f"The pinned row {lost[0]} would be summarised with this variant; cut elsewhere or use `full`." if lost else ""


def _result(ground: Ground, plan: Plan, before: Work, work: Work, outcome: str, reason: str, cut: Cut | None) -> StageResult:
    numbers = [
        Number("to summarise", f"{len(work.asked)} rows, {tokens_of(work.asked):,} tokens", "estimated", "rough: bytes/4"),
        Number("kept", f"{len(work.kept)} rows, {tokens_of(work.kept):,} tokens", "estimated", "rough: bytes/4"),
        Number("max_tokens", f"{work.max_tokens:,}", "setting", "the setting, at most the model's largest output"),
        *(number_of(plan.settings, n) for n in USED),
    ]
    changes = [Change("keep", tuple(r.uuid for r in work.kept), "stays verbatim beside the summary")] if work.kept else []
    return result(
        NAME,
        ground,
        work,
        before.rows,
        before.rows,
        outcome=outcome,
        reason=reason,
        there=THERE,
        section="6.1-6.4",
        numbers=numbers,
        changes=changes,
        picture=cut,
    )
