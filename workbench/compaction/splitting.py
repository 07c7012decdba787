"""Which rows a compaction summarises and which stay verbatim: by variant, pins and profile (spec 1, 6.3; spec 6, 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation.row import ASSISTANT, Row
from ..conversation.wording import counted
from .cut import Cut, prefix_cut, suffix_cut
from .plan import Plan
from .reactive import split as split_reactive
from .rounds import Round, rounds
from .rows_made import BOUNDARY_KIND
from .ties import CALL, RESULT
from .too_long import NO_NUMBERS, TooLong, read_error
from .variants import FROM, REACTIVE, UP_TO

PREFIX, SUFFIX = "prefix", "suffix"


@dataclass(frozen=True, slots=True)
class Split:
    """The rows since the boundary in two parts.

    asked   what the summary request shows; `from` shows everything, so that the prompt cache hits
    kept    what stays verbatim; an earlier summary among it stays too, a boundary row is a mere mark
    side    "prefix" | "suffix": where the kept rows stand
    is_of_the_profile  nobody asked for kept rows: the profile keeps the last round
    """

    asked: tuple[Row, ...]
    kept: tuple[Row, ...]
    side: str
    cut: Cut
    reason: str
    is_of_the_profile: bool = False


def split(plan: Plan, rows: Sequence[Row]) -> Split | str:
    """The parts of `rows`, or the sentence that says why they cannot be parted so."""
    found = _split(plan, rows)
    return found if isinstance(found, str) else (_lost_pin(plan, found, rows) or found)


def _split(plan: Plan, rows: Sequence[Row]) -> Split | str:
    if plan.variant in (FROM, UP_TO):
        return _at_pivot(plan, rows)
    if plan.variant == REACTIVE:
        sized = split_reactive(rows, read_error(plan.error) or TooLong(NO_NUMBERS), plan.settings)
        return _suffix(rows, suffix_cut(rows, len(rows) - len(sized.kept)), sized.reason)
    pinned = [at for at, row in enumerate(rows) if row.uuid in plan.pins]
    if pinned:
        cut = suffix_cut(rows, min(pinned))
        return _suffix(rows, cut, f"The pinned rows stay, and everything behind the first of them. {cut.reason}")
    if not plan.settings.on("keepLastRound"):
        return everything(rows, "The whole conversation since the boundary is summarised; nothing stays verbatim.")
    return _last_message(rows) if plan.trigger == "manual" else _last_round(plan, rows)


def everything(rows: Sequence[Row], reason: str) -> Split:
    """All rows are summarised."""
    return Split(tuple(rows), (), "", Cut(len(rows), len(rows)), reason)


def own_rounds(rows: Sequence[Row]) -> tuple[Round, ...]:
    """The rounds without what stands before the first."""
    return tuple(g for g in rounds(rows) if not g.is_head)


def without_empty(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows without empty ones of the user and an empty reply at their end, which is refused once something follows it."""
    last = max((at for at, row in enumerate(rows) if row.blocks), default=-1)
    return tuple(r for at, r in enumerate(rows) if r.blocks or r.role is None or (r.role == ASSISTANT and at < last))


def _suffix(rows: Sequence[Row], cut: Cut, reason: str, *, is_of_the_profile: bool = False) -> Split:
    kept = without_empty([r for r in rows[cut.used :] if r.kind != BOUNDARY_KIND])
    return Split(tuple(rows[: cut.used]), kept, SUFFIX if kept else "", cut, reason, is_of_the_profile)


def _at_pivot(plan: Plan, rows: Sequence[Row]) -> Split | str:
    at = next((i for i, r in enumerate(rows) if r.uuid == plan.pivot), None)
    if at is None:
        return f"The pivot {plan.pivot} is not in the array; name a row of it by line or uuid (--pivot)."
    if plan.variant == UP_TO:
        cut = suffix_cut(rows, at)
        behind = counted(len(rows) - cut.used, "row")
        return _suffix(rows, cut, f"Everything before the pivot is summarised; what follows is {behind}. {cut.reason}")
    cut = _before_an_open_call(rows, prefix_cut(rows, at))
    kept = tuple(r for r in rows[: cut.used] if r.kind != BOUNDARY_KIND)
    reason = f"Everything from the pivot on is summarised; what stays in front is {counted(cut.used, 'row')}. {cut.reason}"
    return Split(tuple(rows), kept, PREFIX if kept else "", cut, reason)


def _before_an_open_call(rows: Sequence[Row], cut: Cut) -> Cut:
    """A call that still waits for its result may end an array; with a summary behind it, it would be refused."""
    results = {b.call for row in rows for b in row.blocks if b.kind == RESULT}
    while True:
        last = next((at for at in range(cut.used - 1, -1, -1) if rows[at].role == ASSISTANT and rows[at].blocks), None)
        if last is None:
            return cut
        name = rows[last].message_id or rows[last].uuid
        reply = [at for at in range(last + 1) if name in (rows[at].message_id, rows[at].uuid)]
        lost = [b.call for at in reply for b in rows[at].blocks if b.kind == CALL and b.call not in results]
        if not lost:
            return cut
        earlier = prefix_cut(rows, reply[0])
        cut = Cut(cut.asked, earlier.used, (*cut.reasons, f"the call {lost[0]} still waits for its result", *earlier.reasons))


def _last_message(rows: Sequence[Row]) -> Split:
    last = next((at for at in range(len(rows) - 1, -1, -1) if rows[at].role == ASSISTANT), None)
    if last is None:
        return everything(rows, "There is no reply to keep; everything is summarised.")
    cut = suffix_cut(rows, last)
    return _suffix(rows, cut, f"The last message stays verbatim. {cut.reason}", is_of_the_profile=True)


def _last_round(plan: Plan, rows: Sequence[Row]) -> Split:
    found, least = own_rounds(rows), plan.settings.number("keepLastRoundFrom")
    if len(found) < least:
        count = f"Only {counted(len(found), 'round')} since the boundary"
        return everything(rows, f"{count}, {least} are needed to keep the last one: everything is summarised.")
    cut = suffix_cut(rows, len(rows) - len(found[-1].rows))
    words = f"The last of {len(found)} API rounds stays verbatim and is not shown to the summarizer."
    return _suffix(rows, cut, f"{words} {cut.reason}", is_of_the_profile=True)


def _lost_pin(plan: Plan, found: Split, rows: Sequence[Row]) -> str:
    """Why the pinned rows cannot all stay; "" when they do."""
    known, kept = {r.uuid for r in rows}, {r.uuid for r in found.kept}
    for uuid in plan.pins:
        if uuid not in known:
            return f"The pinned row {uuid} is not in the array."
        if uuid not in kept:
            return f"The pinned row {uuid} would not stay with the variant {plan.variant}; cut elsewhere or use full."
    return ""
