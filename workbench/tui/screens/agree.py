"""A question with a price: nothing is sent or run until the user says so."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from .closing import Over


class Agree(Over[bool]):
    """True only for y; Esc, n and everything else leave things as they are."""

    BINDINGS = [("y", "agree", "Yes"), ("n,escape,q", "leave", "No")]
    DEFAULT_CSS = """
    Agree { align: center middle; background: $background 40%; }
    Agree > Vertical { width: 80%; max-width: 90; height: auto; background: $surface; border: round $warning; padding: 1 2; }
    Agree .keys { color: $foreground-muted; margin-top: 1; }
    """

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self._question, markup=False)
            yield Static("y yes   n or Esc no", markup=False, classes="keys")

    def action_agree(self) -> None:
        self.dismiss(True)

    def action_leave(self) -> None:
        self.dismiss(False)
