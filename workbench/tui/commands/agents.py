"""The command that leads from a session to its sub-agents, and from a sub-agent back."""

from typing import TYPE_CHECKING

from .session import NeedsSession

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


class SubAgents(NeedsSession):
    """The sub-agents of this session, each with the call that started it; in a sub-agent's file, the way back"""

    id, key, label, name = "agents.list", "A", "sub-agents", "Open a sub-agent of this session"

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        opened = screen.workspace.opened
        if opened is None:
            return super().why_not(screen)
        from ..relatives import has_relatives

        found = has_relatives(opened.session, screen.reading.reader)
        return "" if found else "No file of a sub-agent stands beside this session."

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from ..relatives import relatives
        from ..screens.agents import AgentsScreen

        opened, reader = screen.workspace.opened, screen.reading.reader
        if opened is not None:
            screen.app.push_screen(AgentsScreen(lambda: relatives(opened.session, reader)), screen.open_path)
