"""One line painted by a function of its width: header, explanation, tabs and footer."""

from collections.abc import Callable

from rich.text import Text
from textual.strip import Strip
from textual.widget import Widget

from ..painting.text import harmless


class PaintedLine(Widget):
    """Shows what `paint(width)` gives; `repaint` asks anew."""

    DEFAULT_CSS = "PaintedLine { height: 1; }"

    def __init__(self, paint: Callable[[int], Text], *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._paint = paint

    def repaint(self) -> None:
        """What it shows may have changed."""
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y or not width:
            return Strip.blank(width, self.rich_style)
        text = self._paint(width)
        strip = Strip(harmless(text.render(self.app.console)))
        return strip.apply_style(self.rich_style).adjust_cell_length(width, self.rich_style)
