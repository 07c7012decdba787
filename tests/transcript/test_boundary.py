"""What a compaction left behind, in any version's words, however little of it is there (spec 2, sections 5-7)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import boundary, reply, session_of, summary, user, uuid
from tests.transcript.seen import loaded
from workbench.transcript.boundary import Boundary

WHOLE = {
    "trigger": "manual",
    "preTokens": 170_000,
    "postTokens": 12_000,
    "cumulativeDroppedTokens": 158_000,
    "durationMs": 90_500,
    "preCompactDiscoveredTools": ["SendMessage", "TaskStop"],
    "preservedSegment": {"headUuid": "head", "anchorUuid": "by the segment", "tailUuid": "tail"},
    "preservedMessages": {"anchorUuid": "by the list", "uuids": ["k1", "k2"], "allUuids": ["k1", "k2", "k3"]},
}
SNAKE = {
    "trigger": "manual",
    "pre_tokens": 170_000,
    "post_tokens": 12_000,
    "cumulative_dropped_tokens": 158_000,
    "duration_ms": 90_500,
    "pre_compact_discovered_tools": ["SendMessage", "TaskStop"],
    "preserved_segment": {"head_uuid": "head", "anchor_uuid": "by the segment", "tail_uuid": "tail"},
    "preserved_messages": {"anchor_uuid": "by the list", "uuids": ["k1", "k2"]},
}


def the_boundary(**fields: Any) -> Boundary:
    record = {**boundary(2), **fields}
    (found,) = session_of(user(1, "go"), {k: v for k, v in record.items() if v is not ...}, summary(3)).boundaries
    return found


@pytest.mark.parametrize(
    "fields",
    [
        {"compactMetadata": WHOLE, "logicalParentUuid": "before"},
        {"compactMetadata": ..., "compact_metadata": SNAKE, "logical_parent_uuid": "before"},
        {"compactMetadata": SNAKE, "logicalParentUuid": "before"},
    ],
    ids=["camel", "snake", "mixed"],
)
def test_both_spellings_tell_the_same(fields: dict[str, Any]) -> None:
    found = the_boundary(**fields)
    assert (found.place, found.line, found.uuid) == (1, 2, uuid(2))
    assert (found.trigger, found.pre_tokens, found.post_tokens) == ("manual", 170_000, 12_000)
    assert (found.dropped_tokens, found.duration_ms, found.logical_parent) == (158_000, 90_500, "before")
    assert (found.head, found.tail, found.anchor) == ("head", "tail", "by the list")
    assert (found.kept_uuids, found.keeps_rows) == (("k1", "k2"), True)
    assert found.discovered_tools == ("SendMessage", "TaskStop")


def test_a_preserved_part_in_snake_case_is_told_and_not_loaded() -> None:
    told = (user(1, "hi"), reply(2, "a"), boundary(3), summary(4), user(5, "on"))
    del told[2]["compactMetadata"]
    told[2]["compact_metadata"] = {"preserved_segment": {"head_uuid": uuid(1), "anchor_uuid": uuid(4), "tail_uuid": uuid(2)}}
    session = session_of(*told)
    assert session.boundaries[0].keeps_rows
    assert loaded(session) == [3, 4, 5]


def test_without_a_list_the_segment_names_the_anchor() -> None:
    found = the_boundary(compactMetadata={"preservedSegment": WHOLE["preservedSegment"]})
    assert (found.anchor, found.keeps_rows) == ("by the segment", True)
    assert not the_boundary(compactMetadata={"preservedSegment": {"headUuid": "head"}}).keeps_rows


@pytest.mark.parametrize("metadata", [..., None, {}, [], "x", 5])
def test_everything_may_be_missing(metadata: object) -> None:
    found = the_boundary(compactMetadata=metadata)
    assert (found.trigger, found.pre_tokens, found.post_tokens, found.duration_ms) == (None, None, None, None)
    assert (found.kept_uuids, found.discovered_tools, found.anchor, found.metadata) == ((), (), None, None)
    assert not found.keeps_rows


@pytest.mark.parametrize("tokens", ["170000", True, -1, None, [], 1 << 60, 1e300])
def test_a_count_that_is_none_is_unknown_and_never_zero(tokens: object) -> None:
    assert the_boundary(compactMetadata={"preTokens": tokens}).pre_tokens is None


def test_odd_lists_are_taken_for_what_is_readable_in_them() -> None:
    odd = {"preservedMessages": {"uuids": ["k1", None, 3, "k2"]}, "preCompactDiscoveredTools": "SendMessage", "trigger": 7}
    found = the_boundary(compactMetadata=odd)
    assert (found.kept_uuids, found.discovered_tools, found.trigger) == (("k1", "k2"), (), None)


def test_a_boundary_without_uuid_is_told_and_is_no_link() -> None:
    session = session_of(
        user(1, "go"), {"type": "system", "subtype": "compact_boundary", "compactMetadata": WHOLE}, reply(2, "on")
    )
    assert (session.boundaries[0].uuid, session.boundaries[0].pre_tokens) == ("", 170_000)
    assert session.chain.boundary is None and len(session.chain.places) == 2


def test_boundaries_stand_in_file_order_summaries_without_one_among_them() -> None:
    told = (user(1, "go"), summary(2, parent=None), reply(3, "a"), boundary(4), summary(5), reply(6, "b"))
    assert [(b.line, b.uuid, b.trigger) for b in session_of(*told).boundaries] == [(2, uuid(2), None), (4, uuid(4), "auto")]


@pytest.mark.parametrize(
    ("metadata", "read"),
    [
        (
            {"preTokens": 60_000, "tokensSaved": 20_800, "compactedToolIds": ["a", "b"], "trigger": "auto"},
            (60_000, 20_800, ("a", "b")),
        ),
        ({"pre_tokens": 60_000, "tokens_saved": 20_800, "compacted_tool_ids": ["a"]}, (60_000, 20_800, ("a",))),
        ({}, (None, None, ())),
        (None, (None, None, ())),
    ],
)
def test_a_microcompaction_names_what_it_cleared_and_is_an_ordinary_link(metadata: object, read: tuple[Any, ...]) -> None:
    micro = {**user(2), "type": "system", "subtype": "microcompact_boundary", "microcompactMetadata": metadata}
    session = session_of(user(1, "go"), micro, reply(3, "on"))
    (found,) = session.microcompactions
    assert (found.pre_tokens, found.tokens_saved, found.tool_ids) == read
    assert (found.line, session.boundaries, len(session.chain.places)) == (2, (), 3)
