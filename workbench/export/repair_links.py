"""Repairs of the links: rows written twice, missing parents, a circle, a cut that parts a pair, a bypassed boundary."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..evidence.kept import KeptFault, kept_fault
from ..evidence.links import Copy, bypass, copies, cycle_top, dangling, is_sealed, sealed_before
from ..transcript.boundary import KIND
from ..transcript.index import NONE
from ..transcript.session import Session
from .repair_draft import Draft, Links, fresh_uuid
from .repair_step import Step


def link_steps(session: Session) -> Iterator[Step]:
    """Steps of the first of these kinds that there is any of; what they make possible comes in a later round."""
    for steps in (_copies, _dangling, _cycle, _kept, _bypass):
        found = tuple(step for step in steps(session) if step.edits)
        if found:
            yield from found
            return


def _copies(session: Session) -> Iterator[Step]:
    sealed = sealed_before(session)
    links = Links(session)
    for copy in copies(session):
        if copy.place >= sealed and copy.place not in session.tree.boundaries:
            yield _without_copy(links, copy) if copy.goes else _renamed(links, copy)


def _without_copy(links: Links, copy: Copy) -> Step:
    """The same row once more: the line that is not loaded goes, else the later one; the uuid stands for the other."""
    draft, inside = Draft(links), links.session.chain.places
    gone, stays = copy.place, copy.first
    if gone in inside and stays not in inside and stays >= links.sealed:
        gone, stays = stays, gone
    draft.erase(gone)
    draft.note("drop-copy", f"line {draft.line(gone)} is a copy of line {draft.line(stays)} and is dropped", [gone])
    return draft.step()


def _renamed(links: Links, copy: Copy) -> Step:
    """Another row with the same uuid, or a copy on which the rest hangs: it gets one of its own, and whoever meant it follows."""
    session, index, draft = links.session, links.session.index, Draft(links)
    ordinal = index.duplicates[copy.uuid].index(copy.place)
    uuid = fresh_uuid(session, copy.uuid, ordinal)
    for child in links.children.get(copy.place, ()):
        draft.link(child, uuid)
        if session.body(child).get("sourceToolAssistantUUID") == copy.uuid:
            draft.put(child, ("sourceToolAssistantUUID",), uuid)
    for at, leaf in index.last_prompts:
        if leaf == copy.uuid and index.find(copy.uuid, before=at) == copy.place:
            draft.put(at, ("leafUuid",), uuid)
    for boundary in session.boundaries:
        named = boundary.logical_parent == copy.uuid and index.kind(boundary.place) == KIND
        if named and index.find(copy.uuid, before=boundary.place) == copy.place:
            draft.put(boundary.place, ("logicalParentUuid",), uuid)
    draft.put(copy.place, ("uuid",), uuid)
    reason = f"line {draft.line(copy.place)} had the uuid of line {draft.line(copy.first)}: it is {uuid} now"
    draft.note("rename-row", reason, [copy.place])
    return draft.step()


def _dangling(session: Session) -> Iterator[Step]:
    sealed = sealed_before(session)
    links = Links(session)
    for gap in dangling(session):
        if gap.place >= sealed and gap.bridge != NONE:
            draft = Draft(links)
            draft.link(gap.place, draft.uuid(gap.bridge))
            line, before = draft.line(gap.place), draft.line(gap.bridge)
            reason = f"the parent of line {line} is not in the file: linked to line {before}, the row before it"
            draft.note("relink", reason, [gap.place])
            yield draft.step()


def _cycle(session: Session) -> Iterator[Step]:
    top = cycle_top(session.chain)
    if top is not None and not is_sealed(session, top):
        draft, before = Draft(Links(session)), session.tree.before(top) if top in session.chain.gaps else NONE
        draft.link(top, None if before == NONE else draft.uuid(before))
        now = "it is the root" if before == NONE else f"it is linked to line {draft.line(before)}, the row before it,"
        draft.note("relink", f"line {draft.line(top)} closed a circle: {now} now", [top])
        yield draft.step()


def _bypass(session: Session) -> Iterator[Step]:
    past = bypass(session, session.chain)
    if past is not None and past.target is not None:
        draft = Draft(Links(session))
        draft.link(past.first, draft.uuid(past.target))
        first, boundary, target = (draft.line(p) for p in (past.first, past.boundary, past.target))
        reason = f"line {first} went past the compaction at line {boundary}: linked to line {target}"
        draft.note("restore-compaction", reason, [past.first])
        yield draft.step()


def _kept(session: Session) -> Iterator[Step]:
    """The cut moves: list and segment of the boundary name the rows that belong together."""
    fault = kept_fault(session)
    if fault is None or fault.proposal is None or fault.proposal == fault.kept:
        return
    index, draft = session.index, Draft(Links(session))
    place, uuids = fault.boundary.place, [index.uuids[p] or "" for p in fault.proposal]
    metadata = session.body(place)["compactMetadata"]
    ends, lists = _mapping(metadata.get("preservedSegment")), _mapping(metadata.get("preservedMessages"))
    for name, uuid in (("headUuid", uuids[0]), ("tailUuid", uuids[-1])):
        if ends.get(name, uuid) != uuid:
            draft.put(place, ("compactMetadata", "preservedSegment", name), uuid)
    if "uuids" in lists:
        draft.put(place, ("compactMetadata", "preservedMessages", "uuids"), uuids)
        if isinstance(lists.get("allUuids"), list):
            draft.put(place, ("compactMetadata", "preservedMessages", "allUuids"), _all(uuids, lists["allUuids"]))
    draft.note("move-cut", _why(fault, uuids[0], draft.line(place)), fault.proposal)
    yield draft.step()


def _why(fault: KeptFault, head: str, line: int) -> str:
    if fault.missing:
        return f"the boundary at line {line} named kept rows that are not in the file: it names those that are"
    what = "a result from its call" if fault.calls else "a reply"
    return f"the cut of the boundary at line {line} parted {what}: the kept rows start at {head} now"


def _all(uuids: list[str], every: Sequence[object]) -> list[object]:
    return [u for u in uuids if u not in every] + list(every)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
