"""Assemble: boundary, summary, kept rows, attachments, hooks, in the order of the variant (spec 1, sections 6.3, 5.6 and 10)."""

from collections.abc import Mapping
from dataclasses import replace

from ...conversation.change import Change
from ...conversation.figure import ESTIMATED
from ...conversation.row import Row
from ...conversation.wording import counted
from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import FAILED, OK, Number, StageResult, Work, tokens_of
from ..rows_made import boundary_row
from ..splitting import PREFIX
from .common import result, size_words, standing, tokens_number
from .notes_path import NAME as NOTES

NAME = "assemble"
THERE = ("buildPostCompactMessages", "createCompactBoundaryMessage")
EARLY = ("instructions", "session_context", "date")  # stand before the summary where today's agent keeps rows on its own


def put_together(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """The array that follows; from notes it must stay below the threshold, else full compaction starts anew."""
    boundary = boundary_row(ground)
    rows = ordered(plan, work, boundary)
    total = ground.in_context(rows)
    threshold = ground.threshold.auto
    numbers = [
        tokens_number("total", total),
        Number("threshold", "none" if threshold is None else f"{threshold:,}", ground.threshold.source, ground.threshold.why),
    ]
    gone = {r.uuid for r in ground.rows if r.role} - {r.uuid for r in rows}
    changes = (
        [Change("summarise", tuple(r.uuid for r in ground.rows if r.uuid in gone), "replaced by the summary")] if gone else []
    )
    if work.path == NOTES and plan.trigger == "auto" and threshold is not None and (total.tokens or 0) >= threshold:
        reason = f"From the notes {total.words} would remain, not below the threshold of {threshold:,}: {_culprit(ground, work)}"
        return result(
            NAME,
            ground,
            Work(work.rows, work.outgoing, work.instructions, cleared=work.cleared),
            standing(work),
            work.sent,
            outcome=FAILED,
            reason=reason,
            there=THERE,
            section="5.6",
            numbers=numbers,
        )
    done = replace(work, rows=rows, outgoing=(), boundary=boundary)
    size = size_words(total) + (" with overhead" if total.kind == ESTIMATED else "")
    return result(
        NAME,
        ground,
        done,
        standing(work),
        rows,
        outcome=OK,
        reason=f"{counted(sum(r.role is not None for r in rows), 'row')}, {size}.",
        there=THERE,
        section="10",
        numbers=numbers,
        changes=changes,
    )


def ordered(plan: Plan, work: Work, boundary: Row) -> tuple[Row, ...]:
    """The rows in the order of the variant."""
    summary = (work.summary_row,) if work.summary_row is not None else ()
    attachments = tuple(a.row for a in work.attachments)
    if work.side == PREFIX:
        return (boundary, *work.kept, *summary, *attachments, *work.hook_rows)
    early: tuple[Row, ...] = ()
    if plan.settings.on("keepLastRound") and work.kept and plan.trigger == "auto":
        early = tuple(a.row for a in work.attachments if a.kind in EARLY)
        attachments = tuple(a.row for a in work.attachments if a.kind not in EARLY)
    return (boundary, *early, *summary, *work.kept, *attachments, *work.hook_rows)


def _culprit(ground: Ground, work: Work) -> str:
    """What most of the tokens are, in words."""
    parts = {
        "kept": tokens_of(work.kept),
        "what is brought back": sum(a.tokens for a in work.attachments),
        "the notes": work.summary_row.tokens if work.summary_row is not None else 0,
        "overhead, which no compaction lowers": ground.overhead_tokens,
    }
    name = max(parts, key=lambda n: parts[n])
    if name != "kept":
        return f"{parts[name]:,} of them are {name}."
    largest = max(work.kept, key=lambda r: r.tokens)
    where = f"line {largest.line:,}" if largest.line is not None else "one row"
    return f"{parts[name]:,} of them are kept rows, the largest ({where}) has {largest.tokens:,}."
