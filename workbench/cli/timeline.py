"""One line a call: its prompt, its reply, what came after, what that makes, and what happened between the calls."""

import argparse
from collections.abc import Iterator
from itertools import groupby

from ..conversation.figure import ESTIMATED, EXACT, LOWER_BOUND
from ..conversation.tokens import Estimator
from ..conversation.wording import counted
from ..evidence.marks import BOUNDARY, NOTES, OVER
from ..evidence.timeline import Mark, Point, Timeline, timeline_of
from ..storage import load
from . import output
from .estimating import estimators
from .options import add_common, chain_of, settings_of

HELP = "one line a call: tokens, kind of number, marks"
HEAD = ("call", "line", "prompt", "growth", "output", "after", "total", "")
NOTE = "◆"
WIDEST = 100  # characters of what an error said


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)


def run(options: argparse.Namespace) -> int:
    session = load(options.path)
    chain = chain_of(session, options) if options.leaf else None
    with estimators(options.estimator) as by:
        estimator = by(session)
        timeline = timeline_of(session, settings_of(session, options), chain, estimator)
    if options.json:
        output.write_json(as_json(timeline))
    else:
        if chain is not None and chain.is_sub_agent and not session.tree.is_sub_agent:
            output.write_lines(["The calls of a sub-agent, on a branch of this session:"])
        output.write_lines(as_text(timeline, estimator))
    return 0


def as_json(timeline: Timeline) -> dict[str, object]:
    """The contract of spec 5: calls, threshold, window."""
    return {
        "calls": [
            {
                "index": i, "line": p.line, "message_id": p.message_id, "model": p.model, "tokens": p.tokens, "kind": p.kind,
                "output": p.output, "output_kind": p.output_kind, "added": p.added, "total": p.total, "total_kind": p.total_kind,
                "growth": p.growth, "marks": list(p.marks),
            }
            for i, p in enumerate(timeline.points)
        ],
        "threshold": timeline.threshold,
        "window": timeline.window,
        "estimator": timeline.estimator,
        "unmeasured": [{"line": c.line, "message_id": c.message_id, "model": c.model} for c in timeline.unmeasured],
        "marks": [{"line": m.line, "kind": m.kind, "before_call": m.index, "label": m.label} for m in timeline.marks],
    }  # fmt: skip


def as_text(timeline: Timeline, by: Estimator) -> Iterator[str]:
    """The same for people: columns, with a line across where something happened between two calls."""
    if not timeline.points:
        yield _unmeasured(timeline) or "No API call is recorded in this session."
        return
    rows = output.table([HEAD, *(_cells(i, p, timeline.threshold) for i, p in enumerate(timeline.points))], right=range(7))
    across = (m for m in timeline.marks if m.kind != NOTES)
    between = {index: list(marks) for index, marks in groupby(across, key=lambda m: m.index)}
    yield rows[0]
    for i, row in enumerate(rows[1:]):
        yield from map(_across, between.get(i, ()))
        yield row
    yield from map(_across, between.get(len(timeline.points), ()))
    yield ""
    if any(NOTES in p.marks for p in timeline.points):
        yield f"{NOTE}: notes would have been taken behind that call"
    if timeline.unmeasured:
        yield _unmeasured(timeline)
    yield f"threshold {output.number(timeline.threshold)}  window {output.number(timeline.window)}"
    yield f"prompt and growth are exact; ~ is estimated: {by.words}, {by.detail}"


def _unmeasured(timeline: Timeline) -> str:
    count = len(timeline.unmeasured)
    return f"{counted(count, 'call')} recorded no usage that can be read: unknown tokens, so no line here" if count else ""


def _cells(index: int, point: Point, threshold: int | None) -> tuple[str, ...]:
    share = f"{100 * point.total // threshold:3d}%" if threshold else ""
    return (
        str(index), output.number(point.line), f"{point.tokens:,}", "" if point.growth is None else f"{point.growth:+,}",
        _about(point.output, point.output_kind), _about(point.added, ESTIMATED if point.added else EXACT),
        _about(point.total, point.total_kind),
        " ".join(w for w in (share, "over the threshold" * (OVER in point.marks), NOTE * (NOTES in point.marks)) if w),
    )  # fmt: skip


def _about(tokens: int, kind: str) -> str:
    return f"{'' if kind == EXACT else '~'}{tokens:,}"


def _across(mark: Mark) -> str:
    words = f"{mark.kind}: {mark.label}"
    if mark.kind == BOUNDARY:
        after = output.number(mark.after.tokens) if mark.after else output.NOTHING
        least = "at least " if mark.after and mark.after.kind == LOWER_BOUND else ""
        words = f"{mark.label.partition(' at ')[0]} {output.number(mark.before)} → {least}{after}"
    return f"── {words if len(words) <= WIDEST else words[: WIDEST - 1] + '…'} (line {mark.line}) ──"
