"""Styles stay on their characters whatever becomes of the text in between."""

from hypothesis import given
from hypothesis import strategies as st

from workbench.tui.painting.document import Document, Paragraph, Span, shown
from workbench.tui.painting.matches import find
from workbench.tui.painting.text import visible


def styled(document: Document) -> list[tuple[str, str]]:
    drawn = shown(document)
    return [(drawn.text[a:b], style) for a, b, style in drawn.runs(0, len(drawn.text))]


def test_paragraphs_begin_on_rows_of_their_own() -> None:
    drawn = shown(Document((Paragraph("one", "bold"), Paragraph("two\nthree", "user"))))
    assert drawn.text == "one\ntwo\nthree"
    assert [drawn.text[at:] for at in drawn.paragraphs] == ["one\ntwo\nthree", "two\nthree"]


def test_spans_stay_on_their_words_behind_tabs_and_signs() -> None:
    text = "a\tb\x1b[0m⚠\ufe0f error here"
    start = text.index("error")
    pieces = styled(Document.of(text, "muted", (Span(start, start + 5, "system"),)))
    assert pieces == [("a   b␛[0m⚠ ", "muted"), ("error", "muted system"), (" here", "muted")]


def test_a_tab_within_a_span_is_as_wide_as_without() -> None:
    assert shown(Document.of("abc\tdef", "", (Span(2, 5, "user"),))).text == visible("abc\tdef")


@given(st.text(alphabet="ab\t\n漢\x1b", max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_a_span_changes_no_text(text: str, start: int, length: int) -> None:
    begin, end = min(start, len(text)), min(start + length, len(text))
    assert shown(Document.of(text, "", (Span(begin, end, "user"),))).text == visible(text)


def test_the_runs_of_a_row_are_counted_from_its_beginning() -> None:
    drawn = shown(Document((Paragraph("abcd", "bold"), Paragraph("efgh", "user"))))
    assert drawn.runs(2, 7) == [(0, 3, "bold"), (3, 5, "user")]


def test_a_search_in_small_letters_finds_capitals_too() -> None:
    assert find("Error, error, ERROR", "error").starts == (0, 7, 14)
    assert find("Error, error, ERROR", "Error").starts == (0,)
    assert find("a.b axb", "a.b").starts == (0,)
    assert find("anything", "").starts == ()


def test_matches_are_gone_through_round_the_ends() -> None:
    matches = find("x..x..x", "x")
    assert matches.near(1).current == 1
    assert matches.near(7).current == 0
    assert matches.moved(-1).current == 2
    assert find("x", "y").moved(1).starts == ()


def test_a_match_broken_over_two_rows_is_marked_on_both() -> None:
    matches = find("abcdef", "cd")
    assert matches.within(0, 3) == [(2, 3, True)]
    assert matches.within(3, 6) == [(0, 1, True)]
