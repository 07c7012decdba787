"""Repaired Messages API JSON: messages that the repair did not touch are the same values as in the input."""

from typing import Any

from ..conversation.array import assemble
from ..conversation.invariants import faults_of
from ..conversation.row import Message
from ..evidence.given import messages_given
from ..transcript.session import Session

JOINING = frozenset(("split-results", "results-not-first"))


def as_given(original: Session, repaired: Session) -> Any:
    """The request (or the bare list) with its messages repaired; neighbours are joined only where results need it."""
    chain = repaired.chain.places
    if any(f.kind in JOINING for f in faults_of(messages_given(original))):
        messages = [_joined(repaired, m) for m in assemble(repaired.rows(chain))]
    else:
        messages = [repaired.body(place)["message"] for place in chain if "message" in repaired.body(place)]
    return {**repaired.plain, "messages": messages} if repaired.plain else messages


def _joined(session: Session, message: Message) -> Any:
    rows = message.rows
    if len(rows) == 1 and rows[0].blocks == message.blocks:
        return session.body(rows[0].place)["message"]
    return {"role": message.role, "content": [b.body for b in message.blocks if b.body is not None]}
