"""What a session shows without being understood: requests, actions and their outcome, what was said, todos, decisions."""

from dataclasses import dataclass, field

OK, ERROR, REFUSED, SKIPPED, PENDING = "ok", "error", "refused", "skipped", "pending"

EDITS = ("Edit", "MultiEdit", "NotebookEdit", "Write")
SHELLS = ("Bash", "PowerShell")


@dataclass(frozen=True, slots=True)
class Action:
    """One tool call with its result, cut to what notes can use.

    order    place among all actions and texts of the session
    target   what it was done to: a path, a command, a pattern, else the input in short
    before, after  the strings of an edit
    outcome  "ok" | "error" | "refused" (by the user) | "skipped" (a call beside it failed) | "pending"
    output   begin and end of the result
    words    what the user said when refusing
    by_user  typed by the user, not called by the agent
    """

    order: int
    tool: str
    target: str
    before: str = ""
    after: str = ""
    outcome: str = PENDING
    output: str = ""
    words: str = ""
    by_user: bool = False

    @property
    def is_edit(self) -> bool:
        return self.tool in EDITS

    @property
    def is_command(self) -> bool:
        return self.tool in SHELLS

    @property
    def path(self) -> str:
        """The file it is about; "" for other tools."""
        return self.target if self.is_edit or self.tool == "Read" else ""


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the assistant."""

    order: int
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A request of the user and what followed until the next; the first may have no request.

    at           ISO time of the request
    asked        the assistant's last text before it, which a short answer refers to
    interrupted  the user broke it off
    """

    request: str
    at: str = ""
    asked: str = ""
    actions: tuple[Action, ...] = ()
    said: tuple[Said, ...] = ()
    interrupted: bool = False

    @property
    def answer(self) -> str:
        """The assistant's last text in it."""
        return self.said[-1].text if self.said else ""

    @property
    def is_answered(self) -> bool:
        """Whether that text came after the last action, so that it does not only announce one."""
        return bool(self.said) and (not self.actions or self.said[-1].order > self.actions[-1].order)


@dataclass(frozen=True, slots=True)
class Todo:
    """status: "pending" | "in_progress" | "completed", or what the session says; turn: the one that touched it last."""

    text: str
    status: str
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """A question put to the user by the agent's question tool, and the answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Facts:
    """summary: newest summary of a compaction; opens_with_summary: nothing of the session before it is here."""

    turns: tuple[Turn, ...] = ()
    todos: tuple[Todo, ...] = ()
    decisions: tuple[Decision, ...] = ()
    plans: tuple[str, ...] = ()
    summary: str = ""
    opens_with_summary: bool = False
    tools: dict[str, int] = field(default_factory=dict)  # name -> calls, in order of first use
    count: int = 0  # of turns, those without anything in them included: what Todo.turn counts

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(action for turn in self.turns for action in turn.actions)

    @property
    def requests(self) -> tuple[Turn, ...]:
        """The turns that begin with words of the user; one that was broken off and asked again counts once."""
        turns = [t for t in self.turns if t.request]
        last = len(turns) - 1
        return tuple(t for place, t in enumerate(turns) if place == last or not _asked_again(t, turns[place + 1]))


def _asked_again(turn: Turn, after: Turn) -> bool:
    """Whether a request that was broken off before anything was done says mostly the same as the next."""
    if not turn.interrupted or turn.actions:
        return False
    one, other = set(turn.request.casefold().split()), set(after.request.casefold().split())
    return 10 * len(one & other) >= 7 * min(len(one), len(other))
