"""One line a call: tokens, kind of number, marks."""

import argparse
from collections.abc import Iterator

from ..evidence.timeline import Timeline, timeline_of
from ..storage import load
from . import output
from .options import add_common, settings_of

HELP = "one line a call: tokens, kind of number, marks"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)


def run(options: argparse.Namespace) -> int:
    session = load(options.path)
    timeline = timeline_of(session, settings_of(session, options))
    if options.json:
        output.write_json(as_json(timeline))
    else:
        output.write_lines(as_text(timeline))
    return 0


def as_json(timeline: Timeline) -> dict[str, object]:
    """The contract of spec 5: calls, threshold, window."""
    return {
        "calls": [
            {
                "index": i, "line": p.line, "message_id": p.message_id, "model": p.model, "tokens": p.tokens, "kind": p.kind,
                "output": p.output, "output_kind": p.output_kind, "growth": p.growth, "marks": list(p.marks),
            }
            for i, p in enumerate(timeline.points)
        ],
        "threshold": timeline.threshold,
        "window": timeline.window,
        "marks": [{"line": m.line, "kind": m.kind, "before_call": m.index, "label": m.label} for m in timeline.marks],
    }  # fmt: skip


def as_text(timeline: Timeline) -> Iterator[str]:
    if not timeline.points:
        yield "No API call is recorded in this session."
        return
    rows = [["call", "line", "tokens", "kind", "output", "growth", "marks"]]
    for i, p in enumerate(timeline.points):
        rows.append(
            [str(i), output.number(p.line), f"{p.tokens:,}", p.kind, f"{p.output:,}", "" if p.growth is None else f"{p.growth:+,}", " ".join(p.marks)]
        )
    yield from output.table(rows, right=(0, 1, 2, 4, 5))
    yield f"threshold {output.number(timeline.threshold)}  window {output.number(timeline.window)}"
