"""What the timeline shows: how full the context was at each call, and what happened between the calls."""

from dataclasses import dataclass

BOUNDARY, NOTES, SIMULATED = "boundary", "notes", "simulated"
MARK_GLYPHS = {
    SIMULATED: "▼",
    BOUNDARY: "▲",
    "microcompaction": "✂",
    "model-change": "⇄",
    NOTES: "◆",
}  # first wins where two fall together
OTHER_MARK_GLYPH = "•"


@dataclass(frozen=True, slots=True)
class Point:
    """One call: its tokens, how they are known ("exact", "estimated", …), and the line of the file it stands on."""

    tokens: int
    kind: str = "exact"
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened just before call `index`, counted from 0; the number of calls when none followed.

    after  tokens that a simulated compaction leaves; None before it is put together, and for what was recorded
    """

    index: int
    kind: str
    label: str = ""
    after: int | None = None


@dataclass(frozen=True, slots=True)
class ChartModel:
    """The calls in order, and the lines to compare them with, all in tokens; `None` where a line is not known."""

    points: tuple[Point, ...] = ()
    threshold: int | None = None
    warning: int | None = None
    window: int | None = None
    marks: tuple[Mark, ...] = ()

    @property
    def peak(self) -> int:
        """The most tokens of any call; 0 without calls."""
        return max((point.tokens for point in self.points), default=0)


def level(model: ChartModel, tokens: int) -> str:
    """The role that colours so many tokens: `level-low`, `level-warning` or, at the threshold and over it, `level-over`."""
    if model.threshold is not None and tokens >= model.threshold:
        return "level-over"
    if model.warning is not None and tokens >= model.warning:
        return "level-warning"
    return "level-low"


def scale_top(model: ChartModel) -> float:
    """The tokens at the top of the picture: the peak always fits; threshold and window do unless they would flatten it."""
    top = max(model.peak, 1)
    if model.threshold is not None and model.threshold <= 4 * top:
        top = max(top, model.threshold)
    if model.window is not None and model.window <= 1.5 * top:
        top = max(top, model.window)
    return top * 1.04


def neighbour_mark(model: ChartModel, cursor: int, step: int) -> int:
    """The call of the next (`step` 1) or previous (-1) mark from the cursor; the cursor itself when there is none.

    Notes are passed over: they would be taken so often that nobody wants to stop there.
    """
    last = len(model.points) - 1
    calls = {min(mark.index, last) for mark in model.marks if mark.kind != NOTES}
    if step > 0:
        return min((call for call in calls if call > cursor), default=cursor)
    return max((call for call in calls if call < cursor), default=cursor)
