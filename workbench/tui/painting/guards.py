"""The guards of a decision, one a line: which holds, which decides, and why (spec 1, section 3)."""

from ...compaction.guards import Verdict
from .sheet import Sheet
from .text import pad

NAME_WIDTH = 22


def draw_guards(sheet: Sheet, verdict: Verdict) -> None:
    """All of them in order; the one that decides stands out."""
    sheet.heading("guards", ("in this order; the first that holds decides", "muted"))
    stopped = verdict.stopped_by
    for guard in verdict.guards:
        sign, style = ("■", "warning") if guard is stopped else ("○", "muted") if guard.holds else ("·", "success")
        note = "" if not guard.holds or guard.decides else " Passed: it does not decide in this run."
        head = ((f"  {sign} ", style), (pad(guard.name, NAME_WIDTH), "text" if guard.holds else "muted"))
        sheet.columns(head, guard.reason + note)
