"""The keep window: the checks of spec 1, section 5, with their numbers, and what always holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.conversation.row import Row
from workbench.memory.start import find_start
from workbench.memory.window import KeepWindow, WindowSettings, is_kept, keep_window

from .making import BOUNDARY, SUMMARY, replied, rows_of, said, sized


def window(rows: tuple[Row, ...], not_summarised: int) -> KeepWindow:
    return keep_window(rows, find_start(rows, rows[-1 - not_summarised].uuid, None))


@pytest.mark.parametrize(
    ("size", "kept", "tokens", "texts", "stopped"),
    [
        (3_000, 5, 15_000, 5, "minimums"),
        (9_000, 5, 45_000, 5, "minimums"),
        (12_000, 4, 48_000, 4, "maximum"),
        (1_000, 10, 10_000, 10, "minimums"),
    ],
)
def test_rows_of_equal_size_two_not_summarised(size: int, kept: int, tokens: int, texts: int, stopped: str) -> None:
    rows = rows_of([size] * 20)
    found = window(rows, 2)
    assert (len(found.kept(rows)), found.tokens, found.text_rows, found.stopped) == (kept, tokens, texts, stopped)


def test_tool_only_rows_grow_to_the_maximum() -> None:
    rows = rows_of([6_000] * 20, text=False)
    found = window(rows, 2)
    assert (len(found.kept(rows)), found.tokens, found.text_rows, found.stopped) == (7, 42_000, 0, "maximum")


def test_alternating_text_and_tool_only_rows() -> None:
    rows = tuple(sized(f"r{i}", 3_000, text=i % 2 == 0) for i in range(20))  # the newest is tool-only
    found = window(rows, 2)
    assert (len(found.kept(rows)), found.tokens, found.text_rows) == (10, 30_000, 5)


def test_one_unsummarised_row_of_60000_tokens_is_all_that_stays() -> None:
    rows = rows_of([3_000] * 10 + [60_000])
    found = window(rows, 1)
    assert (found.place, found.tokens, found.stopped) == (10, 60_000, "maximum")


def test_the_growth_tells_which_minimum_was_met_when() -> None:
    rows = rows_of([3_000] * 20)
    found = window(rows, 2)
    assert [(s.uuid, s.tokens, s.text_rows, s.met) for s in found.steps] == [
        ("r18", 6_000, 2, ()),
        ("r17", 9_000, 3, ()),
        ("r16", 12_000, 4, ("tokens",)),
        ("r15", 15_000, 5, ("text rows",)),
    ]
    assert found.reason == (
        "Both minimums are met: 15,000 tokens and 5 rows with text, at least 10,000 tokens and 5 rows with text were wanted."
    )


def test_it_never_grows_past_the_last_boundary() -> None:
    rows = (*rows_of([5_000] * 5), BOUNDARY, SUMMARY, said("a", "short"), said("b", "short"))
    found = keep_window(rows, find_start(rows, "b", None))
    assert [r.uuid for r in found.kept(rows)] == ["a", "b"]
    assert found.stopped == "boundary"


def test_the_old_summary_is_dropped_and_counts_nothing() -> None:
    rows = (BOUNDARY, SUMMARY, said("a", "word"))
    found = keep_window(rows, find_start(rows, "a", None))
    assert [r.uuid for r in found.kept(rows)] == ["a"]
    assert (found.tokens, found.text_rows) == (1, 1)


def test_without_boundary_it_ends_at_the_beginning() -> None:
    rows = rows_of([10] * 3)
    assert (window(rows, 1).place, window(rows, 1).stopped) == (0, "beginning")


def test_an_empty_string_is_no_text() -> None:
    rows = (said("a", "x"), said("b", ""), replied("c", ""), said("d", " "))
    assert window(rows, 1).text_rows == 2


def test_rows_that_are_not_sent_count_nothing() -> None:
    link = Row(0, None, "link", "system:turn_duration", None)
    rows = (said("a", "word"), link, said("b", "word"))
    assert [s.tokens for s in window(rows, 1).steps] == [1, 1, 2]


SIZES = st.integers(0, 15_000)
ROWS = st.lists(st.tuples(SIZES, st.booleans()), min_size=1, max_size=25)


@given(ROWS, st.data())
def test_what_always_holds(drawn: list[tuple[int, bool]], data: st.DataObject) -> None:
    rows = tuple(sized(f"r{i}", size, text=text) for i, (size, text) in enumerate(drawn))
    cut = data.draw(st.none() | st.integers(0, len(rows)))
    if cut is not None:
        rows = (*rows[:cut], BOUNDARY, SUMMARY, *rows[cut:])
    floor = 0 if cut is None else cut + 1
    covered = data.draw(st.integers(floor, len(rows) - 1)) if floor < len(rows) else floor
    settings = WindowSettings()
    found = keep_window(rows, find_start(rows, rows[covered].uuid, None))
    kept = found.kept(rows)

    assert kept == tuple(r for r in rows[found.place :] if is_kept(r))  # a contiguous suffix
    assert found.place >= floor  # never past the boundary
    assert {r.uuid for r in rows[covered + 1 :] if is_kept(r)} <= {r.uuid for r in kept}  # all that is not summarised
    assert found.tokens == sum(r.tokens for r in kept)
    met = found.tokens >= settings.min_tokens and found.text_rows >= settings.min_text_rows
    assert met or found.tokens >= settings.max_tokens or found.place == floor
    grown = found.steps[-2] if len(found.steps) > 1 else None  # one row less would not have done
    if grown is not None:
        assert grown.tokens < settings.max_tokens
        assert grown.tokens < settings.min_tokens or grown.text_rows < settings.min_text_rows
