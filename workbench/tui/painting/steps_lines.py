"""Before and after a stage on one line, or a line of what differs."""

from collections.abc import Sequence

from rich.segment import Segment

from ...conversation.wording import counted
from ...workspace.steps_arrays import Gap, Line
from ...workspace.view import Item
from .items import header_line, item_line
from .palette import Palette

LEAST_HALF = 34  # cells below which the two sides cannot stand beside one another


def stands_beside(width: int, is_same: bool) -> bool:
    """Whether both sides are drawn; identical ones are drawn once."""
    return not is_same and (width - 1) // 2 >= LEAST_HALF


def array_line(
    line: Line | Gap, width: int, beside: bool, names: dict[str, str], palette: Palette, is_same: bool = False
) -> Sequence[Segment]:
    """One line of the list for `width` cells."""
    if isinstance(line, Gap):
        words = f"  ⋯ {counted(line.messages, 'message')} as before"
        return [Segment(words.ljust(width)[:width], palette.style("muted"))]
    if is_same and line.after is not None:
        return item_line(line.after, width, names, palette)
    if not beside:
        return item_line(line.item, width, names, palette) if line.item is not None else []
    half = (width - 1) // 2
    left = _half(line.before, half, names, palette)
    right = _half(line.after, width - 1 - half, names, palette)
    return [*left, Segment("│", palette.style("muted")), *right]


def _half(item: Item | None, width: int, names: dict[str, str], palette: Palette) -> list[Segment]:
    return [Segment(" " * width)] if item is None else _exactly(item_line(item, width, names, palette), width)


def array_header(width: int, beside: bool, palette: Palette) -> Sequence[Segment]:
    """The names of the columns, on both sides where both are drawn."""
    if not beside:
        return header_line(width, palette)
    half = (width - 1) // 2
    left = _exactly(header_line(half, palette), half)
    return [*left, Segment("│", palette.style("muted")), *header_line(width - 1 - half, palette)]


def _exactly(segments: Sequence[Segment], width: int) -> list[Segment]:
    return list(Segment.adjust_line_length(list(segments), width))
