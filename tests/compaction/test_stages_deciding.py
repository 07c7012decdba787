"""Whether a run fires: window and threshold, tokens in context, guards, breaker and thrash stop (spec 1, sections 1-4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.compaction.running import SAMPLES, begun, done, names, number, run_at, stage, well
from tests.compaction.telling import assistant as replied
from tests.compaction.telling import call, result, text, turn, user
from workbench.cli import main
from workbench.compaction.breaker import SUCCESS, Tracking, after, next_turn, refilled
from workbench.compaction.event import tracking_after
from workbench.compaction.ground import NotesGround
from workbench.compaction.profiles import UNTIL_20, resolve
from workbench.compaction.request import CANCELLED, ERROR, OK, Reply, Request
from workbench.compaction.run import COMPACTED, FAILED_RUN, SKIPPED_RUN, Run, forward
from workbench.conversation.figure import unknown
from workbench.conversation.row import Row
from workbench.memory.notes import parse
from workbench.storage import load

ROWS = (user(text(50)), *(row for _ in range(4) for row in turn(100)), replied(text(20)))


def auto(*flags: str, tokens: int | None = 167_000, rows: Iterable[Row] = ROWS, **given: object) -> Run:
    return done(tuple(rows), "auto", *flags, tokens=tokens, **given)


# 1 window and threshold


@pytest.mark.parametrize(
    ("flags", "threshold"),
    [
        ((), 167_000),
        (("maxOutputTokens=8192",), 178_808),
        (("window=1000000",), 967_000),
        (("window=1000000", "CLAUDE_CODE_AUTO_COMPACT_WINDOW=500000"), 467_000),
        (("window=1000000", "autoCompactWindow=abc"), 967_000),
        (("autoCompactWindow=0",), 167_000),
        (("autoCompactWindow=-5",), 167_000),
        (("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50",), 90_000),
        (("autoCompactPercent=50%",), 90_000),
        (("autoCompactPercent=95",), 167_000),
        (("autoCompactPercent=0",), 167_000),
        (("autoCompactPercent=101",), 167_000),
        (("autoCompactPercent=abc",), 167_000),
    ],
)
def test_it_fires_at_the_threshold_and_not_a_token_before(flags: tuple[str, ...], threshold: int) -> None:
    fires, stops = auto(*flags, tokens=threshold), auto(*flags, tokens=threshold - 1)
    assert (fires.outcome, stops.outcome) == (COMPACTED, SKIPPED_RUN)
    assert stops.reason == f"Does not fire: {threshold - 1:,} tokens in context are 1 below the threshold of {threshold:,}."
    assert names(stops)[-1] == "decide"


def test_the_ladder_is_shown_with_where_each_number_comes_from() -> None:
    measured = stage(auto(), "measure")
    levels = ("window", "effective window", "threshold", "warning", "manual limit")
    assert [number(measured, name) for name in levels] == ["200,000", "180,000", "167,000", "147,000", "177,000"]
    assert all(each.source for each in measured.numbers)


def test_an_old_version_fires_earlier() -> None:
    old = resolve(preset=UNTIL_20)
    run = begun(ROWS, "auto", tokens=155_000)
    assert old.number("summaryReserve") == 32_000
    assert forward(run, well).outcome == SKIPPED_RUN
    assert auto("summaryReserve=32000", "reserveIsConstant=true", tokens=155_000).outcome == COMPACTED


def test_a_window_that_leaves_no_threshold_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compact", str(SAMPLES[0]), "--set", "autoCompactWindow=20000"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and "raise autoCompactWindow" in told.err and told.err.count("\n") == 1


# 2 tokens in context


def test_unknown_tokens_are_never_zero() -> None:
    run = begun(ROWS, "auto")
    run = replace(run, ground=replace(run.ground, tokens=unknown("no call and no message to estimate from")))
    over = forward(run, well)
    assert over.outcome == SKIPPED_RUN and "unknown" in over.reason
    assert number(stage(over, "measure"), "tokens in context") == "unknown"


@pytest.mark.parametrize("switch", ["timeBased.enabled=true", "cached.enabled=true"])
def test_what_was_cleared_lowers_the_figure_that_decides(switch: str) -> None:
    rows = [
        user(text(5)),
        *(row for n in range(8) for row in turn(1_000, f"toolu_{n}")),
        replied(timestamp="2026-01-01T00:00:00Z"),
    ]
    run = auto(switch, "cached_trigger=1000", tokens=168_000, rows=rows, now="2026-01-01T02:00:00Z")
    saved = sum(row.tokens for row in rows) - sum(row.tokens for row in stage(run, "microcompact").after)
    assert saved > 2_000
    assert run.outcome == SKIPPED_RUN
    assert f"{168_000 - saved:,} tokens in context" in run.reason
    assert number(stage(run, "decide"), "cleared before") == f"{saved:,} tokens"
    assert auto(tokens=168_000, rows=rows).outcome == COMPACTED


# 3 guards


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("DISABLE_COMPACT=1",), "DISABLE_COMPACT"),
        (("querySource=session_memory",), "would recurse"),
        (("querySource=compact",), "would recurse"),
        (("querySource=marble_origami",), "shares the state"),
        (("DISABLE_AUTO_COMPACT=1",), "DISABLE_AUTO_COMPACT"),
        (("autoCompactEnabled=false",), "autoCompactEnabled"),
        (("reactive=true",), "Reactive mode"),
        (("collapse=true",), "folds rounds instead"),
    ],
)
def test_each_guard_stops_an_automatic_run_and_a_manual_one_passes_all_but_the_first(flags: tuple[str, ...], words: str) -> None:
    run = auto(*flags, tokens=190_000)
    assert run.outcome == SKIPPED_RUN and words in run.reason
    assert len(stage(run, "decide").numbers) == 8, "every guard is shown, whichever decides"
    manual = done(ROWS, "full", *flags, trigger="manual")
    assert manual.outcome == (SKIPPED_RUN if flags == ("DISABLE_COMPACT=1",) else COMPACTED)


def test_of_several_guards_the_first_in_order_decides() -> None:
    failed = Tracking(consecutive_failures=3)
    flags = ["DISABLE_COMPACT=1", "querySource=compact", "DISABLE_AUTO_COMPACT=1", "reactive=true", "collapse=true"]
    reasons = [auto(*flags[at:], tokens=10, tracking=failed).reason for at in range(len(flags))]
    assert "DISABLE_COMPACT" in reasons[0]
    assert all("3 automatic compactions failed" in reason for reason in reasons[1:]), "the entry looks at the failures first"
    closed = [auto(*flags[at:], tokens=10).reason for at in range(1, len(flags))]
    for reason, words in zip(closed, ["recurse", "DISABLE_AUTO_COMPACT", "Reactive mode", "folds"], strict=True):
        assert words in reason


@pytest.mark.parametrize("variant", ["full", "session-memory"])
def test_naming_a_variant_passes_the_threshold_which_is_still_shown(variant: str) -> None:
    run = done(ROWS, variant, trigger="auto", tokens=10)
    decided = stage(run, "decide")
    assert decided.outcome == "ok"
    assert [n.kind for n in decided.numbers if n.name == "below threshold"] == ["holds"]


@pytest.mark.parametrize("variant", ["micro-time", "micro-cached"])
def test_clearing_old_results_runs_before_every_guard(variant: str) -> None:
    run = done(
        ROWS, variant, "DISABLE_COMPACT=1", "keepRecent=1", "cached_trigger=1", "cached_keep=1", now="2026-01-01T00:00:00Z"
    )
    assert "decide" not in names(run)
    assert "DISABLE_COMPACT" not in run.reason


def test_a_fold_is_off_with_all_compaction_and_on_otherwise() -> None:
    assert done(ROWS, "fold", "DISABLE_COMPACT=1").outcome == SKIPPED_RUN
    assert done(ROWS, "fold").outcome == COMPACTED


# 4 breaker and thrash stop


def refuses(_: Request) -> Reply:
    return Reply(ERROR, error="529 overloaded")


def session_of(*ends: str) -> Tracking:
    """The counters after automatic turns that end so: fail, success, abort, blocked, skip, or a success by hand."""
    state = Tracking()
    for end in ends:
        trigger = "manual" if end.startswith("manual") else "auto"
        asks = {"fail": refuses, "manual fail": refuses, "abort": lambda _: Reply(CANCELLED)}.get(end, well)
        hooks = {"pre-blocked": "not now"} if end == "blocked" else {}
        tokens = 10 if end == "skip" else 170_000
        variant = "full" if trigger == "manual" else "auto"
        state = tracking_after(done(ROWS, variant, trigger=trigger, tokens=tokens, tracking=state, hooks=hooks, ask=asks))
    return state


def test_a_success_between_failures_starts_the_count_again() -> None:
    state = session_of("fail", "fail", "success", "fail", "fail")
    assert state.consecutive_failures == 2
    assert auto(tracking=state).outcome == COMPACTED


def test_three_failures_open_it_and_a_success_by_hand_closes_it() -> None:
    state = session_of("fail", "fail", "fail")
    stopped = auto(tracking=state)
    assert stopped.outcome == SKIPPED_RUN and "3 automatic compactions failed in a row" in stopped.reason
    by_hand = done(ROWS, "full", trigger="manual", tracking=state)
    assert by_hand.outcome == COMPACTED
    assert tracking_after(by_hand).consecutive_failures == 0
    assert auto(tracking=tracking_after(by_hand)).outcome == COMPACTED


@pytest.mark.parametrize("end", ["abort", "blocked", "skip", "manual fail"])
def test_an_abort_a_blocking_hook_a_skip_and_a_failure_by_hand_do_not_count(end: str) -> None:
    assert session_of("fail", "fail", end).consecutive_failures == 2
    assert session_of(end, end, end) == Tracking()


def test_a_failed_attempt_from_notes_followed_by_a_good_summary_is_a_success() -> None:
    notes = NotesGround(parse("# Current State\n_now_\n\nbusy\n"), "/notes.md", None, ROWS[1].uuid)
    run = auto(tokens=170_000, overhead=166_900, notes=notes, tracking=Tracking(consecutive_failures=2))
    assert [r.outcome for r in run.results if r.name == "assemble"] == ["failed", "ok"]
    assert run.outcome == COMPACTED
    assert tracking_after(run).consecutive_failures == 0


def test_a_damaged_array_is_hopeless_at_once() -> None:
    error = "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1"
    state = tracking_after(auto(ask=lambda _: Reply(ERROR, error=error)))
    assert "damaged" in auto(tracking=state).reason
    assert state.consecutive_failures == 1


def test_three_quick_refills_stop_it_and_name_what_refilled_it() -> None:
    settings, state = resolve(), after(Tracking(), SUCCESS, "t0")
    for turn_number in range(3):
        state = refilled(next_turn(next_turn(state)), "a log of 90,000 tokens", settings)
        state = after(state, SUCCESS, f"t{turn_number + 1}") if turn_number < 2 else state
    run = auto(tracking=state)
    assert run.outcome == SKIPPED_RUN
    assert "3 times in a row" in run.reason and "a log of 90,000 tokens" in run.reason


def test_a_session_that_was_refilled_three_times_is_stopped_and_what_filled_it_is_named() -> None:
    session = load(str(next(p for p in SAMPLES if p.stem.startswith("10"))))
    fired = [run_at(session, line=b.line, ask=well).outcome for b in session.boundaries]
    assert fired == [COMPACTED] * 3
    stopped = run_at(session, ask=well)
    assert stopped.outcome == SKIPPED_RUN
    assert "Thrash: 3 times in a row" in stopped.reason
    log = "/home/tomas/ferryman/fixtures/trace-0217.log"
    assert f"the result of Read {log} of 14,257 tokens (rough) in line 48" in stopped.reason
    assert run_at(session, "full", ask=well).outcome == COMPACTED, "by hand it is never stopped"


def test_an_answered_run_counts_its_success_in_the_counters_it_records() -> None:
    run = auto(tracking=Tracking(consecutive_failures=2, turn_counter=7, compacted=True))
    assert tracking_after(run) == stage(run, "record").picture.tracking  # type: ignore[attr-defined]
    assert tracking_after(run).turn_id == run.work.boundary.uuid  # type: ignore[union-attr]
    assert run.outcome != FAILED_RUN and run.work.reply is not None and run.work.reply.outcome == OK


def test_calls_and_results_of_other_tools_are_only_counted() -> None:
    rows = [user(), replied(call("toolu_x", "mcp__wiki__search")), user(result("toolu_x", 5_000)), replied(text(1))]
    assert auto("timeBased.enabled=true", rows=rows, tokens=166_999).outcome == SKIPPED_RUN
