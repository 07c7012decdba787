"""Restoring held against what the agent itself recorded behind its boundaries."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.compaction.running import attached
from workbench.compaction.plan import Plan
from workbench.compaction.profiles import ARTICLES, OBSERVED, resolve
from workbench.compaction.reconstruct import working_set
from workbench.compaction.restoring import Restored, restore
from workbench.compaction.working_set import WorkingSet
from workbench.conversation.row import Row
from workbench.evidence.grounding import ground_at
from workbench.storage import load
from workbench.transcript.boundary import Boundary
from workbench.transcript.session import Session

FILES = ("file", "compact_file_reference")
LISTS = ("deferred_tools_delta", "agent_listing_delta", "skill_listing")
SETTINGS = resolve(OBSERVED)


def restored(session: Session, boundary: Boundary, **changes: object) -> tuple[WorkingSet, Restored]:
    ground = ground_at(session, SETTINGS, line=boundary.line)
    ground = replace(ground, working=replace(ground.working, **changes))  # type: ignore[arg-type]
    kept = tuple(row for row in ground.rows if row.uuid in boundary.kept_uuids)
    return ground.working, restore(ground, Plan(SETTINGS), kept, {})


@pytest.mark.parametrize("name", ["11-auto-restores-files", "12-thrash", "14-reactive", "15-summary-request-too-long"])
def test_as_many_files_come_back_as_the_agent_brought_back(shared: Path, name: str) -> None:
    session = load(str(shared / "real-new" / f"{name}.jsonl"))
    assert session.boundaries
    for boundary in session.boundaries:
        theirs = [a for a in attached(session, boundary) if a["type"] in FILES]
        _, ours = restored(session, boundary)
        assert len([a for a in ours.attachments if a.kind in FILES]) == len(theirs)


def test_the_edited_file_comes_first_and_large_ones_are_named(shared: Path) -> None:
    session = load(str(shared / "real-new" / "11-auto-restores-files.jsonl"))
    (boundary,) = session.boundaries
    theirs = [a for a in attached(session, boundary) if a["type"] in FILES]
    working, ours = restored(session, boundary)
    files = [a for a in ours.attachments if a.kind in FILES]
    assert files[0].name == theirs[0]["filename"]
    assert next(f for f in working.files if f.path == files[0].name).modified
    large = {f.path for f in working.files if len((f.text or "").encode()) > 20_000}
    assert {a.name for a in files if a.kind == "compact_file_reference"} == large & {a.name for a in files}


def test_with_the_disk_s_times_the_same_files_come_back_in_the_same_order_with_the_same_contents(shared: Path) -> None:
    """The times stand on the disk only: they are put in here, as the order in which the agent brought the files back."""
    session = load(str(shared / "real-new" / "11-auto-restores-files.jsonl"))
    (boundary,) = session.boundaries
    theirs = [a for a in attached(session, boundary) if a["type"] in FILES]
    times = {a["filename"]: 1_000 - at for at, a in enumerate(theirs)}
    working = working_set(tuple(session.rows(session.chain_at(boundary.line).places)), session.body)
    files = tuple(replace(f, touched=times.get(f.path, 0)) for f in working.files)
    _, ours = restored(session, boundary, files=files)
    came = [a for a in ours.attachments if a.kind in FILES]
    assert [(a.kind, a.name) for a in came] == [(a["type"], a["filename"]) for a in theirs]
    contents = [ours.bodies[a.row.uuid]["attachment"].get("content") for a in came]
    assert contents == [a.get("content") for a in theirs]


@pytest.mark.parametrize("name", ["11-auto-restores-files", "12-thrash", "13-manual-then-on", "14-reactive"])
def test_lists_and_instructions_come_back_in_full(shared: Path, name: str) -> None:
    session = load(str(shared / "real-new" / f"{name}.jsonl"))
    for boundary in session.boundaries:
        theirs = {a["type"]: a for a in attached(session, boundary)}
        working, ours = restored(session, boundary)
        listed = {x.kind: list(x.names) for x in working.listings}
        assert [a.kind for a in ours.attachments if a.kind in LISTS] == [k for k in LISTS if k in theirs]
        assert listed["deferred_tools_delta"] == theirs["deferred_tools_delta"]["addedNames"]
        assert listed["agent_listing_delta"] == theirs["agent_listing_delta"]["addedTypes"]
        assert listed["skill_listing"] == theirs["skill_listing"]["names"]
        assert working.instructions and working.unknown == ()
        if "instructions" in theirs:
            assert [path for path, _ in working.instructions] == [f["path"] for f in theirs["instructions"]["files"]]


def test_known_contents_are_those_the_agent_found_when_it_edited(shared: Path) -> None:
    """Where a record holds the whole file before an edit, what was put together until then is the same, outside changes apart."""
    same = other = 0
    for path in sorted((shared / "real").glob("*.jsonl")):
        session = load(str(path))
        rows = tuple(session.rows(session.chain.places))
        for at, row in enumerate(rows):
            detail = edit_of(session, row)
            known = {f.path: f for f in working_set(rows[:at], session.body).files} if detail else {}
            file = known.get(detail.get("filePath", ""))
            if file is not None and file.is_whole:
                same += file.text == detail["originalFile"]
                other += file.text != detail["originalFile"]
    assert same > 20
    assert other <= same / 5


def edit_of(session: Session, row: Row) -> Mapping[str, Any]:
    if row.kind != "user" or not any(b.kind == "tool_result" for b in row.blocks):
        return {}
    detail = session.body(row.place).get("toolUseResult")
    return detail if isinstance(detail, dict) and isinstance(detail.get("originalFile"), str) and "oldString" in detail else {}


@pytest.mark.parametrize("profile", [ARTICLES, OBSERVED])
def test_at_every_boundary_the_budgets_hold_and_every_file_is_accounted_for(shared: Path, profile: str) -> None:
    settings = resolve(profile)
    points = 0
    for path in sorted([*shared.glob("real*/*.jsonl"), *shared.glob("cases/*.jsonl")]):
        session = load(str(path))
        for line in [*(b.line for b in session.boundaries), None]:
            ground = ground_at(session, settings, line=line)
            found = restore(ground, Plan(settings), (), {})
            files = [a for a in found.attachments if a.kind in FILES]
            assert len(files) <= 5
            assert all(a.tokens <= 5_000 for a in files)
            assert {a.name for a in files} | {x.name for x in found.left_out} >= {f.path for f in ground.working.files}
            assert restore(ground, Plan(settings), (), {}) == found
            points += 1
    assert points > 50
