"""Pairs as the tab lists them, and what a cut before one of them would part."""

import pytest

from tests.workspace.making import call, column, result, row, sample, text
from workbench.conversation.array import EMPTY
from workbench.workspace.columns import columns_of
from workbench.workspace.pairs_view import PairsView, cut_before, pairs_view, shown_pairs, whole
from workbench.workspace.state import ALL, ERRORS, FAULTY
from workbench.workspace.view import Column, Item, View

ASK = row(1, "user", text("go on"))


def statuses(view: PairsView) -> list[str]:
    return [line.status for line in view.lines]


def test_a_call_and_its_result_stand_on_one_line() -> None:
    view = pairs_view(column(ASK, row(2, "assistant", call("a", "Grep")), row(3, "user", result("a"))))
    (line,) = view.lines
    assert (line.tool, line.status, line.is_faulty) == ("Grep", "answered", False)
    assert [view.items[i].row.line for i in (line.call, line.result) if i is not None and view.items[i].row] == [2, 3]


def test_a_result_that_is_an_error_answers_all_the_same() -> None:
    view = pairs_view(column(ASK, row(2, "assistant", call("a")), row(3, "user", result("a", "no such file", error=True))))
    assert statuses(view) == ["error"]
    assert shown_pairs(view, FAULTY) == ()
    assert shown_pairs(view, ERRORS) == (0,)


def test_broken_off_by_the_user_or_merely_without_a_result() -> None:
    broken = pairs_view(column(ASK, row(2, "assistant", call("a")), row(3, "user", text("[Request interrupted by user]"))))
    lost = pairs_view(column(ASK, row(2, "assistant", call("a")), row(3, "user", text("hello?"))))
    last = pairs_view(column(ASK, row(2, "assistant", call("a"))))
    assert [statuses(v) for v in (broken, lost, last)] == [["interrupted"], ["unanswered"], ["unanswered"]]
    assert broken.pairs.unanswered == ("a",)


def test_what_is_misplaced_is_told_from_where_to_where() -> None:
    view = pairs_view(
        column(
            ASK, row(2, "assistant", call("a"), call("b")), row(3, "user", result("b")),
            row(4, "assistant", text("…")), row(5, "user", result("a", "late")),
        )
    )  # fmt: skip
    line = view.lines[0]
    assert (line.id, line.status) == ("a", "misplaced")
    assert (view.items[line.call or 0].message, view.items[line.result or 0].message) == (1, 4)


def test_a_second_result_is_a_line_of_its_own() -> None:
    view = pairs_view(column(ASK, row(2, "assistant", call("a")), row(3, "user", result("a"), result("a", "again"))))
    assert statuses(view) == ["answered", "duplicate"]
    assert [view.items[line.result or 0].block.head for line in view.lines] == ["done", "again"]


def test_a_result_of_a_call_that_is_nowhere() -> None:
    view = pairs_view(column(row(1, "user", result("ghost"))))
    assert statuses(view) == ["unasked"]


def test_calls_that_the_api_answers_itself() -> None:
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    assert statuses(pairs_view(column(ASK, row(2, "assistant", search)))) == ["unpaired"]
    assert statuses(pairs_view(column(ASK, row(2, "assistant", search, found)))) == ["answered"]


def test_filters() -> None:
    view = pairs_view(
        column(
            ASK, row(2, "assistant", call("a"), call("b")), row(3, "user", result("a", error=True)),
        )
    )  # fmt: skip
    assert [shown_pairs(view, wanted) for wanted in (ALL, FAULTY, ERRORS)] == [(0, 1), (1,), (0,)]


def streamed() -> PairsView:
    """Spec 1, section 9: one reply in three rows, two calls, their results."""
    rows = (
        ASK, row(2, "assistant", {"type": "thinking", "thinking": "hm", "signature": "s"}, message="X"),
        row(3, "assistant", call("A"), message="X"), row(4, "assistant", call("B"), message="X"),
        row(5, "user", result("A"), result("B")),
    )  # fmt: skip
    return pairs_view(column(*rows))


def line_of(view: PairsView, index: int) -> int | None:
    found = view.items[index].row
    return found.line if found is not None else None


def test_a_cut_inside_a_reply_moves_back_to_its_first_row() -> None:
    view = streamed()
    cuts = [cut_before(view, line) for line in view.lines]
    assert [(line_of(view, c.item), line_of(view, c.moved), c.splits) for c in cuts] == [(3, 2, "X"), (4, 2, "X")]
    assert [[line.id for line in c.parted] for c in cuts] == [[], ["A"]]


def test_a_cut_before_a_whole_round_is_valid() -> None:
    view = pairs_view(column(ASK, row(2, "assistant", call("a")), row(3, "user", result("a"))))
    cut = cut_before(view, view.lines[0])
    assert cut.is_valid
    assert (cut.parted, cut.splits) == ((), "")


def test_a_cut_before_a_late_call_parts_the_pair_that_reaches_over_it() -> None:
    view = pairs_view(
        column(
            ASK, row(2, "assistant", call("a")), row(3, "user", text("wait")),
            row(4, "assistant", call("b")), row(5, "user", result("b"), result("a")),
        )
    )  # fmt: skip
    cut = cut_before(view, view.lines[1])
    assert ([line.id for line in cut.parted], line_of(view, cut.moved)) == (["a"], 2)


def test_messages_without_rows_are_cut_as_a_whole() -> None:
    bare = Column("sent", tuple(Item(i, True, role, EMPTY, None) for i, role in enumerate(("user", "assistant"))), 2, 0)
    assert len(pairs_view(bare).rows) == 2


@pytest.mark.parametrize("name", ["01", "05", "06", "09", "11"])
def test_the_counts_are_those_of_inspect(name: str) -> None:
    opened = sample(name)
    assert pairs_view(columns_of(opened, View()).left).pairs == opened.inspection.pairs


def test_a_half_comes_with_its_body_and_its_record() -> None:
    opened = sample("06")
    view = pairs_view(columns_of(opened, View()).left)
    item = view.items[view.lines[0].call or 0]
    block, raw = whole(opened, item)
    assert item.block.body is None
    assert block.body is not None and block.body["id"] == view.lines[0].id
    assert raw is not None and view.lines[0].id.encode() in raw
