"""One of a thing is told in the singular, whichever command tells it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.builders import Record, boundary, call, file_of, reply, result, summary, user
from workbench.cli import main

ONE_OF_MANY = re.compile(r"(?<![\d.,:/-])1 (?!of\b)(?:[a-z]+ )?(?!as\b|is\b|has\b|was\b|this\b|its\b|tokens before)[a-z]{2,}s\b")
LONE = (user(1, "go"), reply(2, call("a")), user(3, result("a")))
UNANSWERED = (user(1, "go"), reply(2, call("a")))
COMPACTED = (user(1, "go"), reply(2, "done"), boundary(3), summary(4, "so far"), user(5, "on"))
COMMANDS = (
    ["inspect"],
    ["doctor"],
    ["timeline"],
    ["notes"],
    ["compact", "--variant", "full", "--steps"],
    ["compact", "--variant", "fold", "--steps"],
    ["compact", "--variant", "full", "--show-request"],
)


@pytest.mark.parametrize("records", [LONE, UNANSWERED, COMPACTED], ids=["lone", "unanswered", "compacted"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("tail", [b"", b'{"half'], ids=["whole", "cut"])
def test_one_of_a_thing_is_singular(
    command: list[str], records: tuple[Record, ...], tail: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(file_of(*records) + tail)
    main([command[0], str(path), *command[1:]])
    said = capsys.readouterr().out
    assert said
    assert not ONE_OF_MANY.findall(said), ONE_OF_MANY.search(said)
