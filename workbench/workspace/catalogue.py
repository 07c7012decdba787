"""What the picker offers, as values: session files that were found, what has been read of them, and what is asked of the list."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

SESSION, SAMPLE = "session", "sample"
RECENT, LARGEST, MOST_COMPACTED = "last activity", "size", "compactions"
ORDERS = (RECENT, LARGEST, MOST_COMPACTED)
GLANCE = 256 << 10  # bytes read for a title and a project
ENOUGH = 64 << 20  # bytes read to count with; beyond it a count is a lower bound

_SAMPLE_LINE = re.compile(r"^\|\s*`([^`]+\.jsonl)`\s*\|\s*(.+?)\s*\|\s*$", re.MULTILINE)
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A session file as its folder shows it.

    name      without folder and `.jsonl`: a session's id
    folder    the name of the folder it stands in; the agent encodes a project's path in it (spec 2, section 1)
    size      bytes
    modified  seconds since the epoch; 0.0 where it says nothing, as for samples
    about     what a sample shows
    """

    path: str
    name: str
    folder: str = ""
    size: int = 0
    modified: float = 0.0
    group: str = SESSION
    about: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the first `read` bytes of a file tell. Counts are lower bounds unless all of it was read.

    size, modified  of the file when it was read, to know whether it still is the same
    last_record     newest timestamp in it, seconds since the epoch; 0.0: unknown
    problem         why it cannot be read, as a sentence
    """

    size: int
    modified: float
    read: int = 0
    records: int = 0
    compactions: int = 0
    damaged_lines: int = 0
    title: str = ""
    cwd: str = ""
    version: str = ""
    model: str = ""
    last_record: float = 0.0
    problem: str = ""

    @property
    def whole(self) -> bool:
        """Whether there is nothing more to read."""
        return bool(self.problem) or self.read >= self.size

    @property
    def counted(self) -> bool:
        """Whether enough was read to show counts, if only as lower bounds."""
        return self.whole or self.read >= ENOUGH

    def tells_of(self, entry: Entry) -> bool:
        """Whether the file has not been written to since."""
        return (self.size, self.modified) == (entry.size, entry.modified)


@dataclass(frozen=True, slots=True)
class Found:
    """What a look at the disk gave; `problems` are sentences about what could not be looked at, `home` the user's folder."""

    folder: str = ""
    home: str = ""
    is_projects: bool = True
    sessions: tuple[Entry, ...] = ()
    samples: tuple[Entry, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What the picker shows: None found while it is still looking; `facts` by path; the words searched for; the order."""

    found: Found | None = None
    facts: Mapping[str, Facts] = field(default_factory=dict)
    words: str = ""
    order: str = RECENT


def found_anew(now: Catalogue, found: Found) -> Catalogue:
    """After a look at the disk: facts are kept of the files that did not change."""
    entries = (*found.sessions, *found.samples)
    kept = {e.path: now.facts[e.path] for e in entries if e.path in now.facts and now.facts[e.path].tells_of(e)}
    return replace(now, found=found, facts=kept)


def learned(now: Catalogue, facts: Mapping[str, Facts]) -> Catalogue:
    """More is known of some files."""
    return replace(now, facts={**now.facts, **facts})


def searched(now: Catalogue, words: str) -> Catalogue:
    """Only what holds all these words in its project, title or id."""
    return replace(now, words=words)


def next_order(now: Catalogue) -> Catalogue:
    """By last activity, by size, by compactions, in turn."""
    return replace(now, order=ORDERS[(ORDERS.index(now.order) + 1) % len(ORDERS)])


def title_words(entry: Entry, facts: Facts | None) -> str:
    """What a session is about, as far as it is known; "" while nothing is."""
    return entry.about or (facts.title if facts is not None else "")


def project_words(entry: Entry, facts: Facts | None, home: str) -> str:
    """The project's path: as the session recorded it, else what its folder's name says, where every separator is a dash."""
    if entry.group == SAMPLE:
        return entry.name
    encoded = entry.folder.startswith("-")
    if facts is not None and facts.cwd and (not encoded or _NOT_IN_NAMES.sub("-", facts.cwd) == entry.folder):
        return tilde(facts.cwd, home)
    prefix = _NOT_IN_NAMES.sub("-", home) + "-"
    return f"~/{entry.folder[len(prefix) :]}" if encoded and home and entry.folder.startswith(prefix) else entry.folder


def tilde(path: str, home: str) -> str:
    """A path with the user's own folder written `~`."""
    if home and (path == home or path.startswith(f"{home}/")):
        return f"~{path[len(home) :]}"
    return path


def sample_words(readme: str) -> dict[str, str]:
    """{file name: what it shows} from the table of the samples' README."""
    return {name: words.replace("`", "") for name, words in _SAMPLE_LINE.findall(readme)}
