"""The Pairs tab as a user reads it: the counts of `inspect`, one line a pair, both halves, and the way to the message."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.tui.opening import SAMPLES, Shown, opened
from tests.workspace.making import call, result, text, write
from workbench.cli import main
from workbench.workspace.view import BOUNDARY, View

ORPHANS = SAMPLES / "06-orphans.jsonl"


def rows(shown: Shown) -> list[str]:
    """The lines of the list below its header, without the empty ones."""
    return [line for line in shown.lines("#pairs-list")[1:] if line]


@pytest.mark.parametrize("name", ["01-plain-short", "05-parallel-calls", "06-orphans", "11-long"])
async def test_the_counts_are_those_of_inspect(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = SAMPLES / f"{name}.jsonl"
    main(["inspect", str(path), "--json"])
    told = json.loads(capsys.readouterr().out)["pairs"]
    async with opened(path, "2") as shown:
        title = shown.titles("pairs")[0]
        assert title.startswith(f" {told['calls']} calls, {told['results']} results")
        for name, words in (("unanswered", "unanswered"), ("duplicate_results", "duplicate result"), ("unasked", "unasked")):
            assert (f"{len(told[name])} {words}" in title) == bool(told[name])


async def test_a_line_says_what_became_of_a_call() -> None:
    async with opened(ORPHANS, "2") as shown:
        lines = rows(shown)
        assert lines[0].split()[:6] == ["answered", "Bash", "1", "→", "2", "19"]
        assert lines[1].split()[:6] == ["×", "interrupted", "Bash", "3", "→", "–"]
        assert [line.split()[1] for line in lines if line.startswith(" ×")] == ["interrupted", "duplicate"]


async def test_only_what_is_at_fault_then_only_errors() -> None:
    async with opened(ORPHANS, "2", "f") as shown:
        assert len(rows(shown)) == 2
        assert "only what is at fault" in shown.titles("pairs")[0]
        await shown.press("f")
        assert "no result is an error; f shows all pairs" in "".join(shown.lines("#pairs-list"))
        await shown.press("f")
        assert len(rows(shown)) == 7


async def test_both_halves_of_the_selected_pair() -> None:
    async with opened(ORPHANS, "2") as shown:
        assert "timeout 5 python -m potluck" in "".join(shown.lines("#pairs-call-text"))
        assert shown.lines("#pairs-result-text")[0] == "last line read: 188"
        await shown.press("down")
        assert "The user broke off" in " ".join(shown.lines("#pairs-result-text"))
        await shown.press("v")
        assert shown.lines("#pairs-call-text")[0] == "{"


async def test_what_a_cut_before_the_pair_would_do() -> None:
    async with opened(SAMPLES / "05-parallel-calls.jsonl", "2") as shown:
        assert "not valid, splits a reply → moves back to line" in shown.titles("pairs")[1]
        await shown.press("down")
        assert "parts Read 1 → 2" in shown.titles("pairs")[1]


async def test_enter_leads_to_the_call_among_the_messages() -> None:
    async with opened(ORPHANS, "2", "end") as shown:
        await shown.press("enter")
        assert shown.screen.workspace.tab == "messages"
        assert shown.focused == "list-0"
        title = next(line for line in shown.lines("#detail-title"))
        assert title.startswith(" message 13 assistant · Bash")


async def test_the_array_before_a_boundary() -> None:
    async with opened(SAMPLES / "02-two-auto-compactions.jsonl", "b", "2") as shown:
        assert shown.screen.workspace.view == View(BOUNDARY, 0)
        assert "before boundary 1 of 2" in shown.titles("pairs")[0]


async def test_a_session_that_called_no_tool(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", {"type": "user", "uuid": "1", "parentUuid": None, "message": {"content": "hello"}})
    async with opened(path, "2") as shown:
        assert "no tool was called in this array" in "".join(shown.lines("#pairs-list"))
        assert shown.titles("pairs")[1] == ""
        await shown.press("enter", "y")
        assert shown.screen.workspace.tab == "pairs"


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_columns_stand_below_one_another_whatever_the_words(tmp_path: Path, size: tuple[int, int]) -> None:
    names = ["mcp__a-server-with-a-long-name__lookup", "検索ツール検索ツール検索ツール", "🧪🧪🧪", "Read\x1b[31m", ""]
    calls = [call(f"c{i}", name, path="/日本/語.py") for i, name in enumerate(names)]
    records = [
        {"type": "user", "message": {"content": "go"}},
        {"type": "assistant", "message": {"id": "m", "content": calls}},
        {"type": "user", "message": {"content": [*(result(f"c{i}") for i in range(len(names))), text("and?")]}},
    ]
    chain = [{"uuid": str(n), "parentUuid": str(n - 1) if n else None, **r} for n, r in enumerate(records)]
    async with opened(write(tmp_path / "s.jsonl", *chain), "2", size=size) as shown:
        lines = rows(shown)
        assert len({cell_len(line[: line.index("1 → 2")]) for line in lines}) == 1
        assert all(cell_len(line) <= size[0] for line in lines)
        assert "lookup" in lines[0] and "\x1b" not in "".join(lines)


async def test_of_a_long_path_the_end_is_shown() -> None:
    async with opened(SAMPLES / "11-long.jsonl", "2", "end", size=(80, 24)) as shown:
        last = rows(shown)[-1]
        assert last.split()[-1].startswith("…") and last.endswith((".ts", ".tsx", ".json", ".md", ".mjs", ".css"))
        assert cell_len(last) <= 80


async def test_the_focus_is_on_the_list_so_that_its_keys_work() -> None:
    async with opened(ORPHANS, "2") as shown:
        assert shown.focused == "pairs-list"
        await shown.press("1", "2")
        assert shown.focused == "pairs-list"
