"""What happened since the last boundary, as the rows and their records tell it: finished calls, prompts, attachments, replies."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ...conversation.block import REMINDER, Block
from ...conversation.row import ASSISTANT, USER, Row
from ...memory.words import given, text_of
from ...transcript.boundary import KIND as BOUNDARY
from ...transcript.boundary import MICRO_KIND, read_boundary, read_microcompaction
from ..settings import TABLE

Record: TypeAlias = Mapping[str, Any]
Bodies: TypeAlias = Callable[[int], Record] | None

CLEARED = str(TABLE["clearedText"].default)
RESULTS = frozenset(  # tools of which the session records more about a result than the model was shown
    (
        "Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode", "Task", "Agent", "TaskOutput", "AgentOutputTool",
        "TaskStop", "KillShell", "TaskCreate", "TaskUpdate", "TaskList", "TodoWrite",
    )
)  # fmt: skip
_CLOSING = "</system-reminder>"


@dataclass(frozen=True, slots=True)
class Call:
    """A call with its result. `detail`: what the agent recorded of the result for itself; {} where it is no mapping.

    cleared  the result was cleared since, so that the model sees it no more
    """

    order: int
    row: Row
    name: str
    id: str
    input: Record
    text: str
    failed: bool
    cleared: bool = False
    detail: Record = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attached:
    """An attachment: its type, its fields, and the text that was sent for it, without the frame of a reminder."""

    order: int
    row: Row
    kind: str
    fields: Record
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A user row that is no result: its text, and the whole record ({} without one)."""

    order: int
    row: Row
    text: str
    record: Record


@dataclass(frozen=True, slots=True)
class Reply:
    """A row of the assistant, with the names of the tools it calls."""

    order: int
    row: Row
    tools: tuple[str, ...]


Event: TypeAlias = Call | Attached | Prompt | Reply


@dataclass(frozen=True, slots=True)
class Happened:
    """The events in order; cwd: the working folder at the end; discovered: tools that the boundary says were in use."""

    events: tuple[Event, ...]
    cwd: str | None
    discovered: tuple[str, ...]
    follows_boundary: bool


def happened(rows: Sequence[Row], bodies: Bodies) -> Happened:
    """The events of the rows since the last boundary among them; kept rows count, since they stand behind it."""
    look = _looker(bodies)
    start = max((at for at, row in enumerate(rows) if row.kind == BOUNDARY), default=None)
    since = rows if start is None else rows[start + 1 :]
    discovered: tuple[str, ...] = ()
    if start is not None:
        discovered = read_boundary(0, 0, look(rows[start])).discovered_tools
    events = tuple(_events(since, look))
    cwd = next((str(folder) for row in reversed(rows) if (folder := look(row).get("cwd"))), None)
    return Happened(events, cwd, discovered, start is not None or any(r.is_summary for r in since))


def _looker(bodies: Bodies) -> Callable[[Row], Record]:
    return lambda row: bodies(row.place) if bodies is not None and row.place >= 0 else {}


def _events(rows: Sequence[Row], look: Callable[[Row], Record]) -> Iterator[Event]:
    cleared = {i for row in rows if row.kind == MICRO_KIND for i in read_microcompaction(0, 0, look(row)).tool_ids}
    calls: dict[str, Block] = {}
    for order, row in enumerate(rows, 1):
        if row.kind == ASSISTANT:
            asked = [b for b in row.blocks if b.kind == "tool_use"]
            calls |= {b.call: b for b in asked}
            yield Reply(order, row, tuple(b.name for b in asked))
        elif row.is_attachment:
            yield _attached(order, row, look(row))
        elif row.kind == USER and not row.is_summary:
            results = [b for b in row.blocks if b.kind == "tool_result"]
            for block in results:
                if block.call in calls:
                    yield _call(order, row, calls[block.call], block, cleared, look if len(results) == 1 else lambda _: {})
            if not results:
                yield Prompt(order, row, "\n".join(text_of(b) for b in row.blocks if b.kind == "text"), look(row))


def _call(order: int, row: Row, call: Block, result: Block, cleared: set[str], look: Callable[[Row], Record]) -> Call:
    detail = look(row).get("toolUseResult") if call.name in RESULTS else None
    text = text_of(result)
    return Call(
        order, row, call.name, call.call, given(call), text, result.error, result.call in cleared or text.strip() == CLEARED,
        detail if isinstance(detail, Mapping) else {},
    )  # fmt: skip


def _attached(order: int, row: Row, record: Record) -> Attached:
    fields = record.get("attachment")
    text = "\n".join(text_of(b) for b in row.blocks if b.kind != "image").strip()
    text = text.removeprefix(REMINDER).removesuffix(_CLOSING).strip()
    return Attached(order, row, row.kind.partition(":")[2], fields if isinstance(fields, Mapping) else {}, text)


def string(value: object) -> str:
    """`value` where it is a text, else ""."""
    return value if isinstance(value, str) else ""


def items(value: object) -> list[Record]:
    """The mappings of a list; [] where it is none."""
    return [v for v in value if isinstance(v, Mapping)] if isinstance(value, Sequence) and not isinstance(value, str) else []


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list; () where it is none."""
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, Sequence) and not isinstance(value, str) else ()
