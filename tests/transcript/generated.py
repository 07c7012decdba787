"""Small sessions as Hypothesis makes them: talk that may fork, repeat, be cut and be compacted, and what happens to files."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.builders import Record, boundary, call, file_of, last_prompt, reply, result, text, thinking, user, uuid
from workbench.transcript.lines import BOM

CALLS = ("toolu_a", "toolu_b", "toolu_c")
NUMBERS = st.integers(1, 8)
DAMAGE = st.sampled_from([b"", b" ", b"// note", b"[]", b"{", b"\0\0", b'{"type":"user","sessionId":"s"', b"\xff", b'{"a":1}'])


@st.composite
def _records(draw: st.DrawFn) -> Record:
    """A record that may repeat a uuid, hang on any row or none, and belong to a reply that began elsewhere."""
    number, parent = draw(NUMBERS), draw(st.none() | NUMBERS | st.just("gone"))
    side = draw(st.sampled_from([False, False, False, True]))
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return user(number, draw(st.sampled_from(["go", "", "\0", "\ud800"])), parent=parent, isSidechain=side)
    if kind == 1:
        return user(number, result(draw(st.sampled_from(CALLS))), parent=parent, isSidechain=side)
    if kind == 2:
        return last_prompt(number)
    if kind == 3:
        kept = {"preservedMessages": {"anchorUuid": uuid(number), "uuids": [uuid(draw(NUMBERS))]}} if draw(st.booleans()) else {}
        return boundary(number, parent=parent, metadata=kept)
    blocks = draw(st.lists(st.sampled_from([text("said"), thinking(), *map(call, CALLS)]), max_size=2))
    return reply(number, *blocks, parent=parent, message=draw(st.sampled_from(["m1", "m2", "m3"])), isSidechain=side)


@st.composite
def contents(draw: st.DrawFn) -> bytes:
    """The bytes of a file of such records, with damage between and within its lines."""
    lines = draw(st.lists(_records().map(lambda record: file_of(record)[:-1]) | DAMAGE, max_size=12))
    if lines and draw(st.booleans()):  # a newline lost, or an end cut off
        at = draw(st.integers(0, len(lines) - 1))
        lines[at] = lines[at] + draw(st.sampled_from(lines)) if draw(st.booleans()) else lines[at][: len(lines[at]) // 2]
    start, end = draw(st.sampled_from([b"", BOM])), draw(st.sampled_from([b"\n", b"\r\n"]))
    return start + end.join(lines) + draw(st.sampled_from([b"", end]))


@st.composite
def wild(draw: st.DrawFn) -> list[Record]:
    """Records without any order among them, one of them conversation."""
    return [*draw(st.lists(_records(), max_size=10)), user(9, "the last word", parent=draw(st.none() | NUMBERS))]


@st.composite
def talks(draw: st.DrawFn) -> list[Record]:
    """A talk as agents write it: every row hangs on an earlier one, replies are split, calls mostly answered, in any order."""
    records: list[Record] = [user(1, "go")]
    open_calls: list[str] = []
    for number in range(2, draw(st.integers(2, 14))):
        parent = draw(st.integers(max(1, number - 3), number - 1))
        choice = draw(st.integers(0, 9))
        if choice < 4:
            blocks: list[Any] = draw(st.lists(st.sampled_from(["said", thinking()]), max_size=1))
            if draw(st.booleans()):
                open_calls.append(f"toolu_{number}")
                blocks.append(call(open_calls[-1]))
            records.append(reply(number, *blocks, parent=parent, message=f"m{draw(st.integers(number - 1, number))}"))
        elif choice < 7 and open_calls:
            answered = open_calls.pop(draw(st.integers(0, len(open_calls) - 1)))
            records.append(user(number, result(answered), parent=parent))
        elif choice == 9:
            records.append(boundary(number))
        else:
            words, side = draw(st.sampled_from(["and on", ""])), choice == 8 and draw(st.booleans())
            records.append(user(number, words, parent=parent, isSidechain=side))
    return records
