"""What notes cover, remembered beside them: the last-summarized row that an extraction set (spec 1, section 8.2-8.3).

The agent keeps that id in memory and writes it nowhere. So whoever extracts here keeps it in a small file beside the
notes; it holds only for the very text it was written for, since another writer may have read further.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Coverage:
    """What notes cover.

    last_summarized  uuid of the newest row that an extraction had read; None: not recorded
    written          seconds since the epoch of the last extraction, as far as is known: editing by hand covers nothing new
    """

    last_summarized: str | None = None
    written: float | None = None


NOTHING = Coverage()


def digest_of(content: bytes) -> str:
    """What tells one text of notes from another."""
    return sha256(content).hexdigest()


def as_record(coverage: Coverage, content: bytes) -> bytes:
    """The small file for notes of this content."""
    value = {"last_summarized": coverage.last_summarized, "written": coverage.written, "notes_sha256": digest_of(content)}
    return json.dumps(value, indent=1).encode() + b"\n"


def from_record(record: str | None, content: bytes, modified: float | None) -> Coverage:
    """The coverage of notes as they are; where the record is missing, unreadable or of another text, their last write is all
    that is known."""
    value = _parsed(record)
    if value.get("notes_sha256") != digest_of(content):
        return Coverage(None, modified)
    uuid, written = value.get("last_summarized"), value.get("written")
    known = float(written) if isinstance(written, int | float) and not isinstance(written, bool) else modified
    return Coverage(uuid if isinstance(uuid, str) else None, known)


def _parsed(record: str | None) -> Mapping[str, object]:
    try:
        value = json.loads(record or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
