"""Calls and results are paired with what stands beside them, as the API does it."""

from hypothesis import given

from tests.conversation.arrays import array, arrays, call, result
from workbench.conversation.pairing import pair_up
from workbench.conversation.row import Message


def test_a_call_and_the_result_in_the_next_message_are_a_pair() -> None:
    pairs = pair_up(array(("user", "go"), ("assistant", call("toolu_a")), ("user", result("toolu_a"))))
    assert [(p.id, p.name, p.call, p.result, p.status) for p in pairs.pairs] == [("toolu_a", "Bash", 1, 2, "answered")]
    assert (pairs.unanswered, pairs.unasked) == ((), ())


def test_a_call_that_the_user_talked_over_is_unanswered() -> None:
    pairs = pair_up(array(("user", "go"), ("assistant", call("toolu_a")), ("user", "stop")))
    assert pairs.unanswered == ("toolu_a",)
    assert pairs.misplaced == ()


def test_a_result_whose_call_is_gone_is_unasked() -> None:
    pairs = pair_up(array(("user", result("toolu_a")), ("assistant", "fine")))
    assert pairs.unasked == ("toolu_a",)
    assert pairs.misplaced == ()


def test_a_late_result_is_misplaced_not_lost() -> None:
    pairs = pair_up(
        array(
            ("user", "go"),
            ("assistant", call("toolu_a"), call("toolu_b")),
            ("user", result("toolu_a")),
            ("assistant", call("toolu_c")),
            ("user", result("toolu_c"), result("toolu_b")),
        )
    )
    assert (pairs.unanswered, pairs.unasked, pairs.misplaced) == (("toolu_b",), ("toolu_b",), ("toolu_b",))
    assert {p.status for p in pairs.pairs if p.id == "toolu_b"} == {"misplaced"}


def test_two_results_of_one_call_and_two_calls_of_one_id() -> None:
    twice = array(("user", "go"), ("assistant", call("toolu_a")), ("user", result("toolu_a"), result("toolu_a", error=True)))
    assert pair_up(twice).duplicate_results == ("toolu_a",)
    again = array(("user", "go"), ("assistant", call("toolu_a")), ("user", result("toolu_a")), ("assistant", call("toolu_a")))
    assert pair_up(again).duplicate_calls == ("toolu_a",)


def test_a_server_call_is_answered_within_its_own_message() -> None:
    searched = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    assert pair_up(array(("user", "go"), ("assistant", searched, found))).server_unpaired == ()
    assert pair_up(array(("user", "go"), ("assistant", searched))).server_unpaired == ("srvtoolu_1",)
    assert pair_up(array(("user", "go"), ("assistant", found))).server_unpaired == ("srvtoolu_1",)


@given(arrays())
def test_every_call_and_every_result_has_exactly_one_entry(messages: tuple[Message, ...]) -> None:
    pairs = pair_up(messages)
    blocks = [b for m in messages for b in m.blocks]
    calls = [p for p in pairs.pairs if p.call is not None]
    assert pairs.calls == len(calls) == sum(b.kind == "tool_use" for b in blocks)
    assert pairs.results == sum(b.kind == "tool_result" for b in blocks)
    answered = [p for p in pairs.pairs if p.status == "answered"]
    assert all(p.result == (p.call or 0) + 1 for p in answered)


@given(arrays())
def test_slim_blocks_pair_like_whole_ones(messages: tuple[Message, ...]) -> None:
    slim = tuple(Message(m.role, tuple(type(p)(p.block.slim(), p.row) for p in m.parts)) for m in messages)
    assert pair_up(slim) == pair_up(messages)
