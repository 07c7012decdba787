"""The page that says what a compaction lost: how much of each class is kept, every item with its fate, what followed."""

from ...evidence.loss import ATTACHED, GONE, ON_DISK, SUMMARY, VERBATIM, Item, Loss
from ...evidence.loss_items import HIGH, LOW, MEDIUM
from .document import Document
from .sheet import Sheet
from .text import one_line, pad

FATES = {VERBATIM: "kept", SUMMARY: "summarised", ATTACHED: "added", ON_DISK: "muted", GONE: "error"}
RISKS = {HIGH: "error", MEDIUM: "warning", LOW: "muted"}
KIND, FATE, NUMBER = 20, 13, 7  # cells
MOST = 300  # characters of an item


def loss_document(loss: Loss, count: int, width: int) -> Document:
    """One boundary of `count`, laid out for `width` cells."""
    sheet, boundary = Sheet(width), loss.boundary
    where = f"line {boundary.line:,}, {boundary.trigger or 'trigger unknown'}"
    sheet.heading(f"Compaction {loss.number + 1} of {count}", (where, "muted"))
    sheet.text("Found by words, not understood: each answer says how it was found.", "muted", indent=2)
    _retention(sheet, loss)
    for risk in (HIGH, MEDIUM, LOW):
        _items(sheet, risk, [i for i in loss.items if i.told.risk == risk])
    _summary(sheet, loss)
    _afterwards(sheet, loss)
    return sheet.document()


def _retention(sheet: Sheet, loss: Loss) -> None:
    sheet.heading("kept", ("of each class; what can be read again from disk counts", "muted"))
    for kind, (kept, total) in loss.retention.items():
        style = "success" if kept == total else "error" if not kept else "warning"
        sheet.line(("  ", ""), (pad(kind, KIND), "text"), (f"{kept:>{NUMBER}} of {total}", style))


def _items(sheet: Sheet, risk: str, items: list[Item]) -> None:
    if not items:
        return
    gone = sum(i.fate == GONE for i in items)
    sheet.heading(f"{risk} risk", (f"{gone} of {len(items)} gone", RISKS[risk] if gone else "success"))
    for item in sorted(items, key=lambda i: i.fate != GONE):
        line = "" if item.told.line is None else f", line {item.told.line:,}"
        head = (("  ", ""), (pad(item.fate, FATE), FATES[item.fate]))
        sheet.columns(head, f"{item.told.kind}{line}: {one_line(item.told.text, MOST)}", "text")
        where = f"{one_line(item.sentence, MOST)} · " if item.sentence and item.sentence != item.told.text else ""
        sheet.text(f"{where}{item.evidence}", "muted", indent=2 + FATE)


def _summary(sheet: Sheet, loss: Loss) -> None:
    sheet.heading("the summary as a text", ("" if loss.lint or loss.unsupported else "nothing to remark", "success"))
    for each in loss.lint:
        sheet.columns((("  ", ""), (pad(each.kind, KIND), "warning")), each.sentence, "text")
    for claim in loss.unsupported:
        sheet.columns((("  ", ""), (pad("unsupported", KIND), "warning")), f"nothing before it names {claim}", "text")


def _afterwards(sheet: Sheet, loss: Loss) -> None:
    sheet.heading("afterwards", ("up to the next compaction" if loss.afterwards else "no sign of loss", "muted"))
    for sign in loss.afterwards:
        line = "" if sign.line is None else f"line {sign.line:,}: "
        sheet.columns((("  ", ""), (pad(sign.kind, KIND), "warning")), f"{line}{one_line(sign.item, MOST)}", "text")
