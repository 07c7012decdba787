"""What the agent had at hand before a cut, as far as the transcript tells: what restoring brings back (spec 1, section 10)."""

from dataclasses import dataclass

TRANSCRIPT, DISK, UNKNOWN = "transcript", "disk", "unknown"
FILE, PLAN, MEMORY = "file", "plan", "memory"


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file that the agent read or wrote since the boundary.

    text      the newest contents the source holds; None: not known
    source    "transcript" | "disk" | "unknown"
    calls     ids of the Read calls whose results show it; `shown`: uuids of attachments that do
    modified  written, edited or changed by somebody else since the boundary
    order     grows with recency in the read-file state (read, edited, written, attached); `touched` of changes, 0 for none
    role      "file" | "plan" | "memory": plans and memory files come back by ways of their own
    lines     (first, last) of each stretch of lines that `text` holds, 1-based; () where it is the whole file
    total     lines of the whole file; None: not known
    is_large  it was only named after an earlier compaction, since it was over the budget then
    why       where the contents come from, or why they are not known, in words
    """

    path: str
    text: str | None
    source: str
    calls: tuple[str, ...] = ()
    modified: bool = False
    order: int = 0
    touched: int = 0
    role: str = FILE
    lines: tuple[tuple[int, int], ...] = ()
    total: int | None = None
    shown: tuple[str, ...] = ()
    is_large: bool = False
    why: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether the contents are known from the first line to the last."""
        return self.text is not None and not self.lines


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that was invoked: name, path and content, newest last use as `order`; content None: not known."""

    name: str
    path: str
    content: str | None
    order: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """Something announced in full after a compaction (deferred tools, agents, MCP instructions, skills).

    kind     the type of its attachment
    names    what is announced; `lines` one text a name, where the session holds them apart
    text     what is sent
    """

    kind: str
    names: tuple[str, ...]
    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """The working set at a point; `unknown` says in sentences what cannot be told from the transcript.

    files         in the order in which they were seen first
    instructions  (path, text) of each project instruction file, `nested` of those that came with a file of their folder
    plan_mode     None: not recorded
    todos         (text, status)
    agents        those that run in the background, as "description (id)"
    cwd           the working folder, to compare paths by; None: not recorded
    """

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
    nested: tuple[tuple[str, str], ...] = ()
    cwd: str | None = None
