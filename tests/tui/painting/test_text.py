"""Whatever a session holds, the screen shows it, hides none of it and stays in its columns."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from workbench.tui.painting.text import clip, copyable, fitting, one_line, pad, visible


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\x00b", "a␀b"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x9b31m", "�31m"),
        ("back\x08space\x7f", "back␈space␡"),
        ("one\u2028two\u2029three\x85", "one␤two␤three␤"),
        ("user\u202eenimda", "user�enimda"),
        ("pass\u200bword", "pass�word"),
        ("half \ud83d pair", "half � pair"),
        ("a\tb", "a   b"),
        ("line\r\nline\rover", "line\nline␍over"),
        ("\U000e0041\U000e0042", "��"),
    ],
)
def test_text_that_would_act_on_the_terminal_is_drawn_as_signs(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_newlines_stay_unless_one_line_is_wanted() -> None:
    assert visible("a\nb") == "a\nb"
    assert visible("a\nb", newlines=False) == "a␤b"
    assert one_line("  a\n\n\tb  ") == "a b"


def test_emoji_keep_their_faces_and_lose_what_joins_them() -> None:
    assert visible("⚠\ufe0f") == "⚠"
    assert visible("👩\u200d👧") == "👩👧"
    assert visible("a\u200db") == "a�b"


@given(st.text(alphabet=st.characters(), max_size=60))
def test_no_shown_text_holds_a_control_a_format_or_a_surrogate(raw: str) -> None:
    shown = visible(raw)
    shown.encode()
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") and c != "\n"]
    assert visible(shown) == shown


@given(st.text(max_size=60), st.integers(0, 30))
def test_clip_and_pad_keep_to_their_cells(raw: str, width: int) -> None:
    text = visible(raw, newlines=False)
    assert cell_len(clip(text, width)) <= width
    assert cell_len(pad(text, width)) == width
    assert cell_len(pad(text, width, right=True)) == width


def test_clip_says_that_it_cut() -> None:
    assert clip("session.jsonl", 13) == "session.jsonl"
    assert clip("session.jsonl", 8) == "session…"
    assert clip("漢字漢字", 6) == "漢字…"
    assert clip("漢字漢字", 8) == "漢字漢字"
    assert clip("x", 0) == ""


def test_a_combining_accent_stays_with_its_letter() -> None:
    assert fitting("e\u0301e\u0301", 1) == 2
    assert clip("cafe\u0301", 4) == "cafe\u0301"


def test_what_is_copied_keeps_its_characters_but_cannot_act_when_pasted() -> None:
    assert copyable("a\tb\n👩\u200d👧 \x1b[201~rm \ud83d") == "a\tb\n👩\u200d👧 ␛[201~rm �"
