"""Which calls each column of the timeline stands for, at any width and zoom."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

from workbench.tui.painting.chart import BOUNDARY, SIMULATED, ChartModel, Mark

WIDEST_BAR = 8
FEWEST_CALLS = 8  # no closer look than this


@dataclass(frozen=True, slots=True)
class View:
    """The calls in sight: `count` of them from `first` on."""

    first: int
    count: int

    @property
    def last(self) -> int:
        """The index after the last call in sight."""
        return self.first + self.count


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the calls `first` up to, not including, `last`; none of its own when it is a boundary's line.

    `peak` is the call with the most tokens among them (for a boundary's line the call nearest to it), `tokens` are those of
    that call. `boundary` says that a compaction is drawn here; `gap` that the column separates two wide bars.
    """

    first: int
    last: int
    peak: int
    tokens: int
    boundary: bool = False
    gap: bool = False


def columns(model: ChartModel, view: View, width: int) -> tuple[Column, ...]:
    """At most `width` columns for the calls in sight.

    Each boundary has a column of its own while there is room for the calls between them; in a narrower picture its line is
    drawn through the column of the call that follows it. No peak is lost: a column is as tall as its tallest call.
    """
    bounds = [mark.index for mark in boundaries(model, view)]
    cuts = [view.first, *bounds, view.last]
    sizes = [after - before for before, after in pairwise(cuts)]
    room = width - len(bounds)
    if room < sum(size > 0 for size in sizes):
        return _crowded(model, view, width, frozenset(bounds))
    out: list[Column] = []
    for at, (first, size, share) in enumerate(zip(cuts, sizes, _shares(sizes, room), strict=False)):
        if at:
            nearest = min(first, len(model.points) - 1)
            out.append(Column(first, first, nearest, 0, boundary=True))
        out += _bars(model, first, size, share)
    return tuple(out)


def boundaries(model: ChartModel, view: View) -> tuple[Mark, ...]:
    """The boundaries in sight, in order; one at the edge of the view belongs to it."""
    seen = (mark for mark in model.marks if mark.kind == BOUNDARY and view.first <= mark.index <= view.last)
    return tuple(sorted(seen, key=lambda mark: mark.index))


def column_of(laid: tuple[Column, ...], call: int) -> int:
    """The middle one of the columns that show a call; -1 when it is out of sight."""
    found = columns_of(laid, call)
    return found[(len(found) - 1) // 2] if found else -1


def columns_of(laid: tuple[Column, ...], call: int) -> range:
    """All columns that show a call, without the gap beside a wide bar."""
    begin = bisect_right(laid, call, key=lambda column: column.last)
    end = begin
    while end < len(laid) and laid[end].first <= call < laid[end].last and not laid[end].gap:
        end += 1
    return range(begin, end)


def mark_column(laid: tuple[Column, ...], mark: Mark) -> int:
    """The column under which a mark stands; -1 when it is out of sight."""
    if mark.kind in (BOUNDARY, SIMULATED):
        begin = bisect_left(laid, mark.index, key=lambda column: column.last)
        for x in range(begin, len(laid)):
            if laid[x].first == laid[x].last == mark.index:
                return x
            if laid[x].last > mark.index:
                break
    at_end = bool(laid) and mark.index == laid[-1].last
    return column_of(laid, mark.index - 1 if at_end else mark.index)


def _crowded(model: ChartModel, view: View, width: int, bounds: frozenset[int]) -> tuple[Column, ...]:
    bars = _bars(model, view.first, view.count, width)
    after_last = view.last in bounds
    return tuple(
        replace(bar, boundary=any(call in bounds for call in range(bar.first, bar.last)) or (after_last and bar is bars[-1]))
        for bar in bars
    )


def _bars(model: ChartModel, first: int, size: int, width: int) -> list[Column]:
    bars = []
    for x in range(width):
        begin = first + x * size // width
        end = max(begin + 1, first + (x + 1) * size // width)
        peak = max(range(begin, end), key=lambda call: model.points[call].tokens)
        following = first + (x + 1) * size // width
        gap = width >= 4 * size and following > begin and x + 1 < width
        bars.append(Column(begin, end, peak, model.points[peak].tokens, gap=gap))
    return bars


def _shares(sizes: list[int], room: int) -> list[int]:
    """Columns for each run of calls: in proportion, one at least for a run with calls, all together at most `room`."""
    total = sum(sizes)
    if not total:
        return [0 for _ in sizes]
    room = min(room, total * WIDEST_BAR)
    fair = [size * room / total for size in sizes]
    shares = [max(int(share), 1) if size else 0 for size, share in zip(sizes, fair, strict=True)]
    while (missing := room - sum(shares)) != 0:
        step = 1 if missing > 0 else -1
        movable = [i for i, share in enumerate(shares) if sizes[i] and share + step >= 1]
        chosen = max(movable, key=lambda i: (fair[i] - shares[i]) * step)
        shares[chosen] += step
    return shares


def zoomed(view: View, total: int, cursor: int, factor: float) -> View:
    """More (`factor` over 1) or fewer calls in sight, with the cursor at the same place of the picture."""
    count = max(min(FEWEST_CALLS, total), min(total, round(view.count * factor)))
    share = (cursor - view.first) / max(1, view.count)
    return _within(round(cursor - share * count), count, total)


def following(view: View, total: int, cursor: int) -> View:
    """The view moved as little as it takes to have the cursor in sight, with a call beside it."""
    count = min(view.count, total)
    margin = 1 if count > 2 else 0
    first = min(view.first, cursor - margin)
    first = max(first, cursor + margin + 1 - count)
    return _within(first, count, total)


def _within(first: int, count: int, total: int) -> View:
    return View(max(0, min(first, total - count)), count)
