"""The picker's lines: times in words, paths cut where they tell least, columns that end together at any width."""

import pytest
from rich.cells import cell_len

from workbench.tui.painting.moments import ago
from workbench.tui.painting.palette import Palette
from workbench.tui.painting.paths import clip_start
from workbench.tui.painting.picker import count_words, header_line, row_line
from workbench.tui.painting.picker_foot import key_cells
from workbench.workspace.catalogue import ENOUGH, GLANCE, Catalogue, Entry, Facts, Found, project_words

NOW = 1_800_000_000.0
HOUR, DAY = 3_600, 86_400
PLAIN = Palette((("text", "white"), ("muted", "white"), ("user", "white"), ("error", "white"), ("boundary", "white")))


@pytest.mark.parametrize(
    ("past", "words"),
    [
        (-30, "just now"),
        (59, "just now"),
        (60, "1 min ago"),
        (HOUR - 1, "59 min ago"),
        (HOUR, "1 h ago"),
        (DAY, "yesterday"),
        (2 * DAY, "2 days ago"),
        (29 * DAY, "29 days ago"),
        (30 * DAY, "2026-12-16"),
        (-DAY, "2027-01-16"),
        (-1e15, "unknown"),
    ],
)
def test_a_time_in_words(past: float, words: str) -> None:
    assert ago(NOW, NOW - past) == words


def test_an_unknown_time_is_left_out() -> None:
    assert ago(NOW, 0.0) == ""


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("~/code/shop", 11, "~/code/shop"),
        ("~/code/shop", 6, "…/shop"),
        ("道/道/道", 5, "…/道"),
        ("shop", 1, "…"),
        ("shop", 0, ""),
    ],
)
def test_a_path_keeps_its_end(text: str, width: int, cut: str) -> None:
    assert clip_start(text, width) == cut
    assert cell_len(cut) <= max(0, width)


@pytest.mark.parametrize("width", [20, 60, 80, 109, 110, 200])
def test_rows_and_header_fit_any_width(width: int) -> None:
    entry = Entry("/p/-home-ana-shop/a.jsonl", "a", "-home-ana-shop", 1_048_000, NOW - 12 * DAY)
    facts = Facts(1_048_000, 0.0, 1_048_000, 123_456, 12, 1, "題" * 100, "/home/ana/shop")
    now = Catalogue(Found("/p", "/home/ana", sessions=(entry,)), {entry.path: facts})
    for line in (row_line(entry, now, NOW, width, PLAIN), header_line(width, "size", PLAIN)):
        text = "".join(segment.text for segment in line)
        assert cell_len(text) <= width
        if width >= 80:
            assert "  " in text[2:30]  # no two columns run into each other


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (None, "…"),
        (Facts(ENOUGH * 2, 0.0, GLANCE, compactions=1), "…"),
        (Facts(ENOUGH * 2, 0.0, ENOUGH, compactions=1), "≥1"),
        (Facts(10, 0.0, 10), "0"),
        (Facts(10, 0.0, problem="Cannot be read."), ""),
    ],
)
def test_a_count_says_how_well_it_is_known(facts: Facts | None, words: str) -> None:
    assert count_words(facts, "compactions") == words


@pytest.mark.parametrize(
    ("folder", "cwd", "words"),
    [
        ("-home-ana-my-shop", "", "~/my-shop"),
        ("-home-ana-my-shop", "/home/ana/my/shop", "~/my/shop"),
        ("-home-ana-my-shop", "/home/ana/elsewhere", "~/my-shop"),
        ("-home-anabel-shop", "", "-home-anabel-shop"),
        ("copies", "/srv/shop", "/srv/shop"),
        ("copies", "", "copies"),
    ],
)
def test_a_project_is_named_by_what_is_certain(folder: str, cwd: str, words: str) -> None:
    assert project_words(Entry("/p", "a", folder), Facts(0, 0.0, cwd=cwd), "/home/ana") == words


def test_help_and_quit_stay_in_a_narrow_footer() -> None:
    keys = tuple((name, name[0], name) for name in ("open", "search", "help", "quit"))
    assert [command for command, _ in key_cells(keys, 18)[::2]] == ["help", "quit"]
    assert [command for command, _ in key_cells(keys, 80)[::2]] == ["open", "search", "help", "quit"]
