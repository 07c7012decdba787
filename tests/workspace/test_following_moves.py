"""A session that grows, and a line that is looked for: where the cursors go when the arrays come."""

from dataclasses import replace

from tests.workspace.making import column, row, sample, text
from workbench.workspace import moves
from workbench.workspace.columns import columns_of
from workbench.workspace.filtering import Filter
from workbench.workspace.state import MESSAGES, NOTES, Workspace
from workbench.workspace.view import BOUNDARY, CALL, NOW, RECORDED, Column, Columns, View


def lines(*numbers: int) -> Column:
    return column(*(row(n, ("user", "assistant")[n % 2], text(f"message {n}"), message=f"m{n}") for n in numbers))


def shown(*numbers: int, at: int = 0) -> Workspace:
    return replace(Workspace("session"), columns=Columns(View(), lines(*numbers)), cursors=(at, 0))


def test_the_first_array_is_shown_from_its_end() -> None:
    assert moves.filled(Workspace("session"), Columns(View(), lines(1, 2, 3))).cursors == (2, 0)


def test_a_cursor_at_the_end_follows_and_another_stays_on_its_message() -> None:
    grown = Columns(View(), lines(1, 2, 3, 4))
    assert moves.filled(shown(1, 2, 3, at=2), grown).cursors[0] == 3
    assert moves.filled(shown(1, 2, 3, at=1), grown).cursors[0] == 1
    assert moves.filled(shown(1, 2, 3, at=1), Columns(View(), lines(2, 3, 4))).cursors[0] == 0
    assert moves.filled(shown(1, 2, 3, 4, at=2), Columns(View(), lines(7, 8))).cursors[0] == 1
    assert moves.filled(shown(1, 2, 3, at=1), Columns(View(), lines())).cursors[0] == 0


def test_a_session_that_grew_is_assembled_anew_but_what_was_sent_for_a_call_stays() -> None:
    session = sample("02")
    first = moves.opened(Workspace("session"), session)
    there = moves.filled(first, columns_of(session, View()))
    again = moves.opened(there, sample("02"))
    assert (again.stale, again.columns) == (True, there.columns)
    at_call = moves.filled(moves.to_array_of_call(there), columns_of(session, View(CALL, there.call)))
    assert not moves.opened(at_call, sample("02")).stale
    around = moves.filled(moves.to_boundary(there, 1), columns_of(session, View(BOUNDARY, 0)))
    assert moves.opened(around, sample("02")).stale


def test_what_could_not_be_shown_is_tried_again_when_the_session_grew() -> None:
    now = moves.view_failed(replace(Workspace("session"), view=View(NOW, 0, RECORDED)), View(NOW, 0, RECORDED), "not recorded")
    assert now.problem_of_view
    assert not moves.opened(now, sample("01")).problem_of_view


def test_the_timeline_follows_only_from_its_last_call() -> None:
    session = sample("02")
    last = len(session.timeline.points) - 1
    first = moves.opened(Workspace("session"), session)
    assert first.call == last
    assert moves.opened(moves.to_call(first, 3), session).call == 3


def test_a_line_that_is_listed_is_selected_at_once() -> None:
    now = replace(shown(1, 2, 3), tab=NOTES, filter=Filter(role="user"))
    there = moves.to_line(now, 0, 3)
    assert (there.tab, there.cursors[0], there.view.point) == (MESSAGES, 2, NOW)
    assert not there.filter.is_on


def test_a_line_that_is_not_listed_is_sought_in_what_was_sent_for_the_call() -> None:
    there = moves.to_line(replace(shown(7, 8), tab=NOTES), 5, 3)
    assert (there.tab, there.view, there.columns, there.seek) == (MESSAGES, View(CALL, 5), None, 3)
    found = moves.filled(there, Columns(View(CALL, 5), lines(1, 2, 3, 4)))
    assert (found.cursors[0], found.seek) == (2, None)
    near = moves.filled(there, Columns(View(CALL, 5), lines(1, 2, 5)))
    assert near.cursors[0] == 1
    assert moves.to_line(found, 5, 9).cursors[0] == 3


def test_another_view_is_not_searched_for_a_line_any_more() -> None:
    there = moves.to_line(shown(7, 8), 5, 3)
    assert moves.to_view(there, View(NOW)).seek is None
    assert moves.view_failed(there, View(CALL, 5), "no").seek is None
