"""What a stage gives: decision, reason, the numbers it used with their origin, and the work as it stands after it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..conversation.array import assemble
from ..conversation.change import Change
from ..conversation.figure import LOWER_BOUND, Figure, estimated, unknown
from ..conversation.invariants import Fault
from ..conversation.row import Message, Row
from .cut import Cut
from .request import Reply, Request

OK, SKIPPED, STOPPED, FAILED = "ok", "skipped", "stopped", "failed"


@dataclass(frozen=True, slots=True)
class Number:
    """A number a stage used: its name, value in words, kind (exact, estimated, ...) and origin."""

    name: str
    value: str
    kind: str
    source: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was not brought back, or cut, and why."""

    kind: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something brought back: its row, rough tokens, and whether it was cut."""

    kind: str
    name: str
    row: Row
    tokens: int
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A summary request as it was answered: purpose, rough tokens, retries before it, outcome."""

    purpose: str
    tokens: int
    retries: int
    outcome: str


@dataclass(frozen=True, slots=True)
class Work:
    """The array under construction, handed from stage to stage.

    rows          what is in context now
    outgoing      what is sent in its place where clearing works on the outgoing copy only
    asked         the rows that the next summary request shows; kept: those that stay verbatim beside the summary
    fallbacks     plain requests that followed an attempt without text
    cleared       ids of the calls whose results this run cleared in the local array
    bodies        what stands on disk for each attachment, by the uuid of its row
    side          "suffix" | "prefix": where the kept rows stand; "" none are kept
    """

    rows: tuple[Row, ...]
    outgoing: tuple[Row, ...] = ()
    instructions: str = ""
    asked: tuple[Row, ...] = ()
    kept: tuple[Row, ...] = ()
    side: str = ""
    cut: Cut | None = None
    path: str = ""
    attempt: int = 0
    retries: int = 0
    max_tokens: int = 0
    fallbacks: int = 0
    requests: tuple[Asked, ...] = ()
    reply: Reply | None = None
    summary: str = ""
    boundary: Row | None = None
    summary_row: Row | None = None
    attachments: tuple[Attachment, ...] = ()
    hook_rows: tuple[Row, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    cleared: tuple[str, ...] = ()
    bodies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def plain(self) -> bool:
        """Whether the next summary request is the fallback without tools, thinking and pictures."""
        return self.fallbacks > 0

    @property
    def sent(self) -> tuple[Row, ...]:
        """What goes out: the copy with results cleared where there is one."""
        return self.outgoing or self.rows


@dataclass(frozen=True, slots=True)
class StageResult:
    """One stage, done; faults are those that the input did not have.

    tokens_*        array + overhead by `rough`, as far as the overhead is known; `told_*` the same with its kind
    is_lower_bound  the overhead is unknown, and not in them
    """

    name: str
    outcome: str
    reason: str
    work: Work
    before: tuple[Row, ...]
    after: tuple[Row, ...]
    overhead: int
    there: tuple[str, ...] = ()
    section: str = ""
    numbers: tuple[Number, ...] = ()
    changes: tuple[Change, ...] = ()
    faults: tuple[Fault, ...] = ()
    picture: object = None
    answers: tuple[str, ...] = field(default=())
    is_lower_bound: bool = False

    @property
    def told_before(self) -> Figure:
        return in_context(self.tokens_before, is_lower_bound=self.is_lower_bound)

    @property
    def told_after(self) -> Figure:
        return in_context(self.tokens_after, is_lower_bound=self.is_lower_bound)

    @property
    def tokens_before(self) -> int:
        return tokens_of(self.before) + self.overhead

    @property
    def tokens_after(self) -> int:
        return tokens_of(self.after) + self.overhead


StageStep = StageResult | Request


def tokens_of(rows: Sequence[Row]) -> int:
    """Rough tokens of the rows that are sent."""
    return sum(r.tokens for r in rows if r.role is not None)


def in_context(tokens: int, *, is_lower_bound: bool) -> Figure:
    """Tokens of an array and its overhead with their kind; of no message at all nothing is known."""
    if not tokens:
        return unknown("no message to estimate from")
    if is_lower_bound:
        return Figure(tokens, LOWER_BOUND, "rough of the messages; the overhead is unknown")
    return estimated(tokens, "rough of the messages + overhead")


def messages_of(rows: Sequence[Row]) -> tuple[Message, ...]:
    """The array of rows."""
    return assemble(rows)
