"""A run as a value: steps, answers, other plans and going back; what a change cannot reach is the same object as before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from tests.compaction.running import SAMPLES, begun, done, ground_from, names, pivot_in, settings_for, stage, well
from tests.compaction.telling import assistant, text, turn, user
from workbench.compaction.plan import Plan
from workbench.compaction.profiles import ARTICLES, OBSERVED
from workbench.compaction.request import EMPTY, FILES, SUMMARY, TOO_LONG, Reply, Request
from workbench.compaction.run import COMPACTED, RUNNING, Run, answer, forward, replan, rewind, start, step
from workbench.compaction.settings import Layer
from workbench.compaction.stages.clean_reply import EDITED
from workbench.compaction.stages.table import STAGES, reads
from workbench.compaction.variants import FROM, UP_TO, VARIANTS
from workbench.compaction.working_set import SeenFile, WorkingSet
from workbench.storage import load

ROWS = (user(text(50)), *(row for n in range(4) for row in turn(100, f"toolu_q{n}")), assistant(text(20)))
WORKING = WorkingSet(files=(SeenFile("/p/a.py", "old", "transcript", order=1), SeenFile("/p/b.py", "old", "transcript", order=2)))
PROFILES = (ARTICLES, OBSERVED)
WAY = [
    *("measure", "microcompact", "decide", "pre-hook", "prepare", "ask"),
    *("clean", "restore", "hooks", "assemble", "verify", "record"),
]


class Asking:
    """Answers and remembers what it was asked."""

    def __init__(self, text: str = "<summary>Short.</summary>") -> None:
        self.text = text
        self.keys: list[str] = []

    def __call__(self, request: Request) -> Reply:
        self.keys.append(request.key)
        if request.kind == FILES:
            return Reply(files=dict.fromkeys(request.paths, "new"))
        return Reply(text=self.text)


def with_setting(plan: Plan, name: str, value: object) -> Plan:
    return replace(plan, settings=plan.settings.layered(Layer("flag", {name: value})))


def test_one_step_is_one_stage_and_a_question_stops_it() -> None:
    run = begun(ROWS)
    assert (run.next, run.outcome, run.reason, run.work.rows) == ("measure", RUNNING, "", ROWS)
    for name in WAY[:5]:
        assert run.next == name
        run = step(run)
    waiting = step(run)
    assert waiting.waiting is not None and waiting.waiting.kind == SUMMARY
    assert names(waiting) == WAY[:5], "a question is no result"
    assert step(waiting) == waiting, "asked again, it waits again"
    on = step(answer(waiting, waiting.waiting.key, well(waiting.waiting)))
    assert on.waiting is None and names(on) == WAY[:6]
    over = forward(on, well)
    assert (names(over), over.next, over.outcome) == (WAY, None, COMPACTED)
    assert step(over) is over


def test_nothing_in_a_run_can_be_changed() -> None:
    run = done(ROWS)
    for value in (run, run.results[0], run.work, run.plan):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            value.outcome = value.name = "other"  # type: ignore[misc,union-attr]


def test_the_first_edit_of_a_summary_counts_and_computes_only_what_follows() -> None:
    over = done(ROWS)
    changed = forward(answer(over, EDITED, Reply(text="My own words.")), well)
    at = WAY.index("clean")
    assert all(a is b for a, b in zip(over.results[:at], changed.results[:at], strict=True))
    assert changed.work.summary == "My own words." and "My own words." in str(changed.work.rows)
    assert "Edited by the user." in stage(changed, "clean").reason
    again = forward(answer(changed, EDITED, Reply(text="Better words.")), well)
    assert again.work.summary == "Better words."


def test_an_edit_behind_a_rewind_keeps_what_lies_ahead_up_to_the_cleaning() -> None:
    back = answer(rewind(done(ROWS), 2), EDITED, Reply(text="My own words."))
    assert [r.name for r in back.ahead] == WAY[2:6]
    assert forward(back, well).work.summary == "My own words."


def test_the_same_answer_again_forgets_nothing() -> None:
    over = done(ROWS)
    ((key, reply),) = over.replies.items()
    assert answer(over, key, reply) == over


def test_another_answer_forgets_from_the_stage_that_used_it() -> None:
    over = done(ROWS)
    (key,) = over.replies
    changed = answer(over, key, Reply(text="<summary>Otherwise.</summary>"))
    assert names(changed) == WAY[:5]
    assert forward(changed, well).work.summary == "Summary:\nOtherwise."


def test_a_thousand_steps_back_and_forth_give_the_very_same_results() -> None:
    over = done(ROWS)
    run: Run = over
    for number in range(1_000):
        run = rewind(run, len(run.results) - 1) if number % 40 < 20 and run.results else step(run)
    while run.ahead:
        run = step(run)
    assert all(a is b for a, b in zip(run.results, over.results, strict=True))


@pytest.mark.parametrize("to", [-5, 0, 3, 12, 99])
def test_a_rewind_stays_within_the_run(to: int) -> None:
    over = done(ROWS)
    back = rewind(over, to)
    assert len(back.results) == max(0, min(to, 12))
    assert (*back.results, *back.ahead) == over.results
    assert rewind(back, 99) == back, "going back never goes forward"


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (lambda plan: with_setting(plan, "restoreMaxFiles", 1), "clean"),
        (lambda plan: with_setting(plan, "untaggedSummary", "as-is"), "prepare"),
        (lambda plan: replace(plan, files="disk"), "clean"),
        (lambda plan: replace(plan, instructions="Be brief."), "decide"),
        (lambda plan: replace(plan, pins=(ROWS[7].uuid,)), "measure"),
        (lambda plan: with_setting(plan, "reactiveHeadroom", 9), "pre-hook"),
        (lambda plan: with_setting(plan, "unknownGapPercent", 50), "pre-hook"),
        (lambda plan: with_setting(plan, "maxConsecutiveFailures", 1), "microcompact"),
        (lambda plan: replace(plan, trigger="auto"), None),
        (lambda plan: replace(plan, variant="up-to", pivot=ROWS[5].uuid), None),
        (lambda plan: replace(plan, breakpoints=frozenset({"ask"})), "record"),
        (lambda plan: plan, "record"),
    ],
)
def test_another_plan_keeps_what_it_cannot_reach(change: Callable[[Plan], Plan], kept: str | None) -> None:
    over = done(ROWS, working=WORKING)
    changed = replan(over, change(over.plan))
    assert (names(changed)[-1] if changed.results else None) == kept
    assert all(a is b for a, b in zip(changed.results, over.results, strict=False))
    assert forward(changed, Asking()).outcome == COMPACTED


def test_a_changed_question_is_asked_anew_and_an_old_one_is_remembered() -> None:
    ask = Asking()
    first = forward(begun(ROWS), ask)
    second = forward(replan(first, replace(first.plan, instructions="Be brief.")), ask)
    assert len(ask.keys) == 2 and len({*ask.keys}) == 2
    third = forward(replan(second, first.plan), ask)
    assert len(ask.keys) == 2, "the first question was answered already"
    assert third.work.rows == first.work.rows


def test_the_same_question_is_not_asked_again_because_an_earlier_stage_was_computed_anew() -> None:
    ask = Asking()
    first = forward(begun(ROWS), ask)
    again = forward(replan(first, with_setting(first.plan, "keepRecent", 3)), ask)
    assert len(ask.keys) == 1 and again.work.summary == first.work.summary


def test_another_summarizer_is_asked() -> None:
    ask = Asking()
    first = forward(begun(ROWS), ask)
    forward(replan(first, replace(first.plan, summarizer="claude")), ask)
    assert len({*ask.keys}) == 2


def test_other_files_are_read_when_others_are_wanted() -> None:
    ask = Asking()
    first = forward(begun(ROWS, working=WORKING, files="disk"), ask)
    one = forward(replan(first, with_setting(first.plan, "restoreMaxFiles", 1)), ask)
    assert [a.tokens for a in one.work.attachments] == [1]
    assert len([key for key in ask.keys if key.startswith(FILES)]) == 2


def test_what_the_user_edited_goes_with_the_reply_that_it_stood_for_and_only_then() -> None:
    over = forward(answer(done(ROWS), EDITED, Reply(text="My own words.")), well)
    kept = forward(replan(over, with_setting(over.plan, "restoreMaxFiles", 1)), well)
    assert kept.work.summary == "My own words."
    before_cleaning = replan(answer(done(ROWS), EDITED, Reply(text="Mine.")), with_setting(over.plan, "restoreMaxFiles", 1))
    assert forward(before_cleaning, well).work.summary == "Mine."
    gone = forward(replan(over, replace(over.plan, variant="up-to", pivot=ROWS[5].uuid)), well)
    assert gone.work.summary == "Summary:\nWhat was done, in short."


def test_same_answers_same_run_on_every_sample() -> None:
    for path in SAMPLES:
        session = load(str(path))
        settings = settings_for("full", version=session.index.last_version)
        runs = [forward(start(ground_from(session, settings), Plan(settings, "full", "manual")), well) for _ in "12"]
        assert runs[0].work.rows == runs[1].work.rows
        assert [r.reason for r in runs[0].results] == [r.reason for r in runs[1].results]


class Watched(dict[str, Any]):
    """Settings by name that remember which were looked at."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.seen: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.seen.add(name)
        return super().__getitem__(name)


class Spied:
    """A plan that remembers which of its fields were looked at."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.seen = plan, set[str]()

    def __getattr__(self, name: str) -> Any:
        self.seen.add(name)
        return getattr(self.plan, name)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_stage_declares_everything_of_a_plan_that_it_looks_at(variant: str, profile: str) -> None:
    """Else a change of it would leave a stale result standing."""
    replies = [Reply(TOO_LONG, error="input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000"), Reply(EMPTY)]
    for path in SAMPLES:
        session = load(str(path))
        settings = settings_for(variant, "timeBased.enabled=true", profile=profile, version=session.index.last_version)
        ground = replace(ground_from(session, settings), now="2033-01-01T00:00:00Z", model="claude-opus-5-5-20261001")
        pivot = pivot_in(ground.rows) if variant in (FROM, UP_TO) else None
        run = start(ground, Plan(settings, variant, "manual", pivot, error="prompt is too long"))
        left = list(replies)
        while not run.is_over:
            watched, spied = Watched(settings._by_name), Spied(run.plan)
            object.__setattr__(settings, "_by_name", watched)
            name = str(run.next)
            STAGES[name].do(ground, spied, run.work, run.replies)  # type: ignore[arg-type]
            assert watched.seen | (spied.seen - {"settings"}) <= reads(name), (name, path.stem)
            run = step(run)
            if run.waiting is not None:
                run = answer(run, run.waiting.key, left.pop() if left else well(run.waiting))
