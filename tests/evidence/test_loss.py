"""What a compaction lost: each item with its fate and how that was found, remarks on the summary, what came after."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import Record, attachment, boundary, call, reply, result, session_of, summary, user, uuid
from workbench.evidence.claims import unsupported_claims
from workbench.evidence.lint import lint
from workbench.evidence.loss import ATTACHED, GONE, ON_DISK, SUMMARY, VERBATIM, Item, Loss, losses
from workbench.evidence.matching import Haystack, find
from workbench.storage import load
from workbench.transcript.session import Session

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
RULE = "Never use var, always const."
WHOLE = """Summary:
1. Primary Request and Intent:
   The form.
2. All user messages:
   "Please add the form."
3. Current Work:
   The button.
4. Optional Next Step:
   "Please add the form." comes next.
"""


def loss_of(session: Session, number: int = 0) -> Loss:
    return list(losses(session))[number]


def talk(told: str, *behind: Record, before: tuple[Record, ...] = (), metadata: Record | None = None) -> Session:
    """A rule, a request, work, and a compaction whose summary says `told`."""
    first = (user(1, f"Please add the form. {RULE}"), reply(2, "On it."), user(3, "Now the button, in blue."), *before)
    at = 10 + len(before)
    return session_of(
        *first, reply(at, "The button is drawn."), boundary(at + 1, metadata=metadata), summary(at + 2, told), *behind
    )


def item(loss: Loss, kind: str) -> Item:
    return next(i for i in loss.items if i.told.kind == kind)


def test_a_rule_that_the_summary_repeats_is_kept_and_the_sentence_is_shown() -> None:
    found = item(loss_of(talk(f"Wanted: {RULE} The form.")), "rule")
    assert (found.told.text, found.told.line, found.told.risk) == (RULE, 1, "high")
    assert (found.fate, found.evidence) == (SUMMARY, "word for word")
    assert "Never use var" in found.sentence


def test_a_rule_in_other_words_is_found_by_its_telling_words() -> None:
    found = item(loss_of(talk("The user prefers const and never wants var.")), "rule")
    assert found.fate == SUMMARY and found.evidence.startswith("3 of 4 telling words: const, never, var")


def test_a_rule_that_nothing_repeats_is_gone_and_says_how_near_the_nearest_came() -> None:
    loss = loss_of(talk("The form was added in the usual style."))
    found = item(loss, "rule")
    assert (found.fate, found.sentence) == (GONE, "") and "at most 0 of 4 telling words" in found.evidence
    assert loss.retention["rule"] == (0, 1)


def test_what_stands_in_a_kept_row_is_there_word_for_word() -> None:
    kept = {"preservedMessages": {"anchorUuid": uuid(12), "uuids": [uuid(3), uuid(10)], "allUuids": [uuid(3), uuid(10)]}}
    loss = loss_of(talk("Nothing of it.", metadata=kept))
    assert item(loss, "newest-message").fate == VERBATIM
    assert item(loss, "rule").fate == GONE


def test_a_file_is_named_attached_again_or_only_on_disk() -> None:
    edit = (reply(4, call("e", "Edit", file_path="/w/form.ts", old_string="a", new_string="b")), user(5, result("e", "ok")))
    assert item(loss_of(talk("Changed form.ts.", before=edit)), "file").fate == SUMMARY
    assert item(loss_of(talk("Changed something.", before=edit)), "file").fate == ON_DISK
    again = attachment(
        15, "file", filename="/w/form.ts", content={"type": "text", "file": {"filePath": "/w/form.ts", "content": "b"}}
    )
    found = loss_of(talk("Changed something.", again, before=edit))
    assert item(found, "file").fate == ATTACHED


@pytest.mark.parametrize(
    ("said", "told"), [("1", 'chose "1" of the two'), ("go on", "the user said go on."), ("はい", "「はい」と答えた")]
)
def test_a_short_message_counts_where_it_is_quoted_or_stands_whole(said: str, told: str) -> None:
    session = session_of(user(1, said), reply(2, "ok"), boundary(3), summary(4, told))
    found = item(loss_of(session), "newest-message")
    assert (found.fate, found.evidence) == (SUMMARY, "word for word")
    assert said in found.sentence


def test_a_message_without_a_telling_word_proves_nothing() -> None:
    session = session_of(user(1, "1"), reply(2, "ok"), boundary(3), summary(4, "1. The form."))
    found = item(loss_of(session), "newest-message")
    assert found.fate == GONE and found.evidence == "it has no telling word to look for"


def test_afterwards_the_rule_is_repeated_and_the_file_read_again() -> None:
    edit = (reply(4, call("e", "Edit", file_path="/w/form.ts", old_string="a", new_string="b")), user(5, result("e", "ok")))
    behind = (
        reply(20, call("r", "Read", file_path="/w/form.ts")),
        user(21, result("r", "b")),
        reply(22, "Here with var."),
        user(23, "I told you: never use var, always const!"),
    )
    found = loss_of(talk("The form was added.", *behind, before=edit)).afterwards
    assert [(sign.kind, sign.line) for sign in found] == [("read-again", 9), ("rule-repeated", 12)]
    assert found[0].item == "/w/form.ts" and found[1].item == RULE


def test_a_correction_right_behind_it_is_told() -> None:
    found = loss_of(talk("The form was added.", reply(20, "Done."), user(21, "No, that's wrong, the other form."))).afterwards
    assert [(sign.kind, sign.line) for sign in found] == [("corrected", 8)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", ["empty"]),
        ("Something was done.", ["no-sections"]),
        (WHOLE, []),
        (WHOLE.replace("3. Current Work:\n", ""), ["missing-section"]),
        (WHOLE.replace("The button.\n", "\n"), ["empty-section"]),
        (WHOLE + "and then the bu", ["cut-off"]),
        (WHOLE + "```\ncode", ["cut-off"]),
        ("<analysis>\nhm\n</analysis>\n" + WHOLE, ["analysis-left"]),
        (WHOLE.replace('"Please add the form." comes', "The form comes"), ["no-quote"]),
        (WHOLE + "word " * 20_000 + ".", ["too-long"]),
    ],
)
def test_a_summary_is_linted(text: str, kinds: list[str]) -> None:
    assert [each.kind for each in lint(text, ["Please add the form."])] == kinds


def test_another_script_than_the_user_s_is_told() -> None:
    spoken = ["请把表单加到页面上并且不要使用旧的组件库因为我们已经迁移到新的设计系统请务必保持一致谢谢你的帮助"]
    assert [each.kind for each in lint(WHOLE, spoken)] == ["language"]


def test_claims_that_nothing_supports_are_listed_once() -> None:
    text = (
        "Edited `src/form.ts` and `drawButton()`, then src/made/up.ts and `madeUp`; again `madeUp`. Prose in `some words here`."
    )
    assert unsupported_claims(text, ["opened src/form.ts", "function drawButton"]) == ("src/made/up.ts", "madeUp")


def test_find_needs_most_telling_words_in_one_sentence() -> None:
    within = Haystack("The tests were run. Blue buttons were drawn.\nThe database is slow.")
    assert find("draw the buttons in blue", within).sentence == "Blue buttons were drawn."
    assert not find("tests on the database with buttons", within).is_found
    assert find("the tests were run", within).evidence == "word for word"


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda p: p.stem)
def test_every_sample_gives_the_same_twice_and_every_item_a_fate(path: Path) -> None:
    session = load(str(path))
    first, second = list(losses(session)), list(losses(load(str(path))))
    assert len(first) == len(session.boundaries)
    fates = {VERBATIM, SUMMARY, ATTACHED, ON_DISK, GONE}
    for one, other in zip(first, second, strict=True):
        assert [(i.told.kind, i.told.text, i.fate, i.evidence) for i in one.items] == [
            (i.told.kind, i.told.text, i.fate, i.evidence) for i in other.items
        ]
        assert all(i.fate in fates and i.evidence for i in one.items)
        assert sum(total for _, total in one.retention.values()) == len(one.items)
