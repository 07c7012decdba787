"""What the Doctor tab shows: what is wrong, what each finding rests on, and which part of the repair belongs to it.

Findings and repair are those of `workbench doctor`; nothing is judged here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..conversation.invariants.fault import ERROR, FILE, REMARK, WARNING, Fault
from ..conversation.wording import counted
from ..evidence.finding import Diagnosis, Finding
from .state import ERRORS, REPAIRABLE

if TYPE_CHECKING:
    from ..conversation.change import Change
    from ..export.repair import Repair
    from ..transcript.session import Session
    from .opened import Opened

DAMAGE = ("damage", "padding")  # classes of faults of a line's bytes: the line is what there is to look at
OF_A_LINE = ("split-line", "drop-line")
MOVE_CUT = "move-cut"  # its change names the rows that are kept, all of them


@dataclass(frozen=True, slots=True)
class Hunk:
    """The diff of one line of the file, from its `@@` on."""

    line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepairedCopy:
    """A repaired copy: where it is, how many changes it holds, and what is wrong with it; `left` is None while it is written."""

    path: str
    changes: int
    left: Diagnosis | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DoctorView:
    """The diagnosis of an open session.

    repair   None while it is being made, and where nothing can be repaired
    hunks    its diff, a hunk a line, in the order of the file
    sent     places of the rows that the array holds as loaded
    copy     the repaired copy that was written last
    """

    opened: Opened
    diagnosis: Diagnosis
    repair: Repair | None
    hunks: tuple[Hunk, ...]
    sent: frozenset[int]
    copy: RepairedCopy | None = None

    @property
    def lines(self) -> tuple[Finding, ...]:
        """Findings, and behind them the remarks."""
        return self.diagnosis.findings + self.diagnosis.remarks

    @property
    def is_complete(self) -> bool:
        """Whether the repair is there too, or there is none to wait for."""
        return self.repair is not None or not self.diagnosis.repairable


@dataclass(frozen=True, slots=True, eq=False)
class NoDoctor:
    """A session that cannot be looked at, and why."""

    opened: Opened
    problem: str

    @property
    def lines(self) -> tuple[Finding, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Own:
    """What the repair does for one finding, and everything else that it does."""

    changes: tuple[Change, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    others: tuple[Change, ...] = ()
    rest: tuple[Hunk, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """Where a finding leads: a row of the index, or (`place` None) a line of the file that is no record.

    call  the id of the block that is meant, "" where the row as a whole is
    sent  whether the array that the agent loads holds the row
    """

    place: int | None
    line: int | None
    call: str = ""
    sent: bool = False


def doctor_view(opened: Opened, diagnosis: Diagnosis, repair: Repair | None = None) -> DoctorView:
    """The diagnosis, with the repair as soon as there is one. Reads the rows of the array once."""
    session = opened.session
    sent = frozenset(row.place for message in session.outline(session.chain) for row in message.rows)
    hunks = _hunks(repair.diff) if repair is not None else ()
    return DoctorView(opened, diagnosis, repair, hunks, sent)


def _hunks(diff: tuple[str, ...]) -> tuple[Hunk, ...]:
    """The hunks of a diff, behind the two lines that name the file."""
    found: list[tuple[int, list[str]]] = []
    for text in diff[2:]:
        if text.startswith("@@"):
            number = re.match(r"@@ line (\d+)", text)
            found.append((int(number[1]) if number else 0, []))
        if found:
            found[-1][1].append(text)
    return tuple(Hunk(line, tuple(lines)) for line, lines in found)


def shown_findings(view: DoctorView, wanted: str) -> tuple[int, ...]:
    """Indices of the lines that a filter (ALL, ERRORS, REPAIRABLE) lets through."""
    if wanted == ERRORS:
        return tuple(i for i, each in enumerate(view.lines) if each.fault.severity == ERROR)
    if wanted == REPAIRABLE:
        return tuple(i for i, each in enumerate(view.lines) if each.repairable)
    return tuple(range(len(view.lines)))


def severities(diagnosis: Diagnosis) -> dict[str, int]:
    """{severity: how many}, the worst first, those that there are none of left out."""
    lines = diagnosis.findings + diagnosis.remarks
    counts = {severity: sum(each.fault.severity == severity for each in lines) for severity in (ERROR, WARNING, REMARK)}
    return {severity: count for severity, count in counts.items() if count}


def checked(view: DoctorView) -> tuple[tuple[str, str], ...]:
    """(what was looked at, in which respects), in the order file, links, compactions, array."""
    session = view.opened.session
    array = f"{counted(view.diagnosis.messages, 'message')}, held against what the API demands of an array"
    if session.is_request:
        return (("request", array),)
    facts, boundaries = session.facts, len(view.opened.inspection.boundaries)
    rows = sum(uuid is not None for uuid in session.index.uuids)
    lines = counted(facts.lines, "line")
    return (
        ("file", f"{lines}, {facts.size:,} bytes: damage, characters that cannot be sent, unknown records"),
        ("links", f"{counted(rows, 'row')}: missing parents, uuids used twice, circles, other branches"),
        ("compactions", f"{counted(boundaries, 'boundary', 'boundaries')}: bypassed, kept rows lost or split, skills gone"),
        ("array", array),
    )


def own_part(view: DoctorView, finding: Finding) -> Own:
    """The changes made for a finding and the lines that they touch, apart from the rest of the repair.

    The lines of the rows that those changes name are the finding's, and the lines that are linked away from these rows.
    """
    if view.repair is None:
        return Own()
    ids = {each.fault.id for each in view.diagnosis.findings if each.fault.id} if finding.repairable else set()
    changes = tuple(c for c in view.repair.changes if finding.repairable and _is_about(c, finding.fault, ids))
    others = tuple(c for c in view.repair.changes if c not in changes)
    uuids = {uuid for change in changes if change.kind != MOVE_CUT for uuid in change.uuids} | {finding.fault.uuid or ""}
    lines = _lines_of(view.opened.session, uuids - {""}) | {finding.fault.line}
    own = tuple(h for h in view.hunks if changes and (h.line in lines or _leaves(h, uuids - {""})))
    return Own(changes, own, others, tuple(h for h in view.hunks if h not in own))


def _is_about(change: Change, fault: Fault, ids: set[str]) -> bool:
    """Whether a change was made for a fault: of its damaged line or its cut, of its row and no other fault's id, of its id."""
    if fault.class_ in DAMAGE:
        return change.kind in OF_A_LINE and _names(change.reason, f"line {fault.line}")
    if change.kind == MOVE_CUT and _names(change.reason, f"line {fault.line}"):
        return True
    named = {id for id in ids if _names(change.reason, id)}
    if fault.level != FILE and fault.id in named:
        return True
    return fault.uuid in change.uuids and (not named or fault.id in named)


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _lines_of(session: Session, uuids: set[str]) -> set[int | None]:
    index = session.index
    return {index.lines[place] for place in index.find_all(tuple(uuids)) if place is not None}


def _leaves(hunk: Hunk, uuids: set[str]) -> bool:
    """Whether a line loses a link to one of the rows."""
    return any(text.startswith("-") and text.endswith(f': "{uuid}"') for text in hunk.lines for uuid in uuids)


def target_of(view: DoctorView, finding: Finding) -> Target | None:
    """The row or the line of a finding; None where it is about the session as a whole."""
    fault, session = finding.fault, view.opened.session
    if fault.class_ in DAMAGE:
        return Target(None, fault.line)
    place = _place_of(session, finding)
    if place is None:
        return Target(None, fault.line) if fault.line is not None and not session.is_request else None
    return Target(place, session.index.lines[place], fault.id or "", place in view.sent)


def _place_of(session: Session, finding: Finding) -> int | None:
    fault, index = finding.fault, session.index
    if fault.line is not None:
        there = range(session.place_of_line(fault.line), session.place_of_line(fault.line + 1))
        return next((p for p in there if index.uuids[p] == fault.uuid), there[0] if there else None)
    if fault.uuid is not None:
        return index.find(fault.uuid)
    wanted = hash(fault.id)
    return next((row for row, call, _ in zip(*index.tools(), strict=True) if call == wanted), None) if fault.id else None
