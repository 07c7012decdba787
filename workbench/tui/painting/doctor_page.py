"""The Doctor tab's two pages: the selected finding with all that is known about it, and the repair as a diff."""

from collections.abc import Iterable, Iterator, Sequence

from ...conversation.change import Change
from ...evidence.finding import Finding
from ...export.repair import Repair
from ...workspace.doctor_view import DoctorView, Hunk, Own, checked, own_part
from .document import Document, Paragraph
from .numbers import thousands
from .sheet import Sheet
from .text import pad

LABEL = 11
MOST_DIFF_LINES = 400  # of one part of a repair
DIFF_STYLES = {"-": "dropped", "+": "added", "@": "key"}


def finding_document(view: DoctorView, finding: Finding | None, alone: bool, width: int) -> Document:
    """The selected finding: what is wrong, what the API and the agent make of it, what to do, and what shows it.

    `alone`: what else stands beside it, the repair or what was looked at, follows below.
    """
    sheet = Sheet(width)
    if finding is not None:
        sheet.text(finding.fault.sentence, "bold text")
        for label, text, style in _facts(finding):
            sheet.columns([(pad(label, LABEL), "key")], text, style)
        if alone and view.repair is None:
            sheet.line()
    if alone:
        _beside(sheet, view, finding)
    return sheet.document()


def _facts(finding: Finding) -> Iterator[tuple[str, str, str]]:
    fault = finding.fault
    if fault.api_error:
        yield "the API", fault.api_error, "error"
    if finding.on_load:
        yield "the agent", finding.on_load, "text"
    if not fault.is_remark:
        yield "repair", finding.repair or "none", "success" if finding.repairable else "muted"
    if finding.advice:
        yield "advice", finding.advice.replace("--fix -o OUT", "x"), "text"
    for at, line in enumerate(finding.evidence):
        yield "" if at else "evidence", line, "muted"


def beside_document(view: DoctorView, finding: Finding | None, width: int) -> Document:
    """The repair as a diff, or where nothing is wrong, what was looked at."""
    sheet = Sheet(width)
    _beside(sheet, view, finding)
    return sheet.document()


def _beside(sheet: Sheet, view: DoctorView, finding: Finding | None) -> None:
    if view.repair is not None:
        _repair(sheet, view.repair, _own(view, view.repair, finding), finding is not None and finding.repairable)
    elif not view.is_complete:
        sheet.text("The repair is being tried on a copy in memory…", "muted")
    elif view.diagnosis.findings:
        sheet.text("What is wrong here cannot be mended by rewriting the file; the advice says what else to do.", "muted")
    else:
        sheet.text("Nothing is wrong. What was looked at:", "success")
        for what, words in checked(view):
            sheet.columns([(pad(what, LABEL + 2), "key")], words, "text")


def _own(view: DoctorView, repair: Repair, finding: Finding | None) -> Own:
    return own_part(view, finding) if finding is not None else Own(others=repair.changes, rest=view.hunks)


def _repair(sheet: Sheet, repair: Repair, own: Own, is_mended: bool) -> None:
    """What is done for the selected finding, and then the rest; one that other changes mend has nothing of its own."""
    if own.changes:
        _part(sheet, "the repair of this finding", own.changes, own.hunks)
    if own.others or own.rest:
        whole = "the whole repair, which mends this too" if is_mended else "the whole repair"
        _part(sheet, "the rest of the repair" if own.changes else whole, own.others, own.rest)
    if repair.gain:
        sheet.line()
        sheet.text(repair.gain, "muted")


def _part(sheet: Sheet, title: str, changes: Sequence[Change], hunks: Sequence[Hunk]) -> None:
    sheet.heading(title)
    for change in changes[:MOST_DIFF_LINES]:
        sheet.columns([("* ", "key")], change.reason, "text")
    left = len(changes) - MOST_DIFF_LINES
    if left > 0:
        sheet.text(f"… and {thousands(left)} more changes", "muted")
    lines = [line for hunk in hunks for line in hunk.lines]
    for paragraph in _diff(lines[:MOST_DIFF_LINES]):
        sheet.paragraph(paragraph)
    if len(lines) > MOST_DIFF_LINES:
        sheet.text(f"… and {thousands(len(lines) - MOST_DIFF_LINES)} more lines of the diff", "muted")


def _diff(lines: Iterable[str]) -> Iterator[Paragraph]:
    for line in lines:
        yield Paragraph(line.removesuffix(" @@"), DIFF_STYLES.get(line[:1], "text"))
