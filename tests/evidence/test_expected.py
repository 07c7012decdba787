"""What the next call after a simulated compaction is expected to measure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import session_of, user
from tests.evidence.calls import at, given
from workbench.answering import answerer
from workbench.compaction.plan import Plan
from workbench.compaction.result import tokens_of
from workbench.compaction.run import COMPACTED, forward, start
from workbench.evidence.expected import expected_after
from workbench.evidence.grounding import ground_at
from workbench.storage import load

SAMPLES = Path(__file__).parents[2] / "sample_sessions"


@pytest.mark.parametrize(("name", "line"), [("02", 150), ("02", 285), ("04", 148)])
def test_with_the_recorded_summary_it_is_nearer_to_the_recorded_call_than_bytes_are(name: str, line: int) -> None:
    session = load(str(next(SAMPLES.glob(f"{name}-*.jsonl"))))
    settings = given(session)
    ground = ground_at(session, settings, line=line)
    ask = answerer(session, "recorded", line=line, variant="full", model=ground.model)
    done = forward(start(ground, Plan(settings, "full", "auto", summarizer="recorded")), ask)
    assert done.outcome == COMPACTED
    place = session.place_of_line(line)
    recorded = next(c.prompt for c in session.calls if c.row > place and not c.sidechain)
    expected = expected_after(session, ground, done.work.sent)
    rough = tokens_of(done.work.sent) + ground.overhead_tokens
    assert expected.kind == "estimated" and expected.tokens is not None
    assert abs(expected.tokens - recorded) <= 0.1 * recorded
    assert abs(expected.tokens - recorded) <= abs(rough - recorded)


def test_without_a_call_it_is_unknown() -> None:
    session = session_of(user(1, "go"))
    ground = ground_at(session, given(session))
    assert expected_after(session, ground, ground.rows).tokens is None


def test_a_first_call_that_holds_what_is_not_in_the_file_says_nothing_of_a_fresh_one() -> None:
    session = session_of(user(1, "go"), at(2, 146_000))
    ground = ground_at(session, given(session))
    found = expected_after(session, ground, ground.rows)
    assert found.tokens is None and "more went before it" in found.source
