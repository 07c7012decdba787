"""Figures of other estimators: shown when they have come, dropped when what they are of is no longer shown."""

from dataclasses import replace

import pytest

from tests.workspace.making import call, column, result, row, text
from workbench.workspace import figures, moves
from workbench.workspace.figures import CALIBRATED, NOT_YET, ROUGH, STOPPED, TIKTOKEN, Figures
from workbench.workspace.state import DOCTOR, Workspace
from workbench.workspace.view import Columns, View

LEFT = column(
    row(1, "user", text("a" * 40)), row(2, "assistant", call("t1", path="b" * 40)), row(3, "user", result("t1", "c" * 80))
)
COLUMNS = Columns(View(), LEFT)
SHOWN = Workspace("session", columns=COLUMNS)


def made(tokens: list[int], done: int, name: str = TIKTOKEN, columns: Columns = COLUMNS) -> Figures:
    return figures.figures_of(columns, name, "in words", (tokens, []), done, 100)


def at(now: Workspace, index: int) -> tuple[int, str]:
    return figures.tokens_at(now, 0, index, LEFT.items[index])


def test_rough_figures_stand_in_until_the_others_have_come() -> None:
    now = figures.figured(replace(SHOWN, estimator=TIKTOKEN), made([7, NOT_YET, 9], 60))
    assert [at(now, i) for i in range(3)] == [(7, TIKTOKEN), (LEFT.items[1].block.tokens, ROUGH), (9, TIKTOKEN)]
    assert figures.total_of(now, 0) == (LEFT.tokens, ROUGH)
    now = figures.figured(now, made([7, 8, 9], 100))
    assert figures.total_of(now, 0) == (24, TIKTOKEN)
    assert len(now.figures) == 1


def test_figures_that_are_not_chosen_are_kept_and_not_shown() -> None:
    now = figures.figured(figures.figured(SHOWN, made([7, 8, 9], 100)), made([1, 2, 3], 100, CALIBRATED))
    assert at(now, 0) == (10, ROUGH)
    assert at(replace(now, estimator=CALIBRATED), 0) == (1, CALIBRATED)
    assert at(replace(now, estimator=TIKTOKEN), 0) == (7, TIKTOKEN)


def test_figures_of_an_array_that_is_no_longer_shown_are_dropped() -> None:
    late = made([7, 8, 9], 100, columns=Columns(View(), LEFT))
    assert figures.figured(SHOWN, late) is SHOWN
    now = figures.figured(SHOWN, made([7, 8, 9], 100))
    assert moves.filled(now, Columns(View(), LEFT)).figures == ()


def test_what_cannot_be_counted_has_its_rough_figure_in_the_total() -> None:
    now = figures.figured(replace(SHOWN, estimator=TIKTOKEN), made([7, NOT_YET, 9], 100))
    assert figures.total_of(now, 0) == (16 + LEFT.items[1].block.tokens, TIKTOKEN)


@pytest.mark.parametrize(("done", "percent"), [(0, 0), (41, 41), (99, 99), (100, 100)])
def test_percent_is_a_hundred_only_when_all_is_counted(done: int, percent: int) -> None:
    assert made([0, 0, 0], done).percent == percent
    now = figures.figured(SHOWN, made([0, 0, 0], done))
    assert figures.is_counting(now) == (percent < 100)


def test_nothing_is_counted_before_something_is_shown() -> None:
    assert not figures.is_counting(Workspace("session"))
    assert not figures.is_counting(figures.not_counted(SHOWN, "no"))
    assert figures.is_counting(SHOWN)
    elsewhere = replace(SHOWN, tab=DOCTOR)
    assert not figures.is_counting(elsewhere)
    assert figures.is_counting(figures.figured(elsewhere, made([0, 0, 0], 41)))


def test_the_estimators_come_in_turn_and_the_missing_tokenizer_is_left_out() -> None:
    assert turn(SHOWN) == [TIKTOKEN, CALIBRATED, ROUGH, TIKTOKEN]
    assert turn(figures.not_counted(SHOWN, "No tokenizer.")) == [CALIBRATED, ROUGH, CALIBRATED, ROUGH]
    assert figures.about(figures.not_counted(SHOWN, "No tokenizer.")).endswith(" No tokenizer.")


def test_a_count_that_was_stopped_goes_on_when_it_is_asked_for_again() -> None:
    stopped = figures.not_counted(replace(SHOWN, estimator=TIKTOKEN), STOPPED)
    assert (stopped.estimator, stopped.uncounted) == (ROUGH, STOPPED)
    again = figures.next_estimator(stopped)
    assert (again.estimator, again.uncounted) == (TIKTOKEN, "")


def turn(now: Workspace) -> list[str]:
    seen = []
    for _ in range(4):
        now = figures.next_estimator(now)
        seen.append(now.estimator)
    return seen
