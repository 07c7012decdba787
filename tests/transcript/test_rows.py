"""From records to what they add to the array: speakers, attachments of every version, what is never sent (spec 2, section 12)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import Record, attachment, call, reply, result, session_of, summary, text, user
from workbench.conversation.row import Row
from workbench.transcript.session import Session


def row(record: Record) -> Row:
    return session_of(record).row(0)


def sent(*records: Record) -> list[tuple[str, list[str]]]:
    """(role, kinds of its blocks) of each message of the array."""
    session = session_of(*records)
    return [(m.role, [b.kind for b in m.blocks]) for m in session.array(session.chain)]


def test_a_row_knows_where_it_stands_and_who_speaks() -> None:
    session = session_of(user(1, "go", isMeta=True), reply(2, "yes", message="m", model="claude-x"), summary(3))
    asked, replied, summed = (session.row(place) for place in range(3))
    assert (asked.line, asked.role, asked.parent, asked.is_meta, asked.timestamp) == (
        1,
        "user",
        None,
        True,
        "2026-03-01T09:00:01.000Z",
    )
    assert (replied.line, replied.role, replied.message_id, replied.model, replied.parent) == (
        2,
        "assistant",
        "m",
        "claude-x",
        asked.uuid,
    )
    assert (summed.is_summary, summed.is_meta, summed.message_id) == (True, False, None)


@pytest.mark.parametrize("content", [None, [], {}, 5])
def test_a_row_without_content_is_an_empty_message(content: object) -> None:
    told = user(1, "x")
    told["message"]["content"] = content
    assert sent(told) == [("user", ["empty"])]
    assert sent({**told, "message": None}) == [("user", ["empty"])]


def test_neighbouring_user_rows_are_one_message_with_results_first() -> None:
    told = (user(1, "go"), reply(2, call("a")), user(3, "meanwhile"), user(4, result("a")), user(5, text("and")))
    assert sent(*told) == [("user", ["text"]), ("assistant", ["tool_use"]), ("user", ["tool_result", "text", "text"])]


def test_rows_of_one_reply_are_one_message_at_the_place_of_the_first() -> None:
    told = (user(1, "go"), reply(2, call("a"), message="m"), user(3, result("a")), reply(4, "late", message="m"), user(5, "on"))
    assert sent(*told) == [("user", ["text"]), ("assistant", ["tool_use", "text"]), ("user", ["tool_result", "text"])]


def test_an_error_of_the_api_is_not_sent_and_a_filler_is() -> None:
    error = reply(2, "API Error: 529", isApiErrorMessage=True, model="<synthetic>")
    filler = reply(3, "No response requested.", model="<synthetic>")
    assert sent(user(1, "go"), error, filler) == [("user", ["text"]), ("assistant", ["text"])]
    assert row(error).blocks[0].head == "API Error: 529"


def test_links_are_not_sent() -> None:
    for kind in ({"type": "system", "subtype": "turn_duration"}, {"type": "progress"}, {"type": "lantern"}):
        assert (row({**user(1, "x"), **kind}).role, row({**user(1, "x"), **kind}).blocks) == (None, ())


def test_an_unknown_block_is_sent_as_it_is() -> None:
    block = {"type": "hologram", "depth": 3}
    found = row(user(1, block)).blocks[0]
    assert (found.kind, found.body, found.tokens) == ("hologram", block, 0)


RENDERED = [{"role": "user", "content": "<system-reminder>\nThe file\n</system-reminder>"}]


def rendered(value: object, **fields: Any) -> Record:
    return {**attachment(1, "file", content="what it holds"), "rendered": value, **fields}


def test_the_newest_versions_tell_what_was_sent_for_an_attachment() -> None:
    found = row(rendered(RENDERED))
    assert (found.role, [b.kind for b in found.blocks], found.blocks[0].head) == ("user", ["reminder"], RENDERED[0]["content"])
    image = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    assert [b.kind for b in row(rendered([{"content": [text("see"), image]}])).blocks] == ["reminder", "image"]
    assert [b.head for b in row(rendered(["plain", {"content": None}])).blocks] == ["plain"]


@pytest.mark.parametrize("value", [None, [], "text", 5, {}])
def test_what_was_not_rendered_was_not_sent(value: object) -> None:
    assert row(rendered(value)).role is None
    nothing = {**attachment(1, "file", content="x"), "renderedRole": "user"}
    assert row(nothing).role is None


FILE = {"type": "text", "file": {"filePath": "/a.py", "content": "x = 1"}}


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("file", {"filename": "/a.py", "content": FILE}, "/a.py\nx = 1"),
        ("nested_memory", {"path": "/A.md", "content": {"path": "/A.md", "content": "Be kind."}}, "/A.md\nBe kind."),
        ("edited_text_file", {"filename": "/a.py", "snippet": "3\tx = 2"}, "3\tx = 2"),
        ("hook_additional_context", {"content": ["one", "two"]}, '["one","two"]'),
        ("hook_blocking_error", {"blockingError": {"blockingError": "no"}}, '{"blockingError":"no"}'),
        ("plan_mode", {"planContent": "First this."}, "First this."),
        ("deferred_tools_delta", {"addedLines": ["SendMessage", "TaskStop"]}, "SendMessage\nTaskStop"),
        ("agent_listing_delta", {"addedNames": ["a", 5]}, "a\n5"),
        ("lantern", {"colour": "green", "size": 5}, "green"),
    ],
)
def test_of_older_attachments_what_was_probably_sent_is_estimated(kind: str, fields: Record, words: str) -> None:
    found = row(attachment(1, kind, **fields))
    (block,) = found.blocks
    assert (found.role, block.kind) == ("user", f"attachment:{kind}")
    assert block.body == {"type": "text", "text": f"<system-reminder>\n{words}\n</system-reminder>"}


def test_a_queued_prompt_is_the_users_own_words() -> None:
    assert row(attachment(1, "queued_command", prompt="and the tests")).blocks[0].body == text("and the tests")
    image = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    assert [b.kind for b in row(attachment(1, "queued_command", prompt=[text("see"), image])).blocks] == ["text", "image"]


@pytest.mark.parametrize(
    "kind", ["hook_success", "structured_output", "command_permissions", "prompt_snapshot", "session_context"]
)
def test_diagnostics_are_not_sent(kind: str) -> None:
    assert row(attachment(1, kind, content="a lot")).role is None


@pytest.mark.parametrize("value", [None, [], 5, "x"])
def test_an_attachment_that_is_none_is_a_link(value: object) -> None:
    assert row({**user(1, "x"), "type": "attachment", "attachment": value}).role is None


def test_attachments_join_the_neighbouring_user_message() -> None:
    told = (attachment(1, "file", content="a"), user(2, "go"), reply(3, "yes"), attachment(4, "file", content="b"), user(5, "on"))
    assert sent(*told) == [("user", ["attachment:file", "text"]), ("assistant", ["text"]), ("user", ["attachment:file", "text"])]


def test_the_last_rows_looked_at_are_kept_and_the_others_let_go() -> None:
    told = [user(n, f"row {n}") for n in range(1, 400)]
    session = session_of(*told)
    first = session.row(0)
    assert session.row(0) is first
    for place in range(1, 399):
        session.row(place)
    assert session.row(398) is session.row(398)
    assert session.row(0) is not first and session.row(0) == first


def test_large_rows_are_not_hoarded() -> None:
    session = session_of(*(user(n, "x" * 3_000_000) for n in range(1, 6)))
    first = session.row(0)
    for place in range(1, 5):
        session.row(place)
    assert session.row(0) is not first


def test_an_outline_has_the_figures_of_the_array_without_its_bodies() -> None:
    session: Session = session_of(user(1, "go"), reply(2, "yes", call("a")), user(3, result("a", "x" * 1000)))
    whole, slim = session.array(session.chain), session.outline(session.chain)
    assert [(m.role, m.tokens, m.size, m.lines) for m in whole] == [(m.role, m.tokens, m.size, m.lines) for m in slim]
    assert all(b.body is None for m in slim for b in m.blocks)
