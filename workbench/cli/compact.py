"""Run a compaction: every stage with its decision, the result, and, with -o, a session that resumes."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..answering import answerer
from ..compaction.ground import Ground
from ..compaction.plan import Plan
from ..compaction.request import SUMMARY, Reply, Request
from ..compaction.result import StageResult, fault_keys, messages_of, tokens_of
from ..compaction.run import COMPACTED, Run, forward, start
from ..compaction.settings import Settings
from ..compaction.stages.record import Recorded, recorded
from ..compaction.stages.verify import fires_again
from ..compaction.variants import FROM, UP_TO, VARIANTS, default_trigger, switched_on
from ..errors import UsageError
from ..evidence.covered import budgets_of
from ..evidence.grounding import ground_at
from ..notebook import notes_ground, notes_of
from ..storage import Fingerprint, MemoryFile, SessionFile, open_session, read_index, read_text, write_atomically
from ..summarizers import CLAUDE, Summarizer, read_choice
from ..transcript.session import Session
from . import output
from .options import add_common, chain_of, settings_of

HELP = "run a compaction, stage by stage"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    add_run_options(parser)
    parser.add_argument("--steps", action="store_true", help="tell every stage with its numbers and changes")
    parser.add_argument("--show-request", action="store_true", help="print the summary request instead of the result")
    parser.add_argument("-o", "--output", metavar="OUT", help="write a session that resumes; never over the input")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """The options that make a run, shared with export."""
    parser.add_argument("--variant", choices=tuple(VARIANTS), default="auto", help="default: %(default)s")
    parser.add_argument("--trigger", choices=("auto", "manual"), help="default: auto for auto and reactive, else manual")
    parser.add_argument("--at", type=int, metavar="LINE", help="the state right before this physical line (default: the end)")
    parser.add_argument("--pivot", metavar="UUID|LINE", help="for from and up-to: the row they cut at")
    parser.add_argument("--error", default="", metavar="TEXT", help="for reactive: the API's answer")
    parser.add_argument("--fold", nargs="+", default=[], metavar="LINE-LINE", help="for fold: which rows")
    parser.add_argument("--instructions", default="", metavar="TEXT", help="custom instructions")
    parser.add_argument("--keep", nargs="+", default=[], metavar="UUID", help="rows that must stay")
    parser.add_argument("--notes", metavar="PATH", help="notes to compact from (default: the session's own)")
    parser.add_argument(
        "--summarizer", default="offline", metavar="NAME", help="offline, recorded, file:PATH, command:CMD, claude"
    )
    parser.add_argument("--model", metavar="ID", help="for claude: default the session's")
    parser.add_argument(
        "--hook", action="append", default=[], metavar="NAME=FILE", help="text of a hook: pre, session-start, post"
    )
    parser.add_argument("--files", choices=("transcript", "disk"), default="transcript", help="where file contents come from")
    parser.add_argument("--preset", metavar="NAME", help="a version preset by name, or a version")


def run(options: argparse.Namespace) -> int:
    reader = open_session(options.path)
    since = reader.fingerprint()
    session = read_index(reader)
    done = run_of(session, options)
    if options.show_request:
        return _show_request(done, options)
    if options.json:
        output.write_json(as_json(done))
    else:
        output.write_lines(as_text(done, steps=options.steps))
    if options.output and done.outcome == COMPACTED:
        write_run(reader, session, done, options.output, since)
    elif options.output:
        output.complain("Nothing was written: the run did not compact.")
    return 0 if done.outcome == COMPACTED else 1


def write_run(reader: SessionFile | MemoryFile, session: Session, done: Run, out: str, since: Fingerprint) -> None:
    """Writes the compacted session to a file or, for -, to standard output; refuses when the input changed meanwhile."""
    from ..export.session import compacted_session

    content = compacted_session(session, done)
    reader.check_unchanged(since)
    if out == "-":
        output.write_bytes(content)
    else:
        write_atomically(Path(out), content, never=reader.path)


def run_of(session: Session, options: argparse.Namespace) -> Run:
    """The finished run that the options ask for. Raises UsageError where they do not fit the session."""
    settings = switched_on(options.variant, settings_of(session, options))
    ground = ground_for(session, options, settings)
    plan = plan_for(session, options, settings)
    ask = answerer(session, options.summarizer, line=options.at, variant=options.variant, model=options.model or ground.model)
    return forward(start(ground, plan), told(ask, options))


def told(ask: Summarizer, options: argparse.Namespace) -> Summarizer:
    """Asking a model says what it would cost before, and what came of it after, on stderr; outcomes are remembered."""
    if read_choice(options.summarizer).name != CLAUDE:
        return ask

    def asked(request: Request) -> Reply:
        from ..summarizers.costs import estimate_cost
        from ..summarizers.outcome_log import remember
        from ..summarizers.outcomes import asked as record

        model = options.model or request.model
        if request.kind == SUMMARY:
            output.complain(estimate_cost(request, model).sentence)
        reply = ask(request)
        if request.kind == SUMMARY:
            remember(record(model, reply))
            output.complain(f"{reply.outcome}: {reply.error or f'{len(reply.text):,} characters'}")
        return reply

    return asked


def ground_for(session: Session, options: argparse.Namespace, settings: Settings) -> Ground:
    """The session at the point, its notes and hooks with it."""
    if options.at is not None and options.leaf:
        raise UsageError("--at and --leaf exclude each other: the state before a line has one branch.")
    path = getattr(session.reader, "path", None)
    chain = None if options.at is not None else chain_of(session, options)
    limit = None if options.at is None else session.place_of_line(options.at)
    return ground_at(
        session,
        settings,
        line=options.at,
        chain=chain,
        notes=notes_ground(session, notes_of(session, options.notes), budgets_of(settings), limit),
        transcript=str(path) if path is not None and not session.is_request else None,
        hooks=_hooks(options.hook),
    )


def _hooks(given: Sequence[str]) -> dict[str, str]:
    hooks = {}
    for pair in given:
        name, equals, path = pair.partition("=")
        if not equals or name not in ("pre", "session-start", "post"):
            raise UsageError(f"Write a hook as pre=FILE, session-start=FILE or post=FILE, not {pair!r}.")
        hooks[name] = read_text(Path(path))
    return hooks


def plan_for(session: Session, options: argparse.Namespace, settings: Settings) -> Plan:
    """The plan that the options ask for."""
    if options.variant in (FROM, UP_TO) and not options.pivot:
        raise UsageError(f"The variant {options.variant} needs --pivot: the uuid or line of the row it cuts at.")
    return Plan(
        settings,
        options.variant,
        options.trigger or default_trigger(options.variant),
        uuid_of(session, options.pivot) if options.pivot else None,
        options.instructions,
        tuple(uuid_of(session, name) for name in options.keep),
        options.error or "prompt is too long",
        tuple(_fold(session, text) for text in options.fold),
        options.summarizer,
        options.files,
    )


def uuid_of(session: Session, name: str) -> str:
    """The uuid of a row by its uuid or its physical line."""
    if not name.isdigit():
        return name
    place = session.place_of_line(int(name))
    uuid = session.index.uuids[place] if place < len(session.index) and session.index.lines[place] == int(name) else None
    if uuid is None:
        raise UsageError(f"Line {name} holds no row with a uuid.")
    return uuid


def _fold(session: Session, text: str) -> tuple[str, str]:
    first, dash, last = text.partition("-")
    if not (dash and first.isdigit() and last.isdigit()):
        raise UsageError(f"Write rows to fold as LINE-LINE, not {text!r}.")
    inside = [
        u
        for p in range(session.place_of_line(int(first)), session.place_of_line(int(last) + 1))
        if (u := session.index.uuids[p]) is not None
    ]
    if not inside:
        raise UsageError(f"There is no row in lines {text}.")
    return inside[0], inside[-1]


def _show_request(done: Run, options: argparse.Namespace) -> int:
    requests = [r.picture for r in done.results if isinstance(r.picture, Request)]
    if not requests:
        output.complain(f"No summary request was made: {done.reason}")
        return 1
    from ..export.messages import as_json as message_json

    for request in requests:
        if options.json:
            body = {
                "model": request.model,
                "max_tokens": request.max_tokens,
                "messages": [message_json(m) for m in request.messages],
            }
            output.write_json({"purpose": request.purpose, **body})
        else:
            output.write_lines(
                [f"{request.purpose}: {len(request.messages)} messages, max_tokens {request.max_tokens:,}", "", request.prompt]
            )
    return 0


# what it prints


def as_json(done: Run) -> dict[str, Any]:
    """The contract of spec 5, "compact --json"."""
    ground, work = done.ground, done.work
    made = recorded(ground, done.plan, work) if work.boundary is not None else None
    rows = work.outgoing or work.rows
    return {
        "variant": done.plan.variant,
        "trigger": done.plan.trigger,
        "profile": done.plan.settings.profile,
        "outcome": done.outcome,
        "reason": done.reason,
        "overhead": {"tokens": ground.overhead.tokens, "kind": ground.overhead.kind, "source": ground.overhead.source},
        "stages": [stage_json(r) for r in done.results],
        "result": {
            "messages": _messages(done),
            "tokens": tokens_of(rows),
            "context": tokens_of(rows) + ground.overhead_tokens,
            "faults": [_fault(f) for f in done.results[-1].faults],
            "inherited": [list(key) for key in sorted(fault_keys(ground.rows))],
            "fires_again": fires_again(ground, work),
        },
        "boundary": None if made is None else _boundary(made),
        "summary": work.summary or None,
        "attachments": [{"kind": a.kind, "name": a.name, "tokens": a.tokens, "truncated": a.truncated} for a in work.attachments],
        "left_out": [{"kind": o.kind, "name": o.name, "reason": o.reason} for o in work.left_out],
        "cut": None if work.cut is None else {"asked": work.cut.asked, "used": work.cut.used, "reason": work.cut.reason},
        "requests": [
            {"purpose": a.purpose, "tokens": a.tokens, "retries": a.retries, "outcome": a.outcome} for a in work.requests
        ],
        "settings": {n: {"value": _plain(v.value), "source": v.source} for n, v in done.plan.settings.items()},
    }


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def stage_json(result: StageResult) -> dict[str, Any]:
    """One stage of the contract."""
    return {
        "name": result.name,
        "outcome": result.outcome,
        "reason": result.reason,
        "tokens_before": result.tokens_before,
        "tokens_after": result.tokens_after,
        "messages_before": len(messages_of(result.before)),
        "messages_after": len(messages_of(result.after)),
        "changes": [{"kind": c.kind, "uuids": list(c.uuids), "reason": c.reason} for c in result.changes],
        "faults": [_fault(f) for f in result.faults],
        "numbers": [{"name": n.name, "value": n.value, "kind": n.kind, "source": n.source} for n in result.numbers],
    }


def _fault(fault: Any) -> dict[str, Any]:
    return {"kind": fault.kind, "id": fault.id, "message_index": fault.message_index, "sentence": fault.sentence}


def _messages(done: Run) -> list[dict[str, Any]]:
    """The result's messages; the boundary is listed first, with role system and 0 tokens."""
    work = done.work
    listed = (
        [{"index": 0, "role": "system", "kinds": ["boundary"], "tokens": 0, "lines": []}] if work.boundary is not None else []
    )
    for message in messages_of(work.outgoing or work.rows):
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


SIGNS: Mapping[str, str] = {"ok": "●", "skipped": "○", "stopped": "■", "failed": "×"}


def as_text(done: Run, *, steps: bool) -> Iterator[str]:
    """For people: the stages as a table, then the result; with steps, numbers and changes of each."""
    yield f"{done.plan.variant}, {done.plan.trigger}, profile {done.plan.settings.profile}: {done.outcome}. {done.reason}"
    yield ""
    for number, result in enumerate(done.results, 1):
        change = "" if result.tokens_before == result.tokens_after else f" → {result.tokens_after:,}"
        yield f"{SIGNS[result.outcome]} {number:>2} {result.name:<15} {result.tokens_before:>9,}{change:<12}  {result.reason}"
        if steps:
            yield from _details(result)
    work = done.work
    if work.boundary is None and not work.outgoing and done.outcome != COMPACTED:
        return
    yield ""
    for message in _messages(done):
        lines = f"  lines {message['lines'][0]}-{message['lines'][-1]}" if message["lines"] else ""
        yield f"  {message['index']:>3} {message['role']:<10} {message['tokens']:>8,}  {', '.join(message['kinds'][:6])}{lines}"
    for left in work.left_out:
        yield f"  left out: {left.kind} {left.name}: {left.reason}"


def _details(result: StageResult) -> Iterator[str]:
    if result.there:
        yield f"        there: {', '.join(result.there)} · spec {result.section}"
    for number in result.numbers:
        yield f"        {number.name}: {number.value} ({number.kind}; {number.source})"
    for change in result.changes:
        some = ", ".join(u[:8] for u in change.uuids[:4])
        yield f"        {change.kind} {len(change.uuids)} rows ({some}{' …' if len(change.uuids) > 4 else ''}): {change.reason}"
    for fault in result.faults:
        yield f"        fault: {fault.sentence}"
