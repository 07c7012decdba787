"""What the Boundary tab shows of one compaction: its record, what it kept, where it stands, what it gained, its summary."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..conversation.block import Block
from ..conversation.row import Row
from ..conversation.text import text_pieces
from ..evidence.inspection import BoundaryFacts
from ..transcript.boundary import Boundary
from ..transcript.chain import kept_places
from ..transcript.index import NONE
from ..transcript.session import Session
from .boundary_fields import Fact, metadata_facts, record_facts
from .gain import Cleared, Gain, cleared_of, gain_of
from .opened import Opened

HEAD = 160  # characters of a row's first words


@dataclass(frozen=True, slots=True)
class RowAt:
    """A row that a record names by its uuid; `line` is None where it is not in the file."""

    uuid: str
    line: int | None = None
    kind: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """The preserved part: named by list or by segment, its rows in order with the missing ones, and why it does not count."""

    how: str = ""
    rows: tuple[RowAt, ...] = ()
    anchor: RowAt | None = None
    ignored: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether the branch that is alive goes through it, and what says so."""

    on_chain: bool
    words: str
    evidence: str


@dataclass(frozen=True, slots=True)
class BoundaryView:
    """One boundary of `count` (number from 0), read from the file; `raw` is its metadata for those who want it as it is."""

    number: int
    count: int
    boundary: Boundary
    metadata: tuple[Fact, ...]
    record: tuple[Fact, ...]
    raw: Mapping[str, Any] | None
    kept: Kept
    logical_parent: RowAt | None
    summary: RowAt | None
    summary_tokens: int | None
    summary_text: str
    standing: Standing
    gain: Gain
    cleared: tuple[Cleared, ...]


@dataclass(frozen=True, slots=True)
class NoBoundary:
    """The session has no compaction, though it may have cleared old results; or its record cannot be read (`problem`)."""

    cleared: tuple[Cleared, ...] = ()
    problem: str = ""


def boundary_view(opened: Opened, number: int | None) -> BoundaryView | NoBoundary:
    """Everything about one boundary. Reads the rows it names and the chains around it: a job for a worker."""
    session = opened.session
    if number is None:
        return NoBoundary(cleared_of(session))
    facts = opened.inspection.boundaries
    found = facts[number]
    boundary = found.boundary
    record = session.body(boundary.place)
    summary = None if found.summary_uuid is None else session.index.find(found.summary_uuid)
    return BoundaryView(
        number=number,
        count=len(facts),
        boundary=boundary,
        metadata=metadata_facts(boundary.metadata),
        record=record_facts(record),
        raw=boundary.metadata,
        kept=_kept(session, boundary),
        logical_parent=row_at(session, boundary.logical_parent) if boundary.logical_parent else None,
        summary=None if found.summary_uuid is None else row_at(session, found.summary_uuid),
        summary_tokens=found.summary_tokens,
        summary_text="" if summary is None else _text(session, summary),
        standing=_standing(opened, found),
        gain=gain_of(opened, found),
        cleared=cleared_of(session),
    )


def row_at(session: Session, uuid: str, before: int | None = None) -> RowAt:
    """Where a uuid stands, with the first words of its row."""
    place = session.index.find(uuid, before=before) if before is not None else session.index.find(uuid)
    return RowAt(uuid) if place is None else _at(session, place)


def _row(session: Session, place: int) -> Row:
    """The row without a trace in the session's cache, which belongs to whoever looks at messages meanwhile."""
    return next(session.rows((place,)))


def _at(session: Session, place: int) -> RowAt:
    row = _row(session, place)
    words = next((w for b in row.blocks if (w := _words(b))), "")
    kind = next((b.name or b.kind for b in reversed(row.blocks)), "") if row.role is not None else ""
    return RowAt(row.uuid, row.line, f"{row.kind} {kind}".strip() if kind not in row.kind else row.kind, words)


def _words(block: Block) -> str:
    return " ".join(block.head[:HEAD].split())


def _text(session: Session, place: int) -> str:
    """The whole text of a row."""
    blocks = _row(session, place).blocks
    return "\n\n".join(t for b in blocks for t in text_pieces([b.body]))


def _kept(session: Session, boundary: Boundary) -> Kept:
    if not boundary.keeps_rows:
        return Kept()
    anchor = row_at(session, boundary.anchor) if boundary.anchor else None
    if boundary.kept_uuids:
        rows = tuple(row_at(session, uuid, boundary.place) for uuid in boundary.kept_uuids)
        missing = sum(row.line is None for row in rows)
        kept = Kept("the list preservedMessages.uuids", rows, anchor)
        if missing:
            return replace(
                kept, ignored=f"{missing} of {len(rows)} are not in the file, so the agent ignores the whole kept part"
            )
    else:
        places = kept_places(session.index, boundary)
        ends = tuple(row_at(session, uuid, boundary.place) for uuid in (boundary.head, boundary.tail) if uuid)
        kept = Kept("the segment, walked from its tail to its head", tuple(_at(session, p) for p in places) or ends, anchor)
        if not places:
            return replace(
                kept, ignored="the walk from the tail never comes to the head, so the agent ignores the whole kept part"
            )
    if anchor is None or anchor.line is None:
        return replace(kept, ignored="the row that they hang on is not in the file, so the agent ignores the whole kept part")
    return kept


def _standing(opened: Opened, found: BoundaryFacts) -> Standing:
    session, chain = opened.session, opened.inspection.chain
    if chain.boundary == found.boundary.place:
        return Standing(True, "on the active chain", "the array of now starts behind it")
    if found.on_active_chain:
        return Standing(True, "on the active chain, in its time", "a later compaction starts the array of now")
    return Standing(False, "bypassed", _bypass(session, chain.places, found.boundary))


def _bypass(session: Session, places: tuple[int, ...], boundary: Boundary) -> str:
    """Which row of the chain leads past the boundary."""
    index = session.index
    for place in places:
        parent = session.tree.parent(place)
        if place > boundary.place and NONE < parent < boundary.place:
            return (
                f"line {index.lines[place]} hangs on line {index.lines[parent]}, which stands before it: "
                "the agent loads the history as if there were no compaction"
            )
    later = [p for p in places if p > boundary.place]
    if not later:
        return "the branch that is alive ends before it"
    return f"no row of the chain leads to it; the first one after it is line {index.lines[later[0]]}"
