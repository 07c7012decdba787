"""Fold: whole rounds become one line each; nothing is deleted, the projection is what is sent (spec 1, section 11)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...conversation.block import text_block
from ...conversation.change import Change
from ...conversation.row import USER, Row
from ...conversation.wording import counted
from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import FAILED, OK, SKIPPED, StageResult, Work
from ..rounds import Round, rounds
from ..rows_made import made_row
from ..thinking import unbound_behind
from .common import number_of, result

NAME = "fold"
THERE = ("isContextCollapseEnabled",)
USED = ("foldKeepRounds",)
READS = (*USED, "folds", "pins", "thinking.open_turn")


def fold(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Folds the rounds that are named (all but the newest by default); an open call and pinned rows are never folded."""
    groups = [g for g in rounds(work.rows) if not g.is_head]
    wanted = _wanted(plan, work.rows, groups)
    if isinstance(wanted, str):
        return _failed(ground, work, wanted)
    rows, changes = _projected(ground, work.rows, wanted)
    bound = unbound_behind(work.rows, rows, ground.model, plan.settings)
    if bound.refused:
        return _failed(ground, work, f"Not available: {bound.refused}")
    return result(
        NAME,
        ground,
        replace(work, rows=bound.rows, outgoing=()) if wanted else work,
        work.sent,
        bound.rows if wanted else work.sent,
        outcome=OK if wanted else SKIPPED,
        reason=_reason(plan, wanted, groups),
        there=THERE,
        section="11",
        numbers=[number_of(plan.settings, n) for n in USED],
        changes=(*changes, *bound.changes),
    )


def _failed(ground: Ground, work: Work, reason: str) -> StageResult:
    return result(NAME, ground, work, work.sent, work.sent, outcome=FAILED, reason=reason, there=THERE, section="11")


def _reason(plan: Plan, wanted: Sequence[Round], groups: Sequence[Round]) -> str:
    if wanted:
        return f"{len(wanted)} of {counted(len(groups), 'round')} folded into a line each."
    if plan.folds:
        return "No whole round stands in the rows that are named, but such as are pinned or still open."
    return f"Of {counted(len(groups), 'round')}, the newest {plan.settings.number('foldKeepRounds')} stay open."


def _wanted(plan: Plan, rows: Sequence[Row], groups: Sequence[Round]) -> list[Round] | str:
    keep = plan.settings.number("foldKeepRounds")
    chosen = list(groups[: max(0, len(groups) - keep)]) if not plan.folds else []
    places = {r.uuid: i for i, r in enumerate(rows)}
    lost = next((uuid for uuid in plan.pins if uuid not in places), None)
    if lost is not None:
        return f"The pinned row {lost} is not in the array."
    for first, last in plan.folds:
        if first not in places or last not in places:
            return f"The rows {first} to {last} are not in the array."
        low, high = sorted((places[first], places[last]))
        chosen += [g for g in groups if low <= places[g.rows[0].uuid] and places[g.rows[-1].uuid] <= high]
    once = dict.fromkeys(g.uuids for g in chosen)
    return [g for g in groups if g.uuids in once and not set(g.uuids) & set(plan.pins) and not _is_open(g)]


def _is_open(group: Round) -> bool:
    calls = {b.call for r in group.rows for b in r.blocks if b.kind == "tool_use"}
    return bool(calls - {b.call for r in group.rows for b in r.blocks if b.kind == "tool_result"})


def _projected(ground: Ground, rows: Sequence[Row], wanted: Sequence[Round]) -> tuple[tuple[Row, ...], list[Change]]:
    first = {g.rows[0].uuid: (n, g) for n, g in enumerate(wanted)}
    inside = {u for g in wanted for u in g.uuids}
    made: list[Row] = []
    changes = []
    for row in rows:
        if row.uuid in first:
            number, group = first[row.uuid]
            made.append(made_row(ground, 2_000 + number, USER, (text_block(fold_line(group)),)))
            changes.append(Change("fold", group.uuids, "a whole round, folded into one line; it can be unfolded"))
        if row.uuid not in inside or (row.role is None and row.kind != "assistant"):
            made.append(row)
    return tuple(made), changes


def fold_line(group: Round) -> str:
    """One line for a round: what the user said in it, which tools were called on what, tokens."""
    said = [
        b.head.strip().replace("\n", " ")[:80]
        for r in group.rows
        if r.role == USER and not r.is_attachment
        for b in r.blocks
        if b.kind == "text" and not b.blank
    ]
    calls = [f"{b.name}({b.head[:60]})" for r in group.rows for b in r.blocks if b.kind == "tool_use"]
    words = "; ".join(
        [*calls[:4], *([counted(len(calls) - 4, "more call")] if len(calls) > 4 else []), *(f"user: {s}" for s in said)]
    )
    return f"[folded: {counted(len(group.rows), 'row')}, {counted(group.tokens, 'token')}{': ' if words else ''}{words}]"
