"""A text of many lines to edit over the screen: the summary before the array is put together."""

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import TextArea

from ...conversation.text import rough, utf8_length
from ..painting.numbers import thousands
from ..painting.steps import line_of
from ..painting.text import copyable
from ..theme import palette_of
from ..widgets.painted_line import PaintedLine
from ..widgets.prose_area import ProseArea
from .closing import Over


class EditText(Over[str | None]):
    """Gives the text, or None when the user left it; with changes, Esc has to be pressed twice."""

    BINDINGS = [("ctrl+s", "save", "Take it"), ("escape", "leave", "Leave")]
    DEFAULT_CSS = """
    EditText { align: center middle; background: $background 40%; }
    EditText > Vertical { width: 94%; height: 94%; background: $surface; border: round $primary; border-title-color: $primary; }
    EditText TextArea { border: none; height: 1fr; background: $surface; }
    EditText TextArea:focus { border: none; }
    """

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._before = copyable(text)  # what a terminal would obey is shown as a sign, and stays one
        self._warned = False

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = self._title
        with box:
            yield ProseArea(self._before)
            yield PaintedLine(self._foot)

    @property
    def area(self) -> TextArea:
        return self.query_one(TextArea)

    def on_mount(self) -> None:
        self.area.focus()

    def on_text_area_changed(self, _event: TextArea.Changed) -> None:
        self._warned = False
        self.query_one(PaintedLine).repaint()

    def _foot(self, width: int) -> Text:
        tokens, before = (rough(utf8_length(text)) for text in (self.area.text, self._before))
        cells = [(f" {thousands(tokens)} tokens", "text"), (" rough", "estimated")]
        if tokens != before:
            cells.append((f"  {tokens - before:+,}", "warning"))
        cells += [("   ^s", "bold key"), (" take it  ", "muted"), ("Esc", "bold key")]
        cells.append((" again to drop the changes", "warning") if self._warned else (" leave", "muted"))
        return line_of(cells, width, palette_of(self.app))

    def action_save(self) -> None:
        self.dismiss(self.area.text if self.area.text != self._before else None)

    def action_leave(self) -> None:
        if self.area.text != self._before and not self._warned:
            self._warned = True
            self.query_one(PaintedLine).repaint()
            return
        self.dismiss(None)
