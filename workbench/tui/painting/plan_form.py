"""The lines of the plan form: a field with value, default and source in columns, and what is to be known of it."""

from collections.abc import Sequence

from rich.segment import Segment
from rich.text import Text

from ...workspace.steps_form import Field
from .palette import Palette
from .steps import line_of
from .text import clip, one_line, pad

NAME = 24
LEAST_SOURCE = 14


def _widths(width: int) -> tuple[int, int, int]:
    """Cells of value, default and source."""
    room = width - NAME - 3
    source = max(LEAST_SOURCE, room // 4)
    value = (room - source) * 3 // 5
    return value, room - source - value, source


def field_header(width: int, palette: Palette) -> Sequence[Segment]:
    """The names of the columns."""
    value, default, source = _widths(width)
    words = f"   {pad('', NAME)}{pad('value', value)}{pad('default', default)}{pad('source', source)}"
    return [Segment(clip(words, width), palette.style("muted"))]


def heading_line(group: str, width: int, palette: Palette) -> Sequence[Segment]:
    """The title of a group."""
    return [Segment(clip(f" {group}", width), palette.style("bold key"))]


def field_line(field: Field, width: int, palette: Palette) -> Sequence[Segment]:
    """One field; what was changed here is marked."""
    value, default, source = _widths(width)
    style = "bold warning" if field.is_changed else "bold text" if field.value != field.default else "text"
    chosen = f"‹ {field.value} ›" if field.choices else field.value or "–"
    cells = (
        (" ● " if field.is_changed else "   ", "warning"),
        (pad(one_line(field.name), NAME), "text"),
        (pad(clip(one_line(chosen), value - 1), value), style),
        (pad(clip(one_line(field.default or "–"), default - 1), default), "muted"),
        (pad(one_line(field.source), source), "key" if field.source != "default" else "muted"),
    )
    return [Segment(text, palette.style(words)) for text, words in cells]


def about_line(field: Field | None, problem: str, width: int, palette: Palette) -> Text:
    """What a field is for, or why what was typed does not count."""
    if problem:
        return line_of([(f" {problem}", "error")], width, palette)
    return line_of([(f" {field.name}  ", "bold text"), (field.about, "muted")] if field is not None else [], width, palette)


def keys_line(field: Field | None, is_typing: bool, has_changed: bool, width: int, palette: Palette) -> Text:
    """The keys that help now."""
    if is_typing:
        keys = [("Enter", "take it"), ("Esc", "leave the field")]
    else:
        keys = [("Enter", "change")] if field is None or field.free or not field.choices else [("Enter", "next choice")]
        keys += [("← →", "choose")] if field is not None and field.choices else []
        keys += [("Del", "default")] if field is not None and field.is_changed else []
        keys += [("^s", "apply and compute"), ("Esc", "leave all as it was" if has_changed else "close")]
    cells = [cell for key, words in keys for cell in ((f" {key}", "bold key"), (f" {words} ", "muted"))]
    return line_of(cells, width, palette)
