"""The generated sessions must be what they claim: measuring with a wrong one would prove nothing."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.tools.big_session import CEILING, LARGEST, SMALLEST, THRESHOLD, Written, tokens, write_session

Row = dict[str, Any]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[Written, list[Row]]:
    path = tmp_path_factory.mktemp("big") / "session.jsonl"
    written = write_session(path, 6)
    return written, [json.loads(line) for line in path.open(encoding="utf-8", newline="\n")]


def blocks(rows: list[Row], kind: str) -> list[Row]:
    contents = [row["message"]["content"] for row in rows if "message" in row]
    return [block for content in contents if isinstance(content, list) for block in content if block["type"] == kind]


def calls(rows: list[Row]) -> list[tuple[int, int, int]]:
    """(place of the last row, context, output) of each call, in order."""
    last: dict[str, tuple[int, int, int]] = {}
    for place, row in enumerate(rows):
        if row["type"] == "assistant":
            usage = row["message"]["usage"]
            context = usage["input_tokens"] + usage["cache_creation_input_tokens"] + usage["cache_read_input_tokens"]
            last[row["message"]["id"]] = (place, context, usage["output_tokens"])
    return list(last.values())


def test_has_the_size_asked_for_and_counts_itself(session: tuple[Written, list[Row]]) -> None:
    written, rows = session
    assert 6_000_000 <= written.bytes < 8_000_000
    assert written.rows == len(rows)
    assert written.calls == len(calls(rows))
    assert written.boundaries == sum(row.get("subtype") == "compact_boundary" for row in rows) > 2


def test_every_row_hangs_on_an_earlier_one(session: tuple[Written, list[Row]]) -> None:
    seen: set[str] = set()
    for row in session[1]:
        if "uuid" in row:
            assert row["parentUuid"] is None or row["parentUuid"] in seen
            assert row["uuid"] not in seen
            seen.add(row["uuid"])


def test_every_call_of_a_tool_has_one_result_of_a_real_size(session: tuple[Written, list[Row]]) -> None:
    results = blocks(session[1], "tool_result")
    assert [block["id"] for block in blocks(session[1], "tool_use")] == [block["tool_use_id"] for block in results]
    sizes = [len(block["content"].encode()) for block in results]
    assert min(sizes) >= SMALLEST
    assert max(sizes) < LARGEST + 1_000
    assert max(sizes) > LARGEST / 2


def test_contexts_add_up_and_compact_at_the_threshold(session: tuple[Written, list[Row]]) -> None:
    _, rows = session
    for (place, context, output), (following, grown, _) in pairwise(calls(rows)):
        between = rows[place + 1 : following + 1]
        boundary = next((row for row in between if row.get("subtype") == "compact_boundary"), None)
        results = sum(tokens(len(block["content"].encode())) for block in blocks(between, "tool_result"))
        before = boundary["compactMetadata"]["preTokens"] if boundary else grown
        assert results <= before - context - output <= results + 500  # the rest is the user's prompt
        assert THRESHOLD <= before <= CEILING + 1_000 if boundary else before < THRESHOLD


def test_is_the_same_for_the_same_seed_only(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "same", "other")]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        write_session(file, 1, seed=seed)
    one, same, other = (file.read_bytes() for file in files)
    assert one == same != other


def test_without_a_threshold_the_context_only_grows(tmp_path: Path) -> None:
    assert write_session(tmp_path / "session.jsonl", 3, threshold=None).boundaries == 0
    rows = [json.loads(line) for line in (tmp_path / "session.jsonl").open(encoding="utf-8", newline="\n")]
    contexts = [context for _, context, _ in calls(rows)]
    assert contexts == sorted(contexts)
    assert contexts[-1] > CEILING
