"""Messages API JSON as input: recognised whatever its layout, each message a row without a line (spec 5, end)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.builders import call, file_of, read, result, text, user
from workbench.errors import NotASession, UsageError
from workbench.export.messages import as_request
from workbench.storage import MOST_PLAIN_BYTES, MemoryFile, read_index
from workbench.transcript.index import Index
from workbench.transcript.lines import BOM

MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "go"},
    {"role": "assistant", "content": [text("I look."), call("a")]},
    {"role": "user", "content": [result("a", "x\u2028y")]},
]
REQUEST = {"model": "m", "max_tokens": 5, "system": "Be kind.", "tools": [{"name": "Bash"}], "messages": MESSAGES}


@pytest.mark.parametrize("value", [REQUEST, MESSAGES], ids=["request", "bare list"])
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("around", [b"", b"\n", b"\r\n  "])
@pytest.mark.parametrize("bom", [b"", BOM])
def test_a_request_is_recognised_whatever_its_layout(value: object, indent: int | None, around: bytes, bom: bytes) -> None:
    session = read(bom + around + json.dumps(value, indent=indent).encode() + around, "request.json")
    assert session.is_request
    assert [session.index.uuids[place] for place in session.chain.places] == ["message:0", "message:1", "message:2"]
    array = session.array(session.chain)
    assert [m.role for m in array] == ["user", "assistant", "user"]
    assert [p.row.parent for m in array for p in m.parts[:1] if p.row] == [None, "message:0", "message:1"]


def test_what_stands_beside_the_messages_is_kept() -> None:
    session = read(json.dumps(REQUEST).encode())
    assert as_request(session.array(session.chain), session) == {
        **REQUEST,
        "messages": [{"role": "user", "content": [text("go")]}, *MESSAGES[1:]],
    }
    assert read(json.dumps(MESSAGES).encode()).plain == {}


def test_its_figures_are_those_of_the_file_and_no_line_is_damaged() -> None:
    content = BOM + json.dumps(REQUEST, indent=1).replace("\n", "\r\n").encode()
    facts = read(content).facts
    assert (facts.size, facts.lines, facts.damaged_lines, facts.lost_fragments) == (len(content), content.count(b"\n") + 1, 0, 0)
    assert (facts.bom, facts.crlf) == (True, True)


def test_it_has_no_calls_boundaries_versions_and_lines_to_go_back_to() -> None:
    session = read(json.dumps(REQUEST).encode(), "request.json")
    assert (session.calls, session.boundaries, session.index.versions, session.requests) == ((), (), {}, ())
    with pytest.raises(UsageError, match=r"request\.json is a Messages API request"):
        session.chain_at(1)


def test_lone_surrogates_are_counted_and_survive() -> None:
    session = read(json.dumps([{"role": "user", "content": "a \ud83d b \U0001f600"}]).encode())
    assert session.facts.lone_surrogates == 1
    assert session.row(0).blocks[0].body == text("a \ud83d b \U0001f600")


def test_another_role_is_a_row_that_is_not_sent() -> None:
    session = read(json.dumps([*MESSAGES, {"role": "system", "content": "x"}]).encode())
    assert session.index.record_counts() == {"user": 2, "assistant": 1, "message-system": 1}
    assert len(session.array(session.chain)) == 3


@pytest.mark.parametrize("value", [[], {"messages": []}])
def test_a_request_without_messages_is_one(value: object) -> None:
    session = read(json.dumps(value).encode())
    assert session.is_request and len(session.index) == 0 and session.chain.places == ()


@pytest.mark.parametrize(
    "content",
    [
        b"{}",
        b'{"messages": 5}',
        b'{"messages": [5]}',
        b'{"messages": [{"content": "x"}]}',
        b'[{"role": 5}]',
        b'{"name": "a package", "version": "1.0"}',
        b"42",
        b'"text"',
        b"# A heading\n\nWords.\n",
        b"GIF89a\0\0\xff\xfe",
        b'{"a": 1}\n{"b": 2}\n',
        b"[" * 100_000,
        b"\0" * 5000,
        b" \n",
    ],
)
def test_what_is_neither_is_refused_with_the_reason(content: bytes) -> None:
    said = r"^x (is empty|holds no session record in \d+ lines?); .*one JSON record a line\.$"
    with pytest.raises(NotASession, match=rf"{said}|^x cannot be read as a Messages API request: .*\.$"):
        read(content, "x")


def test_records_decide_before_messages() -> None:
    assert not read(file_of({**user(1, "go"), "messages": MESSAGES})).is_request


class Watched(MemoryFile):
    """Remembers the longest read."""

    longest = 0

    def read(self, offset: int, length: int) -> bytes:
        self.longest = max(self.longest, length)
        return super().read(offset, length)


@pytest.mark.parametrize("content", [b"no JSON at all " * 1000, b'{"type":"response_item","payload":{}}\n' * 1000, b"\0" * 9000])
def test_what_cannot_be_a_request_is_not_read_whole_a_second_time(content: bytes) -> None:
    file = Watched(content)
    try:
        session = read_index(file)
    except NotASession:
        pass
    else:
        assert session.index.record_counts() == {"response_item": 1000}
    assert file.longest < 1000


def test_nor_is_what_is_larger_than_any_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.storage.MOST_PLAIN_BYTES", 100)
    assert MOST_PLAIN_BYTES >= 32 << 20
    with pytest.raises(NotASession):
        read(json.dumps(REQUEST).encode())


def test_messages_become_lines_that_any_index_reads() -> None:
    session = read(json.dumps(MESSAGES).encode())
    index = Index()
    assert list(index.feed(session.reader.chunks()))[-1] == 3
    assert index.facts.damaged_lines == 0
