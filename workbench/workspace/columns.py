"""The arrays that the Messages tab shows, as lines: now, before a call, or before | after of a compaction.

A line is a block; the first of a message carries the message's number. Fates say what became of a row at a boundary.
"""

from collections.abc import Iterable, Sequence

from ..conversation.array import assemble
from ..conversation.change import Change
from ..conversation.repair import as_sent
from ..conversation.row import ASSISTANT, Message, Row
from ..errors import UsageError
from ..evidence.inspection import BoundaryFacts
from ..transcript.chain import Chain
from ..transcript.requests import messages_of, request_of
from ..transcript.session import Session
from .opened import Opened
from .view import (
    ADDED,
    BOUNDARY,
    CALL,
    CLEARED,
    DROPPED,
    KEPT,
    LOADED,
    NONE,
    RECORDED,
    SUMMARISED,
    Column,
    Columns,
    Item,
    View,
)


def columns_of(opened: Opened, view: View) -> Columns:
    """The arrays of a view. Raises UsageError where the session has no such call, boundary or recorded request."""
    if view.point == BOUNDARY:
        return _around(opened, view)
    if view.point == CALL:
        return Columns(view, _before_call(opened, view))
    return Columns(view, _now(opened, view))


def _now(opened: Opened, view: View) -> Column:
    chain = opened.inspection.chain
    context = opened.inspection.context.now
    column = _column(opened, chain, view.reading, "as the agent would load it now")
    return _with_total(column, context.tokens, context.kind)


def _before_call(opened: Opened, view: View) -> Column:
    points = opened.timeline.points
    if not 0 <= view.number < len(points):
        raise UsageError("There is no such call in this session.")
    point = points[view.number]
    title = f"sent for call {view.number + 1} of {len(points)}, line {point.line}"
    if view.reading == RECORDED:
        recorded = opened.session.recorded_at(point.line)
        if recorded is None:
            raise UsageError("The request of this call is not recorded in the file; r shows our own assembly.")
        return _with_total(_lines(title, recorded), point.tokens, point.kind)
    return _with_total(_column(opened, opened.session.chain_at(point.line), view.reading, title), point.tokens, point.kind)


def _with_total(column: Column, total: int | None, kind: str) -> Column:
    return Column(column.title, column.items, column.messages, column.tokens, total, kind, column.changes, column.empty)


def _column(opened: Opened, chain: Chain, reading: str, title: str) -> Column:
    session = opened.session
    if reading == RECORDED:
        return _lines(title, _newest_recorded(opened))
    messages = assemble(row.slim() for row in session.rows(chain.places))
    if reading == LOADED:
        return _lines(title, messages)
    sent, changes = as_sent(messages, _model(messages))
    return _lines(title, sent, changes=changes, before=messages)


def _newest_recorded(opened: Opened) -> Sequence[Message]:
    session, call = opened.session, opened.inspection.context.call
    request = request_of(session.index, session.body, session.requests, call.call.row) if call is not None else None
    messages = messages_of(request, session.index, session.body) if request is not None else None
    if messages is None:
        raise UsageError("No request is recorded for the newest call; r shows our own assembly.")
    return messages


def _model(messages: Sequence[Message]) -> str | None:
    replies = (m for m in reversed(messages) if m.role == ASSISTANT)
    return next((r.model for m in replies for r in m.rows if r.model and r.model[0] != "<"), None)


def _lines(
    title: str,
    messages: Sequence[Message],
    *,
    fates: dict[str, str] | None = None,
    changes: tuple[Change, ...] = (),
    before: Sequence[Message] = (),
) -> Column:
    known = {id(p.block) for m in before for p in m.parts}
    items = []
    for index, message in enumerate(messages):
        for at, part in enumerate(message.parts):
            fate = ADDED if before and id(part.block) not in known else NONE
            if fates is not None and part.row is not None:
                fate = fates.get(part.block.call if part.block.kind == "tool_result" else "", fates.get(part.row.uuid, NONE))
            items.append(Item(index, at == 0, message.role, part.block, part.row, fate))
    return Column(title, tuple(items), len(messages), sum(m.tokens for m in messages), changes=changes)


def _around(opened: Opened, view: View) -> Columns:
    facts = opened.inspection.boundaries
    if not 0 <= view.number < len(facts):
        raise UsageError("There is no compaction in this session.")
    session, found = opened.session, facts[view.number]
    boundary = found.boundary
    before = [r.slim() for r in session.rows(session.chain_at(boundary.line).places)]
    after = [r.slim() for r in session.rows(_chain_after(opened, found, view.number).places)]
    left_fates, right_fates = _fates(session, found, before, after)
    number = f"boundary {view.number + 1} of {len(facts)}"
    left = _with_total(_lines(f"before {number}", assemble(before), fates=left_fates), boundary.pre_tokens, "recorded")
    right = _lines("after", assemble(after), fates=right_fates)
    total, kind = _after_total(found)
    right = _with_total(right, total, kind)
    counterparts = {item.key: at for at, item in enumerate(right.items) if item.fate == KEPT}
    return Columns(view, left, right, counterparts)


def _after_total(found: BoundaryFacts) -> tuple[int | None, str]:
    if found.first_call_after is not None:
        return found.first_call_after, "exact next call"
    return found.boundary.post_tokens, "lower bound" if found.boundary.post_tokens is not None else "unknown"


def _chain_after(opened: Opened, found: BoundaryFacts, number: int) -> Chain:
    """The state of the first call after the boundary, or of the end of its stretch where no call follows."""
    session, place = opened.session, found.boundary.place
    until = opened.inspection.boundaries[number + 1].boundary.line if number + 1 < len(opened.inspection.boundaries) else None
    call = next((c for c in session.calls if c.row > place and (session.tree.is_sub_agent or not c.sidechain)), None)
    line = session.index.lines[call.row] if call is not None else None
    if line is not None and (until is None or line < until):
        return session.chain_at(line)
    return session.chain if until is None else session.chain_at(until)


def _fates(
    session: Session, found: BoundaryFacts, before: Iterable[Row], after: Iterable[Row]
) -> tuple[dict[str, str], dict[str, str]]:
    """{uuid or call id: fate} for both sides."""
    place = found.boundary.place
    kept = {r.uuid for r in after if r.place < place}
    gone = SUMMARISED if found.summary_uuid is not None else DROPPED
    left = {r.uuid: KEPT if r.uuid in kept else gone for r in before}
    left |= {call: CLEARED for m in session.microcompactions if m.place < place for call in m.tool_ids}
    return left, {r.uuid: KEPT if r.uuid in kept else ADDED for r in after}
