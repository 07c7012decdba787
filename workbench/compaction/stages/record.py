"""Record: the boundary's metadata, the counters after it, and the event (spec 1, section 10)."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...conversation.row import Row
from ...conversation.wording import counted
from ..breaker import SUCCESS, Tracking, after
from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import OK, Number, StageResult, Work, tokens_of
from ..splitting import PREFIX
from .common import result

NAME = "record"
NOT_LOADED = ("progress",)  # rows that today's agent does not load: one unknown uuid, and it ignores the whole kept part
THERE = ("createCompactBoundaryMessage", "AutoCompactTrackingState", "setLastSummarizedMessageId")


@dataclass(frozen=True, slots=True)
class Recorded:
    """The boundary as it will stand on disk (tokens of messages only), and the state after it.

    dropped_tokens  of this compaction and the ones before it together
    """

    trigger: str
    pre_tokens: int | None
    post_tokens: int
    dropped_tokens: int | None
    logical_parent: str | None
    anchor: str | None
    kept: tuple[str, ...]
    discovered_tools: tuple[str, ...]
    tracking: Tracking

    @property
    def segment(self) -> tuple[str, str] | None:
        """(head, tail) of the kept rows."""
        return (self.kept[0], self.kept[-1]) if self.kept else None


def record(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Last-summarized id reset, counters set, one event; the rows stay."""
    made = recorded(ground, plan, work)
    before, post = ground.tokens.tokens, made.post_tokens
    known = "unknown" if before is None else f"{before:,}"
    retries = counted(work.retries, "retry", "retries")
    event = f"variant {plan.variant}, trigger {plan.trigger}, {known} tokens in context → {post:,} of messages alone, {retries}"
    numbers = [
        Number("preTokens", known, ground.tokens.kind, ground.tokens.source),
        Number("postTokens", f"{post:,}", "estimated", "messages only, as the agent counts it"),
        Number("preserved rows", str(len(made.kept)), "exact", "head, tail and list"),
        Number("failures in a row", str(made.tracking.consecutive_failures), "exact", "reset by success"),
    ]
    return result(
        NAME,
        ground,
        work,
        work.sent,
        work.sent,
        outcome=OK,
        reason=f"To be recorded: {event}. The last-summarized id is reset.",
        there=THERE,
        section="10",
        numbers=numbers,
        picture=made,
    )


def recorded(ground: Ground, plan: Plan, work: Work) -> Recorded:
    """The boundary's metadata for a work that is put together."""
    kept = tuple(r.uuid for r in work.kept if not r.kind.startswith(NOT_LOADED) and not is_left_out(r))
    anchor = work.boundary if work.side == PREFIX else work.summary_row
    post = tokens_of(work.rows)
    pre = ground.tokens.tokens
    last = ground.rows[-1].uuid if ground.rows else None
    return Recorded(
        plan.trigger,
        pre,
        post,
        None if pre is None else ground.dropped + max(0, pre - post),
        last,
        anchor.uuid if anchor is not None and kept else None,
        kept,
        ground.working.discovered_tools,
        after(ground.tracking, SUCCESS, work.boundary.uuid if work.boundary is not None else "", trigger=plan.trigger),
    )


def is_left_out(row: Row) -> bool:
    """Whether a row of the conversation is not sent: an API error, or a reply of which nothing but bound thinking was left."""
    return row.role is None and row.kind in ("user", "assistant")
