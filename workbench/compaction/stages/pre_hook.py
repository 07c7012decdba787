"""The PreCompact hook: runs once, before notes or summary; its text counts as instructions (spec 1, sections 5 and 6.1)."""

from collections.abc import Mapping
from dataclasses import replace

from ..breaker import AUTO
from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import OK, SKIPPED, STOPPED, StageResult, Work
from ..variants import REACTIVE
from .common import result

NAME = "pre-hook"
THERE = ("PreCompact",)


def pre_hook(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Joins the hook's text to the instructions; a blocking hook skips the attempt, which is no failure."""
    blocked, text = ground.hooks.get("pre-blocked"), ground.hooks.get("pre", "").strip()
    joined = "\n\n".join(part for part in (plan.instructions.strip(), text) if part)
    work = replace(work, instructions=joined)
    if blocked is not None:
        why = blocked.strip().rstrip(".") or "it gave no reason"
        reason = f"A PreCompact hook blocks this attempt, which is no failure: {why}. {_what_follows(plan)}"
        outcome = STOPPED
    elif text:
        outcome, reason = OK, f"A PreCompact hook adds {len(text):,} characters of instructions."
    else:
        given = "the instructions are the user's own" if joined else "there are no custom instructions"
        outcome, reason = SKIPPED, f"No PreCompact hook is recorded; {given}."
    return result(NAME, ground, work, work.sent, work.sent, outcome=outcome, reason=reason, there=THERE, section="6.1")


def _what_follows(plan: Plan) -> str:
    if plan.variant == REACTIVE:
        return "The API's error is shown to the user."
    return (
        "The session goes on without a compaction, and the next turn asks again." if plan.trigger == AUTO else "Nothing is done."
    )
