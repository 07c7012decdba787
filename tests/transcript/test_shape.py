"""The tree as a whole: what begins, ends, repeats, leads nowhere, and what was left behind (spec 5, `tree` and `pairs.file`)."""

from __future__ import annotations

from collections.abc import Iterable

from tests.builders import Record, boundary, call, lines_of, read, reply, result, session_of, summary, user, uuid
from tests.transcript.seen import number, numbers
from workbench.transcript.session import Session
from workbench.transcript.shape import TreeFacts, boundaries_in_history, dead_replies, file_pairs, tree_facts


def facts(session: Session) -> TreeFacts:
    return tree_facts(session, session.chain)


def named(uuids: Iterable[str]) -> list[int]:
    return [number(each) for each in uuids]


def dead(*records: Record) -> int:
    session = session_of(*records)
    return dead_replies(session.tree, session.chain)


def test_nodes_are_distinct_uuids_and_repeated_rows_are_counted_apart() -> None:
    found = facts(session_of(user(1, "a"), {"type": "mode"}, reply(2, "b"), user(1, "a"), user(1, "a")))
    assert (found.nodes, found.duplicate_rows) == (2, 2)


def test_roots_and_dangling_parents() -> None:
    found = facts(session_of(user(1, "a"), user(2, "b", parent=None), user(3, "c", parent="x"), user(4, "d", parent="x")))
    assert (named(found.roots), found.dangling) == ([1, 2], ("x",))


def test_copies_of_a_row_conflict_only_where_their_parents_differ() -> None:
    copies = (user(1, "a"), user(2, "b"), user(2, "b", parent=1), user(3, "c", parent=1), user(3, "c", parent=2))
    found = facts(session_of(*copies))
    assert (named(found.conflicting), found.duplicate_rows) == ([3], 2)


def test_leaves_are_conversation_rows_with_no_conversation_below() -> None:
    link = {**user(4, parent=3), "type": "system"}
    told = (
        user(1, "go"),
        reply(2, "a"),
        reply(3, "b", parent=1),
        link,
        user(5, "on", parent=4),
        reply(6, "x", parent=2, isSidechain=True),
    )
    assert named(facts(session_of(*told)).leaves) == [2, 5]


def test_what_was_joined_is_no_leaf_and_rows_before_the_boundary_are_none() -> None:
    parallel = (reply(2, call("a"), message="m"), reply(3, call("b"), message="m", parent=2), user(4, result("a"), parent=2))
    assert named(facts(session_of(user(1, "go"), *parallel, user(5, result("b"), parent=3))).leaves) == [5]
    assert named(facts(session_of(user(1, "go"), reply(2, "a"), boundary(3), summary(4), reply(5, "b"))).leaves) == [5]


def test_kept_rows_are_passed_through_on_the_way_to_the_leaf() -> None:
    kept = {"preservedMessages": {"anchorUuid": uuid(4), "uuids": [uuid(2)]}}
    session = session_of(user(1, "go"), reply(2, "a"), boundary(3, metadata=kept), summary(4), user(5, "on", parent=2))
    assert named(facts(session).leaves) == [5]


def test_a_row_below_may_have_been_written_first() -> None:
    told = (user(1, "go"), reply(2, "late", parent=3), user(3, "early", parent=1), reply(4, "aside", parent=1))
    assert named(facts(session_of(*told)).leaves) == [2, 4]


def test_a_cycle_has_no_leaf() -> None:
    assert facts(session_of(user(1, "a", parent=2), reply(2, "b", parent=1))).leaves == ()


def test_dead_replies_are_assistant_rows_off_the_chain_since_the_boundary() -> None:
    fork = (user(1, "go"), reply(2, "left"), reply(3, "left too"), reply(4, "alive", parent=1), user(5, "on"))
    assert dead(*fork) == 2
    assert dead(*fork, boundary(6), summary(7), reply(8, "b")) == 0
    assert dead(*fork, reply(6, "inside", isSidechain=True)) == 2


def test_boundaries_before_the_last_one_were_on_the_chain_in_their_time() -> None:
    told = (
        user(1, "go"),
        boundary(2, logicalParentUuid=uuid(1)),
        summary(3),
        reply(4, "a"),
        boundary(5, logicalParentUuid="gone"),
        summary(6),
        reply(7, "b"),
        boundary(8, logicalParentUuid=uuid(7)),
        summary(9),
    )
    session = session_of(*told)
    assert numbers(session, sorted(boundaries_in_history(session.tree, session.chain))) == [2, 5, 8]


def test_a_bypassed_boundary_was_not() -> None:
    told = (user(1, "go"), reply(2, "a"), boundary(3), summary(4), reply(5, "lost"), user(6, "back", parent=2), reply(7, "b"))
    session = session_of(*told)
    assert boundaries_in_history(session.tree, session.chain) == frozenset()


def test_a_logical_parent_that_leads_back_to_itself_ends() -> None:
    session = session_of(user(1, "go"), boundary(2, logicalParentUuid=uuid(2)), summary(3))
    assert numbers(session, boundaries_in_history(session.tree, session.chain)) == [2]


def test_pairs_of_the_file_go_by_id_wherever_they_stand() -> None:
    told = (
        user(1, result("early")),
        reply(2, call("early"), call("open"), call("twice")),
        user(3, result("twice"), result("twice"), result("stray")),
        reply(4, call("side"), isSidechain=True, parent=1),
    )
    found = file_pairs(session_of(*told))
    assert (found.calls, found.results) == (4, 4)
    assert (found.unanswered, found.unasked) == (("open", "side"), ("stray",))


def test_pairs_of_the_file_include_what_was_recovered() -> None:
    lines = lines_of(user(1, "go"), reply(2, call("a")), user(3, result("a")))
    found = file_pairs(read(lines[0] + b"\n" + lines[1] + lines[2] + b"\n"))
    assert (found.calls, found.results, found.unanswered, found.unasked) == (1, 1, (), ())
