"""The calls of a session as points over time, with what happened between them (spec 5, "timeline").

A point's tokens are the prompt of its call: exact. With its reply and what came after it they are what the agent held
against the threshold before it went on; that sum is partly estimated. Rows are decoded once, in passing, and dropped.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ..compaction.settings import Settings
from ..conversation.figure import ESTIMATED, EXACT
from ..conversation.row import Row
from ..conversation.tokens import ROUGH, Estimator, measured_anew
from ..memory.trigger import Judgement
from ..transcript.chain import Chain
from ..transcript.index import Call, Unmeasured
from ..transcript.session import Session
from ..transcript.usage import CallSize, size_by
from .capacity import capacity_of
from .marks import BOUNDARY, BRANCH, NOTES, OVER, Mark, marks_of
from .noting import judgements_of
from .steps import Step, steps_of

AnyCall = TypeVar("AnyCall", Call, Unmeasured)

__all__ = ["Mark", "Point", "Timeline", "timeline_of"]


@dataclass(frozen=True, slots=True)
class Point:
    """One main-chain call, in tokens.

    tokens  its prompt; `kind` is exact
    output  its reply: recorded, or, where that is a placeholder, estimated from the text (spec 2, section 3)
    growth  prompt less the prompt of the call it goes on from; None behind a boundary and where it branches off
    added   estimate of what came after the reply, up to the next call or boundary
    marks   kinds of what happened right before it; of itself: over-threshold, and notes, taken right behind its reply
    """

    line: int
    message_id: str
    model: str
    tokens: int
    kind: str
    output: int
    output_kind: str
    growth: int | None
    marks: tuple[str, ...] = ()
    added: int = 0

    @property
    def total(self) -> int:
        """Tokens in context before the agent goes on."""
        return self.tokens + self.output + self.added

    @property
    def total_kind(self) -> str:
        return EXACT if self.output_kind == EXACT and not self.added else ESTIMATED


@dataclass(frozen=True, slots=True)
class Timeline:
    """Points and marks in file order; threshold and window in tokens, None when unknown; the estimator's name.

    extraction  what the rule for taking notes says after each call; () where it does not apply
    unmeasured  calls that recorded no usage: their tokens are unknown, so that they are no points
    """

    points: tuple[Point, ...]
    marks: tuple[Mark, ...]
    threshold: int | None
    warning: int | None
    window: int | None
    estimator: str = ROUGH.name
    extraction: tuple[Judgement, ...] = ()
    unmeasured: tuple[Unmeasured, ...] = ()


def timeline_of(session: Session, settings: Settings, chain: Chain | None = None, by: Estimator = ROUGH) -> Timeline:
    """Every call of the main chain (of a sub-agent's file: every call), each with what happened right before it.

    A chain limits it to the calls of that branch and those before its boundary. Raises UsageError where no threshold is left.
    """
    session = session if chain is None else session.seen_from(chain)
    calls = _on_branch(session, session.main_calls, chain)
    window, threshold = capacity_of(session, settings)
    reaches = list(steps_of(session, calls))
    steps = [step for step, _ in reaches]
    branches = [i for i, (step, following) in enumerate(reaches, 1) if following is not None and not step.follows]
    outputs, sizes = _outputs(session, steps, by)
    extraction = judgements_of(session, calls, outputs, settings)
    marks = marks_of(session, calls, branches, extraction)
    added = _tokens((_added(session, s) for s in steps), by)
    points: list[Point] = []
    for i, (call, size) in enumerate(zip(calls, sizes, strict=True)):
        kinds = dict.fromkeys(m.kind for m in marks[bisect_left(marks, i, key=_index) : bisect_right(marks, i, key=_index)])
        kinds.pop(NOTES, None)  # taken behind the call before
        goes_on = points and not kinds.keys() & {BOUNDARY, BRANCH}
        if threshold.auto is not None and call.prompt + outputs[i] + added[i][0] >= threshold.auto:
            kinds[OVER] = None
        if extraction and extraction[i].extracts:
            kinds[NOTES] = None
        points.append(
            Point(
                line=session.index.lines[call.row], message_id=call.message_id, model=call.model, tokens=call.prompt, kind=EXACT,
                output=size.output, output_kind=size.output_kind, growth=call.prompt - points[-1].tokens if goes_on else None,
                marks=tuple(kinds), added=added[i][1],
            )
        )  # fmt: skip
    unmeasured = tuple(_on_branch(session, session.main_unmeasured, chain))
    return Timeline(tuple(points), marks, threshold.auto, threshold.warning, window.tokens, by.name, extraction, unmeasured)


def _on_branch(session: Session, calls: Sequence[AnyCall], chain: Chain | None) -> list[AnyCall]:
    if chain is None:
        return list(calls)
    messages = session.index.messages
    on_chain = {messages[p] for p in chain.places}
    return [c for c in calls if messages[c.row] in on_chain or (chain.boundary is not None and c.row < chain.boundary)]


def _index(mark: Mark) -> int:
    return mark.index


def _outputs(session: Session, steps: Sequence[Step], by: Estimator) -> tuple[list[int], list[CallSize]]:
    """The outputs as the agent counts them, and as the estimator does where only a placeholder is recorded."""
    sizes = [size_by(s.call, _reply(session, s)) for s in steps]
    outputs = [s.output for s in sizes]
    unknown = [i for i, s in enumerate(sizes) if s.output_kind != EXACT and not by.is_rough]
    for i, (_, tokens) in zip(unknown, _tokens((_reply(session, steps[i]) for i in unknown), by), strict=True):
        sizes[i] = replace(sizes[i], output=tokens)
    return outputs, sizes


def _reply(session: Session, step: Step) -> list[Row]:
    """The readable blocks of a reply; nothing where its lines are too short for its recorded output to be a placeholder."""
    if step.call.output * 8 >= sum(session.index.lengths[p] for p in step.reply):
        return []
    return [replace(r, blocks=tuple(b for b in r.blocks if b.kind != "redacted_thinking")) for r in session.rows(step.reply)]


def _added(session: Session, step: Step) -> Iterator[Row]:
    return (r for r in session.rows(step.after) if r.role is not None)


def _tokens(groups: Iterable[Iterable[Row]], by: Estimator) -> list[tuple[int, int]]:
    """Tokens of each group of rows, by bytes/4 and by the estimator, which is given them as one stream to batch."""
    rough: list[int] = []
    owners: deque[int] = deque()

    def stream() -> Iterator[Row]:
        for at, group in enumerate(groups):
            rough.append(0)
            for row in group:
                rough[at] += row.tokens
                owners.append(at)
                yield row

    found: Counter[int] = Counter()
    for row in measured_anew(stream(), by):
        found[owners.popleft()] += row.tokens
    return [(tokens, found[at]) for at, tokens in enumerate(rough)]
