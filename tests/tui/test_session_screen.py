"""The session screen on every sample: each tab and each kind of row at each size, figures as the command line gives them."""

import json
import random
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.builders import file_of, reply, user
from tests.conftest import FULL
from tests.tui.opening import SAMPLES, Shown, application, opened
from workbench.cli import main
from workbench.compaction.profiles import preset_of, resolve
from workbench.compaction.settings import FLAG, Layer
from workbench.storage import open_session
from workbench.tui.app import WorkbenchApp
from workbench.tui.commands.registry import BY_ID, COMMANDS
from workbench.tui.screens.session import SessionScreen
from workbench.workspace import moves
from workbench.workspace.moves import FORMS
from workbench.workspace.state import TABS

pytestmark = pytest.mark.long

PRESENT = [tab for tab in TABS if find_spec(f"workbench.tui.panes.{tab}")]
SIZES = [(80, 24), (120, 36), (200, 60)]
NAMES = sorted(path.name for path in SAMPLES.glob("*.jsonl"))
REAL = [f"real/{n:02d}-*.jsonl" for n in range(1, 11)] + [f"real-new/{n}-*.jsonl" for n in range(11, 17)]
BROKEN = {
    "empty": b"",
    "half a record": b'{"type":"user","mess',
    "zeros": b"\0" * 5_000,
    "words": b"Dear diary,\n\ntoday nothing happened.\n",
    "other JSON": b'{"name": "workbench", "version": 3}\n',
    "a list": b"[1, 2, 3]\n",
    "noise": random.Random(7).randbytes(20_000),
}
ABSENT = {BY_ID[f"tab.{tab}"].key for tab in TABS if tab not in PRESENT}
LEAVES = ABSENT | {"q", "ctrl+q", "ctrl+c", "ctrl+s", "ctrl+z"}  # what would end the program, or write a picture
OTHER_KEYS = (
    "up down left right home end pageup pagedown tab shift+tab enter escape space backspace j k g G n N ctrl+d ctrl+u + - 0 [ ]"
)


def sampled(names: list[str]) -> Iterator[Any]:
    """Every file at one size, one after the other in turn; the long one, and with WORKBENCH_FULL every one, at all of them."""
    for at, name in enumerate(names):
        for size in SIZES if FULL or name.startswith("11-long") else [SIZES[at % 3]]:
            yield pytest.param(name, size, id=f"{name.rpartition('/')[2].partition('.')[0]} {size[0]}x{size[1]}")


def told(path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a sub-command prints as JSON."""
    command, *options = arguments
    assert main([command, str(path), *options]) == 0
    return json.loads(capsys.readouterr().out)


def check(shown: Shown, size: tuple[int, int]) -> None:
    """The whole screen is painted: header, footer, every line exactly as wide as the terminal."""
    lines = shown.picture
    assert len(lines) == size[1]
    assert {cell_len(line) for line in lines} == {size[0]}
    assert shown.screen.workspace.name[:12] in lines[0]
    assert "^p palette" in lines[-1]
    assert "? help" in lines[-1]


async def walk(shown: Shown, size: tuple[int, int]) -> None:
    """Every tab, then every kind of row that the Messages tab lists, in every form, then before and after a compaction."""
    for tab in PRESENT:
        await shown.type(BY_ID[f"tab.{tab}"].key, "down", "end")
        check(shown, size)
    await shown.type("1")
    look_at_each_kind(shown)
    for keys in ("r", "r", "r", "b"):
        await shown.type(keys)
        check(shown, size)
    look_at_each_kind(shown)
    await shown.type("s", "down", "escape", "t", "home", "plus", "enter")
    check(shown, size)


def look_at_each_kind(shown: Shown) -> None:
    """One row of each kind, in each form: there is always something to read."""
    column = shown.screen.messages.list_of(0).source.column  # type: ignore[union-attr]
    kinds = {(i.role, i.block.kind, i.block.name, i.fate, i.row and i.row.kind): at for at, i in enumerate(column.items)}
    for at in kinds.values():
        shown.screen.commit(moves.to_item(shown.screen.workspace, 0, at))
        for _ in FORMS:
            assert any(line.strip() for line in shown.lines("#detail"))
            shown.screen.commit(moves.next_form(shown.screen.workspace))


@pytest.mark.parametrize(("name", "size"), sampled(NAMES))
async def test_every_tab_and_every_kind_of_row(name: str, size: tuple[int, int]) -> None:
    async with opened(SAMPLES / name, size=size) as shown:
        check(shown, size)
        await walk(shown, size)


@pytest.mark.parametrize(("name", "size"), sampled(REAL))
async def test_every_tab_and_every_kind_of_row_of_real_sessions(shared: Path, name: str, size: tuple[int, int]) -> None:
    for path in shared.glob(name):
        async with opened(path, size=size) as shown:
            check(shown, size)
            await walk(shown, size)


@pytest.mark.parametrize("name", NAMES)
async def test_messages_and_calls_are_those_of_the_command_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(SAMPLES / name, capsys, "inspect", "--json")
    sent = told(SAMPLES / name, capsys, "export", "--as", "messages", "--recorded", "ignore", "-o", "-")["messages"]
    calls = told(SAMPLES / name, capsys, "timeline", "--json")["calls"]
    async with opened(SAMPLES / name, size=(200, 60)) as shown:
        loaded = found["array"]["messages"]
        assert listed(shown) == loaded
        assert f"now   {loaded:,} messages ·" in shown.lines("#title-0")[0]
        model = shown.screen.timeline.model
        assert model.peak == found["context"]["peak"]
        assert model.threshold == found["threshold"]["auto"]
        assert [point.tokens for point in model.points] == [call["tokens"] for call in calls]
        shown.screen.timeline.cursor = max(range(len(calls)), key=lambda i: calls[i]["tokens"])
        await shown.type("r")
        assert f"{model.peak:,} exact" in shown.lines("#call")[0]
        assert listed(shown) == len(sent)
        assert roles(shown) == [message["role"] for message in sent]
        assert f"now   {len(sent):,} messages ·" in shown.lines("#title-0")[0]


def painted(shown: Shown) -> list[str]:
    """Every line of the list, as it is painted when it is in sight."""
    source = shown.screen.messages.list_of(0).source
    return ["".join(segment.text for segment in source.line(i, 120)) for i in range(len(source))]  # type: ignore[union-attr]


def roles(shown: Shown) -> list[str]:
    return [line.split()[1] for line in painted(shown) if line[:7].strip(" +=×øΣ").isdigit()]


def listed(shown: Shown) -> int:
    """How many messages are numbered, from 0 on without a gap."""
    numbers = [int(found) for line in painted(shown) if (found := line[2:7].strip()).isdigit()]
    assert numbers == [*range(len(numbers))]
    return len(numbers)


async def test_messages_api_json_is_opened_like_a_session(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a.py"}
    messages = [
        {"role": "user", "content": "list it"}, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}
    ]  # fmt: skip
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "system": "Be brief.", "messages": messages}, indent=1))
    async with opened(path) as shown:
        assert listed(shown) == 3
        assert "3 messages" in shown.lines("#title-0")[0]
        assert any("no API call is recorded in this session" in line for line in shown.lines("#timeline"))
        await walk(shown, (120, 36))
        await shown.press("escape", "a", "w", "A")
        assert shown.told[-2:] == [
            "No API call is recorded in this session.",
            "No file of a sub-agent stands beside this session.",
        ]


@pytest.mark.parametrize("kind", BROKEN)
async def test_what_is_no_session_is_told_in_one_sentence(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_bytes(BROKEN[kind])
    async with opened(path, size=(80, 24)) as shown:
        check(shown, (80, 24))
        (sentence,) = [line.strip() for line in shown.lines("#list-0") if line.strip()]
        assert sentence.startswith("broken.jsonl ")
        for command in COMMANDS:
            if command.key.split(",")[0] not in LEAVES | {"o", "T"}:
                await shown.type(command.key.split(",")[0])
                await shown.type("escape")
        assert isinstance(shown.pilot.app.screen, SessionScreen)
        check(shown, (80, 24))


@pytest.mark.parametrize("seed", range(12 if FULL else 3))
async def test_no_keys_in_any_order_break_it(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    path = Path(shutil.copy(SAMPLES / chance.choice(NAMES), tmp_path))
    known = {key for command in COMMANDS for key in command.key.split(",")} | set(OTHER_KEYS.split()) | set("12345678abcxyz")
    keys = chance.choices(sorted(known - LEAVES), k=300)
    before = path.read_bytes()
    app = application(path)
    async with app.run_test(size=chance.choice(SIZES)) as pilot:
        shown = Shown(pilot)
        for at, key in enumerate(keys):
            shown.send(key)
            if at % 30 == 29:
                await pilot.resize_terminal(*chance.choice([*SIZES, (40, 12), (20, 6)]))
            if at % 7 == 6:
                await pilot.pause()
        await shown.settle()
        assert app.return_code is None
    assert path.read_bytes() == before


async def test_the_terminal_changes_its_size_while_the_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes((SAMPLES / "11-long.jsonl").read_bytes() * 5)
    app = application(path)
    async with app.run_test(size=(120, 36)) as pilot:
        shown = Shown(pilot)
        for size in [(80, 24), (30, 8), (200, 60), (10, 3), (1, 1), (120, 36)]:
            await pilot.resize_terminal(*size)
        await shown.settle()
        check(shown, (120, 36))


async def test_the_columns_hold_beside_wide_characters_and_emoji(tmp_path: Path) -> None:
    path = tmp_path / "wide.jsonl"
    words = [
        "日本語のテキスト" * 12,
        "👩‍👩‍👧‍👦 family 🇯🇵 flags " * 6,
        "a\u0301e\u0301 \u200b\u202e hidden " * 6,
        "한국어 and more " * 9,
    ]
    path.write_bytes(file_of(*(row for n, w in enumerate(words) for row in (user(2 * n + 1, w), reply(2 * n + 2, w)))))
    for size in SIZES:
        async with opened(path, "home", size=size) as shown:
            for _ in range(8):
                check(shown, size)
                await shown.type("down")


async def test_a_setting_that_is_ignored_is_said() -> None:
    reader = open_session(str(SAMPLES / "01-plain-short.jsonl"))
    bad = Layer(FLAG, {"window": "abc"})
    app = WorkbenchApp(reader, lambda session: resolve("articles", preset_of(session.index.last_version)).layered(bad))
    async with app.run_test(size=(120, 36)) as pilot:
        shown = Shown(pilot)
        await shown.settle()
        assert any(words.startswith("window=abc") and "is ignored" in words for words in shown.told), shown.told
