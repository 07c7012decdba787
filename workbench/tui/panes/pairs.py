"""The Pairs tab: calls and results of the array one looks at, and both halves of the selected pair side by side."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical

from ...workspace import moves
from ...workspace.pairs_view import CutHere, PairLine, PairsView, cut_before, pairs_view, shown_pairs, whole
from ...workspace.state import PAIRS, Workspace
from ...workspace.view import Column, Item
from ..commands.registry import bindings
from ..painting.detail import block_document
from ..painting.document import Document
from ..painting.pairs import (
    NO_CALL,
    NO_RESULT,
    counts_title,
    cut_title,
    empty_words,
    half_title,
    missing_half,
    pair_header,
    pair_line,
)
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from ..widgets.page_view import Layout, PageView
from ..widgets.painted_line import PaintedLine
from .pane import Pane

if TYPE_CHECKING:
    from ..screens.session import SessionScreen

HALVES = ("call", "result")


class PairLines:
    """The pairs that the filter lets through, as lines."""

    def __init__(self, view: PairsView, indices: tuple[int, ...], palette: Palette) -> None:
        self.view = view
        self.indices = indices
        self._palette = palette

    def __len__(self) -> int:
        return len(self.indices)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        return pair_line(self.view.lines[self.indices[index]], self.view.items, width, self._palette)

    def row_of(self, line: int) -> int:
        """The row of a pair, or of the nearest one before it."""
        return max(0, sum(i <= line for i in self.indices) - 1)


class PairsPane(Pane):
    """A list of pairs above the call and its result; one line between them says what a cut there would part."""

    first = "#pairs-list"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PAIRS)]
    DEFAULT_CSS = """
    PairsPane {
        height: 1fr;
        #pairs-list { height: 3fr; min-height: 4; }
        #pairs-halves { height: 2fr; min-height: 4; }
        #pairs-halves Vertical { width: 1fr; }
        #pairs-halves PageView { padding: 0 1; }
        #pairs-result { border-left: solid $panel; }
    }
    """

    def __init__(self, screen: "SessionScreen") -> None:
        super().__init__(screen, PAIRS)
        self._column: Column | None = None
        self._view: PairsView | None = None
        self._listed: tuple[object, ...] = ()
        self._detail: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        yield PaintedLine(self._title, classes="title")
        yield LineList(id="pairs-list", empty="assembling the array…")
        yield PaintedLine(self._cut_title, classes="title")
        with Horizontal(id="pairs-halves"):
            for half in HALVES:
                with Vertical(id=f"pairs-{half}"):
                    yield PaintedLine(partial(self._half_title, half), classes="title")
                    yield PageView(id=f"pairs-{half}-text", empty="")

    @property
    def list(self) -> LineList:
        return self.query_one("#pairs-list", LineList)

    def text_of(self, half: str) -> PageView:
        return self.query_one(f"#pairs-{half}-text", PageView)

    # showing

    def show(self, workspace: Workspace) -> None:
        """Draws its slice of the workspace; what did not change is left alone."""
        column = workspace.columns.left if workspace.columns is not None else None
        if column is not self._column:
            self._column = column
            self._view = pairs_view(column) if column is not None else None
        self._show_list(workspace)
        self._show_halves(workspace)
        self.repaint_lines()

    def _show_list(self, workspace: Workspace) -> None:
        key = (self._view, workspace.pair_filter, workspace.problem_of_view, self.app.theme)
        if key != self._listed:
            self._listed = key
            if self._view is None:
                self.list.set_source(FixedLines())
                self.list.set_empty(workspace.problem or workspace.problem_of_view or "assembling the array…")
                return
            self.list.set_empty(empty_words(self._view, workspace.pair_filter))
            self._show_header()
            found = shown_pairs(self._view, workspace.pair_filter)
            self.list.set_source(PairLines(self._view, found, palette_of(self.app)))
        source = self.list.source
        if isinstance(source, PairLines) and len(source) and self.list.cursor != (row := source.row_of(workspace.pair)):
            with self.prevent(LineList.Highlighted):
                self.list.cursor = row

    def _show_halves(self, workspace: Workspace) -> None:
        line = self.selected
        key = (self._view, line, workspace.form)
        if key == self._detail:
            return
        self._detail = key
        call, result = self._item("call"), self._item("result")
        status = "" if line is None else line.status
        self.text_of("call").set_page(_layout(_document(workspace, call, None), NO_CALL.get(status, "")))
        self.text_of("result").set_page(_layout(_document(workspace, result, call), NO_RESULT.get(status, "")))

    def _show_header(self) -> None:
        if self._view is not None:
            self.list.set_header(pair_header(max(40, self.list.size.width), palette_of(self.app)))

    def _title(self, width: int) -> Text:
        if self._view is None or self._column is None:
            return Text("")
        return counts_title(self._view, self._column.title, self._screen.workspace.pair_filter, width, palette_of(self.app))

    def _cut_title(self, width: int) -> Text:
        return cut_title(self._view, self.cut, width, palette_of(self.app)) if self._view is not None else Text("")

    def _half_title(self, half: str, width: int) -> Text:
        return half_title(half, self._item(half), width, palette_of(self.app))

    # what is selected

    @property
    def selected(self) -> PairLine | None:
        """The pair under the cursor."""
        source = self.list.source
        if not isinstance(source, PairLines) or not len(source):
            return None
        return source.view.lines[source.indices[min(self.list.cursor, len(source) - 1)]]

    @property
    def cut(self) -> CutHere | None:
        """A cut right before the pair under the cursor."""
        line = self.selected
        return cut_before(self._view, line) if self._view is not None and line is not None else None

    def _item(self, half: str) -> Item | None:
        line = self.selected
        index = None if line is None else line.call if half == "call" else line.result
        return self._view.items[index] if self._view is not None and index is not None else None

    # listening

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_header)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        source = event.line_list.source
        if isinstance(source, PairLines) and len(source):
            self._screen.commit(moves.to_pair(self._screen.workspace, source.indices[event.line_list.cursor]))

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        self._screen.run_command("pairs.message")

    # commands

    def go_to_message(self) -> None:
        """To the Messages tab, with the call selected; with the result, where there is no call."""
        line = self.selected
        index = None if line is None else line.call if line.call is not None else line.result
        if index is not None:
            self._screen.commit(moves.to_message(self._screen.workspace, index))
            self._screen.messages.list_of(0).focus()

    def copy(self) -> None:
        focused = self.screen.focused
        (focused if focused is self.text_of("result") else self.text_of("call")).action_copy()


def _layout(document: Document | None, words: str) -> Layout:
    """A half as it is, whatever the width; else the sentence that says why it is missing."""
    return partial(missing_half, words) if document is None else lambda _width: document


def _document(workspace: Workspace, item: Item | None, call: Item | None) -> Document | None:
    if item is None or workspace.opened is None:
        return None
    block, raw = whole(workspace.opened, item)
    asked = whole(workspace.opened, call)[0] if call is not None else None
    return block_document(block, workspace.form, raw, asked)
