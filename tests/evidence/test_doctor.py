"""What the doctor says of each kind of fault: evidence, the API's words, the agent's own repair, and ours."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import (
    SESSION,
    Record,
    attachment,
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
from workbench.errors import SessionError
from workbench.evidence.doctor import diagnose
from workbench.evidence.finding import Diagnosis, Finding

SOUND = (user(1, "hi"), reply(2, call("toolu_a")), user(3, result("toolu_a")), reply(4, "done"))


def only(found: Diagnosis) -> Finding:
    (finding,) = found.findings
    return finding


def remarks(found: Diagnosis) -> list[str]:
    return [r.fault.kind for r in found.remarks]


def test_a_sound_session_has_no_fault_and_nothing_to_remark() -> None:
    found = diagnose(session_of(*SOUND))
    assert (found.findings, found.remarks, found.changes, found.counts) == ((), (), (), {})


def test_a_session_that_ends_in_the_middle_of_a_turn_is_not_faulty() -> None:
    found = diagnose(session_of(user(1, "hi"), reply(2, call("a"), call("b")), user(3, result("a"))))
    assert found.findings == ()
    assert remarks(found) == ["open-call"]


def test_a_lost_result_names_call_message_line_and_both_ways_out() -> None:
    finding = only(
        diagnose(session_of(user(1, "run it"), reply(2, "Running.", call("toolu_a")), user(3, "stop"), reply(4, "ok")))
    )
    fault = finding.fault
    assert (fault.kind, fault.class_, fault.level, fault.number) == ("unanswered-call", "lost", "array", 9)
    assert (fault.line, fault.message_index, fault.id, fault.uuid) == (2, 1, "toolu_a", uuid(2))
    assert (fault.api_error or "").startswith("messages.1: `tool_use` ids were found without `tool_result` blocks")
    assert finding.evidence == ('line 2: tool_use toolu_a Bash: \'{"command":"ls"}\'',)
    assert finding.on_load == "drops the call"
    assert finding.repairable
    assert "an error result" in finding.repair


def test_the_repair_of_a_lost_result_depends_on_what_stands_beside_it() -> None:
    parallel = session_of(user(1, "hi"), reply(2, call("a"), call("b")), user(3, result("a")), reply(4, "k"), user(5, "on"))
    assert "first among the results" in only(diagnose(parallel)).repair


def test_a_late_result_is_misplaced_and_said_to_be_there() -> None:
    finding = only(diagnose(session_of(user(1, "hi"), reply(2, call("a")), reply(3, "hm"), user(4, result("a", "late")))))
    assert (finding.fault.kind, finding.fault.class_, finding.fault.line) == ("misplaced-result", "misplaced", 4)
    assert "too late" in finding.fault.sentence
    assert "Nothing is lost" in finding.advice


def test_of_two_results_both_are_quoted() -> None:
    twice = session_of(
        user(1, "hi"), reply(2, call("a")), user(3, result("a", "12 lines")), user(4, result("a", "Stopped", error=True))
    )
    finding = only(diagnose(twice))
    assert (finding.fault.kind, finding.fault.class_) == ("duplicate-result", "duplicate")
    assert any("'12 lines'" in line for line in finding.evidence)
    assert any("(error): 'Stopped'" in line for line in finding.evidence)


def test_a_pair_cut_by_a_boundary_names_the_row_where_the_cut_is_safe() -> None:
    kept = {"preservedSegment": {"headUuid": uuid(3), "anchorUuid": uuid(6), "tailUuid": uuid(4)}}
    before = (user(1, "hi"), reply(2, call("a")), user(3, result("a")), reply(4, "seen"))
    finding = only(diagnose(session_of(*before, boundary(5, metadata=kept), summary(6), user(7, "go on"))))
    assert (finding.fault.kind, finding.fault.class_) == ("unasked-result", "cut off by a boundary")
    assert uuid(2) in finding.repair
    assert "line 2: the call of a, not in the array" in finding.evidence


def test_a_kept_part_with_a_row_missing_and_one_that_splits_a_reply() -> None:
    before = (user(1, "hi"), reply(2, thinking(), message="m"), reply(3, text("so"), message="m"), user(4, "on"))
    behind = (summary(6), user(7, "next"))
    missing = {"preservedMessages": {"anchorUuid": uuid(6), "uuids": [uuid(3), uuid(99), uuid(4)]}}
    assert [f.fault.kind for f in diagnose(session_of(*before, boundary(5, metadata=missing), *behind)).findings] == [
        "kept-part-unresolved"
    ]
    split = {"preservedMessages": {"anchorUuid": uuid(6), "uuids": [uuid(3), uuid(4)]}}
    finding = only(diagnose(session_of(*before, boundary(5, metadata=split), *behind)))
    assert (finding.fault.kind, finding.fault.number) == ("kept-reply-split", 34)
    nowhere = {"preservedSegment": {"headUuid": uuid(98), "anchorUuid": uuid(6), "tailUuid": uuid(4)}}
    lost = only(diagnose(session_of(*before, boundary(5, metadata=nowhere), *behind)))
    assert (lost.fault.kind, lost.repairable) == ("kept-part-lost", False)


def test_a_kept_part_that_hangs_on_one_of_its_own_rows_is_lost() -> None:
    before = (user(1, "hi"), reply(2, call("a")), user(3, result("a")), reply(4, "seen"))
    kept = {"preservedMessages": {"anchorUuid": uuid(3), "uuids": [uuid(3), uuid(4)]}}
    finding = only(diagnose(session_of(*before, boundary(5, metadata=kept), summary(6), user(7, "go on"))))
    assert (finding.fault.kind, finding.repairable) == ("kept-part-lost", False)


def test_a_bypassed_boundary_and_one_that_was_left_behind_on_purpose() -> None:
    before = (user(1, "hi"), reply(2, "one"), user(3, "on"), reply(4, "two"))
    past = session_of(*before, boundary(5), summary(6), user(7, "next", parent=4), reply(8, "all of it"))
    finding = only(diagnose(past))
    assert (finding.fault.kind, finding.fault.line) == ("boundary-bypassed", 7)
    assert finding.on_load == "sends the full history"
    assert any("1,000 → 100 tokens" in line for line in finding.evidence)
    rewound = diagnose(session_of(*before, boundary(5), summary(6), user(7, "instead", parent=2), reply(8, "again")))
    assert rewound.findings == ()
    assert "boundary-left-behind" in remarks(rewound)


def test_parents_that_are_missing_before_and_behind_the_boundary() -> None:
    found = diagnose(
        session_of(user(1, "hi"), reply(2, "a", parent=uuid(90)), boundary(3), summary(4), user(5, "on", parent=uuid(91)))
    )
    assert [(f.fault.kind, f.fault.line, f.repairable) for f in found.findings] == [("dangling-parent", 5, True)]
    assert "dangling-parent-before-boundary" in remarks(found)
    assert remarks(diagnose(session_of(user(1, "hi", parent=uuid(90)), reply(2, "a")))) == ["starts-in-the-middle"]


def test_a_uuid_used_twice_by_one_row_and_by_two() -> None:
    same = user(3, "next")
    found = diagnose(session_of(user(1, "hi"), reply(2, "a"), same, {**same, "parentUuid": uuid(2)}, reply(4, "b", parent=3)))
    assert [(f.fault.kind, f.fault.severity) for f in found.findings] == [("copied-row", "warning")]
    found = diagnose(
        session_of(user(1, "hi"), reply(2, "a"), user(3, "x"), reply(4, "b"), user(3, "y", parent=4), reply(5, "c", parent=3))
    )
    assert [(f.fault.kind, f.fault.line, f.fault.id) for f in found.findings] == [("conflicting-uuid", 5, uuid(3))]


def test_a_circle_of_parents() -> None:
    found = diagnose(session_of(user(1, "hi", parent=4), reply(2, "a"), user(3, "on"), reply(4, "b")))
    assert [f.fault.kind for f in found.findings] == ["cycle"]


def test_two_writers_in_one_file_are_told_from_a_rewind() -> None:
    base = (user(1, "hi"), reply(2, "a"), user(3, "one"), reply(4, "b"), user(5, "two", parent=2), reply(6, "c"))
    finding = only(diagnose(session_of(*base, last_prompt(4))))
    assert (finding.fault.kind, finding.fault.line, finding.repairable) == ("two-branches", 6, False)
    assert any("not loaded: the branch that ends at line 6" in line for line in finding.evidence)
    rewind = diagnose(session_of(*base, last_prompt(6)))
    assert (rewind.findings, remarks(rewind)) == ((), ["other-branch"])


def test_damaged_lines_with_offsets_and_what_the_agent_reads_of_them() -> None:
    one, two, three, four = lines_of(user(1, "hi"), reply(2, "a"), user(3, "on"), reply(4, "b"))
    found = diagnose(read(one + b"\n" + two[:60] + three + b"\n" + four + b"\n\x00\x00\x00\x00\n" + b"// a note\n"))
    kinds = [(f.fault.kind, f.fault.line, f.on_load) for f in found.findings if f.fault.kind != "dangling-parent"]
    assert kinds == [
        ("damaged-line", 2, "skips the line, whole records included"),
        ("nul-bytes", 4, "skips the line"),
        ("damaged-line", 5, "skips the line"),
    ]
    assert f"byte {len(one) + 1:,} of the file" in found.findings[0].evidence[0]
    assert "byte 60 of the line: a whole user record" in found.findings[0].evidence[1]
    glued = diagnose(read(one + b"\n" + two + three + b"\n" + four + b"\n"))
    assert "reads the first record, not the one behind it" in [f.on_load for f in glued.findings]


def test_characters_that_cannot_be_sent_by_path_and_place() -> None:
    record = user(1, [text("x")])
    record["message"]["content"] = "a \ud99c b"
    lines = [json.dumps(r).encode() for r in linked([record, reply(2, text("\0\0"), call("a", note="\ud83d\ude00"))])]
    found = diagnose(read(b"\n".join(lines) + b"\n"))
    assert [(f.fault.kind, f.fault.line, f.fault.id) for f in found.findings] == [
        ("lone-surrogate", 1, "U+D99C"),
        ("nul-character", 2, "U+0000"),
    ]
    assert found.findings[0].evidence == ("message.content, character 2: U+D99C",)
    assert found.findings[1].evidence == (
        "message.content[0].text, character 0: U+0000",
        "message.content[0].text, character 1: U+0000",
    )


def test_a_skill_that_a_compaction_lost() -> None:
    listing = attachment(1, "skill_listing", content="- seeds\n- soil")
    before = (listing, user(2, "use both"), reply(3, call("a", "Skill", skill="seeds"), call("b", "Skill", skill="soil")))
    answered = (user(4, result("a"), result("b")), boundary(5), summary(6))
    back = attachment(7, "invoked_skills", skills=[{"name": "soil", "content": "dig"}])
    finding = only(diagnose(session_of(*before, *answered, back, user(8, "go on"))))
    assert (finding.fault.kind, finding.fault.id, finding.repairable) == ("skill-lost", "seeds", False)
    assert "the list of skills" in finding.fault.sentence
    assert finding.evidence == (
        "line 3: the skill seeds was loaded",
        "line 7: the skill soil came back",
        "line 1: the list of skills, not sent again",
    )
    old_version = diagnose(session_of(*before, *answered, user(8, "go on")))
    assert old_version.findings == (), "versions that record no attachments restore skills without a trace"


def test_boundaries_that_say_nothing_of_themselves_are_a_warning() -> None:
    bare = boundary(3)
    del bare["compactMetadata"]
    found = diagnose(session_of(user(1, "hi"), reply(2, "a"), {**bare, "logicalParentUuid": uuid(77)}, summary(4), user(5, "on")))
    assert [(f.fault.kind, f.fault.severity) for f in found.findings] == [("boundary-without-metadata", "warning")]
    assert remarks(found) == ["logical-parent-missing"]


def test_what_is_worth_knowing_is_no_fault() -> None:
    failed = {
        "type": "system",
        "subtype": "status",
        "compact_result": "failed",
        "compact_error": "Not enough messages",
        "sessionId": SESSION,
    }
    odd = {"type": "weather", "sessionId": SESSION}
    error = reply(3, "API Error: 529", isApiErrorMessage=True)
    agent = user(5, result("a"), toolUseResult={"agentId": "a64"})
    rows = (user(1, "hi"), error, reply(4, call("a"), {"type": "hologram"}), agent, failed, odd)
    found = diagnose(read(b"\xef\xbb\xbf" + file_of(*rows).replace(b"\n", b"\r\n").rstrip()), agents=set())
    assert found.findings == ()
    expected = {
        "api-error",
        "compaction-failed",
        "unknown-record",
        "unknown-block",
        "byte-order-mark",
        "crlf",
        "sub-agent-missing",
    }
    assert set(remarks(found)) == expected | {"no-final-newline"}
    assert "sub-agent-missing" not in remarks(diagnose(read(file_of(*rows)), agents={"a64"}))
    assert "sub-agent-missing" not in remarks(diagnose(read(file_of(*rows))))


def test_a_parent_that_counts_as_none_is_worth_knowing() -> None:
    lines = file_of(user(1, "a"), reply(2, "b"), user(3, "c", parent=None), reply(4, "d"))
    found = diagnose(
        read(
            lines[: lines.rindex(b'"parentUuid":null')]
            + lines[lines.rindex(b'"parentUuid":null') :].replace(b"null", b"false", 1)
        )
    )
    assert "odd-parent" in remarks(found)
    assert "odd-parent" not in remarks(diagnose(read(lines)))


def test_faults_of_sealed_rows_have_a_name_of_their_own() -> None:
    kept = {"preservedMessages": {"anchorUuid": uuid(4), "uuids": [uuid(2)]}}
    found = diagnose(
        session_of(
            user(1, "hi"), reply(2, text(""), text("a")), boundary(3, metadata=kept), summary(4), user(5, text(""), text("b"))
        )
    )
    assert [(f.fault.kind, f.repairable) for f in found.findings] == [("empty-text-before-boundary", False), ("empty-text", True)]


@pytest.mark.parametrize("bare", [True, False])
def test_messages_api_json_is_judged_as_it_was_given(bare: bool) -> None:
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [call("a"), call("b")]},
        {"role": "user", "content": [text("here"), result("a")]},
        {"role": "user", "content": [result("b")]},
        {"role": "assistant", "content": "so"},
    ]
    value: Record | list[Record] = messages if bare else {"model": "claude-opus-4-6", "max_tokens": 100, "messages": messages}
    found = diagnose(read(json.dumps(value).encode()))
    kinds = [(f.fault.kind, f.fault.message_index, f.fault.line) for f in found.findings]
    assert ("results-not-first", 2, None) in kinds
    assert ("split-results", 3, None) in kinds
    assert (("prefill", 4, None) in kinds) == (not bare)


MARK = {"cache_control": {"type": "ephemeral"}}
PLAIN = {"messages": [{"role": "user", "content": "q"}]}


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ({"tools": [{"name": "B", **MARK}], "system": [text("s", **MARK) for _ in range(4)]}, "all of them in tools and system"),
        ({"tools": [{"name": "B"}, {"name": "B"}, {}, {}]}, "Tools are defined twice: B."),
        ({"max_tokens": 9000, "thinking": {"type": "enabled", "budget_tokens": 100}}, "budget (100) is under 1,024"),
        ({"max_tokens": 10**30, "thinking": {"type": "enabled", "budget_tokens": "abc"}}, 'is "abc", not a number'),
        ({"thinking": {"type": "enabled"}}, "on without a budget"),
        ({"max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 2000}}, "(2,000) leaves no room"),
    ],
)
def test_options_of_a_request_are_judged_though_it_names_no_model(beside: Record, words: str) -> None:
    finding = only(diagnose(read(json.dumps({**PLAIN, **beside}).encode())))
    assert words in finding.fault.sentence
    assert (finding.fault.level, finding.fault.message_index, finding.repairable) == ("request", None, False)


def test_cache_marks_of_messages_tools_and_system_are_counted_together() -> None:
    marked = [{"role": "user", "content": [text("x", **MARK) for _ in range(3)]}]
    system = {"system": [text("s", **MARK), text("t", cache_control=None)], "tools": [{"name": "B", **MARK}]}
    finding = only(diagnose(read(json.dumps({"messages": marked, **system}).encode())))
    assert finding.fault.sentence == "5 blocks carry cache_control, 2 of them in tools and system; 4 are allowed."
    assert finding.fault.message_index == 0
    assert diagnose(read(json.dumps({"messages": marked}).encode())).findings == ()


def test_a_request_without_a_model_may_end_with_a_reply_or_an_open_call() -> None:
    for last in ("so ", [call("a")]):
        value = {"messages": [*PLAIN["messages"], {"role": "assistant", "content": last}], "tools": [{"name": "Bash"}]}
        assert diagnose(read(json.dumps(value).encode())).findings == ()


def test_messages_of_other_roles_are_told_once_and_by_what_they_hold() -> None:
    messages = [{"role": "system", "content": "x"}, {"role": "user", "content": "z"}]
    finding = only(diagnose(read(json.dumps(messages).encode())))
    assert (finding.fault.kind, finding.repairable) == ("unknown-role", False)
    empty = diagnose(read(json.dumps([messages[1], {"role": "tool", "content": []}]).encode()))
    assert [f.fault.kind for f in empty.findings] == ["unknown-role", "empty-message"]


def test_blocks_are_called_what_they_are() -> None:
    odd = [{"type": "text"}, {"type": "text", "text": 5}, {"type": "text", "text": ""}, text("ok")]
    for session in (read(json.dumps([{"role": "user", "content": odd}]).encode()), session_of(user(1, *odd))):
        found = diagnose(session).findings
        assert [f.fault.sentence.partition("] ")[2] for f in found] == [
            "is a text block without a text.",
            "is a text block whose text is no string but 5.",
            "is a text block that is empty.",
        ]
        assert [(f.fault.api_error or "").partition(": ")[2] for f in found] == [
            "Field required",
            "Input should be a valid string",
            "text content blocks must be non-empty",
        ]
    calls = [{"type": "tool_use", "id": "5", "name": None}, {"type": "tool_use"}, {"type": "tool_use", "name": "B"}]
    called = diagnose(session_of(user(1, "q"), reply(2, *calls), user(3, "so"), reply(4, "k")))
    assert [f.fault.sentence.partition(" has")[0] for f in called.findings if f.fault.kind == "unanswered-call"] == [
        "The call 5",
        "The call without name and id",
        "The call of B without an id",
    ]


def test_what_is_no_block_is_not_said_to_be_sent() -> None:
    found = diagnose(session_of(user(1, ["x"], "y", None, text("ok")), reply(2, "z")))
    assert remarks(found) == ["no-block", "no-block", "no-block"]
    assert all("leaves it out" in r.fault.sentence for r in found.remarks)


def test_of_a_damaged_line_only_what_is_there_is_told() -> None:
    (row,) = lines_of(user(1, "hi"))
    said = [f.fault.sentence for f in diagnose(read(row + b"\n\x00\x00\n// note\n" + row + row)).findings]
    assert "Line 2 is not one record: 2 NUL bytes." in said
    assert "Line 3 is not one record: 1 fragment lost." in said
    assert "Line 4 is not one record: 2 whole records in it." in said


def test_a_row_without_a_parent_is_said_to_have_none() -> None:
    same = user(1, "hi", parent=None)
    (copied,) = diagnose(session_of(same, same, reply(2, "a"))).findings
    assert all(line.endswith(", no parent") for line in copied.evidence)


rows = st.sampled_from(
    [user(1, "hi"), reply(2, call("a")), user(3, result("a")), boundary(4), summary(5), user(6, "", parent=2), last_prompt(3)]
)


@given(st.lists(st.one_of(rows, st.binary(max_size=30).filter(lambda b: b"\n" not in b)), max_size=8))
def test_no_file_is_too_broken_to_be_diagnosed(records: list[Record | bytes]) -> None:
    try:
        session = read(b"\n".join(lines_of(*records)))
    except SessionError:
        return
    for finding in (*diagnose(session).findings, *diagnose(session).remarks):
        assert finding.fault.sentence
