"""Findings about the links of a file: parents, uuids, cycles, branches."""

from collections.abc import Iterator

from ..conversation.invariants import Fault
from ..conversation.invariants import fault as f
from ..conversation.wording import counted
from ..transcript.chain import Chain
from ..transcript.index import NONE
from ..transcript.session import Session
from .advice import advice_for
from .finding import Finding
from .links import Copy, Dangling, branch_length, copies, cycle_top, dangling, is_sealed, left_branch, sealed_before

TREE = "tree"


def link_findings(session: Session, chain: Chain) -> Iterator[Finding]:
    """Faults of the tree; those of rows before the last boundary are remarks."""
    sealed = sealed_before(session)
    for gap in dangling(session):
        yield _dangling(session, gap, gap.place < sealed)
    for copy in copies(session):
        yield _copied(session, copy, copy.place < sealed or copy.place in session.tree.boundaries)
    top = cycle_top(chain)
    if top is not None:
        yield _cycle(session, top, top in chain.gaps, is_sealed(session, top))
    newest = left_branch(session, chain)
    if newest is not None:
        yield _two_branches(session, chain, newest)


def _dangling(session: Session, gap: Dangling, sealed: bool) -> Finding:
    index = session.index
    line, uuid = index.lines[gap.place], index.uuids[gap.place]
    if gap.bridge == NONE:
        words = f"The first row of the file (line {line}) names a parent that is not in it: the file starts in the middle."
        fault = Fault("starts-in-the-middle", None, f.FILE, TREE, words, None, line, gap.parent, uuid, severity=f.REMARK)
        return Finding(fault, on_load="takes the row as the first one")
    words = f"The parent of line {line} ({gap.parent}) is not in the file."
    kind, severity = ("dangling-parent-before-boundary", f.REMARK) if sealed else ("dangling-parent", f.WARNING)
    fault = Fault(kind, None, f.FILE, TREE, words, None, line, gap.parent, uuid, severity=severity)
    evidence = (f"line {line}: {index.kind(gap.place)} {uuid}", f"row before it: {_named(session, gap.bridge)}")
    repair = "" if sealed else "it is linked to the row before it, which the agent takes as well"
    return Finding(fault, evidence, "takes the row before it as the parent", advice_for(kind), repair)


def _copied(session: Session, copy: Copy, sealed: bool) -> Finding:
    index = session.index
    lines = ", ".join(str(index.lines[p]) for p in index.duplicates[copy.uuid])
    kind, severity = ("copied-row", f.WARNING) if copy.same else ("conflicting-uuid", f.ERROR)
    what = "the same row" if copy.same else "different rows"
    words = f"The uuid {copy.uuid} stands on lines {lines}: {what}."
    if sealed:
        kind, severity = f"{kind}-before-boundary", f.REMARK
    line = index.lines[copy.place]
    fault = Fault(kind, None, f.FILE, f.DUPLICATE, words, None, line, copy.uuid, copy.uuid, severity=severity)
    places = (copy.first, copy.place)
    evidence = tuple(f"{_named(session, p)}, {_parent(session, p)}" for p in places)
    later = "the copy, on which the rest hangs," if copy.same else "the later row"
    repair = "the copy is dropped" if copy.goes else f"{later} gets a uuid of its own, and its children follow it"
    on_load = "loads it once" if copy.same else "loads one row of a uuid: which one depends on the reader"
    return Finding(fault, evidence, on_load, advice_for(kind), "" if sealed else repair)


def _cycle(session: Session, top: int, bridged: bool, sealed: bool) -> Finding:
    index = session.index
    words = f"The chain runs in a circle: the parent of line {index.lines[top]} is further down on it."
    kind = "cycle-before-boundary" if sealed else "cycle"
    fault = Fault(kind, None, f.FILE, TREE, words, None, index.lines[top], uuid=index.uuids[top])
    evidence = (f"{_named(session, top)}, {_parent(session, top)}",)
    repair = "it is linked to the row before it, which the agent takes as well" if bridged else "the row becomes the root"
    on_load = "goes on from the row before it" if bridged else "stops at the row that it met before"
    return Finding(fault, evidence, on_load, advice_for(kind), "" if sealed else repair)


def _two_branches(session: Session, chain: Chain, newest: int) -> Finding:
    index = session.index
    line, uuid = index.lines[newest], index.uuids[newest]
    length = branch_length(session, newest, chain)
    words = f"The newest row (line {line}) is not on the branch that is loaded: last-prompt names another leaf."
    fault = Fault("two-branches", None, f.FILE, TREE, words, None, line, uuid, uuid, severity=f.WARNING)
    loaded = "nothing" if chain.leaf is None else _named(session, chain.leaf)
    evidence = (
        f"loaded: the branch that ends at {loaded}, {counted(len(chain.places), 'row')}",
        f"not loaded: the branch that ends at {_named(session, newest)}, {counted(length, 'row')} of its own",
    )
    return Finding(fault, evidence, "loads the branch that last-prompt names", advice_for("two-branches"))


def _named(session: Session, place: int) -> str:
    index = session.index
    return f"line {index.lines[place]} ({index.kind(place)} {index.uuids[place]})"


def _parent(session: Session, place: int) -> str:
    parent = session.body(place).get("parentUuid")
    return "no parent" if parent is None else f"parent {parent}"
