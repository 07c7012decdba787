"""What is taken from the summarizer's reply (section 6.6)."""

import pytest

from workbench.compaction.cleaning import clean
from workbench.compaction.profiles import OBSERVED, resolve

ARTICLES = resolve()


def cleaned(reply: str, **how) -> str:
    return clean(reply, ARTICLES, **how).text


def test_the_analysis_goes_and_the_summary_is_unwrapped():
    assert cleaned("<analysis>thinking\naloud</analysis>\n\n<summary>\n1. Intent\n</summary>\n") == "Summary:\n1. Intent"


def test_text_around_the_summary_stays():
    assert cleaned("Before.\n<summary> S </summary>\nAfter.") == "Before.\nSummary:\nS\nAfter."


def test_only_the_first_summary_is_unwrapped():
    assert cleaned("<summary>A</summary> <summary>B</summary>") == "Summary:\nA <summary>B</summary>"


def test_an_analysis_left_open_ends_at_the_summary_or_at_the_end():
    assert cleaned("<analysis>never closed <summary>S</summary>") == "Summary:\nS"
    assert cleaned("Kept. <analysis>never closed") == "Kept."


def test_a_reply_without_tags_is_what_is_left_of_it():
    assert cleaned("<analysis>x</analysis> Just text. ") == "Just text."


def test_an_analysis_that_mentions_the_summary_tag_goes_whole():
    assert cleaned("<analysis>I will write <summary> next</analysis><summary>S</summary>") == "Summary:\nS"


def test_a_summary_that_quotes_the_tags_keeps_its_words():
    assert (
        cleaned("<summary>The prompt asks for `<analysis>` first.</summary>")
        == "Summary:\nThe prompt asks for `<analysis>` first."
    )
    assert cleaned("<analysis>open <summary>It quotes </analysis> here.</summary>") == "Summary:\nIt quotes </analysis> here."


def test_a_summary_left_open_is_taken_to_the_end():
    result = clean("<summary>S and more", ARTICLES)
    assert result.text == "Summary:\nS and more" and "not closed" in result.reasons[-1]


@pytest.mark.parametrize("reply", ["", "  \n", "<analysis>only this</analysis>", "<summary> </summary>"])
def test_nothing_left_is_a_failure(reply):
    result = clean(reply, ARTICLES)
    assert (result.outcome, result.text, result.failed) == ("empty", "", True)


def test_a_tool_call_and_a_cut_off_reply_are_failures_whatever_their_text():
    good = "<summary>S</summary>"
    assert clean(good, ARTICLES, called_tool=True).outcome == "tool call"
    assert clean(good, ARTICLES, stop_reason="max_tokens").outcome == "truncated"
    assert clean(good, ARTICLES, stop_reason="end_turn").outcome == "ok"


def test_today_a_reply_without_the_tag_is_taken_as_it_is():
    observed = resolve(OBSERVED)
    assert clean("<analysis>a</analysis> text", observed).text == "<analysis>a</analysis> text"
    assert clean("<analysis>a</analysis><summary>S</summary>", observed).text == "Summary:\nS"
    assert clean(" ", observed).outcome == "empty"


def test_every_step_says_what_it_did():
    assert clean("<analysis>a</analysis> text", ARTICLES).reasons == (
        "<analysis> is dropped: 22 characters.",
        "There is no <summary> in the reply: what is left of it is taken.",
    )
