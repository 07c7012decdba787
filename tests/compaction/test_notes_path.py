"""Compaction from notes as a whole run: when it is not possible, what stays, when it fails, what follows (spec 1, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.memory.making import BOUNDARY, SUMMARY, call, replied, result, rows_of, said, sized
from workbench.compaction.faults import fault_keys
from workbench.compaction.ground import Ground, NotesGround
from workbench.compaction.plan import Plan
from workbench.compaction.profiles import resolve
from workbench.compaction.request import ERROR, EXTRACTION, Reply, Request
from workbench.compaction.request import SUMMARY as SUMMARY_REQUEST
from workbench.compaction.result import StageResult
from workbench.compaction.run import COMPACTED, FAILED_RUN, Run, answer, forward, replan, start, step
from workbench.compaction.settings import flag_layer
from workbench.compaction.threshold import threshold_of
from workbench.compaction.variants import switched_on
from workbench.compaction.window import Facts, window_evidence
from workbench.compaction.working_set import WorkingSet
from workbench.conversation.figure import exact
from workbench.conversation.row import Row
from workbench.memory.notes import Notes, parse
from workbench.memory.template import TEMPLATE

OPUS, BINDING = "claude-opus-4-5-20251101", "claude-opus-5-5-20261001"
NOTES = parse(TEMPLATE + "\nIt is about tides.\n")
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}


def run(rows: Sequence[Row], *flags: str, **wanted: Any) -> Run:
    """A run to its end; a summary is answered with a few words."""
    return forward(begun(rows, *flags, **wanted), short)


def short(request: Request) -> Reply:
    return Reply(text="<summary>Short.</summary>") if request.kind == SUMMARY_REQUEST else Reply(ERROR)


def begun(
    rows: Sequence[Row],
    *flags: str,
    notes: NotesGround | None = None,
    covers: str | None = None,
    variant: str = "session-memory",
    trigger: str = "manual",
    model: str = OPUS,
    overhead: int = 0,
    hooks: dict[str, str] | None = None,
    now: str | None = None,
    **wanted: Any,
) -> Run:
    """A run over rows before its first stage, its notes covering everything up to `covers`."""
    settings = switched_on(variant, resolve(layers=[flag_layer(flags)]))
    window = window_evidence(Facts(model, None, ()), settings)
    tokens = sum(r.tokens for r in rows) + overhead
    ground = Ground(
        session_id="told",
        rows=tuple(rows),
        tokens=exact(tokens, "told"),
        overhead=exact(overhead, "told"),
        window=window,
        threshold=threshold_of(window, model, settings),
        working=WorkingSet(),
        model=model,
        transcript="/sessions/told.jsonl",
        notes=notes if notes is not None else NotesGround(NOTES, "/notes.md", None, covers),
        hooks=hooks or {},
        now=now,
    )
    return start(ground, Plan(settings, variant, trigger, **wanted))


def stage(done: Run, name: str) -> StageResult:
    return next(r for r in done.results if r.name == name)


def names(done: Run) -> list[str]:
    return [r.name for r in done.results]


def kept(done: Run) -> list[str]:
    return [r.uuid for r in done.work.kept]


# 5.1: not available, each with its own reason


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"notes": NotesGround()}, "There is no notes file"),
        ({"notes": NotesGround(parse(" \n"), "/notes.md")}, "The notes file is empty"),
        ({"notes": NotesGround(parse(TEMPLATE), "/notes.md")}, "The notes hold the template only"),
        ({"covers": "elsewhere"}, "The last-summarized row elsewhere is not in the array"),
        ({"instructions": "Keep the names."}, "Custom instructions are given"),
        ({"hooks": {"pre": "Keep the names."}}, "Custom instructions are given"),
        ({"rows": rows_of([500])}, "1 row in the array: there is nothing to compact"),
        ({"pins": ("nowhere",)}, "The pinned row nowhere is not in the array"),
    ],
)
def test_a_named_variant_fails_with_its_own_reason_and_auto_goes_on_with_full(changed: dict[str, Any], reason: str) -> None:
    rows = changed.pop("rows", rows_of([500] * 8))
    named = run(rows, trigger="auto", **changed)
    assert (named.outcome, names(named)[-1]) == (FAILED_RUN, "session-memory")
    assert named.reason.startswith(f"Not available: {reason}")
    if changed.pop("pins", None):
        return
    auto = run(rows, "CLAUDE_CODE_AUTO_COMPACT_WINDOW=34000", variant="auto", trigger="auto", overhead=2_000, **changed)
    assert stage(auto, "session-memory").outcome == "skipped"
    assert reason in stage(auto, "session-memory").reason
    assert auto.outcome == COMPACTED and auto.work.summary == "Summary:\nShort."


def test_switched_off_auto_goes_on_with_full_and_naming_it_switches_it_on() -> None:
    rows = rows_of([500] * 8)
    off = run(rows, "sessionMemory=false", "CLAUDE_CODE_AUTO_COMPACT_WINDOW=34000", variant="auto", trigger="auto")
    assert stage(off, "session-memory").reason == "Not available: Session memory is switched off."
    assert (off.outcome, off.work.path) == (COMPACTED, "full")
    named = run(rows, "sessionMemory=false")
    assert (named.outcome, named.work.path) == (COMPACTED, "session-memory")


def test_a_partial_range_never_looks_at_the_notes() -> None:
    rows = rows_of([500] * 8)
    assert "session-memory" not in names(run(rows, variant="up-to", pivot="r4"))


def test_every_condition_is_shown_even_where_another_decides() -> None:
    found = stage(run(rows_of([500]), notes=NotesGround(), instructions="x"), "session-memory")
    holding = [n.name for n in found.numbers if n.kind == "condition" and n.value == "yes"]
    assert holding == ["no notes file", "custom instructions", "one row only"]


# 5.2: an extraction in flight


def in_flight(*flags: str) -> Run:
    notes = NotesGround(NOTES, "/notes.md", None, "r5", in_flight=True)
    waiting = begun(rows_of([3_000] * 8), *flags, notes=notes)
    while waiting.waiting is None:
        waiting = step(waiting)
    return waiting


def finish(waiting: Run, reply: Reply) -> Run:
    asked = waiting.waiting
    assert asked is not None and asked.kind == EXTRACTION
    return forward(answer(waiting, asked.key, reply), short)


def test_an_extraction_in_flight_is_awaited_for_fifteen_seconds_and_its_notes_are_used() -> None:
    waiting = in_flight()
    assert waiting.waiting is not None and waiting.waiting.purpose.endswith("awaited for at most 15 s")
    written = TEMPLATE + "\nNewer: the harbours.\n"
    done = finish(waiting, Reply(files={"notes": written, "last_summarized": "r7"}))
    assert done.work.summary == written
    assert stage(done, "session-memory").reason.startswith("The extraction in flight was awaited.")
    assert kept(done) == ["r3", "r4", "r5", "r6", "r7"], "from behind r7, grown back to both minimums"


def test_without_an_answer_in_time_the_file_is_used_as_it_is() -> None:
    done = finish(in_flight("extractionWait=2"), Reply(ERROR, error="not done after 2 s"))
    assert done.outcome == COMPACTED and "It is about tides." in done.work.summary
    assert "(not done after 2 s); the file is used as it is." in stage(done, "session-memory").reason


# 5.3: the keep window


@pytest.mark.parametrize(
    ("size", "count", "texts"), [(3_000, 5, True), (9_000, 5, True), (12_000, 4, True), (1_000, 10, True), (6_000, 7, False)]
)
def test_rows_of_equal_size_of_which_two_are_not_in_the_notes(size: int, count: int, texts: bool) -> None:
    sizes = [size] * 20
    rows = rows_of(sizes) if texts else with_calls(sizes)
    done = run(rows, covers=[r.uuid for r in rows if r.tokens >= size][-3])
    assert sum(r.tokens >= size for r in done.work.kept) == count


def with_calls(sizes: Sequence[int]) -> tuple[Row, ...]:
    """Results of these sizes, each behind its call."""
    rows: list[Row] = [said("first", "Go.")]
    for number, size in enumerate(sizes):
        rows += [replied(f"a{number}", call("Read", f"c{number}")), result(f"r{number}", f"c{number}", "x" * 4 * size)]
    return tuple(rows)


def test_the_settings_move_the_window() -> None:
    rows = rows_of([1_000] * 20)
    done = run(rows, "minTokens=3000", "minTextBlockMessages=4", "maxTokens=2000", covers="r18")
    assert kept(done) == ["r18", "r19"], "the maximum stops the growth"


@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_an_override_counts_only_where_it_is_positive(value: str) -> None:
    rows = rows_of([1_000] * 20)
    assert len(kept(run(rows, f"minTokens={value}", f"minTextBlockMessages={value}", covers="r18"))) == 10


def test_without_a_recorded_row_the_guess_is_marked() -> None:
    rows = tuple(replace(r, timestamp=f"2026-01-01T00:{i:02}:00Z") for i, r in enumerate(rows_of([3_000] * 20)))
    written = 1_767_225_600.0 + 17 * 60 + 30  # half a minute behind r17
    done = run(rows, notes=NotesGround(NOTES, "/notes.md", written, None))
    assert kept(done) == ["r15", "r16", "r17", "r18", "r19"]
    assert "A guess: the newest row that is older than the notes' last write." in stage(done, "session-memory").reason


def test_notes_from_before_the_boundary_leave_everything_behind_its_summary() -> None:
    rows = (BOUNDARY, SUMMARY, *rows_of([20_000] * 4))
    done = run(rows, notes=NotesGround(NOTES, "/notes.md", 1.0, None))
    assert kept(done) == ["r0", "r1", "r2", "r3"]


# 5.4 and 5.5: cut, old boundaries, the text


def test_the_cut_moves_back_to_the_call_and_to_the_whole_reply() -> None:
    reply = [replied("t", THOUGHT, message_id="x")]
    reply += [replied(uuid, call("Read", uuid.upper()), message_id="x") for uuid in ("a", "b")]
    rows = (said("u", "Go."), *reply, result("ra", "A"), result("rb", "B"), sized("last", 30_000))
    for covers in ("t", "a", "b", "ra"):
        done = run(rows, "minTokens=1", "minTextBlockMessages=1", covers=covers)
        assert kept(done) == ["t", "a", "b", "ra", "rb", "last"], covers
        assert done.outcome == COMPACTED


def test_an_old_boundary_and_its_summary_do_not_stay() -> None:
    rows = (BOUNDARY, SUMMARY, *rows_of([500] * 6))
    done = run(rows, covers="r2")
    assert kept(done) == [f"r{i}" for i in range(6)]
    assert "what was before" not in done.work.summary


def long_notes() -> Notes:
    body = "".join(f"- step {n} was done\n" for n in range(600))
    return parse(TEMPLATE + "\n" + body)


def test_a_long_section_is_cut_at_a_line_end_marked_and_pointed_to_the_file() -> None:
    done = run(rows_of([500] * 8), notes=NotesGround(long_notes(), "/notes.md", None, "r3"))
    assert done.work.summary_row is not None
    (block,) = done.work.summary_row.blocks
    text = str(block.body["text"]) if block.body else ""
    assert "tokens cut here; the whole text: /notes.md]" in text
    assert "/sessions/told.jsonl" in text and "follow word for word" in text
    assert "Section Worklog has" in stage(done, "session-memory").reason
    assert 2_000 < done.work.summary_row.tokens < 2_600


def test_the_continuation_goes_on_by_itself_unless_compacted_by_hand() -> None:
    rows = rows_of([500] * 8)

    def told(trigger: str) -> str:
        made = run(rows, trigger=trigger, covers="r3").work.summary_row
        assert made is not None and made.blocks[0].body is not None
        return str(made.blocks[0].body["text"])

    assert "Ask nothing first" in told("auto")
    assert "Ask nothing first" not in told("manual")


def test_a_pinned_row_stays_and_everything_behind_it() -> None:
    done = run(rows_of([3_000] * 20), covers="r17", pins=("r9",))
    assert kept(done) == [f"r{i}" for i in range(9, 20)]
    assert "The pinned rows stay" in stage(done, "session-memory").reason


def test_rows_of_an_earlier_compaction_cannot_be_pinned() -> None:
    done = run((BOUNDARY, SUMMARY, *rows_of([500] * 6)), covers="r2", pins=("summary",))
    assert done.outcome == FAILED_RUN and "belongs to an earlier compaction" in done.reason


def test_bound_thinking_goes_from_the_kept_rows() -> None:
    rows = (*rows_of([3_000] * 6), replied("a", THOUGHT, "Done."), replied("b", THOUGHT, message_id="b"), said("u", "Thanks."))
    done = run(rows, covers="r5", model=BINDING)
    assert done.outcome == COMPACTED and kept(done)[-3:] == ["a", "b", "u"]
    assert not [b for r in done.work.rows for b in r.blocks if b.kind == "thinking"]
    assert [c.uuids for c in stage(done, "session-memory").changes if c.kind == "drop-thinking"] == [("a", "b")]
    assert any(b.kind == "thinking" for r in run(rows, covers="r5").work.rows for b in r.blocks), "others do not bind it"


def test_an_open_tool_turn_with_bound_thinking_is_not_compacted_from_notes() -> None:
    rows = (*rows_of([3_000] * 6), replied("a", THOUGHT, call("Read", "A")), result("ra", "A"))
    refused = run(rows, covers="r5", model=BINDING)
    assert refused.outcome == FAILED_RUN and "thinking.open_turn" in refused.reason
    dropped = run(rows, "thinking.open_turn=drop_block", covers="r5", model=BINDING)
    assert dropped.outcome == COMPACTED


# 5.6: the check against the threshold

FITS = "CLAUDE_CODE_AUTO_COMPACT_WINDOW=60000"  # a threshold of 27,000


def test_kept_rows_that_are_too_large_fail_and_name_the_largest() -> None:
    rows = (*rows_of([3_000] * 3), replace(sized("big", 28_000), line=77), said("u", "And?"))
    done = run(rows, FITS, trigger="auto", covers="r2")
    assert done.outcome == FAILED_RUN
    assert "not below the threshold of 27,000" in done.reason
    assert "the largest (line 77) has 28,000" in done.reason


def test_auto_goes_on_with_full_from_the_original_array() -> None:
    rows = (*rows_of([3_000] * 3), sized("big", 28_000), said("u", "And?"))
    done = run(rows, FITS, trigger="auto", variant="auto", covers="r2")
    assert done.outcome == COMPACTED and done.work.path == "full"
    failed = stage(done, "assemble")
    assert (failed.outcome, failed.after) == ("failed", tuple(rows))
    assert [r.uuid for r in stage(done, "prepare").work.asked] == [r.uuid for r in rows]
    assert done.work.kept == () and done.reason.startswith("To be recorded")
    assert names(done).count("pre-hook") == 1


def test_what_was_cleared_before_stays_cleared_in_the_original_array() -> None:
    rows = with_calls([4_000] * 12)
    rows = tuple(replace(r, timestamp="2026-01-01T00:00:00Z") for r in rows)
    late = ("timeBased.enabled=true", "CLAUDE_CODE_AUTO_COMPACT_WINDOW=34000")
    done = run(rows, *late, covers="a2", variant="auto", trigger="auto", now="2026-01-01T02:00:00Z")
    assert stage(done, "assemble").outcome == "failed"
    cleared = stage(done, "microcompact").after
    assert cleared != rows and stage(done, "prepare").work.asked == cleared


def test_by_hand_the_check_is_skipped_and_the_result_says_that_it_fires_again() -> None:
    rows = (*rows_of([3_000] * 3), sized("big", 28_000), said("u", "And?"))
    done = run(rows, FITS, trigger="manual", covers="r2")
    assert done.outcome == COMPACTED
    assert "would fire again at once" in stage(done, "verify").reason


def test_the_overhead_counts_against_the_threshold() -> None:
    rows = rows_of([2_000] * 8)
    assert run(rows, FITS, trigger="auto", covers="r5", overhead=10_000).outcome == COMPACTED
    failed = run(rows, FITS, trigger="auto", covers="r5", overhead=17_000)
    assert failed.outcome == FAILED_RUN and "17,000 of them are overhead" in failed.reason


def test_a_change_of_a_setting_of_the_notes_is_computed_anew_from_there() -> None:
    done = run(rows_of([1_000] * 20), covers="r18")
    larger = switched_on("session-memory", resolve(layers=[flag_layer(["minTokens=12000"])]))
    other = replan(done, replace(done.plan, settings=larger))
    assert [r.name for r in other.results] == ["measure", "microcompact", "decide", "pre-hook"]
    again = forward(other, short)
    assert len(kept(again)) == 12
    pinned = replan(done, replace(done.plan, pins=("r0",)))
    assert len(kept(forward(pinned, short))) == 20


# what always holds


@st.composite
def conversations(draw: st.DrawFn) -> tuple[tuple[Row, ...], str | None]:
    """A valid conversation of a few turns, behind a compaction or not, and the row up to which the notes cover it."""
    rows: list[Row] = [BOUNDARY, SUMMARY] if draw(st.booleans()) else []
    head = len(rows)
    for turn in range(draw(st.integers(1, 6))):
        rows.append(sized(f"u{turn}", draw(st.integers(1, 9_000))))
        for reply in range(draw(st.integers(0, 3))):
            name = f"{turn}-{reply}"
            calls = draw(st.integers(0, 3))
            pieces = [replied(f"t{name}", THOUGHT, message_id=name)] if draw(st.booleans()) else []
            pieces += [replied(f"x{name}", "word" * draw(st.integers(1, 4_000)), message_id=name)]
            pieces += [replied(f"c{name}-{n}", call("Read", f"{name}-{n}"), message_id=name) for n in range(calls)]
            answers = [result(f"r{name}-{n}", f"{name}-{n}", "data" * draw(st.integers(1, 20_000))) for n in range(calls)]
            rows += [*pieces, *answers]
    covers = draw(st.none() | st.sampled_from([r.uuid for r in rows[head:]]))
    return tuple(rows), covers


@given(conversations(), st.integers(1, 30_000), st.integers(1, 8), st.integers(1, 60_000), st.sampled_from([OPUS, BINDING]))
def test_what_the_notes_do_not_cover_stays_as_a_valid_suffix_behind_the_boundary(
    told: tuple[tuple[Row, ...], str | None], least: int, texts: int, most: int, model: str
) -> None:
    rows, covers = told
    flags = (f"minTokens={least}", f"minTextBlockMessages={texts}", f"maxTokens={most}", "thinking.open_turn=drop_block")
    done = run(rows, *flags, notes=NotesGround(NOTES, "/notes.md", 1.0, covers), model=model)
    sent = [r for r in rows if r.uuid not in ("boundary", "summary")]
    if sum(r.role is not None for r in rows) <= 1:
        assert done.outcome == FAILED_RUN
        return
    assert done.outcome == COMPACTED, done.reason
    uuids = kept(done)
    assert uuids == [r.uuid for r in sent][len(sent) - len(uuids) :], "a contiguous suffix, never past the boundary"
    if covers is not None:
        behind = [r.uuid for r in sent[[r.uuid for r in sent].index(covers) + 1 :]]
        assert set(behind) <= set(uuids), "everything that is not in the notes"
    elif rows[0] is BOUNDARY:
        assert uuids == [r.uuid for r in sent], "no notes were taken since the boundary"
    assert not fault_keys(done.work.rows) - fault_keys(rows), "valid"
    if model == OPUS:
        assert all(r in rows for r in done.work.kept), "word for word"
    assert isinstance(done.work.summary_row, Row) and not isinstance(done.waiting, Request)
