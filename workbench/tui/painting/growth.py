"""What a context grew by, as a table: the largest share first, each with its row, its estimate and the factor between."""

from collections.abc import Sequence

from rich.segment import Segment
from rich.text import Text

from ...evidence.growth import NOT_RECORDED, Share
from ...workspace.why import Why
from .numbers import thousands
from .palette import Palette
from .text import clip, one_line, pad, visible

KIND_WORDS = {"tool_use": "call", "tool_result": "result", "redacted_thinking": "thinking"}


def shares_of(why: Why) -> tuple[Share, ...]:
    """The shares, the largest first."""
    return () if why.growth is None else tuple(sorted(why.growth.parts, key=lambda s: -abs(s.tokens)))


def title_of(why: Why) -> str:
    """What is measured, and how its parts are known."""
    if why.growth is None:
        return f"Call {why.number + 1}"
    return f"Call {why.number + 1}: {why.growth.total:+,} tokens since call {why.number}, exact"


def explanation(why: Why, palette: Palette) -> Text:
    """A sentence or two on how the parts come about, or why there are none."""
    if why.growth is None:
        return Text(visible(why.reason), palette.style("warning"))
    found = why.growth
    if found.factor is not None:
        words = f"The parts are estimates, scaled so that they add up: ×{found.factor:.2f} of bytes/4."
    elif found.unexplained:
        words = f"The parts are estimates; {found.unexplained:+,} tokens are in no row of the file. {why.factors}"
    else:
        words = f"The parts are estimates by {why.factors}."
    return Text(visible(words), palette.style("muted"))


def header(width: int, palette: Palette) -> Sequence[Segment]:
    """The names of the columns, for the same width as the lines."""
    words = f"{'tokens':>9} {'share':>5}  {'kind':<14}{'name':<{_name_width(width)}}{'line':>9}{'rough':>9}{'factor':>8}"
    return [Segment(clip(words, width), palette.style("muted"))]


def share_line(share: Share, total: int, width: int, palette: Palette) -> Sequence[Segment]:
    """One share. Its tokens are estimated, but for those that nothing recorded explains: they are what is left."""
    unexplained = share.kind == NOT_RECORDED
    cells = (
        (f"{share.tokens:>+9,} ", "warning" if unexplained else "estimated"),
        (f"{f'{round(100 * share.tokens / total)}%' if total else '':>5}  ", "muted"),
        (pad(one_line(KIND_WORDS.get(share.kind, share.kind.replace("_", " "))), 13) + " ", "warning" if unexplained else "text"),
        (pad(one_line(share.name), _name_width(width) - 1) + " ", "tool"),
        (f"{thousands(share.row_line) if share.row_line else '':>9}", "muted"),
        (f"{thousands(share.rough) if share.rough is not None else '':>9}", "muted"),
        (f"{f'×{share.factor:.2f}' if share.factor is not None else '':>8}", "muted"),
    )
    return [Segment(words, palette.style(style)) for words, style in cells]


def _name_width(width: int) -> int:
    return max(8, width - 57)
