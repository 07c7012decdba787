"""The tabs by number, in one line; a click goes to one."""

from rich.text import Text
from textual.events import Click

from ...workspace.state import TABS
from ..commands.registry import BY_ID
from ..painting.palette import Palette
from .painted_line import PaintedLine


def tab_cells(active: str) -> list[tuple[str, str, str]]:
    """(tab, text, style words) of each tab in order."""
    cells = []
    for tab in TABS:
        command = BY_ID[f"tab.{tab}"]
        style = "bold background on key" if tab == active else "muted"
        cells.append((tab, f" {command.key} {command.label} ", style))
    return cells


def tab_text(active: str, palette: Palette) -> Text:
    """The whole line."""
    text = Text(no_wrap=True, end="")
    for _, words, style in tab_cells(active):
        text.append(words, palette.style(style))
        text.append(" ")
    return text


class TabLine(PaintedLine):
    """A click on a tab runs its command."""

    def on_click(self, event: Click) -> None:
        event.stop()
        at = 0
        for tab, words, _ in tab_cells(""):
            at += len(words) + 1
            if event.x < at:
                self.app.screen.run_command(f"tab.{tab}")  # type: ignore[attr-defined]
                return
