"""The timeline: every call as a bar against the threshold, with a cursor that goes from call to call."""

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from workbench.tui.painting.chart import ChartModel, neighbour_mark
from workbench.tui.painting.chart_columns import Column, View, columns, following, zoomed
from workbench.tui.painting.chart_draw import GUTTER, Row, draw
from workbench.tui.painting.palette import Palette
from workbench.tui.theme import palette_of


class Timeline(Widget, can_focus=True):
    """A bar chart of the tokens of each call. `cursor` is the index of the selected call, 0 without calls."""

    DEFAULT_CSS = """
    Timeline { height: 10; min-height: 4; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "move(-1)", "Previous call", id="timeline.left", show=False, tooltip="Select the call before"),
        Binding("right,l", "move(1)", "Next call", id="timeline.right", show=False, tooltip="Select the call after"),
        Binding(
            "ctrl+left,left_square_bracket",
            "mark(-1)",
            "Previous mark",
            id="timeline.mark-left",
            show=False,
            tooltip="Go to the compaction, notes or other mark before",
        ),
        Binding(
            "ctrl+right,right_square_bracket",
            "mark(1)",
            "Next mark",
            id="timeline.mark-right",
            show=False,
            tooltip="Go to the next compaction, notes or other mark",
        ),
        Binding("home", "first", "First call", id="timeline.first", show=False, tooltip="Select the first call"),
        Binding("end", "last", "Last call", id="timeline.last", show=False, tooltip="Select the last call"),
        Binding("plus,equals_sign", "zoom(0.5)", "Closer", id="timeline.closer", show=False, tooltip="Show fewer calls, wider"),
        Binding("minus", "zoom(2)", "Wider", id="timeline.wider", show=False, tooltip="Show more calls"),
        Binding("0", "whole", "Whole session", id="timeline.whole", show=False, tooltip="Show every call"),
        Binding("enter", "choose", "Go there", id="timeline.choose", show=False, tooltip="Go to the selected call"),
    ]

    cursor: reactive[int] = reactive(0, init=False)

    @dataclass
    class Moved(Message):
        """The cursor came to call `index`. Only the latest matters: a newer one replaces one still waiting."""

        timeline: "Timeline"
        index: int

        @property
        def control(self) -> "Timeline":
            return self.timeline

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Timeline.Moved) and message.timeline is self.timeline

    @dataclass
    class Chosen(Message):
        """The user wants to be taken to call `index`."""

        timeline: "Timeline"
        index: int

        @property
        def control(self) -> "Timeline":
            return self.timeline

    def __init__(
        self,
        model: ChartModel | None = None,
        *,
        empty: str = "no API call in this session",
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._model = ChartModel() if model is None else model
        self._empty = empty
        self._view = View(0, len(self._model.points))
        self._laid: tuple[Column, ...] = ()
        self._laid_for: tuple[View, int] | None = None
        self._rows: tuple[Row, ...] = ()
        self._rows_for: tuple[View, int, int, int, Palette] | None = None

    @property
    def model(self) -> ChartModel:
        """What is drawn now."""
        return self._model

    @property
    def view(self) -> View:
        """The calls in sight."""
        return self._view

    def set_model(self, model: ChartModel) -> None:
        """Draw another session or another reading of it. Zoom and cursor stay as long as the number of calls does."""
        if len(model.points) != len(self._model.points):
            self._view = View(0, len(model.points))
        self._model = model
        self._laid_for = self._rows_for = None
        self.cursor = self.validate_cursor(self.cursor)
        self.refresh()

    def set_empty(self, message: str) -> None:
        """What to say while there are no calls."""
        self._empty = message
        self._rows_for = None
        self.refresh()

    # --- moving ---------------------------------------------------------------------------------------------------

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self._model.points) - 1))

    def watch_cursor(self, _old: int, new: int) -> None:
        self._view = following(self._view, len(self._model.points), new)
        self.refresh()
        if self._model.points:
            self.post_message(self.Moved(self, new))

    def action_move(self, calls: int) -> None:
        self.cursor += calls

    def action_mark(self, step: int) -> None:
        self.cursor = neighbour_mark(self._model, self.cursor, step)

    def action_first(self) -> None:
        self.cursor = 0

    def action_last(self) -> None:
        self.cursor = len(self._model.points) - 1

    def action_zoom(self, factor: float) -> None:
        self._view = zoomed(self._view, len(self._model.points), self.cursor, factor)
        self.refresh()

    def action_whole(self) -> None:
        self._view = View(0, len(self._model.points))
        self.refresh()

    def action_choose(self) -> None:
        if self._model.points:
            self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: Click) -> None:
        place = event.get_content_offset(self)
        if place is None:
            return
        laid = self._columns(self.size.width)
        x = place.x - GUTTER
        if 0 <= x < len(laid):
            event.stop()
            self.cursor = laid[x].peak
            if event.chain == 2:
                self.action_choose()

    # --- painting -------------------------------------------------------------------------------------------------

    def _columns(self, width: int) -> tuple[Column, ...]:
        asked = (self._view, width)
        if self._laid_for != asked:
            self._laid = columns(self._model, self._view, max(1, width - GUTTER)) if self._model.points else ()
            self._laid_for = asked
        return self._laid

    def _picture(self) -> tuple[Row, ...]:
        width, height = self.size
        palette = palette_of(self.app)
        asked = (self._view, self.cursor, width, height, palette)
        if self._rows_for != asked:
            laid = self._columns(width)
            self._rows = draw(self._model, laid, self._view, self.cursor, width, height, palette, self._empty)
            self._rows_for = asked
        return self._rows

    def render_line(self, y: int) -> Strip:
        rows = self._picture()
        if y >= len(rows):
            return Strip.blank(self.size.width, self.rich_style)
        return Strip(rows[y], self.size.width).apply_style(self.rich_style)
