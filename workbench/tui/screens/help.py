"""Every key, by place, from the registry; the lists' own keys below."""

from rich.text import Text
from textual.app import ComposeResult
from textual.screen import ModalScreen

from ..commands.command import EVERYWHERE, key_words
from ..commands.registry import COMMANDS, HEADINGS
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from ..widgets.timeline import Timeline


def help_lines(palette: Palette) -> list[Text]:
    """Headings and a line a key."""
    lines: list[Text] = []
    places = [EVERYWHERE, *dict.fromkeys(c.where for c in COMMANDS if c.where != EVERYWHERE)]
    for place in places:
        lines += [Text(HEADINGS.get(place, place.capitalize()), palette.style("bold text"))]
        lines += [_line(key_words(c.key), c.tooltip(), palette) for c in COMMANDS if c.where == place]
        lines.append(Text(""))
    for title, widget in (("Lists", LineList), ("Timeline", Timeline)):
        lines.append(Text(title, palette.style("bold text")))
        lines += [_line(key_words(b.key), b.tooltip, palette) for b in widget.BINDINGS]  # type: ignore[union-attr]
        lines.append(Text(""))
    return lines


def _line(keys: str, words: str, palette: Palette) -> Text:
    return Text.assemble((f"  {keys:<16}", palette.style("key")), (words, palette.style("text")))


class HelpScreen(ModalScreen[None]):
    """Closed by Esc, q or ?."""

    BINDINGS = [("escape,q,question_mark", "app.pop_screen", "Close")]
    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 40%; }
    HelpScreen LineList { width: 90%; max-width: 110; height: 90%; background: $surface; border: round $primary; border-title-color: $primary; padding: 0 1; }
    """

    def compose(self) -> ComposeResult:
        lines = LineList(FixedLines(help_lines(palette_of(self.app))))
        lines.border_title = "Keys (Esc closes)"
        yield lines
