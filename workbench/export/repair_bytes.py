"""Repairs of the bytes: damaged lines taken apart, characters replaced that cannot be sent (spec 2, section 10)."""

import json
import re
from collections.abc import Iterator

from ..conversation.change import Change
from ..conversation.wording import counted
from ..evidence.damage import DamagedLine
from ..evidence.links import sealed_before
from ..evidence.physical import lines_with_places
from ..evidence.scan import scan
from ..transcript.session import Session
from .repair_lines import LineEdit
from .repair_step import Step, line_of

NUL_SIGN = "\u2400"
HALF, NUL = b"\\ufffd", b"\\u2400"  # as they are written in JSON
BECOME = ((HALF, "lone surrogates become U+FFFD"), (NUL, "NUL characters become U+2400"))
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_UNFIT = re.compile("[\x00-\x1f\udc80-\udcff]")
_ESCAPE = re.compile(rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([0-9a-fA-F]{4})|.)", re.DOTALL)


def byte_steps(session: Session) -> Iterator[Step]:
    """A step a damaged line; where none is left, a step a record with characters that cannot be sent."""
    facts = session.index.facts
    if facts.damaged_lines:
        wanted = {d.line: d for d in scan(session).damaged}
        for line, _ in lines_with_places(session.reader, session.index):
            if line.number in wanted:
                yield _apart(wanted[line.number], line.text)
    elif facts.lone_surrogates or facts.nul_characters:
        sealed = sealed_before(session)
        for bad in scan(session).bad:
            if bad.place >= sealed:
                yield _replaced(session, bad.place)


def _apart(damaged: DamagedLine, text: bytes) -> Step:
    records = tuple(clean(text[r.start : r.start + r.length]) for r in damaged.records)
    uuids = tuple(u for r in damaged.records if isinstance(u := r.record.get("uuid"), str))
    kind = "split-line" if records else "drop-line"
    done = f"{counted(len(records), 'whole record')} on lines of their own" if records else "dropped"
    left_out = [counted(n, what) for n, what in ((damaged.lost_fragments, "fragment"), (damaged.nul_bytes, "NUL byte")) if n]
    reason = f"line {damaged.line} was damaged: {'; '.join([done, *(f'{each} left out' for each in left_out)])}"
    change = Change(kind, uuids, reason)
    return Step((change,), (LineEdit(damaged.line, text, records),))


def clean(record: bytes) -> bytes:
    """A recovered record as valid JSON: raw control characters escaped, NUL and invalid bytes replaced; else as it was."""
    try:
        json.loads(record.decode("utf-8"))
    except ValueError:
        text = record.decode("utf-8", "surrogateescape")
        return _STRING.sub(lambda string: _UNFIT.sub(_fit, string[0]), text).encode("utf-8", "replace")
    return record


def _fit(found: re.Match[str]) -> str:
    if found[0] >= "\udc80":
        return "\ufffd"
    return NUL_SIGN if found[0] == "\0" else f"\\u{ord(found[0]):04x}"


def _replaced(session: Session, place: int) -> Step:
    index = session.index
    raw = session.raw(place)
    instead = [_sendable(found) for found in _ESCAPE.finditer(raw) if _sendable(found) != found[0]]
    words = [what for sign, what in BECOME if sign in instead]
    change = Change("replace-character", (index.uuids[place] or "",), f"line {line_of(session, place)}: {', '.join(words)}")
    return Step((change,), (LineEdit(index.lines[place], raw, (_ESCAPE.sub(_sendable, raw),)),))


def _sendable(found: re.Match[bytes]) -> bytes:
    if found[1] is None:
        return found[0]
    code = int(found[1], 16)
    if 0xD800 <= code <= 0xDFFF:
        return HALF
    return found[0] if code else NUL
