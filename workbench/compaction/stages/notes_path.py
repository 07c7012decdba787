"""Session memory: compact from the notes, without a model; where that is not possible, say why (spec 1, section 5)."""

from collections.abc import Mapping
from dataclasses import replace

from ...memory.availability import availability
from ...memory.continuation import continuation
from ...memory.cutting import shorten
from ...memory.start import find_start
from ...memory.window import KeepWindow, WindowSettings, is_kept, keep_window
from ..cut import Cut, suffix_cut
from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import FAILED, OK, SKIPPED, Number, StageResult, Work
from ..rows_made import summary_row
from ..variants import SESSION_MEMORY
from .common import number_of, result

NAME = "session-memory"
THERE = (
    "trySessionMemoryCompaction",
    "SessionMemoryCompactConfig",
    "hasTextBlocks",
    "getLastSummarizedMessageId",
    "adjustIndexToPreserveAPIInvariants",
)
USED = ("sessionMemory", "minTokens", "minTextBlockMessages", "maxTokens", "noteSectionTokens", "extractionWait")


def from_notes(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Availability, keep window, valid cut, notes; whether it fits is checked when everything is assembled."""
    notes = ground.notes
    found = availability(
        work.rows,
        notes.notes,
        enabled=plan.settings.on("sessionMemory"),
        last_summarized=notes.last_summarized,
        instructions=work.instructions,
    )
    numbers = [Number(c.name, "yes" if c.holds else "no", "condition", c.reason) for c in found.conditions]
    if not found.is_available or notes.notes is None:
        named = plan.variant == SESSION_MEMORY
        return _result(ground, plan, work, work, FAILED if named else SKIPPED, f"Not available: {found.reason}", numbers, None)
    window = keep_window(work.rows, find_start(work.rows, notes.last_summarized, notes.written), _settings(plan))
    cut = suffix_cut(work.rows, window.place)
    kept = tuple(r for r in work.rows[cut.used :] if is_kept(r))
    short = shorten(notes.notes, notes.path, plan.settings.number("noteSectionTokens"))
    text = continuation(short.text, ground.transcript, tail_follows=bool(kept), go_on=plan.trigger == "auto")
    made = summary_row(ground, text)
    done = replace(work, kept=kept, side="suffix" if kept else "", cut=cut, summary=short.text, summary_row=made, path=NAME)
    numbers += _numbers(window, cut)
    words = f"{window.start.reason} {window.reason} {cut.reason}" + "".join(f" {c.reason}" for c in short.cuts)
    return _result(ground, plan, work, done, OK, words, numbers, window)


def _settings(plan: Plan) -> WindowSettings:
    numbers = plan.settings.number
    return WindowSettings(numbers("minTokens"), numbers("minTextBlockMessages"), numbers("maxTokens"))


def _numbers(window: KeepWindow, cut: Cut) -> list[Number]:
    first = window.steps[0]
    return [
        Number("not in the notes", f"{first.tokens:,} tokens, {first.text_rows} text rows", "estimated", window.start.reason),
        Number("kept", f"{window.tokens:,} tokens, {window.text_rows} text rows", "estimated", window.reason),
        Number("cut", f"asked {cut.asked}, used {cut.used}", "exact", cut.reason),
    ]


def _result(
    ground: Ground,
    plan: Plan,
    before: Work,
    work: Work,
    outcome: str,
    reason: str,
    numbers: list[Number],
    window: KeepWindow | None,
) -> StageResult:
    after = before.rows if outcome != OK or work.summary_row is None else (work.summary_row, *work.kept)
    numbers = [*numbers, *(number_of(plan.settings, n) for n in USED)]
    return result(
        NAME,
        ground,
        work,
        before.rows,
        after,
        outcome=outcome,
        reason=reason,
        there=THERE,
        section="5, 8",
        numbers=numbers,
        picture=window,
    )
