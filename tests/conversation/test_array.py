"""Rows become messages: replies joined by id, user rows joined with results first, reminders beside their neighbours."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.conversation.arrays import arrays, call, kinds, result, row, text
from workbench.conversation.array import assemble
from workbench.conversation.block import text_block
from workbench.conversation.row import Message, Row


def reminder(number: int) -> Row:
    return Row(number, number + 1, f"row-{number}", "attachment:date", "user", blocks=(text_block("today", "reminder"),))


def test_rows_of_one_reply_are_one_message_at_the_place_of_the_first() -> None:
    rows = [row(0, "user", "go"), row(1, "assistant", call("toolu_a"), message="m"), row(2, "user", result("toolu_a"))]
    rows += [row(3, "assistant", call("toolu_b"), message="m"), row(4, "user", result("toolu_b"))]
    assert kinds(assemble(rows)) == ["user: text", "assistant: use toolu_a, use toolu_b", "user: result toolu_a, result toolu_b"]


def test_neighbouring_user_rows_are_one_message_results_first() -> None:
    rows = [row(0, "assistant", call("toolu_a")), row(1, "user", "wait"), row(2, "user", result("toolu_a"), text("there"))]
    assert kinds(assemble(rows)) == ["assistant: use toolu_a", "user: result toolu_a, text, text"]


def test_an_empty_row_still_makes_a_message_so_that_the_fault_shows() -> None:
    assert kinds(assemble([row(0, "user", "go"), row(1, "assistant"), row(2, "user", "and?")])) == [
        "user: text",
        "assistant: empty",
        "user: text",
    ]


def test_a_reminder_joins_the_user_beside_it_before_or_after() -> None:
    before = assemble([row(0, "assistant", "hi"), reminder(1), row(2, "user", "go")])
    assert kinds(before) == ["assistant: text", "user: reminder, text"]
    assert kinds(assemble([row(0, "user", "go"), reminder(1)])) == ["user: text, reminder"]
    assert kinds(assemble([row(0, "assistant", "hi"), reminder(1)])) == ["assistant: text", "user: reminder"]


def test_a_mere_link_adds_nothing() -> None:
    link = Row(1, 2, "row-1", "system:turn_duration", None)
    assert kinds(assemble([row(0, "user", "go"), link, row(2, "user", "on")])) == ["user: text, text"]


@given(arrays())
def test_no_block_is_lost_and_user_messages_never_stand_beside_each_other(messages: tuple[Message, ...]) -> None:
    rows = [r for m in messages for r in m.rows]
    assert sorted(r.uuid for r in rows) == sorted({r.uuid for r in rows})
    blocks = sum(b.kind != "empty" for m in messages for b in m.blocks)
    assert blocks == sum(len(r.blocks) for r in rows)
    roles = [m.role for m in messages]
    assert not any(a == b == "user" for a, b in pairwise(roles))


@given(st.lists(st.sampled_from(["user", "assistant"]), max_size=10))
def test_the_order_of_rows_is_kept(roles: list[str]) -> None:
    messages = assemble(row(number, role, f"{number}") for number, role in enumerate(roles))
    assert [b.head for m in messages for b in m.blocks] == [str(number) for number in range(len(roles))]
