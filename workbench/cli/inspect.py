"""What is in a session: file, tree, chain, array, pairs, calls, tokens, boundaries, requests, notes."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..compaction.settings import Settings
from ..conversation.figure import Figure
from ..conversation.wording import counted
from ..errors import SessionError
from ..evidence.covered import budgets_of, facts_of_notes
from ..evidence.inspection import BoundaryFacts, Inspection, Spend, inspect
from ..memory.coverage import Coverage
from ..notebook import notes_of
from ..storage import STDIN, agent_files, is_folder, load, sessions_in
from ..transcript.chain import Chain
from ..transcript.session import Session
from . import output
from .estimating import EstimatorFor, estimators
from .options import add_common, chain_of, settings_of
from .telling_notes import as_json as notes_json

MOST_NAMED = 4  # of what a line for people lists
HELP = "what is in a session (or, a line each, in a folder of them)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument("--notes", metavar="PATH", help="the session's notes (default: the session's own file)")


def run(options: argparse.Namespace) -> int:
    if options.path != STDIN and is_folder(options.path):
        with estimators(options.estimator) as by:
            return _folder(Path(options.path).expanduser(), options, by)
    session = load(options.path)
    with estimators(options.estimator) as by:
        settings, chain = settings_of(session, options), chain_of(session, options)
        found = inspect(session, settings, chain, by(session))
    notes = notes_facts(session, chain, options.notes, settings)
    if options.json:
        output.write_json({**as_json(found), "agents": agents_of(session), "notes": notes})
    else:
        output.write_lines([*as_text(found), *_agents_lines(agents_of(session)), *_notes_lines(notes)])
    return 0


def _folder(folder: Path, options: argparse.Namespace, by: EstimatorFor) -> int:
    """One line a session; one that cannot be read says so and stops nothing."""
    rows = [["session", "bytes", "lines", "messages", "context", "boundaries", "damaged"]]
    values: list[dict[str, Any]] = []
    for path in sessions_in(folder):
        try:
            session = load(str(path))
            found = inspect(session, settings_of(session, options), by=by(session))
        except SessionError as error:
            output.complain(str(error))
            values.append({"path": str(path), "error": str(error)})
            continue
        facts = session.facts
        values.append({**as_json(found), "path": str(path)})
        rows.append(
            [
                path.stem,
                f"{facts.size:,}",
                f"{facts.lines:,}",
                f"{found.array.messages:,}",
                _figure(found.context.now),
                str(len(found.boundaries)),
                str(facts.damaged_lines),
            ]
        )
    if options.json:
        output.write_json({"sessions": values})
    elif len(rows) == 1 and not values:
        output.write_lines([f"There is no session file in {folder}."])
    else:
        output.write_lines(output.table(rows, right=(1, 2, 3, 4, 5, 6)))
    return 0


def as_json(found: Inspection) -> dict[str, Any]:
    """The contract of spec 5, "inspect --json", without notes."""
    session = found.session
    return {
        "file": _file(session),
        "records": session.index.record_counts(),
        "sessions": dict(session.index.sessions),
        "versions": dict(session.index.versions),
        "models": found.models,
        "tree": _tree(found),
        "chain": _chain(found),
        "array": _array(found),
        "pairs": _pairs(found),
        "calls": {
            "main": found.main.calls,
            "sidechain": found.sidechain.calls,
            "synthetic_rows": found.synthetic_rows,
            "unmeasured": found.main.unmeasured + found.sidechain.unmeasured,
        },
        "spend": {"main": _spend(found.main), "sidechain": _spend(found.sidechain)},
        "context": {
            **_figure_json(found.context.now),
            "source": found.context.source,
            "last_call": found.context.last_call,
            "peak": found.peak,
            "explanation": found.context.now.source,
        },
        "overhead": _figure_json(found.overhead),
        "window": _window(found),
        "threshold": _threshold(found),
        "boundaries": [_boundary(b) for b in found.boundaries],
        "microcompactions": [
            {"line": m.line, "pre_tokens": m.pre_tokens, "tokens_saved": m.tokens_saved, "tool_ids": list(m.tool_ids)}
            for m in session.microcompactions
        ],
        "requests": {"count": found.requests, "exact": found.exact_request},
        "estimator": {"name": found.estimator.name, "words": found.estimator.words, "detail": found.estimator.detail},
    }


def _file(session: Session) -> dict[str, Any]:
    facts = session.facts
    return {
        "path": str(getattr(session.reader, "path", session.reader.name)),
        "bytes": facts.size,
        "lines": facts.lines,
        "damaged_lines": facts.damaged_lines,
        "recovered_records": facts.recovered_records,
        "lost_fragments": facts.lost_fragments,
        "nul_bytes": facts.nul_bytes,
        "lone_surrogates": facts.lone_surrogates,
        "nul_characters": facts.nul_characters,
        "bom": facts.bom,
        "crlf": facts.crlf,
    }


def _tree(found: Inspection) -> dict[str, Any]:
    tree = found.tree
    return {
        "nodes": tree.nodes,
        "duplicate_rows": tree.duplicate_rows,
        "roots": list(tree.roots),
        "dangling": list(tree.dangling),
        "conflicting_uuids": list(tree.conflicting),
        "odd_parents": [{"line": o.line, "uuid": o.uuid, "parent": o.parent, "is_root": o.is_root} for o in found.odd_parents],
        "leaves": list(tree.leaves),
    }


def _chain(found: Inspection) -> dict[str, Any]:
    chain, index = found.chain, found.session.index
    return {
        "kind": "sub-agent" if chain.is_sub_agent else "main",
        "leaf": None if chain.leaf is None else index.uuids[chain.leaf],
        "end": "cycle" if chain.ends_in_cycle else "root",
        "length": len(chain.places),
        "gaps": [index.uuids[p] for p in chain.gaps],
        "dead_replies": found.dead_replies,
        "kept": [index.uuids[p] for p in chain.kept],
        "boundary": None if chain.boundary is None else index.uuids[chain.boundary],
    }


def _array(found: Inspection) -> dict[str, Any]:
    a = found.array
    return {
        "messages": a.messages,
        "bytes": a.size,
        "images": a.images,
        "image_max_px": a.image_max_px,
        "empty_texts": a.empty_texts,
        "empty_messages": a.empty_messages,
        "tokens": a.tokens,
        "unknown_block_types": list(a.unknown_block_types),
    }


def _pairs(found: Inspection) -> dict[str, Any]:
    pairs, file = found.pairs, found.file_pairs
    return {
        "calls": pairs.calls,
        "results": pairs.results,
        "unanswered": list(pairs.unanswered),
        "unasked": list(pairs.unasked),
        "duplicate_results": list(pairs.duplicate_results),
        "duplicate_calls": list(pairs.duplicate_calls),
        "misplaced": list(pairs.misplaced),
        "server_unpaired": list(pairs.server_unpaired),
        "file": {
            "calls": file.calls,
            "results": file.results,
            "unanswered": list(file.unanswered),
            "unasked": list(file.unasked),
        },
    }


def _spend(spend: Spend) -> dict[str, int | None]:
    return {"prompt": spend.prompt, "output": spend.output}


def _figure_json(figure: Figure) -> dict[str, Any]:
    return {"tokens": figure.tokens, "kind": figure.kind, "source": figure.source}


def _window(found: Inspection) -> dict[str, Any]:
    window = found.window
    return {
        "tokens": window.tokens,
        "source": window.source,
        "proven_by": window.proven_by,
        "overruled": list(window.overruled),
        "why": window.why,
    }


def _threshold(found: Inspection) -> dict[str, Any]:
    t = found.threshold
    return {
        "effective": _level(t.effective),
        "auto": t.auto,
        "warning": t.warning,
        "manual": _level(t.manual),
        "preset": t.preset,
        "source": t.source,
        "why": t.why,
    }


def _level(tokens: int) -> int | None:
    """A level of the ladder; none where nothing is left of the window."""
    return tokens if tokens > 0 else None


def _boundary(facts: BoundaryFacts) -> dict[str, Any]:
    b = facts.boundary
    preserved = None
    if b.keeps_rows:
        preserved = {
            "head": b.head,
            "anchor": b.anchor,
            "tail": b.tail,
            "uuids": list(b.kept_uuids),
            "resolved": facts.kept_resolved,
        }
    summary = None if facts.summary_uuid is None else {"uuid": facts.summary_uuid, "tokens": facts.summary_tokens}
    return {
        "line": b.line,
        "uuid": b.uuid or None,
        "trigger": b.trigger,
        "pre_tokens": b.pre_tokens,
        "post_tokens": b.post_tokens,
        "duration_ms": b.duration_ms,
        "on_active_chain": facts.on_active_chain,
        "logical_parent_in_file": facts.logical_parent_in_file,
        "preserved": preserved,
        "discovered_tools": list(b.discovered_tools),
        "summary": summary,
        "last_call_before": facts.last_call_before,
        "first_call_after": facts.first_call_after,
    }


def agents_of(session: Session) -> list[dict[str, str]]:
    """The files of the session's sub-agents: [{id path}]."""
    path = getattr(session.reader, "path", None)
    if path is None or session.is_request or session.tree.is_sub_agent:
        return []
    return [{"id": name, "path": str(found)} for name, found in agent_files(path, session.index.sessions).items()]


def _agents_lines(agents: list[dict[str, str]]) -> list[str]:
    if not agents:
        return []
    ids = ", ".join(agent["id"] for agent in agents[:4])
    return [f"  sub-agents   {len(agents)} file{'s' * (len(agents) > 1)}: {ids}{' …' if len(agents) > 4 else ''}"]


def notes_facts(session: Session, chain: Chain, named: str | None, settings: Settings) -> dict[str, Any]:
    """The session's notes as `inspect` tells them: missing, or parsed, measured and dated."""
    file = notes_of(session, named)
    notes = None if file is None else file.parsed(budgets_of(settings))
    facts = facts_of_notes(session, chain, notes, Coverage() if file is None else file.coverage)
    return notes_json(file, facts)


def _figure(figure: Figure) -> str:
    return output.NOTHING if figure.tokens is None else f"{figure.tokens:,} {figure.kind}"


def as_text(found: Inspection) -> Iterator[str]:
    """The same for people: a line a matter, numbers with their kind."""
    session, facts, array = found.session, found.session.facts, found.array
    yield f"{session.reader.name}: {facts.size:,} bytes, {counted(facts.lines, 'line')}, {counted(len(session.index), 'record')}"
    if facts.damaged_lines:
        yield (
            f"  damaged      {counted(facts.damaged_lines, 'line')}, {counted(facts.recovered_records, 'record')} recovered, "
            f"{counted(facts.lost_fragments, 'fragment')} lost"
        )
    for name, count in (
        ("NUL bytes", facts.nul_bytes),
        ("lone surrogates", facts.lone_surrogates),
        ("NUL characters", facts.nul_characters),
    ):
        if count:
            yield f"  {name:<12} {count:,}"
    yield f"  versions     {', '.join(session.index.versions) or output.NOTHING}"
    models = (f"{model} ({counted(calls, 'call')})" for model, calls in found.models.items())
    yield f"  models       {', '.join(models) or output.NOTHING}"
    yield (f"  chain        {counted(len(found.chain.places), 'row')}, {_chain_kind(found)}, " + _chain_words(found))
    yield from _odd_parents(found)
    by = found.estimator
    images = counted(array.images, "image")
    yield f"  array        {counted(array.messages, 'message')}, about {counted(array.tokens, 'token')} ({by.name}), {images}"
    if not by.is_rough:
        yield f"  estimates    {by.words}, {by.detail}"
    yield f"  pairs        {counted(found.pairs.calls, 'call')}, {counted(found.pairs.results, 'result')}" + _pair_faults(found)
    yield f"  context      {_figure(found.context.now)}: {found.context.now.source}"
    yield f"  peak         {output.number(found.peak)} prompt tokens"
    yield f"  overhead     {_figure(found.overhead)}: {found.overhead.source}"
    yield f"  spend        {_spend_words(found.main)}{_sidechain(found)}{_as_recorded(found)}"
    yield f"  window       {output.number(found.window.tokens)}: {found.window.why}"
    t = found.threshold
    effective = output.number(_level(t.effective))
    yield f"  fires at     {output.number(t.auto)} (effective window {effective}, preset {t.preset}): {t.why}"
    for number, boundary in enumerate(found.boundaries, 1):
        yield "  " + _boundary_words(number, boundary)
    for micro in session.microcompactions:
        cleared, saved = counted(len(micro.tool_ids), "old result"), output.number(micro.tokens_saved)
        yield f"  line {micro.line}: {cleared} cleared, {saved} tokens saved"
    if found.requests:
        exactly = (
            "the newest call's array is known exactly" if found.exact_request else "the newest call's array is not among them"
        )
        yield f"  requests     {found.requests} recorded; {exactly}"


def _chain_kind(found: Inspection) -> str:
    if not found.chain.is_sub_agent:
        return "main"
    return "sub-agent" if found.session.tree.is_sub_agent else "a sub-agent's branch of this session"


def _chain_words(found: Inspection) -> str:
    words = [counted(len(found.tree.leaves), "leaf", "leaves")]
    if found.chain.gaps:
        words.append(f"{counted(len(found.chain.gaps), 'missing parent')} bridged")
    if found.dead_replies:
        words.append(f"{counted(found.dead_replies, 'assistant row')} on dead branches")
    if found.chain.ends_in_cycle:
        words.append("ends in a cycle")
    return ", ".join(words)


def _pair_faults(found: Inspection) -> str:
    pairs = found.pairs
    named = (
        ("unanswered", pairs.unanswered),
        ("unasked", pairs.unasked),
        ("duplicate results", pairs.duplicate_results),
        ("duplicate calls", pairs.duplicate_calls),
        ("misplaced", pairs.misplaced),
        ("server unpaired", pairs.server_unpaired),
    )
    return "".join(f"; {name}: {', '.join(ids[:4])}{' …' if len(ids) > 4 else ''}" for name, ids in named if ids)


def _sidechain(found: Inspection) -> str:
    return f"; sub-agents {_spend_words(found.sidechain)}" if found.sidechain.calls else ""


def _spend_words(spend: Spend) -> str:
    missing = f", {spend.unmeasured:,} of them without a recorded usage," if spend.unmeasured else ","
    calls = counted(spend.calls, "call")
    if spend.prompt is None:
        return f"{calls} without a recorded usage: tokens unknown"
    return f"{calls}{missing} {spend.prompt:,} prompt and {output.number(spend.output)} output tokens"


def _as_recorded(found: Inspection) -> str:
    """What a recorded output is worth (spec 2, section 3)."""
    if not found.main.output and not found.sidechain.output:
        return ""
    if not found.placeholders:
        return "; outputs as recorded"
    versions = ", ".join(found.placeholders[:MOST_NAMED])
    return f"; outputs as recorded, which in {versions} are mere placeholders: timeline estimates them"


def _odd_parents(found: Inspection) -> Iterator[str]:
    for odd in found.odd_parents[:MOST_NAMED]:
        what = "; nothing before that row is loaded" if odd.is_root else ": it is bridged to the row before"
        yield f"  line {odd.line}: parentUuid is {odd.parent}, which is no uuid{what}"
    more = len(found.odd_parents) - MOST_NAMED
    if more > 0:
        yield f"  and {counted(more, 'further parentUuid', 'further ones')} that {'is' if more == 1 else 'are'} no uuid"


def _boundary_words(number: int, facts: BoundaryFacts) -> str:
    b = facts.boundary
    after = facts.first_call_after
    return (
        f"boundary {number}, line {b.line}: {b.trigger or 'trigger unknown'}, {output.number(b.pre_tokens)} tokens before, "
        f"{output.number(b.post_tokens)} after; next call {output.number(after)}"
        f"{'' if facts.on_active_chain else '; NOT on the active chain'}"
    )


def _notes_lines(notes: dict[str, Any]) -> list[str]:
    return [f"  notes        {notes['state']}: {notes['reason']}"] + [
        f"    {s['title']}: {counted(s['tokens'], 'token')}{' over budget' if s['over_budget'] else ''}"
        for s in notes["sections"]
    ]
