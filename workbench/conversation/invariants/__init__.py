"""What a Messages API array must hold (spec 3), checked offline over any array, whole or slim.

`faults_of(messages)` judges an array at rest; `faults_of(messages, Request(...))` one that is about to be sent: there an
open last turn, a final assistant message and the options of the request count too. Neither raises, whatever it is given.
`remarks_of` adds what is worth knowing but no fault.
"""

from collections.abc import Sequence

from ..row import Message
from .fault import Fault
from .limits import limits_of
from .marks import marks_of
from .order import order_of
from .pairs import pair_faults
from .request import Request
from .sending import last_message_faults, option_faults
from .thinking import thinking_faults, thinking_was_changed

__all__ = ["Fault", "Request", "faults_of", "remarks_of", "thinking_was_changed"]


def faults_of(messages: Sequence[Message], request: Request | None = None) -> tuple[Fault, ...]:
    """Every fault of an array, in the order of its messages; those of the request as such last."""
    return tuple(f for f in _all(messages, request) if not f.is_remark)


def remarks_of(messages: Sequence[Message], request: Request | None = None) -> tuple[Fault, ...]:
    """What is worth knowing of an array and no fault: an open last turn, neighbours of one role, whitespace beside a call."""
    return tuple(f for f in _all(messages, request) if f.is_remark)


def _all(messages: Sequence[Message], request: Request | None) -> list[Fault]:
    sent = None if request is None or request.at_rest else request
    found = [
        *pair_faults(messages, at_rest=sent is None),
        *order_of(messages),
        *thinking_faults(messages, sent),
        *marks_of(messages, request),
        *limits_of(messages, request),
    ]
    if sent is not None:
        found += last_message_faults(messages, sent)
    if request is not None:
        found += option_faults(messages, request)
    return sorted(found, key=lambda f: (f.message_index is None, f.message_index or 0))
