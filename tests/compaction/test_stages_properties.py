"""Whatever the history, the variant and the cut: no stage makes a fault, loses a result, splits a reply or counts wrongly."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.compaction.generated import broken, conversations
from tests.compaction.running import begun, changes, check, sent_rows, well
from tests.conftest import FULL
from workbench.cli.telling_compact import as_json
from workbench.compaction.ground import NotesGround
from workbench.compaction.profiles import ARTICLES, OBSERVED
from workbench.compaction.request import SUMMARY, TOO_LONG, Reply, Request
from workbench.compaction.run import COMPACTED, Run, forward, rewind, step
from workbench.compaction.variants import FROM, MICRO_TIME, UP_TO, VARIANTS
from workbench.compaction.working_set import SeenFile, WorkingSet
from workbench.conversation.row import Row
from workbench.memory.notes import parse
from workbench.memory.template import TEMPLATE

OPUS, BINDING = "claude-opus-4-5-20251101", "claude-opus-5-5-20261001"
LATER = "2026-03-09T00:00:00Z"
NOTES = parse(TEMPLATE + "\nIt is about tides.\n")
WORKING = WorkingSet(files=(SeenFile("/src/a.py", "print()", "transcript", order=1),), todos=(("Tidy up.", "pending"),))
FLAGS = ("cached_trigger=10", "minTokens=50", "maxTokens=5000", "keepRecent=1", "cached_keep=1", "foldKeepRounds=1")


@st.composite
def plans(draw: st.DrawFn) -> dict[str, object]:
    """What may be asked of a run, but for the row at which it cuts."""
    return {
        "variant": draw(st.sampled_from(sorted(VARIANTS))),
        "profile": draw(st.sampled_from([ARTICLES, OBSERVED])),
        "trigger": draw(st.sampled_from(["auto", "manual"])),
        "model": draw(st.sampled_from([OPUS, BINDING])),
    }


def fresh(rows: tuple[Row, ...], plan: dict[str, object], at: int, **more: object) -> Run:
    """A run that cuts at a row, days after the last reply, with notes that cover up to another row."""
    variant, wanted = str(plan["variant"]), {name: value for name, value in plan.items() if name != "variant"}
    pivot = rows[at % len(rows)].uuid if variant in (FROM, UP_TO) else None
    given = {
        "now": LATER,
        "tokens": 190_000,
        "working": WORKING,
        "hooks": {"session-start": "Mind the gap."},
        "notes": NotesGround(NOTES, "/notes.md", None, rows[at // 2 % len(rows)].uuid),
        **more,
    }
    return begun(rows, variant, *FLAGS, pivot=pivot, **wanted, **given)  # type: ignore[arg-type]


def often(number: int) -> settings:
    return settings(max_examples=number * 20 if FULL else number)


@given(conversations(), plans(), st.integers(0, 200))
@often(150)
def test_a_sound_history_stays_sound(rows: tuple[Row, ...], plan: dict[str, object], at: int) -> None:
    check(forward(fresh(rows, plan, at), well))


@given(broken(), plans(), st.integers(0, 200))
@often(100)
def test_a_broken_history_gets_no_worse(rows: tuple[Row, ...], plan: dict[str, object], at: int) -> None:
    check(forward(fresh(rows, {**plan, "model": OPUS}, at), well))


@given(conversations(), plans(), st.integers(0, 200), st.integers(1, 6), st.booleans())
@often(60)
def test_a_request_that_is_too_long_again_and_again_leaves_a_sound_history(
    rows: tuple[Row, ...], plan: dict[str, object], at: int, times: int, numbers: bool
) -> None:
    told = "prompt is too long: 200900 tokens > 200000 maximum" if numbers else "prompt is too long"
    refusals = [Reply(TOO_LONG, error=told)] * times

    def ask(request: Request) -> Reply:
        return refusals.pop() if refusals and request.kind == SUMMARY else well(request)

    check(forward(fresh(rows, plan, at), ask))


@given(conversations(), plans(), st.integers(0, 200))
@often(40)
def test_the_same_run_twice_is_the_same_to_the_byte(rows: tuple[Row, ...], plan: dict[str, object], at: int) -> None:
    one, two = (json.dumps(as_json(forward(fresh(rows, plan, at), well))) for _ in range(2))
    assert one == two


@given(conversations(), plans(), st.integers(0, 200), st.data())
@often(40)
def test_going_back_and_on_again_changes_nothing(
    rows: tuple[Row, ...], plan: dict[str, object], at: int, data: st.DataObject
) -> None:
    whole = forward(fresh(rows, plan, at), well)
    run = rewind(whole, data.draw(st.integers(0, len(whole.results))))
    while run.ahead:
        run = step(run)
    assert all(a is b for a, b in zip(run.results, whole.results, strict=True))
    assert run == whole


@given(conversations(), plans(), st.integers(0, 200), st.integers(0, 200))
@often(60)
def test_a_pinned_row_stays_or_the_run_says_why_not(rows: tuple[Row, ...], plan: dict[str, object], at: int, pin: int) -> None:
    row = rows[pin % len(rows)]
    run = forward(fresh(rows, {**plan, "model": OPUS}, at, pins=(row.uuid,)), well)
    check(run)
    if run.outcome == COMPACTED and row.blocks:
        assert row in run.work.sent
    elif run.outcome == "failed":
        assert row.uuid in run.reason or "nothing to summarise" in run.reason.lower() or "Not available" in run.reason


@given(conversations(), plans(), st.integers(0, 200))
@often(40)
def test_what_is_left_can_be_compacted_again(rows: tuple[Row, ...], plan: dict[str, object], at: int) -> None:
    first = forward(fresh(rows, plan, at), well)
    after = tuple(replace(row, place=at, line=at + 1) for at, row in enumerate(first.work.rows))
    check(forward(fresh(after, plan, at), well))


@given(conversations())
@often(40)
def test_clearing_by_time_a_second_time_clears_nothing(rows: tuple[Row, ...]) -> None:
    plan: dict[str, object] = {"variant": MICRO_TIME, "profile": ARTICLES, "trigger": "manual", "model": OPUS}
    once = forward(fresh(rows, plan, 0), well)
    twice = forward(fresh(once.work.rows, plan, 0), well)
    assert not [change for change in changes(twice) if change.kind == "clear-result"]
    assert twice.work.rows == once.work.rows
    assert [row.uuid for row in sent_rows(once)] == [row.uuid for row in rows if row.role is not None]
