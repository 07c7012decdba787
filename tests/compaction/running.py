"""Whole runs for tests: over rows made by hand, or over a session at a point; and what must hold of any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from workbench.answering import answerer
from workbench.cli.telling_compact import as_json
from workbench.compaction.breaker import Tracking
from workbench.compaction.faults import fault_keys
from workbench.compaction.ground import Ground, NotesGround
from workbench.compaction.plan import Plan
from workbench.compaction.profiles import ARTICLES, preset_of, resolve
from workbench.compaction.request import Reply, Request
from workbench.compaction.result import StageResult, messages_of, tokens_of
from workbench.compaction.run import Run, forward, start
from workbench.compaction.settings import Settings, flag_layer
from workbench.compaction.threshold import threshold_of
from workbench.compaction.variants import default_trigger, switched_on
from workbench.compaction.window import Facts, window_evidence
from workbench.compaction.working_set import WorkingSet
from workbench.conversation.figure import exact
from workbench.conversation.row import Row
from workbench.evidence.grounding import ground_at
from workbench.notebook import notes_ground, notes_of
from workbench.transcript.boundary import Boundary
from workbench.transcript.session import Session

SAMPLES = sorted((Path(__file__).parents[2] / "sample_sessions").glob("*.jsonl"))
OPUS = "claude-opus-4-5-20251101"
SUMMARY = "<analysis>thoughts</analysis><summary>What was done, in short.</summary>"
Answer = Callable[[Request], Reply]


def well(_: Request) -> Reply:
    """Answers any question as one would wish."""
    return Reply(text=SUMMARY, source="a test")


def settings_for(variant: str, *flags: str, profile: str = ARTICLES, version: str | None = None) -> Settings:
    return switched_on(variant, resolve(profile, preset_of(version) if version else None, [flag_layer(flags)]))


def ground_of(
    rows: Sequence[Row],
    settings: Settings,
    *,
    tokens: int | None = None,
    overhead: int = 0,
    model: str = OPUS,
    now: str | None = None,
    tracking: Tracking | None = None,
    working: WorkingSet | None = None,
    notes: NotesGround | None = None,
    hooks: Mapping[str, str] | None = None,
) -> Ground:
    """A session that stands at these rows; `tokens` in context, by default what the rows and the overhead come to."""
    window = window_evidence(Facts(model, None, ()), settings)
    return Ground(
        session_id="told",
        rows=tuple(rows),
        tokens=exact(tokens_of(rows) + overhead if tokens is None else tokens, "told"),
        overhead=exact(overhead, "told"),
        window=window,
        threshold=threshold_of(window, model, settings),
        working=working or WorkingSet(),
        model=model,
        transcript="/sessions/told.jsonl",
        now=now,
        last_time=max((r.timestamp for r in rows if r.timestamp), default=None),
        tracking=tracking or Tracking(),
        notes=notes or NotesGround(),
        hooks=hooks or {},
    )


def begun(
    rows: Sequence[Row], variant: str = "full", *flags: str, profile: str = ARTICLES, trigger: str | None = None, **given: object
) -> Run:
    """A run over rows before its first stage; `given` goes to the plan where it has such a field, else to the ground."""
    settings = settings_for(variant, *flags, profile=profile)
    wanted = {name: given.pop(name) for name in tuple(given) if name in Plan.__dataclass_fields__}
    ground = ground_of(rows, settings, **given)  # type: ignore[arg-type]
    return start(ground, Plan(settings, variant, trigger or default_trigger(variant), **wanted))  # type: ignore[arg-type]


def done(rows: Sequence[Row], variant: str = "full", *flags: str, ask: Answer = well, **given: object) -> Run:
    """A finished run over rows."""
    return forward(begun(rows, variant, *flags, **given), ask)  # type: ignore[arg-type]


def ground_from(session: Session, settings: Settings, line: int | None = None) -> Ground:
    """A session before a line, as the command line starts from it."""
    return ground_at(session, settings, line=line, notes=notes_ground(session, notes_of(session)), transcript="/told.jsonl")


def run_at(
    session: Session,
    variant: str = "auto",
    *flags: str,
    line: int | None = None,
    profile: str = ARTICLES,
    trigger: str | None = None,
    summarizer: str = "offline",
    ask: Answer | None = None,
    ground: Ground | None = None,
    **wanted: object,
) -> Run:
    """A finished run of a session before a line, as the command line makes it."""
    settings = settings_for(variant, *flags, profile=profile, version=session.index.last_version)
    ground = ground or ground_from(session, settings, line)
    given: dict[str, object] = {"error": "prompt is too long", "summarizer": summarizer, **wanted}
    plan = Plan(settings, variant, trigger or default_trigger(variant), **given)  # type: ignore[arg-type]
    answer = ask or answerer(session, summarizer, line=line, variant=variant, model=ground.model)
    return forward(start(ground, plan), answer)


def pivot_in(rows: Sequence[Row], share: float = 0.5) -> str:
    """A row of the conversation to cut at, so far into it."""
    said = [row.uuid for row in rows if row.kind in ("user", "assistant")]
    return said[min(len(said) - 1, int(len(said) * share))] if said else "none"


def names(run: Run) -> list[str]:
    return [result.name for result in run.results]


def stage(run: Run, name: str) -> StageResult:
    """The last result of that stage."""
    return next(result for result in reversed(run.results) if result.name == name)


def number(result: StageResult, name: str) -> str:
    return next(each.value for each in result.numbers if each.name == name)


def sent_rows(run: Run) -> list[Row]:
    return [row for row in run.work.sent if row.role is not None]


def check(run: Run) -> None:
    """What holds of every run that is over, whatever was asked of it."""
    told = as_json(run)
    stages, result = told["stages"], told["result"]
    assert stages[0]["name"] == "measure"
    for earlier, later in pairwise(stages):
        assert earlier["tokens_after"] == later["tokens_before"], (earlier["name"], later["name"])
    assert [s["name"] for s in stages if s["faults"]] == []
    assert result["faults"] == []
    assert sum(m["tokens"] for m in result["messages"]) == result["tokens"]
    check_tokens(run, told)
    assert told["outcome"] in ("compacted", "skipped", "failed") and told["reason"]
    assert (told["boundary"] is not None) == (run.work.boundary is not None)
    check_rows(run)
    if told["outcome"] != "compacted":
        assert told["boundary"] is None or stages[-1]["outcome"] == "failed"


def check_tokens(run: Run, told: Mapping[str, Any]) -> None:
    """Array + overhead; where the overhead is unknown, the array alone is a lower bound and the context stays unknown."""
    stages, result = told["stages"], told["result"]
    total = result["tokens"] + run.ground.overhead_tokens
    assert stages[-1]["tokens_after"] == (total or None)
    if run.ground.overhead.tokens is None:
        assert result["context"] is None and result["fires_again"] is not False
        assert {s["tokens_kind"] for s in stages} <= {"lower bound", "unknown"}
    else:
        assert result["context"] == (total or None)
        assert {s["tokens_kind"] for s in stages} <= {"estimated", "unknown"}


def check_rows(run: Run) -> None:
    """Order is kept, no call loses the result it had, no reply is split, and whatever is new was made by the run."""
    before, after = run.ground.rows, run.work.sent
    places = {row.uuid: at for at, row in enumerate(before)}
    kept = [row.uuid for row in after if row.uuid in places]
    assert len(kept) == len(set(kept))
    if run.work.boundary is None or run.work.side:
        assert kept == sorted(kept, key=lambda uuid: places[uuid])
    assert all(row.place < 0 for row in after if row.uuid not in places)
    assert fault_keys(after) <= run.ground.known_faults
    whole = {row.message_id: 0 for row in before if row.message_id}
    for row in before:
        if row.message_id and row.role is not None:
            whole[row.message_id] += bool(row.blocks)
    left = [row.message_id for row in after if row.message_id and row.blocks]
    assert all(left.count(name) == whole[name] for name in set(left)) or any(c.kind == "drop-thinking" for c in changes(run))
    assert len(messages_of(after)) <= len(after)


def changes(run: Run) -> list:
    return [change for result in run.results for change in result.changes]


def attached(session: Session, boundary: Boundary) -> Iterator[Mapping[str, Any]]:
    """What the agent brought back behind a recorded boundary: the attachments up to the next reply, in file order."""
    for place in range(boundary.place, len(session.index)):
        kind = session.index.kind(place)
        if kind == "assistant":
            return
        if kind.startswith("attachment"):
            yield session.body(place)["attachment"]
