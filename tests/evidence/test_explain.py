"""Why it fires, or not: the decision with its guards, and what is odd about a session's compactions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders import Record, call, reply, result, session_of, summary, user
from tests.evidence.calls import at, compacted, given
from workbench.evidence.explain import DOES_NOT, FIRES, Explanation, explain
from workbench.evidence.firing import Firing
from workbench.evidence.grounding import ground_at
from workbench.evidence.timeline import timeline_of
from workbench.storage import load
from workbench.transcript.session import Session

SAMPLES = Path(__file__).parents[2] / "sample_sessions"


def explained(session: Session, line: int | None = None, **changed: Any) -> Explanation:
    settings = given(session, **changed)
    return explain(session, ground_at(session, settings, line=line), settings, timeline_of(session, settings))


def kinds(found: Explanation) -> dict[str, Firing]:
    return {finding.kind: finding for finding in found.findings}


def test_below_the_threshold_it_does_not_fire_and_says_how_far_it_is() -> None:
    found = explained(session_of(user(1, "go"), at(2, 100_000)))
    assert (found.decision, found.threshold, found.distance) == (DOES_NOT, 167_000, 66_990)
    assert found.context.tokens == 100_010
    holding = [g.name for g in found.verdict.guards if g.holds]
    assert holding == ["below threshold"] and found.findings == ()


def test_at_the_threshold_it_fires_and_with_it_switched_off_another_guard_decides() -> None:
    session = session_of(user(1, "go"), at(2, 166_990))
    assert (explained(session).decision, explained(session).distance) == (FIRES, 0)
    off = explained(session, DISABLE_COMPACT=1)
    assert off.decision == DOES_NOT and "switched off" in off.reason
    assert [g.name for g in off.verdict.guards if g.holds] == ["compaction off"]


def test_a_context_that_no_call_measured_is_a_lower_bound() -> None:
    found = explained(session_of(user(1, "go")))
    assert (found.context.tokens, found.context.kind, found.decision) == (1, "lower bound", DOES_NOT)
    assert "At least 1 token in context" in found.reason and "cannot be told" in found.reason
    assert found.verdict.guards[-1].value == "at least 1 of 167,000"


@pytest.mark.parametrize(("name", "line"), [("02", 150), ("02", 285), ("04", 148), ("11", 261)])
def test_right_before_a_recorded_automatic_compaction_it_fires(name: str, line: int) -> None:
    session = load(str(next(SAMPLES.glob(f"{name}-*.jsonl"))))
    assert explained(session, line).decision == FIRES


def test_calls_over_the_threshold_without_a_compaction_are_found() -> None:
    session = session_of(user(1, "go"), at(2, 168_000), user(3, "on"), at(4, 168_100), user(5, "on"), at(6, 168_200))
    found = kinds(explained(session))["never-fired"]
    assert found.lines == (2, 4)
    assert "168,011 tokens" in found.reason and "2 more calls" in found.reason


def test_the_newest_call_may_still_be_compacted() -> None:
    assert explained(session_of(user(1, "go"), at(2, 100_000), user(3, "on"), at(4, 168_100))).findings == ()


def test_a_compaction_after_the_threshold_was_reached_is_late() -> None:
    session = session_of(
        user(1, "go"), at(2, 168_000), user(3, "on"), at(4, 169_000), compacted(5, 169_010), summary(6, "so far"), at(7, 20_000)
    )
    found = kinds(explained(session))
    assert found["late"].lines == (2, 5) and "1 call later" in found["late"].reason
    assert "never-fired" not in found


def test_an_estimate_a_hair_over_the_threshold_proves_nothing() -> None:
    talk = (user(1, "go"), at(2, 166_900), user(3, "x" * 600), at(4, 166_950), compacted(5, 167_100))
    assert explained(session_of(*talk)).findings == ()


def test_an_automatic_compaction_far_below_the_threshold_is_early() -> None:
    session = session_of(user(1, "go"), at(2, 30_000), compacted(3, 30_010), summary(4, "so far"), at(5, 20_000))
    found = kinds(explained(session))["early"]
    assert found.lines == (3,) and "30,010 tokens" in found.reason and "reactive" in found.reason


def test_a_compaction_by_hand_is_never_early() -> None:
    session = session_of(user(1, "go"), at(2, 90_000), compacted(3, 90_010, "manual"), summary(4, "so far"), at(5, 20_000))
    assert explained(session).findings == ()


def test_two_compactions_without_a_call_between_are_double() -> None:
    session = session_of(
        user(1, "go"),
        at(2, 168_000),
        compacted(3, 168_010),
        summary(4, "a"),
        compacted(5, 168_010),
        summary(6, "b"),
        at(7, 20_000),
    )
    assert kinds(explained(session))["double"].lines == (3, 5)


def test_a_compaction_that_frees_little_has_no_gain() -> None:
    session = session_of(user(1, "go"), at(2, 168_000), compacted(3, 168_010), summary(4, "so far"), at(5, 150_000))
    found = kinds(explained(session))["no-gain"]
    assert found.lines == (3, 5) and "168,000" in found.reason and "150,000" in found.reason
    well = session_of(user(1, "go"), at(2, 168_000), compacted(3, 168_010), summary(4, "so far"), at(5, 60_000))
    assert explained(well).findings == ()


def test_a_session_that_is_refilled_names_what_refilled_it() -> None:
    rows: list[Record] = [user(1, "go"), at(2, 168_000)]
    number = 3
    for turn in range(3):
        rows += [
            compacted(number, 168_010),
            summary(number + 1, "so far"),
            at(number + 2, 30_000, call(f"r{turn}", "Read", path="/w")),
        ]
        rows += [user(number + 3, result(f"r{turn}", "x" * 4_000)), at(number + 4, 168_000)]
        number += 5
    found = kinds(explained(session_of(*rows)))["thrash"]
    assert found.lines == (8, 13, 17)
    assert "3 times in a row" in found.reason and "Read /w" in found.reason and "grew by 138,000" in found.reason


def test_results_cleared_without_a_word_are_told_with_what_they_freed() -> None:
    session = load(str(next(SAMPLES.glob("04-*.jsonl"))))
    found = kinds(explained(session))["silent-microcompaction"]
    assert found.lines == (105,) and "from 133,771 to 106,989" in found.reason


def test_a_bypassed_compaction_counts_for_nothing() -> None:
    session = load(str(next(SAMPLES.glob("09-*.jsonl"))))
    assert kinds(explained(session))["bypassed-boundary"].lines == (20, 25)


def test_a_prompt_that_shrinks_unrecorded_is_another_drop() -> None:
    session = session_of(user(1, "go"), at(2, 90_000), user(3, "on"), at(4, 60_000), user(5, "on"), at(6, 59_500))
    found = [f for f in explained(session).findings if f.kind == "other-drop"]
    assert [f.lines for f in found] == [(2, 4)] and "30,000 tokens" in found[0].reason


def test_failures_that_are_recorded_are_told() -> None:
    status = {"type": "system", "subtype": "status", "compact_result": "failed", "compact_error": "no text", "uuid": "s"}
    error = reply(4, "Prompt is too long", model="<synthetic>", isApiErrorMessage=True)
    session = session_of(user(1, "go"), at(2, 90_000), status, user(3, "on"), error)
    found = [f for f in explained(session).findings if f.kind == "failing"]
    assert [f.lines for f in found] == [(3,), (5,)]
    assert "no text" in found[0].reason and "too long" in found[1].reason
