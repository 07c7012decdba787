"""The Messages tab: one array, or before and after a compaction, and the selected message whole."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus
from textual.worker import get_current_worker

from ...workspace import moves
from ...workspace.figures import STOPPED, Figures, chosen, figured, not_counted, tokens_at
from ...workspace.filtering import largest_first, shown, tool_names
from ...workspace.state import MESSAGES, Workspace
from ...workspace.view import Column, Columns, Item
from ..commands.registry import bindings
from ..painting.columns_line import column_title, detail_title
from ..painting.items import header_line, item_line
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from ..widgets.painted_line import PaintedLine
from .pane import Pane

if TYPE_CHECKING:
    from ...transcript.session import Session
    from ..measuring import Measuring
    from ..painting.document import Document
    from ..screens.session import SessionScreen
    from ..widgets.text_view import TextView


Figure = Callable[[int, Item], tuple[int, bool]]  # index and item to tokens, and whether they stand in for others


class ItemLines:
    """The items of a column that the filter lets through, as lines; `figure` gives each its tokens, by default the rough ones."""

    def __init__(self, column: Column, indices: tuple[int, ...], palette: Palette, figure: Figure | None = None) -> None:
        self.column = column
        self.indices = indices
        in_order = all(a < b for a, b in pairwise(indices))
        self._ranks = None if in_order else {item: rank for rank, item in enumerate(indices)}
        self._names = tool_names(column.items)
        self._palette = palette
        self._figure = figure

    def __len__(self) -> int:
        return len(self.indices)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        at = self.indices[index]
        tokens, stands_in = (None, False) if self._figure is None else self._figure(at, self.column.items[at])
        item = self.column.items[at]
        item = item if self._ranks is None else replace(item, first=True)  # away from its message each block needs the number
        return item_line(item, width, self._names, self._palette, tokens, stands_in)

    def item(self, index: int) -> Item:
        return self.column.items[self.indices[index]]

    def row_of(self, item: int) -> int:
        """The line of an item, or of the nearest one before it."""
        if self._ranks is not None:
            return self._ranks.get(item, 0)
        return max(0, bisect_right(self.indices, item) - 1)


class MessagesPane(Pane):
    """Two lists side by side (the right one only around a compaction) above the selected message."""

    first = "#list-0"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(MESSAGES)]

    def __init__(self, screen: "SessionScreen") -> None:
        super().__init__(screen, MESSAGES)
        self._shown: tuple[object, ...] = ()
        self._detail: tuple[object, ...] = ()
        self._measured: tuple[object, ...] = ()
        self._figures: tuple[object, ...] = ()
        self._measuring: Measuring | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="columns"):
            for side in (0, 1):
                with Vertical(id=f"column-{side}", classes="column"):
                    yield PaintedLine(partial(self._title, side), id=f"title-{side}", classes="title")
                    yield LineList(id=f"list-{side}", empty="reading the file…")
        with Vertical(id="detail-box"):
            yield PaintedLine(self._detail_title, id="detail-title", classes="title")

    async def complete(self) -> None:
        """The view of the selected message, mounted once the first rows stand."""
        from ..widgets.text_view import TextView

        for side in (0, 1):
            self.watch(self.list_of(side), "scroll_y", self._look, init=False)
        await self.query_one("#detail-box").mount(TextView(id="detail", empty="no message is selected"))

    def list_of(self, side: int) -> LineList:
        return self.query_one(f"#list-{side}", LineList)

    @property
    def detail(self) -> "TextView":
        return self.query_one("#detail")  # type: ignore[return-value]

    # showing

    def show(self, workspace: Workspace) -> None:
        """Draws its slice of the workspace; what did not change is left alone."""
        key = (
            workspace.columns,
            workspace.filter,
            workspace.by_size,
            workspace.problem_of_view,
            workspace.problem,
            self.app.theme,
        )
        if key != self._shown:
            self._shown = key
            self._show_lists(workspace)
        self._show_cursors(workspace)
        self._show_detail(workspace)
        self._show_figures(workspace)
        self._look()
        self.repaint_lines()

    def _show_lists(self, workspace: Workspace) -> None:
        columns, palette = workspace.columns, palette_of(self.app)
        self.set_class(columns is not None and columns.right is not None, "-two")
        for side in (0, 1):
            column = None if columns is None else (columns.left, columns.right)[side]
            target = self.list_of(side)
            target.set_empty(_empty_words(workspace))
            if column is None:
                if workspace.opened is not None or workspace.problem:
                    target.set_header(None)
                    target.set_source(FixedLines())
                continue
            indices = shown(column.items, workspace.filter, tool_names(column.items))
            if workspace.by_size:
                indices = largest_first(column.items, indices)
            target.set_source(ItemLines(column, indices, palette, partial(self._figure, side)))
        self.call_after_refresh(self._show_headers)

    def _figure(self, side: int, index: int, item: Item) -> tuple[int, bool]:
        workspace = self._screen.workspace
        tokens, by = tokens_at(workspace, side, index, item)
        return tokens, by != workspace.estimator

    def _show_figures(self, workspace: Workspace) -> None:
        """Has what is shown counted, and paints the figures that have come."""
        wanted = (workspace.columns, workspace.uncounted)
        if wanted != self._measured and workspace.opened is not None and workspace.columns is not None:
            self._measured = wanted
            self.measure(workspace.opened.session, workspace.columns, not workspace.uncounted)
        found = (workspace.estimator, chosen(workspace))
        if found != self._figures:
            self._figures = found
            self._show_headers()
            for side in (0, 1):
                self.list_of(side).refresh()

    def _show_cursors(self, workspace: Workspace) -> None:
        for side in (0, 1):
            target = self.list_of(side)
            if isinstance(target.source, ItemLines):
                row = target.source.row_of(workspace.cursors[side])
                if target.cursor != row and len(target.source):
                    with self.prevent(LineList.Highlighted):
                        target.cursor = row

    def _show_detail(self, workspace: Workspace) -> None:
        item = moves.selected_item(workspace)
        key = (item, workspace.form)
        if key == self._detail or workspace.opened is None:
            return
        self._detail = key
        self.detail.set_document(_document(workspace, item))

    def show_rows(self, source: "ItemLines | object") -> None:
        """Lines of the file while it is still being read."""
        self.list_of(0).set_source(source)  # type: ignore[arg-type]

    def _title(self, side: int, width: int) -> Text:
        return column_title(self._screen.workspace, side, width, palette_of(self.app))

    def _detail_title(self, width: int) -> Text:
        return detail_title(self._screen.workspace, width, palette_of(self.app))

    # listening

    def on_show(self) -> None:
        self.list_of(self._screen.workspace.side).focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_headers)

    def _show_headers(self) -> None:
        for target in self.query(LineList):  # none when it comes late, while the screen is being closed
            if isinstance(target.source, ItemLines):
                width = max(20, target.size.width)
                target.set_header(header_line(width, palette_of(self.app), self._screen.workspace.estimator))

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._move(event.line_list)

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        self._move(event.line_list)
        for detail in self.query("#detail"):  # it comes after the first rows
            detail.focus()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        if isinstance(event.widget, LineList) and self._screen.workspace.columns is not None:
            self._move(event.widget)

    def _move(self, target: LineList) -> None:
        source = target.source
        if isinstance(source, ItemLines) and len(source) and self._screen.workspace.columns is not None:
            side = int(target.id == "list-1")
            self._screen.commit(moves.to_item(self._screen.workspace, side, source.indices[target.cursor]))

    # jobs

    @property
    def measuring(self) -> "Measuring":
        """Whoever counts; made when the first array is shown, long after the first rows."""
        if self._measuring is None:
            from .. import measuring

            self._measuring = measuring.Measuring(measuring.open_counter())
        return self._measuring

    @work(thread=True, group="count", exclusive=True, description="counting tokens")
    def measure(self, session: "Session", columns: Columns, counts: bool) -> None:
        """Counts the tokens of what is shown, what is in sight first; tells how far it is. Esc stops it."""
        worker = get_current_worker()
        failure = self.measuring.run(
            session,
            columns,
            counts,
            lambda figures: self.app.call_from_thread(self._measured_some, figures),
            lambda: worker.is_cancelled,
        )
        if failure and not worker.is_cancelled:
            self.app.call_from_thread(self._not_counted, failure)

    def _measured_some(self, figures: Figures) -> None:
        self._screen.commit(figured(self._screen.workspace, figures))
        for sentence in self.measuring.notices():
            self._screen.notify(sentence, severity="warning", markup=False)

    def _not_counted(self, why: str) -> None:
        self._measured = (self._screen.workspace.columns, why)
        self._screen.commit(not_counted(self._screen.workspace, why))
        self._screen.notify(f"{why} Tokens stay rough: bytes/4.", severity="warning", markup=False)

    def stop_counting(self) -> None:
        """Ends the count of what is shown, where one is going on."""
        self.workers.cancel_group(self, "count")
        self._measured = (self._screen.workspace.columns, STOPPED)
        self._screen.commit(not_counted(self._screen.workspace, STOPPED))

    def _look(self) -> None:
        """Tells whoever counts what is in sight."""
        if self._measuring is not None:
            self._measuring.in_sight = (self._in_sight(0), self._in_sight(1))

    def _in_sight(self, side: int) -> tuple[int, ...]:
        target = self.list_of(side)
        first = round(target.scroll_y)
        return target.source.indices[first : first + target.page] if isinstance(target.source, ItemLines) else ()

    def on_unmount(self) -> None:
        if self._measuring is not None:
            self._measuring.close()

    # commands

    def focus_side(self, side: int) -> None:
        self.list_of(side).focus()

    def ask_filter(self) -> None:
        from ..screens.ask import Ask

        def answered(text: str | None) -> None:
            if text is not None:
                self._screen.set_filter(text)

        words = "words to find · role:user · tool:Read · size:2000"
        self.app.push_screen(Ask("Filter the messages", self._screen.filter_text, words), answered)

    def copy(self) -> None:
        self.detail.action_copy()


def _empty_words(workspace: Workspace) -> str:
    if workspace.problem or workspace.problem_of_view:
        return workspace.problem or workspace.problem_of_view
    if workspace.opened is None:
        return "reading the file…"
    if workspace.columns is None:
        return "assembling the array…"
    if workspace.filter.is_on:
        return f"no message with {workspace.filter.words}; Esc clears the filter"
    return "no message: this array is empty"


def _document(workspace: Workspace, item: Item | None) -> "Document":
    from ..painting.detail import block_document
    from ..painting.document import Document

    if item is None or workspace.opened is None:
        return Document()
    session, row = workspace.opened.session, item.row
    block, raw = item.block, None
    if row is not None and row.place >= 0:
        raw = session.raw(row.place)
        if block.body is None:
            whole = session.row(row.place).blocks
            block = next((b for b in whole if b.slim() == block), block)
    return block_document(block, workspace.form, raw)
