"""The commands of the Notes tab: an editor whose every change is measured, compared and compacted from."""

from typing import TYPE_CHECKING

from ...workspace.state import NOTES
from .tabs import OnTab

if TYPE_CHECKING:
    from ...workspace.notes_edit import Editing
    from ..panes.notes import NotesPane
    from ..screens.session import SessionScreen


def _pane(screen: "SessionScreen") -> "NotesPane":
    from ..panes.notes import NotesPane

    return screen.query_one(NotesPane)


def _editing(screen: "SessionScreen") -> "Editing":
    from ...workspace.notes_edit import editing_of

    return editing_of(screen.workspace)


class OnNotes(OnTab):
    """A command of this tab that has to wait for what is being done."""

    where = NOTES

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        reason = super().why_not(screen)
        job = _editing(screen).job
        return reason or (f"Not while the program is {job} the notes." if job else cls.why_not_now(screen))

    @classmethod
    def why_not_now(cls, screen: "SessionScreen") -> str:
        """Why not with these notes; "" when it can."""
        return "" if screen.workspace.notes is not None else "The notes are still being read."


class NeedsDraft(OnNotes):
    """A command that needs notes, saved or begun."""

    @classmethod
    def why_not_now(cls, screen: "SessionScreen") -> str:
        if _editing(screen).draft is None:
            return super().why_not_now(screen) or "There are no notes; Enter begins some from the template, x extracts them."
        return ""


class EditNotes(OnNotes):
    """Into the editor at the selected section; Esc leaves it. Without notes, some are begun from the template"""

    id, key, label, name, footer = "notes.edit", "enter", "edit", "Notes: edit", True

    @classmethod
    def why_not_now(cls, screen: "SessionScreen") -> str:
        notes = screen.workspace.notes
        if notes is not None and _editing(screen).draft is None:
            if notes.found.problem:
                return notes.found.problem
            if not notes.found.looked:
                return "Only a session file has notes beside it; this was read from elsewhere."
        return super().why_not_now(screen)

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).edit()


class SaveNotes(NeedsDraft):
    """Save the notes, what was there into a backup; refused where somebody else wrote them or the agent is at work"""

    id, key, label, name, footer = "notes.save", "ctrl+o", "save", "Notes: save", True

    @classmethod
    def why_not_now(cls, screen: "SessionScreen") -> str:
        from ...workspace.notes_edit import why_not_saved

        draft = _editing(screen).draft
        if draft is not None and _editing(screen).theirs is None and _pane(screen).area.text != draft.shown:
            return ""  # typed this moment, not yet measured
        return super().why_not_now(screen) or why_not_saved(screen.workspace)

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).save()


class CompactFromNotes(NeedsDraft):
    """Compact from these notes as they stand in the editor: the array that follows and the headroom, anew with every edit"""

    id, key, label, name, footer = "notes.compact", "c", "compact", "Notes: compact from these", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from ...workspace.notes_edit import RESULT

        _pane(screen).to_page(RESULT)


class ShowDiff(NeedsDraft):
    """What saving would change in the file"""

    id, key, label, name, footer = "notes.diff", "d", "diff", "Notes: what was changed", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from ...workspace.notes_edit import DIFF

        _pane(screen).to_page(DIFF)


class ShowSummary(NeedsDraft):
    """The matching section of the recorded summary, or of one simulated offline, and why the two differ"""

    id, key, label, name, footer = "notes.summary", "m", "summary", "Notes: beside a summary", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from ...workspace.notes_edit import SUMMARY

        _pane(screen).to_page(SUMMARY)


class ExtractNotes(OnNotes):
    """Bring the notes up to date from what they do not cover, without a model; nothing is saved by it"""

    id, key, label, name, footer = "notes.extract", "x", "extract", "Notes: extract now", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).extract()


class UndoEdit(NeedsDraft):
    """Take the last edit back; in the editor ^z"""

    id, key, label, name, footer = "notes.undo", "u", "undo", "Notes: undo", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).undo()


class RedoEdit(NeedsDraft):
    """Make it again; in the editor ^y"""

    id, key, label, name = "notes.redo", "U", "redo", "Notes: redo"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).redo()


class RevertNotes(NeedsDraft):
    """What stands in the file again, somebody else's text where there is one; undo brings yours back"""

    id, key, label, name = "notes.revert", "R", "revert", "Notes: revert to the file"

    @classmethod
    def why_not_now(cls, screen: "SessionScreen") -> str:
        editing = _editing(screen)
        draft = editing.draft
        if draft is not None and editing.theirs is None and not draft.is_changed:
            return "Nothing was changed."
        return super().why_not_now(screen)

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).revert()


class KeepMine(NeedsDraft):
    """Keep your text over what somebody else wrote; saving then puts theirs into a backup"""

    id, key, label, name = "notes.keep", "K", "keep mine", "Notes: keep mine over somebody else's"

    @classmethod
    def why_not_now(cls, screen: "SessionScreen") -> str:
        return "" if _editing(screen).theirs is not None else "Nobody else wrote the notes since they were read."

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).keep()


class EditElsewhere(NeedsDraft):
    """The notes in your own editor ($EDITOR); they come back here, unsaved"""

    id, key, label, name = "notes.editor", "E", "$EDITOR", "Notes: in your own editor"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).edit_elsewhere()


class CopySection(NeedsDraft):
    """Copy the selected section of the notes to the clipboard, or the whole file"""

    id, key, label, name = "notes.copy", "y", "copy", "Notes: copy the section"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).copy()


class LeaveEditor(OnTab):
    """From the editor back to the sections, from another page back to the summary"""

    id, key, label, name, where = "notes.leave", "escape", "back", "Notes: back to the sections", NOTES

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).leave()


COMMANDS: tuple[type[OnTab], ...] = (
    EditNotes, SaveNotes, CompactFromNotes, ShowDiff, ShowSummary, ExtractNotes, UndoEdit, RedoEdit, RevertNotes, KeepMine,
    EditElsewhere, CopySection, LeaveEditor,
)  # fmt: skip
