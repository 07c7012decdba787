"""From bytes to records: what counts as a line, what is saved of a damaged one, and what is told of it (spec 2, section 10)."""

from __future__ import annotations

from time import perf_counter

import pytest

from tests.builders import call, file_of, lines_of, read, reply, session_of, user
from tests.transcript.seen import gaps, loaded
from workbench.transcript.lines import BOM, count_bad_characters
from workbench.transcript.session import Session

TALK = (user(1, "hi"), reply(2, "hello"), user(3, "bye"))
FIRST, SECOND, THIRD = lines_of(*TALK)


def texts(session: Session) -> list[str]:
    return [block.head for row in session.rows(session.chain.places) for block in row.blocks]


@pytest.mark.parametrize(
    "content",
    [
        file_of(*TALK),
        file_of(*TALK)[:-1],
        BOM + file_of(*TALK),
        file_of(*TALK).replace(b"\n", b"\r\n"),
        b"\n \n\t\n" + file_of(*TALK).replace(b"\n", b"\n\n\r\n") + b"\n",
        b" " + FIRST + b" \n" + SECOND + b"\t\n\t" + THIRD,
    ],
    ids=["plain", "no newline at the end", "BOM", "CRLF", "blank lines", "blanks around records"],
)
def test_the_same_talk_is_read(content: bytes) -> None:
    session = read(content)
    assert texts(session) == ["hi", "hello", "bye"]
    facts = session.facts
    assert (facts.lines, facts.damaged_lines, facts.lost_fragments, facts.size) == (3, 0, 0, len(content))
    assert (facts.bom, facts.crlf) == (content.startswith(BOM), b"\r\n" in content)


def test_lines_are_numbered_as_an_editor_numbers_them() -> None:
    session = read(b"\n" + FIRST + b"\n\n\r\n" + SECOND + b"\r\n// nothing\n" + THIRD)
    assert list(session.index.lines) == [2, 5, 7]
    assert session.facts.lines == 4


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_only_a_newline_ends_a_line(separator: str) -> None:
    session = session_of(user(1, f"one{separator}two"))
    assert separator.encode() in session.raw(0)
    assert session.facts.lines == 1
    assert texts(session) == [f"one{separator}two"]


def test_a_record_may_stand_anywhere_in_a_chunk_and_is_read_by_its_bytes() -> None:
    session = read(BOM + b"\n" + FIRST + b"\r\n" + SECOND + b"\n")
    assert [session.raw(place) for place in range(2)] == [FIRST, SECOND]


def test_a_comment_is_a_damaged_line_and_stops_nothing() -> None:
    session = read(b"// made by a viewer\n//\n" + file_of(*TALK))
    assert texts(session) == ["hi", "hello", "bye"]
    assert (session.facts.lines, session.facts.damaged_lines, session.facts.lost_fragments) == (5, 2, 2)


def test_what_is_json_but_no_object_is_damage() -> None:
    session = read(b"[]\n42\nnull\nNaN\n" + b'"text"\n' + file_of(*TALK))
    assert session.facts.damaged_lines == 5
    assert len(session.index) == 3


@pytest.mark.parametrize("constant", [b"NaN", b"Infinity", b"-Infinity"])
def test_a_number_that_json_does_not_know_is_damage_as_for_the_agent(constant: bytes) -> None:
    session = read(FIRST + b"\n" + SECOND.replace(b'"hello"', constant) + b"\n" + THIRD)
    assert session.facts.damaged_lines == 1
    assert texts(session) == ["hi", "bye"]


def test_a_number_of_thousands_of_digits_costs_no_row() -> None:
    asked = lines_of(reply(2, call("a", "Read", limit="LIMIT")))[0].replace(b'"LIMIT"', b"1" * 5_000)
    session = read(FIRST + b"\n" + asked + b"\n")
    assert session.facts.damaged_lines == 0
    assert [b.call for b in session.row(1).blocks] == ["a"]


def test_two_records_on_one_line_are_both_shown_and_the_first_alone_is_loaded() -> None:
    session = read(FIRST + b"\n" + SECOND + THIRD + b"\n" + lines_of(user(4, "on", parent=3))[0])
    facts = session.facts
    assert (facts.damaged_lines, facts.recovered_records, facts.lost_fragments) == (1, 2, 0)
    assert [session.row(place).line for place in range(4)] == [1, 2, 2, 3]
    assert loaded(session) == [1, 2, 4]
    assert gaps(session) == [4]


def test_a_cut_line_is_lost_and_the_row_behind_it_is_bridged() -> None:
    session = read(FIRST + b"\n" + SECOND[:-40] + b"\n" + THIRD + b"\n")
    facts = session.facts
    assert (facts.damaged_lines, facts.recovered_records, facts.lost_fragments) == (1, 0, 1)
    assert loaded(session) == [1, 3]
    assert gaps(session) == [3]


def test_a_record_behind_a_cut_one_is_recovered_with_its_own_bytes() -> None:
    session = read(FIRST + b"\n" + SECOND[:90] + THIRD + b"\n")
    facts = session.facts
    assert (facts.damaged_lines, facts.recovered_records, facts.lost_fragments) == (1, 1, 1)
    assert session.raw(1) == THIRD
    assert session.row(1).blocks[0].head == "bye"


def test_what_stands_between_two_records_is_a_fragment() -> None:
    session = read(FIRST + b"\n" + SECOND + b'","x' + THIRD + b" rest\n")
    assert (session.facts.recovered_records, session.facts.lost_fragments) == (2, 2)


def test_a_block_within_a_cut_record_is_no_record() -> None:
    session = read(FIRST + b"\n" + SECOND[:-2] + b"\n")
    assert (session.facts.recovered_records, len(session.index)) == (0, 1)


def test_a_title_without_a_session_id_is_recovered() -> None:
    session = read(FIRST + b'{"type":"summary","summary":"A talk","leafUuid":"x"}\n')
    assert session.index.record_counts() == {"user": 1, "summary": 1}


@pytest.mark.parametrize(
    "line", [b'{"' * 100_000, b'{"a":' * 50_000, b"x" * 3_000_000, b'{"type":"user","sessionId":"' + b"y" * 3_000_000]
)
def test_a_hopeless_line_takes_no_time(line: bytes) -> None:
    started = perf_counter()
    session = read(FIRST + b"\n" + line + b"\n")
    assert perf_counter() - started < 2
    assert (session.facts.damaged_lines, session.facts.lost_fragments) == (1, 1)


def test_nuls_are_counted_and_are_no_fragment() -> None:
    session = read(FIRST + b"\n" + b"\0" * 64 + b"\n" + SECOND + b"\0" * 3 + b"\n" + THIRD + b"\n")
    facts = session.facts
    assert (facts.nul_bytes, facts.damaged_lines, facts.recovered_records, facts.lost_fragments) == (67, 2, 1, 0)
    assert loaded(session) == [1, 2, 3]


def test_a_nul_within_a_text_stays_where_it_is() -> None:
    session = read(FIRST.replace(b"hi", b"h\0i") + b"\n")
    assert session.facts.nul_bytes == 1
    assert texts(session) == ["h\0i"]


def test_invalid_utf_8_is_replaced_and_the_rest_of_the_line_kept() -> None:
    session = read(FIRST.replace(b"hi", b"h\xff\xfei") + b"\n" + SECOND + b"\n")
    assert texts(session) == ["h\ufffd\ufffdi", "hello"]
    assert session.raw(0) == FIRST.replace(b"hi", b"h\xff\xfei")


def test_a_field_that_nobody_reads_may_hold_anything() -> None:
    odd = FIRST[:-1] + b',"toolUseResult":"\xff","more":"\\ud800"}'
    session = read(odd + b"\n" + SECOND)
    assert texts(session) == ["hi", "hello"]


def test_lone_surrogates_are_counted_and_kept_until_they_are_shown() -> None:
    session = read(FIRST.replace(b"hi", rb"a \ud83d b \udc00\ud800 c \ud83d\ude00") + b"\n")
    facts = session.facts
    assert (facts.lone_surrogates, facts.damaged_lines) == (3, 0)
    assert session.row(0).blocks[0].body == {"type": "text", "text": "a \ud83d b \udc00\ud800 c \U0001f600"}


@pytest.mark.parametrize(
    ("line", "lone", "nuls"),
    [
        (rb"\ud83d\ude00", 0, 0),
        (rb"\ud83d", 1, 0),
        (rb"\ude00", 1, 0),
        (rb"\ude00\ud83d", 2, 0),
        (rb"\ud83d\ud83d\ude00", 1, 0),
        (rb"\ud83d \ude00", 2, 0),
        (rb"\ud83d\n\ude00", 2, 0),
        (rb"\\ud83d", 0, 0),
        (rb"\\\ud83d", 1, 0),
        (rb"\u0000\u0000", 0, 2),
        (rb"\\u0000 \u0001", 0, 0),
        (rb"\uD83D\uDE00\uDFFF", 1, 0),
        (b"\\", 0, 0),
    ],
)
def test_bad_characters_are_told_from_good_pairs_and_from_escaped_backslashes(line: bytes, lone: int, nuls: int) -> None:
    assert count_bad_characters(line) == (lone, nuls)


def test_escaped_nuls_are_counted_apart_from_nul_bytes() -> None:
    session = session_of(user(1, "a\0b\0"))
    assert (session.facts.nul_characters, session.facts.nul_bytes, session.facts.damaged_lines) == (2, 0, 0)


@pytest.mark.parametrize("depth", [100, 900, 5_000, 200_000])
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_nesting_however_deep_leaves_the_other_lines_alone(depth: int, closed: bool) -> None:
    deep = b"[" * depth + (b"]" * depth if closed else b"")
    session = read(FIRST + b"\n" + SECOND[:-1] + b',"x":' + deep + b"}\n" + THIRD + b"\n")
    assert {1, 3} <= set(loaded(session))
    assert session.facts.lines == 3


def test_a_body_that_is_no_longer_there_is_empty() -> None:
    session = session_of(*TALK)
    session.reader.content = session.reader.content[: len(FIRST) + 10]
    assert session.body(1) == {} and session.body(2) == {}
    assert session.row(1).blocks == ()
    assert session.row(0).blocks[0].head == "hi"
