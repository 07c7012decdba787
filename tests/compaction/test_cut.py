"""A cut never parts what belongs together (section 9)."""

from hypothesis import given
from hypothesis import strategies as st

from workbench.compaction.cut import prefix_cut, suffix_cut, valid_cuts
from workbench.compaction.rounds import joined, rounds
from workbench.conversation.block import Block
from workbench.conversation.row import ASSISTANT, Row

from .telling import assistant, call, result, row, text, thinking, turn, user


def parallel() -> list[Row]:
    return [
        user(),
        assistant(thinking(), message="X"),
        assistant(call("A"), message="X"),
        assistant(call("B"), message="X"),
        user(result("A"), result("B")),
        user(text(3)),
    ]


def test_a_cut_inside_a_parallel_call_moves_to_the_start_of_its_message():
    rows = parallel()
    assert [suffix_cut(rows, at).used for at in (2, 3, 4)] == [1, 1, 1]
    assert suffix_cut(rows, 1).used == 1


def test_a_cut_before_plain_user_text_stays():
    rows = parallel()
    cut = suffix_cut(rows, 5)
    assert (cut.used, cut.reasons) == (5, ())
    assert "Nothing that belongs together" in cut.reason


def test_a_kept_prefix_ends_before_a_call_whose_result_is_left_out():
    assert prefix_cut(parallel(), 4).used == 1
    assert prefix_cut(parallel(), 5).used == 5


def test_a_pulled_in_call_pulls_in_its_message_and_that_messages_other_calls():
    rows = [
        assistant(call("Z"), message="W"),
        assistant(thinking(), message="X"),
        assistant(call("A"), message="X"),
        user(result("Z"), result("A")),
        assistant(call("B"), message="X"),
        user(result("B")),
    ]
    cut = suffix_cut(rows, 4)
    assert cut.used == 0
    assert len(cut.reasons) == 2
    assert "the reply X would be split" in cut.reason and "the call Z would lose its result" in cut.reason


def test_an_orphan_moves_nothing_since_nothing_could_mend_it():
    rows = [user(), assistant(), user(result("nobody")), assistant(call("open")), user()]
    assert [suffix_cut(rows, at).used for at in range(6)] == list(range(6))


def test_a_result_before_its_call_stays_beside_it():
    rows = [user(), user(result("late")), assistant(call("late")), user()]
    assert suffix_cut(rows, 2).used == 1


def test_a_cut_outside_the_rows_is_brought_to_their_ends():
    rows = parallel()
    assert (suffix_cut(rows, -3).used, suffix_cut(rows, 99).used) == (0, 6)


def test_the_reason_names_the_line_that_is_pulled_in():
    rows = parallel()
    assert f"line {rows[1].line} is kept too" in suffix_cut(rows, 4).reason


pieces = st.one_of(
    st.tuples(st.just("user"), st.sampled_from(["", *"ABCDE"])),
    st.tuples(st.sampled_from(["m1", "m2", "m3", "m4"]), st.sampled_from(["", *"ABCDE"])),
)


@st.composite
def histories(draw) -> list[Row]:
    rows = []
    for who, name in draw(st.lists(pieces, max_size=25)):
        if who == "user":
            rows.append(user(result(name)) if name else user())
        else:
            rows.append(assistant(call(name) if name else text(1), message=who))
    return rows


def _blocks(rows: list[Row], kind: str) -> list[Block]:
    return [b for r in rows for b in r.blocks if b.kind == kind]


def _orphans(rows: list[Row]) -> set[str]:
    """Ids with a result before which no call stands."""
    seen: set[str] = set()
    found: set[str] = set()
    for r in rows:
        for b in r.blocks:
            if b.kind == "tool_use":
                seen.add(b.call)
            elif b.kind == "tool_result" and b.call not in seen:
                found.add(b.call)
    return found


@given(histories(), st.integers(-2, 30))
def test_a_cut_splits_no_reply_and_orphans_no_result(rows, at):
    cut = suffix_cut(rows, at).used
    replies_kept = {r.message_id for r in rows[cut:] if r.role == ASSISTANT}
    assert not replies_kept & {r.message_id for r in rows[:cut] if r.role == ASSISTANT}
    assert _orphans(rows[cut:]) <= _orphans(rows)


@given(histories(), st.integers(-2, 30))
def test_a_kept_prefix_leaves_no_call_without_the_result_it_had(rows, at):
    cut = prefix_cut(rows, at).used
    answered = {b.call for b in _blocks(rows[:cut], "tool_result")}
    assert not {b.call for b in _blocks(rows[:cut], "tool_use")} - answered & {
        b.call for b in _blocks(rows[cut:], "tool_result")
    } - {b.call for b in _blocks(rows[cut:], "tool_use")}


@given(histories(), st.integers(0, 30))
def test_a_cut_never_moves_forward_and_a_second_time_not_at_all(rows, at):
    for cut_at in (suffix_cut, prefix_cut):
        cut = cut_at(rows, at)
        assert cut.used <= cut.asked
        assert cut_at(rows, cut.used).used == cut.used
        assert cut.used in valid_cuts(rows)
        assert not [v for v in valid_cuts(rows) if cut.used < v <= cut.asked]


# rounds


def test_a_round_is_a_reply_with_its_results_and_the_head_is_what_precedes_the_first():
    rows = [user(), *turn(50), *turn(60), row(None), user(text(2))]
    groups = rounds(rows)
    assert [len(g.rows) for g in groups] == [1, 2, 4]
    assert [g.is_head for g in groups] == [True, False, False]


def test_rows_of_one_reply_and_late_results_stay_in_their_round():
    rows = [
        assistant(call("A"), message="X"),
        user(result("A")),
        assistant(call("B"), message="X"),
        assistant(text(1), message="Y"),
        user(result("B")),
        assistant(text(1), message="Z"),
    ]
    assert [len(g.rows) for g in rounds(rows)] == [5, 1]


def test_rows_without_a_reply_are_one_round():
    assert [g.is_head for g in rounds([user(), user()])] == [True]
    assert rounds([]) == ()


@given(histories())
def test_rounds_lose_and_reorder_nothing_and_start_at_valid_cuts(rows):
    groups = rounds(rows)
    assert list(joined(groups)) == rows
    starts, at = [], 0
    for group in groups:
        starts.append(at)
        at += len(group.rows)
    assert set(starts) <= set(valid_cuts(rows))
