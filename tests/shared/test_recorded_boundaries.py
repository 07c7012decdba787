"""Recorded compactions held against ours: when it fires, at how many tokens, what stays, what comes back, what is sent next."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.compaction.running import attached, run_at, stage
from workbench.cli import main
from workbench.compaction.profiles import OBSERVED, preset_of
from workbench.compaction.result import messages_of
from workbench.compaction.run import COMPACTED, SKIPPED_RUN, Run
from workbench.conversation.block import Block
from workbench.storage import load
from workbench.transcript.boundary import Boundary
from workbench.transcript.session import Session

FILES = ("file", "compact_file_reference")
TODAY = ("11-auto-restores-files", "12-thrash", "14-reactive", "15-summary-request-too-long")
Signature = list[tuple[str, list[str]]]


def session_named(shared: Path, name: str) -> Session:
    return load(str(next(iter(shared.glob(f"real*/{name}.jsonl")))))


def recorded(shared: Path, trigger: str) -> Iterator[tuple[Path, Session, Boundary]]:
    """Every boundary of the old sessions with that trigger."""
    for path in sorted((shared / "real").glob("*.jsonl")):
        session = load(str(path))
        for boundary in session.boundaries:
            if boundary.trigger == trigger:
                yield path, session, boundary


def decision(path: Path, line: int, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main(["compact", str(path), "--at", str(line), "--settings", "none", "--summarizer", "recorded", "--json"])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_every_recorded_automatic_compaction_fires_with_the_preset_of_its_version(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = 0
    for path, session, boundary in recorded(shared, "auto"):
        answer = decision(path, boundary.line, capsys)
        decide = next(s for s in answer["stages"] if s["name"] == "decide")
        assert decide["outcome"] == "ok" and decide["reason"].startswith("Fires"), (path.name, boundary.line, decide["reason"])
        assert boundary.pre_tokens is not None
        assert answer["stages"][0]["tokens_before"] == pytest.approx(boundary.pre_tokens, rel=0.01), (path.name, boundary.line)
        preset = preset_of(session.version_at(boundary.place))
        assert answer["settings"]["summaryReserve"]["value"] == preset.reserve == preset_of(session.index.last_version).reserve
        assert answer["settings"]["summaryReserve"]["source"] == "preset"
        seen += 1
    assert seen == 11


def test_the_tokens_of_every_recorded_manual_compaction_are_within_a_hundredth(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = 0
    for path, _, boundary in recorded(shared, "manual"):
        answer = decision(path, boundary.line, capsys)
        assert answer["stages"][0]["tokens_before"] == pytest.approx(boundary.pre_tokens, rel=0.01), (path.name, boundary.line)
        seen += 1
    assert seen == 3


@pytest.mark.parametrize("name", ["11-auto-restores-files", "12-thrash", "15-summary-request-too-long"])
@pytest.mark.parametrize("profile", ["articles", OBSERVED])
def test_today_s_agent_is_met_to_the_token(shared: Path, name: str, profile: str) -> None:
    session = session_named(shared, name)
    for boundary in session.boundaries:
        run = run_at(session, line=boundary.line, profile=profile, summarizer="recorded")
        assert stage(run, "decide").reason.startswith("Fires")
        assert run.results[0].tokens_before == boundary.pre_tokens == run.ground.tokens.tokens
        assert run.outcome == COMPACTED


@pytest.mark.parametrize("profile", ["articles", OBSERVED])
def test_a_manual_one_is_met_to_the_token_and_a_reactive_one_is_named(shared: Path, profile: str) -> None:
    manual = session_named(shared, "13-manual-then-on")
    (boundary,) = manual.boundaries
    assert run_at(manual, line=boundary.line, profile=profile).results[0].tokens_before == boundary.pre_tokens == 61_000
    reactive = session_named(shared, "14-reactive")
    (boundary,) = reactive.boundaries
    run = run_at(reactive, line=boundary.line, profile=profile)
    assert run.results[0].tokens_before == boundary.pre_tokens == 25_023
    assert "at 25,023 tokens, was reactive" in run.reason


@pytest.mark.parametrize("profile", ["articles", OBSERVED])
def test_where_today_s_agent_gave_up_as_it_thrashed_so_do_we(shared: Path, profile: str) -> None:
    run = run_at(session_named(shared, "12-thrash"), profile=profile)
    assert run.outcome == SKIPPED_RUN and "Thrash: 3 times in a row" in run.reason


def replayed(session: Session, boundary: Boundary) -> Run:
    """The recorded compaction as today's agent makes it, with the summary that it recorded."""
    variant = "reactive" if (boundary.pre_tokens or 0) < 67_000 else "auto"
    return run_at(session, variant, line=boundary.line, profile=OBSERVED, summarizer="recorded")


def test_dropped_tokens_add_up_as_the_agent_s_do(shared: Path) -> None:
    session = session_named(shared, "12-thrash")
    ours = [stage(replayed(session, b), "record").picture.dropped_tokens for b in session.boundaries]  # type: ignore[attr-defined]
    assert ours == pytest.approx([b.dropped_tokens for b in session.boundaries], rel=0.001)


@pytest.mark.parametrize("name", TODAY)
def test_the_same_rows_stay_in_the_same_order(shared: Path, name: str) -> None:
    session = session_named(shared, name)
    for boundary in session.boundaries:
        run = replayed(session, boundary)
        assert run.outcome == COMPACTED
        assert tuple(row.uuid for row in run.work.kept) == boundary.kept_uuids
        picture = stage(run, "record").picture
        kept = (boundary.head, boundary.tail) if boundary.kept_uuids else None
        assert picture.segment == kept  # type: ignore[attr-defined]


def test_a_manual_one_keeps_the_last_message(shared: Path) -> None:
    session = session_named(shared, "13-manual-then-on")
    (boundary,) = session.boundaries
    run = run_at(session, "full", line=boundary.line, profile=OBSERVED, summarizer="recorded", trigger="manual")
    assert tuple(row.uuid for row in run.work.kept) == boundary.kept_uuids


def test_a_summary_request_that_was_too_long_is_halved_until_it_holds_what_was_summarised(shared: Path) -> None:
    session = session_named(shared, "15-summary-request-too-long")
    (boundary,) = session.boundaries
    run = replayed(session, boundary)
    assert [asked.outcome for asked in run.work.requests] == ["too long", "too long", "ok"]
    requests = json.loads((shared / "real-new" / "15-summary-request-too-long.requests.json").read_text())
    compact = [r["messages"] for r in requests if r["kind"] == "compact"]
    ours = [result.picture.messages for result in run.results if result.name == "ask"]  # type: ignore[attr-defined]
    theirs = [ids(messages, "tool_use") for messages in map(as_blocks, compact)]
    assert [ids(m, "tool_use") for m in ([b for x in each for b in marks(x.blocks)] for each in ours)] == theirs[-3:]


@pytest.mark.parametrize("name", TODAY)
def test_at_most_five_files_come_back_the_edited_one_first_and_large_ones_by_name(shared: Path, name: str) -> None:
    session = session_named(shared, name)
    for boundary in session.boundaries:
        run = replayed(session, boundary)
        files = [a for a in run.work.attachments if a.kind in FILES]
        theirs = [a for a in attached(session, boundary) if a["type"] in FILES]
        assert len(files) == len(theirs) <= 5
        edited = [f.path for f in run.ground.working.files if f.modified]
        assert [f.name for f in files if f.name in edited] == [f.name for f in files][: len({f.name for f in files} & {*edited})]
        sizes = {f.path: len((f.text or "").encode()) / 4 for f in run.ground.working.files}
        assert all((a.kind == "compact_file_reference") == (sizes[a.name] > 5_000) for a in files if sizes[a.name])


@pytest.mark.parametrize("name", TODAY)
def test_the_next_request_holds_the_same_calls_and_results(shared: Path, name: str) -> None:
    session = session_named(shared, name)
    requests = json.loads((shared / "real-new" / f"{name}.requests.json").read_text())
    for boundary in session.boundaries:
        sent = requests[next_request(session, boundary) - 1]["messages"]
        run = replayed(session, boundary)
        ours = joined((m.role, marks(m.blocks)) for m in messages_of(run.work.sent))
        assert ours == joined((m["role"], [b for b in m["blocks"] if b not in ("reminder", "instruction")]) for m in sent)


def next_request(session: Session, boundary: Boundary) -> int:
    """The number of the first request behind a boundary, from the made-up id of its reply."""
    place = next(p for p in range(boundary.place, len(session.index)) if session.index.kind(p) == "assistant")
    found = re.fullmatch(r"msg_fake(\d+)", session.body(place)["message"]["id"])
    assert found is not None
    return int(found[1])


def marks(blocks: Iterable[Block]) -> list[str]:
    """Blocks in short, reminders left out: `text`, `tool_use:ID`, `tool_result:ID`."""
    return [
        f"{b.kind}:{b.call}" if b.call else b.kind for b in blocks if b.kind != "reminder" and not b.kind.startswith("attach")
    ]


def as_blocks(request: Iterable[Mapping[str, Any]]) -> list[str]:
    return [b for message in request for b in message["blocks"]]


def ids(blocks: Iterable[str], kind: str) -> list[str]:
    return [b for b in blocks if b.startswith(f"{kind}:")]


def joined(messages: Iterable[tuple[str, list[str]]]) -> Signature:
    """Neighbours of one role as one, texts beside each other as one mark, empty messages left out."""
    found: Signature = []
    for role, blocks in messages:
        if blocks and (not found or found[-1][0] != role):
            found.append((role, []))
        for block in blocks:
            mark = "text" if block.startswith("text") else block
            if mark != "text" or found[-1][1][-1:] != ["text"]:
                found[-1][1].append(mark)
    return found
