"""What today's agent kept in recorded runs is what the policies keep."""

import os
from pathlib import Path

import pytest

from workbench.compaction.profiles import OBSERVED, resolve
from workbench.compaction.reactive import split
from workbench.compaction.retry import retry
from workbench.compaction.rounds import joined, rounds
from workbench.compaction.too_long import read_error
from workbench.conversation.row import Row
from workbench.storage import load
from workbench.transcript.boundary import Boundary

FOLDER = Path(os.environ.get("WORKBENCH_SHARED", "")) / "real-new"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="WORKBENCH_SHARED names no folder of recorded runs"),
]
TODAY = resolve(OBSERVED)


def before_the_boundary(name: str) -> tuple[tuple[Row, ...], Boundary]:
    session = load(str(FOLDER / name))
    boundary = session.boundaries[0]
    return tuple(session.rows(session.chain_at(boundary.line).places)), boundary


def test_a_reactive_compaction_keeps_the_same_rows():
    rows, boundary = before_the_boundary("14-reactive.jsonl")
    parts = split(rows, read_error("prompt is too long: 35023 tokens > 25023 maximum"), TODAY)
    assert parts.rounds == (2, 6)
    assert tuple(r.uuid for r in parts.kept) == boundary.kept_uuids


def test_a_summary_request_that_was_too_long_twice_keeps_the_same_rows():
    rows, boundary = before_the_boundary("15-summary-request-too-long.jsonl")
    groups = rounds(rows)
    asked, kept = joined(groups[:-1]), joined(groups[-1:])  # the last round is kept from the start
    for attempt in range(2):
        again = retry(asked, read_error("prompt is too long"), attempt, TODAY)
        asked, kept = again.rows, again.kept + kept
    assert len(rounds(asked)) == 1 + 3  # the prompt and three calls
    assert tuple(r.uuid for r in kept) == boundary.kept_uuids
