"""Lines and JSON changed in place: what is not named keeps every byte."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.export.repair_json import Record, compact
from workbench.export.repair_lines import LineEdit, Patch, Patched
from workbench.storage import MemoryFile

NESTED = b'{ "a" : 1.50, "m":{"c":[ {"x":"\\u00e9"},2 , "}" ],"d":null} ,"a":2e3, "z":"\xff" }'


def whole(reader: Patched) -> bytes:
    return b"".join(reader.chunks())


def patched(content: bytes, patch: Patch) -> Patched:
    return Patched(MemoryFile(content), len(content), patch)


def test_a_value_is_put_where_it_stands_and_nothing_else_moves() -> None:
    record = Record(NESTED)
    record.put(("m", "c", 1), '"two"')
    assert bytes(record) == NESTED.replace(b"},2 ,", b'},"two" ,')
    assert record.raw(("m", "c", 0)) == '{"x":"\\u00e9"}'
    assert record.elements(("m", "c")) == ['{"x":"\\u00e9"}', '"two"', '"}"']


def test_of_a_key_that_stands_twice_the_last_counts_as_it_does_for_readers() -> None:
    record = Record(NESTED)
    record.put(("a",), "3")
    assert b'"a" : 1.50' in bytes(record)
    assert b'"a":3,' in bytes(record)


def test_a_key_that_is_missing_is_added_to_its_object_and_nowhere_else() -> None:
    record = Record(b'{"m":{},"n":[1]}')
    record.put(("m", "k"), "1")
    record.put(("m", "l"), "2")
    record.put(("n", "k"), "3")
    record.put(("n", 5), "4")
    assert bytes(record) == b'{"m":{"k":1,"l":2},"n":[1]}'
    assert record.raw(("m", "x")) is None
    assert record.elements(("m",)) == []


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=3), v, max_size=3),
    )
)
def test_every_value_is_found_again(value: object) -> None:
    record = Record(json.dumps({"before": [1, "]"], "here": value, "after": {"x": "}"}}).encode())
    assert json.loads(record.raw(("here",)) or "") == value
    record.put(("here",), compact([value]))
    assert json.loads(bytes(record)) == {"before": [1, "]"], "here": [value], "after": {"x": "}"}}


def test_lines_are_replaced_dropped_and_followed_by_new_ones() -> None:
    content = b"one\ntwo\r\nthree\nfour"
    patch = Patch().then([LineEdit(1, b"one", (b"ONE",)), LineEdit(2, b"two", (b"two", b"2.5")), LineEdit(3, b"three", ())])
    assert whole(patched(content, patch)) == b"ONE\ntwo\r\n2.5\r\nfour"
    assert whole(patched(content, Patch().then([LineEdit(4, b"four", (b"4",))]))) == b"one\ntwo\r\nthree\n4\n"


def test_edits_of_a_second_round_name_the_lines_of_the_first() -> None:
    content = b"a\nb\nc\nd\n"
    first = Patch().then([LineEdit(2, b"b", (b"b1", b"b2", b"b3")), LineEdit(3, b"c", ())])
    assert [first.origin(n) for n in range(1, 7)] == [1, 2, 2, 2, 4, 5]
    second = first.then([LineEdit(3, b"b2", (b"B2", b"b2.5")), LineEdit(5, b"d", (b"D",)), LineEdit(1, b"a", ())])
    assert whole(patched(content, second)) == b"b1\nB2\nb2.5\nb3\nD\n"
    assert second.edits[2] == LineEdit(2, b"b", (b"b1", b"B2", b"b2.5", b"b3"))
    back = second.then([LineEdit(5, b"D", (b"d",))])
    assert back.edits[4].after == (back.edits[4].before,)


@given(
    st.lists(st.binary(max_size=6).map(lambda b: b"-" + b.replace(b"\n", b"").replace(b"\r", b"")), min_size=1, max_size=8),
    st.lists(
        st.lists(st.tuples(st.integers(0, 20), st.lists(st.sampled_from([b"x", b"yy"]), max_size=3)), max_size=3), max_size=4
    ),
)
def test_rounds_of_edits_are_what_they_would_be_one_by_one(
    lines: list[bytes], rounds: list[list[tuple[int, list[bytes]]]]
) -> None:
    content = b"".join(line + b"\n" for line in lines)
    patch, model = Patch(), [[line] for line in lines]
    for edits in rounds:
        now = [line for group in model for line in group]
        named = {at % len(now) + 1: tuple(after) for at, after in edits} if now else {}
        patch = patch.then(LineEdit(number, now[number - 1], after) for number, after in named.items())
        numbers = iter(range(1, len(now) + 1))
        model = [[new for line in group for new in named.get(next(numbers), (line,))] for group in model]
    made = b"".join(line + b"\n" for group in model for line in group)
    reader = patched(content, patch)
    assert whole(reader) == made
    assert reader.size == len(made)


@pytest.mark.parametrize("offset", [0, 1, 4, 5, 8, 11])
@pytest.mark.parametrize("length", [0, 1, 3, 100])
def test_any_stretch_of_a_patched_file_can_be_read(offset: int, length: int) -> None:
    reader = patched(b"a\nbb\ncc\n", Patch().then([LineEdit(2, b"bb", (b"BBB", b"+"))]))
    assert reader.read(offset, length) == b"a\nBBB\n+\ncc\n"[offset : offset + length]
