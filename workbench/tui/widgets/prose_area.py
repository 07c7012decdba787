"""An editor for long prose: wrapped, and repainting with a key only the lines that the key can have changed."""

from textual.cache import LRUCache
from textual.strip import Strip
from textual.widgets import TextArea

from ..painting.text import in_place

REMEMBERED = 2_048  # painted rows


class ProseArea(TextArea):
    """Textual's editor paints every visible row anew with every move of the cursor, and joins the whole text for each.

    Here a row is remembered by its words: it looks the same as long as neither cursor nor selection touches its line.
    What would turn the direction of a line or hide a part of it stays in the text and is not painted.
    """

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(text, soft_wrap=True, show_line_numbers=False, tab_behavior="focus", id=id)
        self.match_cursor_bracket = False
        self._painted: LRUCache[tuple[object, ...], Strip] = LRUCache(REMEMBERED)

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        places = self.wrapped_document._offset_to_line_info
        at = self.scroll_offset.y + y
        if at >= len(places):
            return super()._render_line(y)
        line, section = places[at]
        if self._is_touched(line):
            return self._safe(y)
        wrapped = tuple(self.wrapped_document.get_offsets(line))  # behind a new width for a moment
        key = (self.document.get_line(line), section, wrapped, self.size.width, self.has_focus, self.app.theme)
        row = self._painted.get(key)
        if row is None:
            row = self._painted[key] = self._safe(y)
        return row

    def _safe(self, y: int) -> Strip:
        row = super()._render_line(y)
        return row if row.text.isprintable() else Strip(in_place(row), row.cell_length)

    def _is_touched(self, line: int) -> bool:
        first, last = sorted((self.selection.start[0], self.selection.end[0]))
        return first <= line <= last
