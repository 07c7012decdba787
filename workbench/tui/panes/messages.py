"""The Messages tab: one array, or before and after a compaction, and the selected message whole."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus

from ...workspace import moves
from ...workspace.filtering import shown, tool_names
from ...workspace.state import MESSAGES, Workspace
from ...workspace.view import Column, Item
from ..commands.registry import bindings
from ..painting.columns_line import column_title, detail_title
from ..painting.items import header_line, item_line
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import LineList
from ..widgets.painted_line import PaintedLine

if TYPE_CHECKING:
    from ..painting.document import Document
    from ..screens.session import SessionScreen
    from ..widgets.text_view import TextView


class ItemLines:
    """The items of a column that the filter lets through, as lines."""

    def __init__(self, column: Column, indices: tuple[int, ...], palette: Palette) -> None:
        self.column = column
        self.indices = indices
        self._names = tool_names(column.items)
        self._palette = palette

    def __len__(self) -> int:
        return len(self.indices)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        return item_line(self.column.items[self.indices[index]], width, self._names, self._palette)

    def item(self, index: int) -> Item:
        return self.column.items[self.indices[index]]

    def row_of(self, item: int) -> int:
        """The line of an item, or of the nearest one before it."""
        return max(0, bisect_right(self.indices, item) - 1)


class MessagesPane(Vertical):
    """Two lists side by side (the right one only around a compaction) above the selected message."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(MESSAGES)]

    def __init__(self, screen: "SessionScreen") -> None:
        super().__init__(id="pane-messages")
        self._screen = screen
        self._shown: tuple[object, ...] = ()
        self._detail: tuple[object, ...] = ()

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

        await self.query_one("#detail-box").mount(TextView(id="detail", empty="no message is selected"))

    def list_of(self, side: int) -> LineList:
        return self.query_one(f"#list-{side}", LineList)

    @property
    def detail(self) -> "TextView":
        return self.query_one("#detail")  # type: ignore[return-value]

    # showing

    def show(self, workspace: Workspace) -> None:
        """Draws its slice of the workspace; what did not change is left alone."""
        key = (workspace.columns, workspace.filter, workspace.problem_of_view, workspace.problem, self.app.theme)
        if key != self._shown:
            self._shown = key
            self._show_lists(workspace)
        self._show_cursors(workspace)
        self._show_detail(workspace)
        for line in self.query(PaintedLine):
            line.repaint()

    def _show_lists(self, workspace: Workspace) -> None:
        columns, palette = workspace.columns, palette_of(self.app)
        self.set_class(columns is not None and columns.right is not None, "-two")
        for side in (0, 1):
            column = None if columns is None else (columns.left, columns.right)[side]
            target = self.list_of(side)
            target.set_empty(_empty_words(workspace))
            if column is None:
                if workspace.opened is not None:
                    target.set_source(ItemLines(Column("", (), 0, 0), (), palette))
                continue
            target.set_source(ItemLines(column, shown(column.items, workspace.filter, tool_names(column.items)), palette))
        self.call_after_refresh(self._show_headers)

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

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_headers)

    def _show_headers(self) -> None:
        for side in (0, 1):
            target = self.list_of(side)
            if isinstance(target.source, ItemLines):
                target.set_header(header_line(max(20, target.size.width), palette_of(self.app)))

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._move(event.line_list)

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        self._move(event.line_list)
        self.detail.focus()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        if isinstance(event.widget, LineList) and self._screen.workspace.columns is not None:
            self._move(event.widget)

    def _move(self, target: LineList) -> None:
        source = target.source
        if isinstance(source, ItemLines) and len(source) and self._screen.workspace.columns is not None:
            side = int(target.id == "list-1")
            self._screen.commit(moves.to_item(self._screen.workspace, side, source.indices[target.cursor]))

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
