"""Where notes would have been taken: the extraction rule over the calls of a session (spec 1, section 8.2)."""

from __future__ import annotations

from pathlib import Path

from tests.evidence.telling import Told, call, result, text
from workbench.compaction.profiles import resolve
from workbench.compaction.settings import flag_layer
from workbench.evidence.timeline import Timeline, timeline_of
from workbench.storage import read_index


def timeline(told: Told, *flags: str) -> Timeline:
    return timeline_of(told.session(), resolve(layers=[flag_layer(flags)]))


def noted(found: Timeline) -> list[int]:
    """Numbers of the calls behind which notes would have been taken."""
    return [i for i, p in enumerate(found.points) if "notes" in p.marks]


def with_calls(told: Told, ident: str, prompt: int, calls: int) -> None:
    """A reply with so many tool calls, and their results; prompt and reply make `prompt` tokens in context."""
    told.reply(ident, prompt - 50, *(call(f"{ident}-{n}") for n in range(calls)))
    for n in range(calls):
        told.results(result(f"{ident}-{n}"))


def test_first_at_ten_thousand_then_at_five_thousand_more_and_three_calls() -> None:
    told = Told()
    told.prompt("Go.")
    with_calls(told, "m0", 9_999, 1)
    with_calls(told, "m1", 10_000, 1)
    with_calls(told, "m2", 14_999, 10)
    with_calls(told, "m3", 15_000, 0)
    with_calls(told, "m4", 20_000, 2)
    with_calls(told, "m5", 20_100, 1)
    found = timeline(told)
    assert noted(found) == [1, 3, 5]
    assert [(m.index, m.kind) for m in found.marks] == [(2, "notes"), (4, "notes"), (6, "notes")]
    assert found.marks[0].label == "10,000 tokens in context, the first notes are taken at 10,000"
    assert found.marks[2].label == "the context grew by 5,100 tokens with 3 tool calls since the last notes"


def test_five_thousand_more_with_two_calls_and_one_of_them_pending_are_not_enough() -> None:
    told = Told()
    told.prompt("Go.")
    with_calls(told, "m0", 10_000, 1)
    with_calls(told, "m1", 15_000, 2)
    assert noted(timeline(told)) == [0]


def test_a_plain_reply_is_enough_where_the_context_grew() -> None:
    told = Told()
    told.prompt("Go.")
    with_calls(told, "m0", 10_000, 1)
    told.reply("m1", 14_950, text("That is all."))
    assert noted(timeline(told)) == [0, 1]


def test_a_compaction_sets_the_baseline_to_the_first_call_and_the_counter_to_nothing() -> None:
    told = Told()
    told.prompt("Go.")
    with_calls(told, "m0", 100_000, 5)
    told.boundary(100_000)
    with_calls(told, "m1", 30_000, 2)
    with_calls(told, "m2", 34_999, 9)
    with_calls(told, "m3", 35_000, 1)
    assert noted(timeline(told)) == [0, 3]


def test_a_row_that_stands_twice_in_the_file_counts_once() -> None:
    told = Told()
    told.prompt("Go.")
    with_calls(told, "m0", 10_000, 1)
    with_calls(told, "m1", 15_000, 2)
    told.rows += [dict(row) for row in told.rows if row["type"] == "assistant"]
    assert noted(timeline(told)) == [0]


def test_settings_move_the_rule_and_switch_it_off() -> None:
    told = Told()
    told.prompt("Go.")
    with_calls(told, "m0", 9_000, 1)
    with_calls(told, "m1", 11_000, 1)
    assert noted(timeline(told)) == [1]
    assert noted(timeline(told, "extractionStart=9000", "extractionGrowth=2000", "extractionToolCalls=1")) == [0, 1]
    off = timeline(told, "sessionMemory=false")
    assert (noted(off), off.extraction) == ([], ())


def test_a_sub_agent_takes_no_notes() -> None:
    told = Told()
    told.prompt("Go.", isSidechain=True)
    told.reply("m0", 50_000, isSidechain=True)
    found = timeline(told)
    assert len(found.points) == 1 and noted(found) == []


def test_real_sessions_grow_enough_between_two_extractions(shared: Path) -> None:
    for path in sorted(shared.glob("real*/*.jsonl")):
        found = timeline_of(read_index(path), resolve())
        if not found.extraction:
            continue
        bounds = {m.index for m in found.marks if m.kind == "boundary"}
        last: int | None = None
        for at, judged in enumerate(found.extraction):
            if at in bounds:
                last = None
            if not judged.extracts:
                continue
            assert judged.tokens >= 10_000, path.name
            assert last is None or judged.tokens - last >= 5_000, path.name
            last = judged.tokens
        assert len(noted(found)) == sum(m.kind == "notes" for m in found.marks) > 0, path.name
