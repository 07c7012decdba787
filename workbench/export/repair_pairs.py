"""Repairs of calls and results, in the order of spec 3: the real block is moved, a made-up one deleted, an error result
made where parallel calls need one, and only what nothing else mends is dropped.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ..conversation.invariants.pairs import is_open_turn
from ..conversation.repair import error_result
from ..conversation.row import ASSISTANT, USER, Message, Part
from .repair_draft import Draft
from .repair_json import compact
from .repair_step import Step
from .repair_view import CONTENT, View, answers_to, is_one_of, places_of


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A block of an array: the index of its message, and the part."""

    index: int
    part: Part


def pair_steps(view: View) -> Iterator[Step]:
    """Results put in their place; where that is done, calls that have none anywhere."""
    found = [step for step in (*_misplaced(view), *_unasked(view)) if step.edits]
    yield from found or _unanswered(view)


def _blocks(view: View, kind: str) -> dict[str, list[_Found]]:
    found: dict[str, list[_Found]] = {}
    for index, message in enumerate(view.messages):
        for part in message.parts:
            if part.block.kind == kind:
                found.setdefault(part.block.call, []).append(_Found(index, part))
    return found


def _misplaced(view: View) -> Iterator[Step]:
    results = _blocks(view, "tool_result")
    for id, calls in _blocks(view, "tool_use").items():
        call, answers = calls[0], results.get(id, [])
        beside = [r for r in answers if r.index == call.index + 1 and view.messages[r.index].role == USER]
        if len(calls) > 1 or not answers or (len(answers) == 1 and beside) or view.messages[call.index].role != ASSISTANT:
            continue
        best = _best(view, beside, [r for r in answers if r not in beside])
        others = [r.part for r in answers if r is not best]
        free = [p for p in others if view.is_free(p)]
        if best in beside:
            if free:
                yield _only(view, id, best.part, free)
        elif len(free) == len(others) and view.is_free(best.part, call.part):
            if not _is_there(view, call, best.part):
                yield _moved(view, id, call, best.part, others)
            elif between := _between(view, call, best):
                yield _cleared(view, id, best.part, between)
            else:
                yield _given_up(view, id, best.part)


def _best(view: View, beside: list[_Found], apart: list[_Found]) -> _Found:
    """The result that stays: one that may not be touched, else the first that is no error, rather beside than apart."""
    order = [*beside, *apart]
    fixed = next((r for r in beside if not view.is_free(r.part)), None)
    return fixed or next((r for r in order if not r.part.block.error), order[0])


def _goes_whole(result: Part) -> bool:
    """Whether the row of a result holds nothing else, and is one of the user's, which alone can answer."""
    return result.row is not None and result.row.role == USER and len(result.row.blocks) == 1


def _is_there(view: View, call: _Found, result: Part) -> bool:
    """Whether the row of a result follows its call already, and something else keeps them apart in the array."""
    if call.part.row is None or result.row is None:
        return True
    behind, place = view.behind(call.part.row.place), result.row.place
    return view.session.index.parents[place] == behind < place and _goes_whole(result)


def _between(view: View, call: _Found, result: _Found) -> list[int]:
    """The rows that part a result from its call in the array, where all of them can go behind it; else none."""
    parts = [p for m in view.messages[call.index + 1 : result.index] for p in m.parts]
    rows = sorted(places_of(parts), key=lambda p: view.path.index(p) if p in view.path else -1)
    fit = view.is_free(*parts) and set(rows) <= set(view.path) and result.part.row is not None
    return rows if fit and all(p < result.part.row.place for p in rows if result.part.row) else []


def _cleared(view: View, id: str, result: Part, between: list[int]) -> Step:
    """What another reply says in the midst of the one that calls goes behind the result."""
    draft = view.draft()
    assert result.row is not None
    behind = draft.uuid(result.row.place)
    for place in between:
        draft.detach(place)
    for place in between:
        draft.move_behind(place, result.row.place, behind)
        behind = draft.uuid(place)
    view.relink_next(draft, result.row.place, behind)
    lines = ", ".join(f"line {draft.line(p)}" for p in between)
    reason = f"{lines} stood between the call {id} and its result ({view.line(result)}): moved behind the result"
    draft.note("move-row", reason, between)
    return draft.step()


def _given_up(view: View, id: str, result: Part) -> Step:
    """A result that cannot come to stand behind its call goes, as it does when the agent loads it."""
    draft = view.draft()
    _drop(view, draft, [result])
    reason = f"the result of {id} ({view.line(result)}) cannot stand behind its call, for what stands between cannot be moved"
    draft.note("drop-result", reason, places_of([result]))
    return draft.step()


def _only(view: View, id: str, best: Part, others: list[Part]) -> Step:
    draft = view.draft()
    _drop(view, draft, others)
    gone = ", ".join(f"{view.line(p)} ({p.block.head[:40]!r})" for p in others)
    reason = f"{id} has more than one result: that of {view.line(best)} stays, that of {gone} goes"
    draft.note("drop-result", reason, places_of(others))
    return draft.step()


def _moved(view: View, id: str, call: _Found, best: Part, others: list[Part]) -> Step:
    """The real result goes behind its call: its whole row, or its block where the row holds more."""
    draft = view.draft()
    assert best.row is not None and call.part.row is not None
    reason = f"the result of {id} ({view.line(best)}) is moved behind its call ({view.line(call.part)})"
    if others:
        reason += f"; what stood in its place ({', '.join(view.line(p) for p in others)}) was made up and goes"
    behind = view.behind(call.part.row.place)
    if _goes_whole(best):
        draft.detach(best.row.place)
        _drop(view, draft, others)
        gone = frozenset([best.row.place, *_emptied(others)])
        draft.move_behind(best.row.place, behind, draft.uuid(behind))
        view.relink_next(draft, behind, best.row.uuid, gone)
    else:
        _move_block(view, draft, call, best, others, behind)
    draft.note("move-result", reason, places_of([best, *others]))
    return draft.step()


def _move_block(view: View, draft: Draft, call: _Found, best: Part, others: list[Part], behind: int) -> None:
    assert best.row is not None
    at = next(i for i, b in enumerate(best.row.blocks) if b is best.block)
    record = draft.record(best.row.place)
    elements = record.elements(CONTENT)
    block = elements.pop(at)
    record.put_list(CONTENT, elements)
    beside = _beside(view, call, [best, *others])
    if beside is not None and beside.row is not None:
        there = draft.record(beside.row.place)
        standing = there.elements(CONTENT)
        place = next(i for i, b in enumerate(beside.row.blocks) if b is beside.block)
        there.put_list(CONTENT, [*standing[: place + 1], block, *standing[place + 1 :]])
        _drop(view, draft, others)
        return
    _drop(view, draft, others)
    uuid = draft.make(behind, f"[{block}]")
    view.relink_next(draft, behind, uuid, frozenset(_emptied(others)))


def _beside(view: View, call: _Found, moving: list[Part]) -> Part | None:
    """The last result in the answering message that belongs to the same reply and stays where it is."""
    answer = answers_to(view.messages, call.index)
    calls = {b.call for b in view.messages[call.index].blocks if b.kind == "tool_use"}
    touched = places_of(moving)
    standing = [
        p
        for p in (answer.parts if answer else ())
        if p.block.kind == "tool_result" and p.block.call in calls and view.is_free(p) and places_of([p])[0] not in touched
    ]
    return standing[-1] if standing else None


def _unasked(view: View) -> Iterator[Step]:
    calls = _blocks(view, "tool_use")
    for id, results in _blocks(view, "tool_result").items():
        parts = [r.part for r in results if view.is_free(r.part)]
        if id not in calls and parts:
            draft = view.draft()
            _drop(view, draft, parts)
            where = ", ".join(view.line(p) for p in parts)
            draft.note("drop-result", f"no call in the array asked for the result of {id} ({where})", places_of(parts))
            yield draft.step()


def _drop(view: View, draft: Draft, parts: list[Part]) -> None:
    for message in view.messages:
        mine = [p for p in parts if is_one_of(p, message.parts)]
        if mine:
            view.without(draft, message, mine)


def _emptied(parts: list[Part]) -> list[int]:
    """The rows that go with these blocks, because they hold nothing else."""
    going = {id(p.block) for p in parts}
    rows = {p.row.place: p.row for p in parts if p.row is not None}
    return [place for place, row in rows.items() if all(id(b) in going for b in row.blocks)]


def _unanswered(view: View) -> Iterator[Step]:
    answered = _blocks(view, "tool_result")
    for index, message in enumerate(view.messages):
        calls = [p for p in message.parts if p.block.kind == "tool_use"] if message.role == ASSISTANT else []
        lacking = [p for p in calls if p.block.call not in answered]
        missing = [p for p in lacking if view.is_free(p)]
        if not missing:
            continue
        if is_open_turn(view.messages, index):
            if not view.at_rest:
                yield _answered(view, missing, "the conversation ends with it")
        elif len(lacking) < len(calls):
            yield _answered(view, missing, "the calls beside it have theirs")
        else:
            yield _left_out(view, message, missing)


def _answered(view: View, missing: list[Part], why: str) -> Step:
    """Error results, first among the results of the reply, as the agent puts them."""
    draft = view.draft()
    row = missing[-1].row
    assert row is not None
    behind = view.behind(row.place)
    uuid = draft.make(behind, compact([error_result(p.block.call).body for p in missing]))
    view.relink_next(draft, behind, uuid)
    ids = ", ".join(p.block.call for p in missing)
    draft.note("add-result", f"{ids} ({view.line(missing[0])}) has no result: an error result, for {why}", places_of(missing))
    return draft.step()


def _left_out(view: View, message: Message, missing: list[Part]) -> Step:
    draft = view.draft()
    view.without(draft, message, missing)
    ids = ", ".join(p.block.call for p in missing)
    draft.note("drop-call", f"{ids} ({view.line(missing[0])}) has no result, and the conversation went on", places_of(missing))
    return draft.step()
