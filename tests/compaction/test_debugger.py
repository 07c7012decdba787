"""Going through a run like a debugger: what is computed, what is not computed again, and where it stops."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.house.files import ROOT
from workbench.compaction.debugger import (
    AT_LEAST,
    AT_MOST,
    FAULT,
    STAGE,
    Breakpoint,
    advance,
    asked_next,
    back,
    breakpoint_of,
    breakpoints,
    edited,
    halted,
    proceed,
    toggled,
)
from workbench.compaction.ground import Ground
from workbench.compaction.plan import Plan
from workbench.compaction.profiles import preset_of, resolve
from workbench.compaction.request import Reply, Request
from workbench.compaction.run import COMPACTED, Run, replan, rewind, start, step
from workbench.compaction.settings import Layer
from workbench.compaction.stages import table
from workbench.conversation.invariants import Fault
from workbench.errors import UsageError
from workbench.evidence.grounding import ground_at
from workbench.storage import load

SUMMARY = "<analysis>long</analysis><summary>All of it, in short.</summary>"


@pytest.fixture(scope="module")
def ground() -> Ground:
    session = load(str(ROOT / "sample_sessions" / "02-two-auto-compactions.jsonl"))
    settings = resolve("articles", preset_of(session.index.last_version))
    return ground_at(session, settings, line=session.boundaries[0].line)


@pytest.fixture
def run(ground: Ground) -> Run:
    return start(ground, Plan(resolve()))


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each stage was computed."""
    counts: Counter[str] = Counter()

    def counting(stage: table.Stage) -> table.Stage:
        def do(*given: object) -> object:
            counts[stage.name] += 1
            return stage.do(*given)  # type: ignore[arg-type]

        return replace(stage, do=do)  # type: ignore[arg-type]

    for name, stage in list(table.STAGES.items()):
        monkeypatch.setitem(table.STAGES, name, counting(stage))  # type: ignore[arg-type]
    return counts


def summarize(_run: Run, _request: Request) -> Reply:
    return Reply(text=SUMMARY, source="a test")


def finished(run: Run) -> Run:
    return [*advance(run, None, summarize)][-1]


def names(run: Run) -> list[str]:
    return [result.name for result in run.results]


def test_a_thousand_steps_back_and_forth_compute_nothing_anew(run: Run, computed: Counter[str]) -> None:
    run = finished(run)
    before, results = Counter(computed), run.results
    for at in range(1_000):
        run = back(run) if at % len(results) * 2 < len(results) else step(run)
    run = rewind(run, 0)
    while not run.is_over:
        run = step(run)
    assert computed == before
    assert all(one is other for one, other in zip(run.results, results, strict=True))


def test_an_edited_summary_computes_only_what_follows(run: Run, computed: Counter[str]) -> None:
    done = finished(run)
    computed.clear()
    changed = edited(done, "Mine.")
    assert names(changed) == names(done)[: names(done).index("clean")]
    again = finished(changed)
    assert set(computed) == {"clean", "restore", "hooks", "assemble", "verify", "record"}
    assert set(computed.values()) == {1}
    assert all(one is other for one, other in zip(again.results, changed.results, strict=False))
    assert (again.work.summary, again.outcome) == ("Mine.", COMPACTED)
    assert again.results[-1].tokens_after != done.results[-1].tokens_after or len("Mine.") // 4 == len(done.work.summary) // 4


def test_an_edit_can_be_taken_back(run: Run) -> None:
    done = finished(run)
    once = finished(edited(done, "Mine."))
    assert finished(edited(once, None)).work.summary == done.work.summary
    assert edited(done, None) is done


def test_an_edit_before_the_cleaning_keeps_what_lies_ahead_up_to_it(run: Run) -> None:
    done = finished(run)
    changed = edited(rewind(done, 2), "Mine.")
    assert [r.name for r in changed.ahead] == names(done)[2 : names(done).index("clean")]


def test_another_budget_keeps_the_summary(run: Run, computed: Counter[str]) -> None:
    done = finished(run)
    computed.clear()
    settings = done.plan.settings.layered(Layer("test", {"restoreMaxFiles": 1}))
    changed = replan(done, replace(done.plan, settings=settings))
    assert names(changed)[-1] == "clean"
    finished(changed)
    assert "ask" not in computed


def test_another_summarizer_is_asked_anew(run: Run) -> None:
    done = finished(run)
    changed = replan(done, replace(done.plan, summarizer="recorded"))
    assert names(changed)[-1] == "prepare"
    assert step(changed).waiting is not None


def test_what_is_asked_next_is_shown_before_it_goes_out(run: Run) -> None:
    assert asked_next(run) is None
    at_ask = [*proceed(toggled(run, Breakpoint(STAGE, "ask")))][-1]
    shown, waits = asked_next(at_ask), step(at_ask).waiting
    assert shown is not None and waits is not None
    assert (shown.key, shown.prompt, shown.messages) == (waits.key, waits.prompt, waits.messages)


def test_it_waits_where_nobody_may_answer(run: Run) -> None:
    last = [*advance(run, None, lambda *_: None)][-1]
    assert last.waiting is not None and last.waiting.kind == "summary"
    assert finished(last).outcome == COMPACTED


def test_a_number_of_stages_is_where_it_ends(run: Run) -> None:
    assert [len(each.results) for each in advance(run, 3, summarize)] == [1, 2, 3]


def test_a_breakpoint_stops_before_its_stage_and_not_again_at_once(run: Run) -> None:
    stopped = [*proceed(toggled(run, Breakpoint(STAGE, "decide")))][-1]
    assert stopped.next == "decide"
    assert halted(stopped) == "Breakpoint: decide comes next."
    assert names(finished(stopped))[-1] == "record"


def test_tokens_stop_behind_the_stage_that_brings_them_there(run: Run) -> None:
    run = toggled(run, Breakpoint(AT_MOST, tokens=100_000))
    stopped = finished(run)
    assert names(stopped)[-1] == "clean"
    assert "tokens ≤ 100,000" in halted(stopped)
    assert names(finished(stopped))[-1] == "record", "it goes by, and does not stop for the same once more"


def test_tokens_stop_on_the_way_up_too(run: Run) -> None:
    low = finished(toggled(run, Breakpoint(AT_MOST, tokens=100_000))).results[-1].tokens_after
    stopped = finished(toggled(run, Breakpoint(AT_LEAST, tokens=low + 1)))
    assert stopped.results[-1].tokens_after > low


def test_any_fault_stops(run: Run) -> None:
    assert names(finished(toggled(run, Breakpoint(FAULT))))[-1] == "record", "there is none here"
    done = finished(run)
    faulty = replace(done.results[-1], faults=(Fault("unanswered", 9, "array", "lost", "A call has no result."),))
    halts = toggled(replace(done, results=(*done.results[:-1], faulty)), Breakpoint(FAULT))
    assert halted(halts) == "Breakpoint: record adds a fault: A call has no result."


@pytest.mark.parametrize(
    ("word", "point"),
    [
        ("ask", Breakpoint(STAGE, "ask")),
        ("Clean Summary", Breakpoint(STAGE, "clean")),
        ("tokens<=20000", Breakpoint(AT_MOST, tokens=20_000)),
        ("tokens ≥ 150,000", Breakpoint(AT_LEAST, tokens=150_000)),
        ("any fault", Breakpoint(FAULT)),
    ],
)
def test_breakpoints_are_written_as_people_do(word: str, point: Breakpoint) -> None:
    assert breakpoint_of(word) == point
    assert breakpoint_of(point.word) == point


@pytest.mark.parametrize("word", ["", "nonsense", "tokens<=0", "tokens<=many"])
def test_what_is_no_breakpoint_is_told(word: str) -> None:
    with pytest.raises(UsageError, match="is no breakpoint: write a stage"):
        breakpoint_of(word)


def test_breakpoints_in_the_order_of_the_stages(run: Run) -> None:
    for word in ("fault", "verify", "measure", "tokens<=9"):
        run = toggled(run, breakpoint_of(word))
    assert [b.word for b in breakpoints(run.plan)] == ["measure", "verify", "fault", "tokens<=9"]
    assert breakpoints(toggled(run, breakpoint_of("fault")).plan)[-1].word == "tokens<=9"
