"""Every invariant of a Messages API array that can be checked offline, broken once, with the API's own words."""

import base64
import struct
from dataclasses import replace

import pytest
from hypothesis import given

from tests.conversation.arrays import array, arrays, call, kinds, result, row, text, thinking
from workbench.conversation.array import assemble
from workbench.conversation.block import Block
from workbench.conversation.invariants import Request, faults_of, remarks_of, thinking_was_changed
from workbench.conversation.repair import as_sent
from workbench.conversation.row import Message, Part, Row

SOUND = (
    ("user", "go"),
    ("assistant", thinking(), call("toolu_a")),
    ("user", result("toolu_a")),
    ("assistant", "done"),
    ("user", "on"),
)
NEWEST = Request(model="claude-opus-5-5", thinking="adaptive", max_tokens=32_000)


def found(*messages: tuple[object, ...], request: Request | None = None) -> list[tuple[int | None, str, str]]:
    return [(f.number, f.kind, f.class_) for f in faults_of(array(*messages), request)]


def picture(width: int, height: int, size: int = 0) -> dict[str, object]:
    data = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\0" * size
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64.b64encode(data).decode()}}


def marked(block: dict[str, object], ttl: str | None = None) -> dict[str, object]:
    return {**block, "cache_control": {"type": "ephemeral", **({"ttl": ttl} if ttl else {})}}


def given_as(*messages: tuple[str, list[dict[str, object]]]) -> tuple[Message, ...]:
    """Messages as they are in a request: nothing joined, nothing sorted."""
    rows = [row(number, role, *content) for number, (role, content) in enumerate(messages)]
    return tuple(Message(r.role or "", tuple(Part(b, r) for b in r.blocks)) for r in rows)


def test_a_sound_array_has_no_fault_at_rest_or_sent() -> None:
    assert found(*SOUND) == []
    assert found(*SOUND, request=NEWEST) == []


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ((), (1, "no-message", "empty")),
        ((("assistant", "hi"), ("user", "go")), (2, "first-not-user", "order")),
        ((("user", "go"), ("assistant",), ("user", "on")), (6, "empty-message", "empty")),
        ((("user", text("go"), text("")),), (7, "empty-text", "empty")),
        ((("user", " \n "),), (7, "empty-text", "empty")),
        ((("user", "go"), ("assistant", call("toolu_a")), ("user", "stop")), (9, "unanswered-call", "lost")),
        (
            (("user", "go"), ("assistant", call("a")), ("user", "[Request interrupted by user]")),
            (9, "unanswered-call", "interrupted"),
        ),
        ((("user", text("go"), result("toolu_a")), ("assistant", "hm")), (10, "unasked-result", "lost")),
        (
            (
                ("user", "go"),
                ("assistant", call("a"), call("b")),
                ("user", result("a")),
                ("assistant", "hm"),
                ("user", result("b")),
            ),
            (9, "misplaced-result", "misplaced"),
        ),
        ((("user", "go"), ("assistant", call("a")), ("user", result("a"), result("a"))), (12, "duplicate-result", "duplicate")),
        (
            (("user", "go"), ("assistant", call("a")), ("user", result("a")), ("assistant", call("a")), ("user", result("a"))),
            (13, "duplicate-call", "duplicate"),
        ),
        ((("user", "go"), ("assistant", call("a.b")), ("user", result("a.b"))), (14, "bad-call-id", "history")),
        ((("user", "go"), ("assistant", thinking(None), text("hi")), ("user", "on")), (22, "thinking-unsigned", "history")),
        ((("user", *(marked(text(str(n))) for n in range(5))),), (25, "too-many-marks", "cache marks")),
        ((("user", marked(text("go")), marked(text("on"), "1h")),), (27, "mark-order", "cache marks")),
        ((("user", text("see"), picture(9_000, 10)),), (28, "image-side", "limit")),
        ((("user", text("see"), *(picture(2_100, 10) for _ in range(21))),), (28, "image-side", "limit")),
        ((("user", text("see"), picture(10, 10, 11 << 20)),), (29, "image-bytes", "limit")),
        ((("user", text("see"), *(picture(1, 1) for _ in range(601))),), (29, "too-many-media", "limit")),
        ((("user", "x" * (33 << 20)),), (30, "too-many-bytes", "limit")),
        ((("user", "go"), ("assistant", text("a"), {"type": "compaction", "content": "s"})), (32, "compaction-block", "history")),
        (
            (("user", "go"), ("assistant", {"type": "compaction", "content": None}, text("a"))),
            (32, "compaction-block", "history"),
        ),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) and len(value) == 3 and isinstance(value[0], int) else None,
)
def test_each_invariant_broken_once(messages: tuple[tuple[object, ...], ...], expected: tuple[int, str, str]) -> None:
    assert expected in found(*messages)


def test_indices_of_message_and_block_are_in_the_api_s_words() -> None:
    messages = array(("user", text("go"), text("on")), ("assistant", "hm"), ("user", result("toolu_x"), text("stop")))
    (fault,) = faults_of(messages)
    assert fault.message_index == 2
    assert (fault.line, fault.uuid, fault.id) == (3, "row-2", "toolu_x")
    assert (fault.api_error or "").startswith(
        "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_x"
    )


def test_a_misplaced_result_is_one_fault_not_two() -> None:
    early = (("user", text("go"), result("a", "real")), ("assistant", call("a")), ("user", result("a", "made up", error=True)))
    (fault,) = faults_of(array(*early))
    assert (fault.kind, fault.class_) == ("misplaced-result", "misplaced")
    assert "an error stands in its place" in fault.sentence


def test_results_spread_over_two_messages_and_results_behind_text() -> None:
    apart = given_as(
        ("user", [text("go")]),
        ("assistant", [call("a"), call("b")]),
        ("user", [result("a")]),
        ("user", [result("b")]),
    )
    assert (15, "split-results") in [(f.number, f.kind) for f in faults_of(apart)]
    behind = given_as(("user", [text("go")]), ("assistant", [call("a")]), ("user", [text("here"), result("a")]))
    assert [(f.number, f.kind) for f in faults_of(behind)] == [(11, "results-not-first")]


def test_a_reply_that_was_torn_apart_and_rows_that_are_never_sent() -> None:
    rows = [
        row(0, "user", "go"),
        row(1, "assistant", "a", message="m"),
        row(2, "user", "b"),
        row(3, "assistant", "c", message="m"),
    ]
    torn = tuple(m for r in rows for m in assemble([r]))
    assert [(f.number, f.kind, f.id) for f in faults_of(torn)] == [(34, "split-reply", "m")]
    boundary = replace(row(0, "user", "Conversation compacted"), kind="system:compact_boundary")
    assert [(f.number, f.kind) for f in faults_of(assemble([boundary]))] == [(35, "unsent-row")]


def test_a_role_that_does_not_exist() -> None:
    odd = (*array(("user", "go")), Message("system", (Part(Block("text", size=1), None),)))
    assert [(f.number, f.api_error) for f in faults_of(odd)] == [(8, "messages.1.role: Input should be 'user' or 'assistant'")]


def test_server_tools_stay_in_one_reply() -> None:
    searched = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    (fault,) = faults_of(array(("user", "go"), ("assistant", searched, text("hm")), ("user", "on")))
    assert (fault.number, fault.class_) == (16, "server pair")
    assert "without a corresponding `web_search_tool_result` block" in (fault.api_error or "")


def test_an_open_last_turn_is_no_fault_at_rest_and_one_when_sent() -> None:
    messages = (("user", "go"), ("assistant", call("a"), call("b")), ("user", result("a")))
    assert found(*messages) == []
    assert [r.kind for r in remarks_of(array(*messages))] == ["open-call"]
    assert found(*messages, request=NEWEST) == [(9, "unanswered-call", "lost")]


def test_an_empty_last_reply_and_whitespace_beside_a_call_are_remarks() -> None:
    assert found(("user", "go"), ("assistant",)) == []
    before_call = (("user", "go"), ("assistant", text("\n\n"), call("a")), ("user", result("a")))
    assert found(*before_call) == []
    assert [r.kind for r in remarks_of(array(*before_call))] == ["whitespace-text"]
    assert [f.kind for f in faults_of(array(("user", "go"), ("assistant", text("\n\n")), ("user", "on")))] == ["empty-text"]


@pytest.mark.parametrize(
    ("request_", "messages", "expected"),
    [
        (Request(model="claude-opus-4-6"), (("user", "go"), ("assistant", "so")), (4, "prefill")),
        (Request(model="claude-3-5-sonnet-20241022"), (("user", "go"), ("assistant", "so ")), (5, "trailing-whitespace")),
        (Request(tools=("Read", "Read")), (("user", "go"),), (17, "tools")),
        (Request(tools=()), SOUND, (17, "tools")),
        (Request(), (("user", "go"), ("assistant", text("a"), thinking()), ("user", "on")), (18, "thinking-last")),
        (
            Request(thinking="enabled"),
            (("user", "go"), ("assistant", call("a")), ("user", result("a"))),
            (19, "thinking-missing"),
        ),
        (Request(thinking="disabled"), (("user", "go"), ("assistant", thinking(), text("a"))), (20, "thinking-off")),
        (Request(model="claude-opus-5-5", prefix_changed=True), SOUND, (23, "thinking-bound")),
        (Request(max_tokens=4_096, thinking_budget=4_096), SOUND, (24, "thinking-budget")),
        (Request(thinking_budget=1_000), SOUND, (24, "thinking-budget")),
        (Request(window=200_000), (("user", text("see"), *(picture(1, 1) for _ in range(101))),), (29, "too-many-media")),
        (Request(window=200_000, tokens=202_609), SOUND, (31, "too-many-tokens")),
        (Request(thinking="adaptive", tool_choice="any"), SOUND, (33, "forced-tool")),
        (Request(marks=2), (("user", *(marked(text(str(n))) for n in range(3))),), (25, "too-many-marks")),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int) else None,
)
def test_what_only_a_request_can_break(
    request_: Request, messages: tuple[tuple[object, ...], ...], expected: tuple[int, str]
) -> None:
    assert expected in [(number, kind) for number, kind, _ in found(*messages, request=request_)]


def test_without_knowing_the_model_its_rules_are_not_applied() -> None:
    assert found(("user", "go"), ("assistant", "so"), request=Request()) == []
    assert found(("user", "go"), ("assistant", "so"), request=Request(model="a-model-of-tomorrow")) == []


def test_thinking_of_the_latest_reply_must_stay_as_it_was() -> None:
    before = array(("user", "go"), ("assistant", thinking(), call("a")), ("user", result("a")))
    cut = array(("user", "go"), ("assistant", call("a")), ("user", result("a")))
    assert thinking_was_changed(before, before) == ()
    assert [f.number for f in thinking_was_changed(before, cut)] == [21]


def test_cache_marks_on_what_cannot_carry_them() -> None:
    numbers = [
        n
        for n, _, _ in found(("user", text("go"), marked(text(""))), ("assistant", marked(thinking()), text("a")), ("user", "on"))
    ]
    assert numbers.count(26) == 2


@given(arrays())
def test_no_array_is_too_broken_to_be_judged(messages: tuple[Message, ...]) -> None:
    for request in (None, NEWEST):
        for fault in faults_of(messages, request):
            assert fault.sentence
            assert fault.message_index is None or 0 <= fault.message_index < max(len(messages), 1)


@given(arrays())
def test_slim_arrays_are_judged_like_whole_ones(messages: tuple[Message, ...]) -> None:
    slim = tuple(Message(m.role, tuple(Part(p.block.slim(), p.row) for p in m.parts)) for m in messages)
    assert faults_of(slim) == faults_of(messages)


@given(arrays())
def test_what_the_agent_sends_has_no_fault_of_pairs_or_of_empty_blocks(messages: tuple[Message, ...]) -> None:
    after = as_sent(messages)[0]
    numbers = {f.number for f in faults_of(after, Request())}
    assert not numbers & {2, 6, 7, 9, 10, 11, 12, 13, 15}, kinds(after)


def test_rows_without_messages_do_not_trouble_it() -> None:
    empty = Message("assistant", ())
    assert isinstance(faults_of((empty,), NEWEST), tuple)
    assert isinstance(faults_of((Message("user", (Part(Block("tool_result"), Row(0, None, "x", "user", "user")),)),)), tuple)
