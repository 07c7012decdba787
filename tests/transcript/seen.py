"""What tests of reading look at: rows by the numbers of `tests.builders`, and an index as plain values to compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tests.builders import uuid
from workbench.transcript.chain import Chain
from workbench.transcript.index import Index
from workbench.transcript.session import Session


def number(name: str | None) -> int:
    return int((name or "0")[-12:])


def numbers(session: Session, places: Iterable[int]) -> list[int]:
    """The numbers of the rows at these places, in order."""
    return [number(session.index.uuids[place]) for place in places]


def loaded(session: Session, leaf: int | None = None) -> list[int]:
    """The numbers of the rows that the agent loads; with `leaf`, of the branch that ends at that row."""
    return numbers(session, chain_of(session, leaf).places)


def chain_of(session: Session, leaf: int | None = None) -> Chain:
    return session.chain if leaf is None else session.branch(uuid(leaf))


def gaps(session: Session, chain: Chain | None = None) -> list[int]:
    return numbers(session, (chain or session.chain).gaps)


def indexed(content: bytes | Sequence[bytes], *, last: bool = True) -> Index:
    """The index of a content that comes in these chunks."""
    index = Index()
    for _ in index.feed(iter([content] if isinstance(content, bytes) else content), last):
        pass
    return index


def values(index: Index) -> dict[str, Any]:
    """All that an index tells, as values that can be compared."""
    places = range(len(index))
    return {
        "rows": list(zip(index.offsets, index.lengths, index.lines, index.flags, index.parents, index.times, strict=True)),
        "kinds": [index.kind(p) for p in places],
        "models": [index.model(p) for p in places],
        "messages": [index.message_id(p) for p in places],
        "uuids": index.uuids,
        "roots": index.roots,
        "dangling": index.dangling,
        "duplicates": index.duplicates,
        "odd_parents": index.odd_parents,
        "names": (index.sessions, index.versions, index.last_version),
        "last prompts": index.last_prompts,
        "tools": [list(column) for column in index.tools()],
        "calls": index.calls(),
        "facts": index.facts,
        "end": index.end,
    }
