"""What the agent had at hand before a cut, as far as the transcript tells: what restoring brings back (spec 1, section 10)."""

from dataclasses import dataclass

TRANSCRIPT, DISK, UNKNOWN = "transcript", "disk", "unknown"


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file the agent read or wrote since the boundary.

    text      the newest contents the source holds; None: not known
    source    "transcript" | "disk" | "unknown"
    calls     ids of the Read calls whose results show it
    modified  written or edited since it was read first; `order` grows with recency of reading, `touched` of writing
    role      "file" | "plan" | "memory": plans and memory files come back by ways of their own
    """

    path: str
    text: str | None
    source: str
    calls: tuple[str, ...] = ()
    modified: bool = False
    order: int = 0
    touched: int = 0
    role: str = "file"


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that was invoked: name, path and content, newest last use as `order`; content None: not known."""

    name: str
    path: str
    content: str | None
    order: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """Something announced in full after a compaction (deferred tools, agents, MCP instructions, skills): its text."""

    kind: str
    names: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """The working set at a point; `unknown` says in words what cannot be told from the transcript."""

    files: tuple[SeenFile, ...] = ()
    skills: tuple[Skill, ...] = ()
    instructions: tuple[tuple[str, str], ...] = ()
    plan: SeenFile | None = None
    plan_mode: bool | None = None
    todos: tuple[tuple[str, str], ...] = ()
    agents: tuple[str, ...] = ()
    listings: tuple[Listing, ...] = ()
    discovered_tools: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
