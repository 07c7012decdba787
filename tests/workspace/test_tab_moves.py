"""Moves of the Pairs, Boundary and Notes tabs: late answers are dropped, a jump never lands on a hidden message."""

from dataclasses import replace

from tests.workspace.making import sample
from workbench.workspace import moves, notes_edit
from workbench.workspace.boundary_view import NoBoundary
from workbench.workspace.columns import columns_of
from workbench.workspace.filtering import Filter
from workbench.workspace.notes_view import NotesFound, notes_view
from workbench.workspace.state import ALL, ERRORS, FAULTY, MESSAGES, PAIRS, Workspace
from workbench.workspace.view import BOUNDARY, View


def opened(name: str) -> Workspace:
    session = sample(name)
    return moves.filled(moves.opened(Workspace(name), session), columns_of(session, View()))


def test_the_boundary_shown_is_the_selected_one_else_the_last() -> None:
    now = opened("02")
    assert moves.wanted_boundary(now) == 1
    assert moves.wanted_boundary(moves.to_view(now, View(BOUNDARY, 0))) == 0
    assert moves.wanted_boundary(opened("01")) is None
    assert moves.wanted_boundary(Workspace("")) is None


def test_the_record_of_another_boundary_comes_too_late() -> None:
    now, view = opened("02"), NoBoundary(problem="anything")
    session = now.opened
    assert session is not None
    assert moves.boundary_read(now, session, 1, view).boundary is view
    assert moves.boundary_read(now, session, 0, view) is now
    assert moves.boundary_read(now, sample("02"), 1, view) is now


def test_notes_of_the_session_as_it_was_are_dropped() -> None:
    now = replace(opened("01"), section=7)
    session = now.opened
    assert session is not None
    view = notes_view(session, NotesFound())
    assert notes_edit.read(now, sample("01"), view) is now
    read = notes_edit.read(now, session, view)
    assert (read.notes, read.section) == (view, 0)


def test_pairs_are_filtered_in_turn() -> None:
    now, seen = Workspace(""), []
    for _ in range(4):
        seen.append(now.pair_filter)
        now = moves.next_pair_filter(now)
    assert seen == [ALL, FAULTY, ERRORS, ALL]


def test_a_jump_selects_the_message_and_takes_off_a_filter_that_would_hide_it() -> None:
    now = moves.to_tab(opened("06"), PAIRS)
    assert now.columns is not None
    assistant = next(i for i, item in enumerate(now.columns.left.items) if item.role == "assistant")
    there = moves.to_message(now, assistant)
    assert (there.tab, there.cursors[0], there.side) == (MESSAGES, assistant, 0)
    kept = moves.to_message(moves.filtered(now, Filter(role="assistant")), assistant)
    off = moves.to_message(moves.filtered(now, Filter(role="user")), assistant)
    assert (kept.filter.is_on, off.filter.is_on) == (True, False)
    assert moves.to_message(Workspace(""), 3) == Workspace("")
