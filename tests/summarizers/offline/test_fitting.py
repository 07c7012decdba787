"""Sections within one budget: what must be there stays, the rest comes by weight."""

from hypothesis import given
from hypothesis import strategies as st

from tests.summarizers.offline.reading import tokens
from workbench.summarizers.offline.entries import Entry, Section, compose
from workbench.summarizers.offline.wording import cut_in_the_middle, fenced, head_of

entries = st.builds(
    Entry,
    st.text("ab é\n", min_size=1, max_size=400),
    st.floats(0, 100),
    st.one_of(st.just(""), st.text("ab", min_size=1, max_size=20)),
    st.booleans(),
)
drafts = st.lists(
    st.builds(
        Section, st.just("Name"), st.lists(entries, max_size=12).map(tuple), st.sampled_from([0.1, 0.5]), st.integers(10, 500)
    ),
    min_size=1,
    max_size=9,
)


def section(*found: Entry, most: int = 1_000) -> Section:
    return Section("Files", found, 1.0, most)


@given(drafts, st.integers(300, 2_000))
def test_the_total_is_kept_and_same_sections_give_the_same_text(sections, total):
    text = compose(sections, total)
    assert tokens(text) <= total
    assert text == compose(sections, total)


def test_what_must_be_there_is_shortened_before_anything_else_comes_in():
    must, may = Entry("   - long " + "x" * 400, 1, "   - short", must=True), Entry("   - optional", 99)
    assert compose([section(must, may, most=25)], 1_000) == "1. Files:\n   - short\n   - optional"
    assert compose([section(must, may)], 1_000).count("x") == 400


def test_what_is_left_out_is_counted():
    text = compose([section(*(Entry(f"   - {'y' * 80}{i}", i) for i in range(9)), most=80)], 1_000)
    assert "y8" in text
    assert "y0" not in text
    assert text.endswith("more")


def test_short_forms_of_all_come_before_the_length_of_one():
    rows = [Entry(f"   - {'z' * 200}", 50 + i, f"   - short {i}") for i in range(4)]
    text = compose([section(*rows, most=60)], 1_000)
    assert [f"short {i}" in text for i in range(4)] == [True] * 4


def test_nothing_at_all_is_none():
    assert compose([section()], 100) == "1. Files:\n   None."


@given(st.text("aé漢 \n", max_size=600), st.integers(60, 400))
def test_a_cut_keeps_begin_and_end_within_the_bytes(text, most):
    cut = cut_in_the_middle(text, most)
    assert len(cut.encode()) <= max(most, 64)
    assert cut == text or "characters left out…]" in cut
    assert cut[:8].rstrip() in text


def test_a_fence_is_longer_than_any_in_it():
    told = fenced("a\n```\nb\n`````\n", "text", "")
    assert told.startswith("``````text\n")
    assert told.endswith("\n``````")


def test_a_head_says_how_much_is_missing():
    assert head_of("\n    a\n      b\n", 5, 100) == "a\n  b"
    assert head_of("\n".join("abc" for _ in range(9)), 3, 100).endswith("[… 6 more lines]")
