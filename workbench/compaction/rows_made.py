"""Rows made by a run: ids are uuid5 of session id, parent and ordinal, times the last row's plus n ms: same in, same out."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import NAMESPACE_OID, NAMESPACE_URL, UUID, uuid5

from ..conversation.block import Block, text_block
from ..conversation.row import USER, Row
from ..conversation.text import without_surrogates
from .ground import Ground

BOUNDARY_KIND = "system:compact_boundary"


def new_uuid(ground: Ground, ordinal: int) -> str:
    """The id of the run's nth row."""
    parent = ground.rows[-1].uuid if ground.rows else ""
    return str(_named(NAMESPACE_URL, f"workbench:{ground.session_id}:{parent}:{ordinal}"))


def new_message_id(ground: Ground, old: object) -> str:
    """The id of the copy of a reply's message."""
    return f"msg_{_named(NAMESPACE_OID, f'{ground.session_id}:{old}').hex}"


def _named(space: UUID, name: str) -> UUID:
    """The id of a name; a session may write lone surrogates into its own ids."""
    return uuid5(space, without_surrogates(name))


def new_time(ground: Ground, ordinal: int) -> str | None:
    """The last row's time plus `ordinal` ms; None where the session has no readable time."""
    try:
        then = datetime.fromisoformat(ground.last_time or "")
    except ValueError:
        return None
    then = then.replace(tzinfo=UTC) if then.tzinfo is None else then
    return (then + timedelta(milliseconds=ordinal)).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def made_row(ground: Ground, ordinal: int, kind: str, blocks: tuple[Block, ...], **fields: Any) -> Row:
    """A row of the run that is sent as the user's."""
    return Row(
        -1,
        None,
        new_uuid(ground, ordinal),
        kind,
        USER if blocks else None,
        timestamp=new_time(ground, ordinal),
        blocks=blocks,
        **fields,
    )


def boundary_row(ground: Ground) -> Row:
    """The boundary: for the program only, never sent."""
    return Row(-1, None, new_uuid(ground, 0), BOUNDARY_KIND, None, timestamp=new_time(ground, 0))


def summary_row(ground: Ground, text: str) -> Row:
    """The row that carries the summary, as the user's words."""
    return made_row(ground, 1, "user", (text_block(text),), is_summary=True)


def attachment_row(ground: Ground, ordinal: int, kind: str, text: str) -> Row:
    """A row of kind `attachment:<kind>` whose text is sent as a reminder."""
    return made_row(
        ground, ordinal, f"attachment:{kind}", (text_block(f"<system-reminder>\n{text}\n</system-reminder>", "reminder"),)
    )


def attachment_body(kind: str, text: str) -> Mapping[str, Any]:
    """What stands on disk for an attachment made here: its text as sent."""
    return {"attachment": {"type": kind}, "rendered": [{"content": text}], "renderedRole": "user"}
