"""What holds for every session, however it came about."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given

from tests.builders import Record, session_of
from tests.transcript.generated import talks, wild
from workbench.conversation.pairing import pair_up
from workbench.conversation.repair import as_sent
from workbench.export.messages import messages_to_send
from workbench.transcript.shape import dead_replies, tree_facts


@given(wild())
def test_whatever_the_links_a_row_is_loaded_once_and_the_leaf_is_among_them(records: list[Record]) -> None:
    session = session_of(*records)
    for chain in (session.chain, *(session.branch(u) for u in set(session.index.uuids) if u)):
        assert len(set(chain.places)) == len(chain.places)
        assert set(chain.kept) <= set(chain.places) and chain.joined <= set(chain.places)
        assert chain.leaf is None or chain.leaf in chain.places
        assert set(chain.gaps) <= set(chain.places)


@given(wild())
def test_whatever_the_links_the_tree_can_be_told(records: list[Record]) -> None:
    session = session_of(*records)
    facts = tree_facts(session, session.chain)
    assert facts.nodes + facts.duplicate_rows == sum(u is not None for u in session.index.uuids)
    assert dead_replies(session.tree, session.chain) >= 0


@given(wild())
def test_at_any_line_nothing_from_behind_it_is_loaded(records: list[Record]) -> None:
    session = session_of(*records)
    for line in range(1, len(records) + 2):
        assert all(session.index.lines[place] < line for place in session.chain_at(line).places)


@given(wild())
def test_of_any_session_what_is_sent_has_no_open_call_and_mending_it_again_changes_nothing(records: list[Record]) -> None:
    session = session_of(*records)
    for messages in (messages_to_send(session, session.chain), messages_to_send(session, session.chain_at(len(records) + 1))):
        pairs = pair_up(messages)
        assert not (pairs.unanswered or pairs.unasked or pairs.duplicate_results or pairs.duplicate_calls or pairs.misplaced)
        assert not pairs.server_unpaired
        assert as_sent(messages) == (messages, ())
        assert not messages or messages[0].role == "user"
        assert all(a.role != b.role for a, b in pairwise(messages) if a.role == "user")


@given(talks())
def test_a_talk_that_grew_in_order_is_loaded_in_order(records: list[Record]) -> None:
    session = session_of(*records)
    places = session.chain.places
    assert list(places) == sorted(places)
    assert session.chain.gaps == () and not session.chain.ends_in_cycle


@given(talks())
def test_a_talk_that_grew_in_order_keeps_every_reply_and_pair_together(records: list[Record]) -> None:
    session = session_of(*records)
    index, inside = session.index, set(session.chain.places)
    floor = -1 if session.chain.boundary is None else session.chain.boundary
    for place in range(floor + 1, len(index)):
        shared = {
            p
            for p in range(floor + 1, len(index))
            if index.message_id(p) is not None and index.message_id(p) == index.message_id(place)
        }
        assert shared <= inside or not shared & inside
    rows, calls, roles = index.tools()
    asked = {c for r, c, role in zip(rows, calls, roles, strict=True) if role == 0 and r in inside}
    assert all(r in inside for r, c, role in zip(rows, calls, roles, strict=True) if role == 1 and c in asked and r > floor)
