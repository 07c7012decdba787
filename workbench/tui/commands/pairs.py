"""The commands of the Pairs tab."""

from typing import TYPE_CHECKING

from ...workspace import moves
from ...workspace.state import PAIRS
from .session import NextForm
from .tabs import OnTab

if TYPE_CHECKING:
    from ..panes.pairs import PairsPane
    from ..screens.session import SessionScreen


def _pane(screen: "SessionScreen") -> "PairsPane":
    from ..panes.pairs import PairsPane

    return screen.query_one(PairsPane)


class FilterPairs(OnTab):
    """All pairs, only those at fault, only errors, in turn"""

    id, key, label, name, where, footer = "pairs.filter", "f", "faults", "Pairs: all, at fault, errors", PAIRS, True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.next_pair_filter(screen.workspace))


class NeedsPair(OnTab):
    """A command that needs a pair under the cursor."""

    where = PAIRS

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        reason = super().why_not(screen)
        return reason or ("" if _pane(screen).selected is not None else "No pair is listed here.")


class GoToMessage(NeedsPair):
    """Go to the call among the messages (to the result, where there is no call)"""

    id, key, label, name, footer = "pairs.message", "enter", "to message", "Pairs: go to the message", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).go_to_message()


class PairForm(NextForm):
    """Call and result as text, as JSON, as the raw records, in turn"""

    id, name, where = "pairs.form", "Call and result as text, JSON or raw records", PAIRS


class CopyHalf(NeedsPair):
    """Copy the call to the clipboard, or the result while it has the focus"""

    id, key, label, name = "pairs.copy", "y", "copy", "Copy the call or the result"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).copy()
