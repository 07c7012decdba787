"""The commands of the Doctor tab."""

from typing import TYPE_CHECKING

from ...workspace import moves
from ...workspace.state import DOCTOR
from .tabs import OnTab

if TYPE_CHECKING:
    from ..panes.doctor import DoctorPane
    from ..screens.session import SessionScreen


def _pane(screen: "SessionScreen") -> "DoctorPane":
    from ..panes.doctor import DoctorPane

    return screen.query_one(DoctorPane)


class NeedsDiagnosis(OnTab):
    """A command that needs the diagnosis of the session as it is now."""

    where = DOCTOR

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        return super().why_not(screen) or _pane(screen).why_no_diagnosis()


class FilterFindings(NeedsDiagnosis):
    """All findings, only errors, only what can be repaired, in turn"""

    id, key, label, name, footer = "doctor.filter", "f", "filter", "Doctor: all, errors, repairable", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.next_finding_filter(screen.workspace))


class GoToFinding(NeedsDiagnosis):
    """Go to the message of the finding (off the branch that is loaded, or damaged: its line as it stands in the file)"""

    id, key, label, name, footer = "doctor.message", "enter", "to message", "Doctor: go to the message", True

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        return super().why_not(screen) or _pane(screen).why_no_target()

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).go_to_message()


class WriteCopy(NeedsDiagnosis):
    """Write a repaired copy of the session; the file itself is never changed"""

    id, key, label, name, footer = "doctor.write", "x", "repaired copy", "Doctor: write a repaired copy…", True

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        return super().why_not(screen) or _pane(screen).why_no_copy()

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).ask_path()


class CopyDiagnosis(NeedsDiagnosis):
    """Copy the diagnosis and the repair to the clipboard, as text for an issue"""

    id, key, label, name, footer = "doctor.copy", "y", "copy", "Doctor: copy the diagnosis as text", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).copy()


COMMANDS = (FilterFindings, GoToFinding, WriteCopy, CopyDiagnosis)
