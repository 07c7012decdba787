"""Repaired Messages API JSON: messages that the repair did not touch are the same values as in the input.

A session's rows are joined when they are loaded; the messages of a request are sent as they stand. So what loading does
for a session is a step of the repair here: the results of one reply in one message, and first in it.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ..conversation.array import results_first
from ..conversation.row import USER, Message, Part, Row
from ..evidence.given import messages_given
from ..transcript.session import Session
from .repair_draft import Draft
from .repair_json import compact
from .repair_step import Step
from .repair_view import CONTENT, View


def order_steps(view: View) -> Iterator[Step]:
    """Results that stand behind other content, or in another message than the first behind their call."""
    for role, found in groupby(messages_given(view.session), key=lambda m: m.role):
        run = tuple(found)
        if role != USER:
            continue
        if any(b.kind == "tool_result" for m in run[1:] for b in m.blocks):
            yield _joined(view, run)
        else:
            yield from (_sorted(view, m) for m in run if results_first(m.parts) != m.parts)


def _joined(view: View, run: Sequence[Message]) -> Step:
    """Neighbouring messages of the user as one, which is what the API makes of them."""
    draft = view.draft()
    first, *others = [row for m in run for row in m.rows]
    _put(draft, first, [p for m in run for p in m.parts])
    for row in others:
        draft.drop(row.place)
    names = ", ".join(row.uuid for row in others)
    reason = f"all results of one reply belong in one message: {names} joined to {first.uuid}"
    draft.note("join-messages", reason, [first.place, *(row.place for row in others)])
    return draft.step()


def _sorted(view: View, message: Message) -> Step:
    draft = view.draft()
    (row,) = message.rows
    _put(draft, row, message.parts)
    draft.note("sort-results", f"{row.uuid}: its results stand first now", [row.place])
    return draft.step()


def _put(draft: Draft, row: Row, parts: Sequence[Part]) -> None:
    """The blocks of these parts, results first, as the content of a row."""
    draft.record(row.place).put_list(CONTENT, [_text_of(draft, p) for p in results_first(parts) if p.block.kind != "empty"])


def _text_of(draft: Draft, part: Part) -> str:
    """A block as JSON text, as it stands in its row."""
    if part.row is not None:
        elements = draft.record(part.row.place).elements(CONTENT)
        at = next(i for i, b in enumerate(part.row.blocks) if b is part.block)
        if at < len(elements):
            return elements[at]
    return compact(part.block.body)


def as_given(repaired: Session) -> Any:
    """The request (or the bare list) with its messages repaired."""
    bodies = (repaired.body(place) for place in range(len(repaired.index)))
    messages = [body["message"] for body in bodies if "message" in body]
    return {**repaired.plain, "messages": messages} if repaired.plain else messages
