"""Every field of a compaction's record with what it means and how its number is known (spec 2, section 5; spec 6, section 3).

A field that is not known here is shown as it is: nothing in a record is left out because it is new.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..conversation.text import compact_json

RECORDED = "recorded"
LOWER_BOUND = "lower bound"
UNEXPLAINED = "not documented and not known here"

_ANCHOR = "what the kept rows hang on: summary or boundary"

MEANINGS: dict[str, tuple[str, str]] = {
    "trigger": ("auto: by itself; manual: /compact", ""),
    "preTokens": ("last prompt + output + bytes/4 of what came after", RECORDED),
    "postTokens": ("the new messages alone, without system and tools", LOWER_BOUND),
    "cumulativeDroppedTokens": ("dropped by this and all earlier compactions", RECORDED),
    "durationMs": ("milliseconds it took", RECORDED),
    "preCompactDiscoveredTools": ("loaded on demand before, announced again after", ""),
    "preCompactOrganizationsCoverStart": ("not documented; false wherever it was seen", ""),
    "runningTurnPrompt": ("the prompt of the turn it came into; automatic only", ""),
    "preservedSegment.headUuid": ("the first kept row", ""),
    "preservedSegment.anchorUuid": (_ANCHOR, ""),
    "preservedSegment.tailUuid": ("the last kept row", ""),
    "preservedMessages.anchorUuid": (_ANCHOR, ""),
    "preservedMessages.uuids": ("the kept rows one by one; counts before the segment", ""),
    "preservedMessages.allUuids": ("the same, with rows between them that are not sent", ""),
    "messagesSummarized": ("messages the summary stands for; from a report only", RECORDED),
    "userContext": ("named in a public report only", ""),
    "precomputed": ("named in a public report only", ""),
    # of the record around the metadata
    "uuid": ("the record's own id", ""),
    "parentUuid": ("null: nothing before it is loaded", ""),
    "logicalParentUuid": ("the last row before it; only a hint", ""),
    "timestamp": ("when it was written", ""),
    "version": ("the agent's version", ""),
    "sessionId": ("stays the same across a compaction", ""),
    "type": ("for the program only: never sent to the model", ""),
    "subtype": ("what makes the record a boundary", ""),
    "content": ("what the agent's own screen says", ""),
    "level": ("how its screen shows it", ""),
    "isCompactSummary": ("no boundary was written, so the summary counts as one", ""),
}
IN_FRONT = ("type", "subtype", "uuid", "parentUuid", "logicalParentUuid", "timestamp", "version")
_BULK = ("compactMetadata", "compact_metadata", "message", "toolUseResult")


@dataclass(frozen=True, slots=True)
class Fact:
    """One field: its name as it stands in the file, its value as text, the kind of a number ("" for none), what it means."""

    name: str
    value: str
    kind: str
    meaning: str


def metadata_facts(metadata: Mapping[str, Any] | None) -> tuple[Fact, ...]:
    """The fields of `compactMetadata` in the order of the file, those of its inner objects one by one."""
    return tuple(_fact(path, value) for path, value in _flat(metadata or {}))


def record_facts(record: Mapping[str, Any]) -> tuple[Fact, ...]:
    """The fields of the record around it, those that say most in front."""
    names = [n for n in IN_FRONT if n in record] + [n for n in record if n not in IN_FRONT and n not in _BULK]
    return tuple(_fact(name, record[name]) for name in names)


def _flat(mapping: Mapping[str, Any], inside: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in mapping.items():
        path = f"{inside}{name}"
        if isinstance(value, Mapping) and value and not inside:
            yield from _flat(value, f"{path}.")
        else:
            yield path, value


def _fact(path: str, value: object) -> Fact:
    meaning, kind = MEANINGS.get(_camel(path), (UNEXPLAINED if path not in _PLAIN else "", ""))
    return Fact(path, _words(value), kind, meaning)


_PLAIN = frozenset(("cwd", "gitBranch", "slug", "userType", "entrypoint", "isMeta", "isSidechain", "session_id"))


def _camel(path: str) -> str:
    """Both spellings occur: `pre_tokens` is `preTokens`."""
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), path)


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, Sequence) and len(value) > 3:
        return f"{len(value)} of them"
    return compact_json(value)
