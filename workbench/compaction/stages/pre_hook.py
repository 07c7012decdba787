"""The PreCompact hook: runs once, before notes or summary; its text counts as custom instructions (spec 1, sections 5 and 6.1)."""

from collections.abc import Mapping
from dataclasses import replace

from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import OK, SKIPPED, STOPPED, StageResult, Work
from .common import result

NAME = "pre-hook"
THERE = ("PreCompact",)


def pre_hook(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """Joins the hook's text to the instructions; a blocking hook skips the attempt, which is no failure."""
    blocked, text = ground.hooks.get("pre-blocked"), ground.hooks.get("pre", "").strip()
    joined = "\n\n".join(part for part in (plan.instructions.strip(), text) if part)
    work = replace(work, instructions=joined)
    if blocked is not None:
        reason = f"A PreCompact hook blocks this attempt: {blocked or 'it gave no reason'}."
        outcome = STOPPED
    elif text:
        outcome, reason = OK, f"A PreCompact hook adds {len(text):,} characters of instructions."
    else:
        given = "the instructions are the user's own" if joined else "there are no custom instructions"
        outcome, reason = SKIPPED, f"No PreCompact hook is recorded; {given}."
    return result(NAME, ground, work, work.rows, work.rows, outcome=outcome, reason=reason, there=THERE, section="6.1")
