"""A reader for text of any length: only the rows in sight are cut out of it and painted."""

from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from workbench.tui.painting.document import Document, Shown, shown
from workbench.tui.painting.matches import Matches, find
from workbench.tui.painting.rows import Rows
from workbench.tui.painting.text import clip, copyable, visible
from workbench.tui.theme import palette_of

MATCH = "match-ink on match"
CURRENT_MATCH = "bold background on key"


class TextView(ScrollView, can_focus=True):
    """Shows a `Document`, wrapped at its own width, with scrolling, search and copying.

    The text is wrapped up to what is in sight at once and the rest while nothing else is to be done, so the scroll bar of
    a text of megabytes settles a moment after the text is there.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"text-view--empty"}
    DEFAULT_CSS = """
    TextView {
        height: 1fr;
        overflow-x: hidden;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        & > .text-view--empty { color: $foreground-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "rows(-1)", "Up", id="text.up", show=False, tooltip="Scroll up by a row"),
        Binding("down,j", "rows(1)", "Down", id="text.down", show=False, tooltip="Scroll down by a row"),
        Binding("pageup", "pages(-1)", "Page up", id="text.page-up", show=False, tooltip="Go up by a screenful"),
        Binding("pagedown,space", "pages(1)", "Page down", id="text.page-down", show=False, tooltip="Go down by a screenful"),
        Binding("ctrl+u", "pages(-0.5)", "Half up", id="text.half-up", show=False, tooltip="Go up by half a screenful"),
        Binding("ctrl+d", "pages(0.5)", "Half down", id="text.half-down", show=False, tooltip="Go down by half a screenful"),
        Binding("home,g", "top", "Beginning", id="text.first", show=False, tooltip="Go to the beginning of the text"),
        Binding("end,G", "bottom", "End", id="text.last", show=False, tooltip="Go to the end of the text"),
    ]

    def __init__(
        self,
        document: Document | None = None,
        *,
        empty: str = "nothing to read here",
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._document = Document() if document is None else document
        self._shown: Shown = shown(self._document)
        self._rows = Rows(self._shown.text, 1)
        self._matches = Matches()
        self._empty = empty

    @property
    def document(self) -> Document:
        """What is shown now."""
        return self._document

    def set_document(self, document: Document | str, *, keep_scroll: bool = False) -> None:
        """Show another text from its beginning, or from the same offset for another reading of the same text."""
        self._document = Document.of(document) if isinstance(document, str) else document
        top = self._top_offset() if keep_scroll else 0
        self._shown = shown(self._document)
        self._matches = Matches()
        self._wrap(top)

    def set_empty(self, message: str) -> None:
        """What to say while the document has no text."""
        self._empty = message
        self.refresh()

    def show_paragraph(self, number: int) -> None:
        """Scroll so that a paragraph, counted from 0, begins at the top."""
        if 0 <= number < len(self._shown.paragraphs):
            self._scroll_to_offset(self._shown.paragraphs[number])

    # --- wrapping -------------------------------------------------------------------------------------------------

    def on_resize(self, _event: Resize) -> None:
        self._wrap(self._top_offset())

    def _top_offset(self) -> int:
        top = round(self.scroll_y)
        return self._rows.row(top)[0] if top < len(self._rows) else 0

    def _wrap(self, top: int) -> None:
        """Wrap anew at the present width, at least as far as it takes to have the text from offset `top` on in sight."""
        width = self.scrollable_content_region.width
        self._rows = Rows(self._shown.text, width)
        if not width:
            return
        self._rows.more()
        self._scroll_to_offset(top)
        self.refresh()
        self.call_later(self._wrap_on, self._rows)

    def _wrap_on(self, rows: Rows) -> None:
        """One chunk in an idle moment; none for a text or a width of which nobody thinks any more."""
        if rows is self._rows and not rows.complete:
            rows.more()
            self._measure()
            self.call_later(self._wrap_on, rows)

    def _measure(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._rows))

    def _scroll_to_offset(self, offset: int, above: int = 0) -> None:
        self._rows.reach(offset + self.size.width * self.size.height * 2)
        self._measure()
        self._go(self._rows.at(offset) - above)

    def _go(self, row: float) -> None:
        self.scroll_to(y=max(0, row), animate=False, force=True)

    # --- moving ---------------------------------------------------------------------------------------------------

    def action_rows(self, rows: int) -> None:
        self._go(self.scroll_y + rows)

    def action_pages(self, pages: float) -> None:
        self._go(self.scroll_y + pages * self.size.height)

    def action_top(self) -> None:
        self._go(0)

    def action_bottom(self) -> None:
        self._scroll_to_offset(len(self._shown.text))

    # --- searching ------------------------------------------------------------------------------------------------

    @property
    def matches(self) -> Matches:
        """What the last search found."""
        return self._matches

    def find(self, needle: str) -> int:
        """Highlight every place of a needle, go to the first from here on, and say how many there are; "" ends the search.

        Case counts only when the needle holds a capital letter. The needle is looked for in the text as it is shown.
        """
        self._matches = find(self._shown.text, visible(needle)).near(self._top_offset())
        self._show_match()
        return len(self._matches.starts)

    def next_match(self, step: int = 1) -> int:
        """Go to the next match, or the previous one (-1), round the ends. Returns its number from 1, or 0 without matches."""
        self._matches = self._matches.moved(step)
        self._show_match()
        return self._matches.current + 1 if self._matches.starts else 0

    def _show_match(self) -> None:
        if self._matches.starts:
            offset = self._matches.starts[self._matches.current]
            self._rows.reach(offset)
            top = round(self.scroll_y)
            if not top <= self._rows.at(offset) < top + self.size.height:
                self._scroll_to_offset(offset, above=self.size.height // 3)
        self.refresh()

    # --- copying --------------------------------------------------------------------------------------------------

    def action_copy(self) -> None:
        """Copy the selected text, or all of it when none is selected."""
        selection = self.text_selection
        text = self.get_selection(selection)[0] if selection is not None else self._document.text
        self.app.copy_to_clipboard(copyable(text))

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        begin = 0 if selection.start is None else self._offset_of(selection.start.y, selection.start.x)
        end = len(self._shown.text) if selection.end is None else self._offset_of(selection.end.y, selection.end.x)
        return self._shown.text[begin:end], "\n"

    def _offset_of(self, row: int, x: int) -> int:
        if row >= len(self._rows):
            return len(self._shown.text)
        begin, end = self._rows.row(row)
        return min(begin + x, end)

    def selection_updated(self, _selection: Selection | None) -> None:
        self.refresh()

    # --- painting -------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        if not self._shown.text:
            return self._empty_strip(y, width)
        number = y + round(self.scroll_y)
        if number >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        line = self._line(number)
        strip = Strip(line.render(self.app.console), cell_len(line.plain))
        return strip.adjust_cell_length(width, self.rich_style).apply_offsets(0, number)

    def _line(self, number: int) -> Text:
        begin, end = self._rows.row(number)
        palette = palette_of(self.app)
        line = Text(self._shown.text[begin:end], end="", no_wrap=True)
        line.stylize(self.rich_style)  # not as the base style, which rich forgets for a text without spans
        for start, stop, words in self._shown.runs(begin, end):
            line.stylize(palette.style(words), start, stop)
        for start, stop, current in self._matches.within(begin, end):
            line.stylize(palette.style(CURRENT_MATCH if current else MATCH), start, stop)
        selected = self.text_selection.get_span(number) if self.text_selection is not None else None
        if selected is not None:
            line.stylize(self._selection_style(), selected[0], len(line) if selected[1] == -1 else selected[1])
        return line

    def _selection_style(self) -> Style:
        return self.screen.get_component_rich_style("screen--selection")

    def _empty_strip(self, y: int, width: int) -> Strip:
        if y != (self.size.height - 1) // 2:
            return Strip.blank(width, self.rich_style)
        style = self.get_component_rich_style("text-view--empty")
        return Strip([Segment(clip(self._empty, width).center(width), style)]).adjust_cell_length(width, self.rich_style)
