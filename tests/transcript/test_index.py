"""The index: what is known of every record without its body, however the file came and however it grew."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import (
    MODEL,
    Record,
    attachment,
    boundary,
    call,
    file_of,
    last_prompt,
    lines_of,
    read,
    reply,
    result,
    session_of,
    text,
    user,
    uuid,
)
from tests.transcript.generated import contents
from tests.transcript.seen import indexed, number, values
from workbench.transcript.index import META, NONE, SIDECHAIN, SUMMARY, Index, _seconds
from workbench.transcript.usage import context_of

MOST_BYTES_A_ROW = 300


def parents(*records: Record | bytes) -> list[int]:
    """The parent of each row as a place."""
    return list(indexed(file_of(*records)).parents)


def with_usage(number: int, message: str, **usage: Any) -> Record:
    record = reply(number, "x", message=message)
    record["message"]["usage"] = usage
    return record


def test_a_parent_is_the_row_of_that_uuid() -> None:
    assert parents(user(1, "a"), reply(2, "b"), user(3, "c", parent=1)) == [NONE, 0, 0]


def test_of_several_rows_with_one_uuid_the_nearest_earlier_is_the_parent() -> None:
    told = (user(1, "a"), user(2, "b"), user(1, "again"), user(3, "c", parent=1), user(1, "late"), user(4, "d", parent=1))
    assert parents(*told) == [NONE, 0, 1, 2, 3, 4]


def test_a_parent_may_come_later_and_then_it_is_the_first_later_one() -> None:
    assert parents(user(1, "a", parent=2), user(2, "b", parent=None), user(2, "c", parent=None)) == [1, NONE, NONE]


def test_a_row_that_repeats_its_parents_uuid_is_its_child() -> None:
    assert parents(user(1, "a"), user(1, "b", parent=1)) == [NONE, 0]


def test_a_parent_that_is_nowhere_is_remembered_by_name() -> None:
    index = indexed(file_of(user(1, "a", parent="gone"), user(2, "b")))
    assert (index.dangling, index.roots, list(index.parents)) == ({0: "gone"}, [], [NONE, 0])


def test_a_root_has_no_parent_and_a_record_without_uuid_is_no_root() -> None:
    index = indexed(file_of(last_prompt(1), user(1, "a", parent=None)))
    assert index.roots == [1]
    assert index.uuids == [None, uuid(1)]


def test_a_uuid_is_found_wherever_it_stands() -> None:
    index = indexed(file_of(user(1, "a"), user(2, "b"), user(1, "c"), user(3, "d"), user(1, "e")))
    assert index.find(uuid(2)) == 1 and index.find(uuid(2), before=0) == 1
    assert [index.find(uuid(1), before=place) for place in (0, 1, 2, 3, 4, 5)] == [0, 0, 0, 2, 2, 4]
    assert index.find(uuid(1)) == 4
    assert index.find("gone") is None
    assert index.find_all([uuid(2), "gone", uuid(1), uuid(2)], before=3) == [1, None, 2, 1]


def test_a_call_has_the_maximum_of_each_usage_field_of_its_rows() -> None:
    (found,) = session_of(
        with_usage(1, "m", input_tokens=4, cache_creation_input_tokens=30, cache_read_input_tokens=200, output_tokens=1),
        user(2, "between"),
        with_usage(3, "m", input_tokens=3, cache_creation_input_tokens=31, cache_read_input_tokens=200, output_tokens=90),
        with_usage(4, "m", input_tokens=4, output_tokens=80),
    ).calls
    assert (found.input, found.cache_creation, found.cache_read, found.output) == (4, 31, 200, 90)
    assert (found.row, found.last, found.prompt) == (0, 3, 235)


def test_calls_stand_in_the_order_of_their_first_rows() -> None:
    told = [with_usage(n, m, input_tokens=n, output_tokens=1) for n, m in ((1, "a"), (2, "b"), (3, "a"), (4, "c"))]
    assert [(c.message_id, c.row, c.last) for c in session_of(*told).calls] == [("a", 0, 2), ("b", 1, 1), ("c", 3, 3)]


def test_what_is_no_call() -> None:
    silent = reply(3, "no usage")
    del silent["message"]["usage"]
    nameless = reply(4, "no id")
    del nameless["message"]["id"]
    session = session_of(
        reply(1, "No response requested.", model="<synthetic>"),
        reply(2, "API Error: 529", isApiErrorMessage=True),
        silent,
        nameless,
    )
    assert session.calls == ()
    assert [c.row for c in session.unmeasured] == [2]


def test_a_reply_is_unmeasured_only_where_none_of_its_rows_can_be_read() -> None:
    session = session_of(
        with_usage(1, "m", input_tokens="?"),
        with_usage(2, "m", input_tokens=7, output_tokens=1),
        with_usage(3, "n", input_tokens=0),
        with_usage(4, "n", input_tokens=0),
    )
    assert [c.prompt for c in session.calls] == [7]
    assert [(c.message_id, c.row) for c in session.unmeasured] == [("n", 2)]


@pytest.mark.parametrize(
    ("usage", "prompt", "output"),
    [
        ({"cache_read_input_tokens": 9.0, "output_tokens": True}, 9, 0),
        ({"cache_read_input_tokens": 9, "output_tokens": 10**30}, 9, 0),
        ({"input_tokens": None, "cache_read_input_tokens": 9}, 9, 0),
    ],
)
def test_an_output_that_is_no_number_leaves_the_prompt(usage: Record, prompt: int, output: int) -> None:
    (found,) = session_of(with_usage(1, "m", **usage)).calls
    assert (found.prompt, found.output) == (prompt, output)


@pytest.mark.parametrize(
    "usage",
    [
        {},
        {"input_tokens": 0, "output_tokens": 5},
        {"input_tokens": "7", "cache_read_input_tokens": 9},
        {"input_tokens": -7, "cache_read_input_tokens": 9},
        {"input_tokens": 1.5, "cache_read_input_tokens": 9},
        {"input_tokens": 10**30},
        {"input_tokens": 10**300, "cache_read_input_tokens": 9},
        {"input_tokens": 2**61},
    ],
)
def test_a_usage_that_measures_no_prompt_is_unknown_and_never_zero(usage: Record) -> None:
    session = session_of(user(1, "go"), with_usage(2, "m", **usage))
    context = context_of(session, session.chain, list(session.rows(session.chain.places)))
    assert [(c.message_id, c.line, c.model) for c in session.unmeasured] == [("m", 2, MODEL)]
    assert (session.calls, context.last_call, context.source, context.now.kind) == ((), None, "estimate", "lower bound")


@pytest.mark.parametrize("usage", [[], "x", 5, None])
def test_usage_that_is_none_is_no_call(usage: object) -> None:
    record = reply(1, "x")
    record["message"]["usage"] = usage
    assert session_of(record).calls == ()


def test_kinds_are_told_by_type_and_what_refines_it() -> None:
    records: list[Record] = [
        user(1, "a"),
        boundary(2, parent=1),
        {"type": "system", "uuid": "s"},
        {"type": "queue-operation", "operation": "enqueue"},
        {"type": "progress", "uuid": "p", "data": {"type": "bash_progress"}},
        {"type": "progress", "uuid": "q", "data": 5},
        attachment(3, "file"),
        {"type": "attachment", "uuid": "r", "attachment": {"type": None}},
        {"type": "user", "uuid": "t", "subtype": "x", "operation": "y"},
        {"type": "lantern", "uuid": "l", "data": {"type": "x"}},
        {"type": 7},
        {},
    ]
    assert indexed(file_of(*records)).record_counts() == {
        "user": 2,
        "?": 2,
        "system:compact_boundary": 1,
        "system": 1,
        "queue-operation:enqueue": 1,
        "progress:bash_progress": 1,
        "progress": 1,
        "attachment:file": 1,
        "attachment": 1,
        "lantern": 1,
    }


def test_a_field_of_another_type_is_absent() -> None:
    odd: Record = {
        "type": "user",
        "uuid": 5,
        "parentUuid": {},
        "sessionId": [],
        "version": 2,
        "timestamp": 1_700_000_000,
        "isSidechain": "yes",
        "isMeta": 1,
        "isCompactSummary": "true",
        "message": "hello",
    }
    index = indexed(file_of(odd, {**odd, "uuid": "a", "parentUuid": 1.5}, reply(1, "x")))
    assert index.uuids == [None, "a", uuid(1)]
    assert (index.roots, index.dangling, index.odd_parents) == ([], {1: "1.5 (no uuid)"}, {1: "1.5"})
    assert not any(index.has(place, SIDECHAIN | META | SUMMARY) for place in (0, 1))
    assert index.timestamp(0) is None
    assert sum(index.sessions.values()) == sum(index.versions.values()) == 1


@pytest.mark.parametrize(
    "content", ["words", [], None, 5, {"type": "text"}, ["a", None, 3, {"type": None}, {"type": "tool_use", "id": 5}]]
)
def test_content_of_any_kind_is_indexed(content: object) -> None:
    record = user(1, "x")
    record["message"]["content"] = content
    session = session_of(record)
    assert len(session.index) == 1 and session.row(0).role == "user"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2026-03-01T09:00:05.250Z", "2026-03-01T09:00:05.250Z"),
        ("2026-03-01T09:00:05.250+02:00", "2026-03-01T07:00:05.250Z"),
        ("2026-03-01T09:00:05", "2026-03-01T09:00:05.000Z"),
        ("2026-03-01", "2026-03-01T00:00:00.000Z"),
        ("yesterday", None),
        ("", None),
        ("0001-01-01T00:00:00+23:59", None),
        ("9999-12-31T23:59:59-12:00", None),
        ("2026-13-01T00:00:00Z", None),
    ],
)
def test_times_are_shown_in_utc_and_unreadable_ones_not_at_all(given: str, shown: str | None) -> None:
    session = session_of({**user(1, "a"), "timestamp": given})
    assert session.row(0).timestamp == shown


@given(st.text(max_size=30) | st.datetimes(timezones=st.timezones()).map(lambda t: t.isoformat()))
def test_no_timestamp_is_too_odd_to_be_shown(given: str) -> None:
    index = Index()
    index.times.append(_seconds(given))
    assert (index.timestamp(0) or "Z").endswith("Z")


def test_models_and_message_ids_belong_to_replies_only() -> None:
    told = user(1, "a")
    told["message"] |= {"id": "m", "model": "x"}
    index = indexed(file_of(told, reply(2, "b", message="m", model="claude-x")))
    assert [index.message_id(p) for p in (0, 1)] == [None, "m"]
    assert [index.model(p) for p in (0, 1)] == ["", "claude-x"]


def test_calls_and_results_are_known_without_their_names() -> None:
    told = (
        reply(1, call("a"), text("x"), call("b")),
        user(2, result("b"), result("c")),
        reply(3, {"type": "server_tool_use", "id": "s"}),
    )
    rows, hashes, roles = indexed(file_of(*told)).tools()
    assert list(rows) == [0, 0, 1, 1]
    assert list(roles) == [0, 0, 1, 1]
    assert hashes[1] == hashes[2] and len(set(hashes)) == 3


def test_a_file_of_more_kinds_than_anyone_needs_is_read() -> None:
    index = indexed(b"".join(b'{"type":"k%d"}\n' % n for n in range(65_100)))
    assert len(index) == 65_100
    assert index.kind(10) == "k10"
    assert index.record_counts()["(other)"] == 100


def test_the_rows_so_far_are_told_after_each_chunk() -> None:
    lines = [line + b"\n" for line in lines_of(user(1, "a"), reply(2, "b"), user(3, "c"))]
    index = Index()
    assert list(index.feed(iter([lines[0], lines[1][:20], lines[1][20:], lines[2][:-1]]))) == [1, 1, 2, 2, 3]
    assert index.open_tail


def test_a_line_without_its_end_waits_or_is_taken_as_it_is() -> None:
    content = file_of(user(1, "a"), reply(2, "b"))
    index = indexed(content[:-1], last=False)
    assert (len(index), index.end, index.open_tail) == (1, content.index(b"\n") + 1, False)
    index = indexed(content[:-1])
    assert (len(index), index.end, index.open_tail) == (2, len(content) - 1, True)


def test_a_parent_that_is_written_after_its_child_is_found_when_the_file_grows() -> None:
    lines = [
        line + b"\n"
        for line in lines_of(user(1, "a", parent=2), user(3, "c"), user(2, "b", parent=None), user(2, "b", parent=None))
    ]
    index = indexed(lines[:2])
    assert index.dangling == {0: uuid(2)}
    for _ in index.feed(iter(lines[2:])):
        pass
    assert values(index) == values(indexed(lines))
    assert (index.dangling, index.parents[0]) == ({}, 2)


def test_usage_of_a_reply_that_goes_on_after_the_file_grew_is_one_call() -> None:
    lines = [line + b"\n" for line in lines_of(*(with_usage(n, "m", input_tokens=5, output_tokens=n) for n in (1, 2, 3)))]
    index = indexed(lines[0])
    for _ in index.feed(iter(lines[1:])):
        pass
    (found,) = index.calls()
    assert (found.row, found.last, found.output) == (0, 2, 3)


@given(contents(), st.lists(st.integers(1, 400), max_size=60))
def test_chunks_of_any_size_give_the_same_index(content: bytes, sizes: list[int]) -> None:
    chunks, at = [], 0
    for size in sizes:
        chunks.append(content[at : at + size])
        at += size
    assert values(indexed([*chunks, content[at:]])) == values(indexed(content))


@given(contents(), st.data())
def test_a_file_that_grew_has_the_index_of_the_whole(content: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=4)))
    index = Index()
    for cut in [*cuts, len(content)]:
        for _ in index.feed(iter([content[index.end : cut]]), last=False):
            pass
    assert values(index) == values(indexed(content, last=False))


@given(contents())
def test_every_record_is_found_again_by_its_bytes(content: bytes) -> None:
    session = read(content + file_of(user(1, "so that it is a session")))
    index = session.index
    for place in range(len(index)):
        assert session.body(place).get("uuid") == index.uuids[place]
    assert list(index.lines) == sorted(index.lines)
    assert all(
        a + n <= b for a, n, b in zip(index.offsets, index.lengths, [*index.offsets[1:], len(content) + 10_000], strict=True)
    )


def test_a_row_costs_little_whatever_its_line_holds() -> None:
    rows = 6_000
    told = [
        reply(n, call(f"toolu_{n:024}")) if n % 2 else user(n, result(f"toolu_{n - 1:024}", "x" * 500))
        for n in range(1, rows + 1)
    ]
    content = file_of(*told)
    tracemalloc.start()
    index = indexed(content)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert number(index.uuids[-1]) == rows
    assert held / rows <= MOST_BYTES_A_ROW
