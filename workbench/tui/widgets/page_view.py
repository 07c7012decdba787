"""A text view whose text is laid out for its width: columns of facts, and prose that breaks between words."""

from collections.abc import Callable

from textual.events import Resize

from ..painting.document import Document
from ..painting.text import copyable
from .text_view import TextView

Layout = Callable[[int], Document]


class PageView(TextView):
    """Shows what `lay_out(width)` gives, and asks anew when the width changes."""

    _lay_out: Layout | None = None
    _source: str | None = None
    _laid_at = 0

    def set_page(self, lay_out: Layout | None, source: str | None = None, *, keep_scroll: bool = False) -> None:
        """Show another page, or none. `source` is what a copy of the whole gives instead of the text with its line ends."""
        self._lay_out, self._source = lay_out, source
        self._lay(keep_scroll=keep_scroll)

    def _lay(self, *, keep_scroll: bool) -> None:
        self._laid_at = self.scrollable_content_region.width
        if self._laid_at or self._lay_out is None:
            self.set_document(Document() if self._lay_out is None else self._lay_out(self._laid_at), keep_scroll=keep_scroll)

    def on_resize(self, _event: Resize) -> None:
        if self._lay_out is not None and self.scrollable_content_region.width != self._laid_at:
            self._lay(keep_scroll=True)

    def action_copy(self) -> None:
        if self._source is None or self.text_selection is not None:
            super().action_copy()
        else:
            self.app.copy_to_clipboard(copyable(self._source))
