"""A step of a compaction on a session of 4 MB in one context, but for the asking; and a thousand steps back and forth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest

from tests.compaction.running import ground_from, pivot_in, settings_for, well
from workbench.compaction.plan import Plan
from workbench.compaction.profiles import ARTICLES, OBSERVED
from workbench.compaction.run import COMPACTED, Run, answer, rewind, start, step
from workbench.compaction.variants import FOLD, FROM, FULL, MICRO_CACHED, UP_TO
from workbench.storage import load

pytestmark = pytest.mark.benchmark

Report = Callable[[str, str, bool], None]
STEP_MS, THOUSAND_MS = 100.0, 100.0
FOUR_MEGABYTES = pytest.mark.parametrize("session_file", [pytest.param((4, False), id="4MB-one-context")], indirect=True)
PLANS = ((FULL, ARTICLES), (FULL, OBSERVED), (FROM, ARTICLES), (UP_TO, ARTICLES), (FOLD, ARTICLES), (MICRO_CACHED, ARTICLES))


def timed(run: Run) -> tuple[Run, dict[str, float]]:
    """The finished run, and ms of each stage; a question is answered at once and does not count."""
    spent: dict[str, float] = {}
    while not run.is_over:
        began = perf_counter()
        after = step(run)
        spent[str(run.next)] = spent.get(str(run.next), 0.0) + (perf_counter() - began) * 1000
        run = after if after.waiting is None else answer(after, after.waiting.key, well(after.waiting))
    return run, spent


@FOUR_MEGABYTES
def test_each_step_takes_less_than_a_tenth_of_a_second(session_file: Path, report: Report) -> None:
    session = load(str(session_file))
    worst: dict[str, float] = {}
    for variant, profile in PLANS:
        settings = settings_for(variant, profile=profile)
        ground = ground_from(session, settings)
        pivot = pivot_in(ground.rows) if variant in (FROM, UP_TO) else None
        run, spent = min((timed(start(ground, Plan(settings, variant, "manual", pivot))) for _ in range(3)), key=slowest)
        assert run.outcome == COMPACTED
        worst |= {name: max(ms, worst.get(name, 0.0)) for name, ms in spent.items()}
    name, ms = max(worst.items(), key=lambda item: item[1])
    report("slowest step of a compaction", f"{ms:.0f} ms in {name} (limit {STEP_MS:.0f} ms)", ms < STEP_MS)


def slowest(timing: tuple[Run, dict[str, float]]) -> float:
    return max(timing[1].values())


@FOUR_MEGABYTES
def test_a_thousand_steps_back_and_forth_compute_nothing(session_file: Path, report: Report) -> None:
    session = load(str(session_file))
    settings = settings_for(FULL)
    over, _ = timed(start(ground_from(session, settings), Plan(settings, FULL, "manual")))
    run, began = over, perf_counter()
    for number in range(1_000):
        run = rewind(run, len(run.results) - 1) if number % 20 < 10 else step(run)
    spent = (perf_counter() - began) * 1000
    assert all(a is b for a, b in zip(run.results, over.results, strict=True))
    report("a thousand steps back and forth", f"{spent:.1f} ms (limit {THOUSAND_MS:.0f} ms)", spent < THOUSAND_MS)
