"""Choosing a session: what the list shows, how one finds in it, and what happens when nothing can be opened."""

import os
from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from tests.house.files import ROOT
from tests.test_finding import PROJECT, row, write
from workbench.compaction.profiles import preset_of, resolve
from workbench.finding import survey
from workbench.storage import open_session
from workbench.tui.app import WorkbenchApp
from workbench.tui.screens.picker import PickerScreen
from workbench.tui.screens.session import SessionScreen
from workbench.workspace.catalogue import Entry
from workbench.workspace.listing import Heading, Note

pytestmark = pytest.mark.long

HOSTILE = "\x1b[31mred\x1b[0m \u202egnp.exe \u200b[bold]x[/bold] \ud800\nsecond"
SIZES = [(80, 24), (200, 60)]


def application(path: Path | None = None, folder: str = "") -> WorkbenchApp:
    reader = open_session(str(path)) if path else None
    return WorkbenchApp(reader, lambda session: resolve("articles", preset_of(session.index.last_version)), folder=folder)


@pytest.fixture
def projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    (tmp_path / "projects").mkdir()
    return tmp_path / "projects"


async def settled(pilot: Pilot[Any], *keys: str) -> PickerScreen:
    """Presses keys and waits until nothing more is read."""
    await pilot.press(*keys)
    for _ in range(50):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        screen = pilot.app.screen
        if not isinstance(screen, PickerScreen) or (screen.catalogue.found is not None and not screen.is_reading):
            break
    return screen  # type: ignore[return-value]


def lines(screen: PickerScreen) -> list[str]:
    """The list as it stands on the screen."""
    return [screen.sessions.render_line(y).text.rstrip() for y in range(screen.sessions.size.height)]


def line_with(screen: PickerScreen, words: str) -> str:
    return next(line for line in lines(screen) if words in line)


def foot(screen: PickerScreen) -> list[str]:
    return [line.render_line(0).text.rstrip() for line in screen.query("#preview PaintedLine")]  # type: ignore[attr-defined]


def names(screen: PickerScreen) -> list[str]:
    return [each.name for each in screen.sessions.rows if isinstance(each, Entry)]


def told(app: WorkbenchApp) -> list[str]:
    return [notification.message for notification in app._notifications]


async def test_a_sample_is_opened_by_typing() -> None:
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot)
        await settled(pilot, "slash", *"thrash")
        assert names(screen) == ["10-thrash"]
        await settled(pilot, "enter")
        assert isinstance(app.screen, SessionScreen)
        assert app.screen.workspace.name == "10-thrash.jsonl"


async def test_escape_clears_the_search_before_it_leaves(projects: Path) -> None:
    write(projects / PROJECT / "a.jsonl", [row("u", "mend the cart")])
    write(projects / PROJECT / "b.jsonl", [row("u", "paint the door")])
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot)
        await settled(pilot, "slash", *"CART")
        assert names(screen) == ["a"]
        await settled(pilot, *"zz")
        assert any("no session with “CARTzz”" in line for line in lines(screen))
        await settled(pilot, "escape")
        assert {"a", "b"} < set(names(screen))
        assert screen.sessions.has_focus
        await pilot.press("escape")
    assert app.return_code == 0


@pytest.mark.parametrize(
    ("words", "found"), [("shop", "a"), ("0f3c", "0f3c"), ("door paint", "0f3c"), ("sample orphans", "06-orphans")]
)
async def test_project_title_id_and_group_are_searched(projects: Path, words: str, found: str) -> None:
    write(projects / PROJECT / "a.jsonl", [row("u", "mend the cart")])
    write(projects / "-home-ana-site" / "0f3c.jsonl", [row("u", "paint the door", cwd="/home/ana/site")])
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot)
        await settled(pilot, "slash", *("space" if key == " " else key for key in words))
        assert names(screen) == [found]


async def test_the_search_is_browsed_without_leaving_it() -> None:
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot, "slash")
        await settled(pilot, "down", "down", "up")
        assert screen.sessions.chosen is not None
        assert screen.sessions.chosen.name == "02-two-auto-compactions"  # type: ignore[union-attr]
        assert screen.search.has_focus


async def test_a_path_is_opened(tmp_path: Path) -> None:
    path = write(tmp_path / "here.jsonl", [row("u", "x")])
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await settled(pilot, "o")
        app.screen.query_one("Input").value = str(path)  # type: ignore[attr-defined]
        await settled(pilot, "enter")
        assert isinstance(app.screen, SessionScreen)
        assert app.screen.workspace.name == "here.jsonl"


@pytest.mark.parametrize("typed", ["/no/such/file.jsonl", "[/bold]nothing", "-", "x" * 300])
async def test_what_cannot_be_opened_is_one_sentence_and_the_picker_stays(typed: str) -> None:
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot)
        await settled(pilot, "o")
        app.screen.query_one("Input").value = typed  # type: ignore[attr-defined]
        await settled(pilot, "enter")
        (sentence,) = told(app)
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert app.screen is screen
        await settled(pilot, "down")
        assert screen.sessions.chosen is not None


async def test_a_session_that_went_away_is_told_and_gone_after_a_refresh(projects: Path) -> None:
    path = write(projects / PROJECT / "a.jsonl", [row("u", "x")])
    app = application()
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await settled(pilot)
        path.unlink()
        await settled(pilot, "enter")
        assert app.screen is screen
        assert str(path) in told(app)[0]
        await settled(pilot, "r")
        assert "a" not in names(screen)
        assert any("there is no session file here" in line for line in lines(screen))


async def test_a_file_that_may_not_be_read_is_marked_and_hides_no_other(projects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(projects / PROJECT / "secret.jsonl", [row("u", "x")])
    write(projects / PROJECT / "seen.jsonl", [row("u", "mend the cart")])
    opens = os.open

    def refusing(path: Any, *arguments: Any, **named: Any) -> int:
        if str(path).endswith("secret.jsonl"):
            raise PermissionError(13, "Permission denied")
        return opens(path, *arguments, **named)

    monkeypatch.setattr("workbench.storage.os.open", refusing)
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot)
        assert line_with(screen, "permission denied").startswith("! ")
        assert line_with(screen, "mend the cart").startswith("  ")


async def test_in_another_folder_its_first_session_is_chosen(projects: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    write(other / "aaaa.jsonl", [row("u", "found here")])
    write(projects / PROJECT / "bbbb.jsonl", [row("u", "one of mine")])
    app = application()
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await settled(pilot, "tab", "end", "home", "tab")
        await settled(pilot, "o")
        screen = await settled(pilot, *str(other), "enter")
        assert isinstance(screen, PickerScreen)
        assert isinstance(screen.sessions.chosen, Entry) and screen.sessions.chosen.path == str(other / "aaaa.jsonl")


async def test_a_folder_that_is_named_at_the_start_is_listed(projects: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    write(other / "aaaa.jsonl", [row("u", "found here")])
    app = application(folder=str(other))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await settled(pilot)
        assert isinstance(screen.sessions.chosen, Entry) and screen.sessions.chosen.path == str(other / "aaaa.jsonl")


async def test_a_folder_is_listed_and_left_again(projects: Path, tmp_path: Path) -> None:
    write(projects / PROJECT / "mine.jsonl", [row("u", "x")])
    write(tmp_path / "other" / "theirs.jsonl", [row("u", "x")])
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot)
        await settled(pilot, "o")
        app.screen.query_one("Input").value = str(tmp_path / "other")  # type: ignore[attr-defined]
        await settled(pilot, "enter")
        assert names(screen)[0] == "theirs"
        assert "Sessions of a folder" in lines(screen)[1]
        await settled(pilot, "escape")
        assert names(screen)[0] == "mine"


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_names_and_titles_act_on_nothing(projects: Path, size: tuple[int, int]) -> None:
    folder = projects / "-x\x1b[2J\u202eevil"
    write(folder / "\x1b]0;title\x07.jsonl", [row("u", HOSTILE.replace("\ud800", ""), cwd="/a\x1b[2J\u202e/b")])
    app = application()
    async with app.run_test(size=size) as pilot:
        screen = await settled(pilot)
        shown = [*lines(screen), *foot(screen)]
        assert not any(character in line for line in shown for character in "\x1b\x07\u202e\u200b\n")
        assert "␛[31mred" in line_with(screen, "red")
        assert all(cell_len(line) <= size[0] for line in shown)


@pytest.mark.parametrize("size", SIZES)
async def test_columns_hold_with_wide_characters(projects: Path, size: tuple[int, int]) -> None:
    write(projects / "日本" / "a.jsonl", [row("u", "題名がとても長い " * 20, cwd="/日本/案内所/とても/長い/道")])
    write(projects / PROJECT / "b.jsonl", [row("u", "plain words")])
    app = application()
    async with app.run_test(size=size) as pilot:
        screen = await settled(pilot)
        wide, plain = line_with(screen, "題"), line_with(screen, "plain")
        at = cell_len(plain[: plain.index("plain")])
        assert cell_len(wide[: wide.index("題")]) == at
        assert cell_len(wide) <= size[0]


async def test_what_a_row_and_the_foot_tell(projects: Path) -> None:
    sample = ROOT / "sample_sessions" / "10-thrash.jsonl"
    path = projects / "-work-shop" / "0f3c.jsonl"
    path.parent.mkdir()
    path.write_bytes(sample.read_bytes() + b'{"type":"user","uuid":"torn\n')
    os.utime(path, (1772359200.0, 1772359200.0))
    app = application()
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await settled(pilot)
        cells = lines(screen)[2].split()
        assert cells[:2] == ["!", "2026-03-01"]
        assert cells[2:6] == ["836.5", "KB", "88", "3"]
        title, exact, where = foot(screen)
        assert "2026-03-01 10:00:00 last written" in exact
        assert f"{path.stat().st_size:,} bytes" in exact
        assert "88 records · 3 compactions · 1 damaged line" in exact
        assert where.strip() == str(path)
        assert title.strip()


async def test_a_count_of_a_part_is_a_lower_bound(projects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("workbench.workspace.catalogue", "workbench.workspace.surveying"):
        monkeypatch.setattr(f"{module}.ENOUGH", 300_000)
    sample = (ROOT / "sample_sessions" / "02-two-auto-compactions.jsonl").read_bytes()
    for name in "ab":
        (projects / PROJECT).mkdir(exist_ok=True)
        (projects / PROJECT / f"{name}.jsonl").write_bytes(sample)
    app = application()
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await settled(pilot)
        under_the_cursor, other = lines(screen)[2].split(), lines(screen)[3].split()
        assert "2" in under_the_cursor
        assert any(cell.startswith("≥") for cell in other)
        await settled(pilot, "down")
        assert "2" in lines(screen)[3].split()


async def test_sorting_goes_round_and_the_cursor_stays_on_its_session(projects: Path) -> None:
    samples = ROOT / "sample_sessions"
    for name, source, modified in (
        ("new", "01-plain-short", 300),
        ("large", "02-two-auto-compactions", 200),
        ("busy", "10-thrash", 100),
    ):
        path = projects / PROJECT / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes((samples / f"{source}.jsonl").read_bytes())
        os.utime(path, (modified, modified))
    app = application()
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await settled(pilot)
        orders = [names(screen)[:3]]
        for _ in range(3):
            await settled(pilot, "s")
            orders.append(names(screen)[:3])
            assert "▼" in lines(screen)[0]
            assert screen.sessions.chosen.name == "new"  # type: ignore[union-attr]
        assert orders == [["new", "large", "busy"], ["large", "busy", "new"], ["busy", "large", "new"], ["new", "large", "busy"]]


async def test_the_cursor_rests_on_what_can_be_opened_only() -> None:
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot)
        for key in ("home", "up", "down", "end", "down", "pageup", "tab", "tab", "tab", "G", "k", "g"):
            await settled(pilot, key)
            assert not isinstance(screen.sessions.rows[screen.sessions.cursor], Heading | Note)
            assert screen.sessions.chosen is not None


async def test_groups_are_gone_through(projects: Path) -> None:
    for number in range(60):
        write(projects / PROJECT / f"{number}.jsonl", [row("u", "x")])
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot, "down")
        await settled(pilot, "tab")
        assert screen.sessions.chosen.name == "01-plain-short"  # type: ignore[union-attr]
        await settled(pilot, "tab", "tab")
        assert screen.sessions.cursor == 1
        assert "Your sessions  60" in lines(screen)[1]


async def test_without_a_projects_folder_it_says_where_it_looked_and_offers_samples() -> None:
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot)
        shown = "\n".join(lines(screen))
        assert f"There is no folder {Path.home()}" in shown
        assert "CLAUDE_CONFIG_DIR" in shown
        assert "01-plain-short" in shown


async def test_two_thousand_sessions_are_listed_at_once_and_the_keys_stay_free(
    projects: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = (ROOT / "sample_sessions" / "01-plain-short.jsonl").read_bytes()
    for number in range(2_000):
        folder = projects / f"-home-ana-project-{number % 40}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number:08d}.jsonl").write_bytes(records)
    may_read = Event()

    def waiting(entry: Entry, most: int, give_up: Callable[[], bool]) -> Any:
        may_read.wait()
        return survey(entry, most, give_up)

    monkeypatch.setattr("workbench.tui.surveying.survey", waiting)
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        started = monotonic()
        while not isinstance(app.screen, PickerScreen) or app.screen.catalogue.found is None:
            await pilot.pause()
        assert monotonic() - started < 5
        screen = app.screen
        assert len(screen.sessions.rows) > 2_000
        await pilot.press("down", "down", "end")
        assert screen.sessions.cursor == len(screen.sessions.rows) - 1
        await pilot.press("slash", *"00001999")
        assert names(screen) == ["00001999"]
        assert not screen.catalogue.facts
        may_read.set()
        await settled(pilot)
        assert len(screen.catalogue.facts) > 2_000


async def test_what_was_read_is_known_on_the_next_visit(projects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(projects / PROJECT / "a.jsonl", [row("u", "mend the cart")])
    read: list[str] = []
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await settled(pilot, "enter")
        monkeypatch.setattr("workbench.tui.surveying.survey", counting(read))
        screen = await settled(pilot, "o")
        assert "mend the cart" in line_with(screen, "mend")
        assert read == []
        write(path, [row("u", "paint the whole door")])
        await settled(pilot, "r")
        assert set(read) == {str(path)}
        assert line_with(screen, "paint")


def counting(read: list[str]) -> Callable[..., Any]:
    def counted(entry: Entry, most: int, give_up: Callable[[], bool]) -> Any:
        read.append(entry.path)
        return survey(entry, most, give_up)

    return counted


async def test_leaving_goes_back_to_the_session_and_choosing_replaces_it() -> None:
    app = application(ROOT / "sample_sessions" / "01-plain-short.jsonl")
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        before = app.screen
        for key in ("q", "escape"):
            await settled(pilot, "o")
            assert isinstance(app.screen, PickerScreen)
            await settled(pilot, key)
            assert app.screen is before
        await settled(pilot, "o", "slash", *"orphans")
        await settled(pilot, "enter")
        assert isinstance(app.screen, SessionScreen)
        assert app.screen.workspace.name == "06-orphans.jsonl"
        assert before not in app.screen_stack


async def test_a_click_on_a_key_or_twice_on_a_row_does_it() -> None:
    app = application()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await settled(pilot)
        at = screen.query_one("#foot").render_line(0).text.index("/ search")
        await pilot.click("#foot", offset=(at, 0))
        assert screen.search.has_focus
        await settled(pilot, "escape")
        row_of_orphans = next(y for y, line in enumerate(lines(screen)) if "06-orphans" in line)
        await pilot.click("#sessions", offset=(20, row_of_orphans), times=2)
        await settled(pilot)
        assert isinstance(app.screen, SessionScreen)
        assert app.screen.workspace.name == "06-orphans.jsonl"


async def test_help_shows_every_key_whole_at_80_columns() -> None:
    app = application()
    async with app.run_test(size=(80, 30)) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        rows = app.screen.query_one("LineList")
        shown = [rows.render_line(y).text.rstrip() for y in range(rows.size.height)]
        from workbench.tui.commands.picker import COMMANDS

        assert not [c.id for c in COMMANDS if not any(line.endswith(c.tooltip()) for line in shown)]
        await pilot.press("escape")
        assert isinstance(app.screen, PickerScreen)
