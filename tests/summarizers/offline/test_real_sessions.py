"""The offline summary of every real session and sample, at every boundary and at the end, holds what it has to."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.summarizers.offline.reading import tokens
from workbench.conversation.block import Block
from workbench.conversation.row import Row
from workbench.memory.words import clean, text_of
from workbench.storage import load
from workbench.summarizers.offline import summarize
from workbench.transcript.session import Session

SAMPLES = sorted(Path("sample_sessions").glob("*.jsonl"))
NO_WORDS = re.compile(r"<(?:command|local-command|system-reminder|task-notification|bash-|ide_)|\[Request interrupted|Caveat: ")
REFUSED = "The user doesn't want to"
MOST = 4_000  # bytes of a message that stays word for word


def points(session: Session) -> Iterator[tuple[str, tuple[Row, ...]]]:
    for boundary in session.boundaries:
        yield f"line {boundary.line}", tuple(session.rows(session.chain_at(boundary.line).places))
    yield "end", tuple(session.rows(session.chain.places))


def check(session: Session) -> list[str]:
    wrong: list[str] = []
    for where, rows in points(session):
        summary = summarize(rows)
        if summary != summarize(rows):
            wrong.append(f"{where}: another text the second time")
        if tokens(summary) > 17_000:
            wrong.append(f"{where}: {tokens(summary)} tokens")
        wrong += [f"{where}: {what}" for what in (*paths(rows, summary), *messages(rows, summary), *errors(rows, summary))]
    return wrong


def blocks(rows: tuple[Row, ...], kind: str) -> Iterator[tuple[int, Block]]:
    return ((at, block) for at, row in enumerate(rows) for block in row.blocks if block.kind == kind)


def given(block: Block) -> dict:
    return (block.body or {}).get("input") or {}


def paths(rows: tuple[Row, ...], summary: str) -> Iterator[str]:
    for _, block in blocks(rows, "tool_use"):
        if block.name in ("Edit", "Write", "MultiEdit", "NotebookEdit"):
            path = given(block).get("file_path") or given(block).get("notebook_path")
            if path and path not in summary:
                yield f"path {path}"


def messages(rows: tuple[Row, ...], summary: str) -> Iterator[str]:
    for row in rows:
        if row.kind != "user" or row.is_meta or row.is_summary:
            continue
        for text in (clean(text_of(b)).strip() for b in row.blocks if b.kind == "text"):
            short = len(text.encode()) <= MOST
            there = text in summary if short else text[:150] in summary and text[-60:] in summary
            if text and not NO_WORDS.match(text) and not there:
                yield f"message in line {row.line}"


def errors(rows: tuple[Row, ...], summary: str) -> Iterator[str]:
    """Errors after which the same call never went well: some line of each has to be there. Of two results the first counts."""
    asked = {b.call: (b.name, str(given(b))) for _, b in blocks(rows, "tool_use")}
    went_well = {asked[b.call]: at for at, b in blocks(rows, "tool_result") if b.call in asked and not b.error}
    seen: set[str] = set()
    for at, block in blocks(rows, "tool_result"):
        again = block.call in seen
        seen.add(block.call)
        if again or not block.error or block.call not in asked or went_well.get(asked[block.call], -1) > at:
            continue
        said = re.sub(r"</?tool_use_error>", "", clean(text_of(block)).replace("\\n", "\n"))
        lines = [" ".join(line.split())[:60] for line in said.splitlines()]
        there = any(line in " ".join(summary.split()) for line in lines if len(line) > 8)
        if said.startswith(REFUSED):
            there = "refus" in summary
        if any(len(line) > 8 for line in lines) and not there:
            yield f"error in line {rows[at].line}"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample(path):
    assert check(load(str(path))) == []


@pytest.mark.parametrize("folder", ["real", "real-new", "cases"])
def test_the_shared_sessions(shared, folder):
    assert {path.name: wrong for path in sorted((shared / folder).glob("*.jsonl")) if (wrong := check(load(str(path))))} == {}
