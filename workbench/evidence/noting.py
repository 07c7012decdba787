"""Where notes would have been taken: the extraction rule replayed over a session's recorded calls (spec 1, section 8.2)."""

from collections import Counter
from collections.abc import Sequence

from ..compaction.settings import Settings
from ..memory.trigger import Judgement, TriggerSettings, Turn, replay
from ..transcript.index import CALL, Call
from ..transcript.session import Session
from .steps import has_boundary


def judgements_of(session: Session, calls: Sequence[Call], outputs: Sequence[int], settings: Settings) -> tuple[Judgement, ...]:
    """What the rule says after each call, `place` its number; () where session memory is off, or for a sub-agent's file.

    calls    of the main chain, in file order
    outputs  tokens of their replies, as the agent counts them
    """
    if session.tree.is_sub_agent or not settings.on("sessionMemory"):
        return ()
    number = settings.number
    rule = TriggerSettings(number("extractionStart"), number("extractionGrowth"), number("extractionToolCalls"))
    return replay(turns_of(session, calls, outputs), rule)


def turns_of(session: Session, calls: Sequence[Call], outputs: Sequence[int]) -> list[Turn]:
    """A turn a call: prompt and reply make the context, the reply's tool calls count once each."""
    asked = _tool_calls(session)
    turns = []
    for place, (call, output) in enumerate(zip(calls, outputs, strict=True)):
        compacted = place > 0 and has_boundary(session, calls[place - 1], call)
        turns.append(Turn(place, call.prompt + output, asked[session.index.messages[call.row]], compacted))
    return turns


def _tool_calls(session: Session) -> Counter[int]:
    """Tool calls in each reply, by the number of its message id; a row that stands twice in the file counts once."""
    rows, hashes, roles = session.index.tools()
    messages = session.index.messages
    found = {(messages[row], ident) for row, ident, role in zip(rows, hashes, roles, strict=True) if role == CALL}
    return Counter(message for message, _ in found)
