"""A repaired copy: the fault is gone, the rest is the same bytes, and a second repair finds nothing to do."""

import json
from collections.abc import Iterable

import pytest

from tests.builders import (
    Record,
    boundary,
    call,
    file_of,
    last_prompt,
    lines_of,
    linked,
    read,
    reply,
    result,
    session_of,
    summary,
    text,
    thinking,
    user,
    uuid,
)
from workbench.conversation.pairing import pair_up
from workbench.conversation.row import Message
from workbench.errors import WriteRefused
from workbench.evidence.advice import NOTHING_LEFT
from workbench.evidence.doctor import diagnose
from workbench.export.repair import Repair, repaired
from workbench.transcript.session import Session


def content(repair: Repair) -> bytes:
    return b"".join(repair.chunks())


def mended(session: Session) -> Repair:
    """The repair of a session, held to what every repair promises."""
    repair = repaired(session)
    again = read(content(repair))
    before = {f.fault.kind for f in diagnose(session).repairable}
    found = diagnose(again)
    assert not before & {f.fault.kind for f in found.findings}
    assert not found.repairable
    assert not repaired(again).is_needed
    standing = iter(content(repair).split(b"\n"))
    edited = {e.line for e in repair.edits}
    untouched = [line for number, line in enumerate(session.reader.read(0, 1 << 30).split(b"\n"), 1) if number not in edited]
    assert all(any(line == each for each in standing) for line in untouched), "untouched lines stay, in their order"
    return repair


def sent(repair: Repair) -> list[str]:
    """The array that the repaired copy loads, in short."""
    return short(repair.session.array(repair.session.chain))


def short(messages: Iterable[Message]) -> list[str]:
    return [f"{m.role}: {', '.join(_short(b.kind, b.call, b.head, b.error) for b in m.blocks)}" for m in messages]


def _short(kind: str, call_id: str, head: str, error: bool) -> str:
    if kind == "tool_use":
        return call_id
    return f"{call_id}={head}{'!' if error else ''}" if kind == "tool_result" else head if kind == "text" else kind


def record(repair: Repair, number: int) -> Record:
    """The record with a number in the repaired copy."""
    found: Record = next(r for r in map(json.loads, content(repair).splitlines()) if r.get("uuid") == uuid(number))
    return found


def reasons(repair: Repair) -> list[str]:
    return [c.kind for c in repair.changes]


def test_a_sound_session_is_copied_byte_for_byte() -> None:
    sound = file_of(user(1, "hé \u2028"), reply(2, call("a")), user(3, result("a")), last_prompt(3))
    repair = mended(read(sound))
    assert (repair.is_needed, repair.diff, content(repair)) == (False, (), sound)


def test_an_open_last_turn_is_left_alone() -> None:
    assert not repaired(session_of(user(1, "hi"), reply(2, call("a"), call("b")), user(3, result("a")))).is_needed
    assert not repaired(session_of(user(1, "hi"), reply(2, "so"))).is_needed


def test_a_call_that_was_talked_over_goes_and_what_it_said_stays() -> None:
    repair = mended(session_of(user(1, "hi"), reply(2, "I look.", call("a")), user(3, "stop"), reply(4, "ok")))
    assert sent(repair) == ["user: hi", "assistant: I look.", "user: stop", "assistant: ok"]
    alone = mended(session_of(user(1, "hi"), reply(2, call("a")), user(3, "stop"), reply(4, "ok")))
    assert sent(alone) == ["user: hi, stop", "assistant: ok"]
    assert record(alone, 3)["parentUuid"] == uuid(1)


def test_a_reply_of_which_only_thinking_is_left_goes_whole() -> None:
    said = (reply(2, thinking(), message="m"), reply(3, call("a"), message="m"))
    assert sent(mended(session_of(user(1, "hi"), *said, user(4, "stop"), reply(5, "ok")))) == ["user: hi, stop", "assistant: ok"]


def test_a_missing_result_among_parallel_calls_becomes_an_error_first_among_them() -> None:
    said = (reply(2, call("a"), message="m"), reply(3, call("b"), message="m"))
    repair = mended(session_of(user(1, "hi"), *said, user(4, result("b", "B")), reply(5, "k"), user(6, "on")))
    assert sent(repair)[1:3] == ["assistant: a, b", "user: a=No result was recorded for this call.!, b=B"]
    made = json.loads(content(repair).split(b"\n")[3])
    assert (made["parentUuid"], record(repair, 4)["parentUuid"]) == (uuid(3), made["uuid"])
    assert made["timestamp"] == "2026-03-01T09:00:03.001Z"
    assert {k: made[k] for k in ("sessionId", "cwd", "version")} == {
        k: record(repair, 3)[k] for k in ("sessionId", "cwd", "version")
    }


def test_a_late_result_moves_as_a_row_or_as_a_block() -> None:
    alone = session_of(
        user(1, "hi"), reply(2, call("a")), reply(3, "hm"), user(4, result("a", "A")), user(5, "on"), reply(6, "k")
    )
    repair = mended(alone)
    assert sent(repair) == ["user: hi", "assistant: a", "user: a=A", "assistant: hm", "user: on", "assistant: k"]
    assert [json.loads(line)["uuid"] for line in content(repair).splitlines()] == [uuid(n) for n in (1, 2, 4, 3, 5, 6)]
    with_words = session_of(
        user(1, "hi"), reply(2, call("a")), reply(3, "hm"), user(4, result("a", "A"), text("on")), reply(5, "k")
    )
    assert sent(mended(with_words)) == ["user: hi", "assistant: a", "user: a=A", "assistant: hm", "user: on", "assistant: k"]
    beside = session_of(
        user(1, "hi"),
        reply(2, call("a"), call("b")),
        user(3, result("a", "A")),
        reply(4, call("c")),
        user(5, result("c", "C"), result("b", "B")),
    )
    assert sent(mended(beside)) == ["user: hi", "assistant: a, b", "user: a=A, b=B", "assistant: c", "user: c=C"]


def test_a_real_result_takes_the_place_of_a_made_up_one_wherever_it_stands() -> None:
    early = session_of(
        user(1, "hi"),
        user(2, result("a", "real")),
        reply(3, call("a")),
        user(4, result("a", "made up", error=True)),
        reply(5, "k"),
    )
    repair = mended(early)
    assert sent(repair) == ["user: hi", "assistant: a", "user: a=real", "assistant: k"]
    late = session_of(
        user(1, "hi"),
        reply(2, call("a")),
        user(3, result("a", "made up", error=True)),
        reply(4, "hm"),
        user(5, result("a", "real")),
        reply(6, "k"),
    )
    assert sent(mended(late))[:3] == ["user: hi", "assistant: a", "user: a=real"]
    assert reasons(repair) == ["move-result"]
    assert repair.restores == repair.changes


def test_what_follows_hangs_on_the_result_that_takes_the_place_of_several() -> None:
    made = (user(4, result("a", "made up", error=True), result("a", "made up", error=True)), reply(5, "k"))
    repair = mended(session_of(user(1, "hi"), user(2, result("a", "real")), reply(3, call("a")), *made, last_prompt(4)))
    assert sent(repair) == ["user: hi", "assistant: a", "user: a=real", "assistant: k"]


def test_of_two_results_the_first_that_is_no_error_stays() -> None:
    for first, second in (({}, {"error": True}), ({"error": True}, {})):
        twice = (user(3, result("a", "one", **first)), user(4, result("a", "two", **second)))
        repair = mended(session_of(user(1, "hi"), reply(2, call("a")), *twice, user(5, "ok?")))
        assert sent(repair)[2] == f"user: a={'two' if first else 'one'}, ok?"


def test_a_result_that_nobody_asked_for_goes_with_its_row() -> None:
    repair = mended(session_of(user(1, "hi"), reply(2, "a"), user(3, result("x", "?")), user(4, "on"), last_prompt(3)))
    assert sent(repair) == ["user: hi", "assistant: a", "user: on"]
    assert b'"leafUuid":"' + uuid(2).encode() in content(repair), "a last-prompt that named the row names its parent"


def test_ids_used_twice_and_ids_that_the_api_refuses() -> None:
    again = session_of(
        user(1, "hi"),
        reply(2, call("a")),
        user(3, result("a", "1")),
        reply(4, call("a")),
        user(5, result("a", "2")),
        reply(6, "k"),
    )
    pairs = pair_up(mended(again).session.array(mended(again).session.chain))
    assert [p.status for p in pairs.pairs] == ["answered", "answered"]
    assert len({p.id for p in pairs.pairs}) == 2
    odd = session_of(user(1, "hi"), reply(2, call("call:1.x")), user(3, result("call:1.x")), reply(4, "k"))
    assert sent(mended(odd))[1:3] == ["assistant: call_1_x", "user: call_1_x=ok"]


def test_what_is_empty_goes_and_its_cache_mark_moves() -> None:
    marked = {"type": "text", "text": "", "cache_control": {"type": "ephemeral"}}
    rows = (user(1, text("hi"), marked), reply(2, text(""), call("a")), user(3, result("a", "")), reply(4, "k"), user(5, "on"))
    repair = mended(session_of(*rows, reply(6), user(7, None)))
    assert sent(repair) == ["user: hi", "assistant: a", "user: a=", "assistant: k", "user: on"]
    assert record(repair, 1)["message"]["content"] == [{**text("hi"), "cache_control": {"type": "ephemeral"}}]


def test_thinking_without_signature_and_lonely_server_blocks_go() -> None:
    searched = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    rows = (
        user(1, "hi"),
        reply(2, thinking(signature=None), text("a"), searched),
        user(3, "on"),
        reply(4, thinking(), text("b")),
    )
    assert sent(mended(session_of(*rows))) == ["user: hi", "assistant: a", "user: on", "assistant: thinking, b"]


def test_a_history_that_starts_with_a_reply_gets_a_user_before_it() -> None:
    repair = mended(session_of(reply(2, "a", parent=uuid(1)), user(3, "on"), reply(4, "b")))
    assert sent(repair)[0].startswith("user: [")
    assert json.loads(content(repair).split(b"\n")[0])["isMeta"] is True


def test_the_cut_moves_back_in_list_and_segment() -> None:
    kept = {
        "preservedSegment": {"headUuid": uuid(3), "anchorUuid": uuid(6), "tailUuid": uuid(4)},
        "preservedMessages": {"anchorUuid": uuid(6), "uuids": [uuid(3), uuid(4)], "allUuids": [uuid(3), uuid(4), "elsewhere"]},
    }
    before = (user(1, "hi"), reply(2, call("a")), user(3, result("a", "A")), reply(4, "seen"))
    repair = mended(session_of(*before, boundary(5, metadata=kept), summary(6, "Sum."), user(7, "on")))
    assert sent(repair) == ["user: Sum.", "assistant: a", "user: a=A", "assistant: seen", "user: on"]
    metadata = record(repair, 5)["compactMetadata"]
    assert metadata["preservedSegment"]["headUuid"] == uuid(2)
    assert metadata["preservedMessages"]["uuids"] == [uuid(2), uuid(3), uuid(4)]
    assert metadata["preservedMessages"]["allUuids"] == [uuid(2), uuid(3), uuid(4), "elsewhere"]
    assert reasons(repair) == ["move-cut"]


def test_a_kept_part_names_the_rows_that_are_there() -> None:
    kept = {"preservedMessages": {"anchorUuid": uuid(6), "uuids": [uuid(3), uuid(99), uuid(4)]}}
    before = (user(1, "hi"), reply(2, "a"), user(3, "more"), reply(4, "b"))
    repair = mended(session_of(*before, boundary(5, metadata=kept), summary(6, "Sum."), user(7, "on")))
    assert sent(repair) == ["user: Sum., more", "assistant: b", "user: on"]


def test_a_bypassed_boundary_counts_again() -> None:
    before = (user(1, "hi"), reply(2, "a"), boundary(3), summary(4, "Sum."), user(5, "restored", isMeta=True))
    repair = mended(session_of(*before, user(6, "next", parent=2), reply(7, "b")))
    assert sent(repair) == ["user: Sum., restored, next", "assistant: b"]
    assert record(repair, 6)["parentUuid"] == uuid(5), "behind all that was restored after the summary"


def test_rows_before_the_last_boundary_are_never_touched() -> None:
    kept = {"preservedMessages": {"anchorUuid": uuid(5), "uuids": [uuid(3)]}}
    sealed = (user(1, "\0", parent=uuid(90)), reply(2, call("x")), user(3, text(""), result("y"), text("kept")))
    rows = (*sealed, boundary(4, metadata=kept), summary(5), reply(6, call("z")), user(7, "stop"), reply(8, "k"))
    repair = mended(session_of(*rows))
    assert content(repair).split(b"\n")[:4] == lines_of(*rows)[:4]
    assert reasons(repair) == ["drop-call"]


def test_missing_parents_are_linked_to_the_row_that_bridged_them() -> None:
    repair = mended(session_of(user(1, "hi"), reply(2, "a"), user(3, "on", parent=uuid(90)), reply(4, "b")))
    assert record(repair, 3)["parentUuid"] == uuid(2)
    assert [e.line for e in repair.edits] == [3]


def test_a_uuid_of_two_rows_becomes_two_and_a_row_written_twice_becomes_one() -> None:
    rows = (user(1, "hi"), reply(2, "a"), user(3, "x"), reply(4, "b"), user(3, "y", parent=4), reply(5, "c", parent=3))
    repair = mended(session_of(*rows, last_prompt(3)))
    assert sent(repair) == ["user: hi", "assistant: a", "user: x", "assistant: b", "user: y", "assistant: c"]
    fresh = json.loads(content(repair).split(b"\n")[4])["uuid"]
    assert (record(repair, 5)["parentUuid"], json.loads(content(repair).split(b"\n")[6])["leafUuid"]) == (fresh, fresh)
    same = linked([user(1, "hi"), reply(2, call("a"))])
    twice = mended(session_of(*same, same[1], user(3, result("a")), reply(4, "k")))
    assert sent(twice) == ["user: hi", "assistant: a", "user: a=ok", "assistant: k"]
    assert len(content(twice).splitlines()) == 4


def test_a_circle_is_cut_where_it_closes() -> None:
    repair = mended(session_of(user(1, "hi", parent=4), reply(2, "a"), user(3, "on"), reply(4, "b")))
    assert record(repair, 1)["parentUuid"] is None
    assert len(repair.session.chain.places) == 4


def test_whole_records_of_damaged_lines_stand_on_lines_of_their_own() -> None:
    one, two, three, four, five = lines_of(user(1, "hi"), reply(2, "a"), user(3, "on"), reply(4, "b"), user(5, "end"))
    damaged = (
        one + b"\n" + two[:50] + two + three + b"\n\x00\x00\n// note\n" + four.replace(b'"b"', b'"b\x00\x1b"') + b"\n" + five[:40]
    )
    repair = mended(read(damaged))
    *lines, end = content(repair).split(b"\n")
    assert lines[:3] == [one, two, three]
    assert end == b""
    assert json.loads(lines[3])["message"]["content"] == [text("b\u2400\x1b")]
    assert sent(repair) == ["user: hi", "assistant: a", "user: on", "assistant: b\u2400\x1b"]
    assert repair.restores


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_mark_and_line_ends_of_the_file_stay(end: bytes) -> None:
    lines = lines_of(user(1, text(""), text("hi")), reply(2, "a"), user(3, text("")), user(4, "on"))
    repair = mended(read(b"\xef\xbb\xbf" + b"".join(line + end for line in lines)))
    assert content(repair).startswith(b"\xef\xbb\xbf{")
    assert content(repair).count(end) == 3
    assert content(repair).split(end)[1] == lines[1]


def test_bad_characters_are_replaced_in_place_and_pairs_are_not() -> None:
    raw = json.dumps(linked([user(1, "a \ud99c \0 \ud83d\ude00 \\u0000 \u2400")])[0]).encode()
    repair = mended(read(raw + b"\n" + lines_of(reply(2, "ok", parent=1))[0] + b"\n"))
    assert content(repair).split(b"\n")[0] == raw.replace(b"\\ud99c", b"\\ufffd").replace(b" \\u0000", b" \\u2400", 1)


def test_a_row_that_alone_made_its_branch_the_newest_is_emptied_not_dropped() -> None:
    base = (user(1, "hi"), reply(2, "a"), user(3, "rewound"), reply(4, "b"), user(5, text(""), parent=2))
    repair = mended(session_of(*base))
    assert [m.split(":")[0] for m in sent(repair)] == ["user", "assistant", "user"]
    assert "rewound" not in str(sent(repair))


def test_the_rest_of_a_reply_stays_on_the_chain_when_its_first_row_goes() -> None:
    fork = (reply(2, text(""), message="m"), reply(3, call("b"), message="m"), user(4, result("b", "B")), reply(5, "k", parent=2))
    assert sent(mended(session_of(user(1, "hi"), *fork, user(6, "on")))) == [
        "user: hi",
        "assistant: b",
        "user: b=B",
        "assistant: k",
        "user: on",
    ]


def test_a_row_made_for_the_main_chain_is_one_of_it_beside_a_stray_row_of_a_sub_agent() -> None:
    for parent in (None, uuid(99)):
        stray = reply(1, "b", parent=parent, isSidechain=True, agentId="a1")
        repair = mended(session_of(stray, user(2, "next"), reply(3, "all")))
        assert reasons(repair) == ["add-marker"]
        made = json.loads(content(repair).split(b"\n")[0])
        assert (made["isSidechain"], made.get("agentId"), record(repair, 1)["parentUuid"]) == (False, None, made["uuid"])
        assert [m.split(": ")[1] for m in sent(repair)][1:] == ["b", "next", "all"]
    own = mended(session_of(reply(1, "b", isSidechain=True, agentId="a1"), user(2, "next", isSidechain=True)))
    made = json.loads(content(own).split(b"\n")[0])
    assert (made["isSidechain"], made["agentId"]) == (True, "a1"), "in a sub-agent's file every row is the sub-agent's"


def test_a_made_row_never_becomes_the_newest_of_the_file() -> None:
    last_is_first = (user(2, "next", parent=1), reply(3, "all"), reply(1, "b", parent=None, isSidechain=True))
    repair = mended(session_of(*last_is_first))
    assert [m.split(": ")[1] for m in sent(repair)][1:] == ["b", "next", "all"]


def test_a_row_made_twice_for_one_parent_has_a_uuid_of_its_own() -> None:
    made = json.loads(content(repaired(session_of(reply(1, "a"), user(2, "b")))).split(b"\n")[0])["uuid"]
    repair = mended(session_of(reply(1, "a"), user(2, "b"), {**user(3, "c"), "uuid": made}))
    uuids = [json.loads(line)["uuid"] for line in content(repair).splitlines()]
    assert len(set(uuids)) == 4


def test_rows_out_of_file_order_are_mended_and_the_branch_stays() -> None:
    rows = (user(1, "q", parent=None), user(3, "more", parent=2), reply(2, text(""), text("a"), parent=1))
    repair = mended(session_of(*rows, reply(4, parent=3), user(5, None, parent=4)))
    assert sent(repair) == ["user: q", "assistant: a", "user: more"]


def test_what_leads_to_another_branch_keeps_nothing_else_from_being_mended() -> None:
    """The newest row of this branch is empty, and so is one before it."""
    beside = reply(9, "elsewhere", parent=1)
    rows = (user(1, "hi"), beside, reply(2, text(""), text("a"), parent=1), user(3, text(""), text("b")), reply(4, text(""), "c"))
    assert sent(mended(session_of(*rows))) == ["user: hi", "assistant: a", "user: b", "assistant: c"]


def test_calls_and_results_without_an_id_are_paired_in_their_order() -> None:
    for nothing in ("", None):
        calls = ({**call("x"), "id": nothing}, {**call("y"), "id": nothing})
        results = [{**result("x", said), "tool_use_id": nothing} for said in ("1", "2", "nobody asked")]
        repair = mended(session_of(user(1, "q"), reply(2, *calls), user(3, *results[:1]), user(4, *results[1:]), reply(5, "k")))
        one, two = (b["id"] for b in record(repair, 2)["message"]["content"])
        assert one != two
        assert sent(repair)[1:3] == [f"assistant: {one}, {two}", f"user: {one}=1, {two}=2"]


def test_what_another_reply_says_in_the_midst_of_one_goes_behind_its_result() -> None:
    first = (reply(2, "Looking.", message="m"), reply(3, "More.", message="n", parent=1), reply(4, call("a"), message="m"))
    repair = mended(session_of(user(1, "hi"), *first, user(5, result("a", "A")), reply(6, "Done."), last_prompt(6)))
    assert sent(repair) == ["user: hi", "assistant: Looking., a", "user: a=A", "assistant: More.", "assistant: Done."]
    assert reasons(repair) == ["move-row"]
    unanswered = mended(session_of(user(1, "hi"), *first, user(5, "on"), reply(6, "Done."), last_prompt(4)))
    assert sorted(sent(unanswered)[1:3]) == ["assistant: Looking.", "assistant: More."], "what the call held on the chain stays"


def test_kept_rows_hang_where_the_compaction_says_and_are_not_linked_anew() -> None:
    later = {"preservedMessages": {"anchorUuid": uuid(5), "uuids": [uuid(6)]}}
    session = session_of(user(1, "a"), reply(2, "b"), boundary(4, metadata=later), {**summary(5), "type": "note"}, reply(6, "on"))
    assert not repaired(session).is_needed
    assert [(f.fault.kind, f.repairable) for f in diagnose(session).findings] == [("first-not-user-before-boundary", False)]
    itself = {"preservedMessages": {"anchorUuid": uuid(5), "uuids": [uuid(5)]}}
    circle = session_of(user(1, "a"), reply(2, "b"), boundary(4, metadata=itself), summary(5))
    assert not repaired(circle).is_needed
    assert not diagnose(circle).repairable


def test_what_stands_in_a_summary_is_never_changed() -> None:
    told = user(3, result("x", "the summary"), isCompactSummary=True)
    session = session_of(user(1, "hi"), boundary(2), told, reply(4, "on"))
    assert not repaired(session).is_needed
    assert [(f.fault.kind, f.repairable) for f in diagnose(session).findings] == [("unasked-result", False)]


def test_where_nothing_would_be_left_no_copy_is_made() -> None:
    nothing = (user(1, ""), reply(2), user(3, text(" "), result("x")), reply(4, thinking(signature=None)))
    requests = [[{"role": "user", "content": " "}], [{"role": "user", "content": [result("x")]}]]
    for session in (session_of(*nothing, last_prompt(4)), *(read(json.dumps(m).encode()) for m in requests)):
        with pytest.raises(WriteRefused, match="no message"):
            content(repaired(session))
        found = diagnose(session)
        assert found.findings
        assert not found.repairable
        assert {f.advice for f in found.findings} == {NOTHING_LEFT}


def test_where_more_is_loaded_by_a_repair_nothing_is_given_up() -> None:
    one, two, three = lines_of(user(1, ""), user(2, "hi"), reply(3, "a"))
    repair = mended(read(one + b"\n" + b"{torn" + two + b"\n" + three.replace(b'"a"', b'" "') + b"\n"))
    assert sent(repair)[0] == "user: hi"


def given(*messages: Record) -> tuple[list[Record], Repair]:
    """The messages of a repaired request, held to what every repair promises."""
    session = read(json.dumps({"messages": list(messages)}).encode())
    repair = repaired(session)
    again = read(content(repair))
    assert not diagnose(again).repairable
    assert content(repaired(again)) == content(repair)
    assert not repaired(again).is_needed
    return json.loads(content(repair))["messages"], repair


def test_results_of_one_reply_are_joined_in_messages_api_json() -> None:
    asked = [{"role": "user", "content": "a"}, {"role": "assistant", "content": [call("t"), call("u")]}]
    apart = ({"role": "user", "content": [result("t")]}, {"role": "assistant", "content": "hm"})
    messages, repair = given(*asked, *apart, {"role": "user", "content": [result("u")]})
    assert messages == [*asked, {"role": "user", "content": [result("u"), result("t")]}, apart[1]]
    assert reasons(repair) == ["move-result", "join-messages"]
    assert any(line.startswith("+") for line in repair.diff[2:])


def test_results_are_put_first_in_messages_api_json_and_that_is_a_change() -> None:
    asked = [{"role": "user", "content": "a"}, {"role": "assistant", "content": [call("t")]}]
    messages, repair = given(*asked, {"role": "user", "content": [text("hm"), result("t"), "loose"]})
    assert messages[2]["content"] == [result("t"), text("hm"), "loose"]
    assert reasons(repair) == ["sort-results"]


def test_messages_of_other_roles_stay_in_messages_api_json() -> None:
    others = ({"role": "system", "content": "x"}, {"role": "tool", "content": "y"}, {"role": "user", "content": "z"})
    messages, repair = given(*others, {"role": "system", "content": "w"})
    assert (messages[:3], len(messages), repair.changes) == (list(others), 4, ())
    between = ({"role": "user", "content": "q"}, {"role": "assistant", "content": [call("t")]}, others[0])
    messages, _ = given(*between, {"role": "user", "content": [result("t")]})
    assert [m["role"] for m in messages] == ["user", "assistant", "user", "system"]


def test_an_empty_message_beside_another_of_the_user_goes_from_messages_api_json() -> None:
    marked = {**text(""), "cache_control": {"type": "ephemeral"}}
    messages, _ = given(
        {"role": "user", "content": "q"}, {"role": "user", "content": []}, {"role": "user", "content": [None, marked]}
    )
    assert messages == [{"role": "user", "content": "q"}, {"role": "user", "content": [None]}]


def test_a_result_in_a_message_of_the_wrong_role_is_moved_into_one_of_the_user() -> None:
    asked = ({"role": "user", "content": "q"}, {"role": "assistant", "content": [call("t")]})
    messages, _ = given(*asked, {"role": "assistant", "content": [result("t"), text("so")]})
    assert [m["role"] for m in messages] == ["user", "assistant", "user", "assistant"]
    assert messages[2]["content"] == [result("t")]


def test_messages_api_json_is_repaired_as_messages() -> None:
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [call("a"), call("b")]},
        {"role": "user", "content": [text("here"), result("a", "A")]},
        {"role": "user", "content": [result("b", "B")]},
        {"role": "assistant", "content": [text("")]},
        {"role": "user", "content": "end"},
    ]
    request = {"model": "claude-opus-4-6", "tools": [{"name": "Bash"}], "messages": messages}
    repaired_request = json.loads(content(repaired(read(json.dumps(request).encode()))))
    assert repaired_request["tools"] == request["tools"]
    assert repaired_request["messages"][:2] == messages[:2]
    assert [b["type"] for b in repaired_request["messages"][2]["content"]] == ["tool_result", "tool_result", "text", "text"]
    bare = json.loads(content(repaired(read(json.dumps(messages[:2]).encode()))))
    assert bare == messages[:2]
    sending = json.loads(content(repaired(read(json.dumps({**request, "messages": messages[:2]}).encode()))))
    assert [b["is_error"] for b in sending["messages"][2]["content"]] == [True, True]


def test_the_same_file_is_repaired_the_same_way_every_time() -> None:
    broken = file_of(
        user(1, "hi"), reply(2, call("a"), call("b")), user(3, result("a")), reply(4, call("a")), user(5, "x"), reply(6, "k")
    )
    assert content(repaired(read(broken))) == content(repaired(read(broken)))


def test_the_diff_tells_paths_and_is_safe_to_show() -> None:
    repair = mended(
        session_of(user(1, "hi"), reply(2, text("\x1b[31mred"), text(""), call("a")), user(3, "stop\x9b"), reply(4, "k"))
    )
    head, *hunks = repair.diff
    assert head == "--- session.jsonl"
    assert f"@@ line 2, assistant {uuid(2)} @@" in hunks
    assert any(line.startswith('-message.content[2]: {"type":"tool_use"') for line in hunks)
    assert all(line.isprintable() for line in repair.diff)


def test_the_diff_of_a_long_text_shows_what_has_changed() -> None:
    half = json.dumps(linked([user(1, "A" * 300 + "\ud800" + "B" * 300)])[0]).encode()
    repair = mended(read(half + b"\n" + lines_of(reply(2, "ok", parent=1))[0] + b"\n"))
    old, new = repair.diff[-2:]
    assert ("A\\ud800B" in old, "A\ufffdB" in new) == (True, True)
    assert max(len(old), len(new)) < 140
    assert old != new


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("a\ud800", "lone surrogates become U+FFFD"),
        ("a\0", "NUL characters become U+2400"),
        ("\0\ud800", "lone surrogates become U+FFFD, NUL characters become U+2400"),
    ],
)
def test_only_the_characters_that_are_there_are_said_to_be_replaced(said: str, words: str) -> None:
    repair = mended(read(json.dumps(linked([user(1, said)])[0]).encode() + b"\n"))
    assert [c.reason for c in repair.changes] == [f"line 1: {words}"]


def test_a_boundary_that_was_copied_with_its_summary_is_dropped_and_nothing_else_changes() -> None:
    twice = [boundary(3), summary(4)]
    session = session_of(user(1, "a"), reply(2, "b"), *twice, *twice, reply(5, "c"))
    assert [(f.fault.kind, f.repair) for f in diagnose(session).findings] == [("copied-row", "the copy is dropped")] * 2
    repair = mended(session)
    assert reasons(repair) == ["drop-copy", "drop-copy"]
    assert (repair.restores, repair.gain) == ((), "")
    assert sent(repair) == short(session.array(session.chain))


def test_what_a_repair_gains_is_what_it_gains() -> None:
    before = (user(1, "hi"), reply(2, "a"), boundary(3), summary(4, "Sum."))
    assert "counts again" in mended(session_of(*before, user(6, "next", parent=2), reply(7, "b"))).gain
    late = session_of(user(1, "hi"), reply(2, call("a")), reply(3, "hm"), user(4, result("a", "A")), user(5, "on"))
    assert "More is loaded" in mended(late).gain
    assert mended(session_of(user(1, text(""), "hi"), reply(2, "a"))).gain == ""


def test_a_moved_row_is_shown_where_it_was_and_where_it_goes() -> None:
    repair = mended(session_of(user(1, "hi"), reply(2, call("a")), reply(3, "hm"), user(4, result("a", "A")), reply(5, "k")))
    assert any(line.startswith("-the row user") and line.endswith("(moves to line 2)") for line in repair.diff)
    assert any(line.startswith("+the row user") and line.endswith("(from line 4)") for line in repair.diff)
