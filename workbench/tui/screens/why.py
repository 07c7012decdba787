"""Why the context grew: the difference to the call before, put down to the rows between, over the screen."""

from collections.abc import Callable, Sequence

from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Label
from textual.worker import get_current_worker

from ...evidence.growth import Share
from ...workspace.why import Why
from ..painting.growth import explanation, header, share_line, shares_of, title_of
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import LineList
from .closing import Over


class ShareLines:
    """The shares as lines."""

    def __init__(self, why: Why, palette: Palette) -> None:
        self.shares: tuple[Share, ...] = shares_of(why)
        self._total = 0 if why.growth is None else why.growth.total
        self._palette = palette

    def __len__(self) -> int:
        return len(self.shares)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        return share_line(self.shares[index], self._total, width, self._palette)


class WhyScreen(Over[int | None]):
    """Gives the line of the row that the user wants to see; None when it was only looked at."""

    BINDINGS = [("escape,q,w", "leave", "Close")]
    DEFAULT_CSS = """
    WhyScreen { align: center middle; background: $background 40%; }
    WhyScreen > Vertical {
        width: 90%; max-width: 100; height: 12; max-height: 80%; background: $surface; border: round $primary;
        border-title-color: $primary; border-subtitle-color: $foreground-muted; padding: 0 1;
    }
    WhyScreen Label { width: 100%; }
    """

    def __init__(self, find: Callable[[], Why]) -> None:
        super().__init__()
        self._find = find
        self._why: Why | None = None

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = "Why it grew"
            yield Label(markup=False)
            yield LineList(empty="reading the rows between the two calls…")

    def on_mount(self) -> None:
        self.query_one(LineList).focus()
        self.read()

    @work(thread=True, group="growth", description="putting the growth down to rows")
    def read(self) -> None:
        """Reads the rows between the two calls."""
        worker = get_current_worker()
        why = self._find()
        if not worker.is_cancelled:
            self.app.call_from_thread(self._show, why)

    def _show(self, why: Why) -> None:
        self._why = why
        palette = palette_of(self.app)
        lines = self.query_one(LineList)
        lines.set_empty("" if why.growth is None else "no row was added between the two calls")
        self.on_resize()
        lines.set_source(ShareLines(why, palette))
        box = self.query_one(Vertical)
        box.border_title = title_of(why)
        box.styles.height = 6 if why.growth is None else max(12, len(shares_of(why)) + 5)
        box.border_subtitle = "Esc closes" if why.growth is None else "Enter goes to the message · Esc closes"
        self.query_one(Label).update(explanation(why, palette))

    def on_resize(self) -> None:
        lines = self.query_one(LineList)
        if self._why is not None and self._why.growth is not None:
            lines.set_header(header(lines.scrollable_content_region.width, palette_of(self.app)))

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        source = event.line_list.source
        line = source.shares[event.index].row_line if isinstance(source, ShareLines) else None
        if line is None:
            self.notify("No row of the file holds this share.", timeout=4)
        else:
            self.dismiss(line)
