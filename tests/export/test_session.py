"""A compacted session on disk: the input untouched in front, and read back it is exactly what the run gave."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.builders import boundary, call, file_of, last_prompt, read, reply, result, summary, text, thinking, user
from tests.compaction.running import SAMPLES, check, pivot_in, run_at, settings_for, well
from tests.conftest import FULL
from workbench.compaction.profiles import ARTICLES, OBSERVED, resolve
from workbench.compaction.result import messages_of
from workbench.compaction.run import COMPACTED, Run
from workbench.compaction.stages.record import is_left_out
from workbench.compaction.variants import FOLD, FROM, MICRO_CACHED, MICRO_TIME, REACTIVE, SESSION_MEMORY, UP_TO
from workbench.compaction.variants import FULL as WHOLE
from workbench.conversation.row import Message
from workbench.errors import WriteRefused
from workbench.evidence.grounding import ground_at
from workbench.evidence.inspection import inspect
from workbench.export.session import compacted_session
from workbench.storage import load
from workbench.transcript.session import Session

WITH_BOUNDARY = (
    (WHOLE, ARTICLES),
    (WHOLE, OBSERVED),
    (FROM, ARTICLES),
    (UP_TO, ARTICLES),
    (REACTIVE, OBSERVED),
    (REACTIVE, ARTICLES),
)
SOME_REAL = ("02-v2.1.20", "05-v2.1.29", "10-v2.1.39.agent-a2898e3", "11-auto-restores-files", "13-manual-then-on")
Shape = list[tuple[str, list[str]]]


def shape(messages: Sequence[Message], *, sizes: bool = True) -> Shape:
    """Roles, kinds of blocks, ids of calls and results, which are errors, and how large each is."""
    return [(m.role, [f"{b.kind} {b.call} {b.error} {b.size if sizes else ''}" for b in m.blocks]) for m in messages]


def array(session: Session) -> tuple[Message, ...]:
    return session.array(session.chain)


def rows_after(out: bytes, before: bytes) -> list[dict[str, Any]]:
    assert out.startswith(before)
    return [json.loads(line) for line in out[len(before) :].splitlines()]


def runs(session: Session, line: int | None = None) -> Iterator[Run]:
    """A run of each variant that ends with a boundary."""
    chain = session.chain if line is None else session.chain_at(line)
    pivot = pivot_in(tuple(session.rows(chain.places)), 0.4)
    for variant, profile in WITH_BOUNDARY:
        trigger = "auto" if (variant, profile) == (WHOLE, OBSERVED) else None
        wanted = pivot if variant in (FROM, UP_TO) else None
        yield run_at(session, variant, line=line, profile=profile, trigger=trigger, pivot=wanted, ask=well)


def reads_back(session: Session, before: bytes, run: Run) -> None:
    """Everything that must hold of a written session."""
    if run.outcome != COMPACTED:
        return
    content = compacted_session(session, run)
    assert content == compacted_session(session, run)
    added = rows_after(content, before)
    back = read(content)
    sizes = not session.microcompactions  # what the agent cleared then stands whole on the disk
    assert shape(array(back), sizes=sizes) == shape(messages_of(run.work.sent), sizes=sizes)
    new = [row.uuid for row in run.work.rows if row.place < 0]
    assert [r["uuid"] for r in added if "uuid" in r and r["uuid"] in new] == [u for u in new if u not in kept_uuids(run)]
    metadata = added[0]["compactMetadata"]
    kept = [row.uuid for row in run.work.kept if not row.kind.startswith("progress") and not is_left_out(row)]
    assert metadata.get("preservedMessages", {}).get("uuids", []) == kept
    if kept:
        assert metadata["preservedSegment"]["headUuid"] == kept[0] and metadata["preservedSegment"]["tailUuid"] == kept[-1]
        assert metadata["preservedMessages"]["allUuids"] == kept
        assert metadata["preservedSegment"]["anchorUuid"] == metadata["preservedMessages"]["anchorUuid"]
    assert added[0]["parentUuid"] is None and added[0]["logicalParentUuid"] == run.ground.rows[-1].uuid
    assert added[-1]["type"] == "last-prompt" and added[-1]["leafUuid"] == added[-2]["uuid"]
    last = inspect(back, run.plan.settings).boundaries[-1]
    assert last.on_active_chain and last.boundary.uuid == added[0]["uuid"]
    assert last.kept_resolved if kept else last.kept_resolved is None
    again = run_at(back, WHOLE, ask=well)
    check(again)
    assert again.outcome == COMPACTED


def kept_uuids(run: Run) -> set[str]:
    return {row.uuid for row in run.work.kept}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_every_variant_of_every_sample_reads_back_as_the_run_gave_it(path: Path) -> None:
    session, before = load(str(path)), path.read_bytes()
    for run in runs(session):
        reads_back(session, before if before.endswith(b"\n") else before + b"\n", run)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_before_a_line_the_file_ends_there(path: Path) -> None:
    session, lines = load(str(path)), path.read_bytes().split(b"\n")
    for line in [b.line for b in session.boundaries][:2]:
        before = b"\n".join(lines[: line - 1]) + b"\n"
        for run in runs(session, line):
            reads_back(session, before, run)


def test_the_real_sessions_read_back_too(shared: Path) -> None:
    paths = sorted(shared.glob("real*/*.jsonl"))
    for path in paths if FULL else [p for p in paths if p.stem in SOME_REAL]:
        session, content = load(str(path)), path.read_bytes()
        for line in (None, *(b.line for b in session.boundaries[:1])):
            before = content if line is None else content[: session.index.offsets[session.place_of_line(line)]]
            for run in runs(session, line):
                reads_back(session, before if before.endswith(b"\n") else before + b"\n", run)


def test_notes_are_written_as_the_summary() -> None:
    path = next(p for p in SAMPLES if p.stem.startswith("07"))
    session = load(str(path))
    for trigger in ("auto", "manual"):
        run = run_at(session, SESSION_MEMORY, trigger=trigger)
        assert run.outcome == COMPACTED and run.work.kept
        reads_back(session, path.read_bytes(), run)


# what stands in it


ROWS = (
    user(1, "Begin."),
    reply(2, thinking(), message="msg_a"),
    reply(3, "I look.", message="msg_a"),
    reply(4, call("toolu_1", "Read", file_path="/home/ada/garden/a.py"), message="msg_a"),
    user(5, result("toolu_1", "     1\tprint()")),
    reply(6, "It prints."),
    user(7, "Good. Now \U0001f331 and \ud83d alone."),
    reply(8, "Done."),
    last_prompt(8),
)


def test_every_new_row_looks_like_one_of_the_session() -> None:
    session = read(file_of(*ROWS))
    run = run_at(session, UP_TO, pivot=session.index.uuids[5], ask=well)
    added = rows_after(compacted_session(session, run), file_of(*ROWS))
    for record in added[:-1]:
        same = ("userType", "cwd", "sessionId", "version")
        assert {key: record[key] for key in same} == {key: session.body(0)[key] for key in same}
        assert record["isSidechain"] is False and record["timestamp"].startswith("2026-03-01T09:00:08.0")
    assert [r["parentUuid"] for r in added[1:-1]] == [r["uuid"] for r in added[:-2]], "one parent chain"
    boundary_, summary_, file = added[:3]
    assert (boundary_["type"], boundary_["subtype"]) == ("system", "compact_boundary")
    assert summary_["isCompactSummary"] is True and isinstance(summary_["message"]["content"], str)
    assert file["attachment"]["type"] == "file" and file["rendered"][0]["content"].startswith("<system-reminder>")


def test_compact_json_and_no_lone_surrogate_is_written() -> None:
    session = read(file_of(*ROWS))
    run = run_at(session, FOLD, "foldKeepRounds=1")
    content = compacted_session(session, run)[len(file_of(*ROWS)) :]
    content.decode()
    assert b'": ' not in content.replace(b'\\": ', b"") and b'"subtype":"compact_boundary"' in content


def test_a_last_line_without_an_end_gets_one() -> None:
    before = file_of(*ROWS).rstrip(b"\n")
    session = read(before)
    content = compacted_session(session, run_at(session, WHOLE, ask=well))
    assert content.startswith(before + b"\n")
    reads_back(session, before + b"\n", run_at(session, WHOLE, ask=well))


def test_without_anything_kept_no_preserved_part_is_named() -> None:
    session = read(file_of(*ROWS))
    (first, *_) = rows_after(compacted_session(session, run_at(session, WHOLE, ask=well)), file_of(*ROWS))
    assert not {"preservedSegment", "preservedMessages"} & first["compactMetadata"].keys()


def test_rows_kept_twice_and_an_earlier_summary_read_back() -> None:
    rows = (user(1, "Long ago."), reply(2, "Yes."), boundary(3, metadata={}), summary(4), user(5, "On."), *ROWS[1:6])
    content = file_of(*rows[:5], *(({**r, "uuid": r["uuid"].replace("0000000000", "0000000001")}) for r in rows[5:]))
    session = read(content)
    for run in runs(session):
        reads_back(session, content, run)
    first = run_at(session, FROM, pivot=pivot_in(tuple(session.rows(session.chain.places)), 0.6), ask=well)
    again = read(compacted_session(session, first))
    for run in runs(again):
        reads_back(again, compacted_session(session, first), run)


def test_a_sub_agent_s_session_stays_one() -> None:
    rows = [{**r, "isSidechain": True} if "uuid" in r else r for r in ROWS]
    session = read(file_of(*rows))
    added = rows_after(compacted_session(session, run_at(session, WHOLE, ask=well)), file_of(*rows))
    assert all(r["isSidechain"] is True for r in added[:-1])
    reads_back(session, file_of(*rows), run_at(session, WHOLE, ask=well))


def test_a_main_branch_gets_main_rows_whatever_stands_first_in_it() -> None:
    """One row of another side in front, or as the last boundary, and the agent would read none of what was written."""
    first = [{**ROWS[0], "isSidechain": True}, *ROWS[1:]]
    behind = (
        user(1, "Long ago."),
        reply(2, "Yes."),
        boundary(3, isSidechain=True),
        summary(4),
        user(5, "On."),
        reply(6, "Done."),
    )
    for rows in (first, behind):
        session = read(file_of(*rows))
        for variant, flags in ((WHOLE, ()), (FOLD, ("foldKeepRounds=1",))):
            run = run_at(session, variant, *flags, ask=well)
            if run.outcome == COMPACTED:
                content = compacted_session(session, run)
                assert {r["isSidechain"] for r in rows_after(content, file_of(*rows))[:-1]} == {False}
                assert shape(array(read(content))) == shape(messages_of(run.work.sent))


def test_a_sub_agent_s_branch_inside_a_session_is_refused() -> None:
    aside = [user(11, "Look.", parent=None, isSidechain=True, agentId="a1"), reply(12, "Found.", isSidechain=True, agentId="a1")]
    session = read(file_of(*ROWS[:4], *aside, user(5, result("toolu_1", "print()"), parent=4), *ROWS[5:]))
    ground = ground_at(session, resolve(), chain=session.branch(aside[1]["uuid"]))
    run = run_at(session, WHOLE, ground=ground, ask=well)
    assert run.outcome == COMPACTED
    with pytest.raises(WriteRefused, match="sub-agent's inside the session, which the agent never resumes; compact"):
        compacted_session(session, run)


def test_clearing_on_another_branch_makes_that_the_one_which_resumes() -> None:
    rows = [user(1, "Begin.")]
    for at in range(2, 16, 2):
        rows += [reply(at, call(f"toolu_{at}", "Read")), user(at + 1, result(f"toolu_{at}", "x" * 400))]
    session = read(file_of(*rows, user(20, "Another way.", parent=1), reply(21, "So it is.")))
    settings = settings_for(MICRO_TIME, "now=2026-03-02T09:00:00Z")
    run = run_at(session, MICRO_TIME, ground=ground_at(session, settings, chain=session.branch(rows[-1]["uuid"])))
    assert run.outcome == COMPACTED
    assert shape(array(read(compacted_session(session, run)))) == shape(messages_of(run.work.sent))


def test_a_file_that_would_resume_as_something_else_is_refused() -> None:
    """Kept rows whose ids cannot be written: the agent would find none of them, and load the summary alone."""
    rows = (
        user(1, "Begin."),
        reply(2, "Yes."),
        {**user(3, "On.", parent=2), "uuid": "\ud800"},
        reply(4, "Done.", parent="\ud800"),
    )
    session = read(file_of(*rows))
    run = run_at(session, FROM, pivot=rows[3]["uuid"], ask=well)
    assert run.outcome == COMPACTED and run.work.kept
    with pytest.raises(WriteRefused, match=r"not resume with what this compaction leaves \([^)]*\), since"):
        compacted_session(session, run)


def test_ids_with_lone_surrogates_are_as_good_as_others() -> None:
    for broken in ({"sessionId": "\ud800x"}, {}):
        last = {**reply(2, "Yes."), "uuid": "2" if broken else "\ud800"}
        session = read(file_of({**user(1, "Begin."), **broken}, {**last, **broken}))
        run = run_at(session, WHOLE, ask=well)
        assert shape(array(read(compacted_session(session, run)))) == shape(messages_of(run.work.sent))


def test_where_no_time_can_be_read_the_newest_row_s_own_stands() -> None:
    last = {**reply(2, "Yes."), "timestamp": "9999-12-31T23:59:59.999Z"}
    content = file_of({**user(1, "Begin."), "timestamp": None}, last)
    session = read(content)
    added = rows_after(compacted_session(session, run_at(session, WHOLE, ask=well)), content)
    assert {r["timestamp"] for r in added[:-1]} == {last["timestamp"]}


def test_folded_rounds_are_copied_with_ids_of_their_own() -> None:
    session = read(file_of(*ROWS))
    run = run_at(session, FOLD, "foldKeepRounds=1")
    assert run.outcome == COMPACTED
    content = compacted_session(session, run)
    back = read(content)
    assert shape(array(back)) == shape(messages_of(run.work.sent))
    old = {u for u in session.index.uuids if u}
    assert not old & {r.get("uuid") for r in rows_after(content, file_of(*ROWS))}
    check(run_at(back, WHOLE, ask=well))


def test_cleared_results_are_written_into_their_own_lines_and_no_other_line_changes() -> None:
    rows = [user(1, "Begin.")]
    for number in range(8):
        rows += [
            reply(2 + 2 * number, call(f"toolu_{number}", "Read")),
            user(3 + 2 * number, result(f"toolu_{number}", "x" * 400)),
        ]
    before = file_of(*rows)
    session = read(before)
    run = run_at(session, MICRO_TIME, "now=2026-03-02T09:00:00Z")
    assert run.outcome == COMPACTED
    content = compacted_session(session, run)
    changed = [at for at, (a, b) in enumerate(zip(before.split(b"\n"), content.split(b"\n"), strict=True)) if a != b]
    assert changed == [2, 4, 6], "three of eight are older than the newest five"
    assert shape(array(read(content))) == shape(messages_of(run.work.sent))


def test_what_the_run_changed_in_rows_that_stay_is_written_into_their_own_lines() -> None:
    """Else the agent would load what the result no longer holds: thinking that the API refuses, results that were cleared."""
    model = "claude-opus-5-5-20261001"
    bound = [
        user(1, "Begin."),
        reply(2, thinking(), "Yes.", model=model),
        user(3, "On."),
        reply(4, thinking(), "Done.", model=model),
        reply(5, thinking(), message="msg_alone", model=model),
        user(6, "Good."),
        reply(7, "So it is.", model=model),
    ]
    session = read(file_of(*bound))
    for variant, flags in ((UP_TO, ()), (FOLD, ("foldKeepRounds=2",))):
        run = run_at(session, variant, *flags, pivot=session.index.uuids[2], ask=well)
        assert run.outcome == COMPACTED
        back = array(read(compacted_session(session, run)))
        assert shape(back) == shape(messages_of(run.work.sent))
        assert "thinking" not in {b.kind for m in back for b in m.blocks}
    old = [user(1, "Begin.")]
    for number in range(8):
        name, at = f"toolu_{number}", 2 + 2 * number
        old += [reply(at, call(name, "Read")), user(at + 1, result(name, "x" * 400))]
    session = read(file_of(*old))
    flags = ("timeBased.enabled=true", "now=2026-03-02T09:00:00Z")
    run = run_at(session, UP_TO, *flags, pivot=session.index.uuids[3], ask=well)
    content = compacted_session(session, run)
    assert shape(array(read(content))) == shape(messages_of(run.work.sent))
    pairs = zip(file_of(*old).splitlines(), content.splitlines(), strict=False)
    assert [at for at, (a, b) in enumerate(pairs) if a != b] == [4, 6], "those that stay and were cleared"


def test_what_cannot_be_a_session_is_refused_in_a_sentence() -> None:
    session = load(str(SAMPLES[1]))
    run = run_at(session, MICRO_CACHED, line=session.boundaries[0].line)
    assert run.outcome == COMPACTED
    with pytest.raises(WriteRefused, match="outgoing copy only"):
        compacted_session(session, run)
    request = read(json.dumps({"model": "m", "messages": [{"role": "user", "content": [text("Hello.")]}]}).encode(), "r.json")
    with pytest.raises(WriteRefused, match="--as messages"):
        compacted_session(request, run_at(request, WHOLE, ask=well))
