"""Every recorded compaction simulated again, and how the two differ (spec 5, "replay").

Each is drawn from the state right before its record and answered with the summary that the session holds, so that what
differs is what the agent did besides the summary: when it fired, what it kept, what it brought back.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..compaction.breaker import MANUAL
from ..compaction.ground import Ground
from ..compaction.plan import Plan
from ..compaction.request import Reply, Request
from ..compaction.result import tokens_of
from ..compaction.run import COMPACTED, Run, forward, start
from ..compaction.settings import Settings
from ..compaction.threshold import Threshold
from ..compaction.variants import AUTO, REACTIVE
from ..conversation.wording import counted, noun
from ..transcript.boundary import Boundary
from ..transcript.chain import kept_places
from ..transcript.rows import NEVER_SENT
from ..transcript.session import Session
from .capacity import capacity_of
from .expected import expected_after
from .firing import was_reactive
from .grounding import ground_at
from .inspection import BoundaryFacts, boundary_facts
from .timeline import Point, Timeline

Ask = Callable[[Request], Reply]
AskAt = Callable[[Ground, str], Ask]  # for a ground and a variant

FIRES = "fires"
CLOSE = 0.01  # of the recorded tokens before: the agent's own estimate of what came in after the last call is as rough
NEAR = 0.1  # of the recorded tokens after: what was sent and not saved is in the one and not in the other


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the session recorded: tokens before and after (messages only), the prompt of the next call, uuids of the kept rows,
    {kind of attachment: how many} up to that call. None: not recorded; old versions saved no attachments."""

    pre_tokens: int | None
    post_tokens: int | None
    next_call: int | None
    kept: tuple[str, ...]
    attachments: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class Simulated:
    """The same of the simulation; `next_call` is expected by calibration, and `calls_early` how many calls before the recorded
    one the threshold was reached: 0 with it, None never, or by hand."""

    outcome: str
    tokens_before: int | None
    tokens_after: int | None
    next_call: int | None
    calls_early: int | None
    kept: tuple[str, ...]
    attachments: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: how many tokens more the simulation has (None: no matter of tokens), and why, as far as known."""

    what: str
    tokens: int | None
    explanation: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """One boundary, recorded and simulated."""

    boundary: Boundary
    version: str | None
    variant: str
    recorded: Recorded
    simulated: Simulated
    differences: tuple[Difference, ...]


def replay(session: Session, settings: Settings, timeline: Timeline, ask_at: AskAt) -> Iterator[Replayed]:
    """Every boundary of the file, in order. Settings are those of the session; the state at each is drawn anew."""
    threshold = capacity_of(session, settings)[1]
    facts = boundary_facts(session, session.chain)
    for at, found in enumerate(facts):
        first = facts[at - 1].boundary.line if at else 0
        yield _replayed(session, settings, threshold, timeline, found, first, ask_at)


def _replayed(
    session: Session,
    settings: Settings,
    threshold: Threshold,
    timeline: Timeline,
    found: BoundaryFacts,
    first: int,
    ask_at: AskAt,
) -> Replayed:
    boundary = found.boundary
    ground = ground_at(session, settings, line=boundary.line)
    reactive = was_reactive(boundary, threshold)
    variant = REACTIVE if reactive else AUTO
    plan = Plan(settings, variant, boundary.trigger or AUTO, summarizer="recorded")
    run = forward(start(ground, plan), ask_at(ground, variant))
    points = [p for p in timeline.points if first < p.line < boundary.line]
    recorded = _recorded(session, found)
    simulated = _simulated(session, run, None if boundary.trigger == MANUAL else _early(points, threshold))
    told = (
        *_outcome(run),
        *_before(recorded, simulated),
        *_fires(boundary, points, threshold, simulated, reactive),
        *(_after(recorded, simulated, run) if run.outcome == COMPACTED else ()),
    )
    return Replayed(boundary, session.version_at(boundary.place), variant, recorded, simulated, told)


def _recorded(session: Session, found: BoundaryFacts) -> Recorded:
    index, boundary = session.index, found.boundary
    following = next((b.place for b in session.boundaries if b.place > boundary.place), len(index))
    call = next((c.row for c in session.calls if c.row > boundary.place and not c.sidechain), following)
    rows = range(boundary.place + 1, min(call, following))
    named = (index.kind(p).partition(":")[2] for p in rows if index.kind(p).startswith("attachment:"))
    kinds = Counter(kind for kind in named if kind not in NEVER_SENT)
    kept = tuple(index.uuids[p] or "" for p in kept_places(index, boundary))
    attachments = dict(kinds) if any(name.startswith("attachment:") for name in index.kind_names) else None
    return Recorded(boundary.pre_tokens, boundary.post_tokens, found.first_call_after, kept, attachments)


def _simulated(session: Session, run: Run, calls_early: int | None) -> Simulated:
    work, done = run.work, run.outcome == COMPACTED
    return Simulated(
        outcome=run.outcome,
        tokens_before=run.ground.tokens.tokens,
        tokens_after=tokens_of(work.sent) if done else None,
        next_call=expected_after(session, run.ground, work.sent).tokens if done else None,
        calls_early=calls_early,
        kept=tuple(r.uuid for r in work.kept) if done else (),
        attachments=dict(Counter(a.kind for a in work.attachments)) if done else {},
    )


def _early(points: Sequence[Point], threshold: Threshold) -> int | None:
    if threshold.auto is None:
        return None
    reached = next((at for at, p in enumerate(points) if p.total >= threshold.auto), None)
    return None if reached is None else len(points) - 1 - reached


def _outcome(run: Run) -> Iterator[Difference]:
    if run.outcome != COMPACTED:
        yield Difference("outcome", None, f"The simulation is {run.outcome}: {run.reason}")


def _before(recorded: Recorded, simulated: Simulated) -> Iterator[Difference]:
    if recorded.pre_tokens is None or simulated.tokens_before is None:
        return
    more = simulated.tokens_before - recorded.pre_tokens
    if abs(more) > recorded.pre_tokens * CLOSE:
        words = "What came in after the last call is estimated, by bytes/4; rows that the agent had and did not save are missing."
        yield Difference("tokens before", more, words)


def _fires(
    boundary: Boundary, points: Sequence[Point], threshold: Threshold, simulated: Simulated, reactive: bool
) -> Iterator[Difference]:
    if boundary.trigger == MANUAL or threshold.auto is None:
        return
    early = simulated.calls_early
    if early:
        first = points[-1 - early]
        words = (
            f"The threshold of {threshold.auto:,} was reached {counted(early, 'call')} before, behind line {first.line}, "
            f"with {first.total:,} tokens ({first.total_kind})."
        )
        yield Difference(FIRES, first.total - threshold.auto, words)
    elif early is None:
        total = points[-1].total if points else None
        missing = None if total is None else total - threshold.auto
        far = "an unknown number of" if missing is None else f"{-missing:,}"
        why = ": it was reactive, the answer of the API to a prompt that was too long" if reactive else ""
        words = f"{far} tokens were missing to the threshold of {threshold.auto:,} ({threshold.why}){why}."
        yield Difference(FIRES, missing, words[:1].upper() + words[1:])


def _after(recorded: Recorded, simulated: Simulated, run: Run) -> Iterator[Difference]:
    if recorded.post_tokens is not None and simulated.tokens_after is not None:
        more = simulated.tokens_after - recorded.post_tokens
        if abs(more) > recorded.post_tokens * NEAR:
            yield Difference(
                "tokens after", more, "Both count messages only; the simulation brings back what the transcript holds."
            )
    if recorded.next_call is not None and simulated.next_call is not None:
        more = simulated.next_call - recorded.next_call
        if abs(more) > recorded.next_call * NEAR:
            words = (
                "The recorded call holds what was sent and not saved, and what the user said next; "
                "the simulated one is expected, not measured."
            )
            yield Difference("next call", more, words)
    yield from _kept(recorded, simulated, run)
    yield from _attachments(recorded, simulated)


def _kept(recorded: Recorded, simulated: Simulated, run: Run) -> Iterator[Difference]:
    here, there = set(simulated.kept), set(recorded.kept)
    if here != there:
        size = {r.uuid: r.tokens for r in run.ground.rows}
        more = sum(size.get(u, 0) for u in here - there) - sum(size.get(u, 0) for u in there - here)
        words = (
            f"The agent kept {counted(len(there), 'row')}, the simulation {len(here)}; {len(here & there)} "
            f"{noun(len(here & there), 'is', 'are')} the same. The profile {run.plan.settings.profile} decides which."
        )
        yield Difference("kept rows", more, words)


def _attachments(recorded: Recorded, simulated: Simulated) -> Iterator[Difference]:
    if recorded.attachments is None:
        return
    kinds = sorted({*recorded.attachments, *simulated.attachments})
    differ = [k for k in kinds if recorded.attachments.get(k, 0) != simulated.attachments.get(k, 0)]
    if differ:
        told = ", ".join(f"{k} {recorded.attachments.get(k, 0)} → {simulated.attachments.get(k, 0)}" for k in differ)
        yield Difference("attachments", None, f"Recorded → simulated: {told}.")
