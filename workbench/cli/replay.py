"""Every recorded compaction simulated again, with the summary that the session holds, and what differs."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from ..answering import answerer
from ..compaction.ground import Ground
from ..evidence.replay import FIRES, Ask, Replayed
from ..evidence.replay import replay as replayed
from ..evidence.timeline import timeline_of
from ..storage import load
from . import output
from .options import add_common, chain_of, settings_of

HELP = "simulate each recorded compaction and compare"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)


def run(options: argparse.Namespace) -> int:
    session = load(options.path)
    settings = settings_of(session, options)

    def ask_at(ground: Ground, variant: str) -> Ask:
        return answerer(session, "recorded", line=ground.line, variant=variant, model=ground.model)

    chain = chain_of(session, options) if options.leaf else None
    found = tuple(replayed(session, settings, timeline_of(session, settings, chain), ask_at))
    if options.json:
        output.write_json({"boundaries": [as_json(each) for each in found]})
    else:
        output.write_lines(as_text(found))
    return 1 if any(each.differences for each in found) else 0


def as_json(found: Replayed) -> dict[str, Any]:
    """One boundary by the contract of spec 5, "replay"; `attachments` are numbers by kind, `kept` uuids."""
    recorded, simulated = found.recorded, found.simulated
    return {
        "line": found.boundary.line,
        "trigger": found.boundary.trigger,
        "version": found.version,
        "variant": found.variant,
        "recorded": {
            "pre_tokens": recorded.pre_tokens, "post_tokens": recorded.post_tokens, "next_call": recorded.next_call,
            "kept": list(recorded.kept), "attachments": recorded.attachments,
        },
        "simulated": {
            "outcome": simulated.outcome, "tokens_before": simulated.tokens_before, "fires_calls_early": simulated.calls_early,
            "tokens_after": simulated.tokens_after, "next_call": simulated.next_call, "kept": list(simulated.kept),
            "attachments": simulated.attachments,
        },
        "differences": [{"what": d.what, "tokens": d.tokens, "explanation": d.explanation} for d in found.differences],
    }  # fmt: skip


def as_text(found: tuple[Replayed, ...]) -> Iterator[str]:
    """The same for people: recorded and simulated side by side, then what differs and why."""
    if not found:
        yield "This session has no compaction to replay."
    for number, each in enumerate(found, 1):
        if number > 1:
            yield ""
        version = f", version {each.version}" if each.version else ""
        trigger = each.boundary.trigger or "trigger unknown"
        yield f"boundary {number}, line {each.boundary.line:,}: {trigger}{version}; simulated as {each.variant}"
        yield from ("  " + line for line in output.table(list(_rows(each)), right=(1, 2)))
        for difference in each.differences:
            by = "" if difference.tokens is None or difference.what == FIRES else f" ({difference.tokens:+,} tokens)"
            yield f"  differs: {difference.what}{by}. {difference.explanation}"
        if not each.differences:
            yield "  the same, within what can be estimated"


def _rows(each: Replayed) -> Iterator[tuple[str, str, str]]:
    recorded, simulated = each.recorded, each.simulated
    yield "", "recorded", "simulated"
    yield "tokens before", output.number(recorded.pre_tokens), output.number(simulated.tokens_before)
    yield "messages after", output.number(recorded.post_tokens), output.number(simulated.tokens_after)
    yield "next call", output.number(recorded.next_call), _about(simulated.next_call)
    yield "kept rows", str(len(recorded.kept)), str(len(simulated.kept))
    yield "attachments", _sum(recorded.attachments), _sum(simulated.attachments)


def _about(tokens: int | None) -> str:
    return output.NOTHING if tokens is None else f"~{tokens:,}"


def _sum(kinds: Mapping[str, int] | None) -> str:
    return output.NOTHING if kinds is None else str(sum(kinds.values()))
