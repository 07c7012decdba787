"""What the Doctor tab knows of a finding: where it leads, which part of the repair is its own, what was looked at."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.workspace.making import call, open_file, result, sample, text, write
from workbench.evidence.doctor import diagnose
from workbench.evidence.finding import Finding
from workbench.export.repair import repaired
from workbench.workspace import moves
from workbench.workspace.columns import columns_of
from workbench.workspace.doctor_view import (
    DoctorView,
    NoDoctor,
    RepairedCopy,
    checked,
    doctor_view,
    own_part,
    severities,
    shown_findings,
    target_of,
)
from workbench.workspace.filtering import Filter
from workbench.workspace.opened import Opened
from workbench.workspace.state import ALL, DOCTOR, ERRORS, MESSAGES, REPAIRABLE, Workspace
from workbench.workspace.view import BOUNDARY, NOW, View


def look_at(opened: Opened) -> DoctorView:
    return doctor_view(opened, diagnose(opened.session), repaired(opened.session))


def chained(*messages: tuple[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Records u1, u2, … of (role, blocks), each hanging on the one before."""
    parents = [None, *(f"u{n}" for n in range(1, len(messages)))]
    return [
        {"type": role, "uuid": f"u{n}", "parentUuid": parent, "message": {"role": role, "content": blocks}}
        for n, ((role, blocks), parent) in enumerate(zip(messages, parents, strict=True), 1)
    ]


def only(view: DoctorView, kind: str) -> Finding:
    (found,) = [each for each in view.lines if each.fault.kind == kind]
    return found


@pytest.mark.parametrize("name", ["06", "09"])
def test_every_repairable_finding_has_a_part_of_the_repair_and_together_they_are_the_whole(name: str) -> None:
    view = look_at(sample(name))
    assert view.repair is not None
    parts = [own_part(view, each) for each in view.diagnosis.repairable]
    assert all(part.changes and part.hunks for part in parts)
    assert {c for part in parts for c in part.changes} == set(view.repair.changes)
    assert {h for part in parts for h in part.hunks} == set(view.hunks)


def test_what_is_linked_away_from_a_dropped_row_belongs_to_its_finding() -> None:
    view = look_at(sample("06"))
    own = own_part(view, only(view, "unanswered-call"))
    assert [hunk.line for hunk in own.hunks] == [6, 7]
    assert [hunk.line for hunk in own.rest] == [11, 12, 18]
    assert len(own.others) == 2


def test_a_damaged_line_that_names_a_row_is_no_part_of_its_repair() -> None:
    view = look_at(sample("09"))
    assert [hunk.line for hunk in own_part(view, only(view, "boundary-bypassed")).hunks] == [25]


def test_each_of_two_calls_of_one_reply_has_its_own_change(tmp_path: Path) -> None:
    records = chained(
        ("user", [text("go")]),
        ("assistant", [call("c1"), call("c1x")]),
        ("user", [result("c1"), result("c1"), result("c1x"), result("c1x")]),
        ("assistant", [text("done")]),
    )
    view = look_at(open_file(write(tmp_path / "s.jsonl", *records)))
    parts = {each.fault.id: own_part(view, each) for each in view.diagnosis.findings}
    assert set(parts) == {"c1", "c1x"}
    assert all(len(part.changes) == 1 and f"{id} " in part.changes[0].reason for id, part in parts.items())


def test_a_moved_cut_belongs_to_the_result_that_it_brings_its_call_back(tmp_path: Path) -> None:
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b",
        "parentUuid": None,
        "logicalParentUuid": "u4",
        "compactMetadata": {"trigger": "auto", "preservedSegment": {"headUuid": "u3", "anchorUuid": "s", "tailUuid": "u4"}},
    }
    said = [("user", [text("go")]), ("assistant", [call("c")]), ("user", [result("c")]), ("assistant", [text("ok")])]
    records = chained(*said)
    summary = {"type": "user", "uuid": "s", "parentUuid": "b", "isCompactSummary": True, "message": {"content": "so far"}}
    view = look_at(open_file(write(tmp_path / "s.jsonl", *records, boundary, summary)))
    own = own_part(view, only(view, "unasked-result"))
    assert [c.kind for c in own.changes] == ["move-cut"]
    assert [h.line for h in own.hunks] == [5]
    assert not own.rest


def test_a_finding_that_nothing_mends_has_no_part() -> None:
    view = look_at(sample("09"))
    own = own_part(view, only(view, "no-final-newline"))
    assert (own.changes, own.hunks, own.rest) == ((), (), view.hunks)


def test_until_the_repair_is_there_no_part_is_known() -> None:
    opened = sample("06")
    view = doctor_view(opened, diagnose(opened.session))
    assert not view.is_complete
    assert own_part(view, view.lines[0]).changes == ()
    assert look_at(opened).is_complete


def test_nothing_is_waited_for_where_nothing_can_be_repaired() -> None:
    opened = sample("01")
    assert doctor_view(opened, diagnose(opened.session)).is_complete


def test_where_findings_lead() -> None:
    view = look_at(sample("06"))
    session = view.opened.session
    target = target_of(view, only(view, "duplicate-result"))
    assert target is not None and target.place is not None
    assert (target.line, session.index.lines[target.place], target.sent) == (11, 11, True)
    assert target.call == only(view, "duplicate-result").fault.id


def test_damage_leads_to_the_line_and_what_is_about_the_file_nowhere() -> None:
    view = look_at(sample("09"))
    lines = [target_of(view, each) for each in view.lines if each.fault.kind == "damaged-line"]
    assert [(t.place, t.line) for t in lines if t is not None] == [(None, 8), (None, 14), (None, 26), (None, 31)]
    assert target_of(view, only(view, "no-final-newline")) is None


def test_a_row_that_is_not_loaded_is_not_sent(tmp_path: Path) -> None:
    records = [
        {"type": "user", "uuid": "1", "parentUuid": None, "message": {"content": "go"}},
        {"type": "assistant", "uuid": "2", "parentUuid": "1", "message": {"content": [text("one way")]}},
        {"type": "assistant", "uuid": "3", "parentUuid": "1", "message": {"content": [text("another")]}},
    ]
    view = look_at(open_file(write(tmp_path / "s.jsonl", *records)))
    target = target_of(view, only(view, "other-branch"))
    assert target is not None
    assert (target.line, target.sent) == (2, False)


def test_a_request_leads_to_its_messages(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_text('{"messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": []}]}')
    opened = open_file(path)
    assert dict(checked(look_at(opened)))["request"].startswith("2 messages")
    path.write_text('[{"role": "user", "content": "go"}, {"role": "assistant", "content": [{"type": "text", "text": " "}]}]')
    view = look_at(open_file(path))
    (finding,) = view.diagnosis.findings
    target = target_of(view, finding)
    assert target is not None
    assert (target.place, target.sent) == (1, True)


def test_filters_and_counts() -> None:
    view = look_at(sample("09"))
    assert severities(view.diagnosis) == {"error": 1, "warning": 5, "remark": len(view.diagnosis.remarks)}
    assert len(shown_findings(view, ALL)) == len(view.lines)
    assert [view.lines[i].fault.kind for i in shown_findings(view, ERRORS)] == ["boundary-bypassed"]
    assert shown_findings(view, REPAIRABLE) == tuple(range(6))


def test_what_was_looked_at_is_said_in_numbers() -> None:
    found = dict(checked(look_at(sample("02"))))
    assert list(found) == ["file", "links", "compactions", "array"]
    assert found["compactions"].startswith("2 boundaries")
    assert found["array"].startswith("10 messages")


# moves


def opened(name: str) -> tuple[Workspace, DoctorView]:
    view = look_at(sample(name))
    now = moves.opened(Workspace(name, tab=DOCTOR), view.opened)
    return moves.diagnosed(moves.filled(now, columns_of(view.opened, View())), view), view


def test_a_diagnosis_of_the_session_as_it_was_is_dropped() -> None:
    now, view = opened("06")
    assert now.doctor is view
    other = look_at(sample("06"))
    assert moves.diagnosed(now, other) is now
    assert moves.diagnosed(now, NoDoctor(other.opened, "gone")) is now


def test_a_session_that_grew_is_forgotten_unless_one_looks_at_it() -> None:
    now, view = opened("06")
    grown = sample("06")
    assert moves.opened(now, grown).doctor is view
    assert moves.opened(moves.to_tab(now, MESSAGES), grown).doctor is None


def test_the_selected_finding_stays_selected() -> None:
    now, _ = opened("09")
    now = moves.to_finding(now, 3)
    again = look_at(sample("09"))
    fewer = replace(again, diagnosis=replace(again.diagnosis, findings=again.diagnosis.findings[2:]))
    now = moves.diagnosed(moves.opened(now, again.opened), fewer)
    assert fewer.lines[now.finding].fault.kind == "boundary-bypassed"
    none = replace(fewer, diagnosis=replace(fewer.diagnosis, findings=(), remarks=()))
    assert moves.diagnosed(now, none).finding == 0


def test_a_copy_of_the_session_as_it_was_is_dropped() -> None:
    now, view = opened("06")
    copy = replace(view, copy=RepairedCopy("there", 3))
    assert moves.copied(now, view, copy).doctor is copy
    assert moves.copied(now, replace(view), copy) is now


def test_filters_come_in_turn() -> None:
    now, seen = Workspace(""), []
    for _ in range(4):
        seen.append(now.finding_filter)
        now = moves.next_finding_filter(now)
    assert seen == [ALL, ERRORS, REPAIRABLE, ALL]


def test_a_jump_goes_to_the_array_of_now_and_to_the_block_that_is_meant() -> None:
    now, view = opened("06")
    target = target_of(view, only(view, "duplicate-result"))
    assert target is not None and target.place is not None and target.line is not None
    there = moves.to_row(moves.filtered(now, Filter(role="assistant")), target.place, target.line, target.call)
    assert (there.tab, there.filter.is_on) == (MESSAGES, False)
    item = moves.selected_item(there)
    assert item is not None and item.row is not None
    assert (item.row.line, item.block.call) == (11, target.call)


def test_a_jump_from_another_array_seeks_the_line_in_that_of_now() -> None:
    now, view = opened("09")
    away = moves.to_view(now, View(BOUNDARY, 0))
    target = target_of(view, only(view, "boundary-bypassed"))
    assert target is not None and target.place is not None and target.line is not None
    there = moves.to_row(away, target.place, target.line, target.call)
    assert (there.tab, there.view, there.seek) == (MESSAGES, View(NOW), 25)
    item = moves.selected_item(moves.filled(there, columns_of(view.opened, View())))
    assert item is not None and item.row is not None
    assert item.row.line == 25
