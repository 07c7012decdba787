"""What the index keeps of one record, read without decoding its body (spec 2, section 2).

msgspec skips what is not named here, so a line of 200 KB costs a scan. A line it refuses (a lone surrogate, a field of
an unexpected type) goes through the standard library and `from_plain`, which takes every field only if it has its type.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

NO_KIND = "?"  # of a JSON object without a type: no session record
UNREADABLE = -1  # in the place of a count that is there and is none


class BlockHead(msgspec.Struct, gc=False):
    type: str = ""
    id: str = ""
    tool_use_id: str = ""


class UsageHead(msgspec.Struct, gc=False):
    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0


class MessageHead(msgspec.Struct, gc=False):
    id: str | None = None
    role: str | None = None
    model: str | None = None
    content: str | list[BlockHead] | None = None
    usage: UsageHead | None = None


class TypeHead(msgspec.Struct, gc=False):
    type: str = ""


class RecordHead(msgspec.Struct, gc=False, rename="camel"):
    """The indexed fields of a record; absent ones are None or False."""

    type: str = ""
    subtype: str | None = None
    operation: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    timestamp: str | None = None
    session_id: str | None = None
    version: str | None = None
    leaf_uuid: str | None = None
    is_sidechain: bool | None = False
    is_meta: bool | None = False
    is_compact_summary: bool | None = False
    is_api_error_message: bool | None = False
    message: MessageHead | None = None
    attachment: TypeHead | None = None
    data: TypeHead | None = None

    @property
    def kind(self) -> str:
        """type, or type:subtype (spec 5, `records`)."""
        detail: str | None = None
        if self.type == "system":
            detail = self.subtype
        elif self.type == "queue-operation":
            detail = self.operation
        elif self.type == "progress" and self.data:
            detail = self.data.type
        elif self.type == "attachment" and self.attachment:
            detail = self.attachment.type
        return f"{self.type}:{detail}" if detail else self.type or NO_KIND


decode_head = msgspec.json.Decoder(RecordHead).decode


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: object) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1 << 62:
        return UNREADABLE
    return int(value) if value == int(value) else UNREADABLE


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def from_plain(record: Mapping[str, Any]) -> RecordHead:
    """The head of a record that was decoded whole; a field of another type counts as absent."""
    return RecordHead(
        type=_string(record.get("type")) or "",
        subtype=_string(record.get("subtype")),
        operation=_string(record.get("operation")),
        uuid=_string(record.get("uuid")),
        parent_uuid=_string(record.get("parentUuid")),
        timestamp=_string(record.get("timestamp")),
        session_id=_string(record.get("sessionId")),
        version=_string(record.get("version")),
        leaf_uuid=_string(record.get("leafUuid")),
        is_sidechain=record.get("isSidechain") is True,
        is_meta=record.get("isMeta") is True,
        is_compact_summary=record.get("isCompactSummary") is True,
        is_api_error_message=record.get("isApiErrorMessage") is True,
        message=_message(record.get("message")),
        attachment=_type_of(record.get("attachment")),
        data=_type_of(record.get("data")),
    )


def _type_of(value: object) -> TypeHead | None:
    return TypeHead(_string(value.get("type")) or "") if isinstance(value, Mapping) else None


def _message(value: object) -> MessageHead | None:
    if not isinstance(value, Mapping):
        return None
    content, usage = value.get("content"), value.get("usage")
    heads: str | list[BlockHead] | None = None
    if isinstance(content, str):
        heads = content
    elif isinstance(content, Sequence):
        heads = [BlockHead(*(_string(_mapping(b).get(key)) or "" for key in ("type", "id", "tool_use_id"))) for b in content]
    counts = None
    if isinstance(usage, Mapping):
        counts = UsageHead(*(_count(usage.get(field)) for field in UsageHead.__struct_fields__))
    return MessageHead(_string(value.get("id")), _string(value.get("role")), _string(value.get("model")), heads, counts)
