"""What a run starts from: the state of a session at a point, drawn once, so that stages need nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..conversation.figure import Figure
from ..conversation.row import Row
from ..memory.notes import Notes
from .breaker import Tracking
from .faults import fault_keys
from .result import in_context, tokens_of
from .threshold import Threshold
from .window import Window
from .working_set import WorkingSet


@dataclass(frozen=True, slots=True)
class NotesGround:
    """The notes to compact from: parsed, where they are, when last written (seconds since the epoch), what they cover.

    in_flight  an extraction is at work on them; the run asks for what it writes before it looks at them
    """

    notes: Notes | None = None
    path: str | None = None
    written: float | None = None
    last_summarized: str | None = None
    in_flight: bool = False


@dataclass(frozen=True)  # no slots: what is found out once is kept with it
class Ground:
    """A session at a point.

    rows        the chain there, with bodies, links included
    tokens      in context, as the agent's own check counts them
    overhead    system prompt, tools and what is not recorded
    transcript  path of the session file, for the continuation message
    now         ISO time that counts as now; last_time: of the last row
    remark      what the session recorded at this very point, where the decision needs it explained
    dropped     tokens that earlier compactions of the session dropped, as it recorded them
    hooks       text that hooks added, by name: pre, session-start, post; pre-blocked: why the PreCompact hook blocks
    """

    session_id: str
    rows: tuple[Row, ...]
    tokens: Figure
    overhead: Figure
    window: Window
    threshold: Threshold
    working: WorkingSet
    model: str = ""
    version: str = ""
    transcript: str | None = None
    now: str | None = None
    last_time: str | None = None
    line: int | None = None
    remark: str = ""
    notes: NotesGround = field(default_factory=NotesGround)
    tracking: Tracking = field(default_factory=Tracking)
    hooks: Mapping[str, str] = field(default_factory=dict)
    dropped: int = 0

    def in_context(self, rows: Sequence[Row]) -> Figure:
        """What rows as the array would come to with the overhead: a lower bound where that is unknown."""
        return in_context(tokens_of(rows) + self.overhead_tokens, is_lower_bound=self.overhead.tokens is None)

    @property
    def overhead_tokens(self) -> int:
        """What is added to the array's rough tokens to get the context; 0 where the overhead is unknown."""
        return self.overhead.tokens or 0

    @cached_property
    def known_faults(self) -> frozenset[tuple[str, str]]:
        """The faults that the session has already, by kind and id: no stage is to blame for them."""
        return fault_keys(self.rows)
