"""Every key of the picker."""

from rich.text import Text
from textual.app import ComposeResult

from ..commands.command import key_words
from ..commands.picker import COMMANDS
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from .help import HelpScreen


def help_lines(palette: Palette) -> list[Text]:
    """A line a key: those of the picker, then those of lists."""
    keys = [(key_words(c.key), c.tooltip()) for c in COMMANDS]
    moving = [(key_words(b.key), b.tooltip) for b in LineList.BINDINGS]  # type: ignore[union-attr]
    return [_heading("Picker", palette), *_lines(keys, palette), Text(""), _heading("Lists", palette), *_lines(moving, palette)]


def _heading(title: str, palette: Palette) -> Text:
    return Text(title, palette.style("bold text"))


def _lines(keys: list[tuple[str, str]], palette: Palette) -> list[Text]:
    return [Text.assemble((f"  {key:<16}", palette.style("key")), (words, palette.style("text"))) for key, words in keys]


class PickerHelp(HelpScreen):
    """Closed as the other help is."""

    def compose(self) -> ComposeResult:
        lines = LineList(FixedLines(help_lines(palette_of(self.app))))
        lines.border_title = "Keys (Esc closes)"
        yield lines
