"""On every real session: ten sections within budget, and none of them empty where the session has such items."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.conversation.row import Row
from workbench.memory.notes import Notes
from workbench.memory.offline import offline_notes
from workbench.memory.offline.facts import OK
from workbench.memory.offline.gather import gather
from workbench.storage import SessionFile
from workbench.transcript.index import Index
from workbench.transcript.session import Session

NAMES = ("real/*.jsonl", "real-new/*.jsonl", "cases/*.jsonl")


def session(path: Path) -> Session:
    reader = SessionFile(path)
    index = Index()
    for _ in index.feed(reader.chunks()):
        pass
    return Session(reader, index)


def whole(opened: Session) -> tuple[Row, ...]:
    return tuple(opened.rows(place for place, uuid in enumerate(opened.index.uuids) if uuid is not None))


@pytest.fixture(scope="module")
def opened(shared: Path) -> Iterator[list[Session]]:
    found = [session(path) for pattern in NAMES for path in sorted(shared.glob(pattern))]
    yield found
    for each in found:
        each.reader.close()  # type: ignore[attr-defined]


def text(notes: Notes, title: str) -> str:
    found = notes.find(title)
    assert found is not None
    return found.text


def check(rows: tuple[Row, ...]) -> None:
    notes, facts = offline_notes(rows), gather(rows)
    assert len(notes.sections) == 10
    assert not notes.too_long
    assert not notes.over_budget
    edited = [a for a in facts.actions if a.is_edit and a.outcome == OK]
    assert all(f"`{a.path}`" in text(notes, "Files and Functions") for a in edited)
    wanted = {
        "Session Title": facts.requests,
        "Current State": True,
        "Task specification": facts.requests,
        "Workflow": any(a.is_command for a in facts.actions),
        "Errors & Corrections": any(a.outcome == "error" for a in facts.actions),
        "Codebase and System Documentation": edited,
        "Worklog": facts.turns,
    }
    assert [title for title, items in wanted.items() if items and not text(notes, title)] == []
    if facts.requests:
        title = text(notes, "Session Title").split()
        assert len(title) <= 10
        assert facts.requests[-1].request.split("\n")[0][:60].strip() in text(notes, "Task specification").replace("\n    ", "\n")


def test_the_whole_session(opened: list[Session]) -> None:
    for each in opened:
        check(whole(each))


def test_what_is_loaded_and_what_stood_before_each_boundary(opened: list[Session]) -> None:
    for each in opened:
        chains = [each.chain, *(each.chain_at(b.line) for b in each.boundaries)]
        for chain in chains:
            check(tuple(each.rows(chain.places)))
