"""A list drawn by line: a million rows cost what twenty do, because only the rows in sight are ever asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from workbench.tui.painting.text import clip, harmless, visible

Line = Text | Sequence[Segment]


class LineSource(Protocol):
    """Where the rows come from. `line` is called while painting: it must be quick and change nothing."""

    def __len__(self) -> int: ...

    def line(self, index: int, width: int, /) -> Line:
        """Row `index` (from 0) for `width` cells, already safe to show; what is longer is cut, what is shorter filled."""


class FixedLines:
    """A source whose lines are at hand already, for the few rows of a small table."""

    def __init__(self, lines: Sequence[Line] = ()) -> None:
        self._lines = tuple(lines)

    def __len__(self) -> int:
        return len(self._lines)

    def line(self, index: int, _width: int, /) -> Line:
        return self._lines[index]


class LineList(ScrollView, can_focus=True):
    """One row of the source a line, a cursor, and a header line that stays when the rows scroll.

    `cursor` is the index of the highlighted row; it is 0 while there are no rows. `Highlighted` tells of every change of
    it, by whomever. Read `cursor` when handling it, for it may have moved on; an owner that hands in another source
    knows the row under the cursor and is told nothing unless the cursor had to move.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"line-list--header", "line-list--cursor", "line-list--empty"}
    DEFAULT_CSS = """
    LineList {
        height: 1fr;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        & > .line-list--header { text-style: bold; color: $foreground; }
        & > .line-list--cursor { background: $panel; }
        & > .line-list--empty { color: $foreground-muted; }
        &:focus > .line-list--cursor { background: $primary-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", id="list.up", show=False, tooltip="Highlight the row above"),
        Binding("down,j", "move(1)", "Down", id="list.down", show=False, tooltip="Highlight the row below"),
        Binding("pageup", "page(-1)", "Page up", id="list.page-up", show=False, tooltip="Go up by a screenful"),
        Binding("pagedown", "page(1)", "Page down", id="list.page-down", show=False, tooltip="Go down by a screenful"),
        Binding("ctrl+u", "page(-0.5)", "Half up", id="list.half-up", show=False, tooltip="Go up by half a screenful"),
        Binding("ctrl+d", "page(0.5)", "Half down", id="list.half-down", show=False, tooltip="Go down by half a screenful"),
        Binding("home,g", "first", "First", id="list.first", show=False, tooltip="Highlight the first row"),
        Binding("end,G", "last", "Last", id="list.last", show=False, tooltip="Highlight the last row"),
        Binding("enter", "select", "Open", id="list.select", show=False, tooltip="Open the highlighted row"),
    ]

    cursor: reactive[int] = reactive(0, init=False)

    @dataclass
    class Highlighted(Message):
        """The cursor came to row `index`. Only the latest matters: a newer one replaces one still waiting."""

        line_list: "LineList"
        index: int

        @property
        def control(self) -> "LineList":
            return self.line_list

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, LineList.Highlighted) and message.line_list is self.line_list

    @dataclass
    class Selected(Message):
        """The user opened row `index` with Enter or a double click."""

        line_list: "LineList"
        index: int

        @property
        def control(self) -> "LineList":
            return self.line_list

    def __init__(
        self,
        source: LineSource | None = None,
        *,
        header: Line | None = None,
        empty: str = "nothing here",
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._source: LineSource = FixedLines() if source is None else source
        self._header = header
        self._empty = empty

    @property
    def source(self) -> LineSource:
        """The rows shown now."""
        return self._source

    def set_source(self, source: LineSource, keep_cursor: bool = True) -> None:
        """Show other rows. The cursor stays at its index as far as there is one, or goes back to the first row."""
        self._source = source
        self._measure()
        self.cursor = self.cursor if keep_cursor else 0
        self._reveal(self.cursor)
        self.refresh()

    def set_header(self, header: Line | None) -> None:
        """Show another header line, or none."""
        self._header = header
        self._measure()
        self._reveal(self.cursor)
        self.refresh()

    def set_empty(self, message: str) -> None:
        """What to say while there are no rows: best, why there are none and what to press."""
        self._empty = message
        self.refresh()

    @property
    def page(self) -> int:
        """How many rows fit below the header."""
        return max(1, self.scrollable_content_region.height - self._top)

    @property
    def _top(self) -> int:
        return 0 if self._header is None else 1

    def _measure(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._source) + self._top)

    def on_resize(self, _event: Resize) -> None:
        self._measure()
        self._reveal(self.cursor)

    def on_mount(self) -> None:
        self._measure()

    def watch_show_vertical_scrollbar(self, is_shown: bool) -> None:
        if is_shown:  # it comes with the layout, and was told of no scrolling before
            self.vertical_scrollbar.position = self.scroll_y

    # --- moving ---------------------------------------------------------------------------------------------------

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self._source) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        self._refresh_row(old)
        self._refresh_row(new)
        self._reveal(new)
        if len(self._source):
            self.post_message(self.Highlighted(self, new))

    def _refresh_row(self, index: int) -> None:
        self.refresh_line(index + self._top)

    def _reveal(self, index: int) -> None:
        """Scrolls so that the row is in sight, and no further than the last row needs."""
        first = round(self.scroll_y)
        target = min(first, max(0, len(self._source) - self.page))
        if not target <= index < target + self.page:
            target = index if index < target else index - self.page + 1
        if target != first:
            self.scroll_to(y=target, animate=False, force=True)

    def action_move(self, rows: int) -> None:
        self.cursor += rows

    def action_page(self, pages: float) -> None:
        rows = max(1, int(self.page * abs(pages)))
        self.cursor += rows if pages > 0 else -rows

    def action_first(self) -> None:
        self.cursor = 0

    def action_last(self) -> None:
        self.cursor = len(self._source) - 1

    def action_select(self) -> None:
        if len(self._source):
            self.post_message(self.Selected(self, self.cursor))

    def on_click(self, event: Click) -> None:
        place = event.get_content_offset(self)
        if place is None or place.y < self._top:
            return
        index = place.y - self._top + round(self.scroll_y)
        if index >= len(self._source):
            return
        event.stop()
        self.cursor = index
        if event.chain == 2:
            self.action_select()

    # --- painting -------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        ground = self.rich_style
        if self._header is not None and y == 0:
            return self._strip(self._header, width, ground + self.get_component_rich_style("line-list--header", partial=True))
        if not len(self._source):
            return self._empty_strip(y - self._top, width, ground)
        index = y - self._top + round(self.scroll_y)
        if index >= len(self._source):
            return Strip.blank(width, ground)
        strip = self._strip(self._source.line(index, width), width, ground)
        if index != self.cursor:
            return strip
        cursor = self.get_component_rich_style("line-list--cursor", partial=True)
        return Strip(Segment.apply_style(strip, post_style=cursor), width)

    def _strip(self, line: Line, width: int, ground: Style) -> Strip:
        segments = self._rendered(line) if isinstance(line, Text) else line
        return Strip(Segment.apply_style(harmless(segments), ground)).adjust_cell_length(width, ground)

    def _rendered(self, line: Text) -> Iterable[Segment]:
        console = self.app.console
        return Segment.apply_style(line.render(console), console.get_style(line.style))  # else lost in a text without spans

    def _empty_strip(self, row: int, width: int, ground: Style) -> Strip:
        if row != (self.page - 1) // 2:
            return Strip.blank(width, ground)
        style = self.get_component_rich_style("line-list--empty")
        return Strip([Segment(clip(visible(self._empty), width).center(width), style)]).adjust_cell_length(width, ground)

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self._refresh_row(self.cursor)
