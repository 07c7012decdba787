"""A run as a frozen value, and the functions that take it a step on, answer it, change its plan or go back.

    step(run) -> run              one stage, or stop at an unanswered question
    answer(run, reply) -> run     editing an old answer forgets only what used it
    replan(run, plan) -> run      keeps the results that the change cannot reach
    rewind(run, to) -> run

Looking back recomputes nothing: a result holds all it showed. Same answers, same run (design: "How one steps through it").
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from .ground import Ground, NotesGround
from .plan import Plan
from .request import Reply, Request
from .result import FAILED, OK, STOPPED, StageResult, StageStep, Work
from .stages.clean_reply import EDITED
from .stages.notes_path import NAME as NOTES
from .stages.table import FIRST, STAGES, reads

COMPACTED, SKIPPED_RUN, FAILED_RUN, RUNNING = "compacted", "skipped", "failed", "running"


@dataclass(frozen=True, slots=True)
class Run:
    """A compaction on its way.

    results   one a stage, in order; `ahead` those a rewind went back over, still valid
    replies   answers by the key of their request
    waiting   the question that must be answered before the next step
    """

    ground: Ground
    plan: Plan
    results: tuple[StageResult, ...] = ()
    ahead: tuple[StageResult, ...] = ()
    replies: Mapping[str, Reply] = field(default_factory=dict)
    waiting: Request | None = None

    @property
    def work(self) -> Work:
        """The work as the last result left it."""
        return self.results[-1].work if self.results else Work(self.ground.rows)

    @property
    def next(self) -> str | None:
        """The stage that comes next; None when the run is over."""
        return following(self)

    @property
    def is_over(self) -> bool:
        return self.next is None

    @property
    def outcome(self) -> str:
        """compacted | skipped | failed, or running."""
        if not self.is_over:
            return RUNNING
        return outcome_of(self.results)

    @property
    def reason(self) -> str:
        """Why it ended as it did, from the stage that decided."""
        return deciding(self.results).reason if self.results else ""


def start(ground: Ground, plan: Plan) -> Run:
    """A run before its first stage."""
    return Run(ground, plan)


def following(run: Run) -> str | None:
    """The name of the next stage, from the last result."""
    if not run.results:
        return FIRST
    last = run.results[-1]
    return STAGES[last.name].follow(last, run.plan)


def step(run: Run) -> Run:
    """One stage further: a result that a rewind went back over is taken as it is, else the stage is computed."""
    name = following(run)
    if name is None:
        return run
    if run.ahead and run.ahead[0].name == name:
        return replace(run, results=(*run.results, run.ahead[0]), ahead=run.ahead[1:], waiting=None)
    done: StageStep = STAGES[name].do(run.ground, run.plan, run.work, run.replies)
    if isinstance(done, Request):
        return replace(run, waiting=done, ahead=())
    return replace(run, results=(*run.results, done), ahead=(), waiting=None)


def answer(run: Run, key: str, reply: Reply) -> Run:
    """An answer to a question. Another answer than the run has forgets the results from the first stage that looked for it."""
    if run.replies.get(key) == reply:
        return replace(run, waiting=None)
    run = _up_to(run, lambda result: key in result.answers)
    return replace(run, replies={**run.replies, key: reply}, waiting=None)


def _up_to(run: Run, is_stale: Callable[[StageResult], bool]) -> Run:
    """The run without the first stale result and all behind it, whether they stand in it or ahead."""
    everything, position = (*run.results, *run.ahead), len(run.results)
    kept = next((at for at, result in enumerate(everything) if is_stale(result)), len(everything))
    position = min(position, kept)
    return replace(run, results=everything[:position], ahead=everything[position:kept], waiting=None)


def replan(run: Run, plan: Plan) -> Run:
    """Another plan: the results of stages that do not look at what changed are kept, up to the first that does.

    Answers stay: the key of a question names what it asks, so that another one is asked anew and the same one is not. What
    the user edited is lost with the reply that it stood for.
    """
    changed = frozenset(_changes(run.plan, plan))
    kept = replace(_up_to(run, lambda result: bool(reads(result.name) & changed)), plan=plan)
    left = (*kept.results, *kept.ahead)
    if len(left) == len(run.results) + len(run.ahead) or any(EDITED in result.answers for result in left):
        return kept
    return replace(kept, replies={key: reply for key, reply in run.replies.items() if key != EDITED})


def renoted(run: Run, notes: NotesGround) -> Run:
    """Other notes: the results before the stage that looks at them are kept."""
    if notes == run.ground.notes:
        return run
    kept = _up_to(run, lambda result: result.name == NOTES)
    return replace(kept, ground=replace(run.ground, notes=notes))


def _changes(old: Plan, new: Plan) -> set[str]:
    """Names of the plan's fields and settings that differ."""
    names = {
        n
        for n in ("variant", "trigger", "pivot", "instructions", "pins", "error", "folds", "summarizer", "files")
        if getattr(old, n) != getattr(new, n)
    }
    names |= {name for name, value in new.settings.items() if old.settings[name].value != value.value}
    return names


def rewind(run: Run, to: int) -> Run:
    """Back to `to` results; what lies ahead is remembered and not computed again."""
    to = max(0, min(to, len(run.results)))
    return replace(run, results=run.results[:to], ahead=(*run.results[to:], *run.ahead), waiting=None)


def forward(run: Run, ask: Callable[[Request], Reply]) -> Run:
    """To the end, asking `ask` whenever something is wanted from outside."""
    while not run.is_over:
        run = step(run)
        if run.waiting is not None:
            run = answer(run, run.waiting.key, ask(run.waiting))
    return run


def deciding(results: tuple[StageResult, ...]) -> StageResult:
    """The result that settled how the run ended: the last that stopped or failed, else the last."""
    for result in reversed(results):
        if result.outcome in (STOPPED, FAILED) and not STAGES[result.name].may_fall_through(result, results):
            return result
    return results[-1]


def outcome_of(results: tuple[StageResult, ...]) -> str:
    """How a finished run ended."""
    last = deciding(results)
    if last.outcome == FAILED:
        return FAILED_RUN
    if last.outcome == STOPPED:
        return SKIPPED_RUN
    return COMPACTED if any(r.name in ("record", "microcompact", "fold") and r.outcome == OK for r in results) else SKIPPED_RUN
