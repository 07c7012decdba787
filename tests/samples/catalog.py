"""The list of samples: file name, the line that the folder's README prints, and the story that builds it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .session import Files
from .stories import (
    s01_plain,
    s02_two_auto,
    s03_manual_kept,
    s04_micro,
    s05_parallel,
    s06_orphans,
    s07_notes,
    s08_images_agents,
    s09_damage,
    s10_thrash,
    s11_long,
    s12_reactive,
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample: `name` is the stem of its session file."""

    name: str
    shows: str
    build: Callable[[], Files]


SAMPLES = (
    Sample(
        "01-plain-short",
        "a short session in today's format (2.1.332): a question, a fix, a test run; no compaction",
        s01_plain.build,
    ),
    Sample(
        "02-two-auto-compactions",
        "two automatic compactions at 167,000 tokens (2.1.34); the second summary loses a preference of the user",
        s02_two_auto.build,
    ),
    Sample(
        "03-manual-kept-rows",
        "a manual compaction with instructions in today's format: kept rows, attachments, recorded requests",
        s03_manual_kept.build,
    ),
    Sample(
        "04-microcompaction",
        "old results cleared silently (2.1.17), whole on disk; an automatic compaction at 155,000 later",
        s04_micro.build,
    ),
    Sample(
        "05-parallel-calls",
        "three calls in one reply whose results fork the tree; one branch was rewound; `last-prompt` names the leaf",
        s05_parallel.build,
    ),
    Sample(
        "06-orphans",
        "an interrupted call, a result twice, a result before its call, a parent that is not in the file",
        s06_orphans.build,
    ),
    Sample(
        "07-session-notes",
        "session notes beside the session, in `07-session-notes/session-memory/summary.md`; one section is over its limit",
        s07_notes.build,
    ),
    Sample(
        "08-images-and-sub-agents",
        "a screenshot in a prompt and one in a result; a sub-agent's file in `08-images-and-sub-agents/subagents/` "
        "(the agent itself names that folder after the session's id)",
        s08_images_agents.build,
    ),
    Sample(
        "09-damage",
        "what goes wrong on disk: spliced and cut lines, NUL bytes, a lone surrogate, unknown rows, a bypassed boundary",
        s09_damage.build,
    ),
    Sample(
        "10-thrash",
        "three automatic compactions in a row (window set to 100,000): the same large file is read again each time",
        s10_thrash.build,
    ),
    Sample(
        "11-long",
        "a long session of several models: a compaction by percent override, a manual one, plan mode, todos, skills, hooks, wide "
        "characters",
        s11_long.build,
    ),
    Sample(
        "12-reactive",
        "no automatic compaction although the context is over the threshold that was meant; a reactive one when the gateway "
        "answers too long",
        s12_reactive.build,
    ),
)


def all_files() -> Files:
    """Every file of the folder by its name below it, README included."""
    files: Files = {"README.md": readme().encode()}
    for sample in SAMPLES:
        files |= sample.build()
    return files


def readme() -> str:
    """The folder's README: one line per sample."""
    lines = [f"| `{sample.name}.jsonl` | {sample.shows} |" for sample in SAMPLES]
    head = (
        "# Sample sessions\n\n"
        "Invented sessions of a coding agent, each showing one thing. People, projects and words are made up; "
        "the format and the\nproportions of the token numbers are those of real sessions. `python -m tests.samples` "
        "writes this folder; do not edit it by hand.\n\n"
        "| file | what it shows |\n|---|---|\n"
    )
    return head + "\n".join(lines) + "\n"


def write_all(folder: Path) -> None:
    """Writes every file below the folder, and removes nothing."""
    for name, content in all_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
