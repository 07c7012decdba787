"""Findings about the bytes of a file: damaged lines, NUL bytes, characters that cannot be sent."""

from collections.abc import Iterator

from ..conversation.invariants import Fault
from ..conversation.invariants import fault as f
from ..conversation.invariants.texts import BAD_JSON
from ..conversation.wording import counted, noun
from ..transcript.chain import Chain
from ..transcript.session import Session
from .advice import AS_IT_STANDS, advice_for
from .damage import BadCharacter, BadRecord, DamagedLine
from .finding import Finding
from .links import bypass, sealed_before
from .scan import Scan

DROPPED = "the line is dropped"
SHOWN = 5  # characters listed of one record


def byte_findings(session: Session, chain: Chain, scan: Scan) -> Iterator[Finding]:
    """A finding a damaged line, and one a record and kind of bad character; what is not sent is a remark."""
    for line in scan.damaged:
        yield _damaged(line)
    sealed = sealed_before(session)
    past = bypass(session, chain)
    sent = set(chain.places) if past is None or past.target is None else set()
    for bad in scan.bad:
        yield from _characters(session, bad, sealed=bad.place < sealed, sent=bad.place in sent)


def _damaged(line: DamagedLine) -> Finding:
    found, lost = len(line.records), line.lost_fragments
    kind, class_ = ("nul-bytes", "padding") if line.nul_bytes and not lost and not found else ("damaged-line", "damage")
    fragments = counted(lost, "fragment")
    there = [f"{counted(found, 'whole record')} in it"] if found else []
    there += [f"{fragments} lost"] if lost else []
    there += [counted(line.nul_bytes, "NUL byte")] if line.nul_bytes else []
    words = f"Line {line.line} is not one record: {', '.join(there)}"
    evidence = [f"line {line.line}, byte {line.offset:,} of the file, {line.size:,} bytes: {line.head!r}"]
    for record in line.records:
        name = record.record.get("uuid") or record.record.get("type")
        evidence.append(f"byte {record.start:,} of the line: a whole {record.record.get('type')} record {name}")
    on_load = _read(line)
    repair = "each whole record gets a line of its own" if found else DROPPED
    if found and lost:
        repair += f"; {fragments} {'goes' if lost == 1 else 'go'}"
    fault = Fault(kind, None, f.FILE, class_, words + ".", line=line.line, severity=f.WARNING)
    return Finding(fault, tuple(evidence), on_load, advice_for(kind), repair)


def _read(line: DamagedLine) -> str:
    """What the agent reads of a damaged line: the record at its start."""
    if not line.records:
        return "skips the line"
    if line.records[0].start > 0:
        return "skips the line, whole records included"
    behind = len(line.records) - 1
    return f"reads the first record, not the {noun(behind, 'one')} behind it" if behind else "reads the record at its start"


def _characters(session: Session, bad: BadRecord, *, sealed: bool, sent: bool) -> Iterator[Finding]:
    uuid = session.index.uuids[bad.place]
    for kind, what, error, found in (
        ("lone-surrogate", "lone surrogate", BAD_JSON, [c for c in bad.characters if not c.is_nul]),
        ("nul-character", "NUL character", None, [c for c in bad.characters if c.is_nul]),
    ):
        if not found:
            continue
        words = f"Line {bad.line} holds {len(found)} {noun(len(found), what)}."
        severity = f.REMARK if sealed and not sent else f.ERROR
        fault = Fault(
            kind=f"{kind}-before-boundary" if sealed else kind,
            number=None,
            level=f.FILE,
            class_="bytes",
            sentence=words,
            line=bad.line,
            id=", ".join(dict.fromkeys(c.name for c in found)),
            uuid=uuid,
            api_error=error if sent else None,
            severity=severity,
        )
        instead = "U+2400" if kind == "nul-character" else "U+FFFD"
        repair = "" if sealed else f"{instead} takes the place of each"
        yield Finding(fault, _listed(found), AS_IT_STANDS if sent else "", advice_for(fault.kind), repair)


def _listed(found: list[BadCharacter]) -> tuple[str, ...]:
    lines = [f"{c.path}, character {c.at}: {c.name}" for c in found[:SHOWN]]
    more = len(found) - SHOWN
    return (*lines, f"and {more:,} more") if more > 0 else tuple(lines)
