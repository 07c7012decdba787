"""The Doctor tab in lines: the counts, a line a finding, the titles, and what became of the repaired copy."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.text import Text

from ...conversation.invariants import Fault
from ...conversation.invariants.fault import ERROR, REMARK, WARNING
from ...conversation.wording import counted
from ...evidence.finding import Finding
from ...workspace.doctor_view import DoctorView, NoDoctor, RepairedCopy, severities
from ...workspace.state import ALL, ERRORS, REPAIRABLE, Workspace
from .numbers import mebibytes, thousands
from .palette import Palette
from .paths import clip_start
from .text import clip, one_line, pad, visible

WIDE = 100  # cells from which the severity is a word,
WIDER = 150  # and from which the id has a column: below, the sentence needs the room

SIGNS = {ERROR: "×", WARNING: "!", REMARK: "·"}
STYLES = {ERROR: "error", WARNING: "warning", REMARK: "muted"}
FILTER_WORDS = {ALL: "", ERRORS: "only errors", REPAIRABLE: "only what can be repaired"}
NO_MATCH = {ERRORS: "no error; f shows everything", REPAIRABLE: "nothing that can be repaired; f shows everything"}
AGAIN = "the session has changed: looking again…"


def counts_title(workspace: Workspace, width: int, palette: Palette) -> Text:
    """How much is wrong, how much of it can be repaired, and what is still going on."""
    doctor, opened = workspace.doctor, workspace.opened
    if opened is None:
        words = (" cannot be read", "error") if workspace.problem else (" reading the file…", "muted")
        return _text([words], width, palette)
    if doctor is None:
        return _text([(f" looking through {mebibytes(opened.session.facts.size)}…", "muted")], width, palette)
    if isinstance(doctor, NoDoctor):
        return _text([(" cannot be looked at", "error"), (f"   {doctor.problem}", "text")], width, palette)
    cells = [*_counts(doctor)]
    if doctor.opened is not opened:
        cells.append((f"   {AGAIN}", "warning"))
    elif not doctor.is_complete:
        cells.append(("   trying the repair…", "muted"))
    elif FILTER_WORDS[workspace.finding_filter]:
        cells.append((f"   {FILTER_WORDS[workspace.finding_filter]}", "key"))
    cells.append((f"   {counted(doctor.diagnosis.messages, 'message')} in the array", "muted"))
    return _text(cells, width, palette)


def _counts(doctor: DoctorView) -> Iterator[tuple[str, str]]:
    found, counts = doctor.diagnosis, severities(doctor.diagnosis)
    remarks = counts.pop(REMARK, 0)
    if not counts:
        yield " nothing is wrong", "bold success"
    for at, (severity, count) in enumerate(counts.items()):
        yield (", " if at else " "), "muted"
        yield counted(count, severity), f"bold {STYLES[severity]}"
    if counts:
        repairable = len(found.repairable)
        yield "; ", "muted"
        yield f"{thousands(repairable)} repairable", "success" if repairable else "text"
    if remarks:
        yield f" · {counted(remarks, 'remark')}", "muted"


def empty_words(workspace: Workspace) -> str:
    """Why no finding is listed."""
    doctor, wanted = workspace.doctor, workspace.finding_filter
    if workspace.opened is None or doctor is None:
        return workspace.problem or "looking for what is wrong…"
    if isinstance(doctor, NoDoctor):
        return doctor.problem
    return NO_MATCH[wanted] if doctor.lines and wanted in NO_MATCH else "nothing is wrong"


@dataclass(frozen=True, slots=True)
class Widths:
    """Cells of the columns of a list of findings; 0 leaves one out, since nothing listed has anything for it."""

    severity: int
    kind: int
    line: int
    message: int
    repair: int
    id: int

    @property
    def used(self) -> int:
        return self.severity + self.kind + 8 + self.line + self.message + 2 + self.repair + self.id


def widths_of(view: DoctorView, width: int) -> Widths:
    """The widths that suit a list, for lines of `width` cells."""
    faults = [each.fault for each in view.lines]
    kinds = max((len(f.kind) for f in faults), default=0)
    ids = max((len(f.id or "") for f in faults), default=0) if width >= WIDER else 0  # else the sentence needs the room
    return Widths(
        severity=11 if width >= WIDE else 3,
        kind=min(max(8, kinds), 36 if width >= WIDER else 26 if width >= WIDE else 20) + 2,
        line=max((len(_number(f.line)) for f in faults if f.line is not None), default=-4) + 4,
        message=max((max(6, len(_number(f.message_index)) + 3) for f in faults if f.message_index is not None), default=0),
        repair=8 if view.diagnosis.repairable else 0,
        id=min(ids, 36) + 2 if ids else 0,
    )


def finding_header(widths: Widths, width: int, palette: Palette) -> Sequence[Segment]:
    """The names of the columns, for the same width."""
    names = (
        pad(" severity" if widths.severity > 3 else "", widths.severity),
        pad("kind", widths.kind),
        pad("level", 8),
        pad("line", widths.line, right=True),
        pad("msg", widths.message, right=True),
        "  ",
        pad("repair", widths.repair),
        pad("id", widths.id),
        "what",
    )
    return [Segment(clip("".join(names), width), palette.style("muted"))]


def finding_line(finding: Finding, widths: Widths, width: int, palette: Palette) -> Sequence[Segment]:
    """One finding for `width` cells: severity, kind, level, line and message, whether it can be repaired, id, sentence."""
    fault = finding.fault
    style = STYLES[fault.severity]
    word = f" {SIGNS[fault.severity]} " + (fault.severity if widths.severity > 3 else "")
    repair = "yes" if finding.repairable else "" if fault.is_remark else "no"
    cells = (
        (pad(word, widths.severity), style if fault.is_remark else f"bold {style}"),
        (pad(clip(one_line(fault.kind), widths.kind - 2), widths.kind), style),
        (pad(fault.level, 8), "muted"),
        (pad(_number(fault.line), widths.line, right=True), "text"),
        (pad(_number(fault.message_index), widths.message, right=True) + "  ", "text"),
        (pad(repair, widths.repair), "success" if finding.repairable else "muted"),
        (pad(clip(one_line(fault.id or ""), widths.id - 2), widths.id), "muted"),
        (clip(one_line(fault.sentence), width - widths.used), "muted" if fault.is_remark else "text"),
    )
    return [Segment(text, palette.style(words)) for text, words in cells]


def _number(number: int | None) -> str:
    return "–" if number is None else thousands(number)


def finding_title(finding: Finding | None, width: int, palette: Palette) -> Text:
    """What the page is about: the kind, and where it is."""
    if finding is None:
        return Text("")
    fault = finding.fault
    cells = [(f" {SIGNS[fault.severity]} ", f"bold {STYLES[fault.severity]}"), (fault.kind, "bold text")]
    return _text([*cells, ("   " + " · ".join(_place(fault)), "muted")], width, palette)


def _place(fault: Fault) -> Iterator[str]:
    if fault.line is not None:
        yield f"line {thousands(fault.line)}"
    if fault.message_index is not None:
        yield f"message {thousands(fault.message_index)}"
    yield fault.class_
    if fault.number is not None:
        yield f"invariant {fault.number}"


def beside_title(view: DoctorView | None, width: int, palette: Palette) -> Text:
    """How much the repair changes, and how to have it; where nothing is wrong, that what was looked at is told here."""
    if view is None:
        return Text("")
    repair = view.repair
    if repair is not None:
        cells = [(" the repair", "bold text"), (f"   {counted(len(repair.changes), 'change')} on ", "muted")]
        cells.append((counted(len(view.hunks), "line"), "muted"))
        cells += [("   x", "bold key"), (" writes a copy", "muted")] if view.copy is None else []
    elif not view.is_complete:
        cells = [(" the repair", "bold text"), ("   being tried…", "muted")]
    elif view.diagnosis.findings:
        cells = [(" the repair", "bold text"), ("   there is none", "muted")]
    else:
        cells = [(" what was looked at", "bold text")]
    return _text(cells, width, palette)


def copy_title(copy: RepairedCopy | None, width: int, palette: Palette) -> Text:
    """Where the repaired copy is, what was done to it, and what is still wrong with it."""
    if copy is None:
        return Text("")
    done = copy_words(copy)
    path = clip_start(visible(copy.path, newlines=False), max(20, width - len(done) - 12))
    left = copy.left
    style = "muted" if left is None else "success" if not left.findings else "warning"
    cells = [(" writing " if left is None else " written ", f"bold {style}"), (path, "text"), (f"   {done}", style)]
    return _text(cells, width, palette)


def copy_words(copy: RepairedCopy) -> str:
    """What was done, and what looking at the written copy has found."""
    if copy.left is None:
        return "reading it back…"
    changes = counted(copy.changes, "change")
    if not copy.left.findings:
        return f"{changes}; read back: nothing is wrong"
    if copy.left.repairable:
        return f"{changes}; read back: {counted(len(copy.left.repairable), 'fault')} still there: {_kinds(copy.left.counts)}"
    return f"{changes}; read back: left, for no repair mends it: {_kinds(copy.left.counts)}"


def _kinds(counts: dict[str, int]) -> str:
    return ", ".join(kind if count == 1 else f"{kind} {thousands(count)}" for kind, count in counts.items())


def _text(cells: Iterable[tuple[str, str]], width: int, palette: Palette) -> Text:
    text = Text.assemble(*((visible(t, newlines=False), palette.style(s)) for t, s in cells), no_wrap=True, end="")
    text.truncate(width, overflow="ellipsis")
    return text
