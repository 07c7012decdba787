"""A wrapped text loses no character, and no row is wider than the window."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from workbench.tui.painting.rows import Rows
from workbench.tui.painting.text import visible
from workbench.tui.painting.wrapping import wrap_index


def rows(text: str, width: int) -> list[str]:
    index = wrap_index(text, width)
    return [text[index[i] : index[i + 1]] for i in range(0, len(index), 2)]


def test_rows_break_at_newlines_and_at_the_width() -> None:
    assert rows("abcdefg\n\nhi", 3) == ["abc", "def", "g", "", "hi"]
    assert rows("abc\n", 3) == ["abc"]
    assert rows("", 3) == [""]


def test_wide_characters_are_never_halved() -> None:
    assert rows("漢字漢", 3) == ["漢", "字", "漢"]
    assert rows("a漢b", 3) == ["a漢", "b"]
    assert rows("漢", 1) == ["漢"]


def test_an_accent_at_the_edge_stays_with_its_letter() -> None:
    assert rows("abe\u0301d", 3) == ["abe\u0301", "d"]


def test_characters_taken_for_one_cell_are_one_cell() -> None:
    taken = [chr(code) for code in range(0x3000) if len(wrap_index(chr(code) * 2, 2)) == 2 and code != 0x0A]
    shown = [c for c in taken if visible(c) == c]
    assert [c for c in shown if cell_len(c) > 1] == []


@given(st.text(max_size=200), st.integers(2, 20))
def test_every_character_is_in_one_row(raw: str, width: int) -> None:
    text = visible(raw)
    cut = rows(text, width)
    assert "".join(cut) == text.replace("\n", "")
    assert all(cell_len(row) <= width for row in cut)


@given(st.text(alphabet="ab漢\u0301\n", max_size=200), st.integers(10, 50), st.integers(1, 8))
def test_wrapping_in_chunks_is_wrapping_at_once(text: str, size: int, width: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("workbench.tui.painting.rows.CHUNK", size)
        found = Rows(text, width)
        found.reach(len(text))
    assert found.complete
    assert [text[slice(*found.row(number))] for number in range(len(found))] == rows(text, width)


def test_the_row_of_an_offset() -> None:
    found = Rows("abcdef\n\ngh", 4)
    found.reach(0)
    assert [found.at(offset) for offset in range(10)] == [0, 0, 0, 0, 1, 1, 1, 2, 3, 3]


@pytest.mark.benchmark
def test_five_megabytes_are_wrapped_in_a_blink() -> None:
    text = ("x" * 150 + "\n") * 35_000
    began = time.perf_counter()
    wrap_index(text, 100)
    assert time.perf_counter() - began < 0.3
