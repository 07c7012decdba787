"""What a repair promises, held against sessions broken in many ways at once, and against the shared ones."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import (
    Record,
    attachment,
    boundary,
    call,
    file_of,
    last_prompt,
    read,
    reply,
    result,
    summary,
    text,
    thinking,
    user,
    uuid,
)
from workbench.conversation.pairing import pair_up
from workbench.errors import SessionError
from workbench.evidence.doctor import diagnose
from workbench.export.repair import Repair, repaired
from workbench.transcript.session import Session

Fault = Callable[[list[Record], int], None]
RESTORE = {"split-line", "restore-compaction", "rename-row", "rename-call", "move-cut", "relink"}
"""Changes after which other rows may be loaded, or under other ids."""


def turns(count: int) -> list[Record]:
    """A conversation of so many rounds: two calls in one reply, a row each, then their results."""
    rows: list[Record] = [user(1, "Plant the beds.")]
    for turn in range(count):
        at = 10 * (turn + 1)
        rows += [
            reply(at, thinking(), message=f"m{turn}"),
            reply(at + 1, call(f"toolu_{turn}a", "Read", path="beds"), message=f"m{turn}"),
            reply(at + 2, call(f"toolu_{turn}b"), message=f"m{turn}"),
            user(at + 3, result(f"toolu_{turn}a", f"bed {turn}")),
            user(at + 4, result(f"toolu_{turn}b", f"row {turn}")),
            reply(at + 5, f"Turn {turn} is done."),
            user(at + 6, "Go on."),
        ]
    return rows


def results(rows: list[Record]) -> list[int]:
    return [i for i, r in enumerate(rows) if '"tool_result"' in json.dumps(r.get("message", ""))]


def lose(rows: list[Record], at: int) -> None:
    del rows[results(rows)[at % len(results(rows))]]


def double(rows: list[Record], at: int) -> None:
    where = results(rows)[at % len(results(rows))]
    copy = json.loads(json.dumps({**rows[where], "parentUuid": None, "uuid": uuid(500 + at)}))
    copy["message"]["content"][0].update(content="Interrupted", is_error=True)
    rows.insert(where + 1, {**rows[where], **copy, "parentUuid": rows[where]["parentUuid"]})


def delay(rows: list[Record], at: int) -> None:
    where = results(rows)[at % len(results(rows))]
    rows.insert(min(where + 3, len(rows) - 1), rows.pop(where))


def hurry(rows: list[Record], at: int) -> None:
    where = results(rows)[at % len(results(rows))]
    rows.insert(max(where - 3, 1), rows.pop(where))


def empty(rows: list[Record], at: int) -> None:
    row = rows[at % len(rows)]
    if "message" in row and not row.get("isCompactSummary"):
        content = row["message"]["content"]
        row["message"]["content"] = [text(""), *([text(content)] if isinstance(content, str) else content or [])]


def hollow(rows: list[Record], at: int) -> None:
    row = rows[at % len(rows)]
    if "message" in row and not row.get("isCompactSummary"):
        row["message"]["content"] = [[], "", None][at % 3]


def orphan(rows: list[Record], at: int) -> None:
    row = rows[at % (len(rows) - 1) + 1]
    if "uuid" in row and row.get("subtype") != "compact_boundary":
        row["parentUuid"] = uuid(900 + at)


def clash(rows: list[Record], at: int) -> None:
    row, other = rows[at % (len(rows) - 1) + 1], rows[at % 2]
    if row["type"] == "user" and not row.get("isCompactSummary"):
        row["uuid"] = other["uuid"]


def stray(rows: list[Record], at: int) -> None:
    """A row that a sub-agent is said to have written."""
    row = rows[at % (len(rows) - 1)]
    if "uuid" in row and row.get("subtype") != "compact_boundary" and not row.get("isCompactSummary"):
        row["isSidechain"] = True


def forget(rows: list[Record], at: int) -> None:
    """A result that no longer says whose it is."""
    block = rows[results(rows)[at % len(results(rows))]]["message"]["content"][-1]
    if block["type"] == "tool_result":
        block["tool_use_id"] = [None, ""][at % 2]


FAULTS: tuple[Fault, ...] = (lose, double, delay, hurry, empty, hollow, orphan, clash, stray, forget)


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """A session of a few rounds, perhaps compacted, with up to four faults and perhaps a damaged line."""
    rows = turns(draw(st.integers(1, 3)))
    if draw(st.booleans()):
        kept = {
            "preservedMessages": {"anchorUuid": uuid(702), "uuids": [uuid(10 + n) for n in range(draw(st.integers(0, 4)), 6)]}
        }
        behind = turns(2)[1:]
        for row in behind:
            row["uuid"] = row["uuid"].replace("-0000000000", "-1000000000")
        renamed = json.loads(
            json.dumps([{**r, "parentUuid": None} for r in behind]).replace("toolu_", "toolu_late_").replace('"m', '"later')
        )
        behind = [{**r, "parentUuid": old["parentUuid"]} for r, old in zip(renamed, behind, strict=True)]
        start = [
            boundary(701, metadata=kept if draw(st.booleans()) else None),
            summary(702),
            attachment(703, "date", content="today"),
        ]
        rows += [*start, *behind]
    for _ in range(draw(st.integers(0, 4))):
        if len(results(rows)) > 1:
            draw(st.sampled_from(FAULTS))(rows, draw(st.integers(0, 40)))
    content = file_of(*rows, *([last_prompt(1)] if draw(st.booleans()) else []))
    if draw(st.booleans()):
        lines = content.split(b"\n")
        at = draw(st.integers(0, len(lines) - 2))
        lines[at] = draw(st.sampled_from([lines[at][:80], lines[at] + lines[at + 1], lines[at][:90] + lines[at + 1], b"\0" * 9]))
        content = b"\n".join(lines)
    return content


def settled(session: Session, repair: Repair) -> Session:
    """The repaired copy, held to: nothing repairable is left, a second repair changes nothing."""
    again = read(b"".join(repair.chunks()))
    found = diagnose(again)
    assert not found.repairable
    assert not {f.fault.kind for f in diagnose(session).repairable} & set(found.counts)
    assert not repaired(again).is_needed
    return again


@given(broken())
def test_a_repair_keeps_what_it_promises(content: bytes) -> None:
    try:
        session = read(content)
    except SessionError:
        return
    repair = repaired(session)
    if repair.leaves_nothing or not b"".join(repair.chunks()).strip():
        return
    again = settled(session, repair)
    edited = {e.line for e in repair.edits}
    kept = [line for number, line in enumerate(content.split(b"\n"), 1) if number not in edited]
    standing = iter(b"".join(repair.chunks()).split(b"\n"))
    assert all(any(line == each for each in standing) for line in kept)
    if session.tree.boundary is not None and not session.index.facts.damaged_lines:
        sealed = content.split(b"\n")[: session.tree.boundary.line - 1]
        assert b"".join(repair.chunks()).split(b"\n")[: len(sealed)] == sealed
    if not RESTORE & {c.kind for c in repair.changes}:
        before = pair_up(session.array(session.chain))
        good = {p.id for p in before.pairs if p.status == "answered" and not p.error} - set(before.duplicate_calls)
        after = {p.id for p in pair_up(again.array(again.chain)).pairs if p.status == "answered" and not p.error}
        assert good <= after, "no real result is lost"


def repairs(folder: Path) -> dict[str, Repair]:
    return {path.name: repaired(read(path.read_bytes(), path.name)) for path in sorted(folder.glob("*.jsonl"))}


SAMPLES = sorted((Path(__file__).parents[2] / "sample_sessions").glob("*.jsonl"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_is_whole_after_its_repair(path: Path) -> None:
    session = read(path.read_bytes(), path.name)
    repair = repaired(session)
    settled(session, repair)
    assert repair.is_needed == bool(diagnose(session).repairable)


def test_every_case_is_whole_after_its_repair(shared: Path) -> None:
    for name, repair in repairs(shared / "cases").items():
        session = repair.original
        settled(session, repair)
        assert repair.is_needed == bool(diagnose(session).repairable), name


def test_real_sessions_have_nothing_to_repair(shared: Path) -> None:
    for folder in ("real", "real-new"):
        for name, repair in repairs(shared / folder).items():
            found = diagnose(repair.original)
            assert (name, found.counts, repair.edits) == (name, {}, ())
