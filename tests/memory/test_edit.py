"""Editing a section leaves every other byte alone; touching the frame is noticed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.memory.edit import changed_sections, touched, with_body
from workbench.memory.notes import parse, render
from workbench.memory.template import SECTIONS, TEMPLATE

TWO = "intro\n# Title\n_About._\n\nFix it\n\n\n# Log\n_Done._\n"


def test_only_the_text_changes() -> None:
    notes = parse(TWO)
    assert render(with_body(notes, "Title", "Mend it")) == TWO.replace("Fix it", "Mend it")
    assert render(with_body(notes, "Log", "- one\n- two")) == TWO + "\n- one\n- two\n"
    assert render(with_body(notes, "title", "")) == TWO.replace("\nFix it\n\n", "")


def test_line_ends_follow_the_file() -> None:
    text = TWO.replace("\n", "\r\n")
    assert render(with_body(parse(text), "Log", "- one\n- two")) == text + "\r\n- one\r\n- two\r\n"


def test_a_file_that_ends_with_an_instruction_line() -> None:
    notes = with_body(parse("# Log\n_Done._"), "Log", "- one")
    assert render(notes) == "# Log\n_Done._\n\n- one\n"
    assert notes.sections[0].text == "- one"


def test_an_unknown_section_is_refused() -> None:
    with pytest.raises(KeyError):
        with_body(parse(TWO), "Other", "text")


WORDS = st.lists(st.sampled_from(["- a", "b", "", "## c", "ä"]), max_size=5).map("\n".join)


@given(st.lists(st.tuples(st.sampled_from(SECTIONS), WORDS), max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_any_edits_keep_frame_and_other_sections(edits: list[tuple[str, str]], end: str) -> None:
    notes = parse(TEMPLATE.replace("\n", end))
    expected = dict.fromkeys(SECTIONS, "")
    for title, text in edits:
        after = with_body(notes, title, text)
        expected[title] = text.strip()
        assert not touched(notes, after)
        assert set(changed_sections(notes, after)) <= {title}
        notes = after
    assert {s.title: s.text.replace("\r\n", "\n") for s in notes.sections} == expected


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ("# Log", "# Logbook", ["renamed"]),
        ("# Log", "Log", ["gone"]),
        ("_Done._", "Done.", ["gone"]),
        ("_Done._", "_Done so far._", ["instruction"]),
        ("Fix it", "# New\n_Not asked for._\n", ["added"]),
        ("Fix it", "```\n", ["gone"]),
        ("Fix it", "Mend it", []),
    ],
)
def test_touching_a_heading_or_an_instruction_line_is_noticed(old: str, new: str, kinds: list[str]) -> None:
    found = touched(parse(TWO), parse(TWO.replace(old, new)))
    assert [t.kind for t in found] == kinds
    assert all(t.sentence.endswith(".") for t in found)


def test_another_order_is_noticed() -> None:
    swapped = parse("# Log\n_Done._\n# Title\n_About._\n")
    assert [t.kind for t in touched(parse(TWO), swapped)] == ["order"]
