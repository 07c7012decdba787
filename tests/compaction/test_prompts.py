"""What a summarizer is asked: the order of the parts, the nine sections, and how the three variants differ."""

import re

import pytest

from workbench.compaction.prompts import PROMPTS, instruction, section_names
from workbench.compaction.variants import AUTO, FROM, FULL, REACTIVE, UP_TO

FIRST_SEVEN = (
    "Primary Request and Intent",
    "Key Technical Concepts",
    "Files and Code Sections",
    "Errors and fixes",
    "Problem Solving",
    "All user messages",
    "Pending Tasks",
)
LAST_TWO = {
    FULL: ("Current Work", "Optional Next Step"),
    FROM: ("Current Work", "Optional Next Step"),
    UP_TO: ("Work Completed", "Context for Continuing Work"),
}
WISH = "Keep every SQL statement word for word."

every_variant = pytest.mark.parametrize("variant", LAST_TWO)


@every_variant
def test_the_nine_sections_by_name(variant):
    assert section_names(variant) == FIRST_SEVEN + LAST_TWO[variant]


@every_variant
def test_the_sections_are_asked_for_and_stand_in_the_skeleton_in_order(variant):
    text = instruction(variant)
    numbered = re.findall(r"^(\d)\. ([A-Z][^:\n]+):", text, re.MULTILINE)
    asked = [(str(number), name) for number, name in enumerate(section_names(variant), 1)]
    assert numbered == asked + asked


@every_variant
def test_the_parts_in_their_order(variant):
    text = instruction(variant, WISH)
    parts = ("CALL NO TOOL", "Write the summary that will stand in place of", "from the oldest to the newest",
             "1. Primary Request and Intent", "<summary>\n1. Primary Request and Intent", WISH, "Once more: no tool")  # fmt: skip
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert text.startswith("ANSWER IN TEXT ONLY. CALL NO TOOL.")
    assert text.rstrip().endswith("ends the attempt without a summary.")


@every_variant
def test_the_ban_says_why(variant):
    ban = instruction(variant).partition("\n\nWrite the summary")[0]
    assert "text only" in ban.casefold()
    assert "Everything you need stands in the conversation" in ban
    assert "refused" in ban
    assert "one turn" in ban
    assert re.search(r"one <analysis> block and then one <summary> block", ban)


@every_variant
def test_the_skeleton_is_one_analysis_and_then_one_summary(variant):
    skeleton = instruction(variant).partition("The answer has this form:")[2]
    tags = re.findall(r"^</?(?:analysis|summary)>$", skeleton, re.MULTILINE)
    assert tags == ["<analysis>", "</analysis>", "<summary>", "</summary>"]


@every_variant
@pytest.mark.parametrize("blank", ["", "  \n"])
def test_without_instructions_nothing_is_announced(variant, blank):
    assert instruction(variant, blank) == instruction(variant)
    assert "in particular" not in instruction(variant)
    assert "in particular" in instruction(variant, WISH)


def test_instructions_stand_word_for_word():
    wish = "First {line} with <tags> and 100%\n- second line"
    assert f"\n{wish}\n" in instruction(FULL, f"\n{wish}\n\n")


def test_from_here_neither_claims_nor_repeats_the_whole():
    text = instruction(FROM)
    assert "earlier messages are kept word for word" in text
    assert "stay in front of the summary" in text
    assert "do not tell again" in text
    assert "whole conversation up to this message" not in text


def test_up_to_here_knows_that_newer_messages_follow_and_asks_for_no_next_step():
    text = instruction(UP_TO)
    assert "newer messages, which you do not see, follow the summary" in text
    assert "no next step" in text
    assert "Optional Next Step" not in text
    assert "Current Work" not in text


def test_a_full_one_speaks_of_no_messages_that_stay():
    text = instruction(FULL)
    assert "the whole conversation up to this message" in text
    assert "kept word for word" not in text
    assert "newer messages" not in text


def test_the_next_step_is_bound_to_the_newest_request():
    text = instruction(FULL)
    step = text[text.index("9. Optional Next Step") :].partition("\n")[0]
    assert "newest request" in step
    assert "side task" in step
    assert "word for word" in step


def test_a_compaction_that_cuts_nowhere_asks_as_a_full_one():
    assert instruction(AUTO) == instruction(REACTIVE) == instruction(FULL)


def test_the_three_variants_differ():
    assert len({instruction(variant) for variant in PROMPTS}) == len(PROMPTS) == 3
