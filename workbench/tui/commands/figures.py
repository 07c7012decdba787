"""The commands about numbers: whose they are, and why the context grew."""

from typing import TYPE_CHECKING

from ...workspace import figures, moves
from .session import ArrayOfCall, NeedsSession

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


class NextEstimator(NeedsSession):
    """Whose token figures are shown: rough (bytes/4, the agent's own), tiktoken, calibrated on this session"""

    id, key, label, name, footer = "figures.estimator", "e", "estimator", "Token figures: rough, tiktoken, calibrated", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(figures.next_estimator(screen.workspace))
        screen.notify(figures.about(screen.workspace), timeout=4, markup=False)


class WhyItFires(NeedsSession):
    """Why a compaction fires at the selected call or boundary, or at the end, or not; and what is odd in the whole session"""

    id, key, label, name, footer = "call.explain", "E", "fires?", "Why it compacts here, or not", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from functools import partial

        from ...workspace.explaining import explained
        from ...workspace.steps_plan import point_shown
        from ..painting.explain import explain_document
        from ..screens.found_text import FoundText

        opened, point = screen.workspace.opened, point_shown(screen.workspace)
        if opened is not None:
            screen.app.push_screen(
                FoundText(
                    "Why it fires, or not",
                    "asking the guards…",
                    lambda: partial(explain_document, explained(opened, point), opened.settings),
                )
            )


class WhyItGrew(ArrayOfCall):
    """What the selected call has more than the one before, put down to the rows between"""

    id, key, label, name, footer = "call.why", "w", "why", "Why the context grew up to the selected call", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from ...workspace.why import why_of
        from ..screens.why import WhyScreen

        opened, call, measuring = screen.workspace.opened, screen.workspace.call, screen.messages.measuring
        if opened is None:
            return

        def chosen(line: int | None) -> None:
            if line is not None:
                screen.commit(moves.to_line(screen.workspace, call, line))
                screen.messages.list_of(0).focus()

        screen.app.push_screen(WhyScreen(lambda: why_of(opened, call, measuring.calibration(opened.session))), chosen)
