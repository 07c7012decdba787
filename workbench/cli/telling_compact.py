"""What `workbench compact` prints: the contract for programs, a table of the stages for people, the requests it would send."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..compaction.event import Event, event_of
from ..compaction.microcompact import Microcompaction
from ..compaction.request import Request
from ..compaction.result import StageResult, messages_of, tokens_of
from ..compaction.run import COMPACTED, Run
from ..compaction.stages.record import Recorded, recorded
from ..compaction.stages.verify import fires_again, inherited_faults
from ..conversation.figure import ESTIMATED, LOWER_BOUND, UNKNOWN, Figure
from ..conversation.invariants import Fault
from ..conversation.row import Row
from ..conversation.text import compact_json
from ..conversation.wording import counted
from ..export.messages import as_json as message_json
from . import output

SIGNS: Mapping[str, str] = {"ok": "●", "skipped": "○", "stopped": "■", "failed": "×"}


@dataclass(frozen=True, slots=True)
class Also:
    """The result by another estimator: tokens of the messages, and in context with the overhead that it gives."""

    name: str
    tokens: int
    context: Figure


def requests_of(done: Run) -> tuple[Request, ...]:
    """Every summary request that was made, in order."""
    return tuple(r.picture for r in done.results if isinstance(r.picture, Request))


def request_json(request: Request) -> dict[str, Any]:
    """One request: what it is for, and its body but for system and tools, which are the session's own."""
    return {
        "purpose": request.purpose,
        "tokens": None if request.tokens is None else request.tokens.tokens,
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [message_json(m) for m in request.messages],
    }


def request_text(request: Request) -> Iterator[str]:
    """One request for people: its size, and the instruction word for word."""
    tokens = "" if request.tokens is None or request.tokens.tokens is None else f"about {request.tokens.tokens:,} tokens, "
    yield f"{request.purpose}: {counted(len(request.messages), 'message')}, {tokens}max_tokens {request.max_tokens:,}"
    yield ""
    yield from request.prompt.split("\n")


def as_json(done: Run, expected: Figure | None = None, also: Also | None = None) -> dict[str, Any]:
    """The contract of spec 5, "compact --json"; `expected` is what the next call would measure, by calibration.

    also  by another estimator, which was asked for
    """
    ground, work = done.ground, done.work
    context = ground.in_context(work.sent)
    made = recorded(ground, done.plan, work) if work.boundary is not None else None
    return {
        "variant": done.plan.variant,
        "trigger": done.plan.trigger,
        "profile": done.plan.settings.profile,
        "outcome": done.outcome,
        "reason": done.reason,
        "overhead": {"tokens": ground.overhead.tokens, "kind": ground.overhead.kind, "source": ground.overhead.source},
        "stages": list(stages_json(done.results)),
        "result": {
            "messages": _messages(done),
            "tokens": tokens_of(work.sent),
            "context": context.tokens if context.kind == ESTIMATED else None,
            "context_kind": context.kind if context.kind == ESTIMATED else UNKNOWN,
            "faults": [_fault(f) for f in done.results[-1].faults],
            "inherited": [_fault(f) for f in inherited_faults(ground, work)],
            "fires_again": fires_again(ground, work),
            **({} if expected is None else {"expected": asdict(expected)}),
            **({} if also is None else {"by_estimator": _also(also)}),
        },
        "boundary": None if made is None else _boundary(made),
        "summary": work.summary or None,
        "attachments": [{"kind": a.kind, "name": a.name, "tokens": a.tokens, "truncated": a.truncated} for a in work.attachments],
        "left_out": [{"kind": o.kind, "name": o.name, "reason": o.reason} for o in work.left_out],
        "cut": None if work.cut is None else {"asked": work.cut.asked, "used": work.cut.used, "reason": work.cut.reason},
        "event": _event(event_of(done)),
        "requests": [
            {"purpose": a.purpose, "tokens": a.tokens, "retries": a.retries, "outcome": a.outcome} for a in work.requests
        ],
        "settings": {n: {"value": _plain(v.value), "source": v.source} for n, v in done.plan.settings.items()},
    }


def _also(also: Also) -> dict[str, Any]:
    context = also.context
    return {
        "name": also.name,
        "tokens": also.tokens,
        "context": context.tokens,
        "kind": context.kind,
        "source": context.source,
    }


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def stages_json(results: Sequence[StageResult]) -> Iterator[dict[str, Any]]:
    """The stages of the contract; arrays that are the same are counted once."""
    rows: tuple[Row, ...] | None = None
    count = 0
    for result in results:
        before = count if result.before == rows else len(messages_of(result.before))
        rows, count = result.after, before if result.after == result.before else len(messages_of(result.after))
        yield _stage(result, before, count)


def _stage(result: StageResult, before: int, after: int) -> dict[str, Any]:
    """One stage; of cached clearing also the agent's own block and what the public API has instead."""
    cached = result.picture.cached if isinstance(result.picture, Microcompaction) else None
    edits = {"cache_edits": cached.block, "public_equivalent": cached.public} if cached is not None and cached.fired else {}
    return {
        "name": result.name,
        "outcome": result.outcome,
        "reason": result.reason,
        "tokens_before": result.told_before.tokens,
        "tokens_after": result.told_after.tokens,
        "tokens_kind": result.told_after.kind,
        "messages_before": before,
        "messages_after": after,
        "changes": [{"kind": c.kind, "uuids": list(c.uuids), "reason": c.reason} for c in result.changes],
        "faults": [_fault(f) for f in result.faults],
        "numbers": [{"name": n.name, "value": n.value, "kind": n.kind, "source": n.source} for n in result.numbers],
        **edits,
    }


def _event(event: Event) -> dict[str, Any]:
    return {
        "trigger": event.trigger,
        "variant": event.variant,
        "outcome": event.outcome,
        "tokens_before": event.tokens_before,
        "tokens_after": event.tokens_after,
        "duration_ms": event.duration_ms,
        "retries": event.retries,
        "model": list(event.model),
    }


def _fault(fault: Fault) -> dict[str, Any]:
    return {"kind": fault.kind, "id": fault.id, "message_index": fault.message_index, "sentence": fault.sentence}


def _messages(done: Run) -> list[dict[str, Any]]:
    """The result's messages; the boundary is listed first, with role system and 0 tokens."""
    work = done.work
    listed = (
        [{"index": 0, "role": "system", "kinds": ["boundary"], "tokens": 0, "lines": []}] if work.boundary is not None else []
    )
    for message in messages_of(work.sent):
        kinds = ["summary" if p.row is not None and p.row.is_summary and p.row.place < 0 else p.block.kind for p in message.parts]
        listed.append(
            {"index": len(listed), "role": message.role, "kinds": kinds, "tokens": message.tokens, "lines": list(message.lines)}
        )
    return listed


def _boundary(made: Recorded) -> dict[str, Any]:
    return {
        "trigger": made.trigger,
        "pre_tokens": made.pre_tokens,
        "post_tokens": made.post_tokens,
        "logical_parent": made.logical_parent,
        "preserved": None
        if made.segment is None
        else {"head": made.segment[0], "anchor": made.anchor, "tail": made.segment[1], "uuids": list(made.kept)},
        "discovered_tools": list(made.discovered_tools),
    }


def as_text(done: Run, *, steps: bool, expected: Figure | None = None, also: Also | None = None) -> Iterator[str]:
    """For people: the stages as a table, then the result; with steps, numbers and changes of each."""
    yield f"{done.plan.variant}, {done.plan.trigger}, profile {done.plan.settings.profile}: {done.outcome}. {done.reason}"
    yield ""
    for number, result in enumerate(done.results, 1):
        before, after = _bounded(result.told_before), _bounded(result.told_after)
        change = "" if before == after else f" → {after}"
        yield f"{SIGNS[result.outcome]} {number:>2} {result.name:<15} {before:>9}{change:<12}  {result.reason}"
        if steps:
            yield from _details(result)
    work = done.work
    if work.boundary is None and not work.outgoing and done.outcome != COMPACTED:
        return
    if expected is not None and expected.tokens is not None:
        yield f"   the next call would measure about {expected.tokens:,} tokens ({expected.kind}: {expected.source})"
    if also is not None:
        context = f"{also.context.words} in context ({also.context.source})"
        yield f"   by {also.name}: {counted(also.tokens, 'token')} of messages, {context}"
    yield ""
    for message in _messages(done):
        kinds, lines = ", ".join(message["kinds"][:6]), _lines(message["lines"])
        yield f"  {message['index']:>3} {message['role']:<10} {message['tokens']:>8,}  {kinds}{lines}"
    for left in work.left_out:
        yield f"  left out: {left.kind} {left.name}: {left.reason}"


def _lines(lines: Sequence[int]) -> str:
    if not lines:
        return ""
    return f"  line {lines[0]}" if lines[0] == lines[-1] else f"  lines {lines[0]}-{lines[-1]}"


def _bounded(figure: Figure) -> str:
    return ("≥" if figure.kind == LOWER_BOUND else "") + output.number(figure.tokens)


def _details(result: StageResult) -> Iterator[str]:
    if result.there:
        yield f"        there: {', '.join(result.there)} · spec {result.section}"
    for number in result.numbers:
        yield f"        {number.name}: {number.value} ({number.kind}; {number.source})"
    if isinstance(result.picture, Microcompaction) and (cached := result.picture.cached) is not None and cached.fired:
        yield f"        the agent's own block, never sent: {compact_json(cached.block)}"
        yield f"        of the public API: {compact_json(cached.public)}"
    for change in result.changes:
        some = ", ".join(u[:8] for u in change.uuids[:4])
        some += " …" if len(change.uuids) > 4 else ""
        yield f"        {change.kind} {counted(len(change.uuids), 'row')} ({some}): {change.reason}"
    for fault in result.faults:
        yield f"        fault: {fault.sentence}"
