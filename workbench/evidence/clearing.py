"""Rows as they were sent once recorded microcompactions had cleared results in them (spec 2, section 7).

On disk those results stay whole.
"""

from collections.abc import Sequence
from dataclasses import replace

from ..compaction.results import cleared
from ..compaction.setting_table import SETTINGS
from ..conversation.row import Row
from ..transcript.session import Session

TEXT: str = next(s.default for s in SETTINGS if s.name == "clearedText")


def as_sent_then(session: Session, rows: Sequence[Row], call: int | None) -> tuple[Row, ...]:
    """The rows with every result cleared that a recorded microcompaction before the row at `call` names; slim rows stay slim."""
    ids = {i for m in session.microcompactions if call is not None and m.place < call for i in m.tool_ids}
    if not ids:
        return tuple(rows)
    return tuple(_cleared(row, ids) for row in rows)


def _cleared(row: Row, ids: set[str]) -> Row:
    if not any(b.kind == "tool_result" and b.call in ids for b in row.blocks):
        return row
    return replace(row, blocks=tuple(cleared(b, TEXT) if b.kind == "tool_result" and b.call in ids else b for b in row.blocks))
