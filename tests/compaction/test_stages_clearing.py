"""Clearing old results as a whole run: by time in the local array, or in the copy that goes out (spec 1, section 7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.compaction.running import begun, changes, check, done, names, stage, well
from tests.compaction.telling import assistant, call, result, text, thinking, user
from workbench.compaction.cached import PUBLIC_EDIT
from workbench.compaction.microcompact import Microcompaction
from workbench.compaction.run import COMPACTED, FAILED_RUN, SKIPPED_RUN, Run, forward
from workbench.compaction.working_set import SeenFile, WorkingSet
from workbench.conversation.row import Row

CLEARED = "[Old tool result content cleared]"
THEN, AN_HOUR_LATER, JUST_BEFORE = "2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z", "2026-01-01T10:59:54Z"
BINDING = "claude-opus-5-5-20261001"


def history(count: int, *, tool: str = "Read", last: str | None = THEN) -> tuple[Row, ...]:
    """So many calls with results of 500 tokens, and a last reply at that time."""
    rows = [user(text(5))]
    for number in range(count):
        rows += [assistant(call(f"toolu_{number}", tool, f"/src/{number}.py")), user(result(f"toolu_{number}", 500))]
    return (*rows, assistant(text(5), timestamp=last))


def by_time(rows: tuple[Row, ...], *flags: str, now: str | None = AN_HOUR_LATER, **given: object) -> Run:
    return done(rows, "micro-time", *flags, now=now, **given)


def cleared(run: Run) -> list[str]:
    """Ids of the calls whose results hold nothing but the text for a cleared one."""
    return [b.call for row in run.work.sent for b in row.blocks if b.kind == "tool_result" and b.head == CLEARED]


def test_an_hour_later_all_but_the_newest_five_are_cleared() -> None:
    run = by_time(history(12))
    assert run.outcome == COMPACTED
    assert cleared(run) == [f"toolu_{n}" for n in range(7)]
    assert names(run) == ["measure", "microcompact", "verify"]
    assert run.work.boundary is None, "no boundary, no summary, no model"
    assert [c.kind for c in changes(run)] == ["clear-result"] * 7
    check(run)


@pytest.mark.parametrize(
    ("now", "flags", "last", "words"),
    [
        (JUST_BEFORE, (), THEN, "Only 59.9 minutes"),
        (AN_HOUR_LATER, ("gapThresholdMinutes=61",), THEN, "clearing starts at 61"),
        (AN_HOUR_LATER, ("querySource=compact",), THEN, "compact"),
        (AN_HOUR_LATER, (), "some day", "unreadable"),
        ("", (), THEN, "unreadable"),
    ],
)
def test_it_says_why_nothing_is_cleared(now: str, flags: tuple[str, ...], last: str, words: str) -> None:
    run = by_time(history(12, last=last), *flags, now=now)
    assert run.outcome == SKIPPED_RUN
    assert words in run.reason
    assert cleared(run) == [] and run.work.sent == run.ground.rows


def test_at_least_one_result_stays() -> None:
    assert len(cleared(by_time(history(12), "keepRecent=0"))) == 11


def test_a_second_run_clears_nothing() -> None:
    once = by_time(history(12))
    twice = by_time(once.work.rows)
    assert twice.outcome == SKIPPED_RUN and twice.work.rows == once.work.rows
    assert "no result older than the newest 5 to clear" in twice.reason


def test_errors_and_other_tools_are_neither_cleared_nor_counted() -> None:
    rows = list(history(7))
    rows[2] = replace(rows[2], blocks=(result("toolu_0", 500, error=True),))
    rows[3] = replace(rows[3], blocks=(call("toolu_1", "mcp__wiki__search"),))
    rows[5] = replace(rows[5], blocks=(call("toolu_2", "Task"),))
    assert cleared(by_time(tuple(rows), "keepRecent=1")) == ["toolu_3", "toolu_4", "toolu_5"]


def test_only_the_content_changes() -> None:
    rows = history(12)
    run = by_time(rows)
    for before, after in zip(rows, run.work.rows, strict=True):
        assert before is after or (before.uuid, len(before.blocks)) == (after.uuid, len(after.blocks))
    body = run.work.rows[2].blocks[0].body
    assert body == {"type": "tool_result", "tool_use_id": "toolu_0", "content": CLEARED}


def test_a_pinned_result_stays_whole() -> None:
    rows = history(12)
    assert "toolu_0" not in cleared(by_time(rows, pins=(rows[2].uuid,)))
    out = done(rows, "micro-cached", "cached_trigger=1", pins=(rows[2].uuid,))
    assert "toolu_0" not in cleared(out)


def test_the_read_state_of_what_was_cleared_is_forgotten_by_the_compaction_that_follows() -> None:
    rows = history(12)
    files = tuple(SeenFile(f"/src/{n}.py", "code", "transcript", (f"toolu_{n}",), order=n) for n in range(12))
    working = WorkingSet(files=files)
    whole = done(rows, "full", now=AN_HOUR_LATER, working=working)
    after = done(rows, "full", "timeBased.enabled=true", "restoreMaxFiles=20", now=AN_HOUR_LATER, working=working)
    assert [a.name for a in whole.work.attachments] == [f"/src/{n}.py" for n in (11, 10, 9, 8, 7)]
    assert {a.name for a in after.work.attachments} == {f"/src/{n}.py" for n in range(7, 12)}


def test_a_cleared_result_in_a_kept_row_does_not_count_as_shown() -> None:
    rows = history(12)
    working = WorkingSet(files=(SeenFile("/src/6.py", "code", "transcript", ("toolu_6",), touched=1, order=1),))
    run = done(rows, "up-to", "timeBased.enabled=true", now=AN_HOUR_LATER, working=working, pivot=rows[13].uuid)
    assert [a.name for a in run.work.attachments] == ["/src/6.py"]
    shown = done(rows, "up-to", now=AN_HOUR_LATER, working=working, pivot=rows[13].uuid)
    assert shown.work.attachments == () and "still stand" in shown.work.left_out[0].reason


# the outgoing copy


def test_cached_clearing_leaves_the_local_array_and_shows_the_block_with_its_public_equivalent() -> None:
    rows = history(12)
    run = done(rows, "micro-cached", tokens=100_000)
    picture = stage(run, "microcompact").picture
    assert isinstance(picture, Microcompaction) and picture.cached is not None
    ids = [f"toolu_{n}" for n in range(7)]
    edits = [{"type": "delete", "cache_reference": name} for name in ids]
    assert picture.cached.block == {"type": "cache_edits", "edits": edits}
    assert picture.cached.public is not None and picture.cached.public["type"] == PUBLIC_EDIT
    assert run.work.rows == rows and cleared(run) == ids
    assert run.outcome == COMPACTED
    check(run)


def test_below_its_trigger_nothing_goes() -> None:
    run = done(history(12), "micro-cached", tokens=99_999)
    assert run.outcome == SKIPPED_RUN and "starts at 100,000" in run.reason


def test_by_time_takes_the_place_of_the_cached_way() -> None:
    run = done(history(12), "auto", "timeBased.enabled=true", "cached.enabled=true", tokens=100_000, now=AN_HOUR_LATER)
    picture = stage(run, "microcompact").picture
    assert isinstance(picture, Microcompaction) and picture.cached is None
    assert picture.registry.registered == ()
    assert run.work.outgoing == () and cleared(run)


def test_a_compaction_is_assembled_from_rows_not_from_the_copy_that_went_out() -> None:
    run = done(history(12), "full", "cached.enabled=true", tokens=190_000)
    check(run)
    assert run.outcome == COMPACTED and run.work.outgoing == ()
    assert run.work.sent == run.work.rows and run.work.rows[1].is_summary


def test_naming_one_way_does_not_judge_by_the_other() -> None:
    run = done(history(12), "micro-time", "cached.enabled=true", tokens=190_000, now=JUST_BEFORE)
    assert run.outcome == SKIPPED_RUN and "Only 59.9 minutes" in run.reason and cleared(run) == []


# thinking that is bound to what stands before it (section 9)


def test_bound_thinking_behind_a_cleared_result_goes() -> None:
    rows = history(12)
    thought = assistant(thinking(), text(3), timestamp=THEN)
    asked = user(text(3))
    first = assistant(thinking(), text(3))
    run = by_time((rows[0], first, *rows[1:-1], asked, thought, user(text(2))), model=BINDING)
    assert run.outcome == COMPACTED
    assert [b.kind for b in run.work.rows[1].blocks] == ["thinking", "text"], "nothing before it was edited"
    assert [b.kind for b in run.work.rows[-2].blocks] == ["text"]
    assert [c.uuids for c in changes(run) if c.kind == "drop-thinking"] == [(thought.uuid,)]


def test_in_an_open_tool_turn_nothing_is_cleared_unless_thinking_may_go() -> None:
    rows = (*history(12)[:-1], assistant(thinking(), call("toolu_last"), timestamp=THEN), user(result("toolu_last")))
    run = by_time(rows, model=BINDING)
    assert run.outcome == FAILED_RUN and "thinking.open_turn" in run.reason and cleared(run) == []
    dropped = by_time(rows, "thinking.open_turn=drop_block", model=BINDING)
    assert dropped.outcome == COMPACTED and cleared(dropped)
    assert by_time(rows).outcome == COMPACTED, "other models bind nothing"


def test_switched_on_by_a_setting_it_runs_before_an_automatic_compaction() -> None:
    run = forward(begun(history(12), "auto", "timeBased.enabled=true", tokens=190_000, now=AN_HOUR_LATER), well)
    assert names(run)[:3] == ["measure", "microcompact", "decide"]
    assert stage(run, "prepare").work.asked == stage(run, "microcompact").after
