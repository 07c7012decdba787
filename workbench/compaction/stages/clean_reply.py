"""Clean: from the reply to the summary, and the message that carries it (spec 1, sections 6.6 and 8.4)."""

from collections.abc import Mapping
from dataclasses import replace

from ...conversation.text import rough, utf8_length
from ...conversation.wording import counted
from ...memory.continuation import continuation
from ..cleaning import clean
from ..ground import Ground
from ..plan import Plan
from ..request import TOOL_CALL, Reply
from ..result import FAILED, OK, Number, StageResult, Work
from ..rows_made import summary_row
from ..splitting import SUFFIX
from .common import goes_on, number_of, result, standing

NAME = "clean"
THERE = ("formatCompactSummary", "getCompactUserSummaryMessage")
EDITED = "summary:edited"
READS = ("untaggedSummary", "manualGoesOn")


def clean_reply(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """The summary as the model wrote it, or as the user edited it."""
    reply = work.reply or Reply()
    cleaned = clean(reply.text, plan.settings, stop_reason=reply.stop_reason, called_tool=reply.outcome == TOOL_CALL)
    if cleaned.failed:
        return result(
            NAME,
            ground,
            work,
            work.sent,
            work.sent,
            outcome=FAILED,
            reason=" ".join(cleaned.reasons),
            there=THERE,
            section="6.6",
            answers=(EDITED,),
        )
    edited = replies.get(EDITED)
    text = edited.text if edited is not None else cleaned.text
    follows = bool(work.kept) and work.side == SUFFIX
    made = summary_row(ground, continuation(text, ground.transcript, tail_follows=follows, go_on=goes_on(plan)))
    done = replace(work, summary=text, summary_row=made)
    size = rough(utf8_length(text))
    reasons = [*cleaned.reasons, "Edited by the user."] if edited is not None else list(cleaned.reasons)
    numbers = [
        Number("summary", counted(size, "token"), "estimated", "rough: bytes/4"),
        number_of(plan.settings, "untaggedSummary"),
    ]
    return result(
        NAME,
        ground,
        done,
        work.sent,
        standing(done),
        outcome=OK,
        reason=" ".join([f"A summary of about {counted(size, 'token')}.", *reasons]),
        there=THERE,
        section="6.6, 8.4",
        numbers=numbers,
        answers=(EDITED,),
    )
