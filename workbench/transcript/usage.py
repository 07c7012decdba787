"""Tokens in context at a point of the session, from recorded usage (spec 1, section 2)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation.figure import ESTIMATED, EXACT, LOWER_BOUND, Figure, estimated, unknown
from ..conversation.row import ASSISTANT, Row
from ..conversation.text import compact_json, rough
from ..conversation.tokens import ROUGH, Estimator
from .boundary import Boundary
from .chain import Chain
from .index import Call
from .session import Session

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_PLACEHOLDERS = (2, 1, 9), (2, 1, 49)  # first and last version that recorded them (spec 2, section 3)


def records_placeholders(version: str) -> bool:
    """Whether that version recorded outputs as they stood when a reply began: a few tokens, whatever its length."""
    found = _VERSION.match(version)
    first, last = _PLACEHOLDERS
    return found is not None and first <= tuple(map(int, found.groups())) <= last


@dataclass(frozen=True, slots=True)
class CallSize:
    """A call with its output as far as it can be known: recorded, or bytes/4 of the reply where that is a placeholder."""

    call: Call
    output: int
    output_kind: str

    @property
    def total(self) -> int:
        """Tokens of the prompt and the reply."""
        return self.call.prompt + self.output


@dataclass(frozen=True, slots=True)
class Context:
    """Tokens in context at the end of a chain.

    now        prompt + output of the newest call + an estimate of what came after
    source     "usage" | "boundary" | "estimate" | "unknown"
    last_call  prompt tokens of the newest call since the boundary, else the boundary's post count
    added      rough tokens of the rows after that call
    cleared    rough tokens of results that a recorded microcompaction cleared since; subtracted from `now`
    """

    now: Figure
    source: str
    last_call: int | None
    call: CallSize | None = None
    added: int = 0
    cleared: int = 0

    @property
    def counted(self) -> int | None:
        """Tokens as the agent's own check counts them: it does not see what was cleared since the call."""
        return None if self.now.tokens is None else self.now.tokens + self.cleared


def size_of(call: Call, reply_bytes: int, estimate: int | None = None) -> CallSize:
    """The output recorded, unless it is under half of bytes/4 of the reply: then it is a placeholder (spec 2, section 3).

    In its place stands bytes/4, or the estimate of another estimator.
    """
    visible = rough(reply_bytes)
    if call.output * 2 < visible:
        return CallSize(call, visible if estimate is None else estimate, ESTIMATED)
    return CallSize(call, call.output, EXACT)


def size_by(call: Call, reply: Sequence[Row], by: Estimator = ROUGH) -> CallSize:
    """The call's size by the rows of its reply, whose blocks were measured by that estimator."""
    visible = [b for r in reply for b in r.blocks if b.kind != "redacted_thinking"]
    return size_of(call, sum(b.size for b in visible), None if by.is_rough else sum(b.tokens for b in visible))


def newest_call(session: Session, chain: Chain) -> Call | None:
    """The newest call on the chain since its boundary; kept rows belong to a context that is gone."""
    floor = -1 if chain.boundary is None else chain.boundary
    on_chain = {session.index.messages[p] for p in chain.places if p > floor}
    wanted = {session.index.message_ids[n] for n in on_chain if n >= 0}
    found = [c for c in session.calls if c.message_id in wanted and c.row > floor and c.row < session.tree.limit]
    return found[-1] if found else None


def context_of(session: Session, chain: Chain, rows: Sequence[Row], by: Estimator = ROUGH) -> Context:
    """Tokens in context at the end of a chain whose rows (slim ones will do), measured by that estimator, are given in order."""
    rows = [r for r in rows if r.role is not None]
    call = newest_call(session, chain)
    if call is not None:
        return _from_usage(session, call, chain, rows, by)
    boundary = boundary_of(session, chain)
    if boundary is not None and boundary.post_tokens is not None:
        now = Figure(
            boundary.post_tokens, LOWER_BOUND, "the boundary's postTokens: messages only, without system prompt and tools"
        )
        return Context(now, "boundary", boundary.post_tokens)
    tokens = sum(r.tokens for r in rows)
    if not tokens:
        return Context(unknown("no call and no message to estimate from"), "unknown", None)
    if session.plain is not None:
        whole = estimated(tokens + plain_overhead(session, by), f"{by.name}: {by.words} of messages, system and tools")
        return Context(whole, "estimate", None)
    return Context(
        Figure(tokens, LOWER_BOUND, f"{by.name}: {by.words} of the messages; the system prompt is not in it"), "estimate", None
    )


def plain_overhead(session: Session, by: Estimator = ROUGH) -> int:
    """Estimated tokens of `system` and `tools` of a Messages API request."""
    plain = session.plain or {}
    return sum(by.texts([v if isinstance(v, str) else compact_json(v) for v in (plain.get("system"), plain.get("tools")) if v]))


def boundary_of(session: Session, chain: Chain) -> Boundary | None:
    """The boundary that a chain starts behind."""
    return next((b for b in session.boundaries if b.place == chain.boundary), None)


def _from_usage(session: Session, call: Call, chain: Chain, rows: Sequence[Row], by: Estimator) -> Context:
    first = next((i for i, r in enumerate(rows) if r.message_id == call.message_id), len(rows))
    reply = [r for r in rows[first:] if r.role == ASSISTANT and r.message_id == call.message_id]
    after = [r for r in rows[first:] if r.message_id != call.message_id]
    size = size_by(call, reply, by)
    added = sum(r.tokens for r in after)
    cleared = _cleared(session, call, chain, rows)
    kind = EXACT if not added and not cleared and size.output_kind == EXACT else ESTIMATED
    about = "" if size.output_kind == EXACT else "about "
    words = f"prompt {call.prompt:,} + output {about}{size.output:,} of the newest call"
    if added:
        words += f" + about {added:,} of rows after it ({by.name})"
    if cleared:
        words += f" - about {cleared:,} cleared since"
    return Context(Figure(max(0, size.total + added - cleared), kind, words), "usage", call.prompt, size, added, cleared)


def _cleared(session: Session, call: Call, chain: Chain, rows: Sequence[Row]) -> int:
    """Tokens of results that a recorded microcompaction cleared since the call; at the end of a file it may be the last row."""
    last = len(session.index) if chain == session.chain else max(chain.places)
    ids = {i for m in session.microcompactions if call.last < m.place <= last for i in m.tool_ids}
    return sum(b.tokens for r in rows for b in r.blocks if b.kind == "tool_result" and b.call in ids) if ids else 0


def overhead_of(context: Context, rows: Sequence[Row], by: Estimator = ROUGH) -> Figure:
    """Measured prompt + output of the newest call minus the estimate of the array up to its reply (spec 1, section 2)."""
    if context.call is None:
        return unknown("no call with a recorded usage since the boundary: system prompt and tools are not in the file")
    message_id = context.call.call.message_id
    first = next((i for i, r in enumerate(rows) if r.message_id == message_id), len(rows))
    before = sum(r.tokens for i, r in enumerate(rows) if r.role is not None and (i < first or r.message_id == message_id))
    return Figure(
        context.call.total - before,
        ESTIMATED,
        f"newest call's prompt + output minus {by.words} of the array up to its reply: system prompt, tools, things not recorded",
    )
