"""What stands before the messages of a call: system prompt, tools, and what is not recorded (spec 1, section 2)."""

from collections.abc import Sequence

from ..conversation.figure import Figure, estimated, exact
from ..conversation.row import Row
from ..conversation.tokens import ROUGH, Estimator
from ..transcript.requests import request_of
from ..transcript.session import Session
from ..transcript.usage import Context, overhead_of, plain_overhead
from .clearing import as_sent_then


def overhead_at(session: Session, context: Context, rows: Sequence[Row], by: Estimator = ROUGH) -> Figure:
    """Exact where a request holds system and tools, or where the call's own request is recorded; else an estimate, or unknown.

    rows  as loaded, whole or slim, measured by that estimator
    """
    if session.plain is not None and not (session.plain.get("system") or session.plain.get("tools")):
        return exact(0, "the input holds messages alone: there is no system prompt and there are no tools in it")
    if session.plain is not None:
        return exact(plain_overhead(session, by), f"{by.words} of system and tools, which the request holds")
    then = as_sent_then(session, rows, None if context.call is None else context.call.call.row)
    found = overhead_of(context, then, by)
    if found.tokens is None or not is_recorded(session, context):
        return _not_below_nothing(found, by)
    words = f"the recorded request's prompt + output minus {by.words} of its messages: system prompt and tools"
    return _not_below_nothing(exact(found.tokens, words), by)


def _not_below_nothing(found: Figure, by: Estimator) -> Figure:
    """No overhead is below 0: where the call measured less than the messages are estimated at, the estimate is too high."""
    if found.tokens is None or found.tokens >= 0:
        return found
    measured = f"the newest call measured {-found.tokens:,} tokens less than {by.words} of the messages"
    return estimated(0, f"{measured}, which estimates them too high; nothing is left for system prompt and tools")


def is_recorded(session: Session, context: Context) -> bool:
    """Whether the array of the newest call is known exactly, from its recorded request."""
    if context.call is None or not session.requests:
        return False
    request = request_of(session.index, session.body, session.requests, context.call.call.row)
    return request is not None and request.pieces is not None
