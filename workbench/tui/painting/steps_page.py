"""The selected stage, explained: its reason, a picture, the numbers it used, what it changed, the faults after it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from ...compaction.guards import Verdict
from ...compaction.microcompact import Microcompaction
from ...compaction.request import Request
from ...compaction.restoring import Restored
from ...compaction.result import Number, StageResult
from ...compaction.run import Run, deciding
from ...compaction.stages import clean_reply, decide, measure
from ...compaction.stages.record import Recorded
from ...conversation.wording import counted, noun
from ...memory.window import KeepWindow
from ...workspace.state import Workspace
from ...workspace.steps import Steps
from ...workspace.steps_flow import NOT_REACHED, UNTAKEN, Node
from ...workspace.steps_words import ABOUT
from .calls import pretty
from .code import json_text
from .detail import block_document
from .document import Document, Paragraph
from .guards import draw_guards
from .ladder import threshold_ladder
from .paths import clip_start
from .prose import wrapped
from .sheet import Sheet
from .steps_window import keep_window_picture
from .text import one_line, pad

KIND_STYLES = {
    "exact": "exact", "estimated": "estimated", "lower bound": "lower-bound", "unknown": "unknown", "setting": "key",
    "evidence": "key", "condition": "muted",
}  # fmt: skip
KIND_WIDTH = 13
MOST_UUIDS = 4


def stage_document(steps: Steps, width: int) -> Document:
    """Everything about the selected stage, for `width` cells."""
    sheet = Sheet(width)
    node, run = steps.node, steps.run
    if node is None or run is None:
        sheet.text(steps.problem or "Where the compaction starts is being read.", "error" if steps.problem else "muted")
        return sheet.document()
    if node.result is None:
        _to_come(sheet, node, run)
    else:
        _done(sheet, node.result, run)
    _names(sheet, node)
    return sheet.document()


def _to_come(sheet: Sheet, node: Node, run: Run) -> None:
    sheet.text(ABOUT[node.name].words)
    if node.state == UNTAKEN:
        ended = deciding((*run.results, *run.ahead)).reason if node.why == NOT_REACHED else ""
        why = f"The run ended before it came here: {ended}" if ended else f"Not taken: {node.why}."
        sheet.line()
        sheet.text(why, "warning")
    elif node.is_next:
        sheet.line()
        sheet.text("n computes it, c goes on from here, b sets a breakpoint.", "muted")
    if node.name == measure.NAME:
        threshold_ladder(sheet, run.ground, run.plan.settings)


def _done(sheet: Sheet, result: StageResult, run: Run) -> None:
    sheet.text(result.reason, "error" if result.outcome == "failed" else "text")
    _picture(sheet, result, run)
    if result.numbers and not isinstance(result.picture, Verdict):
        _numbers(sheet, result.numbers)
    _changes(sheet, result)
    _faults(sheet, result)
    if result.name == clean_reply.NAME and result.work.summary:
        sheet.heading("summary", ("as it stands now; e edits it", "muted"))
        sheet.paragraph(Paragraph(wrapped(result.work.summary, sheet.width), "text"))


def _picture(sheet: Sheet, result: StageResult, run: Run) -> None:
    picture: Any = result.picture
    if result.name in (measure.NAME, decide.NAME):
        threshold_ladder(sheet, run.ground, run.plan.settings)
    for kind, draw in _PICTURES.items():
        if isinstance(picture, kind):
            draw(sheet, picture, run)


def _guards(sheet: Sheet, verdict: Verdict, _run: Run) -> None:
    draw_guards(sheet, verdict)


def _keep_window(sheet: Sheet, window: KeepWindow, run: Run) -> None:
    keep_window_picture(sheet, window, run.ground.rows, run.plan.settings)


def _restored(sheet: Sheet, found: Restored, _run: Run) -> None:
    if found.attachments:
        sheet.heading("brought back", (f"{len(found.attachments)}, in this order", "muted"))
    reasons = {uuid: change.reason for change in found.changes for uuid in change.uuids}
    kind_width = 2 + max((len(a.kind) for a in found.attachments), default=0)
    for attachment in found.attachments:
        name = one_line(attachment.name, 400)
        head = (f"  {attachment.tokens:>7,}  ", "text"), (pad(attachment.kind.replace("_", " "), kind_width), "added")
        cut = (("  cut", "cleared"),) if attachment.truncated else ()
        sheet.line(*head, (clip_start(name, max(8, sheet.width - 18 - kind_width)), "text"), *cut)
        why = one_line(reasons.get(attachment.row.uuid, ""), 400).removeprefix(f"{name}: ")
        sheet.text(why, "muted", indent=min(11 + kind_width, sheet.width // 3))
    if found.left_out:
        sheet.heading("cut or left out", (f"{len(found.left_out)}, each with its reason", "muted"))
    for left in found.left_out:
        kind = pad(left.kind.replace("_", " "), 14)
        sheet.line((f"  {kind}", "dropped"), (clip_start(one_line(left.name), sheet.width - 18), "text"))
        sheet.text(left.reason, "muted", indent=min(16, sheet.width // 3))


def _cleared(sheet: Sheet, done: Microcompaction, _run: Run) -> None:
    cached = done.cached
    if cached is None or cached.block is None:
        return
    sheet.heading("cache edits", ("shown, never sent: the fields are not in the public API", "muted"))
    sheet.paragraph(json_text(pretty(cached.block)))
    sheet.heading("public equivalent")
    sheet.paragraph(json_text(pretty(cached.public)))


def _asked(sheet: Sheet, request: Request, _run: Run) -> None:
    sheet.heading("request", (request.purpose, "muted"))
    sheet.line(("  Q ", "bold key"), ("shows it whole, messages and prompt", "muted"))


def _recorded(sheet: Sheet, made: Recorded, _run: Run) -> None:
    sheet.heading("boundary", ("as it would stand on disk", "muted"))
    segment, kept = made.segment, counted(len(made.kept), "row")
    facts: Sequence[tuple[str, object]] = (
        ("trigger", made.trigger),
        ("preTokens", made.pre_tokens),
        ("postTokens", made.post_tokens),
        ("logicalParentUuid", made.logical_parent),
        ("preservedSegment", None if segment is None else f"{segment[0][:8]} … {segment[1][:8]}, {kept}"),
        ("preCompactDiscoveredTools", ", ".join(made.discovered_tools)),
    )
    for name, value in facts:
        words = f"{value:,}" if isinstance(value, int) else str(value or "none")
        sheet.columns((("  ", ""), (pad(name, 27), "muted")), words, "text")


_PICTURES: Mapping[type, Callable[[Sheet, Any, Run], None]] = {
    Verdict: _guards,
    KeepWindow: _keep_window,
    Restored: _restored,
    Microcompaction: _cleared,
    Request: _asked,
    Recorded: _recorded,
}


def _numbers(sheet: Sheet, numbers: Sequence[Number]) -> None:
    sheet.heading("numbers", ("with kind and source", "muted"))
    name_width = min(30, max(cell_len(one_line(n.name)) for n in numbers) + 2)
    value_width = min(34, max(12, *(cell_len(one_line(n.value)) for n in numbers))) + 2
    is_narrow = sheet.width < name_width + value_width + KIND_WIDTH + 2
    for number in numbers:
        name, value = one_line(number.name), one_line(number.value)
        kind = KIND_STYLES.get(number.kind, "key")
        if is_narrow:
            sheet.line((f"  {name}  ", "muted"), (value, "text"), (f"  {number.kind}", kind))
            sheet.text(number.source, "muted", indent=4)
            continue
        head = (
            ("  ", ""),
            (pad(name, name_width), "muted"),
            (pad(value, value_width), "text"),
            (pad(number.kind, KIND_WIDTH), kind),
        )
        sheet.columns(head, number.source)


def _changes(sheet: Sheet, result: StageResult) -> None:
    if isinstance(result.picture, Restored):
        return
    if not result.changes:
        is_same = result.before is result.after or result.before == result.after
        sheet.heading("changes", ("none: the array stays as it was" if is_same else "to the array: see before | after", "muted"))
        return
    sheet.heading("changes", (str(len(result.changes)), "muted"))
    for change in result.changes:
        some = ", ".join(u[:8] for u in change.uuids[:MOST_UUIDS]) + (" …" if len(change.uuids) > MOST_UUIDS else "")
        count = len(change.uuids)
        head = (("  ", ""), (pad(change.kind, 14), "cleared"), (f"{count:>5,} {noun(count, 'row'):<4}  ", "text"))
        sheet.columns(head, f"{change.reason}  ({some})")


def _faults(sheet: Sheet, result: StageResult) -> None:
    if not result.faults:
        sheet.heading("faults after it", ("none that the input had not", "success"))
        return
    sheet.heading("faults after it", (str(len(result.faults)), "error"))
    for fault in result.faults:
        sheet.text(fault.sentence, "error", indent=2)


def _names(sheet: Sheet, node: Node) -> None:
    about = ABOUT[node.name]
    there = node.result.there if node.result is not None and node.result.there else about.there
    section = node.result.section if node.result is not None and node.result.section else about.section
    sheet.heading("there", (f"what the agent's own code calls it; spec {section}", "muted"))
    if node.result is not None:
        sheet.text(about.words, "muted", indent=2)
    if there:
        sheet.text(", ".join(there), "user", indent=2)


def page_document(workspace: Workspace, is_message: bool, width: int) -> Document:
    """The right side: what a model has answered so far, the message one is at, or the selected stage."""
    steps = workspace.steps
    if steps is None:
        return Document()
    if steps.heard:
        return Document((Paragraph(wrapped(steps.heard, width), "text"),))
    return message_document(workspace, steps, width) if is_message else stage_document(steps, width)


def message_document(workspace: Workspace, steps: Steps, _width: int) -> Document:
    """The block under the cursor, on the side one is on."""
    item = steps.item
    if item is None:
        return Document.of("The messages between are the same before and after; d shows them all.", "muted")
    raw = None
    if item.row is not None and item.row.place >= 0 and steps.opened is not None:
        raw = steps.opened.session.raw(item.row.place)
    return block_document(item.block, workspace.form, raw)
