"""Every guard is shown in order, the first that holds decides (section 3); breaker and thrash stop (section 4)."""

import pytest

from workbench.compaction.breaker import (
    ABORTED,
    FAILURE,
    HOOK_BLOCKED,
    MANUAL,
    SKIPPED,
    SUCCESS,
    Tracking,
    after,
    is_open,
    next_turn,
    refilled,
    sentence,
    why_open,
)
from workbench.compaction.guards import Asked, Verdict, judge
from workbench.compaction.profiles import OBSERVED, resolve
from workbench.compaction.settings import environment_layer, flag_layer
from workbench.compaction.threshold import threshold_of
from workbench.compaction.variants import VARIANTS, default_trigger, switched_on
from workbench.compaction.window import Facts, window_evidence
from workbench.errors import UsageError

MODEL = "claude-opus-4-5-20251101"
SETTINGS = resolve()
FRESH, FAILED = Tracking(), Tracking(consecutive_failures=3)


def verdict(tokens: int | None, *pairs: str, trigger="auto", variant="auto", tracking=FRESH, profile="articles") -> Verdict:
    settings = switched_on(variant, resolve(profile, layers=[flag_layer(pairs)]))
    threshold = threshold_of(window_evidence(Facts(MODEL), settings), MODEL, settings)
    return judge(Asked(tokens, trigger, variant), threshold, tracking, settings)


def stopped_by(*args, **kwargs) -> str | None:
    guard = verdict(*args, **kwargs).stopped_by
    return guard.name if guard else None


def test_it_fires_at_the_threshold_and_not_a_token_before():
    assert verdict(167_000).fires
    below = verdict(166_990)
    assert (below.fires, below.stopped_by.name) == (False, "below threshold")
    assert "166,990 tokens in context are 10 below the threshold of 167,000" in below.reason


def test_unknown_tokens_are_never_taken_for_zero_nor_for_enough():
    assert "unknown" in verdict(None).reason and not verdict(None).fires


def test_all_guards_are_shown_in_order_with_both_names():
    guards = verdict(1).guards
    assert [g.name for g in guards] == [
        "compaction off",
        "breaker open",
        "recursion",
        "context agent",
        "auto-compact off",
        "reactive mode on",
        "context collapse on",
        "below threshold",
    ]
    assert all(g.there and g.value and g.source and g.reason for g in guards)


@pytest.mark.parametrize(
    ("pairs", "name"),
    [
        (["DISABLE_COMPACT=1", "reactive=on"], "compaction off"),
        (["querySource=session_memory"], "recursion"),
        (["querySource=compact", "collapse=on"], "recursion"),
        (["querySource=marble_origami"], "context agent"),
        (["autoCompactEnabled=off"], "auto-compact off"),
        (["DISABLE_AUTO_COMPACT=1"], "auto-compact off"),
        (["DISABLE_AUTO_COMPACT=1", "autoCompactEnabled=on"], "auto-compact off"),
        (["reactive=on", "collapse=on"], "reactive mode on"),
        (["collapse=on"], "context collapse on"),
    ],
)
def test_each_guard_can_be_seen_to_hold_and_the_first_decides(pairs, name):
    assert stopped_by(200_000, *pairs) == name


def test_an_off_from_the_environment_is_named_as_its_source():
    settings = resolve(layers=[environment_layer({"DISABLE_AUTO_COMPACT": "true"})])
    threshold = threshold_of(window_evidence(Facts(MODEL), settings), MODEL, settings)
    guard = judge(Asked(200_000), threshold, Tracking(), settings).stopped_by
    assert (guard.name, guard.source) == ("auto-compact off", "environment")


def test_the_breaker_is_looked_at_before_the_query_source():
    assert stopped_by(200_000, "querySource=compact", tracking=FAILED) == "breaker open"


def test_by_hand_every_guard_but_the_first_is_passed_and_still_shown():
    by_hand = verdict(5, "reactive=on", "querySource=compact", trigger="manual", tracking=FAILED)
    assert by_hand.fires
    assert [g.name for g in by_hand.guards if g.holds] == ["breaker open", "recursion", "reactive mode on", "below threshold"]
    assert by_hand.reason.startswith("Passed without deciding: breaker open, recursion")
    assert stopped_by(5, "DISABLE_COMPACT=1", trigger="manual") == "compaction off"


@pytest.mark.parametrize("variant", ["session-memory", "full"])
def test_naming_a_variant_passes_the_threshold_but_no_other_guard(variant):
    named = verdict(5, variant=variant)
    assert named.fires and [g.name for g in named.guards if g.holds] == ["below threshold"]
    assert stopped_by(5, "reactive=on", variant=variant) == "reactive mode on"
    assert stopped_by(5, variant=variant, tracking=FAILED) == "breaker open"


def test_naming_reactive_or_a_fold_switches_it_on_and_is_not_stopped_by_it():
    assert verdict(5, variant="reactive").fires
    assert verdict(5, "DISABLE_AUTO_COMPACT=1", variant="reactive").fires
    assert stopped_by(5, "DISABLE_COMPACT=1", variant="reactive") == "compaction off"
    assert verdict(5, variant="fold").fires
    assert stopped_by(5, "reactive=on", variant="fold") == "reactive mode on"


def test_clearing_old_results_runs_before_every_guard():
    assert verdict(5, "DISABLE_AUTO_COMPACT=1", variant="micro-time", tracking=FAILED).fires


def test_today_without_a_window_the_threshold_guard_says_that_there_is_none():
    assert "There is no threshold: no window is configured" in verdict(199_000, profile=OBSERVED).reason


def test_a_named_variant_is_a_provenance_and_an_unknown_one_an_error():
    assert switched_on("micro-cached", SETTINGS)["cached.enabled"].origin == "variant micro-cached"
    assert {v: default_trigger(v) for v in VARIANTS if default_trigger(v) == "auto"} == {"auto": "auto", "reactive": "auto"}
    with pytest.raises(UsageError, match="nearest is session-memory"):
        switched_on("session_memory", SETTINGS)


# the breaker


def run(*outcomes: str, trigger="auto", state=FRESH, reason="the reply was empty") -> Tracking:
    for outcome in outcomes:
        state = after(state, outcome, "turn", trigger=trigger, reason=reason)
    return state


def test_a_success_between_failures_starts_the_count_again():
    state = run(FAILURE, FAILURE, SUCCESS, FAILURE, FAILURE)
    assert (state.consecutive_failures, is_open(state, SETTINGS)) == (2, False)
    assert sentence(state, SETTINGS) == "Closed: 2 of 3 failures in a row."


def test_three_failures_open_it_and_a_success_by_hand_closes_it():
    state = run(FAILURE, FAILURE, FAILURE)
    assert is_open(state, SETTINGS) and "3 automatic compactions failed in a row" in why_open(state, SETTINGS)
    closed = run(SUCCESS, trigger=MANUAL, state=state)
    assert (closed.consecutive_failures, is_open(closed, SETTINGS)) == (0, False)


@pytest.mark.parametrize("outcome", [ABORTED, HOOK_BLOCKED, SKIPPED])
def test_an_abort_a_blocking_hook_and_a_skip_are_no_failures(outcome):
    state = run(FAILURE, FAILURE)
    assert run(outcome, state=state) == state


def test_a_failure_by_hand_does_not_count():
    assert run(FAILURE, FAILURE, FAILURE, trigger=MANUAL) == Tracking()


def test_the_number_of_failures_is_a_setting():
    settings = resolve(layers=[flag_layer(["MAX_CONSECUTIVE_AUTOCOMPACT_FAILURES=1"])])
    assert is_open(run(FAILURE), settings)


def test_a_damaged_array_is_said_to_be_hopeless_at_once():
    state = run(FAILURE, reason="messages.3: `tool_use` ids were found without `tool_result` blocks immediately after")
    assert is_open(state, SETTINGS) and "doctor" in why_open(state, SETTINGS)
    assert not is_open(run(SUCCESS, trigger=MANUAL, state=state), SETTINGS)
    assert not is_open(run(FAILURE, reason="overloaded"), SETTINGS)


def compact_and_refill(state: Tracking, turns: int) -> Tracking:
    state = after(state, SUCCESS, "turn")
    for _ in range(turns):
        state = next_turn(state)
    return refilled(state, "one result of Read, 90,000 tokens", SETTINGS)


def test_three_quick_refills_in_a_row_stop_it_naming_what_refilled():
    state = Tracking()
    for expected in (False, False, True):
        state = compact_and_refill(state, 3)
        assert is_open(state, SETTINGS) is expected
    assert "one result of Read, 90,000 tokens" in why_open(state, SETTINGS)


def test_a_slow_refill_starts_the_count_again():
    state = compact_and_refill(compact_and_refill(Tracking(), 1), 2)
    state = compact_and_refill(state, 4)
    assert state.quick_refills == 0
    assert not is_open(compact_and_refill(state, 1), SETTINGS)


def test_the_first_fill_of_a_session_is_no_refill():
    assert refilled(Tracking(), "work", SETTINGS) == next_turn(Tracking()) == Tracking()
