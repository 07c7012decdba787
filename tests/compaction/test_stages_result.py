"""Where it cuts, what comes back, in which order, what is recorded; reactive and folded (spec 1, sections 9 to 11)."""

from __future__ import annotations

import json

from tests.compaction.running import check, done, names, number, sent_rows, settings_for, stage
from tests.compaction.telling import assistant, call, result, text, thinking, turn, user
from workbench.compaction.breaker import Tracking
from workbench.compaction.event import event_of, tracking_after
from workbench.compaction.ground import NotesGround
from workbench.compaction.request import TOO_LONG, Reply
from workbench.compaction.run import COMPACTED, FAILED_RUN, SKIPPED_RUN, Run
from workbench.compaction.stages.record import Recorded
from workbench.compaction.working_set import Listing, SeenFile, Skill, WorkingSet
from workbench.conversation.block import text_block
from workbench.conversation.row import Row
from workbench.memory.notes import parse

BINDING = "claude-opus-5-5-20261001"
ROWS = (user(text(50)), *(row for n in range(5) for row in turn(100, f"toolu_s{n}")), assistant(text(20)))


def used(run: Run) -> int:
    assert run.work.cut is not None
    return run.work.cut.used


# 9 a valid cut


def parallel() -> tuple[Row, ...]:
    """A question, and a reply in pieces that calls two tools."""
    pieces = (thinking(), call("toolu_a"), call("toolu_b"))
    return (user(), *(assistant(b, message="X") for b in pieces), user(result("toolu_a"), result("toolu_b")), assistant(), user())


def test_a_cut_inside_a_parallel_call_goes_back_to_the_start_of_its_reply() -> None:
    rows = parallel()
    assert [used(done(rows, "up-to", pivot=rows[at].uuid)) for at in (2, 3, 4)] == [1, 1, 1]
    assert used(done(rows, "up-to", pivot=rows[6].uuid)) == 6, "a plain text of the user stays where it is"
    assert used(done(rows, "from", pivot=rows[4].uuid)) == 1
    assert "would be split" in stage(done(rows, "up-to", pivot=rows[3].uuid), "prepare").reason


def test_what_one_row_pulls_in_is_pulled_in_with_all_that_belongs_to_it() -> None:
    rows = (
        user(),
        assistant(call("toolu_z"), message="W"),
        assistant(thinking(), message="X"),
        assistant(call("toolu_a"), message="X"),
        user(result("toolu_z"), result("toolu_a")),
        assistant(call("toolu_b"), message="X"),
        user(result("toolu_b")),
        assistant(),
    )
    run = done(rows, "up-to", pivot=rows[5].uuid)
    assert used(run) == 1 and run.work.kept == rows[1:]


def test_bound_thinking_leaves_a_kept_tail_and_stays_in_a_kept_prefix() -> None:
    rows = (user(), assistant(thinking(), text(3)), user(), assistant(thinking(), text(3)), user())
    tail = done(rows, "up-to", pivot=rows[2].uuid, model=BINDING)
    assert [b.kind for b in tail.work.kept[1].blocks] == ["text"]
    assert done(rows, "up-to", pivot=rows[2].uuid).work.kept == rows[2:], "others bind nothing"
    assert done(rows, "from", pivot=rows[2].uuid, model=BINDING).work.kept == rows[:2]


def test_in_an_open_tool_turn_a_tail_is_refused_unless_thinking_may_go() -> None:
    rows = (user(), *turn(50), assistant(thinking(), call("toolu_o")), user(result("toolu_o")))
    run = done(rows, "up-to", pivot=rows[3].uuid, model=BINDING)
    assert run.outcome == FAILED_RUN and run.reason.startswith("Not available: ") and "thinking.open_turn" in run.reason
    dropped = done(rows, "up-to", "thinking.open_turn=drop_block", pivot=rows[3].uuid, model=BINDING)
    assert dropped.outcome == COMPACTED
    check(dropped)


# 10 result


def seen(path: str, tokens: int, order: int, **fields: object) -> SeenFile:
    return SeenFile(path, "abcd" * tokens, "transcript", order=order, **fields)  # type: ignore[arg-type]


def test_the_newest_files_come_back_within_their_budgets() -> None:
    kept = turn(10, "toolu_c")
    rows = (*ROWS, *kept)
    files = [
        seen("/p/A", 8_000, 9),
        seen("/p/CLAUDE.md", 300, 8, role="memory"),
        seen("/p/C", 400, 7, calls=("toolu_c",)),
        *(seen(f"/p/{name}", size, order) for name, size, order in (("D", 1_000, 6), ("E", 6_000, 5), ("F", 500, 4))),
        *(seen(f"/p/{name}", size, order) for name, size, order in (("G", 700, 3), ("H", 100, 2))),
    ]
    working = WorkingSet(files=tuple(files))
    run = done(rows, "up-to", pivot=kept[0].uuid, working=working)
    sizes = {a.name[-1]: a.tokens for a in run.work.attachments}
    assert sizes == {"A": 5_000, "D": 1_000, "E": 5_000, "F": 500, "G": 700}
    assert sum(sizes.values()) == 12_200
    assert [a.truncated for a in run.work.attachments] == [True, False, True, False, False]
    left = {o.name: o.reason for o in run.work.left_out}
    assert "5 other files come first" in left["/p/H"] and "still stand" in left["/p/C"] and "memory file" in left["/p/CLAUDE.md"]
    tight = done(rows, "up-to", "restoreTokenBudget=8000", pivot=kept[0].uuid, working=working)
    assert [a.name[-1] for a in tight.work.attachments] == ["A", "D", "F", "G"]
    assert sum(a.tokens for a in tight.work.attachments) == 7_200
    assert "do not fit" in next(o.reason for o in tight.work.left_out if o.name == "/p/E")


def whole_set() -> WorkingSet:
    return WorkingSet(
        files=(seen("/p/a.py", 100, 1),),
        skills=(Skill("sail", "/skills/sail", "Trim the sails. " * 3_000, 1),),
        instructions=(("/p/CLAUDE.md", "var is forbidden. " * 3_000),),
        plan=SeenFile("/p/plan.md", "First this.", "transcript", role="plan"),
        plan_mode=True,
        todos=(("Tidy up.", "pending"),),
        agents=("dig deeper (agent_1)",),
        listings=(
            Listing("deferred_tools_delta", ("WebFetch",), "WebFetch"),
            Listing("agent_listing_delta", ("scout",), "scout"),
        ),
        discovered_tools=("WebFetch",),
    )


def test_the_whole_working_set_comes_back_and_hooks_come_last() -> None:
    run = done(ROWS, working=whole_set(), hooks={"session-start": "Mind the gap.", "post": "Well done."})
    kinds = [a.kind for a in run.work.attachments]
    assert kinds == [
        "instructions", "file", "invoked_skills", "plan", "plan_mode", "task_status", "todo_reminder",
        "deferred_tools_delta", "agent_listing_delta",
    ]  # fmt: skip
    by_kind = {a.kind: a for a in run.work.attachments}
    assert by_kind["instructions"].tokens > 10_000, "no budget holds for project instructions"
    assert by_kind["invoked_skills"].tokens == 5_000 and by_kind["invoked_skills"].truncated
    assert run.work.rows[-1] is run.work.hook_rows[0]
    assert "Mind the gap." in str(run.work.hook_rows[0].blocks[0].body)
    assert "PostCompact" in stage(run, "hooks").reason
    assert [r.name for r in run.results[-5:]] == ["restore", "hooks", "assemble", "verify", "record"]
    check(run)


def test_restoring_and_hooks_are_the_same_on_the_path_of_the_notes() -> None:
    notes = NotesGround(parse("# Current State\n_now_\n\nbusy\n"), "/notes.md", None, ROWS[8].uuid)
    given = {"working": whole_set(), "hooks": {"session-start": "Mind the gap."}, "notes": notes}
    full, from_notes = done(ROWS, "full", **given), done(ROWS, "session-memory", **given)
    assert [(a.kind, a.tokens) for a in full.work.attachments] == [(a.kind, a.tokens) for a in from_notes.work.attachments]
    assert len(from_notes.work.hook_rows) == 1
    assert from_notes.work.rows[0].kind == "system:compact_boundary" and from_notes.work.rows[1].is_summary


def test_files_from_disk_are_asked_for_before_anything_is_read() -> None:
    asked = []

    def ask(request):  # type: ignore[no-untyped-def]
        if request.kind == "files":
            asked.append(request.paths)
            return Reply(files={"/p/a.py": "as it is now"})
        return Reply(text="<summary>Short.</summary>")

    run = done(ROWS, working=whole_set(), files="disk", ask=ask)
    assert asked == [("/p/a.py", "/p/CLAUDE.md", "/p/plan.md")]
    body = run.work.bodies[next(a for a in run.work.attachments if a.kind == "file").row.uuid]
    assert "as it is now" in json.dumps(body)


def test_the_boundary_says_what_was_what_stays_and_which_tools_are_known() -> None:
    run = done(ROWS, "up-to", pivot=ROWS[5].uuid, working=whole_set(), tokens=123_456, trigger="auto")
    made = stage(run, "record").picture
    assert isinstance(made, Recorded)
    assert (made.trigger, made.pre_tokens) == ("auto", 123_456)
    assert made.post_tokens == sum(r.tokens for r in sent_rows(run))
    assert made.dropped_tokens == 123_456 - made.post_tokens
    assert made.logical_parent == ROWS[-1].uuid
    assert made.kept == tuple(r.uuid for r in ROWS[5:]) and made.segment == (ROWS[5].uuid, ROWS[-1].uuid)
    assert made.anchor == run.work.summary_row.uuid  # type: ignore[union-attr]
    assert made.discovered_tools == ("WebFetch",)
    assert run.work.boundary is not None and run.work.boundary.role is None, "for the program only"
    prefix = stage(done(ROWS, "from", pivot=ROWS[5].uuid), "record").picture
    assert isinstance(prefix, Recorded) and prefix.anchor != made.anchor and prefix.segment == (ROWS[0].uuid, ROWS[4].uuid)
    nothing = stage(done(ROWS), "record").picture
    assert isinstance(nothing, Recorded) and (nothing.kept, nothing.segment, nothing.anchor) == ((), None, None)


def test_links_that_the_agent_does_not_load_are_no_kept_rows() -> None:
    rows = (*ROWS[:6], Row(-1, 70, "hook", "progress:hook_progress", None), *ROWS[6:])
    made = stage(done(rows, "up-to", pivot=ROWS[5].uuid), "record").picture
    assert isinstance(made, Recorded) and "hook" not in made.kept


def test_one_event_tells_how_it_went() -> None:
    replies = [Reply(TOO_LONG, error="prompt is too long", duration_ms=40), Reply(text="<summary>S</summary>", duration_ms=1_200)]
    run = done(ROWS, "full", trigger="auto", tokens=170_000, overhead=9_000, ask=lambda _: replies.pop(0))
    event = event_of(run)
    assert (event.trigger, event.variant, event.outcome) == ("auto", "full", COMPACTED)
    assert event.tokens_before == sum(r.tokens for r in ROWS) + 9_000
    assert event.tokens_after == run.results[-1].tokens_after < event.tokens_before
    assert (event.duration_ms, event.retries, event.model) == (1_240, 1, ("too long", "ok"))
    assert event_of(done(ROWS)).duration_ms is None, "unknown is not 0"


def test_counters_are_set_by_a_success() -> None:
    state = tracking_after(done(ROWS, tracking=Tracking(True, 9, "old", 2)))
    assert (state.compacted, state.turn_counter, state.consecutive_failures) == (True, 0, 0)
    assert state.turn_id != "old"


def test_a_result_that_reaches_the_threshold_says_that_it_fires_again() -> None:
    run = done(ROWS, overhead=167_000)
    assert run.outcome == COMPACTED
    assert "would fire again at once" in stage(run, "verify").reason
    assert number(stage(run, "verify"), "fires again") == "yes"
    assert number(stage(done(ROWS), "verify"), "fires again") == "no"


def test_new_rows_are_the_same_every_time_and_of_their_parent_s_time() -> None:
    rows = (*ROWS[:-1], assistant(text(5), timestamp="2026-01-01T00:00:00Z"))
    first, second = done(rows, working=whole_set()), done(rows, working=whole_set())
    assert first.work.rows == second.work.rows
    times = [r.timestamp for r in first.work.rows]
    assert times[:3] == ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z", "2026-01-01T00:00:00.002Z"]
    assert len({r.uuid for r in first.work.rows}) == len(first.work.rows)
    other = done((*rows[:-1], assistant(text(5))), working=whole_set())
    assert not {r.uuid for r in first.work.rows} & {r.uuid for r in other.work.rows}


# 11 other modes


def test_a_reactive_one_is_sized_by_the_reported_gap() -> None:
    rows = (user(text(2_500)), *(row for _ in range(6) for row in turn(4_000)))
    run = done(rows, "reactive", error="prompt is too long: 210000 tokens > 200000 maximum")
    assert "The oldest 2 of 6 rounds are summarised, 4 stay verbatim" in stage(run, "prepare").reason
    assert run.work.kept == rows[5:]
    assert run.plan.trigger == "auto" and stage(run, "record").picture.trigger == "auto"  # type: ignore[attr-defined]
    assert "Ask nothing first" in str(run.work.summary_row)


def test_a_reactive_one_passes_the_guards_of_automatic_ones_but_not_the_switch_for_all() -> None:
    for flag in ("DISABLE_AUTO_COMPACT=1", "querySource=compact"):
        assert done(ROWS, "reactive", flag, tracking=Tracking(consecutive_failures=3)).outcome == COMPACTED
    assert done(ROWS, "reactive", "DISABLE_COMPACT=1").outcome == SKIPPED_RUN


def test_whole_rounds_fold_into_a_line_each_and_nothing_is_deleted() -> None:
    run = done(ROWS, "fold")
    assert names(run) == ["measure", "microcompact", "decide", "fold", "verify"]
    assert "3 of 6 rounds folded into a line each." in stage(run, "fold").reason
    lines = [r for r in run.work.rows if r.place < 0 and r not in ROWS]
    assert len(lines) == 3 and all(str((r.blocks[0].body or {})["text"]).startswith("[folded: 2 rows") for r in lines)
    assert run.work.rows[-5:] == ROWS[-5:] and run.work.rows[0] is ROWS[0]
    folded = [uuid for c in stage(run, "fold").changes for uuid in c.uuids]
    assert folded == [r.uuid for r in ROWS[1:7]]
    assert run.ground.rows == ROWS, "what is folded can be unfolded"
    check(run)


def test_named_rows_fold_and_open_or_pinned_rounds_never_do() -> None:
    run = done(ROWS, "fold", folds=((ROWS[3].uuid, ROWS[6].uuid),))
    assert [c.uuids for c in stage(run, "fold").changes] == [tuple(r.uuid for r in ROWS[n : n + 2]) for n in (3, 5)]
    pinned = done(ROWS, "fold", folds=((ROWS[3].uuid, ROWS[6].uuid),), pins=(ROWS[4].uuid,))
    assert [c.uuids for c in stage(pinned, "fold").changes] == [tuple(r.uuid for r in ROWS[5:7])]
    open_end = (*ROWS, user(text_block("go")), assistant(call("toolu_open")))
    assert done(open_end, "fold", "foldKeepRounds=1", folds=((open_end[-1].uuid, open_end[-1].uuid),)).outcome == SKIPPED_RUN
    lost = done(ROWS, "fold", folds=(("nobody", ROWS[1].uuid),))
    assert lost.outcome == FAILED_RUN and "not in the array" in lost.reason


def test_few_rounds_stay_open() -> None:
    run = done(ROWS[:5], "fold")
    assert run.outcome == SKIPPED_RUN and "Of 2 rounds, the newest 3 stay open." in run.reason
    assert settings_for("fold").on("collapse")
