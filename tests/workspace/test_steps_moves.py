"""Moves of the Steps tab: what is looked at, what is not computed for it, and what the timeline is told."""

from collections.abc import Callable

import pytest

from tests.workspace.making import sample
from tests.workspace.stepping import AT_FIRST_BOUNDARY, drawn, shown, taken
from workbench.compaction.debugger import STAGE, Breakpoint
from workbench.compaction.run import Run
from workbench.workspace.opened import Opened
from workbench.workspace.state import Workspace
from workbench.workspace.steps import ARRAYS, FLOW, Steps
from workbench.workspace.steps_arrays import arrays_of
from workbench.workspace.steps_facts import request_shown, simulated, summary_of, why_no_edit
from workbench.workspace.steps_moves import (
    aligned,
    breakpoint_toggled,
    diff_toggled,
    idle,
    other_side,
    ran,
    stepped_back,
    stepped_on,
    to_flow,
    to_line,
    to_node,
    working,
)

Move = Callable[[Workspace], Workspace]


@pytest.fixture(scope="module")
def opened() -> Opened:
    return sample("02")


@pytest.fixture(scope="module")
def run(opened: Opened) -> Run:
    return taken(drawn(opened))


@pytest.fixture
def now(opened: Opened, run: Run) -> Workspace:
    return shown(opened, run)


def steps(now: Workspace) -> Steps:
    assert now.steps is not None
    return now.steps


def at(now: Workspace, name: str) -> Workspace:
    return to_node(now, next(i for i, n in enumerate(steps(now).nodes) if n.name == name))


def with_arrays(now: Workspace) -> Workspace:
    node = steps(now).node
    assert node is not None and node.result is not None
    return aligned(now, node.result, arrays_of(node.result))


def test_the_newest_stage_is_looked_at(now: Workspace) -> None:
    assert steps(now).node is not None and steps(now).node.name == "record"  # type: ignore[union-attr]
    back = stepped_back(stepped_back(now))
    assert steps(back).node.name == "assemble"  # type: ignore[union-attr]


def test_a_thousand_looks_count_no_tokens_again(now: Workspace) -> None:
    told = {id(each) for each in steps(now).told}
    for turn in range(1_000):
        now = stepped_back(now) if turn % 26 < 13 else stepped_on(now)
    assert {id(each) for each in steps(now).told} == told


def test_looking_elsewhere_leaves_the_run_where_it_is(now: Workspace) -> None:
    there = at(now, "decide")
    assert steps(there).run is steps(now).run
    assert to_node(there, 99) is there


def test_arrays_of_another_stage_are_dropped(now: Workspace) -> None:
    decide, clean = (at(now, name) for name in ("decide", "clean"))
    late = arrays_of(steps(decide).node.result)  # type: ignore[union-attr, arg-type]
    assert aligned(clean, steps(decide).wanted, late) is clean
    assert steps(at(with_arrays(clean), "decide")).arrays is None


def test_one_begins_to_read_where_it_differs(now: Workspace) -> None:
    restored = with_arrays(at(now, "restore"))
    item = steps(restored).item
    assert item is not None and item.fate == "added"
    same = steps(with_arrays(at(now, "decide")))
    assert same.line == len(same.listed) - 1


def test_only_what_differs_and_all_again(now: Workspace) -> None:
    whole = with_arrays(at(now, "restore"))
    differs = diff_toggled(whole)
    assert len(steps(differs).listed) <= len(steps(whole).listed)
    assert steps(diff_toggled(differs)).listed is steps(whole).listed


def test_before_and_after_of_a_line(now: Workspace) -> None:
    clean = with_arrays(at(now, "clean"))
    after = steps(to_line(clean, 0)).item
    before = steps(other_side(to_line(clean, 0))).item
    assert after is not None and before is not None
    assert (after.fate, before.fate) == ("added", "summarised")


def test_the_keys_are_below_or_above(now: Workspace) -> None:
    below = to_line(with_arrays(now), 1)
    assert (steps(below).focus, steps(to_flow(below)).focus) == (ARRAYS, FLOW)


def test_breakpoints_outlive_a_run(now: Workspace, opened: Opened) -> None:
    point = Breakpoint(STAGE, "ask")
    there = breakpoint_toggled(now, point)
    assert steps(there).run.plan.breakpoints == {"ask"}  # type: ignore[union-attr]
    anew = ran(there, drawn(opened), opened, AT_FIRST_BOUNDARY)
    assert steps(anew).run.plan.breakpoints == {"ask"}  # type: ignore[union-attr]
    assert not steps(breakpoint_toggled(anew, point)).breakpoints


def test_it_says_at_which_breakpoint_it_stands(opened: Opened) -> None:
    now = breakpoint_toggled(shown(opened, drawn(opened)), Breakpoint(STAGE, "decide"))
    there = ran(now, taken(steps(now).run))  # type: ignore[arg-type]
    assert steps(there).halted == "Breakpoint: decide comes next."


def test_a_job_and_what_came_of_it(now: Workspace) -> None:
    busy = working(now, "asking", "1. Primary")
    assert (steps(busy).job, steps(busy).heard) == ("asking", "1. Primary")
    failed = idle(busy, "There is no such file.")
    assert (steps(failed).job, steps(failed).heard, steps(failed).problem) == ("", "", "There is no such file.")


MOVES: list[Move] = [
    stepped_back, stepped_on, to_flow, other_side, diff_toggled, lambda now: to_node(now, 1), lambda now: to_line(now, 1), idle,
]  # fmt: skip


@pytest.mark.parametrize("move", MOVES)
def test_before_anything_is_begun_nothing_happens(move: Move) -> None:
    now = Workspace("a session")
    assert move(now) is now


def test_the_timeline_is_told_where_it_stands_and_what_it_leaves(now: Workspace, opened: Opened, run: Run) -> None:
    found = simulated(now)
    assert found is not None
    assert found.after == run.results[-1].tokens_after
    assert opened.timeline.points[found.index].line > opened.inspection.boundaries[0].boundary.line
    assert f"→ {found.after:,}" in found.words
    early = simulated(shown(opened, taken(drawn(opened), 2)))
    assert early is not None and early.after is None
    assert simulated(Workspace("nothing begun")) is None


def test_a_request_can_be_seen_before_and_after_it_went_out(opened: Opened, now: Workspace) -> None:
    before = shown(opened, taken(drawn(opened), 6))
    coming, gone = request_shown(steps(before)), request_shown(steps(at(now, "ask")))
    assert coming is not None and gone is not None
    assert (coming.key, coming.messages) == (gone.key, gone.messages)
    assert request_shown(steps(shown(opened, taken(drawn(opened), 2)))) is None


def test_when_there_is_a_summary_to_edit(opened: Opened, now: Workspace, run: Run) -> None:
    assert why_no_edit(steps(now)) == ""
    assert summary_of(run) == "Summary:\nAll of it, in short."
    assert "go on until it is cleaned" in why_no_edit(steps(shown(opened, taken(drawn(opened), 3))))
