"""Notes in an editor: what is shown is harmless, and what was not touched comes back byte for byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.workspace.notes_text import editable, written_back

CHARACTERS = "ab \t\n\r\x1b\x00\x0c\x85\u2028\ud800\udcff€"
TEXTS = st.lists(st.sampled_from(["\n", "\r\n", *CHARACTERS]), max_size=30).map("".join)


@given(TEXTS)
def test_an_untouched_text_comes_back_as_it_was(text: str) -> None:
    assert written_back(editable(text), text) == text


@given(TEXTS)
def test_the_editor_sees_the_same_lines_and_nothing_a_terminal_obeys(text: str) -> None:
    shown = editable(text)
    assert shown.count("\n") == text.count("\n")
    assert shown.splitlines() == shown.removesuffix("\n").split("\n") or not shown
    assert not set(shown) & set("\r\x1b\x00\x0c\x85\u2028\ud800\udcff")


@given(TEXTS, TEXTS)
def test_lines_around_an_edit_keep_their_bytes(head: str, tail: str) -> None:
    saved = f"{head}\nMIDDLE\n{tail}"
    written = written_back(editable(saved).replace("MIDDLE", "changed"), saved)
    end = "\r\n" if "\r\n" in saved else "\n"
    assert written == f"{head}\nchanged{end}{tail}"


@pytest.mark.parametrize(
    ("saved", "now", "wanted"),
    [
        ("a\r\nb\r\n", "a\nB\n", "a\r\nB\r\n"),
        ("a\r\nb\r\n", "a\nb\nc\n", "a\r\nb\r\nc\r\n"),
        ("a\r\nb", "a\nb\nc", "a\r\nb\r\nc"),
        ("a\r\nb", "a", "a"),
        ("a\nb\r\nc\n", "a\nb\nC\n", "a\nb\r\nC\r\n"),
        ("\x1b[1mbold\nplain\n", "␛[1mbold\nPlain\n", "\x1b[1mbold\nPlain\n"),
        ("one\u2028two\nx\n", "one␤two\nx\ny\n", "one\u2028two\nx\ny\n"),
        ("", "typed\n", "typed\n"),
        ("gone\r\n", "", ""),
    ],
)
def test_edits(saved: str, now: str, wanted: str) -> None:
    assert written_back(now, saved) == wanted


def test_a_large_rewrite_takes_the_text_as_typed() -> None:
    saved = "".join(f"old {i}\r\n" for i in range(2_000))
    now = "".join(f"new {i}\n" for i in range(2_000))
    assert written_back(now, saved) == now.replace("\n", "\r\n")
