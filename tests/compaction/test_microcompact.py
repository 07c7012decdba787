"""Old results are cleared by time or in the outgoing copy (section 7)."""

from dataclasses import replace

import pytest

from workbench.compaction.cached import Registry, clear_cached, register
from workbench.compaction.microcompact import clear_by_time, microcompact, time_trigger
from workbench.compaction.profiles import resolve
from workbench.compaction.settings import Settings, flag_layer
from workbench.compaction.variants import switched_on
from workbench.conversation.row import ASSISTANT, Row

from .telling import assistant, call, result, text, turn, user

LAST, AT_60, AT_59_9 = "2026-01-01T10:00:00.000Z", "2026-01-01T11:00:00.000Z", "2026-01-01T10:59:54.000Z"
CLEARED = "[Old tool result content cleared]"


def timed(*pairs: str) -> Settings:
    return switched_on("micro-time", resolve(layers=[flag_layer(pairs)]))


def cached(*pairs: str) -> Settings:
    return switched_on("micro-cached", resolve(layers=[flag_layer(pairs)]))


def history(count: int = 12, tool: str = "Read") -> list[Row]:
    rows = [user(), *(r for n in range(count) for r in turn(100, f"call_{n}", tool))]
    return [replace(r, timestamp=LAST) if r.role == ASSISTANT else r for r in rows]


def test_after_an_hour_all_but_the_newest_five_are_cleared():
    rows = history()
    done = clear_by_time(rows, AT_60, timed())
    assert done.tools == tuple(f"call_{n}" for n in range(7))
    assert [r.blocks[0].body["content"] == CLEARED for r in done.rows[2::2]] == [True] * 7 + [False] * 5
    assert done.saved == sum(r.tokens for r in rows) - sum(r.tokens for r in done.rows) > 0
    assert [c.uuids for c in done.changes] == [(rows[2 * n + 2].uuid,) for n in range(7)]
    assert "newest 5" in done.changes[0].reason


def test_only_the_content_changes_and_untouched_rows_are_the_same():
    rows = history()
    done = clear_by_time(rows, AT_60, timed())
    before, after = rows[2].blocks[0].body, done.rows[2].blocks[0].body
    assert {**before, "content": CLEARED} == after
    assert all(a is b for a, b in zip(done.rows[-10:], rows[-10:], strict=True))


def test_a_moment_before_nothing_is_cleared():
    done = clear_by_time(history(), AT_59_9, timed())
    assert not done.fired and "59.9 minutes" in done.reason


def test_at_least_one_stays():
    assert len(clear_by_time(history(), AT_60, timed("keepRecent=0")).tools) == 11


def test_a_second_run_clears_nothing():
    once = clear_by_time(history(), AT_60, timed())
    twice = clear_by_time(once.rows, AT_60, timed())
    assert (twice.fired, twice.rows, twice.changes) == (False, once.rows, ())


def test_errors_and_other_tools_are_neither_cleared_nor_counted():
    rows = history(6)
    others = [*turn(50, "mcp", "mcp__files__read"), *turn(50, "todo", "TodoWrite")]
    failed = [assistant(call("bad", "Bash"), timestamp=LAST), user(result("bad", 50, error=True))]
    done = clear_by_time([rows[0], *others, *failed, *rows[1:]], AT_60, timed())
    assert done.tools == ("call_0",)


def test_no_setting_makes_an_mcp_tool_compactable():
    assert not clear_by_time(history(8, "mcp__files__read"), AT_60, timed("compactableTools=mcp__files__read,Read")).tools


def test_cleared_results_count_among_the_newest():
    rows = list(clear_by_time(history(), AT_60, timed("keepRecent=1")).rows)
    assert not clear_by_time(rows, AT_60, timed("keepRecent=5")).fired


def test_the_files_of_cleared_reads_are_forgotten():
    rows = [
        user(),
        assistant(call("w", "Edit", "/e.py")),
        user(result("w")),
        assistant(call("r", "Read", "/r.py")),
        user(result("r")),
    ]
    rows += history(5)[1:]
    rows[-2] = replace(rows[-2], timestamp=LAST)
    done = clear_by_time(rows, AT_60, timed())
    assert (done.tools, done.paths) == (("w", "r"), ("/r.py",))


def test_a_row_without_its_body_is_cleared_too():
    done = clear_by_time([r.slim() for r in history()], AT_60, timed())
    assert len(done.tools) == 7
    assert not clear_by_time(done.rows, AT_60, timed()).fired


@pytest.mark.parametrize(
    ("settings", "now", "rows", "why"),
    [
        (resolve(), AT_60, history(), "timeBased.enabled"),
        (timed("querySource=session_memory"), AT_60, history(), "not the main thread"),
        (timed("querySource=agent:explore"), AT_60, history(), "not the main thread"),
        (timed(), AT_60, [user()], "no assistant message"),
        (timed(), None, history(), "time of the present is unreadable"),
        (timed(), "soon", history(), "time of the present is unreadable"),
        (timed(), AT_60, [assistant()], "time of the last assistant row is unreadable"),
    ],
)
def test_it_says_why_it_does_not_fire(settings, now, rows, why):
    trigger = time_trigger(rows, now, settings)
    assert not trigger.fires and why in trigger.reason


def test_times_with_and_without_a_zone_can_be_compared():
    assert time_trigger(history(), "2026-01-01T11:00:00", timed()).fires
    assert time_trigger(history(), "2026-01-01T12:00:00+01:00", timed()).fires


# in the outgoing copy


def test_cached_clearing_names_each_id_once_and_leaves_the_local_array_alone():
    rows = history(8)
    edit = clear_cached(rows, 100_000, Registry(), cached())
    assert edit.block == {
        "type": "cache_edits",
        "edits": [{"type": "delete", "cache_reference": f"call_{n}"} for n in range(3)],
    }
    assert [r.blocks[0].body["content"] == CLEARED for r in edit.outgoing[2::2]] == [True] * 3 + [False] * 5
    assert CLEARED not in rows[2].blocks[0].head
    longer = [*rows, *turn(100, "call_8")]
    again = clear_cached(longer, 100_000, edit.registry, cached())
    assert again.tools == ("call_3",)
    assert [r.blocks[0].body["content"] == CLEARED for r in again.outgoing[2::2]] == [True] * 4 + [False] * 5
    assert again.registry.deleted == ("call_0", "call_1", "call_2", "call_3")


def test_below_the_trigger_it_only_registers():
    edit = clear_cached(history(8), 99_999, Registry(), cached())
    assert (edit.fired, edit.block, len(edit.registry.registered)) == (False, None, 8)
    assert "99,999" in edit.reason
    assert "unknown" in clear_cached(history(8), None, Registry(), cached()).reason


def test_few_results_are_all_kept():
    assert clear_cached(history(3), 100_000, Registry(), cached()).tools == ()


def test_results_are_registered_by_the_user_row_they_came_in():
    rows = [assistant(call("A"), call("B")), user(result("A"), result("B")), *turn(50, "C")]
    registry = register(Registry(), rows, resolve())
    assert registry.groups == ((rows[1].uuid, ("A", "B")), (rows[3].uuid, ("C",)))
    assert register(registry, rows, resolve()) == registry


def test_the_public_equivalent_spares_the_tools_that_are_not_compactable():
    rows = [*history(6), *turn(50, "todo", "TodoWrite")]
    assert clear_cached(rows, 120_000, Registry(), cached()).public == {
        "type": "clear_tool_uses_20250919",
        "trigger": {"type": "input_tokens", "value": 100_000},
        "keep": {"type": "tool_uses", "value": 5},
        "exclude_tools": ["TodoWrite"],
    }


def test_time_based_clearing_takes_the_place_of_cached_and_resets_its_registry():
    settings = switched_on("micro-cached", timed())
    rows = history(8)
    registry = clear_cached(rows, 100_000, Registry(), settings).registry
    cold = microcompact(rows, now=AT_60, tokens=100_000, registry=registry, settings=settings)
    assert (cold.cached, cold.registry, cold.outgoing) == (None, Registry(), cold.rows)
    warm = microcompact(rows, now=AT_59_9, tokens=100_000, registry=Registry(), settings=settings)
    assert warm.cached.fired and warm.rows == tuple(rows) != warm.outgoing


def test_a_text_that_looks_cleared_but_goes_on_is_cleared():
    rows = [assistant(call("A"), timestamp=LAST), user(result("A")), *history(5)[1:]]
    body = {**rows[1].blocks[0].body, "content": CLEARED + " and more"}
    rows[1] = user(replace(rows[1].blocks[0], body=body, head=CLEARED + " and more", size=len(CLEARED) + 9), text(1))
    assert clear_by_time(rows, AT_60, timed()).tools == ("A",)
