"""The Notes tab as an editor: what typing changes on the screen, what is saved, and that nobody's words are lost."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import TextArea

from tests.tui.opening import SAMPLES, Shown, opened
from workbench import storage
from workbench.compaction.run import Run
from workbench.memory.template import SECTIONS, TEMPLATE
from workbench.tui.panes.notes import NotesPane
from workbench.tui.panes.steps import StepsPane
from workbench.tui.screens.agree import Agree
from workbench.workspace.notes_edit import RESULT, Draft, editing_of
from workbench.workspace.opened import Opened

pytestmark = pytest.mark.long

LONG_AGO = 1_700_000_000
NAME = "07-session-notes"
LOOKS = 400  # of ten milliseconds each, until something that takes a moment has happened


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """The sample with notes, in a folder of its own, written long ago: no agent is at work on it."""
    shutil.copytree(SAMPLES / NAME, tmp_path / NAME)
    path = Path(shutil.copy(SAMPLES / f"{NAME}.jsonl", tmp_path))
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A session without notes."""
    path = Path(shutil.copy(SAMPLES / "02-two-auto-compactions.jsonl", tmp_path))
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def notes_of(session: Path) -> Path:
    return session.with_suffix("") / "session-memory" / "summary.md"


def area(shown: Shown) -> TextArea:
    return shown.screen.query_one("#notes-editor", TextArea)


def draft(shown: Shown) -> Draft:
    found = editing_of(shown.screen.workspace).draft
    assert found is not None
    return found


async def until(shown: Shown, happened: Callable[[], bool]) -> None:
    for _ in range(LOOKS):
        if happened():
            break
        await shown.pilot.pause(0.01)
    await shown.settle()
    assert happened()


async def measured(shown: Shown) -> None:
    """Until what was typed is measured, and whatever follows from it is computed."""

    def is_there() -> bool:
        editing = editing_of(shown.screen.workspace)
        return draft(shown).shown == area(shown).text and (editing.page != RESULT or not editing.is_stale)

    await until(shown, is_there)


async def typed(shown: Shown, text: str, section: str = "Current State") -> None:
    """Text typed at the beginning of a section; the editor keeps the focus."""
    await at(shown, section)
    await shown.press("enter")
    await shown.pilot.press(*text)
    await measured(shown)


async def at(shown: Shown, section: str) -> None:
    """A section selected in the list."""
    pane = shown.screen.query_one(NotesPane)
    if shown.focused == "notes-editor":
        await shown.press("escape")
    pane.sections.cursor = [s.title for s in draft(shown).notes.sections].index(section)
    await shown.settle()


def title(shown: Shown) -> str:
    return shown.titles("notes")[0]


def place(shown: Shown) -> str:
    return shown.titles("notes")[1]


def page(shown: Shown) -> str:
    return " ".join(" ".join(shown.lines("#notes-text")).split())


def section(shown: Shown, name: str) -> str:
    return next(line for line in shown.lines("#notes-sections") if name in line)


# typing


async def test_enter_leads_to_the_text_of_the_section_and_esc_back(session: Path) -> None:
    async with opened(session, "4") as shown:
        assert shown.focused == "notes-sections"
        await at(shown, "Workflow")
        await shown.press("enter")
        assert shown.focused == "notes-editor"
        assert area(shown).document.get_line(area(shown).cursor_location[0]).startswith("1. `cargo test rotate`")
        await shown.press("escape")
        assert shown.focused == "notes-sections"


async def test_the_selected_section_follows_the_cursor(session: Path) -> None:
    async with opened(session, "4", "enter") as shown:
        assert shown.screen.workspace.section == 0
        await shown.press("pagedown")
        assert shown.screen.workspace.section > 0


async def test_typing_moves_the_bars_and_marks_the_section(session: Path) -> None:
    async with opened(session, "4", size=(200, 60)) as shown:
        before = section(shown, "Current State")
        assert "58 of 2,000" in before and "●" not in before
        await typed(shown, "x" * 40)
        after = section(shown, "Current State")
        assert "68 of 2,000" in after and "●" in after
        assert "● 1 section changed, not saved" in title(shown)
        assert "3,022 of 12,000" in section(shown, "whole file")


async def test_a_touched_heading_or_instruction_line_is_warned_of(session: Path) -> None:
    async with opened(session, "4", "enter", "up", "up", "up") as shown:
        assert area(shown).cursor_location[0] == 0
        await shown.press("end")
        await shown.pilot.press(*" now")
        await measured(shown)
        assert place(shown).startswith(" ▲ The heading Session Title now reads Session Title now")
        await shown.press("ctrl+z")
        await measured(shown)
        assert "▲" not in place(shown)
        await shown.press("down", "end", "backspace")
        await measured(shown)
        assert "Session Title is gone: its heading or its instruction line was changed" in place(shown)


async def test_undo_and_redo_from_the_list(session: Path) -> None:
    async with opened(session, "4") as shown:
        await typed(shown, "abc")
        await shown.press("escape", "u")
        await measured(shown)
        assert not draft(shown).is_changed
        await shown.press("U")
        await measured(shown)
        assert "abc" in draft(shown).text


async def test_letters_are_text_in_the_editor_and_commands_beside_it(session: Path) -> None:
    async with opened(session, "4") as shown:
        await typed(shown, "quit 4 xyz")
        assert "quit 4 xyz" in draft(shown).text and shown.screen.workspace.tab == "notes"
        await shown.press("escape", "1")
        assert shown.screen.workspace.tab == "messages"


async def test_the_draft_outlives_a_look_at_another_tab(session: Path) -> None:
    async with opened(session, "4") as shown:
        await typed(shown, "abc")
        await shown.press("escape", "2", "4")
        assert "abc" in area(shown).text and draft(shown).is_changed


# pages


async def test_the_diff_shows_what_saving_would_change(session: Path) -> None:
    async with opened(session, "4", "d", size=(200, 60)) as shown:
        assert page(shown) == "Nothing was changed since the notes were saved."
        await typed(shown, "Now: ")
        lines = [line for line in shown.lines("#notes-text") if line.startswith(("-", "+"))]
        assert lines[0].startswith("- The rename case") and any(line.startswith("+ Now: The rename") for line in lines)


async def test_compacting_from_the_draft_follows_every_edit(session: Path) -> None:
    async with opened(session, "4", "c") as shown:
        first = editing_of(shown.screen.workspace).result
        assert first is not None and first.is_compacted and first.after is not None
        assert f"{first.after:,} tokens in context rough" in page(shown)
        assert f"{167_000 - first.after:,} below 167,000" in page(shown)
        await typed(shown, "y" * 40)
        second = editing_of(shown.screen.workspace).result
        assert second is not None and second.after == first.after + 10
        assert f"{second.after:,} tokens in context" in page(shown)
        made = second.run.work.summary_row
        assert made is not None and made.blocks[0].body is not None and "y" * 40 in str(made.blocks[0].body["text"])


async def test_a_draft_that_says_nothing_cannot_be_compacted_from_and_the_page_says_why(bare: Path) -> None:
    async with opened(bare, "4", "enter", "escape", "c") as shown:
        await measured(shown)
        assert "Not available: The notes hold the template only." in page(shown)
        await typed(shown, "Halfway.")
        assert "tokens in context" in page(shown)


async def test_beside_the_notes_stands_the_recorded_summary_and_why_they_differ(bare: Path) -> None:
    async with opened(bare, "4", "x", size=(200, 60)) as shown:
        await measured(shown)
        await at(shown, "Task specification")
        words = page(shown)
        assert "Primary Request and Intent in the recorded summary, line" in words
        assert "The notes add the decisions taken on the way" in words
        await at(shown, "Session Title")
        assert "nothing of the kind" in page(shown) and "needs no name" in page(shown)


async def test_the_whole_file_says_what_only_a_summary_has(session: Path) -> None:
    async with opened(session, "4", "end", size=(120, 60)) as shown:
        assert "All user messages in a summary simulated offline" in page(shown)


async def test_an_edit_changes_the_simulated_compaction_with_its_next_step(session: Path) -> None:
    async with opened(session, "4", "5") as shown:
        steps = shown.screen.query_one(StepsPane)
        begun = shown.screen.workspace.steps
        assert begun is not None
        steps._draw(replace(begun.wish, variant="session-memory", trigger="manual"), 5)
        await shown.settle()
        before = simulated(shown)
        assert before.results[-1].name == "session-memory" and "Halfway there" not in before.work.summary
        await shown.press("4")
        await typed(shown, "Halfway there. ")
        await shown.press("escape", "5", "n")
        after = simulated(shown)
        assert [r.name for r in after.results][4:] == ["session-memory", "restore"] and "Halfway there" in after.work.summary
        assert after.results[:4] == before.results[:4], "what the notes cannot reach is not computed again"


def simulated(shown: Shown) -> Run:
    steps = shown.screen.workspace.steps
    assert steps is not None and steps.run is not None
    return steps.run


# saving


async def test_saving_keeps_what_was_there_in_a_backup(session: Path) -> None:
    path = notes_of(session)
    before = path.read_text()
    async with opened(session, "4") as shown:
        await typed(shown, "Now: ")
        await shown.press("ctrl+o")
        assert path.read_text() == before.replace("The rename case", "Now: The rename case", 1)
        assert path.with_name("summary.md.1.bak").read_text() == before
        assert "not saved" not in title(shown) and shown.told == ["Saved; what was there is kept in a backup beside it."]
        await shown.press("ctrl+o")
        assert shown.told[-1] == "Nothing was changed."


async def test_what_was_typed_the_moment_before_is_saved_too(session: Path) -> None:
    async with opened(session, "4", "enter") as shown:
        await shown.pilot.press(*"quick ")
        await shown.press("ctrl+o")
        assert "quick " in notes_of(session).read_text()
        assert not draft(shown).is_changed


async def test_every_byte_that_was_not_typed_over_stays(session: Path) -> None:
    content = notes_of(session).read_bytes().replace(b"\n", b"\r\n").replace(b"Ferryman", b"Ferry\x1b[1mman \xff\xe2\x80\xa8")
    notes_of(session).write_bytes(content)
    async with opened(session, "4") as shown:
        assert "␛" in area(shown).text and "\x1b" not in area(shown).text
        await typed(shown, "Now: ")
        await shown.press("ctrl+o")
    assert notes_of(session).read_bytes() == content.replace(b"The rename case", b"Now: The rename case", 1)


async def test_a_change_outside_is_read_where_nothing_was_typed(session: Path) -> None:
    async with opened(session, "4") as shown:
        theirs = notes_of(session).read_text().replace("Ferryman", "Their ferry")
        notes_of(session).write_text(theirs)
        await until(shown, lambda: "Their ferry" in area(shown).text)
        assert "read anew" in shown.told[-1] and not draft(shown).is_changed


async def test_a_mere_touch_of_the_file_takes_nothing_from_what_is_being_typed(session: Path) -> None:
    async with opened(session, "4", "enter") as shown:
        await shown.pilot.press(*"quick ")
        shown.screen.query_one(NotesPane).read(opened_of(shown))
        await measured(shown)
        assert "quick " in area(shown).text and draft(shown).is_changed


def opened_of(shown: Shown) -> Opened:
    found = shown.screen.workspace.opened
    assert found is not None
    return found


async def test_a_change_outside_beside_a_draft_is_a_conflict_that_refuses_saving(session: Path) -> None:
    path = notes_of(session)
    theirs = path.read_text().replace("Ferryman", "Their ferry")
    async with opened(session, "4") as shown:
        await typed(shown, "Mine: ")
        path.write_text(theirs)
        await until(shown, lambda: "Somebody else wrote the notes" in place(shown))
        await shown.press("ctrl+o")
        assert path.read_text() == theirs and "Somebody else wrote the notes meanwhile" in shown.told[-1]
        await shown.press("escape", "d")
        assert "- Their ferry" in page(shown)
        await shown.press("K", "ctrl+o")
        assert "Mine: " in path.read_text() and "Their ferry" not in path.read_text()
        assert "Their ferry" in path.with_name("summary.md.1.bak").read_text()


async def test_a_change_outside_that_nobody_has_seen_yet_refuses_saving(session: Path) -> None:
    path = notes_of(session)
    async with opened(session, "4") as shown:
        await typed(shown, "Mine: ")
        path.write_text("# theirs\n")
        await shown.press("ctrl+o")
        assert path.read_text() == "# theirs\n"
        assert "Somebody else wrote the notes" in place(shown)
        await shown.press("escape", "R")
        await measured(shown)
        assert area(shown).text == "# theirs\n" and not draft(shown).is_changed
        await shown.press("u")
        await measured(shown)
        assert "Mine: " in area(shown).text and draft(shown).is_changed


async def test_while_the_agent_is_at_work_nothing_is_saved(session: Path) -> None:
    before = notes_of(session).read_text()
    async with opened(session, "4") as shown:
        await typed(shown, "Mine: ")
        os.utime(session)
        await shown.press("ctrl+o")
        assert notes_of(session).read_text() == before
        assert "its agent may be at work" in place(shown) and draft(shown).is_changed


async def test_a_folder_that_cannot_be_written_refuses_saving(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = notes_of(session).read_text()

    def refusing(**_: object) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")

    async with opened(session, "4") as shown:
        await typed(shown, "Mine: ")
        with monkeypatch.context() as patched:
            patched.setattr(storage.tempfile, "mkstemp", refusing)
            await shown.press("ctrl+o")
        assert notes_of(session).read_text() == before and "Mine: " in area(shown).text
        assert "Cannot write" in place(shown)


async def test_revert_gives_the_file_back_and_undo_the_draft(session: Path) -> None:
    async with opened(session, "4") as shown:
        await typed(shown, "Mine: ")
        await shown.press("escape", "R")
        await measured(shown)
        assert not draft(shown).is_changed
        await shown.press("u")
        await measured(shown)
        assert "Mine: " in draft(shown).text


async def test_leaving_with_a_draft_asks_first(session: Path) -> None:
    async with opened(session, "4") as shown:
        await typed(shown, "Mine: ")
        await shown.press("ctrl+q")
        assert isinstance(shown.pilot.app.screen, Agree)
        await shown.press("n")
        assert "Mine: " in area(shown).text
        await shown.press("ctrl+q", "y")
        assert shown.pilot.app.return_code == 0


# extracting, and other editors


async def test_extracting_begins_notes_where_there_are_none(bare: Path) -> None:
    async with opened(bare, "4") as shown:
        assert "x extracts notes from the session" in page(shown)
        await shown.press("x")
        await measured(shown)
        assert draft(shown).notes.titles == SECTIONS and not draft(shown).notes.too_long
        assert "nothing is saved yet" in shown.told[-1] and not notes_of(bare).exists()
        await shown.press("ctrl+o")
        assert notes_of(bare).read_text() == draft(shown).text
        assert ", recorded" in place(shown)


async def test_a_second_extraction_finds_nothing_new_until_the_first_is_taken_back(session: Path) -> None:
    async with opened(session, "4", "x") as shown:
        await measured(shown)
        assert "9 sections" in shown.told[-1]
        await shown.press("x")
        assert "nothing that is newer" in shown.told[-1]
        await shown.press("u")
        await measured(shown)
        assert editing_of(shown.screen.workspace).coverage is None, "who takes it back has not read those rows"
        await shown.press("x")
        await measured(shown)
        assert "9 sections" in shown.told[-1]


async def test_the_template_is_begun_with_enter_and_only_saving_writes_it(bare: Path) -> None:
    async with opened(bare, "4", "enter") as shown:
        assert shown.focused == "notes-editor" and area(shown).text == TEMPLATE
        assert not notes_of(bare).exists() and place(shown).startswith(" not saved yet · ")
        await shown.press("escape", "ctrl+o")
        assert notes_of(bare).read_text() == TEMPLATE


async def test_the_user_s_own_editor_gives_its_text_back_unsaved(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys, pathlib\np = pathlib.Path(sys.argv[1])\np.write_text(p.read_text().replace('Ferryman', 'Barge'))\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    before = notes_of(session).read_text()
    async with opened(session, "4") as shown:
        monkeypatch.setattr(shown.pilot.app, "suspend", nullcontext)
        await shown.press("E")
        await measured(shown)
        assert "Barge" in draft(shown).text and notes_of(session).read_text() == before
        await shown.press("u")
        await measured(shown)
        assert not draft(shown).is_changed


async def test_without_an_editor_the_screen_says_what_to_set(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(session, "4") as shown:
        monkeypatch.setattr(shown.pilot.app, "suspend", nullcontext)
        await shown.press("E")
        assert shown.told[-1].startswith("No editor is set; set EDITOR")


async def test_keys_that_cannot_help_say_why(bare: Path) -> None:
    async with opened(bare, "4") as shown:
        for key in ("ctrl+o", "c", "d", "m", "u", "y", "E"):
            await shown.press(key)
            assert shown.told[-1].startswith("There are no notes"), key
        await shown.press("K")
        assert shown.told[-1].startswith("Nobody else wrote the notes")


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60), (40, 12)])
async def test_at_every_size_the_editor_and_the_list_are_there(session: Path, size: tuple[int, int]) -> None:
    async with opened(session, "4", "c", size=size) as shown:
        pane = shown.screen.query_one(NotesPane)
        assert area(shown).size.height >= 1 and pane.sections.size.height >= 2
        await shown.pilot.resize_terminal(120, 36)
        await shown.settle()
        assert pane.page.size.height >= 3


async def test_while_one_types_the_footer_offers_no_letter(session: Path) -> None:
    async with opened(session, "4") as shown:
        assert "c compact" in shown.lines("#foot")[0]
        await shown.press("enter")
        assert area(shown).has_focus
        assert shown.lines("#foot")[0].split() == ["^o", "save", "^p", "palette"]
        await shown.press("escape")
        assert "c compact" in shown.lines("#foot")[0]
