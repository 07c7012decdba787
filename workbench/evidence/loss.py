"""What each compaction lost: every item that stood in the context before it, and where it is now (spec 5, "loss").

Nothing is judged by a model. An item counts as kept when its row was kept, when the summary says it word for word or with
most of its telling words, when it was attached again, or when it can be read again from disk; each answer says how it was found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..conversation.row import USER, Row
from ..conversation.text import compact_json
from ..memory.words import given, one_line, text_of
from ..summarizers.offline.voices import REQUEST, voices
from ..summarizers.recorded import recorded_summary
from ..transcript.boundary import Boundary
from ..transcript.session import Session
from .afterwards import Afterwards, afterwards
from .claims import unsupported_claims
from .lint import Lint, lint
from .loss_items import FILE, Told, items_of
from .matching import Haystack, find, mentions

VERBATIM, SUMMARY, ATTACHED, ON_DISK, GONE = "verbatim", "summary", "re-attached", "on-disk", "gone"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing and its fate; `sentence` says it now, in the words that stand there, and `evidence` how it was found."""

    told: Told
    fate: str
    sentence: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Loss:
    """One boundary (number from 0): items, claims of the summary that nothing before it supports, remarks, what came after."""

    number: int
    boundary: Boundary
    items: tuple[Item, ...]
    unsupported: tuple[str, ...]
    lint: tuple[Lint, ...]
    afterwards: tuple[Afterwards, ...]

    @property
    def retention(self) -> dict[str, tuple[int, int]]:
        """{class: (kept, total)}; what is on disk counts as kept."""
        found: dict[str, tuple[int, int]] = {}
        for item in self.items:
            kept, total = found.get(item.told.kind, (0, 0))
            found[item.told.kind] = (kept + (item.fate != GONE), total + 1)
        return found


@dataclass(frozen=True)  # no slots: what is worked out once is kept with it
class Left:
    """What a compaction left in the context: the rows that stayed, the summary's text, the texts of what was attached again."""

    kept: frozenset[str]
    summary: str
    attached: tuple[str, ...]

    @cached_property
    def told(self) -> Haystack:
        return Haystack(self.summary)

    @cached_property
    def again(self) -> Haystack:
        return Haystack("\n".join(self.attached))


def losses(session: Session, only: int | None = None) -> Iterator[Loss]:
    """Every boundary in file order, or one by its number (from 0); reads the rows around it."""
    for number, boundary in enumerate(session.boundaries):
        if only is None or number == only:
            yield _loss(session, number, boundary)


def _loss(session: Session, number: int, boundary: Boundary) -> Loss:
    before = tuple(session.rows(session.chain_at(boundary.line).places))
    following = session.boundaries[number + 1].line if number + 1 < len(session.boundaries) else None
    left, since = left_by(session, boundary, following)
    items = tuple(_item(told, left) for told in items_of(before))
    spoken = [v.text for row in before if row.role == USER and not row.is_summary for v in voices((row,)) if v.kind == REQUEST]
    lost = [item.told for item in items if item.fate in (GONE, ON_DISK, SUMMARY)]
    return Loss(
        number,
        boundary,
        items,
        unsupported_claims(left.summary, list(_texts(before))),
        lint(left.summary, spoken),
        afterwards(before, since, lost, left.attached),
    )


def left_by(session: Session, boundary: Boundary, following: int | None) -> tuple[Left, tuple[Row, ...]]:
    """What the boundary left, and the rows that came behind it up to the next one (`following`, a line) or the end."""
    chain = session.chain_at(following) if following is not None else session.chain_at(session.index.lines[-1] + 1)
    rows = tuple(session.rows(p for p in chain.places))
    kept = frozenset(r.uuid for r in rows if r.place < boundary.place and r.role is not None)
    behind = [r for r in rows if r.place > boundary.place and r.role is not None]
    first = next((i for i, r in enumerate(behind) if r.role != USER), len(behind))
    recorded = recorded_summary(session, boundary.line)
    words = "" if recorded is None or recorded.boundary.line != boundary.line else recorded.text
    attached = tuple(text for r in behind[:first] if r.is_attachment for b in r.blocks if (text := text_of(b)))
    return Left(kept, words, attached), tuple(r for r in behind if not r.is_summary)


def _item(told: Told, left: Left) -> Item:
    if any(row.uuid in left.kept for row in told.rows):
        return Item(told, VERBATIM, told.text, "its row was kept")
    if told.kind == FILE:
        return _file(told, left)
    match = find(told.text, left.told)
    if match.is_found:
        return Item(told, SUMMARY, one_line(match.sentence, 300), match.evidence)
    again = find(told.text, left.again)
    if again.is_found:
        return Item(told, ATTACHED, one_line(again.sentence, 300), again.evidence)
    if told.path:
        return Item(told, ON_DISK, "", f"not in the summary ({match.evidence}); the file can be read again, as it is now")
    return Item(told, GONE, "", match.evidence)


def _file(told: Told, left: Left) -> Item:
    if mentions(told.path, left.attached):
        return Item(told, ATTACHED, told.path, "its contents or a reference to it were attached again")
    if mentions(told.path, (left.summary,)):
        sentence = next((s for s in left.told.sentences if mentions(told.path, (s,))), told.path)
        return Item(told, SUMMARY, one_line(sentence, 300), "the summary names it")
    return Item(told, ON_DISK, "", "nothing names it any more; it can be read again")


def _texts(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        for block in row.blocks:
            yield text_of(block) if block.kind != "tool_use" else f"{block.name} {compact_json(given(block))}"


def retention_json(loss: Loss) -> Mapping[str, Mapping[str, int]]:
    """The contract's form of `retention`."""
    return {kind: {"kept": kept, "total": total} for kind, (kept, total) in loss.retention.items()}
