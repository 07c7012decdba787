"""Recorded requests put together again: what was kept, what was added, replies by name; exact or not at all (spec 6, 3)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import Record, call, last_prompt, lines_of, read, reply, result, session_of, text, user
from tests.transcript.seen import numbers
from workbench.conversation.row import Message
from workbench.transcript.session import Session


def blob(name: str, role: str, *content: Any) -> Record:
    body = content[0] if isinstance(content[0], str) else list(content)
    return {"type": "api-request-blob", "hash": name, "message": {"role": role, "content": body}}


def request(ident: str, *tail: str, keep: int = 0, **fields: Any) -> Record:
    return {"type": "api-request", "id": ident, "querySource": "repl", "keep": keep, "tail": list(tail), **fields}


def said(messages: tuple[Message, ...] | None) -> list[str] | None:
    """`role: first words or ids` of each message."""
    if messages is None:
        return None
    return [f"{m.role}: {' '.join(b.call or b.head for b in m.blocks)}" for m in messages]


RECORDED = (
    user(1, "go"),
    blob("h-go", "user", "go"),
    request("r1", "h-go", shapeHash="s", params={"model": "claude-x"}),
    reply(2, "I look.", message="m1", requestRef="r1"),
    reply(3, call("a"), message="m1", requestRef="r1"),
    user(4, result("a")),
    blob("h-a", "user", result("a")),
    request("r2", "h-reply-1", "h-a", keep=1),
    reply(5, "Done.", message="m2", requestRef="r2"),
    user(6, "thanks"),
    blob("h-thanks", "user", text("thanks")),
    request("r3", "h-reply-2", "h-thanks", keep=3),
    reply(7, "Welcome.", message="m3", requestRef="r3"),
)


def at(session: Session, line: int) -> list[str] | None:
    return said(session.recorded_at(line))


@pytest.fixture
def session() -> Session:
    return session_of(*RECORDED)


def test_the_first_request_is_its_blobs(session: Session) -> None:
    assert at(session, 4) == ["user: go"]


def test_a_later_one_keeps_the_first_messages_and_adds_replies_by_name_and_blobs(session: Session) -> None:
    assert at(session, 9) == ["user: go", "assistant: I look. a", "user: a"]
    assert at(session, 13) == ["user: go", "assistant: I look. a", "user: a", "assistant: Done.", "user: thanks"]


def test_every_row_of_a_reply_leads_to_its_request(session: Session) -> None:
    assert at(session, 5) == at(session, 4)


@pytest.mark.parametrize("line", [1, 2, 3, 6, 10, 14])
def test_where_no_reply_starts_there_is_none(session: Session, line: int) -> None:
    assert session.recorded_at(line) is None


def test_a_request_tells_what_it_was_for(session: Session) -> None:
    first = session.requests[0]
    assert (first.id, first.line, first.source, first.params, first.shape) == ("r1", 3, "repl", {"model": "claude-x"}, None)
    shape = {"type": "api-request-shape", "shapeHash": "s", "shape": {"system": "Be kind."}}
    shaped = session_of(RECORDED[0], shape, *RECORDED[1:])
    assert shaped.requests[0].shape == 1 and shaped.body(1)["shape"] == {"system": "Be kind."}
    assert shaped.requests[1].shape is None


def test_a_request_may_build_on_another_than_the_one_before() -> None:
    aside = (
        blob("h-aside", "user", "a title, please"),
        request("title", "h-aside"),
        reply(8, "A title", message="t", requestRef="title"),
    )
    told = (*RECORDED[:6], *aside, *RECORDED[6:7], {**RECORDED[7], "base": "r1"}, *RECORDED[8:])
    session = session_of(*told)
    assert at(session, 12) == ["user: go", "assistant: I look. a", "user: a"]
    assert at(session, 9) == ["user: a title, please"]


def test_a_keep_of_nothing_starts_anew() -> None:
    again = (*RECORDED, blob("h-summary", "user", "What was said."), request("r4", "h-summary"), reply(8, "On.", requestRef="r4"))
    assert at(session_of(*again), 16) == ["user: What was said."]


def test_a_missing_blob_is_the_reply_before_and_without_one_nothing_is_known() -> None:
    session = session_of(*[r for r in RECORDED if r.get("hash") != "h-a"])
    assert at(session, 8) == ["user: go", "assistant: I look. a", "assistant: I look. a"]
    assert session_of(*[r for r in RECORDED if r.get("hash") != "h-go"]).recorded_at(3) is None


def test_a_reply_that_is_gone_leaves_the_request_unknown() -> None:
    kept = [r for r in RECORDED if r.get("requestRef") != "r1"]
    session = session_of(*kept)
    assert [r.pieces is None for r in session.requests] == [False, False, False]
    assert session.recorded_at(kept.index(RECORDED[8]) + 1) is None


def test_a_request_that_keeps_more_than_there_was_is_unknown_and_so_is_what_builds_on_it() -> None:
    told = [{**r, "keep": 9} if r.get("id") == "r2" else r for r in RECORDED]
    session = session_of(*told)
    assert [r.pieces is None for r in session.requests] == [False, True, True]
    assert session.recorded_at(9) is None and session.recorded_at(13) is None


def test_a_reply_to_a_request_that_is_not_in_the_file_has_none() -> None:
    assert session_of(user(1, "go"), reply(2, "yes", requestRef="elsewhere")).recorded_at(2) is None


@pytest.mark.parametrize(
    "odd",
    [
        {"tail": None},
        {"tail": 5},
        {"keep": None},
        {"keep": "1"},
        {"params": []},
        {"id": None},
        {"shapeHash": {}},
        {"tail": [None, 5]},
    ],
)
def test_odd_requests_stop_nothing(odd: Record) -> None:
    session = session_of(*[{**r, **odd} if r.get("id") == "r2" else r for r in RECORDED])
    assert len(session.requests) == 3
    assert at(session, 4) == ["user: go"]
    session.recorded_at(9)
    session.recorded_at(13)


@pytest.mark.parametrize("message", [None, "text", []])
def test_a_blob_that_holds_no_message_leaves_the_request_unknown(message: object) -> None:
    told = [{**r, "message": message} if r.get("hash") == "h-go" else r for r in RECORDED]
    assert session_of(*told).recorded_at(4) is None


def test_bookkeeping_of_requests_is_no_part_of_the_tree(session: Session) -> None:
    assert numbers(session, session.chain.places) == [1, 2, 3, 4, 5, 6, 7]


def test_a_damaged_blob_is_told_by_its_absence() -> None:
    lines = lines_of(*RECORDED, last_prompt(7))
    lines[1] = lines[1][:-20]
    session = read(b"\n".join(lines) + b"\n")
    assert session.recorded_at(4) is None
    assert len(session.requests) == 3
