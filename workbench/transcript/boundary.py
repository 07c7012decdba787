"""What a compaction left in the file: boundary and microcompaction rows, everything in them optional, both spellings.

Spec 2, sections 5-7; spec 6, section 3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KIND = "system:compact_boundary"
MICRO_KIND = "system:microcompact_boundary"
PRESERVED = ("preservedMessages", "preservedSegment")


@dataclass(frozen=True, slots=True)
class Boundary:
    """A compaction on disk; numbers in tokens, None where the record does not say.

    place        its place in the index; of the summary row where an old version wrote no boundary
    uuid         "" for a boundary row without one
    metadata     the raw mapping, for display
    is_kept_read whether the preserved part is spelled in camel case: the agent passes over the other when it loads a file
    """

    place: int
    line: int
    uuid: str
    trigger: str | None = None
    pre_tokens: int | None = None
    post_tokens: int | None = None
    dropped_tokens: int | None = None
    duration_ms: int | None = None
    logical_parent: str | None = None
    head: str | None = None
    anchor: str | None = None
    tail: str | None = None
    kept_uuids: tuple[str, ...] = ()
    discovered_tools: tuple[str, ...] = ()
    metadata: Mapping[str, Any] | None = None
    is_kept_read: bool = True

    @property
    def keeps_rows(self) -> bool:
        """Whether the record names a preserved part, by list or by segment."""
        return bool(self.kept_uuids) or bool(self.head and self.tail)


@dataclass(frozen=True, slots=True)
class Microcompaction:
    """A recorded clearing of old results; tokens by the agent's own estimate (spec 2, section 7)."""

    place: int
    line: int
    pre_tokens: int | None
    tokens_saved: int | None
    tool_ids: tuple[str, ...]


def read_boundary(place: int, line: int, record: Mapping[str, Any]) -> Boundary:
    """The boundary of a decoded `compact_boundary` row; nothing in it is required."""
    metadata = _mapping(_either(record, "compactMetadata"))
    segment = _mapping(_either(metadata, "preservedSegment"))
    preserved = _mapping(_either(metadata, "preservedMessages"))
    return Boundary(
        place=place,
        line=line,
        uuid=_string(record.get("uuid")) or "",
        trigger=_string(metadata.get("trigger")),
        pre_tokens=_tokens(_either(metadata, "preTokens")),
        post_tokens=_tokens(_either(metadata, "postTokens")),
        dropped_tokens=_tokens(_either(metadata, "cumulativeDroppedTokens")),
        duration_ms=_tokens(_either(metadata, "durationMs")),
        logical_parent=_string(_either(record, "logicalParentUuid")),
        head=_string(_either(segment, "headUuid")),
        anchor=_string(_either(preserved, "anchorUuid")) or _string(_either(segment, "anchorUuid")),
        tail=_string(_either(segment, "tailUuid")),
        kept_uuids=_strings(preserved.get("uuids")),
        discovered_tools=_strings(_either(metadata, "preCompactDiscoveredTools")),
        metadata=metadata or None,
        is_kept_read=any(name in _mapping(record.get("compactMetadata")) for name in PRESERVED),
    )


def read_microcompaction(place: int, line: int, record: Mapping[str, Any]) -> Microcompaction:
    """The clearing that a decoded `microcompact_boundary` row records."""
    metadata = _mapping(_either(record, "microcompactMetadata"))
    return Microcompaction(
        place,
        line,
        _tokens(_either(metadata, "preTokens")),
        _tokens(_either(metadata, "tokensSaved")),
        _strings(_either(metadata, "compactedToolIds")),
    )


def _either(mapping: Mapping[str, Any], name: str) -> Any:
    """A field in camel case, else in the snake case of the stream."""
    if name in mapping:
        return mapping[name]
    return mapping.get("".join(f"_{c.lower()}" if c.isupper() else c for c in name))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _strings(value: object) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _tokens(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1 << 60:
        return None
    return int(value)
