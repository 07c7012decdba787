"""The Doctor tab as a user reads it: the findings of `workbench doctor`, each explained, and a repaired copy written from it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from rich.cells import cell_len
from textual.widgets import Input

from tests.tui.opening import SAMPLES, Shown, opened
from tests.workspace.making import write
from workbench.cli import main
from workbench.errors import SessionNotFound
from workbench.tui.jobs import Reader
from workbench.tui.panes import doctor
from workbench.tui.screens.agree import Agree
from workbench.tui.screens.ask import Ask
from workbench.tui.screens.read_text import ReadText
from workbench.tui.screens.session import SessionScreen
from workbench.workspace.doctor_view import DoctorView
from workbench.workspace.opened import Opened

pytestmark = pytest.mark.long

ORPHANS, DAMAGE, REMARK, PLAIN = (
    SAMPLES / f"{name}.jsonl" for name in ("06-orphans", "09-damage", "05-parallel-calls", "01-plain-short")
)
LARGE = (200, 60)
HOSTILE = "a\x1b[31m\u202eb"


def rows(shown: Shown) -> list[str]:
    """The lines of the list below its header, without the empty ones."""
    return [line for line in shown.lines("#doctor-list")[1:] if line]


def kinds(shown: Shown) -> list[tuple[str, str]]:
    """(severity, kind) of every line, at a width where severities are words."""
    return [(line.split()[1], line.split()[2]) for line in rows(shown)]


def page(shown: Shown, name: str = "finding") -> str:
    return " ".join(" ".join(shown.lines(f"#doctor-{name}-text")).split())


def told(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, list[dict[str, str]]]:
    capsys.readouterr()
    main(["doctor", str(path), "--json"])
    found: dict[str, list[dict[str, str]]] = json.loads(capsys.readouterr().out)
    return found


async def answer(shown: Shown, path: object) -> None:
    """Types a path into the question, and Enter."""
    asking = shown.pilot.app.screen
    assert isinstance(asking, Ask)
    asking.query_one(Input).value = str(path)
    await shown.press("enter")


# what is wrong


@pytest.mark.parametrize("path", [ORPHANS, DAMAGE, REMARK], ids=lambda path: path.stem)
async def test_the_findings_are_those_of_the_command_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(path, capsys)
    async with opened(path, "7", size=LARGE) as shown:
        assert kinds(shown) == [(f["severity"], f["kind"]) for f in (*found["faults"], *found["remarks"])]


@pytest.mark.parametrize("case", ["B02", "B20", "B89"])
async def test_in_cases_too(case: str, shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = (shared / "cases").glob(f"{case}-*.jsonl")
    found = told(path, capsys)
    async with opened(path, "7", size=LARGE) as shown:
        assert kinds(shown) == [(f["severity"], f["kind"]) for f in (*found["faults"], *found["remarks"])]


async def test_the_counts_stand_on_top() -> None:
    async with opened(ORPHANS, "7") as shown:
        assert shown.titles("doctor")[0] == " 2 errors, 1 warning; 3 repairable   16 messages in the array"


async def test_only_errors_then_only_what_can_be_repaired() -> None:
    async with opened(DAMAGE, "7", "f", size=LARGE) as shown:
        assert kinds(shown) == [("error", "boundary-bypassed")]
        assert "   only errors   " in shown.titles("doctor")[0]
        await shown.press("f")
        assert len(rows(shown)) == 6
        await shown.press("f")
        assert len(rows(shown)) > 6


async def test_a_filter_that_nothing_passes_says_how_to_take_it_off() -> None:
    async with opened(REMARK, "7", "f") as shown:
        assert "no error; f shows everything" in "".join(shown.lines("#doctor-list"))
        shown.screen.run_command("doctor.message")
        await shown.settle()
        assert shown.told == ["No finding is listed here."]


async def test_a_finding_is_told_whole() -> None:
    async with opened(ORPHANS, "7", "down", size=LARGE) as shown:
        words = page(shown)
        assert "has no result in the next message: the user interrupted it." in words
        assert "the API messages.3: `tool_use` ids were found without `tool_result` blocks" in words
        assert "the agent drops the call" in words
        assert "repair the call is dropped" in words
        assert "Write a repaired copy (x) and resume that." in words
        assert "evidence line 6: tool_use" in words
        assert shown.titles("doctor")[1].startswith(" × unanswered-call   line 6 · message 3 · interrupted · invariant 9")


async def test_its_part_of_the_repair_comes_before_the_rest() -> None:
    async with opened(ORPHANS, "7", "down", size=LARGE) as shown:
        lines = [line.split(",")[0].strip() for line in shown.lines("#doctor-beside-text")]
        assert [line for line in lines if line.startswith(("@@", "the re"))] == [
            *("the repair of this finding", "@@ line 6", "@@ line 7"),
            *("the rest of the repair", "@@ line 11", "@@ line 12", "@@ line 18"),
        ]
        assert "3 changes on 5 lines" in shown.titles("doctor")[2]


async def test_where_there_is_no_room_beside_it_the_repair_stands_below() -> None:
    async with opened(ORPHANS, "7", size=(80, 24)) as shown:
        assert not shown.screen.query_one("#doctor-beside").display
        await shown.press("tab", "end")
        assert "+parentUuid" in page(shown)


async def test_nothing_is_wrong_and_what_was_looked_at() -> None:
    async with opened(PLAIN, "7") as shown:
        assert shown.titles("doctor")[0].startswith(" nothing is wrong")
        assert "array 20 messages" in page(shown, "beside")
        await shown.press("x")
        assert shown.told[-1] == "Nothing is wrong, so there is nothing to repair."


async def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    async with opened(path, "7") as shown:
        assert "empty.jsonl is empty" in "".join(shown.lines("#doctor-list"))
        await shown.press("f", "enter", "x", "y")
        assert shown.screen.workspace.tab == "doctor"


async def test_a_session_that_cannot_be_looked_through_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise SessionNotFound("Cannot read it: input/output error.")

    monkeypatch.setattr(doctor, "views_of", fail)
    async with opened(ORPHANS, "7") as shown:
        assert "Cannot read it: input/output error." in "".join(shown.lines("#doctor-list"))
        await shown.press("x")
        assert shown.told[-1] == "Cannot read it: input/output error."


@pytest.mark.parametrize("size", [(80, 24), (120, 36), LARGE])
async def test_hostile_text_is_shown_and_obeyed_by_nobody(tmp_path: Path, size: tuple[int, int]) -> None:
    use = {"type": "tool_use", "id": HOSTILE, "name": f"検索{HOSTILE}🧪", "input": {"x": HOSTILE}}
    records = [
        {"type": "user", "message": {"content": "go"}},
        {"type": "assistant", "message": {"id": "m", "content": [use]}},
        {"type": "user", "message": {"content": "and?"}},
        {"type": HOSTILE, "message": {}},
    ]
    chain = [{"uuid": f"{HOSTILE}{n}", "parentUuid": f"{HOSTILE}{n - 1}" if n else None, **r} for n, r in enumerate(records)]
    async with opened(write(tmp_path / "s.jsonl", *chain), "7", size=size) as shown:
        assert rows(shown)
        for _ in rows(shown):
            picture = "\n".join(shown.picture)
            assert not {"\x1b", "\u202e"} & set(picture)
            assert {cell_len(line) for line in shown.picture} == {size[0]}
            await shown.press("down")
        await shown.press("home", "y")
        assert "\x1b" not in shown.pilot.app.clipboard


async def test_a_session_that_grows_is_looked_at_again(tmp_path: Path) -> None:
    shutil.copy(ORPHANS, tmp_path / "s.jsonl")
    async with opened(tmp_path / "s.jsonl", "7", "end", size=LARGE) as shown:
        before = kinds(shown)
        with (tmp_path / "s.jsonl").open("a") as file:
            file.write('{"type":"user","uuid":"new","parentUuid":"gone","message":{"role":"user","content":"and now?"}}\n')
        shown.screen.look()
        await shown.settle()
        assert len(rows(shown)) == len(before) + 1
        assert shown.titles("doctor")[1].startswith(" × duplicate-result")


async def test_a_session_that_grows_while_it_is_looked_through_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, look_through = Event(), doctor.views_of

    def wait(opened: Opened, reader: Reader) -> Iterator[DoctorView]:
        gate.wait()
        yield from look_through(opened, reader)

    monkeypatch.setattr(doctor, "views_of", wait)
    shutil.copy(ORPHANS, tmp_path / "s.jsonl")
    async with opened(tmp_path / "s.jsonl", size=LARGE) as shown:
        await shown.pilot.press("7")
        with (tmp_path / "s.jsonl").open("a") as file:
            file.write('{"type":"user","uuid":"new","parentUuid":"gone","message":{"role":"user","content":"and now?"}}\n')
        shown.screen.look()
        await shown.pilot.app.workers.wait_for_complete([w for w in shown.pilot.app.workers if w.group == "follow"])
        await shown.pilot.pause()
        assert shown.titles("doctor")[0].startswith(" looking through")
        await shown.pilot.press("x")
        assert shown.told[-1] == "The session is still being looked through."
        gate.set()
        await shown.settle()
        assert kinds(shown).count(("warning", "dangling-parent")) == 2


# going there


async def test_enter_leads_to_the_block_among_the_messages() -> None:
    async with opened(ORPHANS, "b", "7", "end", "enter") as shown:
        assert (shown.screen.workspace.tab, shown.focused) == ("messages", "list-0")
        assert shown.lines("#detail-title")[0].startswith(" message 6 user · result toolu_0114rZbbCwrxUjVGJJaX7uS6 · line 11")


async def test_a_damaged_line_is_shown_as_it_stands() -> None:
    async with opened(DAMAGE, "7", "down", "enter") as shown:
        assert isinstance(shown.pilot.app.screen, ReadText)
        assert "// copied by hand for the ticket" in "\n".join(shown.picture)
        assert "line 8 as it stands in the file" in "\n".join(shown.picture)
        await shown.press("escape")
        assert shown.focused == "doctor-list"


async def test_a_row_that_is_not_loaded_is_shown_as_a_record(tmp_path: Path) -> None:
    said = [("1", None, "user", "go"), ("2", "1", "assistant", "one way"), ("3", "1", "assistant", "another")]
    records = [{"type": t, "uuid": u, "parentUuid": p, "message": {"role": t, "content": c}} for u, p, t, c in said]
    async with opened(write(tmp_path / "s.jsonl", *records), "7", "enter") as shown:
        assert isinstance(shown.pilot.app.screen, ReadText)
        assert '"content": "one way"' in "\n".join(shown.picture)


async def test_what_is_about_the_file_leads_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":"go"}}')
    async with opened(path, "7", "enter") as shown:
        assert kinds(shown) == [("remark", "no-final-newline")]
        assert shown.told[-1] == "This is about the session as a whole; there is no message to go to."


async def test_copy_gives_what_the_command_line_prints(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", str(ORPHANS)])
    printed = capsys.readouterr().out
    async with opened(ORPHANS, "7", "y") as shown:
        assert shown.pilot.app.clipboard == printed


# the repaired copy


@pytest.mark.parametrize("sample", [ORPHANS, DAMAGE], ids=lambda path: path.stem)
async def test_a_repaired_copy_is_written_beside_the_session(
    sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(shutil.copy(sample, tmp_path))
    repairable = {f["kind"] for f in told(path, capsys)["faults"] if f["repairable"]}
    async with opened(path, "7", "x") as shown:
        assert shown.pilot.app.screen.query_one(Input).value == str(tmp_path / f"{path.stem}.repaired.jsonl")
        await shown.press("enter")
        assert any("is written" in words and "read back: nothing is wrong" in words for words in shown.told)
        assert [line for line in shown.titles("doctor") if line.startswith(" written ")]
    assert path.read_bytes() == sample.read_bytes()
    again = told(tmp_path / f"{path.stem}.repaired.jsonl", capsys)
    assert repairable
    assert not repairable & {f["kind"] for f in again["faults"]}


async def test_the_copy_is_the_one_that_the_command_line_writes(tmp_path: Path) -> None:
    main(["doctor", str(DAMAGE), "--fix", "-o", str(tmp_path / "theirs.jsonl")])
    async with opened(DAMAGE, "7", "x") as shown:
        await answer(shown, tmp_path / "ours.jsonl")
    assert (tmp_path / "ours.jsonl").read_bytes() == (tmp_path / "theirs.jsonl").read_bytes()


async def test_a_folder_takes_the_copy_under_its_own_name(tmp_path: Path) -> None:
    async with opened(ORPHANS, "7", "x") as shown:
        await answer(shown, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["06-orphans.repaired.jsonl"]


async def test_what_no_repair_mends_is_named(tmp_path: Path) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None}
    summary = {"type": "user", "uuid": "s", "parentUuid": "b", "isCompactSummary": True, "message": {"content": "so far"}}
    after = {"type": "user", "uuid": "n", "parentUuid": "gone", "message": {"content": "and?"}}
    path = write(tmp_path / "s.jsonl", boundary, summary, after)
    async with opened(path, "7", "x", "enter") as shown:
        (line,) = [line for line in shown.titles("doctor") if line.startswith(" written ")]
        assert line.endswith("1 change; read back: left, for no repair mends it: boundary-without-metadata")


async def test_the_session_itself_is_refused(tmp_path: Path) -> None:
    path = Path(shutil.copy(ORPHANS, tmp_path))
    (tmp_path / "link.jsonl").symlink_to(path)
    for name in ("06-orphans.jsonl", "link.jsonl"):
        async with opened(path, "7", "x") as shown:
            await answer(shown, tmp_path / name)
            assert "is the file that was opened; name another one" in shown.told[-1]
    assert path.read_bytes() == ORPHANS.read_bytes()


async def test_what_is_there_already_is_replaced_only_when_told_so_again(tmp_path: Path) -> None:
    there = tmp_path / "there.jsonl"
    there.write_text("mine")
    async with opened(ORPHANS, "7", "x") as shown:
        await answer(shown, there)
        assert isinstance(shown.pilot.app.screen, Agree)
        await shown.press("n")
        assert there.read_text() == "mine"
        await shown.press("x")
        await answer(shown, there)
        await shown.press("y")
    assert there.read_text() != "mine"


@pytest.mark.parametrize("typed", ["missing/copy.jsonl", "~nobody-at-all/copy", "a\0b", "x" * 300])
async def test_a_path_that_cannot_be_written_says_why(typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(ORPHANS, "7", "x") as shown:
        shown.pilot.app.screen.dismiss(typed)  # what no keyboard types, a paste may hold
        await shown.settle()
        assert shown.told[-1].startswith("Cannot write ")
        assert shown.titles("doctor")[0].startswith(" 2 errors")
    assert not list(tmp_path.iterdir())


async def test_leaving_the_question_writes_nothing(tmp_path: Path) -> None:
    path = Path(shutil.copy(ORPHANS, tmp_path))
    async with opened(path, "7", "x", "escape") as shown:
        assert shown.focused == "doctor-list"
    assert list(tmp_path.iterdir()) == [path]


async def test_a_session_written_to_meanwhile_is_not_repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SessionScreen, "look", lambda _: None)  # nobody has noticed yet
    path = Path(shutil.copy(ORPHANS, tmp_path))
    async with opened(path, "7", "x") as shown:
        with path.open("a") as file:
            file.write("{}\n")
        await shown.press("enter")
        assert "was written to since it was opened; nothing was written" in shown.told[-1]
    assert list(tmp_path.iterdir()) == [path]


async def test_a_session_that_grew_while_the_path_was_typed_is_not_repaired(tmp_path: Path) -> None:
    path = Path(shutil.copy(ORPHANS, tmp_path))
    async with opened(path, "7") as shown:
        screen = shown.screen
        await shown.press("x")
        with path.open("a") as file:
            file.write('{"type":"user","uuid":"new","parentUuid":"gone","message":{"role":"user","content":"and now?"}}\n')
        screen.look()
        await shown.settle()
        await shown.press("enter")
        assert shown.told == ["The session has changed meanwhile; nothing was written."]
    assert list(tmp_path.iterdir()) == [path]


async def test_a_session_that_was_removed_can_still_be_saved_in_this_way(tmp_path: Path) -> None:
    path = Path(shutil.copy(ORPHANS, tmp_path))
    async with opened(path, "7", "x") as shown:
        path.unlink()
        await shown.press("enter")
    assert [left.name for left in tmp_path.iterdir()] == ["06-orphans.repaired.jsonl"]


async def test_a_request_stays_a_request(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    messages = [{"role": "user", "content": "go"}, {"role": "assistant", "content": [{"type": "text", "text": ""}]}]
    path.write_text(json.dumps({"model": "m", "messages": [*messages, {"role": "user", "content": "on"}]}))
    async with opened(path, "7", "x", "enter") as shown:
        assert shown.told
    assert set(json.loads((tmp_path / "request.repaired.json").read_text())) == {"model", "messages"}
