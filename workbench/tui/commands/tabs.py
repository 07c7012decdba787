"""Commands that make sense on one tab only, and say so when the palette offers them on another."""

from typing import TYPE_CHECKING

from .session import NeedsSession

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


class OnTab(NeedsSession):
    """A command of the tab named by `where`."""

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        if screen.workspace.tab != cls.where:
            return f"This is for the {cls.where.capitalize()} tab; go there first."
        return super().why_not(screen)
