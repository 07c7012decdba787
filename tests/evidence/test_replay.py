"""Recorded compactions simulated again: what agrees, and what differs with an explanation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders import session_of, summary, user
from tests.evidence.calls import at, compacted, given
from workbench.answering import answerer
from workbench.evidence.replay import Replayed, replay
from workbench.evidence.timeline import timeline_of
from workbench.storage import load
from workbench.transcript.session import Session

SAMPLES = Path(__file__).parents[2] / "sample_sessions"


def replayed(session: Session, **changed: Any) -> list[Replayed]:
    settings = given(session, **changed)
    timeline = timeline_of(session, settings)
    return list(
        replay(
            session,
            settings,
            timeline,
            lambda ground, variant: answerer(session, "recorded", line=ground.line, variant=variant, model=ground.model),
        )
    )


def sample(number: str) -> Session:
    return load(str(next(SAMPLES.glob(f"{number}-*.jsonl"))))


def what(found: Replayed) -> dict[str, int | None]:
    return {d.what: d.tokens for d in found.differences}


@pytest.mark.parametrize("number", [0, 1])
def test_an_automatic_compaction_fires_with_the_recorded_call_at_the_recorded_tokens(number: int) -> None:
    found = replayed(sample("02"))[number]
    assert (found.variant, found.simulated.outcome, found.simulated.calls_early) == ("auto", "compacted", 0)
    assert found.recorded.pre_tokens is not None and found.simulated.tokens_before is not None
    assert abs(found.simulated.tokens_before - found.recorded.pre_tokens) < 10
    assert found.differences == ()


def test_what_old_versions_did_not_save_is_unknown_and_no_difference() -> None:
    found = replayed(sample("02"))[0]
    assert found.recorded.attachments is None and found.recorded.post_tokens is None
    assert sum(found.simulated.attachments.values()) == 5


def test_a_compaction_by_hand_has_no_threshold_to_reach() -> None:
    (found,) = replayed(sample("03"))
    assert (found.boundary.trigger, found.simulated.calls_early) == ("manual", None)
    assert "fires" not in what(found)
    assert "kept rows" in what(found) and "attachments" in what(found)


def test_a_reactive_one_is_simulated_as_such_and_the_missing_tokens_are_named() -> None:
    (found,) = replayed(sample("12"))
    assert (found.variant, found.simulated.calls_early, found.simulated.outcome) == ("reactive", None, "compacted")
    assert what(found)["fires"] == 25_049 - 167_000
    fires = next(d for d in found.differences if d.what == "fires")
    assert "141,951 tokens were missing" in fires.explanation and "reactive" in fires.explanation


def test_one_that_came_late_says_how_many_calls() -> None:
    session = session_of(
        user(1, "go"), at(2, 168_000), user(3, "on"), at(4, 169_000), compacted(5, 169_011), summary(6, "so far"), at(7, 20_000)
    )
    (found,) = replayed(session)
    assert found.simulated.calls_early == 1
    assert what(found)["fires"] == 168_011 - 167_000


def test_recorded_tokens_that_the_file_cannot_explain_differ() -> None:
    first = (user(1, "go"), at(2, 30_000), user(3, "on"), at(4, 168_000))
    (found,) = replayed(session_of(*first, compacted(5, 180_000), summary(6, "so far"), at(7, 60_000)))
    assert what(found)["tokens before"] == 168_010 - 180_000
    assert what(found)["next call"] is not None


def test_a_summary_that_is_not_there_is_told() -> None:
    (found,) = replayed(session_of(user(1, "go"), at(2, 168_000), compacted(3, 168_010), user(4, "on")))
    assert found.simulated.outcome == "failed" and "outcome" in what(found)
    assert found.simulated.tokens_after is None and found.simulated.next_call is None


def test_without_a_compaction_there_is_nothing() -> None:
    assert replayed(sample("01")) == []
