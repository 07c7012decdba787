"""Why it fires, or not, over the screen: read in a worker, since the array of the point has to be looked at."""

from collections.abc import Callable
from functools import partial

from textual import work
from textual.worker import get_current_worker

from ...compaction.settings import Settings
from ...errors import WorkbenchError
from ...workspace.explaining import Explained
from ..painting.document import Document
from ..painting.explain import explain_document
from ..widgets.page_view import PageView
from .read_text import Form, ReadText


class ExplainScreen(ReadText):
    """The same keys as any text over the screen."""

    def __init__(self, find: Callable[[], Explained], settings: Settings) -> None:
        super().__init__("Why it fires, or not", (Form("text", lambda _: Document.of("asking the guards…", "muted")),))
        self._find = find
        self._settings = settings

    def on_mount(self) -> None:
        super().on_mount()
        self.read()

    @work(thread=True, group="explain", description="asking the guards")
    def read(self) -> None:
        """Draws the ground and asks."""
        worker = get_current_worker()
        try:
            found = self._find()
        except WorkbenchError as error:
            words = str(error)
            page = partial(_problem, words)
        else:
            page = partial(explain_document, found, self._settings)
        if not worker.is_cancelled:
            self.app.call_from_thread(self._found, Form("text", page))

    def _found(self, form: Form) -> None:
        if self.is_attached:
            self._forms = (form,)
            self._show()
            self.query_one(PageView).scroll_home(animate=False)


def _problem(words: str, _width: int) -> Document:
    return Document.of(words, "error")
