"""Two arrays held against each other: rows decide what is the same message, and the order of both is kept."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from workbench.compaction.diff import ADDED, CHANGED, REMOVED, SAME, Match, align_messages, align_parts
from workbench.conversation.array import assemble
from workbench.conversation.block import text_block
from workbench.conversation.row import Row


def row(name: str, role: str = "user", *texts: str) -> Row:
    return Row(
        0, 1, name, role, role, message_id=name if role == "assistant" else None, blocks=tuple(map(text_block, texts or (name,)))
    )


def talk(names: str) -> list[Row]:
    """A message a letter, user and assistant in turn."""
    return [row(name, "assistant" if at % 2 else "user") for at, name in enumerate(names)]


def states(before: list[Row], after: list[Row]) -> str:
    signs = {SAME: "=", CHANGED: "~", REMOVED: "-", ADDED: "+"}
    return "".join(signs[m.state] for m in align_messages(assemble(before), assemble(after)))


def test_the_same_arrays() -> None:
    assert states(talk("abcd"), talk("abcd")) == "===="


def test_what_went_stands_before_what_came_in_its_place() -> None:
    rows = talk("abcdef")
    made = row("summary")
    assert states(rows, [made, *rows[3:]]) == "---+==="


def test_text_that_is_alike_makes_no_message_the_same() -> None:
    assert states([row("a", "user", "hello")], [row("b", "user", "hello")]) == "-+"


def test_a_rewritten_message_is_the_same_one_changed() -> None:
    rows = talk("abc")
    assert states(rows, [rows[0], replace(rows[1], blocks=(text_block("cleared"),)), rows[2]]) == "=~="


def test_a_message_that_another_row_joined_has_changed() -> None:
    rows = talk("ab")
    joined = [rows[0], row("z"), rows[1]]
    assert states(rows, joined) == "~="
    message = align_parts(assemble(rows)[0], assemble(joined)[0])
    assert message == (Match(0, 0, SAME), Match(None, 1, ADDED))


def test_blocks_of_a_message() -> None:
    before = assemble([row("a", "user", "one", "two")])[0]
    after = assemble([row("a", "user", "one", "2")])[0]
    assert [m.state for m in align_parts(before, after)] == [SAME, CHANGED]


def test_messages_that_changed_places_are_not_both_matched() -> None:
    a, b, c = row("a", "assistant"), row("b", "assistant"), row("c", "assistant")
    assert states([a, b, c], [b, c, a]) == "-==+"


@given(st.lists(st.integers(0, 12), unique=True), st.lists(st.integers(0, 12), unique=True))
def test_every_message_once_in_the_order_of_both(before: list[int], after: list[int]) -> None:
    left, right = (assemble([row(str(n), "assistant") for n in numbers]) for numbers in (before, after))
    matches = align_messages(left, right)
    assert [m.before for m in matches if m.before is not None] == list(range(len(left)))
    assert [m.after for m in matches if m.after is not None] == list(range(len(right)))
    for match in matches:
        if match.before is not None and match.after is not None:
            assert before[match.before] == after[match.after]
