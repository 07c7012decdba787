"""The page that says why it fires or not: the decision, how far it is, every guard, and what is odd in the whole session."""

from ...compaction.settings import Settings
from ...conversation.wording import noun
from ...evidence.explain import FIRES
from ...workspace.explaining import Explained
from .document import Document
from .guards import draw_guards
from .ladder import threshold_ladder
from .sheet import Sheet
from .text import pad

KIND_WIDTH = 24
MOST_LINES = 8


def explain_document(found: Explained, settings: Settings, width: int) -> Document:
    """Laid out for `width` cells."""
    sheet, told = Sheet(width), found.explanation
    sheet.heading(found.where[:1].upper() + found.where[1:])
    sheet.text(told.reason, "bold threshold" if told.decision == FIRES else "text", indent=2)
    context = told.context
    size = "" if context.tokens is None else f"{context.tokens:,} "
    sheet.text(f"context {size}{context.kind}: {context.source}", "muted", indent=2)
    threshold_ladder(sheet, found.ground, settings)
    draw_guards(sheet, told.verdict)
    _findings(sheet, found)
    return sheet.document()


def _findings(sheet: Sheet, found: Explained) -> None:
    findings = found.explanation.findings
    sheet.heading("over the whole session", ("" if findings else "nothing odd about its compactions", "success"))
    for finding in findings:
        some = ", ".join(f"{line:,}" for line in finding.lines[:MOST_LINES])
        more = f" and {len(finding.lines) - MOST_LINES:,} more" if len(finding.lines) > MOST_LINES else ""
        sheet.line(
            ("  ", ""), (pad(finding.kind, KIND_WIDTH), "warning"), (f"{noun(len(finding.lines), 'line')} {some}{more}", "muted")
        )
        sheet.text(finding.reason, "text", indent=4)
