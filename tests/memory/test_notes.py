"""Notes read as sections: what is a heading, what keeps its bytes, what is over budget, what they are worth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.memory.notes import Budgets, parse, render, state

TWO = "# Title\n_What it is about._\n\nFix the parser\n\n# Log\n_What was done._\n\n- read it\n- fixed it\n"


def test_a_section_is_a_heading_an_instruction_and_a_body() -> None:
    title, log = parse(TWO).sections
    assert (title.title, title.hint, title.text) == ("Title", "What it is about.", "Fix the parser")
    assert (log.title, log.text) == ("Log", "- read it\n- fixed it")


@pytest.mark.parametrize(
    "text",
    [
        "# Plain heading\nno italic line below\n",
        "# Heading\n\n_an italic line, but not right below_\n",
        "# Bold\n**bold is not italic**\n",
        "# Rule\n___\n",
        "#No blank\n_italic_\n",
        "## Second level\n_italic_\n",
        "# \n_italic_\n",
        "# Last line",
        "```\n# In a fence\n_italic_\n```\n",
        "~~~~ sh\n# In a longer fence\n_italic_\n~~~\n# still inside\n_italic_\n~~~~\n",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    assert parse(text).sections == ()
    assert parse(text).preamble == text


def test_a_heading_behind_a_closed_fence_counts() -> None:
    notes = parse("```py\n# comment\n_x_\n```\n# Real\n*instruction with stars*\ntext")
    assert notes.titles == ("Real",)
    assert not notes.open_fence


def test_inline_code_of_three_ticks_opens_no_fence() -> None:
    assert parse("```one line```\n# Real\n_instruction_\n").titles == ("Real",)


def test_a_fence_that_is_never_closed_is_reported() -> None:
    notes = parse("# A\n_a_\n```\n# B\n_b_\n")
    assert notes.titles == ("A",)
    assert notes.open_fence


def test_windows_line_ends_are_kept() -> None:
    text = TWO.replace("\n", "\r\n")
    notes = parse(text)
    assert notes.titles == ("Title", "Log")
    assert notes.newline == "\r\n"
    assert render(notes) == text


LINES = st.sampled_from(["# A", "# B\r", "_i_", "*j*", "```", "~~~", "text", "", " ", "\u2028", "# "])


@given(st.lists(LINES, max_size=30), st.booleans())
def test_reading_and_writing_changes_no_byte(lines: list[str], ends: bool) -> None:
    text = "\n".join(lines) + ("\n" if ends else "")
    assert render(parse(text)) == text


def test_tokens_are_bytes_by_four_of_the_body_and_of_the_whole_text() -> None:
    notes = parse("# A\n_i_\n\näöü!\n\n# B\n_j_\n")
    assert [s.tokens for s in notes.sections] == [2, 0]  # seven bytes, and an empty section
    assert notes.tokens == 7  # 26 bytes


@pytest.mark.parametrize(("size", "over"), [(8_000, False), (8_001, True)])
def test_a_section_may_have_2000_tokens(size: int, over: bool) -> None:
    notes = parse(f"# A\n_i_\n{'x' * size}\n")
    assert notes.sections[0].over_budget is over
    assert notes.too_long == (("A",) if over else ())


def test_the_whole_may_have_12000_tokens() -> None:
    def whole(size: int) -> bool:
        return parse("x" * size, Budgets()).over_budget

    assert not whole(48_000)
    assert whole(48_001)


def test_budgets_are_settings() -> None:
    notes = parse(TWO, Budgets(section=4, total=10))
    assert notes.too_long == ("Log",)
    assert notes.over_budget


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (None, "missing"),
        ("", "empty"),
        (" \n\r\n", "empty"),
        ("# A\n_i_\n\n# B\n_j_\n", "template"),
        (TWO, "ok"),
        ("free text", "ok"),
        ("# A\n", "empty"),
    ],
)
def test_states(text: str | None, name: str) -> None:
    assert state(None if text is None else parse(text)).name == name


def test_a_template_with_text_of_its_own_is_still_a_template() -> None:
    template = parse("Our notes\n# A\n_i_\n- [ ] nothing yet\n# B\n_j_\n")
    assert state(template).name == "ok"
    assert state(template, template=template).name == "template"


def test_notes_older_than_the_newest_row_are_stale() -> None:
    notes = parse(TWO)
    assert state(notes, covered=100.0, newest=100.0).name == "ok"
    assert state(notes, covered=100.0, newest=100.5).name == "stale"
    assert state(notes, covered=None, newest=100.5).name == "ok"


def test_being_over_budget_is_said_beside_the_state() -> None:
    found = state(parse(TWO, Budgets(section=4, total=10)), covered=1.0, newest=2.0)
    assert (found.name, found.too_long, found.over_total, found.over_budget) == ("stale", ("Log",), True, True)
    assert not state(parse(TWO)).over_budget


def test_a_section_is_found_by_its_title_whatever_the_case() -> None:
    notes = parse(TWO)
    assert notes.find(" log ") is notes.sections[1]
    assert notes.find("absent") is None
