"""Pure moves: what a key does to the workspace. Each gives a new workspace, or the same when there is nothing to do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .filtering import Filter, largest_first, shown, tool_names
from .state import ALL, DOCTOR, ERRORS, FAULTY, JSON, MESSAGES, RAW, REPAIRABLE, TABS, TEXT, Loading, Workspace
from .view import BOUNDARY, CALL, LOADED, NOW, RECORDED, SENT, Columns, Item, View

if TYPE_CHECKING:
    from ..evidence.finding import Finding
    from .boundary_view import BoundaryView, NoBoundary
    from .doctor_view import DoctorView, NoDoctor
    from .opened import Opened

READINGS = (LOADED, SENT, RECORDED)
FORMS = (TEXT, JSON, RAW)
PAIR_FILTERS = (ALL, FAULTY, ERRORS)
FINDING_FILTERS = (ALL, ERRORS, REPAIRABLE)


def progressed(now: Workspace, loading: Loading) -> Workspace:
    """More of the file is indexed."""
    return replace(now, loading=loading)


def opened(now: Workspace, session: Opened) -> Workspace:
    """The session is read. A followed session that grew keeps the place one looks at; its arrays stand until new ones come."""
    first = now.opened is None
    last = max(0, len(session.timeline.points) - 1)
    was_at_end = now.opened is None or now.call >= len(now.opened.timeline.points) - 1
    changes = first or now.view.point != CALL  # what was sent for a call stays what it was
    return replace(
        now,
        opened=session,
        loading=None,
        problem="",
        call=last if first or was_at_end else min(now.call, last),
        stale=changes,
        problem_of_view="" if changes else now.problem_of_view,
        doctor=now.doctor if now.tab == DOCTOR else None,  # who looks at it keeps the old one until the new one comes
    )


def followed(now: Workspace, live: bool, gone: bool) -> Workspace:
    """Whether the file has grown of late, and whether it is still there."""
    return replace(now, live=live, gone=gone)


def failed(now: Workspace, problem: str) -> Workspace:
    """The session cannot be read."""
    return replace(now, loading=None, problem=problem)


def to_tab(now: Workspace, tab: str) -> Workspace:
    """Another tab."""
    return replace(now, tab=tab) if tab in TABS else now


def to_call(now: Workspace, call: int) -> Workspace:
    """The timeline's cursor on another call."""
    if now.opened is None:
        return now
    return replace(now, call=max(0, min(call, len(now.opened.timeline.points) - 1)))


def to_view(now: Workspace, view: View) -> Workspace:
    """Another array; the cursor goes to its end, where the newest message is."""
    if view == now.view:
        return now
    return replace(now, view=view, columns=None, problem_of_view="", side=0, cursors=(0, 0), stale=False, seek=None)


def to_boundary(now: Workspace, step: int) -> Workspace:
    """Before | after of the next or previous boundary, with the call where it fired under the timeline's cursor; beyond the last
    (or first) one, back to now."""
    if now.opened is None or not now.opened.inspection.boundaries:
        return now
    count = len(now.opened.inspection.boundaries)
    at = now.view.number if now.view.point == BOUNDARY else (-1 if step > 0 else count)
    at += step
    if not 0 <= at < count:
        return to_view(now, View(NOW))
    line = now.opened.inspection.boundaries[at].boundary.line
    before = sum(p.line < line for p in now.opened.timeline.points)
    return replace(to_view(now, View(BOUNDARY, at)), call=max(0, before - 1))


def nearest_boundary(now: Workspace, line: int) -> Workspace:
    """Before | after of the boundary at a line."""
    if now.opened is None:
        return now
    found = [i for i, b in enumerate(now.opened.inspection.boundaries) if b.boundary.line == line]
    return to_view(now, View(BOUNDARY, found[0])) if found else now


def to_array_of_call(now: Workspace) -> Workspace:
    """The array that was sent for the call under the timeline's cursor."""
    return to_view(now, View(CALL, now.call, LOADED if now.view.reading != RECORDED else RECORDED))


def next_reading(now: Workspace) -> Workspace:
    """As loaded, as sent, as recorded, in turn; around a boundary there is only the first."""
    if now.view.point == BOUNDARY:
        return now
    at = READINGS.index(now.view.reading)
    return to_view(now, replace(now.view, reading=READINGS[(at + 1) % len(READINGS)]))


def next_form(now: Workspace) -> Workspace:
    """The selected message as text, as JSON, as the raw record, in turn."""
    return replace(now, form=FORMS[(FORMS.index(now.form) + 1) % len(FORMS)])


def filled(now: Workspace, columns: Columns) -> Workspace:
    """The arrays of a view have come; late ones for another view are dropped.

    The cursor goes to the line that is sought, or to the end of arrays that are new. In those that stand for the same
    array later it stays on its message, and at the end it follows the end.
    """
    if columns.view != now.view:
        return now
    left = _cursor(now, columns) if now.seek is None else _of_line(columns, now.seek)
    right = min(now.cursors[1], max(0, len(columns.right.items) - 1)) if columns.right is not None else 0
    return replace(
        now, columns=columns, cursors=(left, right), side=now.side if columns.right else 0, problem_of_view="",
        stale=False, seek=None, figures=(),
    )  # fmt: skip


def _cursor(now: Workspace, columns: Columns) -> int:
    last, before, at = max(0, len(columns.left.items) - 1), now.columns, now.cursors[0]
    if before is None or at >= len(before.left.items) - 1:
        return last
    key = before.left.items[at].key
    if at <= last and columns.left.items[at].key == key:
        return at
    return next((i for i, item in enumerate(columns.left.items) if item.key == key), min(at, last))


def _of_line(columns: Columns, line: int) -> int:
    """The first item of the row at a line, or the last one before it."""
    lines = [(i, item.row.line) for i, item in enumerate(columns.left.items) if item.row is not None and item.row.line]
    exact = [i for i, at in lines if at == line]
    return exact[0] if exact else max((i for i, at in lines if at < line), default=0)


def view_failed(now: Workspace, view: View, problem: str) -> Workspace:
    """The arrays of a view cannot be had."""
    return replace(now, columns=None, stale=False, seek=None, problem_of_view=problem) if view == now.view else now


def to_item(now: Workspace, side: int, index: int) -> Workspace:
    """Another message selected; on the other side its counterpart, where it was kept."""
    cursors = [*now.cursors]
    cursors[side] = index
    columns = now.columns
    if columns is not None and columns.right is not None and side == 0 and 0 <= index < len(columns.left.items):
        cursors[1] = columns.counterparts.get(columns.left.items[index].key, cursors[1])
    return replace(now, side=side, cursors=(cursors[0], cursors[1]))


def other_order(now: Workspace) -> Workspace:
    """The largest message first, and selected; or back to the order of the array, at the same message."""
    now = replace(now, by_size=not now.by_size)
    if not now.by_size or now.columns is None:
        return now
    tops = [
        next(iter(largest_first(c.items, shown(c.items, now.filter, tool_names(c.items)))), 0)
        for c in (now.columns.left, now.columns.right or now.columns.left)
    ]
    return replace(now, cursors=(tops[0], tops[1]))


def filtered(now: Workspace, wanted: Filter) -> Workspace:
    """Another filter."""
    return replace(now, filter=wanted)


def selected_item(now: Workspace) -> Item | None:
    """The block under the cursor."""
    columns = now.columns
    if columns is None:
        return None
    column = columns.left if now.side == 0 or columns.right is None else columns.right
    index = now.cursors[0 if column is columns.left else 1]
    return column.items[index] if 0 <= index < len(column.items) else None


def to_message(now: Workspace, index: int) -> Workspace:
    """The Messages tab with an item of the left array selected; a filter that would hide it is taken off."""
    if now.columns is None:
        return now
    items = now.columns.left.items
    hidden = index not in shown(items, now.filter, tool_names(items))
    return to_tab(to_item(filtered(now, Filter()) if hidden else now, 0, index), MESSAGES)


def to_line(now: Workspace, call: int, line: int) -> Workspace:
    """The message of a row: where it is listed, else in the array that was sent for a call."""
    items = () if now.columns is None else now.columns.left.items
    found = next((i for i, item in enumerate(items) if item.row is not None and item.row.line == line), None)
    if found is not None and now.view.point != BOUNDARY:
        return to_message(now, found)
    there = to_view(filtered(now, Filter()), View(CALL, call))
    if there.columns is not None:
        return to_message(there, _of_line(there.columns, line))
    return replace(to_tab(there, MESSAGES), seek=line)


def to_pair(now: Workspace, line: int) -> Workspace:
    """Another pair selected."""
    return replace(now, pair=line)


def next_pair_filter(now: Workspace) -> Workspace:
    """All pairs, those at fault, those whose result is an error, in turn."""
    return replace(now, pair_filter=PAIR_FILTERS[(PAIR_FILTERS.index(now.pair_filter) + 1) % len(PAIR_FILTERS)])


def wanted_boundary(now: Workspace) -> int | None:
    """The boundary that the Boundary tab shows: the selected one, else the last; None in a session without any."""
    count = 0 if now.opened is None else len(now.opened.inspection.boundaries)
    if not count:
        return None
    return now.view.number if now.view.point == BOUNDARY and now.view.number < count else count - 1


def boundary_read(now: Workspace, session: Opened, number: int | None, view: BoundaryView | NoBoundary) -> Workspace:
    """What a boundary's record says has come; a late one of another boundary, or of the session as it was, is dropped."""
    if now.opened is not session or number != wanted_boundary(now):
        return now
    return replace(now, boundary=view)


def to_section(now: Workspace, section: int) -> Workspace:
    """Another section of the notes selected; behind the last one stands the whole file."""
    return replace(now, section=section)


def diagnosed(now: Workspace, view: DoctorView | NoDoctor) -> Workspace:
    """A diagnosis has come, or the repair that goes with it; one of the session as it was is dropped.

    The selected finding stays selected, whatever has come before it.
    """
    if now.opened is not view.opened:
        return now
    keys = [_key(each) for each in view.lines]
    before = now.doctor.lines if now.doctor is not None else ()
    wanted = _key(before[now.finding]) if now.finding < len(before) else None
    at = keys.index(wanted) if wanted in keys else max(0, min(now.finding, len(keys) - 1))
    return replace(now, doctor=view, finding=at)


def _key(finding: Finding) -> tuple[object, ...]:
    fault = finding.fault
    return fault.kind, fault.line, fault.id, fault.uuid


def to_finding(now: Workspace, finding: int) -> Workspace:
    """Another finding selected."""
    return replace(now, finding=finding)


def next_finding_filter(now: Workspace) -> Workspace:
    """All findings with the remarks, errors, what can be repaired, in turn."""
    return replace(now, finding_filter=FINDING_FILTERS[(FINDING_FILTERS.index(now.finding_filter) + 1) % len(FINDING_FILTERS)])


def copied(now: Workspace, before: DoctorView, after: DoctorView) -> Workspace:
    """The diagnosis with what became of its repaired copy; that of the session as it was is dropped."""
    return replace(now, doctor=after) if now.doctor is before else now


def to_row(now: Workspace, place: int, line: int, call: str) -> Workspace:
    """The Messages tab at a row of the array as the agent would load it now, at the block of a call where it has one."""
    there = to_view(now, View(NOW))
    if there.columns is None or there.stale:
        return replace(to_tab(filtered(there, Filter()), MESSAGES), seek=line)
    items = there.columns.left.items
    mine = [i for i, item in enumerate(items) if item.row is not None and item.row.place == place]
    found = next((i for i in mine if call and items[i].block.call == call), mine[0] if mine else _of_line(there.columns, line))
    return to_message(there, found)
