"""The line below the timeline: the sum against the threshold, each part with its kind, as much of it as fits."""

from dataclasses import replace
from typing import Any

import pytest

from tests.workspace.making import sample
from workbench.conversation.figure import ESTIMATED, EXACT
from workbench.evidence.marks import Mark
from workbench.evidence.timeline import Point, Timeline
from workbench.tui.painting.call_line import call_line
from workbench.tui.painting.palette import Palette
from workbench.tui.theme import ROLES
from workbench.workspace.opened import Opened
from workbench.workspace.state import Workspace

PALETTE = Palette((("background", "#000000"), *((role, row[1]) for role, row in ROLES.items())))
POINTS = (
    Point(3, "a", "m", 90_000, EXACT, 10, EXACT, None),
    Point(228, "b", "m", 154_445, EXACT, 2_224, ESTIMATED, 64_445, added=30),
)


def line(
    call: int = 1, width: int = 200, points: tuple[Point, ...] = POINTS, marks: Any = (), threshold: int | None = 155_000
) -> str:
    opened = sample("01")
    timeline = Timeline(points, marks, threshold, None, None)
    found = Opened(opened.session, opened.settings, opened.inspection, timeline)
    text = call_line(replace(Workspace("session"), opened=found, call=call), width, PALETTE)
    assert text.cell_len <= width
    return text.plain


def test_the_whole_sum_and_its_verdict() -> None:
    assert line().startswith(
        "call 2 of 2  line 228  154,445 exact  + output 2,224 est.  + added 30 est.  = 156,699 ≥ 155,000 → fires"
    )
    assert "+64,445 since call 1: w says why" in line()


def test_the_agent_does_not_fire_below_the_threshold_and_the_line_says_how_much_is_left() -> None:
    assert line(0).startswith("call 1 of 2  line 3  90,000 exact  + output 10 exact  = 90,010, 64,990 below 155,000")
    assert "added" not in line(0)
    assert "≥" in line(threshold=156_699)
    assert "below" in line(threshold=156_700)


def test_a_call_over_the_threshold_that_no_compaction_followed_says_so() -> None:
    points = (*POINTS, Point(240, "c", "m", 157_000, EXACT, 10, EXACT, 2_555))
    assert "156,699 ≥ 155,000, yet no compaction followed" in line(1, points=points)
    assert "156,699 ≥ 155,000 → fires" in line(1, points=points, marks=(Mark(2, 230, "boundary", "auto compaction"),))
    assert "157,010 ≥ 155,000 → fires" in line(2, points=points), "behind the newest call it may still come"


def test_without_a_threshold_there_is_a_sum_only() -> None:
    assert line(0, threshold=None).partition("   ")[0].endswith("= 90,010")


@pytest.mark.parametrize("width", [80, 100, 120, 160])
def test_the_verdict_is_never_cut_off(width: int) -> None:
    assert "= 156,699 ≥ 155,000 → fires" in line(width=width)
    assert "154,445 exact" in line(width=width)


def test_what_happened_before_the_call_is_told_instead_of_the_legend() -> None:
    marks = (Mark(1, 220, "boundary", "auto compaction at 160,000 tokens"), Mark(1, 221, "model-change", "a → b\x1b[31m"))
    told = line(marks=marks)
    assert "before it: ▲ auto compaction at 160,000 tokens, ⇄ a → b␛[31m" in told
    assert "compaction  ┄ threshold" in line()
    assert "┄ threshold" not in told


def test_no_call_no_line() -> None:
    assert line(0, points=()) == ""
    assert call_line(Workspace("session"), 80, PALETTE).plain == ""


def test_where_notes_would_be_taken_is_told_at_that_call_and_not_as_something_that_happened_before() -> None:
    points = (replace(POINTS[0], marks=("notes",)), POINTS[1])
    marks = (Mark(1, 9, "notes", "the context grew by 6,000 tokens"),)
    assert "◆ notes would be taken here: the context grew by 6,000 tokens" in line(0, points=points, marks=marks)
    assert "before it" not in line(1, points=points, marks=marks)
