"""SessionStart hooks (source compact) come last; then PostCompact, which adds nothing (spec 1, section 10)."""

from collections.abc import Mapping
from dataclasses import replace

from ..ground import Ground
from ..plan import Plan
from ..request import Reply
from ..result import OK, SKIPPED, StageResult, Work
from ..rows_made import attachment_row
from .common import result, standing

NAME = "hooks"
THERE = ("SessionStart:compact", "PostCompact")
ORDINAL = 900  # behind every attachment


def run_hooks(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageResult:
    """The text that a SessionStart hook printed becomes a reminder; a hook is never run here."""
    text = ground.hooks.get("session-start", "").strip()
    rows = (attachment_row(ground, ORDINAL, "hook_success", text),) if text else ()
    done = replace(work, hook_rows=rows)
    post = " A PostCompact hook's text is shown to the user only." if ground.hooks.get("post") else ""
    reason = (
        f"A SessionStart hook adds {len(text):,} characters.{post}"
        if text
        else f"No SessionStart hook (source compact) is recorded.{post}"
    )
    return result(
        NAME,
        ground,
        done,
        standing(work),
        standing(done),
        outcome=OK if text else SKIPPED,
        reason=reason,
        there=THERE,
        section="10",
    )
