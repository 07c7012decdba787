"""Long sections are cut at a line end, marked, and point to the file; the rest keeps its bytes."""

from hypothesis import given
from hypothesis import strategies as st

from workbench.conversation.text import rough, utf8_length
from workbench.memory.cutting import cut_at_line_end, shorten
from workbench.memory.notes import Budgets, parse, render

LINE = "- a line of forty bytes, with its newline\n"[:40] + "\n"


def long_notes(lines: int) -> str:
    return f"# Short\n_a_\n\nfew words\n\n# Long\n_b_\n\n{LINE * lines}\n# Last\n_c_\n\nthe end\n"


def test_a_section_within_its_budget_is_not_touched() -> None:
    text = long_notes(100)
    assert shorten(parse(text), "notes.md").text == text


def test_a_long_section_keeps_whole_lines_up_to_2000_tokens() -> None:
    notes = parse(long_notes(400))
    short = shorten(notes, "/home/u/summary.md")
    found = parse(short.text)
    assert found.titles == notes.titles
    assert [s.text for s in found.sections if s.title != "Long"] == ["few words", "the end"]
    *lines, mark = found.sections[1].text.split("\n")
    assert set(lines) == {LINE.rstrip("\n")}
    assert 1_980 <= found.sections[1].tokens <= 2_000
    assert mark == f"[… {4_100 - rough(41 * len(lines) - 1):,} of 4,100 tokens cut here; the whole text: /home/u/summary.md]"
    (cut,) = short.cuts
    assert (cut.title, cut.tokens_before, cut.tokens_after) == ("Long", 4_100, found.sections[1].tokens)
    assert cut.reason == f"Section Long has 4,100 tokens; it was cut at a line end to {cut.tokens_after:,}."


def test_a_fence_that_the_cut_would_leave_open_is_closed() -> None:
    notes = parse("# A\n_a_\n```\n" + "code\n" * 50 + "```\n# B\n_b_\nkept\n", Budgets(section=40))
    assert parse(shorten(notes, None).text).titles == ("A", "B")


def test_one_endless_line_keeps_its_beginning() -> None:
    short = cut_at_line_end("word " * 1_000, 100, None)
    assert short.startswith("word word")
    assert short.endswith("tokens cut here]")
    assert rough(len(short.encode())) <= 100


def test_text_without_sections_may_have_the_tokens_of_the_whole() -> None:
    notes = parse("free\n" * 200, Budgets(section=10, total=500))
    assert not shorten(notes, None).cuts
    assert shorten(parse("free\n" * 200, Budgets(section=10, total=100)), None).cuts[0].title == ""


@given(st.lists(st.sampled_from(["ä" * 30, "x" * 90, "```", "", "- b"]), min_size=1, max_size=60).map("\n".join))
def test_what_is_left_fits_and_is_a_beginning(text: str) -> None:
    if rough(utf8_length(text)) <= 60:
        return
    short = cut_at_line_end(text, 60, "notes.md")
    assert rough(utf8_length(short)) <= 60
    kept = short.split("\n[… ")[0].removesuffix("\n```")
    assert text.startswith(kept) or kept.startswith("[…")


def test_windows_line_ends_stay() -> None:
    text = long_notes(400).replace("\n", "\r\n")
    short = shorten(parse(text), None).text
    assert "\n" not in short.replace("\r\n", "")
    assert render(parse(short)) == short
