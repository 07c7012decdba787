"""A text over the screen that takes a while to find: read in a worker, and left at any time."""

from collections.abc import Callable
from functools import partial

from textual import work
from textual.worker import get_current_worker

from ...errors import WorkbenchError
from ..painting.document import Document
from ..widgets.page_view import Layout, PageView
from .read_text import Form, ReadText


class FoundText(ReadText):
    """The same keys as any text over the screen; `find` runs in a thread and gives the page, `waiting` is said meanwhile."""

    def __init__(self, title: str, waiting: str, find: Callable[[], Layout]) -> None:
        super().__init__(title, (Form("text", partial(_words, waiting, "muted")),))
        self._find = find

    def on_mount(self) -> None:
        super().on_mount()
        self.read()

    @work(thread=True, group="found-text", description="finding the text")
    def read(self) -> None:
        """Finds it; what goes wrong is said in its place."""
        worker = get_current_worker()
        try:
            page = self._find()
        except WorkbenchError as error:
            page = partial(_words, str(error), "error")
        if not worker.is_cancelled:
            self.app.call_from_thread(self._found, page)

    def _found(self, page: Layout) -> None:
        if self.is_attached:
            self._forms = (Form("text", page),)
            self._show()
            self.query_one(PageView).scroll_home(animate=False)


def _words(words: str, style: str, _width: int) -> Document:
    return Document.of(words, style)
