"""Tokens in context at a point of a session: what is exact, what is estimated, and what is not known at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.evidence.telling import Told, call, image, result, text, thinking
from workbench.conversation.figure import ESTIMATED, EXACT, LOWER_BOUND, UNKNOWN, Figure
from workbench.conversation.tokens import by_texts, measured_anew
from workbench.storage import MemoryFile, read_index
from workbench.transcript.session import Session
from workbench.transcript.usage import Context, context_of, overhead_of

LETTERS = by_texts("letters", "letters", "for tests", lambda texts: [len(t) for t in texts])


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def context(session: Session) -> Context:
    return context_of(session, session.chain, [r.slim() for r in session.rows(session.chain.places)])


def overhead(session: Session) -> Figure:
    rows = [r.slim() for r in session.rows(session.chain.places)]
    return overhead_of(context_of(session, session.chain, rows), rows)


def begun(prompt: int = 20_000, output: int = 50) -> Told:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", prompt, text("Done."), output=output)
    return told


def test_prompt_and_output_of_the_newest_call_are_exact() -> None:
    found = context(begun().session())
    assert (found.now.tokens, found.now.kind, found.source, found.last_call) == (20_050, EXACT, "usage", 20_000)
    assert found.now.source == "prompt 20,000 + output 50 of the newest call"


def test_rows_after_the_call_are_estimated_on_top() -> None:
    told = begun()
    told.prompt("x" * 401)
    found = context(told.session())
    assert (found.now.tokens, found.now.kind, found.added) == (20_151, ESTIMATED, 101)
    assert "about 101 of rows after it (rough)" in found.now.source


def test_rows_of_one_reply_are_one_call_with_the_maximum_of_each_field() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, text("a"), output=1)
    told.reply("m1", 20_000, call("c1"), output=30)
    told.reply("m1", 20_000, text("b"), output=30)
    session = told.session()
    assert len(session.calls) == 1
    assert context(session).now.tokens == 20_030


def test_a_repeated_row_of_a_reply_is_not_counted_twice() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, text("x" * 400), output=60)
    told.rows.append(told.rows[-1])
    assert context(told.session()).now == Figure(20_060, EXACT, "prompt 20,000 + output 60 of the newest call")


def test_a_placeholder_gives_way_to_the_text_of_the_reply() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, text("x" * 4_000), thinking("y" * 400), output=2)
    found = context(told.session())
    assert (found.now.tokens, found.now.kind) == (21_100, ESTIMATED)
    assert "output about 1,100" in found.now.source


def test_half_of_the_text_is_no_placeholder() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, text("x" * 4_000), output=500)
    assert context(told.session()).now.tokens == 20_500


def test_sub_agents_errors_and_fillers_are_no_calls() -> None:
    told = begun()
    told.reply("a1", 90_000, isSidechain=True)
    told.reply("s1", 80_003, text("No response requested."), model="<synthetic>", output=0)
    told.error("API Error: 529 overloaded, and said at length so that it would count for something")
    session = told.session()
    assert [c.message_id for c in session.calls if not c.sidechain] == ["m1"]
    found = context(session)
    assert found.last_call == 20_000
    assert found.added == 6  # the filler is sent, the error is not


def test_without_a_call_since_the_boundary_its_own_count_is_a_lower_bound() -> None:
    told = begun(160_000)
    told.boundary(160_050, 5_200)
    told.prompt("And on.")
    found = context(told.session())
    assert (found.now.tokens, found.now.kind, found.source, found.last_call) == (5_200, LOWER_BOUND, "boundary", 5_200)


def test_a_call_since_the_boundary_counts_again() -> None:
    told = begun(160_000)
    told.boundary(160_050, 5_200)
    told.reply("m2", 30_000, output=50)
    assert context(told.session()).now == Figure(30_050, EXACT, "prompt 30,000 + output 50 of the newest call")


def test_without_call_and_count_the_messages_are_a_lower_bound() -> None:
    told = Told()
    told.prompt("x" * 400)
    found = context(told.session())
    assert (found.now.tokens, found.now.kind, found.source, found.last_call) == (100, LOWER_BOUND, "estimate", None)


def test_nothing_to_go_by_is_unknown_and_never_zero() -> None:
    told = Told()
    told.row("system", subtype="turn_duration", durationMs=1)
    found = context(told.session())
    assert (found.now.tokens, found.now.kind, found.source) == (None, UNKNOWN, "unknown")
    assert found.counted is None


def test_cleared_results_lower_the_figure_until_the_next_call() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, call("c1"))
    told.results(result("c1", "x" * 8_000))
    told.reply("m2", 22_000, output=50)
    told.microcompaction(2_000, "c1")
    found = context(told.session())
    assert (found.now.tokens, found.now.kind, found.cleared, found.counted) == (20_050, ESTIMATED, 2_000, 22_050)
    told.reply("m3", 19_900, output=50)
    assert context(told.session()).now.kind == EXACT


def test_images_count_by_their_sides_and_calls_by_name_and_input() -> None:
    told = begun()
    told.results(image(28, 29), image(5_000, 5_000), result("c0", [image(280, 280)]))
    assert context(told.session()).added == 2 + 1_568 + 100
    told = begun()
    told.reply("m2", 20_100, call("c1", "Read", file_path="é"), output=1)
    session = told.session()
    assert session.row(session.chain.places[-1]).tokens == -(-len('Read{"file_path":"é"}'.encode()) // 4)


def test_an_image_whose_header_says_nothing_counts_the_most() -> None:
    told = begun()
    told.results({"type": "image", "source": {"type": "base64", "data": "AAAA"}}, {"type": "image", "source": {"type": "url"}})
    assert context(told.session()).added == 2 * 1_568


def test_the_overhead_is_what_the_messages_do_not_explain() -> None:
    told = Told()
    told.prompt("x" * 4_000)
    told.reply("m1", 20_000, text("y" * 400), output=100)
    told.prompt("z" * 40_000)  # came after: no part of what was measured
    found = overhead(told.session())
    assert (found.tokens, found.kind) == (20_100 - 1_000 - 100, ESTIMATED)
    assert "bytes/4" in found.source


def test_without_a_call_the_overhead_is_unknown() -> None:
    told = Told()
    told.prompt("Go.")
    assert overhead(told.session()).tokens is None


def test_another_estimator_says_so_and_touches_only_what_is_estimated() -> None:
    told = Told()
    told.prompt("x" * 400)
    told.reply("m1", 20_000, text("y" * 400), output=2)
    told.prompt("z" * 400)
    session = told.session()
    rows = [r.slim() for r in measured_anew(session.rows(session.chain.places), LETTERS)]
    found = context_of(session, session.chain, rows, LETTERS)
    assert found.now.tokens == 20_000 + 400 + 400
    assert found.now.source.endswith("about 400 of rows after it (letters)")
    assert overhead_of(found, rows, LETTERS).tokens == 20_400 - 800


@pytest.mark.parametrize("system", ["x" * 400, [{"type": "text", "text": "x" * 400}]])
def test_a_messages_api_request_is_estimated_whole(system: object) -> None:
    tools = [{"name": "Read", "input_schema": {"type": "object"}}]
    request = {"system": system, "tools": tools, "messages": [{"role": "user", "content": "y" * 400}]}
    session = read_index(MemoryFile(json.dumps(request).encode()))
    found = context(session)
    sizes = [400 if isinstance(system, str) else len(compact(system)), len(compact(tools))]
    assert found.now.tokens == 100 + sum(-(-size // 4) for size in sizes)
    assert (found.now.kind, found.source) == (ESTIMATED, "estimate")


def test_real_sessions_have_a_context_of_recorded_usage(shared: Path) -> None:
    for path in sorted(shared.glob("real*/*.jsonl")):
        found = context(read_index(path))
        assert found.source == "usage", path.name
        assert found.now.tokens is not None and found.last_call is not None
        assert found.last_call <= found.now.tokens < found.last_call + 40_000, path.name
