"""Notes under the user's hands: the draft, what of it is on the screen, and the moves between."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..memory.coverage import Coverage
from ..memory.edit import Touched, changed_sections, touched
from ..memory.notes import Budgets, Notes, parse
from ..memory.template import TEMPLATE
from .notes_text import editable, written_back

if TYPE_CHECKING:
    from .notes_beside import Beside
    from .notes_result import NotesResult
    from .notes_view import NotesFound, NotesView
    from .opened import Opened
    from .state import Workspace

SUMMARY, DIFF, RESULT = "summary", "diff", "result"
PAGES = (SUMMARY, DIFF, RESULT)


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """The text in the editor.

    saved    the file's text, or the template for notes that are still to be made; `frame` are its sections, which the draft
             is held against
    shown    what stands in the editor; `text` what saving would write
    changed  titles of the sections whose text differs; `touched` the headings and instruction lines that do
    lines    the line of each section's heading in the editor, from 0
    """

    saved: str
    frame: Notes
    shown: str
    text: str
    notes: Notes
    changed: tuple[str, ...] = ()
    touched: tuple[Touched, ...] = ()
    lines: tuple[int, ...] = ()

    @property
    def is_changed(self) -> bool:
        return self.text != self.saved

    def section_at(self, line: int) -> int:
        """The section that a line of the editor belongs to; the first one for what stands before it."""
        return max(0, bisect_right(self.lines, line) - 1)

    def line_of(self, section: int) -> int:
        """The line of a section's heading; of the whole file, behind the last section, its end."""
        return self.lines[section] if section < len(self.lines) else self.shown.count("\n")

    def text_line_of(self, section: int) -> int:
        """The line where a section's text begins, or may begin: behind heading, instruction line and blank lines."""
        if section >= len(self.lines):
            return self.line_of(section)
        found = self.notes.sections[section]
        blank = found.body.partition(found.text)[0] if found.text else ""
        return self.lines[section] + 2 + blank.count("\n")


def draft_of(saved: str, shown: str, budgets: Budgets, frame: Notes | None = None) -> Draft:
    """The draft for what stands in the editor; takes milliseconds for the largest notes. `frame`: `saved` parsed already."""
    frame = parse(saved, budgets) if frame is None else frame
    text = written_back(shown, saved)
    if text == saved:
        return Draft(saved, frame, shown, text, frame, lines=_heading_lines(frame))
    notes = parse(text, budgets)
    return Draft(saved, frame, shown, text, notes, changed_sections(frame, notes), touched(frame, notes), _heading_lines(notes))


def _heading_lines(notes: Notes) -> tuple[int, ...]:
    lines, at = [], notes.preamble.count("\n")
    for section in notes.sections:
        lines.append(at)
        at += sum(part.count("\n") for part in (section.heading, section.instruction, section.body))
    return tuple(lines)


@dataclass(frozen=True, slots=True, eq=False)
class Editing:
    """What the Notes tab holds beside the saved notes.

    draft    None until the notes are read, and while there is neither a file nor a draft of one
    page     what stands beside the editor: summary | diff | result
    beside   the sections of the summary that the notes are set beside; None until they are read
    result   a compaction from the draft; `result_of` is the text it was made from
    theirs   the file as somebody else wrote it while the draft was changed; saving is refused until that is settled
    coverage what the draft covers after an extraction; None: what the file does. `before` is the text in the editor before
             that extraction: whoever takes it back has not read those rows
    job      what is being done, in words; "" nothing
    problem  what went wrong last, in a sentence
    """

    draft: Draft | None = None
    page: str = SUMMARY
    beside: Beside | None = None
    result: NotesResult | None = None
    result_of: str | None = None
    theirs: NotesFound | None = None
    coverage: Coverage | None = None
    before: str = ""
    job: str = ""
    problem: str = ""

    @property
    def is_stale(self) -> bool:
        """Whether the result belongs to another text than the draft's."""
        return self.draft is not None and self.result_of != self.draft.text


def editing_of(now: Workspace) -> Editing:
    return now.editing if now.editing is not None else Editing()


def _with(now: Workspace, **changes: object) -> Workspace:
    return replace(now, editing=replace(editing_of(now), **changes))  # type: ignore[arg-type]


def read(now: Workspace, session: Opened, view: NotesView) -> Workspace:
    """The notes have come from the disk: a draft without changes follows them, a changed one stays and is in conflict."""
    if now.opened is not session:
        return now
    draft = editing_of(now).draft
    same = now.notes is not None and now.notes.found.digest == view.found.digest
    if draft is not None and draft.is_changed:
        if view.found.text == draft.text:
            return saved(now, session, view)
        return replace(_with(now, theirs=None if same else view.found), notes=view if same else now.notes)
    changed = replace(now, notes=view, section=max(0, min(now.section, len(view.sections))))
    text = view.found.text
    draft = None if text is None else draft if same and draft is not None else draft_of(text, editable(text), view.budgets)
    return _with(changed, draft=draft, theirs=None, coverage=None)


def begun(now: Workspace) -> Workspace:
    """Notes begun from the template where there is no file yet."""
    if now.notes is None or editing_of(now).draft is not None:
        return now
    return _with(now, draft=draft_of(TEMPLATE, TEMPLATE, now.notes.budgets))


def drafted(now: Workspace, draft: Draft) -> Workspace:
    """Another draft; one of notes that were read anew meanwhile is dropped."""
    old = editing_of(now).draft
    if old is None or old.saved != draft.saved:
        return now
    taken_back = bool(editing_of(now).coverage) and draft.shown == editing_of(now).before
    coverage = None if taken_back else editing_of(now).coverage
    section = max(0, min(now.section, len(draft.notes.sections)))
    return replace(_with(now, draft=draft, coverage=coverage, problem=""), section=section)


def extracted(now: Workspace, before: str, coverage: Coverage) -> Workspace:
    """An extraction wrote into the editor; `before` is what stood there."""
    return _with(now, coverage=coverage, before=before, problem="", job="")


def taken_back(now: Workspace) -> Workspace:
    """An extraction was undone: the draft covers what the file does."""
    return _with(now, coverage=None)


def saved(now: Workspace, session: Opened, view: NotesView) -> Workspace:
    """The draft stands in the file now; what was typed meanwhile is held against that."""
    draft = editing_of(now).draft
    if now.opened is not session or draft is None or view.found.text is None:
        return now
    text = view.found.text
    again = draft_of(text, draft.shown if draft.text != text else editable(text), view.budgets)
    return replace(_with(now, draft=again, theirs=None, coverage=None, problem="", job=""), notes=view)


def reverted(now: Workspace, view: NotesView) -> Workspace:
    """The user drops the draft for what stands in the file, somebody else's text where there is one."""
    text = view.found.text
    if editing_of(now).draft is None:
        return now
    draft = draft_of(TEMPLATE, TEMPLATE, view.budgets) if text is None else draft_of(text, editable(text), view.budgets)
    return replace(_with(now, draft=draft, theirs=None, coverage=None, problem=""), notes=view)


def rebased(now: Workspace, view: NotesView) -> Workspace:
    """The user keeps the draft over what somebody else wrote: it is held against that from here on, and may be saved."""
    draft = editing_of(now).draft
    if draft is None:
        return now
    text = view.found.text if view.found.text is not None else TEMPLATE
    return replace(_with(now, draft=draft_of(text, draft.shown, view.budgets), theirs=None, problem=""), notes=view)


def to_page(now: Workspace, page: str) -> Workspace:
    """Another page beside the editor; the same one again goes back to the summary."""
    wanted = SUMMARY if editing_of(now).page == page else page
    return _with(now, page=wanted)


def set_beside(now: Workspace, session: Opened, beside: Beside) -> Workspace:
    """The summary that the notes are set beside has come."""
    return now if now.opened is not session else _with(now, beside=beside)


def compacted(now: Workspace, session: Opened, text: str, result: NotesResult) -> Workspace:
    """A compaction from a draft is done; a late one of another session is dropped."""
    return now if now.opened is not session else _with(now, result=result, result_of=text, job="")


def busy(now: Workspace, job: str) -> Workspace:
    """Something is being done."""
    return _with(now, job=job)


def idle(now: Workspace, problem: str = "") -> Workspace:
    """Nothing is being done any more; why not, if it went wrong."""
    return _with(now, job="", problem=problem)


def why_not_saved(now: Workspace) -> str:
    """Why there is nothing to save, or why it must not be; "" when it can."""
    editing = editing_of(now)
    if editing.draft is None or now.notes is None:
        return "There are no notes to save; Enter begins some from the template, x extracts them."
    if editing.theirs is not None:
        return "Somebody else wrote the notes meanwhile; R takes theirs, K keeps yours, d shows what differs."
    if not editing.draft.is_changed and now.notes.notes is not None:
        return "Nothing was changed."
    return ""
