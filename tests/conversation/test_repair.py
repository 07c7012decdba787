"""What the agent mends in memory before it sends an array: valid afterwards, each change with its reason, nothing invented."""

import pytest
from hypothesis import given

from tests.conversation.arrays import array, arrays, call, kinds, result, row, text, thinking
from workbench.conversation.array import assemble
from workbench.conversation.pairing import pair_up
from workbench.conversation.repair import as_sent
from workbench.conversation.row import Message


def sent(*messages: tuple[object, ...]) -> list[str]:
    return kinds(as_sent(array(*messages))[0])


def reasons(*messages: tuple[object, ...]) -> list[str]:
    return [c.kind for c in as_sent(array(*messages))[1]]


def test_a_sound_array_is_left_alone() -> None:
    sound = (("user", "go"), ("assistant", call("toolu_a")), ("user", result("toolu_a")), ("assistant", "done"))
    assert as_sent(array(*sound)) == (array(*sound), ())


def test_a_call_at_the_very_end_gets_an_error_result() -> None:
    assert sent(("user", "go"), ("assistant", call("toolu_a"))) == [
        "user: text",
        "assistant: use toolu_a",
        "user: result toolu_a",
    ]
    assert reasons(("user", "go"), ("assistant", call("toolu_a"))) == ["add-result"]


def test_a_call_that_the_user_talked_over_goes_with_its_row() -> None:
    said = [row(0, "user", "go"), row(1, "assistant", "I look.", message="m"), row(2, "assistant", call("toolu_a"), message="m")]
    assert kinds(as_sent(assemble([*said, row(3, "user", "stop")]))[0]) == ["user: text", "assistant: text", "user: text"]
    assert sent(("user", "go"), ("assistant", text("I look."), call("toolu_a")), ("user", "stop")) == ["user: text, text"]


def test_thinking_left_alone_by_a_dropped_call_goes_with_it() -> None:
    said = [row(0, "user", "go"), row(1, "assistant", thinking(), message="m"), row(2, "assistant", call("toolu_a"), message="m")]
    assert kinds(as_sent(assemble([*said, row(3, "user", "stop")]))[0]) == ["user: text, text"]


@pytest.mark.parametrize("said", [(text(""),), (text(" "),), (thinking(),), (thinking(), text(""))])
def test_a_reply_that_says_nothing_is_not_sent(said: tuple[object, ...]) -> None:
    assert sent(("user", "go"), ("assistant", *said), ("user", "on")) == ["user: text, text"]
    assert reasons(("user", "go"), ("assistant", *said), ("user", "on")) == ["drop-empty"]


@pytest.mark.parametrize("said", [("",), (text("  "),), (text(""), text(""))])
def test_an_empty_message_of_the_user_still_parts_two_replies(said: tuple[object, ...]) -> None:
    found = as_sent(array(("user", "go"), ("assistant", "a"), ("user", *said), ("assistant", "b")))[0]
    assert kinds(found) == ["user: text", "assistant: text", "user: text", "assistant: text"]
    assert not found[2].blocks[0].blank


def test_beside_something_that_is_said_an_empty_text_goes() -> None:
    assert sent(("user", "go"), ("assistant", "a"), ("user", text(""), text("x"))) == [
        "user: text",
        "assistant: text",
        "user: text",
    ]


def test_a_parallel_call_in_a_row_of_its_own_goes_with_it() -> None:
    calls = [row(1, "assistant", call("toolu_a"), message="m"), row(2, "assistant", call("toolu_b"), message="m")]
    said = [row(0, "user", "go"), *calls, row(3, "user", result("toolu_a")), row(4, "assistant", "next")]
    assert kinds(as_sent(assemble(said))[0])[1:] == ["assistant: use toolu_a", "user: result toolu_a", "assistant: text"]


def test_a_call_whose_result_came_too_late_keeps_its_place_with_an_error_result() -> None:
    late = (("user", "go"), ("assistant", call("toolu_a")), ("user", "stop"), ("assistant", "ok"), ("user", result("toolu_a")))
    assert sent(*late)[1:4] == ["assistant: use toolu_a", "user: result toolu_a, text", "assistant: text"]
    behind_a_reply = (("user", "go"), ("assistant", call("toolu_a")), ("assistant", "ok"), ("user", result("toolu_a")))
    assert sent(*behind_a_reply)[1:4] == ["assistant: use toolu_a", "user: result toolu_a", "assistant: text"]


def test_in_an_open_last_turn_the_error_result_comes_behind_the_real_ones() -> None:
    calls = [row(1, "assistant", call("toolu_a"), message="m"), row(2, "assistant", call("toolu_b"), message="m")]
    said = [row(0, "user", "go"), *calls, row(3, "user", result("toolu_a"))]
    assert kinds(as_sent(assemble(said))[0])[2:] == ["user: result toolu_a, result toolu_b"]


def test_a_stray_result_between_two_replies_leaves_a_text_that_parts_them() -> None:
    assert sent(("user", "go"), ("assistant", "one"), ("user", result("toolu_x")), ("assistant", "two")) == [
        "user: text",
        "assistant: text",
        "user: text",
        "assistant: text",
    ]


def test_a_stray_result_at_the_end_leaves_the_turn_open() -> None:
    assert sent(("user", "go"), ("assistant", call("toolu_a")), ("user", result("other"))) == [
        "user: text",
        "assistant: use toolu_a",
        "user: result toolu_a",
    ]


def test_among_parallel_calls_the_missing_result_is_an_error_and_comes_first() -> None:
    assert sent(
        ("user", "go"), ("assistant", call("toolu_a"), call("toolu_b")), ("user", result("toolu_a")), ("assistant", "ok")
    ) == [
        "user: text",
        "assistant: use toolu_a, use toolu_b",
        "user: result toolu_b, result toolu_a",
        "assistant: text",
    ]


def test_of_two_results_the_first_stays() -> None:
    messages, _ = as_sent(
        array(("user", "go"), ("assistant", call("toolu_a")), ("user", result("toolu_a", "first"), result("toolu_a", "second")))
    )
    assert [b.head for b in messages[2].blocks] == ["first"]


def test_a_result_before_its_call_goes_behind_it_and_the_made_up_one_goes() -> None:
    messages, changes = as_sent(
        array(
            ("user", text("go"), result("toolu_a", "real")),
            ("assistant", call("toolu_a")),
            ("user", result("toolu_a", "made up", error=True)),
        )
    )
    assert kinds(messages) == ["user: text", "assistant: use toolu_a", "user: result toolu_a"]
    assert [b.head for b in messages[2].blocks] == ["real"]
    assert [c.kind for c in changes] == ["drop-result", "move-result"]


def test_thinking_of_another_model_is_left_out() -> None:
    messages = array(("user", "go"), ("assistant", thinking(), text("hi")))
    assert kinds(as_sent(messages, "claude-sonnet-5")[0]) == ["user: text", "assistant: text"]
    assert as_sent(messages, "claude-opus-4-5")[0] == messages


def test_every_change_names_its_rows_and_a_reason() -> None:
    broken = (("user", text("go"), result("toolu_x")), ("assistant", call("toolu_a")), ("user", text(""), text("stop")))
    _, changes = as_sent(array(*broken))
    assert [(c.kind, c.uuids) for c in changes] == [
        ("drop-result", ("row-0",)),
        ("drop-call", ("row-1",)),
        ("drop-empty-text", ("row-2",)),
    ]
    assert all(c.reason for c in changes)


@given(arrays())
def test_the_result_has_no_unpaired_call(messages: tuple[Message, ...]) -> None:
    pairs = pair_up(as_sent(messages)[0])
    assert (pairs.unanswered, pairs.unasked, pairs.duplicate_results, pairs.duplicate_calls) == ((), (), (), ())


@given(arrays())
def test_once_is_as_good_as_twice(messages: tuple[Message, ...]) -> None:
    once, _ = as_sent(messages)
    twice, changes = as_sent(once)
    assert kinds(twice) == kinds(once)
    assert changes == ()


@given(arrays())
def test_what_stays_stays_in_order(messages: tuple[Message, ...]) -> None:
    """Texts and calls keep their order; only results may move."""
    before = [id(b) for m in messages for b in m.blocks if b.kind in ("text", "tool_use")]
    after = [id(b) for m in as_sent(messages)[0] for b in m.blocks if b.kind in ("text", "tool_use")]
    assert [b for b in after if b in set(before)] == [b for b in before if b in set(after)]


@given(arrays())
def test_no_real_result_beside_its_call_is_lost(messages: tuple[Message, ...]) -> None:
    pairs = pair_up(messages)
    once = {p.id for p in pairs.pairs if p.call is not None} - set(pairs.duplicate_calls)
    good = {p.id for p in pairs.pairs if p.status == "answered" and not p.error} & once - set(pairs.duplicate_results)
    after = {p.id for p in pair_up(as_sent(messages)[0]).pairs if p.status == "answered" and not p.error}
    assert good <= after
