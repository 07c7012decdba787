"""Shell commands as notes name them: without their wrapping, grouped, with the line of their output that says most."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ..words import one_line
from .facts import ERROR, OK, Action

MOST = 150  # characters of a command

_WRAPPING = re.compile(r"^(?:cd\s+\S+\s*(?:&&|;)\s*)+|\s*2>(?:&1|/dev/null)|\s*\|\s*(?:head|tail)\s+(?:-n?\s*)?-?\d+\s*$")
_HERE = re.compile(
    r"(?P<sub>\$\(cat\s+)?<<-?\s*['\"]?(?P<end>\w+)['\"]?.*?\n\s*(?P<first>.*?)\n.*?(?:^\s*(?P=end)\s*\)?|\Z)", re.S | re.M
)
_LOOKUPS = frozenset(
    [
        "ls",
        "cat",
        "head",
        "tail",
        "grep",
        "rg",
        "find",
        "wc",
        "echo",
        "pwd",
        "which",
        "sed",
        "awk",
        "sort",
        "file",
        "stat",
        "tree",
        "less",
        "du",
        "df",
        "ps",
        "sleep",
        "true",
        "jq",
    ]
)
_GIT_LOOKUP = re.compile(
    r"git (?:-C \S+ )?(?:log|show|status|diff|branch|ls-files|ls-tree|cat-file|reflog|rev-parse|rev-list|blame|fsck|count-objects"
    r"|config --(?:list|get|global --list|local --list)|worktree list|remote -v|check-ignore)\b"
)
_NO_CHECKS = frozenset(("git", "gh", "glab", "curl", "mkdir", "rm", "cp", "mv", "ssh"))
_TELLING = re.compile(
    r"\b(error|fail\w*|fatal|undefined|not found|cannot|can't|denied|panic|exception|missing|invalid|unable|no such)\b", re.I
)
_PLACE = re.compile(r"^[\w./~-]+\.\w+:\d+(?::\d+)?:?\s")  # a compiler names the place
_ECHOED = re.compile(r"^(\[[\w:-]+\] \$|\$|>|===? (RUN|PAUSE|CONT)|Exit code \d+$|\[\w+\]$|\{$)")
_CHECK = re.compile(r"\b(test|lint|build|check|vet|tsc|mypy|ruff|pytest|fmt|format|compile|credo|dialyzer)\b")
_FAILING = re.compile(r"^\s*(?:FAIL\b|--- FAIL|FAILED\b)|\b[1-9]\d* (?:failed|failures?)\b", re.M)
_TAGS = re.compile(r"</?tool_use_error>")


@lru_cache(maxsize=8192)  # the same commands are compared over and over
def plain(command: str) -> str:
    """A command in one line without `cd`, redirections to nowhere and cutting pipes; a here-document by its beginning."""
    short = _WRAPPING.sub("", _HERE.sub(_here, command).strip().replace("\\\n", " "))
    return one_line(_WRAPPING.sub("", short), MOST)


def _here(found: re.Match[str]) -> str:
    """A here-document by its first line: the subject of a commit."""
    return f"{found['first'].strip()} …" if found["sub"] else f"<<… {found['first'].strip()}"


def program(command: str) -> str:
    """The first two words, or three behind a runner: what kind of command it is."""
    words = [w for w in plain(command).split() if "=" not in w.split("/")[0] or w.startswith("-")]
    count = 3 if words[1:2] == ["run"] else 2
    return " ".join(w for w in words[:count] if not w.startswith("-"))


def is_lookup(command: str) -> bool:
    """Whether it only looks at something."""
    words = plain(command).split()
    return bool(words) and (words[0] in _LOOKUPS or bool(_GIT_LOOKUP.match(plain(command))))


def is_check(command: str) -> bool:
    """Whether it tests, lints or builds."""
    words = plain(command).split()[:5]
    return bool(words) and words[0] not in _NO_CHECKS and not is_lookup(command) and bool(_CHECK.search(" ".join(words)))


def is_failing(action: Action) -> bool:
    """Whether it failed, or printed failures though its exit code was hidden by a pipe."""
    if action.outcome == ERROR:
        return True
    return action.outcome == OK and is_check(action.target) and bool(_FAILING.search(action.output))


def reason(action: Action, most: int = 160) -> str:
    """Why an action failed: of a command the line that says best, of another tool what it says first."""
    if action.is_command:
        return telling_line(action.output, most)
    return one_line(_TAGS.sub("", action.output).strip().partition("\n")[0], most)


def telling_line(output: str, most: int = 160) -> str:
    """The line of an output that says best what went wrong: the first that names a failure, else the first of all."""
    lines = [line.strip() for line in _TAGS.sub("", output).replace("\\n", "\n").splitlines()]
    lines = [line for line in lines if re.search(r"\w", line) and not _ECHOED.match(line)]
    place = next((i for i, line in enumerate(lines) if _PLACE.match(line)), None)
    if place is None:
        place = next((i for i, line in enumerate(lines) if _TELLING.search(line)), 0)
    more = place + 1 < len(lines) and lines[place].endswith(":")  # what it announces stands on the next line
    return one_line(" ".join(lines[place : place + 1 + more]), most)


@dataclass(frozen=True, slots=True)
class Group:
    """One command and all its runs, in their order."""

    command: str
    runs: tuple[Action, ...]

    @property
    def last(self) -> Action:
        return self.runs[-1]

    @property
    def failures(self) -> int:
        return sum(map(is_failing, self.runs))


def groups(actions: Iterable[Action]) -> tuple[Group, ...]:
    """Commands in the order of their first run."""
    found: dict[str, list[Action]] = {}
    for action in actions:
        if action.is_command and plain(action.target):
            found.setdefault(plain(action.target), []).append(action)
    return tuple(Group(command, tuple(runs)) for command, runs in found.items())


def are_alike(one: str, other: str) -> bool:
    """Whether a later command tries the same thing: equal, or of one program with at least half of their words in common, or
    the other one has only more words.
    """
    if plain(one) == plain(other):
        return True
    if program(one) != program(other):
        return False
    left, right = set(plain(one).split()), set(plain(other).split())
    return 2 * len(left & right) >= len(left | right) or left <= right
