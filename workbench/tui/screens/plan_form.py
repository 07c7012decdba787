"""The plan of a simulated compaction as a form: every field with its value, default and source, checked as it is typed."""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from ...errors import WorkbenchError
from ...workspace.opened import Opened
from ...workspace.steps_form import Field, fields_of
from ...workspace.steps_plan import Wish
from ...workspace.steps_reading import with_default, with_value
from ..painting.palette import Palette
from ..painting.plan_form import about_line, field_header, field_line, heading_line, keys_line
from ..theme import palette_of
from ..widgets.line_list import FixedLines, LineList
from ..widgets.painted_line import PaintedLine
from .closing import Over

Row = Field | str


class FieldLines:
    """Fields with a heading over each group."""

    def __init__(self, fields: Sequence[Field], palette: Palette) -> None:
        self.rows: list[Row] = []
        for at, field in enumerate(fields):
            if not at or field.group != fields[at - 1].group:
                self.rows.append(field.group)
            self.rows.append(field)
        self._palette = palette

    def __len__(self) -> int:
        return len(self.rows)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        row = self.rows[index]
        if isinstance(row, str):
            return heading_line(row, width, self._palette)
        return field_line(row, width, self._palette)


class FieldList(LineList):
    """The cursor rests on fields only."""

    def action_move(self, rows: int) -> None:
        source = self.source
        at = self.cursor + rows
        if isinstance(source, FieldLines):
            step = 1 if rows > 0 else -1
            while 0 <= at < len(source) and isinstance(source.rows[at], str):
                at += step
        if 0 <= at < len(self.source):
            self.cursor = at


class PlanForm(Over[Wish | None]):
    """Gives the changed wish, or None when the user left it. `offered` is what a pivot is when none is named yet."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave"),
        Binding("ctrl+s", "apply", "Apply"),
        Binding("left", "choose(-1)", "Choice before", show=False),
        Binding("right,space", "choose(1)", "Next choice", show=False),
        Binding("delete,backspace", "default", "Default", show=False),
    ]
    DEFAULT_CSS = """
    PlanForm { align: center middle; background: $background 40%; }
    PlanForm > Vertical {
        width: 94%; max-width: 150; height: 94%; background: $surface; border: round $primary; border-title-color: $primary;
    }
    PlanForm Input { display: none; border: none; height: 1; padding: 0 1; background: $panel; }
    PlanForm.-typing Input { display: block; }
    PlanForm .title { background: $panel; }
    """

    def __init__(self, wish: Wish, opened: Opened, call: int = 0, offered: str = "") -> None:
        super().__init__()
        self._first = self._wish = wish
        self._opened = opened
        self._call = call
        self._offered = offered
        self._problem = ""

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = "Plan of the compaction"
        with box:
            yield FieldList(FixedLines())
            yield PaintedLine(self._about, classes="title")
            yield Input()
            yield PaintedLine(self._keys)

    @property
    def fields(self) -> FieldList:
        return self.query_one(FieldList)

    @property
    def typed(self) -> Input:
        return self.query_one(Input)

    def on_mount(self) -> None:
        self._show()
        self.fields.focus()
        self.call_after_refresh(self._to_first)

    def _to_first(self) -> None:
        """To the variant: what is changed most."""
        self.fields.cursor = 2
        self.fields.scroll_to(y=0, animate=False, force=True)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        palette = palette_of(self.app)
        self.fields.set_header(field_header(max(40, self.fields.size.width), palette))
        self.fields.set_source(FieldLines(fields_of(self._wish, self._opened, self._call), palette))
        self._repaint()

    def _repaint(self) -> None:
        for line in self.query(PaintedLine):
            line.repaint()

    @property
    def field(self) -> Field | None:
        """The field under the cursor."""
        source = self.fields.source
        row = source.rows[self.fields.cursor] if isinstance(source, FieldLines) and len(source) else None
        return row if isinstance(row, Field) else None

    def _about(self, width: int) -> Text:
        return about_line(self.field, self._problem, width, palette_of(self.app))

    def _keys(self, width: int) -> Text:
        is_typing = self.has_class("-typing")
        return keys_line(self.field, is_typing, self._wish != self._first, width, palette_of(self.app))

    # changing

    def _take(self, name: str, text: str) -> bool:
        try:
            self._wish = with_value(self._wish, name, text, self._opened)
        except WorkbenchError as error:
            self._problem = str(error)
            self._repaint()
            return False
        self._problem = ""
        self._show()
        return True

    def action_choose(self, step: int) -> None:
        field = self.field
        if field is not None and field.choices and not self.has_class("-typing"):
            self._take(field.name, field.neighbour(step))

    def action_default(self) -> None:
        field = self.field
        if field is not None and not self.has_class("-typing"):
            self._wish = with_default(self._wish, field, self._opened)
            self._problem = ""
            self._show()

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._problem = ""
        self._repaint()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        field = self.field
        if field is None:
            return
        if field.choices and not field.free:
            self.action_choose(1)
            return
        self._type(field)

    def _type(self, field: Field) -> None:
        offered = self._offered if field.name == "pivot" and not field.value else field.value
        self.add_class("-typing")
        self.typed.value = "" if field.value == "none" else offered
        self.typed.placeholder = field.about
        self.typed.focus()
        self._repaint()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        field = self.field
        if field is not None and self._take(field.name, event.value):
            self._stop_typing()

    def _stop_typing(self) -> None:
        self.remove_class("-typing")
        self.fields.focus()
        self._repaint()

    # leaving

    def action_apply(self) -> None:
        field = self.field
        if self.has_class("-typing") and field is not None and not self._take(field.name, self.typed.value):
            return
        self.dismiss(self._wish)

    def action_leave(self) -> None:
        if self.has_class("-typing"):
            self._problem = ""
            self._stop_typing()
        else:
            self.dismiss(None)
