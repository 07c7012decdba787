"""Why a compaction fires at a point, or does not, guard by guard; and what was odd about those of the whole session."""

import argparse
from collections.abc import Iterator
from typing import Any

from ..compaction.settings import Settings
from ..conversation.figure import LOWER_BOUND
from ..evidence.explain import Explanation
from ..evidence.explain import explain as explained
from ..evidence.timeline import timeline_of
from ..storage import load
from ..transcript.session import Session
from . import output
from .estimating import estimators
from .grounds import ground_of
from .options import add_common, chain_of, settings_of

HELP = "why a compaction fires there, or not"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument("--at", type=int, metavar="LINE", help="the state right before this physical line (default: the end)")


def run(options: argparse.Namespace) -> int:
    session = load(options.path)
    found = _explanation(session, options, settings_of(session, options))
    if options.json:
        output.write_json(as_json(found))
    else:
        output.write_lines(as_text(found))
    return 0


def _explanation(session: Session, options: argparse.Namespace, settings: Settings) -> Explanation:
    ground = ground_of(session, settings, line=options.at, leaf=options.leaf)
    chain = chain_of(session, options) if options.leaf else None
    with estimators(options.estimator) as by:
        timeline = timeline_of(session, settings, chain, by(session))
    return explained(session, ground, settings, timeline)


def as_json(found: Explanation) -> dict[str, Any]:
    """The contract of spec 5, "explain"; `there` is the agent's own name of a guard, `decides` whether it may decide here."""
    return {
        "at": found.line,
        "decision": found.decision,
        "reason": found.reason,
        "guards": [
            {
                "name": g.name, "value": g.value, "holds": g.holds, "source": g.source, "decides": g.decides, "reason": g.reason,
                "there": g.there,
            }
            for g in found.verdict.guards
        ],
        "threshold": found.threshold,
        "context": {"tokens": found.context.tokens, "kind": found.context.kind, "source": found.context.source},
        "distance": found.distance,
        "findings": [{"kind": f.kind, "lines": list(f.lines), "reason": f.reason} for f in found.findings],
    }  # fmt: skip


def as_text(found: Explanation) -> Iterator[str]:
    """The same for people: the decision first, then the guards in their order, then the findings."""
    where = "At the end" if found.line is None else f"Before line {found.line:,}"
    yield f"{where}: {found.reason[:1].lower()}{found.reason[1:]}"
    yield f"  context    {output.number(found.context.tokens)} {found.context.kind}: {found.context.source}"
    yield f"  threshold  {output.number(found.threshold)}"
    if found.distance is not None:
        most = "at most " if found.context.kind == LOWER_BOUND and found.distance > 0 else ""
        yield f"  distance   {most}{abs(found.distance):,} tokens {'below' if found.distance > 0 else 'at or over'} it"
    yield ""
    decides = found.verdict.stopped_by
    rows = [("→" if g is decides else " ", "holds" if g.holds else "", g.name, g.value, g.source) for g in found.verdict.guards]
    yield from output.table([(" ", "", "guard", "value", "from"), *rows])
    yield ""
    if not found.findings:
        yield "Nothing odd about the compactions of this session."
    for finding in found.findings:
        yield f"{finding.kind}: {_lines(finding.lines)}"
        yield f"  {finding.reason}"


def _lines(lines: tuple[int, ...], most: int = 6) -> str:
    some = ", ".join(f"{line:,}" for line in lines[:most])
    return f"line{'s' * (len(lines) > 1)} {some}{f' and {len(lines) - most:,} more' if len(lines) > most else ''}"
