"""The calls of a session as points over time, with what happened between them (spec 5, "timeline").

A point's tokens are the prompt of its call: exact. Growth is the difference to the call before on the same chain.
"""

from bisect import bisect_left
from dataclasses import dataclass

from ..compaction.settings import Settings
from ..conversation.figure import ESTIMATED, EXACT
from ..transcript.index import Call
from ..transcript.session import Session
from .capacity import capacity_of


@dataclass(frozen=True, slots=True)
class Point:
    """One main-chain call; tokens of its prompt, recorded output tokens, and the growth since the call before."""

    line: int
    message_id: str
    model: str
    tokens: int
    kind: str
    output: int
    output_kind: str
    growth: int | None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened before the call at `index` (the number of calls: after the last one)."""

    index: int
    line: int
    kind: str
    label: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """Points and marks in file order; threshold and window in tokens, None when unknown."""

    points: tuple[Point, ...]
    marks: tuple[Mark, ...]
    threshold: int | None
    warning: int | None
    window: int | None


def timeline_of(session: Session, settings: Settings) -> Timeline:
    """Every call of the main chain (of a sub-agent's file: every call), each with what happened right before it."""
    calls = [c for c in session.calls if session.tree.is_sub_agent or not c.sidechain]
    window, threshold = capacity_of(session, settings)
    marks = _marks(session, calls)
    before: dict[int, list[str]] = {}
    for mark in marks:
        before.setdefault(mark.index, []).append(mark.kind)
    points = []
    for i, call in enumerate(calls):
        kinds = before.get(i, [])
        if threshold.auto is not None and call.prompt + call.output >= threshold.auto:
            kinds = [*kinds, "over-threshold"]
        fresh = i == 0 or "boundary" in kinds
        points.append(
            Point(
                line=session.index.lines[call.row], message_id=call.message_id, model=call.model, tokens=call.prompt, kind=EXACT,
                output=call.output, output_kind=_output_kind(session, call), growth=None if fresh else call.prompt - calls[i - 1].prompt,
                marks=tuple(kinds),
            )
        )  # fmt: skip
    return Timeline(tuple(points), marks, threshold.auto, threshold.warning, window.tokens)


def _output_kind(session: Session, call: Call) -> str:
    """Placeholders of 2.1.9-2.1.49 are not above 25 tokens where the reply's lines are longer (spec 2, section 3)."""
    lengths = sum(session.index.lengths[p] for p in (call.row, call.last))
    return ESTIMATED if call.output <= 25 and lengths > 2_000 else EXACT


def _marks(session: Session, calls: list[Call]) -> tuple[Mark, ...]:
    rows = [c.row for c in calls]
    found = []
    for b in session.boundaries:
        label = f"{b.trigger or 'unknown'} compaction" + (f" at {b.pre_tokens:,} tokens" if b.pre_tokens is not None else "")
        found.append(Mark(bisect_left(rows, b.place), b.line, "boundary", label))
    for m in session.microcompactions:
        saved = f", {m.tokens_saved:,} tokens saved" if m.tokens_saved is not None else ""
        found.append(Mark(bisect_left(rows, m.place), m.line, "microcompaction", f"{len(m.tool_ids)} old results cleared{saved}"))
    for i, call in enumerate(calls[1:], 1):
        if call.model != calls[i - 1].model:
            found.append(Mark(i, session.index.lines[call.row], "model-change", f"{calls[i - 1].model or '?'} → {call.model or '?'}"))
    return tuple(sorted(found, key=lambda m: (m.index, m.line)))
