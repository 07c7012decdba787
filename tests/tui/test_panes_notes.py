"""The Notes tab as a user reads it: sections against their budgets, the selected one beside, or where notes were looked for."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.tui.opening import SAMPLES, Shown, opened
from workbench.cli import main
from workbench.storage import load, notes_file, notes_places, projects_folder
from workbench.tui.notes_file import find_notes
from workbench.tui.painting.notes import bar_text

pytestmark = pytest.mark.long

NOTES = SAMPLES / "07-session-notes.jsonl"
HOME = Path("07-session-notes") / "session-memory" / "summary.md"


def sections(shown: Shown) -> list[str]:
    return [line for line in shown.lines("#notes-sections")[1:] if line]


async def test_sections_and_tokens_are_those_of_inspect(capsys: pytest.CaptureFixture[str]) -> None:
    main(["inspect", str(NOTES), "--json"])
    told = json.loads(capsys.readouterr().out)["notes"]
    async with opened(NOTES, "4", size=(200, 60)) as shown:
        lines = sections(shown)
        for line, section in zip(lines, told["sections"], strict=False):
            assert line.strip().startswith(section["title"])
            assert f"{section['tokens']:,} of 2,000" in line
        assert lines[-1].split()[:5] == ["whole", "file", f"{told['tokens']:,}", "of", "12,000"]
        assert len(lines) == len(told["sections"]) + 1


async def test_a_section_over_its_budget_says_by_how_much() -> None:
    async with opened(NOTES, "4") as shown:
        (over,) = [line for line in sections(shown) if "+" in line]
        assert over.split()[0] == "Worklog" and over.endswith("+512")
        assert "1 over the limit of a section" in shown.titles("notes")[0]


async def test_the_selected_section_stands_in_the_editor_and_what_a_summary_has_in_its_place_beside() -> None:
    async with opened(NOTES, "4", "down", size=(120, 50)) as shown:
        assert shown.lines("#notes-editor")[0].strip() == "# Current State"
        beside = " ".join(" ".join(shown.lines("#notes-text")).split())
        assert beside.startswith("Current State What is being done right now")
        assert "Current Work in a summary simulated offline The notes state it anew at every extraction;" in beside
        await shown.press("end")
        assert "Notes are rewritten many times" in " ".join(shown.lines("#notes-text"))


async def test_copy_gives_the_section_as_it_was_written() -> None:
    async with opened(NOTES, "4", "end", "y") as shown:
        assert shown.pilot.app.clipboard == (SAMPLES / HOME).read_text()


async def test_without_notes_every_place_is_named() -> None:
    path = SAMPLES / "01-plain-short.jsonl"
    async with opened(path, "4", size=(200, 60)) as shown:
        lines = [line.strip() for line in shown.lines("#notes-text")]
        assert lines[0] == "There is no notes file for this session."
        assert set(find_notes(load(str(path))).looked) <= set(lines)


def test_the_places_named_are_those_where_notes_are_found(tmp_path: Path) -> None:
    session = tmp_path / "project" / "copy.jsonl"
    for place in reversed(notes_places(session, "the-id")):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("# notes")
        assert notes_file(session, "the-id") == place
    assert projects_folder().parent in [p.parent.parent for p in notes_places(session, "the-id")]


async def test_notes_older_than_the_session_are_stale(tmp_path: Path) -> None:
    (tmp_path / HOME).parent.mkdir(parents=True)
    shutil.copy(NOTES, tmp_path)
    shutil.copy(SAMPLES / HOME, tmp_path / HOME)
    os.utime(tmp_path / HOME, (1_000_000_000, 1_000_000_000))
    async with opened(tmp_path / NOTES.name, "4") as shown:
        assert shown.titles("notes")[0].startswith(" notes   stale")
        assert "written 2001-09-09 01:46 UTC" in shown.titles("notes")[1]


async def test_notes_written_meanwhile_are_there_when_the_tab_is_opened_again(tmp_path: Path) -> None:
    shutil.copy(NOTES, tmp_path)
    async with opened(tmp_path / NOTES.name, "4") as shown:
        assert "missing" in shown.titles("notes")[0]
        (tmp_path / HOME).parent.mkdir(parents=True)
        shutil.copy(SAMPLES / HOME, tmp_path / HOME)
        await shown.press("1", "4")
        assert sections(shown)[0].split()[:2] == ["Session", "Title"]


async def test_notes_that_cannot_be_read_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(NOTES, tmp_path)
    (tmp_path / HOME).mkdir(parents=True)
    monkeypatch.setattr(Path, "is_file", lambda path: path == tmp_path / HOME or path.name.endswith("jsonl"))
    async with opened(tmp_path / NOTES.name, "4") as shown:
        assert "Cannot read" in " ".join(shown.lines("#notes-text"))


@pytest.mark.parametrize(("tokens", "bar"), [(0, "····"), (1, "▌···"), (50, "██··"), (60, "██▌·"), (100, "████"), (900, "████")])
def test_a_bar(tokens: int, bar: str) -> None:
    assert bar_text(tokens, 100, 4) == bar
