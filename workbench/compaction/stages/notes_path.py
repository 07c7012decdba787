"""Session memory: compact from the notes, without a model; where that is not possible, say why (spec 1, section 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...conversation.change import Change
from ...conversation.row import Row
from ...conversation.wording import counted
from ...memory.availability import availability
from ...memory.continuation import continuation
from ...memory.cutting import ShortNotes, shorten
from ...memory.notes import parse
from ...memory.start import find_start
from ...memory.window import KeepWindow, WindowSettings, is_kept, keep_window
from ..cut import Cut, suffix_cut
from ..ground import Ground, NotesGround
from ..plan import Plan
from ..request import EXTRACTION, Reply, Request
from ..request import OK as ANSWERED
from ..result import FAILED, OK, SKIPPED, Number, StageResult, StageStep, Work
from ..rows_made import summary_row
from ..splitting import without_empty
from ..thinking import Unbound, unbound
from ..variants import SESSION_MEMORY
from .common import goes_on, number_of, result

NAME = "session-memory"
THERE = (
    "trySessionMemoryCompaction",
    "SessionMemoryCompactConfig",
    "initSessionMemoryCompactConfig",
    "hasTextBlocks",
    "getLastSummarizedMessageId",
    "setLastSummarizedMessageId",
    "adjustIndexToPreserveAPIInvariants",
)
USED = ("sessionMemory", "minTokens", "minTextBlockMessages", "maxTokens", "noteSectionTokens", "extractionWait")
READS = (*USED, "pins", "thinking.open_turn", "manualGoesOn")
KEY = EXTRACTION


def from_notes(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageStep:
    """Availability, keep window, valid cut, notes; whether it fits is checked when everything is assembled.

    Notes that an extraction is at work on are asked for first; without an answer in time the file is used as it is.
    """
    if ground.notes.in_flight and KEY not in replies:
        return waiting_for_notes(plan)
    notes, said = _awaited(ground.notes, replies.get(KEY))
    found = availability(
        work.rows,
        notes.notes,
        enabled=plan.settings.on("sessionMemory"),
        last_summarized=notes.last_summarized,
        instructions=work.instructions,
    )
    numbers = [Number(c.name, "yes" if c.holds else "no", "condition", c.reason) for c in found.conditions]
    if not found.is_available or notes.notes is None:
        return _not_available(ground, plan, work, said + found.reason, numbers)
    pinned = _pin(plan, work.rows)
    if isinstance(pinned, str):
        return _not_available(ground, plan, work, said + pinned, numbers)
    window = keep_window(work.rows, find_start(work.rows, notes.last_summarized, notes.written), _settings(plan))
    cut = suffix_cut(work.rows, window.place if pinned is None else min(window.place, pinned))
    numbers += _numbers(window, cut)
    kept = unbound(without_empty([r for r in work.rows[cut.used :] if is_kept(r)]), ground.model, plan.settings)
    if kept.refused:
        return _not_available(ground, plan, work, said + kept.refused, numbers)
    short = shorten(notes.notes, notes.path, plan.settings.number("noteSectionTokens"))
    made = summary_row(ground, continuation(short.text, ground.transcript, tail_follows=bool(kept.rows), go_on=goes_on(plan)))
    done = replace(
        work,
        kept=kept.rows,
        side="suffix" if kept.rows else "",
        cut=cut,
        summary=short.text,
        summary_row=made,
        path=NAME,
    )
    return result(
        NAME,
        ground,
        done,
        work.sent,
        (made, *kept.rows),
        outcome=OK,
        reason=said + " ".join(_words(window, cut, pinned, short)),
        there=THERE,
        section="5, 8",
        numbers=[*numbers, *(number_of(plan.settings, n) for n in USED)],
        changes=_changes(work.rows[cut.used :], kept),
        picture=window,
        answers=(KEY,),
    )


def waiting_for_notes(plan: Plan) -> Request:
    """What is asked while an extraction is in flight; whoever answers waits no longer than the setting allows (section 5.2)."""
    seconds = plan.settings["extractionWait"].value
    return Request(EXTRACTION, KEY, f"the notes that an extraction is writing, awaited for at most {seconds:g} s")


def _awaited(notes: NotesGround, reply: Reply | None) -> tuple[NotesGround, str]:
    """The notes to compact from, and what became of an extraction in flight."""
    if not notes.in_flight or reply is None:
        return notes, ""
    text = reply.files.get("notes")
    if reply.outcome != ANSWERED or text is None:
        why = f" ({reply.error})" if reply.error else ""
        return notes, f"The extraction in flight gave nothing in time{why}; the file is used as it is. "
    parsed = parse(text, notes.notes.budgets) if notes.notes is not None else parse(text)
    covers = reply.files.get("last_summarized") or notes.last_summarized
    return replace(notes, notes=parsed, last_summarized=covers), "The extraction in flight was awaited. "


def _pin(plan: Plan, rows: Sequence[Row]) -> int | str | None:
    """The place of the first pinned row, None without any; why one of them cannot stay."""
    if not plan.pins:
        return None
    places = {row.uuid: place for place, row in enumerate(rows)}
    for uuid in plan.pins:
        if uuid not in places:
            return f"The pinned row {uuid} is not in the array."
        if not is_kept(rows[places[uuid]]):
            return f"The pinned row {uuid} belongs to an earlier compaction, whose rows the notes replace."
    return min(places[uuid] for uuid in plan.pins)


def _settings(plan: Plan) -> WindowSettings:
    numbers = plan.settings.number
    return WindowSettings(numbers("minTokens"), numbers("minTextBlockMessages"), numbers("maxTokens"))


def _numbers(window: KeepWindow, cut: Cut) -> list[Number]:
    first = window.steps[0]
    return [
        Number(
            "not in the notes",
            f"{counted(first.tokens, 'token')}, {counted(first.text_rows, 'text row')}",
            "estimated",
            window.start.reason,
        ),
        Number("kept", f"{counted(window.tokens, 'token')}, {counted(window.text_rows, 'text row')}", "estimated", window.reason),
        Number("cut", f"asked {cut.asked}, used {cut.used}", "exact", cut.reason),
    ]


def _words(window: KeepWindow, cut: Cut, pinned: int | None, short: ShortNotes) -> list[str]:
    pins = ["The pinned rows stay, and everything behind the first of them."] if pinned is not None else []
    return [window.start.reason, window.reason, *pins, cut.reason, *(c.reason for c in short.cuts)]


def _changes(rows: Sequence[Row], kept: Unbound) -> list[Change]:
    dropped = tuple(r.uuid for r in rows if not is_kept(r))
    changes = [Change("keep", tuple(r.uuid for r in kept.rows), "stays verbatim behind the notes")] if kept.rows else []
    if dropped:
        changes.append(Change("drop", dropped, "boundary and summary of an earlier compaction: the notes stand in for them"))
    return [*changes, *kept.changes]


def _not_available(ground: Ground, plan: Plan, work: Work, reason: str, numbers: Sequence[Number]) -> StageResult:
    """A variant that was named fails; only `auto` goes on with full compaction."""
    return result(
        NAME,
        ground,
        work,
        work.sent,
        work.sent,
        outcome=FAILED if plan.variant == SESSION_MEMORY else SKIPPED,
        reason=f"Not available: {reason}",
        there=THERE,
        section="5, 8",
        numbers=[*numbers, *(number_of(plan.settings, n) for n in USED)],
        answers=(KEY,),
    )
