"""A diagnosis, and the repair that goes with it, as JSON (spec 5, `doctor`) and as text that can be pasted into an issue."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..conversation.change import Change
from ..conversation.wording import counted
from ..evidence.finding import Diagnosis, Finding
from .repair import Repair

MOST_OF_A_KIND = 20  # findings of one kind shown as text; JSON holds them all
MOST_DIFF_LINES = 60


def as_json(found: Diagnosis, repair: Repair | None) -> dict[str, Any]:
    """The contract of spec 5, with evidence, remarks and the proposed repair."""
    return {
        "faults": [_finding(f) for f in found.findings],
        "counts": found.counts,
        "remarks": [_finding(f) for f in found.remarks],
        "messages": found.messages,
        "on_load": [_change(c) for c in found.changes],
        "repair": None
        if repair is None
        else {
            "changes": [_change(c) for c in repair.changes],
            "restores": [_change(c) for c in repair.restores],
            "diff": list(repair.diff),
        },
    }


def _finding(found: Finding) -> dict[str, Any]:
    fault = found.fault
    return {
        "kind": fault.kind,
        "class": fault.class_,
        "level": fault.level,
        "number": fault.number,
        "severity": fault.severity,
        "line": fault.line,
        "message_index": fault.message_index,
        "id": fault.id,
        "uuid": fault.uuid,
        "sentence": fault.sentence,
        "api_error": fault.api_error,
        "evidence": list(found.evidence),
        "on_load": found.on_load or None,
        "advice": found.advice or None,
        "repairable": found.repairable,
        "repair": found.repair or None,
    }


def _change(change: Change) -> dict[str, Any]:
    return {"kind": change.kind, "uuids": list(change.uuids), "reason": change.reason}


def as_text(found: Diagnosis, repair: Repair | None, *, whole_diff: bool = False) -> Iterator[str]:
    """What is wrong, fault by fault; then what is worth knowing; then the repair as a diff."""
    yield headline(found)
    shown: Counter[str] = Counter()
    for number, each in enumerate(found.findings, 1):
        shown[each.fault.kind] += 1
        if shown[each.fault.kind] <= MOST_OF_A_KIND:
            yield ""
            yield from _told(number, each)
    yield from _more(found.counts)
    if found.remarks:
        yield ""
        yield "worth knowing"
        yield from _remarks(found.remarks)
    if repair is not None and repair.leaves_nothing:
        yield ""
        yield "no repair: of all that the session says, nothing can be sent"
    elif repair is not None and repair.is_needed:
        yield ""
        yield from _repair(repair, whole_diff)


def headline(found: Diagnosis) -> str:
    """The name, and how many faults of how many messages."""
    faults, repairable = len(found.findings), len(found.repairable)
    size = f"{counted(found.messages, 'message')} in the array"
    if not faults:
        return f"{found.name}: no fault, {size}"
    return f"{found.name}: {counted(faults, 'fault')}, {repairable:,} repairable, {size}"


def _told(number: int, found: Finding) -> Iterator[str]:
    fault = found.fault
    where = [fault.level, fault.class_]
    where += [f"line {fault.line}"] if fault.line is not None else []
    where += [f"messages[{fault.message_index}]"] if fault.message_index is not None else []
    yield f"{number:>3}. {fault.kind}: {', '.join(where)}"
    yield f"     {fault.sentence}"
    for label, text in (
        ("API", fault.api_error or ""),
        ("on load", found.on_load),
        ("advice", found.advice),
        ("repair", found.repair or "none"),
    ):
        if text:
            yield f"     {label:<8} {text}"
    yield from (f"     evidence {line}" for line in found.evidence)


def _more(counts: dict[str, int]) -> Iterator[str]:
    for kind, count in counts.items():
        if count > MOST_OF_A_KIND:
            yield ""
            yield f"     … and {count - MOST_OF_A_KIND:,} more of the kind {kind} (--json lists them all)"


def _remarks(remarks: Sequence[Finding]) -> Iterator[str]:
    """One line a remark; several of a kind share one."""
    kinds = Counter(r.fault.kind for r in remarks)
    for kind, count in kinds.items():
        of_kind = [r for r in remarks if r.fault.kind == kind]
        line = of_kind[0].fault.sentence
        if count > 1:
            every = list(dict.fromkeys(str(r.fault.line) for r in of_kind if r.fault.line is not None))
            lines = ", ".join(every[:MOST_OF_A_KIND]) + (", …" if len(every) > MOST_OF_A_KIND else "")
            line += f" ({count:,} times: line {lines})" if lines else ""
        yield f"  - {kind}: {line}"


def _repair(repair: Repair, whole: bool) -> Iterator[str]:
    yield "the repair, as --fix -o OUT would write it"
    yield from (f"  * {change.reason}" for change in repair.changes[:MOST_DIFF_LINES])
    if len(repair.changes) > MOST_DIFF_LINES:
        yield f"  * … and {len(repair.changes) - MOST_DIFF_LINES:,} more"
    if repair.gain:
        yield f"  {repair.gain}"
    yield ""
    diff = repair.diff
    yield from (diff if whole else diff[:MOST_DIFF_LINES])
    if not whole and len(diff) > MOST_DIFF_LINES:
        yield f"… {len(diff) - MOST_DIFF_LINES:,} more lines (--diff shows them all)"
