"""Texts are cut without loss, within the limit, and where it changes the count least."""

from hypothesis import given
from hypothesis import strategies as st

from workbench.counting.texts import PIECE_BYTES, RUN_CHARACTERS, pieces, short_runs

WELL_FORMED = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(" \n😀é"))


@given(WELL_FORMED, st.integers(4, 40))
def test_pieces_joined_are_the_text_and_none_is_too_long(text: str, limit: int) -> None:
    parts = list(pieces(text, limit))
    assert "".join(parts) == text
    assert all(len(part.encode()) <= limit for part in parts)


@given(st.lists(st.integers(1, 700)))
def test_runs_are_cut_short_and_nothing_is_lost(lengths: list[int]) -> None:
    text = "".join("a "[index % 2] * length for index, length in enumerate(lengths))
    parts = list(short_runs(text))
    assert "".join(parts) == text
    assert all(max((len(run) for run in part.split()), default=0) < 2 * RUN_CHARACTERS for part in parts)


def test_a_cut_falls_before_a_newline_or_else_before_a_blank() -> None:
    assert list(pieces("one two\nthree four", 12)) == ["one two", "\nthree four"]
    assert list(pieces("one two three", 8)) == ["one two", " three"]
    assert list(pieces("ééé", 4)) == ["éé", "é"]


def test_ordinary_text_stays_whole() -> None:
    text = "words and lines\n" * 4_000
    assert len(text) <= PIECE_BYTES
    assert list(pieces(text)) == [text]
    assert list(short_runs(text)) == [text]
