"""When session memory is not available, each condition with its own reason, in the order of spec 1, section 5.1."""

from typing import Any

import pytest

from workbench.memory.availability import availability
from workbench.memory.notes import Notes, parse
from workbench.memory.template import TEMPLATE

from .making import said

ROWS = (said("a", "x"), said("b", "y"))
NOTES = parse("# Title\n_About._\nsomething\n")


def test_available_when_nothing_stands_in_the_way() -> None:
    found = availability(ROWS, NOTES, last_summarized="a")
    assert found.is_available
    assert found.deciding is None
    assert not any(c.holds for c in found.conditions)


@pytest.mark.parametrize(
    ("notes", "options", "name"),
    [
        (NOTES, {"enabled": False}, "off"),
        (None, {}, "no notes file"),
        (parse(" \n"), {}, "empty"),
        (parse(TEMPLATE), {}, "bare template"),
        (NOTES, {"last_summarized": "gone"}, "last-summarized row missing"),
        (NOTES, {"instructions": "keep the plan"}, "custom instructions"),
        (NOTES, {"partial": True}, "partial range"),
    ],
)
def test_each_condition_alone_decides(notes: Notes | None, options: dict[str, Any], name: str) -> None:
    found = availability(ROWS, notes, **options)
    assert found.deciding is not None
    assert found.deciding.name == name
    assert found.reason == found.deciding.reason
    assert [c.name for c in found.conditions if c.holds] == [name]


def test_one_row_only() -> None:
    assert availability(ROWS[:1], NOTES).deciding is not None
    assert availability(ROWS[:1], NOTES).reason == "1 row in the array: there is nothing to compact."


def test_all_are_shown_and_the_first_decides() -> None:
    found = availability((), None, enabled=False, last_summarized="gone", instructions="x", partial=True)
    assert [c.name for c in found.conditions] == [
        "off",
        "no notes file",
        "empty",
        "bare template",
        "last-summarized row missing",
        "custom instructions",
        "partial range",
        "one row only",
    ]
    assert found.deciding is not None
    assert found.deciding.name == "off"
    assert "gone" in found.conditions[4].reason
