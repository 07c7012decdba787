"""Skills whose text a compaction took out of the context without bringing it back (spec 6, section 5)."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..transcript.chain import Chain
from ..transcript.session import Session
from .scan import Scan, SkillCall

INVOKED, LISTING = "attachment:invoked_skills", "attachment:skill_listing"


@dataclass(frozen=True, slots=True)
class LostSkills:
    """What was not restored behind a boundary.

    lost     the calls of skills that were loaded before it
    kept     names that came back, with the line of the attachment
    listing  line of the last list of skills before the boundary; None where it was sent again, or never
    """

    boundary: int
    lost: tuple[SkillCall, ...]
    kept: tuple[tuple[str, int], ...]
    listing: int | None


def lost_skills(session: Session, chain: Chain, scan: Scan) -> LostSkills | None:
    """What the boundary that the chain starts behind lost; None where nothing was, or the version records no attachments."""
    boundary = chain.boundary
    index = session.index
    if boundary is None or not any(p > boundary and index.kind(p).startswith("attachment") for p in chain.places):
        return None
    previous = max((b.place for b in session.boundaries if b.place < boundary), default=-1)
    kept = _restored(session, boundary, len(index))
    still_there = {name for name, _ in kept} | {s.name for s in scan.skills if s.place > boundary or s.place in chain.kept}
    earlier = {name for name, _ in _restored(session, previous, boundary)} if previous >= 0 else set()
    loaded = {s.name: s for s in scan.skills if previous < s.place < boundary or (s.place < previous and s.name in earlier)}
    lost = tuple(s for name, s in loaded.items() if name not in still_there)
    listing = _listing_lost(session, boundary)
    return LostSkills(boundary, lost, kept, listing) if lost or (listing is not None and loaded) else None


def _restored(session: Session, first: int, end: int) -> tuple[tuple[str, int], ...]:
    found = []
    for place in session.index.places(INVOKED):
        if first < place < end:
            attachment = session.body(place).get("attachment")
            skills = attachment.get("skills") if isinstance(attachment, Mapping) else None
            for skill in skills if isinstance(skills, list) else ():
                if isinstance(skill, Mapping):
                    found.append((str(skill.get("name")), session.index.lines[place]))
    return tuple(found)


def _listing_lost(session: Session, boundary: int) -> int | None:
    places = session.index.places(LISTING)
    if not places or any(p > boundary for p in places):
        return None
    return session.index.lines[places[-1]]
