"""Thinking that is bound to all that stands before it: what becomes of it in kept rows when history is edited.

Spec 1, section 9; spec 4, section 7. Models from about September 2026 sign a thinking block together with everything
before it, so behind a new summary its signature no longer holds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..conversation.array import assemble
from ..conversation.change import Change
from ..conversation.invariants.pairs import is_open_turn
from ..conversation.row import ASSISTANT, Row
from .models import MODELS, Model, lookup
from .settings import Settings

THOUGHTS = ("thinking", "redacted_thinking")
REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Unbound:
    """Kept rows without thinking whose signature would no longer hold; `refused` says why they cannot be kept at all."""

    rows: tuple[Row, ...]
    changes: tuple[Change, ...] = ()
    refused: str = ""


def unbound(rows: Sequence[Row], model: str, settings: Settings, table: Iterable[Model] = MODELS) -> Unbound:
    """The rows as they may follow an edited history, for the model that they are sent to."""
    known = lookup(model, table)
    thinking = [row for row in rows if any(b.kind in THOUGHTS for b in row.blocks)]
    if known is None or not known.binds_thinking or not thinking:
        return Unbound(tuple(rows))
    if settings.text("thinking.open_turn") == REFUSE and (open_rows := _open_turn(rows)) & {r.uuid for r in thinking}:
        where = next(r for r in thinking if r.uuid in open_rows)
        words = "a row" if where.line is None else f"line {where.line}"
        return Unbound(
            tuple(rows),
            refused=(
                f"{known.name} binds thinking to all that stands before it, and the thinking of the open tool turn ({words}) "
                "must neither change nor follow an edited history (thinking.open_turn)."
            ),
        )
    changed = tuple(r.uuid for r in thinking)
    reason = f"{known.name} binds thinking to all that stood before it; behind an edited history its signature would be refused"
    return Unbound(tuple(_without(row) for row in rows), (Change("drop-thinking", changed, reason),))


def unbound_behind(
    rows: Sequence[Row], changed: Sequence[Row], model: str, settings: Settings, table: Iterable[Model] = MODELS
) -> Unbound:
    """`changed` is `rows` with the history edited in place: what stands behind the first edit loses bound thinking."""
    first = next((at for at, row in enumerate(changed) if at >= len(rows) or row is not rows[at]), None)
    if first is None:
        return Unbound(tuple(changed))
    found = unbound(changed[first:], model, settings, table)
    return replace(found, rows=(*changed[:first], *found.rows))


def _without(row: Row) -> Row:
    """The row without its thinking; where nothing else is in it, a mere link."""
    blocks = tuple(b for b in row.blocks if b.kind not in THOUGHTS)
    if len(blocks) == len(row.blocks):
        return row
    return replace(row, blocks=blocks, role=row.role if blocks else None)


def _open_turn(rows: Sequence[Row]) -> set[str]:
    """Uuids of the last reply where the array ends in its tool loop."""
    messages = assemble(rows)
    last = next((i for i in range(len(messages) - 1, -1, -1) if messages[i].role == ASSISTANT), None)
    if last is None or not is_open_turn(messages, last) or not any(b.kind == "tool_use" for b in messages[last].blocks):
        return set()
    return {row.uuid for row in messages[last].rows}
