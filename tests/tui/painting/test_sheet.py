"""Facts in columns and prose between words, at any width."""

import pytest
from rich.cells import cell_len

from workbench.tui.painting.prose import wrapped
from workbench.tui.painting.sheet import Sheet

WORDS = "the last prompt and what came after it, 日本語の説明, and a_word_that_is_far_wider_than_any_line_here_could_ever_be"


@pytest.mark.parametrize("width", [20, 33, 60, 200])
def test_no_line_is_wider_than_the_sheet_and_nothing_is_lost(width: int) -> None:
    sheet = Sheet(width)
    sheet.heading("title", (WORDS, "muted"))
    sheet.columns((("field", "user"), (" 12 ", "text")), WORDS)
    sheet.text(WORDS, indent=2)
    lines = sheet.document().text.split("\n")
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()).count("".join(WORDS.split())) == 3


def test_a_meaning_stands_beside_its_field_or_below_it() -> None:
    wide, narrow = Sheet(60), Sheet(30)
    for sheet in (wide, narrow):
        sheet.columns((("preTokens ", "user"), ("12,000 ", "text")), "what it was before")
    assert wide.document().text == "preTokens 12,000 what it was before"
    assert narrow.document().text == "preTokens 12,000 \n    what it was before"


@pytest.mark.parametrize("width", [12, 30, 80])
def test_prose_breaks_between_words_and_never_runs_over(width: int) -> None:
    text = f"{WORDS}\n\n  - {WORDS}\n12. {WORDS}\n"
    lines = wrapped(text, width).split("\n")
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("\n".join(lines).split()) == "".join(text.split())


def test_items_go_on_below_their_own_words() -> None:
    assert wrapped("- one two three four", 12) == "- one two\n  three four"
    assert wrapped("short\nlines", 12) == "short\nlines"
    assert wrapped("one two three", 7) == "one two\nthree"
