"""The conversation that a summary request shows, as rows again."""

from ..compaction.request import Request
from ..compaction.retry import is_marker
from ..conversation.row import Row
from ..memory.words import text_of


def rows_shown(request: Request) -> tuple[Row, ...]:
    """The rows behind the messages, each once, in order, without the instruction and the marker of a retry."""
    rows = {row.uuid: row for message in request.messages for row in message.rows}
    return tuple(row for row in rows.values() if not is_marker(row) and not _is_instruction(row, request))


def _is_instruction(row: Row, request: Request) -> bool:
    return bool(request.prompt) and any(b.kind == "text" and text_of(b) == request.prompt for b in row.blocks)
