"""A long text over the screen, in one or more forms: a request as it goes out, the state at a point."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical

from ..painting.steps import line_of
from ..theme import palette_of
from ..widgets.page_view import Layout, PageView
from ..widgets.painted_line import PaintedLine
from .closing import Over


@dataclass(frozen=True, slots=True)
class Form:
    """One way to show it: a word for it, and the text laid out for a width."""

    name: str
    lay_out: Layout


class ReadText(Over[None]):
    """Esc, q or Enter closes it; f shows the next form, y copies."""

    BINDINGS = [("escape,q,enter", "leave", "Close"), ("f", "form", "Next form"), ("y", "copy", "Copy")]
    DEFAULT_CSS = """
    ReadText { align: center middle; background: $background 40%; }
    ReadText > Vertical { width: 94%; height: 94%; background: $surface; border: round $primary; border-title-color: $primary; }
    ReadText PageView { padding: 0 1; }
    """

    def __init__(self, title: str, forms: Sequence[Form]) -> None:
        super().__init__()
        self._title = title
        self._forms = tuple(forms)
        self._form = 0

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = self._title
        with box:
            yield PageView(empty="nothing to show")
            yield PaintedLine(self._foot)

    def on_mount(self) -> None:
        self.query_one(PageView).focus()
        self._show()

    def _show(self) -> None:
        self.query_one(PageView).set_page(self._forms[self._form].lay_out)
        self.query_one(PaintedLine).repaint()

    def _foot(self, width: int) -> Text:
        cells = [(" Esc", "bold key"), (" close  ", "muted"), ("y", "bold key"), (" copy  ", "muted")]
        if len(self._forms) > 1:
            following = self._forms[(self._form + 1) % len(self._forms)]
            cells += [("f", "bold key"), (f" {following.name}", "muted")]
        return line_of(cells, width, palette_of(self.app))

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_form(self) -> None:
        self._form = (self._form + 1) % len(self._forms)
        self._show()

    def action_copy(self) -> None:
        self.query_one(PageView).action_copy()
