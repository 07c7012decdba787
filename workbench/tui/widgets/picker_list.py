"""The list of the picker, whose cursor rests on what can be opened only, and the line of its keys."""

from collections.abc import Sequence
from time import time

from rich.segment import Segment
from rich.text import Text
from textual.events import Click, Resize

from ...workspace.catalogue import Catalogue, Entry
from ...workspace.listing import Heading, OpenPath, Row, rows_of
from ..commands.picker import PALETTE, keys
from ..painting.palette import Palette
from ..painting.picker import header_line, row_line
from ..painting.picker_foot import key_cells
from ..theme import palette_of
from .line_list import LineList
from .painted_line import PaintedLine


class CatalogueLines:
    """The rows of a catalogue as lines, as of a moment in seconds since the epoch."""

    def __init__(self, catalogue: Catalogue, seconds: float, palette: Palette) -> None:
        self.rows = rows_of(catalogue)
        self._catalogue = catalogue
        self._seconds = seconds
        self._palette = palette

    def __len__(self) -> int:
        return len(self.rows)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        return row_line(self.rows[index], self._catalogue, self._seconds, width, self._palette)


class PickerList(LineList):
    """Headings and notes are passed over; the cursor stays on its session when the rows around it change."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._catalogue = Catalogue()

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.source.rows if isinstance(self.source, CatalogueLines) else ()

    @property
    def chosen(self) -> Row | None:
        """The row under the cursor, where it can be opened."""
        rows = self.rows
        return rows[self.cursor] if self.cursor < len(rows) and _opens(rows[self.cursor]) else None

    @property
    def in_sight(self) -> tuple[Entry, ...]:
        """The sessions whose rows are on the screen."""
        first = round(self.scroll_y)
        return tuple(row for row in self.rows[first : first + self.page] if isinstance(row, Entry))

    def show(self, catalogue: Catalogue) -> None:
        """Other rows, or the same ones with more known of them. After another search, and in another folder, the first of them
        is chosen."""
        chosen, before = self.chosen, self._catalogue
        moved = catalogue.found is not None and before.found is not None and catalogue.found.folder != before.found.folder
        searched = moved or catalogue.words != before.words
        self._catalogue = catalogue
        self.set_source(CatalogueLines(catalogue, time(), palette_of(self.app)))
        self._show_header()
        self.cursor = 0 if searched else self._place_of(chosen)

    def _place_of(self, chosen: Row | None) -> int:
        if isinstance(chosen, Entry):
            return next((i for i, row in enumerate(self.rows) if isinstance(row, Entry) and row.path == chosen.path), 0)
        return self.rows.index(chosen) if chosen in self.rows else 0

    def _show_header(self) -> None:
        width = self.scrollable_content_region.width
        self.set_header(header_line(max(1, width), self._catalogue.order, palette_of(self.app)))

    def on_resize(self, _event: Resize) -> None:
        self._show_header()

    def validate_cursor(self, cursor: int) -> int:
        """The nearest row that can be opened, looked for in the direction of the move first."""
        wanted = super().validate_cursor(cursor)
        if not self.rows:
            return wanted
        step = 1 if wanted >= self.cursor or wanted == 0 else -1
        return self._stop(wanted, step, self._stop(wanted, -step, wanted))

    def _stop(self, start: int, step: int, default: int) -> int:
        rows = self.rows
        return next((i for i in range(start, len(rows) if step > 0 else -1, step) if _opens(rows[i])), default)

    def watch_cursor(self, old: int, new: int) -> None:
        super().watch_cursor(old, new)
        if new == self._stop(0, 1, 0):
            self.scroll_to(y=0, animate=False, force=True)  # with the heading above the first row

    def to_next_group(self) -> None:
        """The first row of the next group that has one; behind the last, the first."""
        heads = [i for i, row in enumerate(self.rows) if isinstance(row, Heading)]
        stops = sorted({self._stop(head, 1, 0) for head in heads})
        self.cursor = next((stop for stop in stops if stop > self.cursor), 0)


def _opens(row: Row) -> bool:
    return isinstance(row, Entry | OpenPath)


class PickerKeys(PaintedLine):
    """The keys of the picker; a click runs the command."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(self._text, id=id)

    def _text(self, width: int) -> Text:
        style = palette_of(self.app).style
        cells = [(words, style(role)) for _, (words, role) in key_cells(keys(), width)]
        return Text.assemble(" ", *cells, no_wrap=True, end="")

    def on_click(self, event: Click) -> None:
        event.stop()
        at = 1
        for command, (words, _) in key_cells(keys(), self.size.width):
            at += len(words)
            if event.x < at:
                if command == PALETTE:
                    self.app.action_command_palette()
                else:
                    self.screen.run_command(command)  # type: ignore[attr-defined]
                return
