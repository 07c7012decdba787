"""The keys that help now, in one line; a click runs the command."""

from rich.text import Text
from textual.events import Click

from ..commands.command import Command, key_words
from ..commands.registry import offered
from ..painting.palette import Palette
from .painted_line import PaintedLine


def footer_cells(tab: str, width: int, is_typing: bool = False) -> list[tuple[type[Command] | None, str, str]]:
    """(command, text, style words), as many as fit; palette and help are always there.

    While the user types into an editor only keys that are no text there are offered.
    """
    cells: list[tuple[type[Command] | None, str, str]] = []
    used = len(" ^p palette ")
    commands = [c for c in offered(tab) if not is_typing or c.key.startswith("ctrl+")]
    last = [c for c in commands if c.id in ("app.help", "app.quit")]
    used += sum(_width(c) for c in last)
    for command in commands:
        if command in last:
            continue
        used += _width(command)
        if used > width:
            break
        cells += _cells(command)
    cells += [(None, "^p", "bold key"), (None, " palette  ", "muted")]
    for command in last:
        cells += _cells(command)
    return cells


def _cells(command: type[Command]) -> list[tuple[type[Command] | None, str, str]]:
    return [(command, key_words(command.key).split()[0], "bold key"), (command, f" {command.label}  ", "muted")]


def _width(command: type[Command]) -> int:
    return sum(len(text) for _, text, _ in _cells(command))


def footer_text(tab: str, width: int, palette: Palette, is_typing: bool = False) -> Text:
    """The whole line."""
    text = Text(" ", no_wrap=True, end="")
    for _, words, style in footer_cells(tab, width - 1, is_typing):
        text.append(words, palette.style(style))
    return text


class FooterLine(PaintedLine):
    """A click on a key runs its command."""

    def on_click(self, event: Click) -> None:
        event.stop()
        at = 1
        screen = self.app.screen
        cells = footer_cells(screen.workspace.tab, self.size.width - 1, screen.is_typing)  # type: ignore[attr-defined]
        for command, words, _ in cells:
            at += len(words)
            if event.x < at:
                if command is None:
                    self.app.action_command_palette()
                else:
                    screen.run_command(command.id)  # type: ignore[attr-defined]
                return
