"""Whose token figures the screen shows: the rough ones at once, the tokenizer's and the calibrated ones when asked for."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event

import pytest

from tests.tui.opening import SAMPLES, Shown, application, opened
from tests.workspace.making import write
from workbench.cli import main
from workbench.counting import link
from workbench.counting.counter import Counter
from workbench.tui import measuring
from workbench.workspace.figures import STOPPED

pytestmark = pytest.mark.long

LONG = SAMPLES / "11-long.jsonl"


class Abacus:
    """Counts five for each text, but only while the gate is open; knows in which order it was asked."""

    def __init__(self) -> None:
        self.gate, self.waiting = Event(), Event()
        self.asked: list[str] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        self.waiting.set()
        self.gate.wait()
        self.asked += texts
        return [5] * len(texts)

    def notices(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        self.gate.set()


@pytest.fixture
def abacus(monkeypatch: pytest.MonkeyPatch) -> Iterator[Abacus]:
    made = Abacus()
    monkeypatch.setattr(measuring, "open_counter", lambda: made)
    yield made
    made.gate.set()


def told_by_inspect(path: Path, estimator: str, capsys: pytest.CaptureFixture[str]) -> int:
    main(["inspect", str(path), "--estimator", estimator, "--json"])
    found: int = json.loads(capsys.readouterr().out)["array"]["tokens"]
    return found


def head(shown: Shown) -> tuple[str, str, str]:
    """Title of the list, its header, title of the selected message."""
    return shown.lines("#title-0")[0], shown.lines("#list-0")[0], shown.lines("#detail-title")[0]


@pytest.mark.parametrize(
    ("presses", "estimator", "header"), [(0, "rough", "rough"), (1, "tiktoken", "tiktoken"), (2, "calibrated", "calibr.")]
)
async def test_the_figures_are_those_of_inspect_and_say_whose_they_are(
    presses: int, estimator: str, header: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = told_by_inspect(LONG, estimator, capsys)
    async with opened(LONG, *["e"] * presses, size=(200, 60)) as shown:
        title, columns, detail = head(shown)
        assert f"· {wanted:,} tokens {estimator} ·" in title
        assert columns.split()[3] == header
        assert f" tokens {estimator}" in detail
        assert shown.told[-1:] == [] if not presses else shown.told[-1].startswith(f"{estimator}: ")


async def test_a_calibrated_figure_says_by_how_much_it_is_more() -> None:
    async with opened(SAMPLES / "02-two-auto-compactions.jsonl", "b", "e", "e", size=(200, 60)) as shown:
        assert " ×1." in head(shown)[2]
        assert "fitted on" in shown.told[-1]


async def test_keys_answer_and_rough_figures_stand_in_while_it_counts(abacus: Abacus) -> None:
    async with opened_meanwhile(LONG, abacus) as shown:
        assert "counting 0%" in shown.lines("#top")[0]
        before = shown.screen.workspace.cursors[0]
        await shown.pilot.press("up", "e")
        await shown.pilot.pause()
        assert shown.screen.workspace.cursors[0] == before - 1
        assert head(shown)[1].split()[3] == "tiktoken"
        assert " tokens rough" in head(shown)[2]
        assert any(cell.startswith("~") for line in shown.lines("#list-0")[1:] for cell in line.split())
        abacus.gate.set()
        await shown.settle()
        assert "counting" not in shown.lines("#top")[0]
        assert " · 5 tokens tiktoken" in head(shown)[2]
        assert not any("~" in line[:45] for line in shown.lines("#list-0")[1:])


async def test_escape_stops_the_count_and_e_goes_on_with_it(abacus: Abacus) -> None:
    async with opened_meanwhile(LONG, abacus) as shown:
        await shown.pilot.press("escape")
        await shown.pilot.pause()
        assert "counting" not in shown.lines("#top")[0]
        assert shown.screen.workspace.uncounted == STOPPED
        abacus.gate.set()
        await shown.press("e")
        assert head(shown)[1].split()[3] == "tiktoken"
        assert " · 5 tokens tiktoken" in head(shown)[2]


async def test_what_is_in_sight_is_counted_first(abacus: Abacus, tmp_path: Path) -> None:
    rows = [large(number) for number in range(60)]
    async with opened_meanwhile(write(tmp_path / "large.jsonl", *rows), abacus, size=(80, 24)) as shown:
        abacus.gate.set()
        await shown.settle()
    order = [int(words.split()[0]) for words in abacus.asked]
    assert sorted(order) == list(range(60))
    assert order[0] > 40  # the list stands at its end


async def test_it_is_there_at_once_the_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    path = SAMPLES / "04-microcompaction.jsonl"
    async with opened(path) as shown:
        await shown.settle()

    def no_more(*_: object) -> None:
        raise AssertionError("a process was started for what was counted before")

    monkeypatch.setattr(link.Link, "__init__", no_more)
    async with opened(path, "e") as shown:
        assert " tokens tiktoken" in head(shown)[2]


@pytest.mark.parametrize("command", [("/nowhere/python",), ("true",)], ids=["cannot be started", "ends at once"])
async def test_without_a_tokenizer_the_screen_says_so_once_and_stays_rough(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(link, "COMMAND", command)
    async with opened(LONG, size=(200, 60)) as shown:
        assert len(shown.told) == 1
        assert shown.told[0].startswith("The token counter")
        assert shown.told[0].endswith("Tokens stay rough: bytes/4.")
        assert "counting" not in shown.lines("#top")[0]
        await shown.press("b")
        assert len(shown.told) == 1
        await shown.press("e")
        assert head(shown)[1].split()[3] == "calibr."
        await shown.press("e")
        assert head(shown)[1].split()[3] == "rough"
        assert shown.told[-1].endswith(shown.told[0].removesuffix(" Tokens stay rough: bytes/4."))


async def test_the_counting_process_ends_with_the_screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    counter = Counter()
    monkeypatch.setattr(measuring, "open_counter", lambda: counter)
    async with opened(LONG) as shown:
        assert counter.pid is not None
        assert " tokens rough" in head(shown)[2]
    assert counter.pid is None


async def test_both_sides_of_a_compaction_and_a_recorded_request_are_counted(abacus: Abacus) -> None:
    abacus.gate.set()
    async with opened(SAMPLES / "03-manual-kept-rows.jsonl", "e", "b", size=(200, 60)) as shown:
        assert " tokens tiktoken ·" in head(shown)[0]
        assert " tokens tiktoken ·" in shown.lines("#title-1")[0]
        await shown.press("escape", "r", "r")
        assert "as recorded" in head(shown)[0]
        assert " tokens tiktoken ·" in head(shown)[0]


def large(number: int) -> dict[str, object]:
    row = {"role": "user", "content": f"{number} " + "word " * 60_000}
    return {
        "type": "user",
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "parentUuid": f"00000000-0000-4000-8000-{number - 1:012d}" if number else None,
        "sessionId": "5e550000-0000-4000-8000-000000000001",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "message": row,
    }


@asynccontextmanager
async def opened_meanwhile(path: Path, abacus: Abacus, size: tuple[int, int] = (200, 60)) -> AsyncIterator[Shown]:
    """A session that is read and listed, while the abacus still waits at its gate."""
    app = application(path)
    async with app.run_test(size=size) as pilot:
        assert await asyncio.to_thread(abacus.waiting.wait, 10)
        await pilot.pause()
        yield Shown(pilot)
