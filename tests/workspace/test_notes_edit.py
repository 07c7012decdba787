"""The moves of the Notes tab: a draft against the file, whoever else writes it."""

from dataclasses import replace

import pytest

from tests.workspace.making import sample
from workbench.memory.coverage import Coverage, digest_of
from workbench.memory.notes import Budgets
from workbench.memory.template import SECTIONS, TEMPLATE
from workbench.workspace import notes_edit as edits
from workbench.workspace.notes_beside import beside_of, counterpart_of, without_notes
from workbench.workspace.notes_edit import DIFF, SUMMARY, Draft, draft_of, editing_of
from workbench.workspace.notes_view import NotesFound, NotesView, notes_view
from workbench.workspace.state import Workspace

OPENED = sample("07")
SAVED = TEMPLATE + "\n- began\n"


def view(text: str | None) -> NotesView:
    found = NotesFound(("/n.md",)) if text is None else NotesFound(("/n.md",), "/n.md", text, 2e9, "", digest_of(text.encode()))
    return notes_view(OPENED, found)


def reading(text: str | None) -> Workspace:
    return edits.read(Workspace("s", opened=OPENED), OPENED, view(text))


def typed(now: Workspace, text: str) -> Workspace:
    found = draft(now)
    return edits.drafted(now, draft_of(found.saved, text, Budgets()))


def draft(now: Workspace) -> Draft:
    found = editing_of(now).draft
    assert found is not None
    return found


def test_lines_of_sections_and_sections_of_lines() -> None:
    found = draft_of(SAVED, SAVED, Budgets())
    lines = SAVED.split("\n")
    for number, title in enumerate(SECTIONS):
        at = found.line_of(number)
        assert lines[at] == f"# {title}"
        assert found.section_at(at) == found.section_at(at + 1) == number
    assert lines[found.text_line_of(9)] == "- began"
    assert lines[found.text_line_of(0)] == "" and found.section_at(found.text_line_of(0)) == 0
    assert found.line_of(99) == len(lines) - 1 and found.section_at(10_000) == 9


def test_a_text_before_the_first_section_moves_them_all() -> None:
    found = draft_of(SAVED, f"one\ntwo\n{SAVED}", Budgets())
    assert (found.line_of(0), found.section_at(0)) == (2, 0)
    assert found.is_changed and found.changed == ()


def test_reading_what_is_saved_makes_a_draft_without_changes() -> None:
    now = reading(SAVED)
    assert not draft(now).is_changed and now.notes is not None and now.notes.state.name == "ok"
    assert editing_of(reading(None)).draft is None


def test_a_change_outside_is_taken_where_nothing_was_typed_and_kept_apart_where_something_was() -> None:
    now = reading(SAVED)
    assert draft(edits.read(now, OPENED, view("theirs"))).shown == "theirs"
    conflict = edits.read(typed(now, f"{SAVED}mine\n"), OPENED, view("theirs"))
    theirs = editing_of(conflict).theirs
    assert theirs is not None and theirs.text == "theirs" and draft(conflict).shown == f"{SAVED}mine\n"
    assert "K keeps yours" in edits.why_not_saved(conflict)
    again = edits.read(conflict, OPENED, view(SAVED))
    assert editing_of(again).theirs is None, "the file is as it was read"
    assert not edits.why_not_saved(again)


def test_somebody_else_saving_the_very_same_text_settles_it() -> None:
    now = edits.read(typed(reading(SAVED), f"{SAVED}mine\n"), OPENED, view(f"{SAVED}mine\n"))
    assert not draft(now).is_changed and editing_of(now).theirs is None


@pytest.mark.parametrize(("move", "shown"), [(edits.rebased, f"{SAVED}mine\n"), (edits.reverted, "theirs")])
def test_a_conflict_is_settled_by_keeping_mine_or_taking_theirs(move: object, shown: str) -> None:
    conflict = edits.read(typed(reading(SAVED), f"{SAVED}mine\n"), OPENED, view("theirs"))
    now = move(conflict, view("theirs"))  # type: ignore[operator]
    assert (draft(now).saved, draft(now).shown, editing_of(now).theirs) == ("theirs", shown, None)


def test_what_was_typed_while_saving_stays_a_change() -> None:
    now = typed(reading(SAVED), f"{SAVED}mine\n")
    now = edits.saved(typed(now, f"{SAVED}mine and more\n"), OPENED, view(f"{SAVED}mine\n"))
    assert draft(now).is_changed and draft(now).saved == f"{SAVED}mine\n"


def test_a_late_draft_of_notes_that_were_read_anew_is_dropped() -> None:
    late = draft_of(SAVED, f"{SAVED}late\n", Budgets())
    now = reading("other")
    assert edits.drafted(now, late) is now


def test_taking_an_extraction_back_takes_back_what_it_covered() -> None:
    now = edits.extracted(reading(SAVED), SAVED, Coverage("row", 1.0))
    now = typed(now, f"{SAVED}extracted\n")
    assert editing_of(now).coverage == Coverage("row", 1.0)
    assert editing_of(typed(now, f"{SAVED}extracted and edited\n")).coverage == Coverage("row", 1.0)
    assert editing_of(typed(now, SAVED)).coverage is None


def test_a_page_again_leads_back_to_the_summary() -> None:
    now = edits.to_page(reading(SAVED), DIFF)
    assert editing_of(now).page == DIFF
    assert editing_of(edits.to_page(now, DIFF)).page == SUMMARY


def test_what_belongs_to_another_session_is_dropped() -> None:
    now = reading(SAVED)
    other = sample("01")
    assert edits.read(now, other, view("theirs")) is now
    assert edits.saved(now, other, view(SAVED)) is now
    assert edits.set_beside(now, other, beside_of("", "")) is now


def test_a_section_stands_beside_what_a_summary_has_in_its_place() -> None:
    summary = '1. Primary Request and Intent:\n   - Tides.\n\n6. All user messages:\n   - "Go."\n'
    beside = beside_of(summary, "the recorded summary, line 5")
    sections = {s.title: s for s in draft(reading(SAVED)).notes.sections}
    task = counterpart_of(sections["Task specification"], beside)
    assert task is not None and (task.title, task.text.strip()) == ("Primary Request and Intent", "- Tides.")
    title = counterpart_of(sections["Session Title"], beside)
    assert title is not None and (title.title, title.text) == ("", "")
    other = replace(sections["Worklog"], title="Moods")
    assert counterpart_of(other, beside) is None
    assert [found.title for found in without_notes(beside)] == ["All user messages", "Optional Next Step"]
