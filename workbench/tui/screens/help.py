"""Every key, by place, from the registry; the lists' own keys below."""

from rich.text import Text
from textual.app import ComposeResult

from ..commands.command import EVERYWHERE, key_words
from ..commands.registry import COMMANDS, HEADINGS
from ..painting.palette import Palette
from ..painting.prose import wrapped
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from ..widgets.timeline import Timeline
from .closing import Over

Entry = tuple[str, str]  # keys and what they do; a heading has no keys
KEYS_WIDTH = 16


def entries() -> list[Entry]:
    """The keys of the screen of a session."""
    found: list[Entry] = []
    for place in [EVERYWHERE, *dict.fromkeys(c.where for c in COMMANDS if c.where != EVERYWHERE)]:
        found.append(("", HEADINGS.get(place, place.capitalize())))
        found += [(key_words(c.key), c.tooltip()) for c in COMMANDS if c.where == place]
    return [*found, *of_widget("Lists", LineList), *of_widget("Timeline", Timeline)]


def of_widget(title: str, widget: type[LineList] | type[Timeline]) -> list[Entry]:
    """The keys of a widget below their heading."""
    return [("", title), *((key_words(b.key), b.tooltip) for b in widget.BINDINGS)]  # type: ignore[union-attr]


def help_lines(found: list[Entry], width: int, palette: Palette) -> list[Text]:
    """Headings and keys as lines of `width` cells; what is longer goes on below its own words."""
    lines: list[Text] = []
    for keys, words in found:
        if not keys:
            lines += [*([Text("")] if lines else []), Text(words, palette.style("bold text"))]
            continue
        for row, part in enumerate(wrapped(words, max(10, width - KEYS_WIDTH - 2)).split("\n")):
            shown = f"  {'' if row else keys:<{KEYS_WIDTH}}"
            lines.append(Text.assemble((shown, palette.style("key")), (part, palette.style("text"))))
    return lines


class HelpScreen(Over[None]):
    """Closed by Esc, q or ?."""

    BINDINGS = [("escape,q,question_mark", "leave", "Close")]
    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 40%; }
    HelpScreen LineList {
        width: 90%; max-width: 110; height: 90%; background: $surface; padding: 0 1;
        border: round $primary; border-title-color: $primary;
    }
    """

    def compose(self) -> ComposeResult:
        lines = LineList()
        lines.border_title = "Keys (Esc closes)"
        yield lines

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def entries(self) -> list[Entry]:
        """What is listed."""
        return entries()

    def _show(self) -> None:
        lines = self.query_one(LineList)
        lines.set_source(FixedLines(help_lines(self.entries(), lines.scrollable_content_region.width - 1, palette_of(self.app))))
