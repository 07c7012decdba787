"""Prepare the full compaction: which rows are summarised, which stay, and what may be asked (spec 1, sections 6.1-6.4)."""

from collections.abc import Mapping
from dataclasses import replace

from ...conversation.change import Change
from ...conversation.wording import counted
from ..budget import summary_tokens
from ..ground import Ground
from ..models import lookup
from ..plan import Plan
from ..request import Reply
from ..result import FAILED, OK, STOPPED, Number, StageResult, Work, tokens_of
from ..rows_made import BOUNDARY_KIND
from ..splitting import PREFIX, Split, everything, own_rounds, split
from ..thinking import Unbound, unbound
from ..variants import AUTO, FULL
from .common import number_of, result

NAME = "prepare"
THERE = ("compactConversation", "BASE_COMPACT_PROMPT", "PARTIAL_COMPACT_PROMPT", "PARTIAL_COMPACT_UP_TO_PROMPT")
USED = ("summaryMaxTokens", "maxOutputTokens", "keepLastRound", "keepLastRoundFrom", "firstCompactionRounds")
READS = (*USED, "pivot", "pins", "error", "reactiveSizing", "reactiveHeadroom", "unknownGapPercent", "thinking.open_turn")


def prepare(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Splits the rows since the boundary into what is summarised and what stays verbatim."""
    found = split(plan, work.rows)
    if isinstance(found, str):
        return _result(ground, plan, work, work, FAILED, found)
    early = _too_early(plan, work)
    if early:
        return _result(ground, plan, work, work, STOPPED, early)
    found, kept = _with_bound_thinking(ground, plan, work, found)
    if kept.refused:
        return _result(ground, plan, work, work, FAILED, f"Not available: {kept.refused}")
    if not any(r.role for r in found.asked):
        nothing = "There is nothing to summarise: no message stands before the kept rows."
        return _result(ground, plan, work, replace(work, cut=found.cut), FAILED, nothing)
    if found.side == PREFIX and all(r.role is None for r in work.rows[found.cut.used :]):
        nothing = "There is nothing to summarise: no message stands behind the kept rows."
        return _result(ground, plan, work, replace(work, cut=found.cut), FAILED, nothing)
    done = replace(
        work,
        asked=found.asked,
        kept=kept.rows,
        side=found.side,
        cut=found.cut,
        path="full",
        max_tokens=summary_tokens(plan.settings, lookup(ground.model)),
    )
    return _result(ground, plan, work, done, OK, found.reason, kept)


def _with_bound_thinking(ground: Ground, plan: Plan, work: Work, found: Split) -> tuple[Split, Unbound]:
    """Kept rows behind an edited history lose bound thinking; a round that only the profile keeps is summarised instead."""
    if found.side == PREFIX:
        return found, Unbound(found.kept)
    kept = unbound(found.kept, ground.model, plan.settings)
    if not (kept.refused and found.is_of_the_profile):
        return found, kept
    return everything(work.rows, f"Nothing stays verbatim: {kept.refused}"), Unbound(())


def _too_early(plan: Plan, work: Work) -> str:
    """Why today's agent does not compact a first conversation of a single round; "" where it does (spec 6, section 2)."""
    least, count = plan.settings.number("firstCompactionRounds"), len(own_rounds(work.rows))
    is_first = not any(r.is_summary or r.kind == BOUNDARY_KIND for r in work.rows)
    if not (is_first and plan.trigger == "auto" and plan.variant in (AUTO, FULL) and count < least):
        return ""
    have = f"there {'is' if count == 1 else 'are'} {count}"
    return f"Not compacted: a first compaction needs at least {least} API rounds, {have} (firstCompactionRounds)."


def _result(
    ground: Ground, plan: Plan, before: Work, work: Work, outcome: str, reason: str, kept: Unbound | None = None
) -> StageResult:
    numbers = [
        *(
            Number(name, f"{counted(len(rows), 'row')}, {counted(tokens_of(rows), 'token')}", "estimated", "rough: bytes/4")
            for name, rows in (("to summarise", work.asked), ("kept", work.kept))
        ),
        Number("max_tokens", f"{work.max_tokens:,}", "setting", "the setting, at most the model's largest output"),
        *(number_of(plan.settings, n) for n in USED),
    ]
    changes = [Change("keep", tuple(r.uuid for r in work.kept), "stays verbatim beside the summary")] if work.kept else []
    return result(
        NAME,
        ground,
        work,
        before.sent,
        before.sent,
        outcome=outcome,
        reason=reason,
        there=THERE,
        section="6.1-6.4",
        numbers=numbers,
        changes=[*changes, *(kept.changes if kept is not None else ())],
        picture=work.cut,
    )
