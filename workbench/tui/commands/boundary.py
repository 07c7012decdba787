"""The commands of the Boundary tab; which boundary is shown is chosen by the keys that hold everywhere."""

from typing import TYPE_CHECKING

from ...workspace import moves
from ...workspace.state import BOUNDARY, MESSAGES
from ...workspace.view import BOUNDARY as AROUND
from ...workspace.view import View
from .session import NextBoundary
from .tabs import OnTab

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


class ShowAround(NextBoundary):
    """The messages before and after this compaction"""

    id, key, label, name = "boundary.messages", "enter", "before | after", "Messages before and after this compaction"
    where, footer = BOUNDARY, True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        number = moves.wanted_boundary(screen.workspace)
        if number is not None:
            screen.commit(moves.to_tab(moves.to_view(screen.workspace, View(AROUND, number)), MESSAGES))
            screen.messages.list_of(0).focus()


class WhatWasLost(NextBoundary):
    """What this compaction lost: rules, corrections, requests, files, each with where it is now; the summary; what followed"""

    id, key, label, name, footer = "boundary.loss", "L", "lost", "What this compaction lost", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from functools import partial

        from ...evidence.loss import losses
        from ..painting.loss import loss_document
        from ..screens.found_text import FoundText

        opened, number = screen.workspace.opened, moves.wanted_boundary(screen.workspace)
        if opened is None or number is None:
            return
        count = len(opened.inspection.boundaries)
        screen.app.push_screen(
            FoundText(
                "What it lost",
                "looking for what stood before it…",
                lambda: partial(loss_document, next(losses(opened.session, number)), count),
            )
        )


class CopyRecord(OnTab):
    """Copy the facts to the clipboard, or the summary while it has the focus"""

    id, key, label, name, where, footer = "boundary.copy", "y", "copy", "Copy the facts or the summary", BOUNDARY, True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from ..panes.boundary import BoundaryPane

        screen.query_one(BoundaryPane).copy()
