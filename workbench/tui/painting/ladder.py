"""The threshold as a picture: from the window down to the warning, to scale, with the context held against it."""

from collections.abc import Sequence

from ...compaction.ground import Ground
from ...compaction.settings import Settings
from ...compaction.threshold import Rung, ladder
from .numbers import thousands
from .sheet import Cell, Sheet

LEAST_BAR, MOST_BAR = 24, 60  # cells
NAME_WIDTH = 18
NUMBERS = 12  # cells of a number with its sign
SOURCE = 60  # cells that a source is given beside its bar; where there is less than half of it, the bar takes all

STYLES = {"window": "text", "threshold": "threshold", "warning": "level-warning", "manual limit": "muted"}


def threshold_ladder(sheet: Sheet, ground: Ground, settings: Settings) -> None:
    """Draws every rung; what is taken off a level hangs at the end of its bar."""
    rungs = ladder(ground.window, ground.threshold, settings)
    top = max(ground.window.tokens, ground.tokens.tokens or 0)
    room = sheet.width - NAME_WIDTH - NUMBERS - 3
    beside = room >= LEAST_BAR + SOURCE // 2
    bar = max(LEAST_BAR // 2, min(MOST_BAR, max(LEAST_BAR, room - SOURCE) if beside else room))
    sheet.heading("threshold", ("from the window down to where it fires", "muted"))
    _context(sheet, ground, top, bar)
    level = ground.window.tokens
    for rung in rungs:
        _rung(sheet, rung, level, top, bar)
        level = level if rung.is_step else rung.tokens
    for sentence in (*ground.window.overruled, *((ground.threshold.why + ".",) if ground.threshold.auto is None else ())):
        sheet.text(sentence, "warning", indent=2)


def _rung(sheet: Sheet, rung: Rung, level: int, top: int, bar: int) -> None:
    tokens = f"− {rung.tokens:,}" if rung.is_step else f"{rung.tokens:,}"
    if rung.is_step:
        start = round((level - rung.tokens) / top * bar)
        end = round(level / top * bar)
        drawn = [(" " * start, ""), ("╌" * max(1, end - start), "muted"), (" " * (bar - max(start + 1, end)), "")]
    else:
        drawn = [(filled(rung.tokens, top, bar), STYLES.get(rung.name, "key"))]
    style = "muted" if rung.is_step else "bold threshold" if rung.name == "threshold" else "text"
    head = [(f"  {rung.name:<{NAME_WIDTH - 2}}", "muted"), (f"{tokens:>{NUMBERS - 2}}  ", style), *drawn, ("  ", "")]
    words = f"{rung.there} · {rung.source}" if rung.there else rung.source
    _beside(sheet, head, words)


def _context(sheet: Sheet, ground: Ground, top: int, bar: int) -> None:
    tokens, auto = ground.tokens.tokens, ground.threshold.auto
    if tokens is None:
        sheet.line(("  context         ", "muted"), ("   unknown", "unknown"))
        return
    reached = auto is not None and tokens >= auto
    style = "level-over" if reached else "level-low"
    kind = ground.tokens.kind
    head = [(f"  {'context':<{NAME_WIDTH - 2}}", "bold text"), (f"{thousands(tokens):>{NUMBERS - 2}}  ", f"bold {style}")]
    head += [(filled(tokens, top, bar), style), ("  ", "")]
    verdict = "no threshold" if auto is None else f"≥ {auto:,}: reached" if reached else f"{auto - tokens:,} below {auto:,}"
    _beside(sheet, head, f"{verdict} · {kind}", "bold threshold" if reached else "success")


def _beside(sheet: Sheet, head: Sequence[Cell], words: str, style: str = "muted") -> None:
    """A rung with its source, where there is room for one."""
    used = sum(len(text) for text, _ in head)
    sheet.line(*head, *(((words, style),) if sheet.width - used >= 8 else ()))


def filled(tokens: int, top: int, cells: int) -> str:
    """A bar of `cells` cells, drawn to half a cell; anything at all is seen."""
    halves = max(1 if tokens > 0 else 0, min(cells * 2, round(tokens / max(1, top) * cells * 2)))
    return ("━" * (halves // 2) + "╸" * (halves % 2)).ljust(cells)
