"""Findings about compactions: bypassed boundaries, kept parts that do not hold, missing metadata, lost skills."""

from collections.abc import Iterator

from ..conversation.invariants import Fault
from ..conversation.invariants import fault as f
from ..conversation.wording import counted
from ..transcript.boundary import KIND, Boundary
from ..transcript.chain import Chain
from ..transcript.session import Session
from .advice import advice_for
from .finding import Finding
from .kept import KeptFault
from .links import bypass
from .scan import Scan
from .skills import LostSkills, lost_skills

BOUNDARY = "boundary"


def boundary_findings(session: Session, chain: Chain, scan: Scan, kept: KeptFault | None) -> Iterator[Finding]:
    """Faults of the boundaries of a file; only the last one can be repaired."""
    yield from _bypassed(session, chain)
    if kept is not None:
        yield from _kept(session, kept)
    for boundary in session.boundaries:
        yield from _record(session, boundary)
    lost = lost_skills(session, chain, scan)
    if lost is not None:
        yield _skills(session, lost)


def _bypassed(session: Session, chain: Chain) -> Iterator[Finding]:
    past = bypass(session, chain)
    if past is None:
        return
    index = session.index
    boundary = session.tree.boundaries[past.boundary]
    line, uuid = index.lines[past.first], index.uuids[past.first]
    size = f" ({boundary.pre_tokens:,} → {_tokens(boundary.post_tokens)} tokens)" if boundary.pre_tokens is not None else ""
    evidence = [f"line {boundary.line}: {boundary.trigger or 'unknown'} compaction{size}, not an ancestor of the leaf"]
    after = next((c for c in session.calls if c.row > past.boundary and not c.sidechain), None)
    if after is not None:
        evidence.append(f"line {index.lines[after.row]}: the first call after it has {after.prompt:,} prompt tokens")
    if past.target is None:
        words = f"The history goes on at line {line} from before the compaction at line {boundary.line}, which it leaves behind."
        fault = Fault("boundary-left-behind", None, f.FILE, BOUNDARY, words, None, line, boundary.uuid, uuid, severity=f.REMARK)
        yield Finding(fault, tuple(evidence), "sends the full history")
        return
    words = f"The compaction at line {boundary.line} is bypassed: line {line} hangs on the history before it, not on the summary."
    fault = Fault("boundary-bypassed", None, f.FILE, BOUNDARY, words, None, line, boundary.uuid, uuid)
    target = f"line {index.lines[past.target]} ({index.uuids[past.target]})"
    repair = f"line {line} is linked to {target}: the summary takes the history's place again"
    yield Finding(fault, tuple(evidence), "sends the full history", advice_for(fault.kind), repair)


def _kept(session: Session, kept: KeptFault) -> Iterator[Finding]:
    """What the cut parts from its result is a fault of the array, and told there."""
    index, boundary = session.index, kept.boundary
    new = (
        ""
        if kept.proposal is None
        else f"the kept part starts at {index.uuids[kept.proposal[0]]}, {counted(len(kept.proposal), 'row')}"
    )
    if kept.missing:
        kind = "kept-part-unresolved" if new else "kept-part-lost"
        words = (
            f"The kept part of the compaction at line {boundary.line} cannot be loaded: {len(kept.missing)} of its rows missing."
        )
        fault = Fault(kind, None, f.FILE, BOUNDARY, words, None, boundary.line, kept.missing[0], boundary.uuid)
        evidence = tuple(f"not found: {uuid}" for uuid in kept.missing)
        yield Finding(fault, evidence, "ignores the whole kept part", advice_for(kind), new)
    elif kept.split:
        lines = ", ".join(str(index.lines[p]) for p in kept.split)
        words = f"The cut of the compaction at line {boundary.line} runs through a reply: line {lines} of it is left out."
        kind = "kept-reply-split" if new else "kept-reply-split-for-good"
        fault = Fault(kind, 34, f.FILE, f.CUT_OFF, words, None, boundary.line, None, boundary.uuid, severity=f.WARNING)
        yield Finding(fault, (), "loads the rows that are kept", advice_for(kind), new)


def _record(session: Session, boundary: Boundary) -> Iterator[Finding]:
    if session.index.kind(boundary.place) != KIND:
        return
    if boundary.metadata is None:
        words = f"The boundary at line {boundary.line} says nothing of itself: no trigger, no sizes."
        kind = "boundary-without-metadata"
        fault = Fault(kind, None, f.FILE, BOUNDARY, words, None, boundary.line, None, boundary.uuid, severity=f.WARNING)
        yield Finding(fault, (), "loads it like any other", advice_for(kind))
    if boundary.logical_parent and session.index.find(boundary.logical_parent) is None:
        words = f"The boundary at line {boundary.line} names a last row that is not in the file; the summary stands in for it."
        kind, id = "logical-parent-missing", boundary.logical_parent
        fault = Fault(kind, None, f.FILE, BOUNDARY, words, None, boundary.line, id, boundary.uuid, severity=f.REMARK)
        yield Finding(fault, (), "does not need it")


def _skills(session: Session, lost: LostSkills) -> Finding:
    names = list(dict.fromkeys(s.name for s in lost.lost))
    gone = [f"the text of {name}" for name in names] + (["the list of skills"] if lost.listing is not None else [])
    line = session.index.lines[lost.boundary]
    words = f"Lost at the compaction on line {line}: {', '.join(gone)}."
    evidence = [f"line {s.line}: the skill {s.name} was loaded" for s in lost.lost]
    evidence += [f"line {at}: the skill {name} came back" for name, at in lost.kept]
    if lost.listing is not None:
        evidence.append(f"line {lost.listing}: the list of skills, not sent again")
    uuid = session.index.uuids[lost.boundary]
    fault = Fault("skill-lost", None, f.FILE, f.LOST, words, None, line, ", ".join(names), uuid, severity=f.WARNING)
    return Finding(fault, tuple(evidence), "goes on without them", advice_for("skill-lost"))


def _tokens(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"
