"""The keep window as a picture: how it grew back from what the notes do not cover, until a limit stopped it."""

from collections.abc import Sequence

from ...compaction.settings import Settings
from ...conversation.row import Row
from ...memory.window import KeepWindow, Step, has_text
from .ladder import filled
from .sheet import Sheet

SHOWN = 12  # steps of the growth; those between the first and the last ones are counted
BAR = 24


def keep_window_picture(sheet: Sheet, window: KeepWindow, rows: Sequence[Row], settings: Settings) -> None:
    """A bar a step, against the minimum and the maximum; beside it the rows with text."""
    least, most = settings.number("minTokens"), settings.number("maxTokens")
    wanted = settings.number("minTextBlockMessages")
    sheet.heading("keep window", ("starts behind the last-summarized row, then grows back row by row", "muted"))
    top = max(most, *(step.tokens for step in window.steps))
    sheet.line((f"  {'':<24}{'tokens':>9}  {_scale(least, most, top)}  rows with text", "muted"))
    for at, step in _shown(window.steps):
        if step is None:
            sheet.line((f"  ⋯ {at} steps more", "muted"))
            continue
        name, style = _row(step, rows) if at else ("not in the notes", "text")
        met = f"  {' and '.join(step.met)} met" if step.met else ""
        sheet.line(
            ("  ", ""), (f"{name:<24}", style), (f"{step.tokens:>9,}  ", "text"),
            (filled(step.tokens, top, BAR), "level-low" if step.tokens < most else "level-over"),
            (f"  {step.text_rows} of {wanted}", "success" if step.text_rows >= wanted else "muted"), (met, "success"),
        )  # fmt: skip
    sheet.line(("  stopped by: ", "muted"), (window.stopped, "bold warning" if window.stopped == "maximum" else "bold text"))


def _shown(steps: Sequence[Step]) -> list[tuple[int, Step | None]]:
    """(number, step); (how many, None) for those left out."""
    numbered: list[tuple[int, Step | None]] = list(enumerate(steps))
    if len(steps) <= SHOWN:
        return numbered
    head, tail = numbered[: SHOWN // 2], numbered[-(SHOWN // 2) :]
    return [*head, (len(steps) - len(head) - len(tail), None), *tail]


def _row(step: Step, rows: Sequence[Row]) -> tuple[str, str]:
    row = next((r for r in rows if r.uuid == step.uuid), None)
    if row is None:
        return "+ a row", "muted"
    where = f"line {row.line:,}" if row.line is not None else "a row"
    return f"+ {where} {'text' if has_text(row) else 'tools only'}", row.role or "muted"


def _scale(least: int, most: int, top: int) -> str:
    """Where minimum and maximum lie above the bars."""
    cells = [" "] * BAR
    for tokens, sign in ((least, "m"), (most, "M")):
        cells[min(BAR - 1, round(tokens / top * (BAR - 1)))] = sign
    return "".join(cells)
