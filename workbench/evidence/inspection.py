"""What is in a session: the figures of `inspect` and of the screen's header, gathered in one pass (spec 5, "inspect")."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..compaction.settings import Settings
from ..compaction.threshold import Threshold
from ..compaction.window import Window
from ..conversation.array import assemble
from ..conversation.block import KNOWN
from ..conversation.figure import Figure
from ..conversation.pairing import Pairs, pair_up
from ..conversation.row import Message
from ..conversation.tokens import ROUGH, Estimator, measured_anew
from ..transcript.boundary import Boundary
from ..transcript.chain import Chain, kept_places
from ..transcript.index import API_ERROR, NONE, SIDECHAIN, SUMMARY, SYNTHETIC, Call, Unmeasured
from ..transcript.session import Session
from ..transcript.shape import (
    FilePairs,
    OddParent,
    TreeFacts,
    boundaries_in_history,
    dead_replies,
    file_pairs,
    odd_parents,
    tree_facts,
)
from ..transcript.usage import Context, context_of, records_placeholders
from .capacity import capacity_shown
from .overhead import is_recorded, overhead_at


@dataclass(frozen=True, slots=True)
class ArrayFacts:
    """Counts over the array as loaded; `size` in bytes of text, `tokens` estimated."""

    messages: int
    size: int
    tokens: int
    images: int
    image_max_px: int
    empty_texts: int
    empty_messages: int
    unknown_block_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spend:
    """Tokens paid for, over the whole file: prompts (cached or not), and outputs as they were recorded.

    calls       how many there were, whether their usage is recorded or not
    unmeasured  how many of them recorded none: their tokens are unknown and in no sum; without any other there is no sum
    """

    calls: int
    prompt: int | None
    output: int | None
    unmeasured: int = 0


@dataclass(frozen=True, slots=True)
class BoundaryFacts:
    """A boundary with what stands around it: the summary row, the calls before and after (prompt tokens)."""

    boundary: Boundary
    on_active_chain: bool
    logical_parent_in_file: bool
    kept_resolved: bool | None
    summary_uuid: str | None
    summary_tokens: int | None
    last_call_before: int | None
    first_call_after: int | None


@dataclass(frozen=True, slots=True)
class Inspection:
    """Everything `inspect` tells of a session."""

    session: Session
    chain: Chain
    dead_replies: int
    tree: TreeFacts
    array: ArrayFacts
    pairs: Pairs
    file_pairs: FilePairs
    main: Spend
    sidechain: Spend
    synthetic_rows: int
    models: dict[str, int]
    context: Context
    peak: int | None
    overhead: Figure
    window: Window
    threshold: Threshold
    boundaries: tuple[BoundaryFacts, ...]
    requests: int
    exact_request: bool
    estimator: Estimator
    placeholders: tuple[str, ...] = ()  # versions in the file whose recorded outputs are no counts
    odd_parents: tuple[OddParent, ...] = ()


def inspect(session: Session, settings: Settings, chain: Chain | None = None, by: Estimator = ROUGH) -> Inspection:
    """Reads the chain's rows once and draws every figure from them and the index; what is estimated, by that estimator.

    Of a sub-agent's branch in the file of its session, chain, context, peak, window and threshold are those of the branch;
    calls and spend are counted over the whole file.
    """
    chain = session.chain if chain is None else chain
    seen = session.seen_from(chain)
    rows = [r.slim() for r in measured_anew(session.rows(chain.places), by)]
    messages = assemble(rows)
    context = context_of(session, chain, rows, by)
    window, threshold = capacity_shown(seen, settings)
    return Inspection(
        session=session,
        chain=chain,
        dead_replies=dead_replies(session.tree, chain) if seen is session else 0,
        tree=tree_facts(session, chain),
        array=array_facts(messages),
        pairs=pair_up(messages),
        file_pairs=file_pairs(session),
        main=_spend(session, side=False),
        sidechain=_spend(session, side=True),
        synthetic_rows=sum(f & SYNTHETIC and 1 for f in session.index.flags),
        models=_models(session),
        context=context,
        peak=max((c.prompt for c in _measured(seen, chain)), default=None),
        overhead=overhead_at(session, context, rows, by),
        window=window,
        threshold=threshold,
        boundaries=boundary_facts(session, chain, by),
        requests=len(session.requests),
        exact_request=is_recorded(session, context),
        estimator=by,
        placeholders=tuple(v for v in session.index.versions if records_placeholders(v)),
        odd_parents=odd_parents(session),
    )


def _is_side(session: Session, call: Call | Unmeasured) -> bool:
    return call.sidechain and not session.tree.is_sub_agent


def _spend(session: Session, *, side: bool) -> Spend:
    calls = [c for c in session.calls if _is_side(session, c) == side]
    unmeasured = sum(_is_side(session, c) == side for c in session.unmeasured)
    if unmeasured and not calls:
        return Spend(unmeasured, None, None, unmeasured)
    return Spend(len(calls) + unmeasured, sum(c.prompt for c in calls), sum(c.output for c in calls), unmeasured)


def _measured(seen: Session, chain: Chain) -> Sequence[Call]:
    """The calls that a peak is looked for in: every main one, or those of the branch of one sub-agent among others."""
    if not seen.is_side:
        return seen.main_calls
    on_chain = {seen.index.messages[p] for p in chain.places} - {NONE}
    return [c for c in seen.main_calls if seen.index.messages[c.row] in on_chain]


def _models(session: Session) -> dict[str, int]:
    """{model: calls}, most frequent first; `<synthetic>` rows are no model."""
    calls: list[Call | Unmeasured] = sorted([*session.calls, *session.unmeasured], key=lambda c: c.row)
    return dict(Counter(c.model for c in calls if c.model).most_common())


def array_facts(messages: Sequence[Message]) -> ArrayFacts:
    """Counts over an array, results' images included."""
    blocks = [b for m in messages for b in m.blocks]
    images = [i for b in blocks for i in b.images]
    unknown = {
        b.kind
        for b in blocks
        if b.kind not in KNOWN and b.kind not in ("empty", "reminder") and not b.kind.startswith("attachment:")
    }
    return ArrayFacts(
        messages=len(messages),
        size=sum(b.size for b in blocks),
        tokens=sum(b.tokens for b in blocks),
        images=len(images),
        image_max_px=max((i.side for i in images), default=0),
        empty_texts=sum(b.kind == "text" and b.blank for b in blocks),
        empty_messages=sum(not any(b.kind != "empty" for b in m.blocks) for m in messages),
        unknown_block_types=tuple(sorted(k for k in unknown if not k.endswith("_tool_result"))),
    )


def boundary_facts(session: Session, chain: Chain, by: Estimator = ROUGH) -> tuple[BoundaryFacts, ...]:
    """Every boundary of the file with its surroundings, in file order; the summary measured by that estimator."""
    history = boundaries_in_history(session.tree, chain)
    calls = session.main_calls
    rows = [c.row for c in calls]
    named = [b.logical_parent for b in session.boundaries if b.logical_parent]
    there = {name for name, place in zip(named, session.index.find_all(named), strict=True) if place is not None}
    found = []
    for at, boundary in enumerate(session.boundaries):
        until = session.boundaries[at + 1].place if at + 1 < len(session.boundaries) else len(session.index)
        summary = _summary_place(session, boundary, until)
        before = bisect_left(rows, boundary.place)  # how many calls stand before it
        after = next((c for c in calls[before : before + 2] if c.row > boundary.place), None)
        found.append(
            BoundaryFacts(
                boundary=boundary,
                on_active_chain=boundary.place in history,
                logical_parent_in_file=boundary.logical_parent in there,
                kept_resolved=bool(kept_places(session.index, boundary)) if boundary.keeps_rows else None,
                summary_uuid=None if summary is None else session.index.uuids[summary],
                summary_tokens=None if summary is None else sum(by.blocks(session.row(summary).blocks)),
                last_call_before=calls[before - 1].prompt if before else None,
                first_call_after=after.prompt if after is not None and after.row < until else None,
            )
        )
    return tuple(found)


def _summary_place(session: Session, boundary: Boundary, until: int) -> int | None:
    index = session.index
    return next(
        (p for p in range(boundary.place, until) if index.flags[p] & SUMMARY and not index.flags[p] & (SIDECHAIN | API_ERROR)),
        None,
    )
