"""The stages and the way from one to the next: the flow that the screen draws."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..ground import Ground
from ..plan import Plan
from ..request import TOO_LONG, Reply
from ..result import FAILED, OK, SKIPPED, STOPPED, StageResult, StageStep, Work
from ..variants import AUTO, FOLD, MICRO_CACHED, MICRO_TIME, SESSION_MEMORY
from . import (
    ask,
    bring_back,
    clean_reply,
    clear_results,
    decide,
    fold,
    hooks,
    measure,
    notes_path,
    pre_hook,
    prepare,
    put_together,
    record,
    shorten_request,
    verify,
)

Do = Callable[[Ground, Plan, Work, Mapping[str, Reply]], StageStep]
FIRST = measure.NAME
PLAN_FIELDS = frozenset(("variant", "trigger"))


def _never(result: StageResult, results: tuple[StageResult, ...]) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: what it does, what follows its result, and which fields of the plan and settings it looks at."""

    name: str
    title: str
    do: Do
    follow: Callable[[StageResult, Plan], str | None]
    reads: frozenset[str]
    may_fall_through: Callable[[StageResult, tuple[StageResult, ...]], bool] = _never


def _then(name: str | None) -> Callable[[StageResult, Plan], str | None]:
    return lambda result, plan: None if result.outcome in (STOPPED, FAILED) else name


def _after_clearing(result: StageResult, plan: Plan) -> str | None:
    if plan.variant in (MICRO_TIME, MICRO_CACHED):
        return verify.NAME if result.outcome == OK else None
    return decide.NAME


def _after_deciding(result: StageResult, plan: Plan) -> str | None:
    if result.outcome != OK:
        return None
    return fold.NAME if plan.variant == FOLD else pre_hook.NAME


def _after_hook(result: StageResult, plan: Plan) -> str | None:
    if result.outcome == STOPPED:
        return None
    return notes_path.NAME if plan.variant in (AUTO, SESSION_MEMORY) else prepare.NAME


def _after_notes(result: StageResult, plan: Plan) -> str | None:
    if result.outcome == OK:
        return bring_back.NAME
    return prepare.NAME if result.outcome == SKIPPED else None


def _after_ask(result: StageResult, plan: Plan) -> str | None:
    if result.outcome != OK:
        return None
    work = result.work
    outcome = work.requests[-1].outcome
    if outcome == TOO_LONG:
        return shorten_request.NAME
    return clean_reply.NAME if outcome == "ok" else ask.NAME


def _after_assembly(result: StageResult, plan: Plan) -> str | None:
    if result.outcome == OK:
        return verify.NAME
    return prepare.NAME if plan.variant == AUTO and result.section == "5.6" else None


def _after_verify(result: StageResult, plan: Plan) -> str | None:
    if result.outcome != OK or result.work.boundary is None:
        return None
    return record.NAME


def _notes_fell(result: StageResult, results: tuple[StageResult, ...]) -> bool:
    """A failed attempt from notes that full compaction went on from decides nothing."""
    return result.section == "5.6" and results[-1] is not result


def _stage(module_name: str, title: str, do: Do, follow: Callable[[StageResult, Plan], str | None], *reads: str) -> Stage:
    return Stage(
        module_name,
        title,
        do,
        follow,
        PLAN_FIELDS | frozenset(reads),
        _notes_fell if module_name == put_together.NAME else _never,
    )


STAGES: Mapping[str, Stage] = {
    s.name: s
    for s in (
        _stage(measure.NAME, "measure", measure.measure, _then(clear_results.NAME), *measure.READS),
        _stage(
            clear_results.NAME,
            "clear old results",
            clear_results.clear_results,
            _after_clearing,
            *clear_results.READS,
        ),
        _stage(
            decide.NAME,
            "decide",
            decide.decide,
            _after_deciding,
            "DISABLE_COMPACT",
            "DISABLE_AUTO_COMPACT",
            "autoCompactEnabled",
            "querySource",
            "reactive",
            "collapse",
            "maxConsecutiveFailures",
            "thrashTurns",
            "thrashRepeats",
        ),
        _stage(
            fold.NAME,
            "fold rounds",
            fold.fold,
            lambda r, p: verify.NAME if r.outcome == OK else None,
            *fold.READS,
        ),
        _stage(pre_hook.NAME, "PreCompact hook", pre_hook.pre_hook, _after_hook, "instructions"),
        _stage(notes_path.NAME, "session memory", notes_path.from_notes, _after_notes, *notes_path.READS),
        _stage(
            prepare.NAME,
            "prepare request",
            prepare.prepare,
            _then(ask.NAME),
            *prepare.READS,
        ),
        _stage(ask.NAME, "ask", ask.ask, _after_ask, *ask.READS),
        _stage(
            shorten_request.NAME,
            "retry shorter",
            shorten_request.shorten_request,
            _then(ask.NAME),
            *shorten_request.READS,
        ),
        _stage(
            clean_reply.NAME, "clean summary", clean_reply.clean_reply, _then(bring_back.NAME), "untaggedSummary", "manualGoesOn"
        ),
        _stage(bring_back.NAME, "restore", bring_back.bring_back, _then(hooks.NAME), *bring_back.READS),
        _stage(hooks.NAME, "hooks", hooks.run_hooks, _then(put_together.NAME)),
        _stage(put_together.NAME, "assemble", put_together.put_together, _after_assembly, "keepLastRound"),
        _stage(verify.NAME, "verify", verify.verify, _after_verify),
        _stage(record.NAME, "record", record.record, lambda r, p: None),
    )
}


def reads(name: str) -> frozenset[str]:
    """What of a plan and its settings a stage looks at; a change of it makes its result, and all after it, stale."""
    return STAGES[name].reads
