"""What stands beside the editor of the notes: the matching section of a summary, the diff, a compaction from the draft."""

from dataclasses import replace

from ...conversation.wording import counted
from ...memory.notes import Section
from ...memory.template import WHY_THEY_DIFFER
from ...workspace.notes_beside import Counterpart, counterpart_of, without_notes
from ...workspace.notes_edit import DIFF, RESULT, Draft, Editing
from ...workspace.notes_result import NotesResult
from ...workspace.notes_text import editable
from ...workspace.notes_view import NotesView
from ...workspace.state import Workspace
from .diff import diff
from .document import Document, Paragraph
from .ladder import filled
from .numbers import thousands
from .prose import wrapped
from .sheet import Sheet
from .steps_window import keep_window_picture

BAR = 30
MOST_MESSAGES = 200


def page_document(workspace: Workspace, width: int) -> Document:
    """The page that is wanted, for `width` cells."""
    view, editing = workspace.notes, workspace.editing or Editing()
    if view is None:
        return Document()
    draft = editing.draft
    if draft is None:
        return missing_document(view, width)
    if editing.page == DIFF:
        return diff_document(draft, editing, width)
    if editing.page == RESULT:
        return result_document(editing, width)
    return summary_document(draft, editing, workspace.section, width)


def summary_document(draft: Draft, editing: Editing, index: int, width: int) -> Document:
    """What belongs into a section, what a summary has in its place, and why the two differ."""
    sheet = Sheet(width)
    if index >= len(draft.notes.sections):
        _whole(sheet, editing)
        return sheet.document()
    section = draft.notes.sections[index]
    _about(sheet, section)
    for touched in draft.touched:
        if touched.title == section.title:
            sheet.text(touched.sentence, "warning")
    found = counterpart_of(section, editing.beside)
    if found is None:
        sheet.line()
        sheet.text("A summary has no section of the kind: this one is of another template.", "muted")
    else:
        _beside(sheet, found, editing)
    return sheet.document()


def _about(sheet: Sheet, section: Section) -> None:
    sheet.text(section.title, "bold text")
    sheet.text(section.hint, "italic muted")
    if section.over_budget:
        over = section.tokens - section.allowed
        sheet.text(f"{thousands(over)} tokens over the limit: a compaction cuts what is behind it.", "error")


def _beside(sheet: Sheet, found: Counterpart, editing: Editing) -> None:
    sheet.heading(found.title or "nothing of the kind", (f"in {_source(editing)}", "muted"))
    sheet.text(found.match.reason, "italic muted")
    if not found.title:
        return
    sheet.line()
    if found.text:
        sheet.paragraph(Paragraph(wrapped(found.text, sheet.width), "assistant"))
    else:
        sheet.text(_why_empty(editing), "muted")


def _why_empty(editing: Editing) -> str:
    if editing.beside is None:
        return "reading the summary…"
    return "The summary has no such section." if editing.beside.source else "There is no summary to set beside."


def _source(editing: Editing) -> str:
    return editing.beside.source if editing.beside is not None and editing.beside.source else "a summary"


def _whole(sheet: Sheet, editing: Editing) -> None:
    """Why notes and summaries differ, and what only a summary has."""
    sheet.text(WHY_THEY_DIFFER, "text")
    for found in without_notes(editing.beside):
        _beside(sheet, found, editing)


def diff_document(draft: Draft, editing: Editing, width: int) -> Document:
    """What saving would change; with somebody else's text on the disk, what differs from theirs."""
    theirs = editing.theirs
    saved = draft.saved if theirs is None else theirs.text or ""
    sheet = Sheet(width)
    if theirs is not None:
        sheet.text("- what somebody else wrote, + what stands in the editor", "muted")
    if draft.text == saved:
        sheet.text("Nothing was changed since the notes were saved.", "muted")
        return sheet.document()
    if editable(saved) == draft.shown:
        sheet.text("Only line ends or characters that are not seen were changed.", "muted")
        return sheet.document()
    for paragraph in diff(editable(saved), draft.shown):
        sheet.paragraph(replace(paragraph, text=wrapped(paragraph.text, sheet.width)))
    return sheet.document()


def result_document(editing: Editing, width: int) -> Document:
    """The run in figures: what would stand in context, how far that is below the threshold, what stays and why."""
    result = editing.result
    sheet = Sheet(width)
    if result is None:
        sheet.text(editing.problem or "compacting…", "error" if editing.problem else "muted")
        return sheet.document()
    if not result.is_compacted:
        sheet.text(result.run.reason, "error")
        sheet.text("An automatic compaction goes on with a full one.", "muted")
        return sheet.document()
    _figures(sheet, result)
    window = result.window
    if window is not None:
        sheet.line()
        sheet.text(result.stage.reason if result.stage is not None else "", "text")
        keep_window_picture(sheet, window, result.run.ground.rows, result.run.plan.settings)
    _array(sheet, result)
    return sheet.document()


def _figures(sheet: Sheet, result: NotesResult) -> None:
    after, threshold = result.after or 0, result.threshold
    before = "unknown" if result.before is None else thousands(result.before)
    sheet.line(
        (before, "muted"),
        (" → ", "muted"),
        (thousands(after), "bold text"),
        (" tokens in context ", "text"),
        ("rough", "estimated"),
    )
    is_known = result.run.ground.overhead.tokens is not None
    overhead = f"{thousands(result.overhead)} of overhead" if is_known else "the overhead is unknown: a lower bound"
    sheet.line((f"{thousands(after - result.overhead)} of messages, {overhead}", "muted"))
    if result.before is not None and after >= result.before:
        sheet.text("Nothing is freed: what is kept and attached outweighs what went.", "warning")
    if threshold is None or result.headroom is None:
        return
    over = result.headroom <= 0
    bar = max(10, min(BAR, sheet.width - 30))
    words = "over" if over else "below"
    sheet.line(
        (filled(after, threshold, bar), "level-over" if over else "level-low"),
        (f" {thousands(abs(result.headroom))} {words} {thousands(threshold)}", "bold threshold" if over else "success"),
    )
    if over:
        sheet.text("An automatic compaction from these notes fails and goes on with a full one.", "error")


def _array(sheet: Sheet, result: NotesResult) -> None:
    sheet.heading("array", (f"{counted(len(result.messages), 'message')}, the boundary before them", "muted"))
    for index, message in enumerate(result.messages[:MOST_MESSAGES]):
        kinds = (
            "notes"
            if any(p.row is not None and p.row.is_summary and p.row.place < 0 for p in message.parts)
            else ", ".join(dict.fromkeys(b.kind for b in message.blocks))
        )
        lines = f" lines {message.lines[0]}-{message.lines[-1]}" if message.lines else ""
        sheet.line(
            (f"{index:>4} ", "muted"), (f"{message.role:<10}", message.role), (f"{thousands(message.tokens):>7}  ", "text"),
            (kinds, "notes" if kinds == "notes" else "text"), (lines, "muted"),
        )  # fmt: skip
    if len(result.messages) > MOST_MESSAGES:
        sheet.text(f"⋯ {len(result.messages) - MOST_MESSAGES} more", "muted")


def missing_document(view: NotesView, width: int) -> Document:
    """Why there is nothing to show, where notes were looked for, and how to make some."""
    sheet = Sheet(width)
    sheet.text(view.found.problem or view.state.reason, "error" if view.found.problem else "bold text")
    if not view.found.looked:
        sheet.text("Only a session file has notes beside it; this was read from elsewhere.")
        return sheet.document()
    sheet.text("The agent writes them where session memory is switched on. They were looked for here:")
    for place in view.found.looked:
        sheet.text(place, "muted", indent=2)
    if not view.found.problem:
        sheet.line()
        sheet.line(("x", "bold key"), (" extracts notes from the session, offline", "text"))
        sheet.line(("Enter", "bold key"), (" begins some from the template; nothing is written before you save", "text"))
    return sheet.document()
