"""Notes against their budgets and against the session."""

from tests.workspace.making import sample
from workbench.memory.template import TEMPLATE
from workbench.workspace.notes_view import NotesFound, counterpart, notes_view


def test_no_file() -> None:
    view = notes_view(sample("01"), NotesFound(("/here", "/there")))
    assert (view.state.name, view.sections, view.budgets.section, view.budgets.total) == ("missing", (), 2_000, 12_000)


def test_a_template_nobody_wrote_into() -> None:
    view = notes_view(sample("01"), NotesFound((), "/n.md", TEMPLATE, 1.0))
    assert view.state.name == "template"
    assert next(s.title for s in view.sections) == "Session Title"


def test_notes_older_than_the_session_are_stale() -> None:
    text = TEMPLATE.replace("# Worklog", "# Worklog", 1) + "\nwrote the parser\n"
    opened = sample("01")
    newest = max(opened.session.index.times)
    states = [notes_view(opened, NotesFound((), "/n.md", text, when)).state.name for when in (newest - 60, newest + 60)]
    assert states == ["stale", "ok"]


def test_what_a_summary_has_in_place_of_a_section() -> None:
    view = notes_view(sample("01"), NotesFound((), "/n.md", TEMPLATE, 1.0))
    found = {s.title: counterpart(s) for s in view.sections}
    state = found["Current State"]
    assert state is not None and "Current Work" in state.summary
