"""Rows that a compaction keeps: by list or by segment, hung on the anchor, wholly or not at all (spec 2, 5; spec 6, 4)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import Record, boundary, call, last_prompt, reply, result, session_of, summary, user, uuid
from tests.transcript.seen import gaps, loaded, numbers
from workbench.transcript.session import Session

BEFORE = (user(1, "go"), reply(2, call("a")), user(3, result("a")), reply(4, "a is done"), user(5, "next"), reply(6, "yes"))


def listed(anchor: int, *kept: int, **more: Any) -> Record:
    return {"preservedMessages": {"anchorUuid": uuid(anchor), "uuids": [uuid(k) for k in kept], **more}}


def segment(head: int, anchor: int, tail: int) -> Record:
    return {"preservedSegment": {"headUuid": uuid(head), "anchorUuid": uuid(anchor), "tailUuid": uuid(tail)}}


def kept(session: Session) -> list[int]:
    return numbers(session, session.chain.kept)


@pytest.mark.parametrize(
    "metadata",
    [listed(8, 4, 5, 6), segment(4, 8, 6), listed(8, 4, 5, 6) | segment(1, 7, 2)],
    ids=["list", "segment", "the list before the segment"],
)
def test_a_kept_tail_hangs_on_the_summary_and_what_follows_on_the_tail(metadata: Record) -> None:
    session = session_of(*BEFORE, boundary(7, metadata=metadata), summary(8), user(9, "on"), reply(10, "sure"))
    assert loaded(session) == [7, 8, 4, 5, 6, 9, 10]
    assert kept(session) == [4, 5, 6]


def test_a_continuation_that_hangs_on_the_old_tail_follows_it() -> None:
    session = session_of(*BEFORE, boundary(7, metadata=listed(8, 5, 6)), summary(8), user(9, "on", parent=6))
    assert (loaded(session), gaps(session)) == ([7, 8, 5, 6, 9], [])


def test_in_another_order_the_list_decides() -> None:
    session = session_of(*BEFORE, boundary(7, metadata=listed(8, 6, 4)), summary(8), user(9, "on"))
    assert loaded(session) == [7, 8, 6, 4, 9]


def test_a_kept_prefix_hangs_on_the_boundary_and_the_summary_follows_it() -> None:
    session = session_of(*BEFORE, boundary(7, metadata=listed(7, 1, 2, 3, 4)), summary(8), user(9, "on"))
    assert loaded(session) == [7, 1, 2, 3, 4, 8, 9]


def test_a_leaf_that_is_the_anchor_moves_to_the_last_kept_row() -> None:
    session = session_of(*BEFORE, boundary(7, metadata=listed(8, 5, 6)), summary(8), last_prompt(8))
    assert loaded(session) == [7, 8, 5, 6]


def test_everything_else_that_hangs_on_the_anchor_follows_the_kept_rows() -> None:
    told = (*BEFORE, boundary(7, metadata=listed(8, 5, 6)), summary(8), user(9, "one", parent=8), reply(10, "two", parent=8))
    session = session_of(*told)
    assert loaded(session) == [7, 8, 5, 6, 10]
    assert loaded(session, leaf=9) == [7, 8, 5, 6, 9]


@pytest.mark.parametrize("metadata", [listed(8, 4, 77, 6), segment(77, 8, 6), segment(4, 8, 77), segment(6, 8, 4)])
def test_one_kept_row_missing_and_the_whole_part_is_ignored(metadata: Record) -> None:
    session = session_of(*BEFORE, boundary(7, metadata=metadata), summary(8), user(9, "on"))
    assert (loaded(session), kept(session)) == ([7, 8, 9], [])


@pytest.mark.parametrize("anchor", [77, 0])
def test_without_its_anchor_the_part_is_ignored(anchor: int) -> None:
    metadata = listed(anchor, 5, 6) if anchor else {"preservedMessages": {"uuids": [uuid(5), uuid(6)]}}
    session = session_of(*BEFORE, boundary(7, metadata=metadata), summary(8), user(9, "on"))
    assert (loaded(session), kept(session)) == ([7, 8, 9], [])


def test_results_of_kept_calls_are_joined_from_before_the_boundary() -> None:
    session = session_of(*BEFORE, boundary(7, metadata=listed(8, 2, 4)), summary(8), user(9, "on"))
    assert loaded(session) == [7, 8, 2, 3, 4, 9]
    assert numbers(session, session.chain.joined) == [3]


def test_results_of_calls_that_are_not_kept_are_not() -> None:
    session = session_of(*BEFORE, boundary(7, metadata=listed(8, 4, 5, 6)), summary(8), reply(9, call("a")), user(10, "on"))
    assert loaded(session) == [7, 8, 4, 5, 6, 9, 10]


def test_of_a_row_that_occurs_twice_the_one_before_the_boundary_is_kept() -> None:
    told = (*BEFORE, boundary(7, metadata=listed(8, 5, 6)), summary(8), user(5, "next", parent=8), user(9, "on", parent=6))
    session = session_of(*told)
    assert session.chain.kept == (4, 5)


def test_only_the_last_boundary_keeps_rows() -> None:
    told = (
        *BEFORE,
        boundary(7, metadata=listed(8, 5, 6)),
        summary(8),
        reply(9, "more", parent=6),
        boundary(10, metadata=listed(11, 6, 9)),
        summary(11),
        user(12, "on"),
    )
    session = session_of(*told)
    assert loaded(session) == [10, 11, 6, 9, 12]
    assert numbers(session, session.chain_at(10).places) == [7, 8, 5, 6, 9]


def test_a_bypassed_boundary_keeps_nothing() -> None:
    told = (*BEFORE, boundary(7, metadata=listed(8, 5, 6)), summary(8), user(9, "back", parent=3))
    session = session_of(*told)
    assert (loaded(session), kept(session), session.chain.boundary) == ([1, 2, 3, 9], [], None)


def test_at_a_line_before_the_summary_nothing_is_kept_yet() -> None:
    session = session_of(*BEFORE, boundary(7, metadata=listed(8, 5, 6)), summary(8), user(9, "on"))
    assert numbers(session, session.chain_at(8).places) == [7]
    assert numbers(session, session.chain_at(9).places) == [7, 8, 5, 6]
    assert numbers(session, session.chain_at(10).places) == [7, 8, 5, 6, 9]


def test_a_segment_through_rows_that_are_each_others_parents_ends() -> None:
    told = (user(1, "a", parent=2), reply(2, "b", parent=1), boundary(3, metadata=segment(9, 4, 2)), summary(4), user(5, "on"))
    assert loaded(session_of(*told)) == [3, 4, 5]


def test_a_row_that_is_listed_twice_is_kept_once() -> None:
    told = (user(1, "a"), boundary(2, metadata=listed(3, 1, 1)), summary(3), user(4, "on"))
    assert loaded(session_of(*told)) == [2, 3, 1, 4]
