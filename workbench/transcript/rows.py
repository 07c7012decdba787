"""From a decoded record to the row it is in a chain (spec 2, section 12)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..conversation.block import REMINDER, Block, read_content, text_block
from ..conversation.row import ASSISTANT, USER, Row
from ..conversation.text import compact_json
from .index import API_ERROR, META, SIDECHAIN, SUMMARY, Index

PLAIN_PROMPT = "queued_command"  # the one attachment whose text is the user's own words
NEVER_SENT = frozenset(  # diagnostics, and what the newest versions record beside what they send
    ("hook_success", "structured_output", "command_permissions", "prompt_snapshot", "session_context")
)


def read_row(index: Index, place: int, record: Mapping[str, Any]) -> Row:
    """The row at a place of the index, from its decoded record."""
    kind = index.kind(place)
    role, blocks = _content(kind, record, index.has(place, API_ERROR))
    return Row(
        place=place,
        line=index.lines[place],
        uuid=index.uuids[place] or "",
        kind=kind,
        role=role,
        message_id=index.message_id(place) if role == ASSISTANT else None,
        model=index.model(place),
        timestamp=index.timestamp(place),
        parent=_string(record.get("parentUuid")),
        is_meta=index.has(place, META),
        is_summary=index.has(place, SUMMARY),
        is_sidechain=index.has(place, SIDECHAIN),
        blocks=blocks,
    )


def _content(kind: str, record: Mapping[str, Any], is_api_error: bool) -> tuple[str | None, tuple[Block, ...]]:
    if kind in (USER, ASSISTANT):
        message = record.get("message")
        content = message.get("content") if isinstance(message, Mapping) else None
        role = kind
        if kind == ASSISTANT and is_api_error:
            return None, read_content(content)
        return role, read_content(content)
    attachment = record.get("attachment")
    if kind.startswith("attachment") and isinstance(attachment, Mapping):
        blocks = _rendered(record) if "rendered" in record or "renderedRole" in record else _estimated(attachment)
        return (USER, blocks) if blocks else (None, ())
    return None, ()


def _rendered(record: Mapping[str, Any]) -> tuple[Block, ...]:
    """The text that was sent for an attachment, as the newest versions record it."""
    rendered = record.get("rendered")
    found: list[Block] = []
    for piece in rendered if isinstance(rendered, Sequence) and not isinstance(rendered, str) else ():
        content = piece.get("content") if isinstance(piece, Mapping) else piece
        found += [replace(b, kind="reminder") if b.kind == "text" else b for b in read_content(content)]
    return tuple(found)


def _estimated(attachment: Mapping[str, Any]) -> tuple[Block, ...]:
    """What an older version probably sent for an attachment whose text it did not record."""
    kind = _string(attachment.get("type")) or "unknown"
    if kind in NEVER_SENT:
        return ()
    if kind == PLAIN_PROMPT:
        return read_content(attachment.get("prompt"))
    text = _attachment_text(kind, attachment)
    if not text:
        return ()
    return (text_block(f"{REMINDER}\n{text}\n</system-reminder>", f"attachment:{kind}"),)


def _attachment_text(kind: str, attachment: Mapping[str, Any]) -> str:
    content = attachment.get("content")
    if kind in ("file", "nested_memory", "edited_text_file") and isinstance(content, Mapping):
        file = content.get("file")
        inner = file.get("content") if isinstance(file, Mapping) else content.get("content")
        return f"{_string(attachment.get('filename')) or _string(attachment.get('path')) or ''}\n{_string(inner) or ''}".strip()
    for field in ("content", "snippet", "blockingError", "planContent", "text", "stdout"):
        value = attachment.get(field)
        if isinstance(value, str):
            return value
        if isinstance(value, Mapping | Sequence) and value:
            return compact_json(value)
    lines = attachment.get("addedLines") or attachment.get("addedNames") or attachment.get("addedBlocks")
    if isinstance(lines, Sequence) and not isinstance(lines, str):
        return "\n".join(str(line) for line in lines)
    return " ".join(v for k, v in attachment.items() if k != "type" and isinstance(v, str))


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None
