"""A one-line question over the screen; Esc leaves everything as it was."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Label

from .closing import Over


class Ask(Over[str | None]):
    """Gives the text, or None when the user left it."""

    BINDINGS = [("escape", "leave", "Leave")]
    DEFAULT_CSS = """
    Ask { align: center top; background: $background 40%; }
    Ask > Vertical { width: 80%; max-width: 100; height: auto; margin-top: 4; background: $surface; padding: 0 1; }
    Ask > Vertical { border: round $primary; }
    Ask Label { color: $foreground-muted; }
    """

    def __init__(self, question: str, value: str = "", hint: str = "") -> None:
        super().__init__()
        self._question = question
        self._value = value
        self._hint = hint

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(self._question, markup=False)
            yield Input(self._value, placeholder=self._hint)
            yield Label(self._hint, markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)
