"""The living branch: which rows the agent loads when it resumes a file, and what it loaded at a point (spec 6, section 4)."""

from __future__ import annotations

import pytest

from tests.builders import (
    Record,
    attachment,
    boundary,
    call,
    last_prompt,
    lines_of,
    read,
    reply,
    result,
    session_of,
    summary,
    user,
    uuid,
)
from tests.transcript.seen import chain_of, gaps, loaded, number, numbers
from workbench.errors import UsageError
from workbench.transcript.session import Session

NOTE = {"type": "system", "subtype": "turn_duration"}


def note(ident: int, parent: object = None) -> Record:
    """A row that is a link and nothing else."""
    return {**user(ident, parent=parent), **NOTE}


def leaf(session: Session) -> int:
    return number(session.index.uuids[session.chain.leaf]) if session.chain.leaf is not None else 0


# leaf

FORKED = (user(1, "go"), reply(2, "this way"), reply(3, "or that way", parent=1))


def test_without_last_prompt_the_last_conversation_row_is_the_leaf() -> None:
    session = session_of(*FORKED, note(4, parent=2))
    assert (loaded(session), leaf(session)) == ([1, 3], 3)


def test_the_last_prompt_names_the_leaf() -> None:
    session = session_of(*FORKED, last_prompt(3), last_prompt(2))
    assert (loaded(session), leaf(session)) == ([1, 2], 2)


def test_of_two_last_prompts_the_later_counts_and_one_without_a_name_is_passed_over() -> None:
    assert loaded(session_of(*FORKED, last_prompt(2), last_prompt(3))) == [1, 3]
    nameless = {"type": "last-prompt", "lastPrompt": "go"}
    assert loaded(session_of(*FORKED, last_prompt(2), nameless)) == [1, 2]


def test_what_descends_from_the_named_row_goes_on_from_it() -> None:
    told = (*FORKED, last_prompt(2), note(4, parent=2), user(5, "on", parent=4), reply(6, "yes"))
    assert loaded(session_of(*told)) == [1, 2, 4, 5, 6]


def test_a_later_row_of_another_branch_does_not_outrank_the_named_one() -> None:
    assert loaded(session_of(*FORKED, last_prompt(2), user(4, "aside", parent=3))) == [1, 2]


def test_an_attachment_may_be_the_leaf_and_the_row_above_it_is_told() -> None:
    session = session_of(user(1, "go"), reply(2, "done"), attachment(3, "file"), last_prompt(3))
    assert (loaded(session), leaf(session)) == ([1, 2, 3], 2)


def test_a_leaf_that_nobody_knows_is_no_leaf() -> None:
    assert loaded(session_of(*FORKED, last_prompt(77))) == [1, 3]


def test_a_sub_agents_row_is_no_leaf_of_the_session() -> None:
    side = reply(4, "inside", parent=2, isSidechain=True)
    assert loaded(session_of(*FORKED, side)) == [1, 3]
    assert loaded(session_of(*FORKED, side, last_prompt(4))) == [1, 3]


def test_bookkeeping_never_outranks_a_reply() -> None:
    assert leaf(session_of(user(1, "go"), reply(2, "done"), note(3, parent=2), {"type": "mode", "mode": "plan"})) == 2


def test_a_last_prompt_that_only_we_recovered_names_nothing() -> None:
    first, *rest = lines_of(last_prompt(1), *FORKED)
    damaged = b"\n".join(rest) + b"\n" + lines_of({"type": "mode", "sessionId": "s"})[0] + first + b"\n"
    assert loaded(read(damaged)) == [1, 3]


def test_no_conversation_no_chain() -> None:
    session = session_of(
        {"type": "summary", "summary": "A title", "leafUuid": "x"}, {"type": "mode", "uuid": "u", "parentUuid": None}
    )
    assert (loaded(session), session.chain.leaf) == ([], None)


def test_a_file_of_sidechain_rows_only_is_a_sub_agents_and_its_rows_are_the_chain() -> None:
    told = (user(1, "look", isSidechain=True), reply(2, call("a"), isSidechain=True), user(3, result("a"), isSidechain=True))
    session = session_of(*told)
    assert (loaded(session), session.chain.is_sub_agent) == ([1, 2, 3], True)
    assert not session_of(*told, user(4, "main", parent=None)).chain.is_sub_agent


# another branch


def test_any_branch_can_be_asked_for() -> None:
    session = session_of(*FORKED, last_prompt(3))
    assert loaded(session, leaf=2) == [1, 2]
    assert loaded(session) == [1, 3]
    assert loaded(session, leaf=1) == [1]


def test_a_branch_that_is_nowhere_is_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match=r"No row has the uuid nobody; .*tree\.leaves"):
        session_of(*FORKED).branch("nobody")


# gaps and cycles


def test_links_of_every_kind_are_on_the_chain() -> None:
    progress = {**user(4, parent=3), "type": "progress", "data": {"type": "hook_progress"}}
    told = (
        user(1, "go"),
        note(2, parent=1),
        attachment(3, "file"),
        progress,
        {**user(5, parent=4), "type": "lantern"},
        reply(6, "ok"),
    )
    session = session_of(*told)
    assert loaded(session) == [1, 2, 3, 4, 5, 6]
    assert [row.role for row in session.rows(session.chain.places)] == ["user", None, None, None, None, "assistant"]


def test_a_missing_parent_is_bridged_to_the_row_before() -> None:
    session = session_of(user(1, "go"), reply(2, "aside", parent=1), reply(3, "on", parent="gone"), user(4, "and"))
    assert (loaded(session), gaps(session)) == ([1, 2, 3, 4], [3])


def test_a_bridge_passes_over_sub_agents_and_records_without_uuid() -> None:
    told = (user(1, "go"), reply(2, "x", parent=1, isSidechain=True), last_prompt(1), reply(3, "on", parent="gone"))
    session = session_of(*told)
    assert (loaded(session), gaps(session)) == ([1, 3], [3])


def test_a_file_that_begins_in_the_middle_has_nothing_to_bridge_to() -> None:
    session = session_of(user(1, "go", parent="gone"), reply(2, "on"))
    assert (loaded(session), gaps(session), session.chain.ends_in_cycle) == ([1, 2], [], False)


def test_a_repeated_uuid_is_the_nearest_earlier_row_so_that_nothing_comes_round() -> None:
    told = (user(1, "go"), reply(2, "a"), user(1, "again", parent=2), reply(3, "b", parent=1))
    session = session_of(*told)
    assert (loaded(session), session.chain.ends_in_cycle) == ([1, 2, 1, 3], False)


@pytest.mark.parametrize(
    ("told", "rows"),
    [
        ((user(1, "a", parent=2), reply(2, "b", parent=1)), [1, 2]),
        ((user(1, "a", parent=1),), [1]),
        ((user(1, "a", parent=3), reply(2, "b", parent=1), user(3, "c", parent=2), reply(4, "d", parent=3)), [1, 2, 3, 4]),
    ],
    ids=["two", "itself", "three and a tail"],
)
def test_a_cycle_ends_and_is_told(told: tuple[Record, ...], rows: list[int]) -> None:
    session = session_of(*told)
    assert (sorted(loaded(session)), session.chain.ends_in_cycle) == (rows, True)


@pytest.mark.parametrize(
    "tail",
    [
        (user(3, "self", parent=3), reply(4, "after")),
        (user(3, "one", parent=6), reply(4, "two"), user(5, "three"), reply(6, "four")),
    ],
    ids=["itself", "four"],
)
def test_what_stands_before_a_cycle_is_loaded_too(tail: tuple[Record, ...]) -> None:
    session = session_of(user(1, "go"), reply(2, "a"), *tail)
    assert loaded(session) == list(range(1, 3 + len(tail)))
    assert (gaps(session), session.chain.ends_in_cycle) == ([3], True)


def test_a_parent_that_is_an_empty_text_is_none() -> None:
    assert loaded(session_of(user(1, "go"), reply(2, "a"), user(3, "anew", parent=""), reply(4, "b"))) == [3, 4]


def test_rows_written_again_at_the_end_are_no_leaf() -> None:
    told = (user(1, "go"), reply(2, "a"), user(3, "on"), reply(4, "b"))
    assert loaded(session_of(*told, told[2])) == [1, 2, 3, 4]
    compacted = (user(1, "go"), reply(2, "a"), boundary(3), summary(4), user(5, "on"), reply(6, "b"))
    assert loaded(session_of(*compacted, compacted[2], compacted[3])) == [3, 4, 5, 6]


def test_a_last_prompt_counts_only_where_it_stands_behind_the_last_boundary() -> None:
    before = (user(1, "go"), reply(2, "a"))
    after = (boundary(3), summary(4), user(5, "on"), reply(6, "b"))
    assert loaded(session_of(*before, last_prompt(2), *after)) == [3, 4, 5, 6]
    assert loaded(session_of(*before, *after, last_prompt(2))) == [1, 2]


# widening

SPLIT = (
    user(1, "go"),
    reply(2, call("a"), message="m"),
    reply(3, call("b"), message="m", parent=2),
    user(4, result("a"), parent=2),
    user(5, result("b"), parent=3),
    reply(6, "done", parent=5),
)


def test_results_of_parallel_calls_come_back_from_the_arm_beside() -> None:
    session = session_of(*SPLIT)
    assert loaded(session) == [1, 2, 3, 4, 5, 6]
    assert numbers(session, sorted(session.chain.joined)) == [4]
    assert [m.role for m in session.array(session.chain)] == ["user", "assistant", "user", "assistant"]


def test_pieces_of_a_reply_come_back_however_far_apart_they_stand() -> None:
    told = (
        user(1, "go"),
        reply(2, "a", message="m"),
        reply(3, "b", message="m", parent=1),
        note(4, parent=2),
        user(5, "on", parent=4),
    )
    session = session_of(*told)
    assert loaded(session) == [1, 2, 3, 4, 5]
    assert [len(m.parts) for m in session.array(session.chain)] == [1, 2, 1]


def test_a_result_that_is_on_the_chain_is_not_joined_again() -> None:
    told = (
        user(1, "go"),
        reply(2, call("a")),
        user(3, result("a")),
        user(4, result("a", "again"), parent=2),
        reply(5, "ok", parent=3),
    )
    assert loaded(session_of(*told)) == [1, 2, 3, 5]


def test_a_result_for_a_call_elsewhere_is_not_joined() -> None:
    told = (user(1, "go"), reply(2, call("a"), parent=1), user(3, result("a"), parent=2), reply(4, "instead", parent=1))
    assert loaded(session_of(*told)) == [1, 4]


def test_another_branch_is_not_joined_only_because_it_is_there() -> None:
    assert loaded(session_of(*FORKED, user(4, "more", parent=3))) == [1, 3, 4]


def test_a_copy_of_a_row_is_not_joined_beside_it() -> None:
    told = (user(1, "go"), reply(2, "a", message="m"), reply(2, "a", message="m", parent=1), user(3, "on", parent=2))
    assert loaded(session_of(*told)) == [1, 2, 3]


def test_a_sub_agents_piece_of_the_same_id_is_not_joined() -> None:
    told = (
        user(1, "go"),
        reply(2, "a", message="m"),
        reply(3, "b", message="m", parent=1, isSidechain=True),
        user(4, "on", parent=2),
    )
    assert loaded(session_of(*told)) == [1, 2, 4]


def test_nothing_is_joined_from_before_the_boundary() -> None:
    told = (
        user(1, "go"),
        reply(2, call("a"), message="m"),
        user(3, result("a")),
        boundary(4),
        summary(5),
        reply(6, "more of m", message="m"),
        reply(7, call("a"), message="m7"),
        user(8, "on"),
    )
    session = session_of(*told)
    assert loaded(session) == [4, 5, 6, 7, 8]
    assert not session.chain.joined


# boundaries

COMPACTED = (user(1, "go"), reply(2, "a"), boundary(3), summary(4), user(5, "on"), reply(6, "b"))


def test_the_chain_starts_at_the_last_boundary_on_it() -> None:
    session = session_of(*COMPACTED)
    assert loaded(session) == [3, 4, 5, 6]
    assert session.chain.boundary is not None and session.row(session.chain.boundary).line == 3
    assert loaded(session_of(*COMPACTED, boundary(7), summary(8), reply(9, "c"))) == [7, 8, 9]


def test_a_boundary_that_is_no_root_ends_the_chain_all_the_same() -> None:
    assert loaded(session_of(user(1, "go"), boundary(2, parent=1), summary(3))) == [2, 3]


def test_a_boundary_off_the_chain_is_ignored_and_the_whole_history_sent() -> None:
    session = session_of(*COMPACTED, user(7, "from before", parent=2), reply(8, "c"))
    assert (loaded(session), session.chain.boundary) == ([1, 2, 7, 8], None)


def test_a_parent_missing_behind_a_boundary_is_bridged_to_the_row_before() -> None:
    session = session_of(*COMPACTED, user(7, "on", parent="gone"))
    assert (loaded(session), gaps(session)) == ([3, 4, 5, 6, 7], [7])


def test_a_summary_without_a_boundary_is_one() -> None:
    session = session_of(user(1, "go"), reply(2, "a"), summary(3, parent=None), reply(4, "b"))
    assert (loaded(session), len(session.boundaries)) == ([3, 4], 1)


def test_a_boundary_that_only_we_recovered_is_shown_and_cuts_nothing() -> None:
    lines = lines_of(*COMPACTED[:2], boundary(3, parent=2), reply(4, "on", parent=3))
    session = read(lines[0] + b"\n" + lines[1] + lines[2] + b"\n" + lines[3] + b"\n")
    assert len(session.boundaries) == 1
    assert (loaded(session), gaps(session)) == ([1, 2, 4], [4])


def test_a_sub_agents_boundary_is_not_the_sessions() -> None:
    session = session_of(*COMPACTED[:2], boundary(3, isSidechain=True), reply(4, "on", parent=2))
    assert loaded(session) == [1, 2, 4]


# at a point


def before(session: Session, line: int) -> list[int]:
    return numbers(session, session.chain_at(line).places)


def test_at_a_line_the_file_ends_right_before_it() -> None:
    session = session_of(*COMPACTED)
    assert [before(session, line) for line in (1, 2, 3, 4, 5, 7)] == [[], [1], [1, 2], [3], [3, 4], [3, 4, 5, 6]]


def test_at_a_line_the_last_row_is_the_leaf_whatever_is_named() -> None:
    session = session_of(*FORKED, last_prompt(2), note(5, parent=3))
    assert before(session, 4) == [1, 3]
    assert before(session, 6) == [1, 3, 5]
    assert loaded(session) == [1, 2]


def test_at_a_line_a_parent_that_came_later_is_bridged() -> None:
    told = (user(1, "go"), reply(2, "a", parent=4), user(3, "b", parent=2), reply(4, "late", parent=1))
    session = session_of(*told)
    chain = session.chain_at(4)
    assert (numbers(session, chain.places), gaps(session, chain)) == ([1, 2, 3], [2])


def test_at_a_line_nothing_behind_it_is_joined() -> None:
    assert before(session_of(*SPLIT), 4) == [1, 2, 3]
    assert before(session_of(*SPLIT), 5) == [1, 2, 3, 4]


def test_at_a_line_nothing_leads_past_the_boundary_before_it() -> None:
    session = session_of(*COMPACTED, user(7, "from before", parent=2), reply(8, "c"))
    chain = session.chain_at(9)
    assert (numbers(session, chain.places), gaps(session, chain)) == ([3, 4, 5, 6, 7, 8], [7])


def test_at_a_line_behind_damage_the_whole_rows_count() -> None:
    lines = lines_of(user(1, "go"), reply(2, "a"), user(3, "b"))
    session = read(b"\n".join([lines[0], b"// note", b"", lines[1], lines[2]]))
    assert [before(session, line) for line in (1, 2, 4, 5, 6)] == [[], [1], [1], [1, 2], [1, 2, 3]]


@pytest.mark.parametrize("line", [0, -1, 8, 10**9])
def test_a_line_outside_the_file_is_refused_in_a_sentence(line: int) -> None:
    with pytest.raises(UsageError, match=rf"There is no line {line}; .* from 1 to 6"):
        session_of(*COMPACTED).chain_at(line)


def test_the_chain_of_a_branch_is_as_asked_for_even_before_a_boundary() -> None:
    session = session_of(*COMPACTED)
    assert loaded(session, leaf=2) == [1, 2]
    assert chain_of(session, 3).boundary is not None
    assert session.index.uuids[session.branch(uuid(4)).places[-1]] == uuid(4)
