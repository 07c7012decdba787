"""Results of tools that may be cleared: which they are, and what a cleared one looks like (spec 1, section 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..conversation.block import Block, Json, read_block
from ..conversation.change import Change
from ..conversation.row import Row
from ..conversation.text import rough, utf8_length
from ..conversation.wording import counted
from .settings import Settings
from .ties import CALL, RESULT

MCP = "mcp__"
READ = "Read"


@dataclass(frozen=True, slots=True)
class Result:
    """A compactable result: the position of its row, the tool, and whether it is cleared already."""

    at: int
    row: Row
    block: Block
    tool: str
    path: str | None
    is_cleared: bool


def compactable(rows: Sequence[Row], settings: Settings) -> tuple[Result, ...]:
    """Every result that may be cleared, oldest first: of the tools named in the settings, never of MCP tools, never an error."""
    allowed = {name for name in settings.texts("compactableTools") if not name.startswith(MCP)}
    calls: dict[str, Block] = {}
    found: list[Result] = []
    for at, row in enumerate(rows):
        for block in row.blocks:
            if block.kind == CALL:
                calls[block.call] = block
            elif block.kind == RESULT and not block.error:
                call = calls.get(block.call)
                if call is not None and call.name in allowed:
                    found.append(Result(at, row, block, call.name, path_of(call), is_cleared(block, settings)))
    return tuple(found)


def is_cleared(block: Block, settings: Settings) -> bool:
    """Whether a result already holds nothing but the text that stands for a cleared one."""
    text = settings.text("clearedText")
    return block.head.strip() == text[: len(block.head)].strip() and block.size == utf8_length(text)


def cleared(block: Block, text: str) -> Block:
    """The result with `text` for content; everything else of it stays. A slim block stays slim."""
    if block.body is not None:
        return read_block({**block.body, "content": text})
    size = utf8_length(text)
    return replace(block, size=size, tokens=rough(size), head=text, blank=False, images=())


def with_cleared(rows: Sequence[Row], results: Sequence[Result], text: str) -> tuple[Row, ...]:
    """The rows with these results cleared."""
    gone: dict[int, set[str]] = {}
    for result in results:
        gone.setdefault(result.at, set()).add(result.block.call)
    changed = list(rows)
    for at, ids in gone.items():
        row = rows[at]
        blocks = tuple(cleared(b, text) if b.kind == RESULT and b.call in ids else b for b in row.blocks)
        changed[at] = replace(row, blocks=blocks)
    return tuple(changed)


def path_of(call: Block) -> str | None:
    """The file that a call names; None where it names none or its body is not there."""
    given: object = call.body.get("input") if call.body is not None else None
    inputs: Json = given if isinstance(given, Mapping) else {}
    path = inputs.get("file_path")
    return path if isinstance(path, str) else None


def changes_of(old: Sequence[Result], keep: int) -> tuple[Change, ...]:
    """A change for each result that is cleared because `keep` newer ones stay."""
    why = f"is older than the newest {keep} and is cleared"
    return tuple(
        Change("clear-result", (r.row.uuid,), f"the result {r.block.call} of {r.tool} ({counted(r.block.tokens, 'token')}) {why}")
        for r in old
    )


def tokens_of(rows: Sequence[Row]) -> int:
    """Rough tokens of rows."""
    return sum(row.tokens for row in rows)
