"""The commands of the Notes tab."""

from typing import TYPE_CHECKING

from ...workspace.state import NOTES
from .tabs import OnTab

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


class CopySection(OnTab):
    """Copy the selected section of the notes to the clipboard"""

    id, key, label, name, where, footer = "notes.copy", "y", "copy", "Copy the section of the notes", NOTES, True

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        reason = super().why_not(screen)
        notes = screen.workspace.notes
        return reason or ("" if notes is not None and notes.notes is not None else "There are no notes to copy.")

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from ..panes.notes import NotesPane

        screen.query_one(NotesPane).copy()
