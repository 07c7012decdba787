"""Restore: bring the working set back, each kind within its budget (spec 1, section 10; spec 6, section 2)."""

from collections.abc import Mapping
from dataclasses import replace

from ...conversation.wording import counted
from ..ground import Ground
from ..plan import Plan
from ..request import FILES, Reply, Request, key_of
from ..restoring import forget, paths_to_read, restore
from ..result import OK, SKIPPED, Number, StageStep, Work
from ..working_set import DISK
from .common import number_of, result, standing

NAME = "restore"
THERE = (
    "createPostCompactFileAttachments",
    "shouldExcludeFromPostCompactRestore",
    "collectReadToolFilePaths",
    "readFileState",
    "loadedNestedMemoryPaths",
    "createSkillAttachmentIfNeeded",
    "getDeferredToolsDeltaAttachment",
    "getAgentListingDeltaAttachment",
    "getMcpInstructionsDeltaAttachment",
)
USED = (
    "restoreMaxFiles",
    "restoreTokensPerFile",
    "restoreTokenBudget",
    "skillTokens",
    "skillsTokenBudget",
    "restoreOrder",
    "restoreLargeFile",
)
READS = (*USED, "files", "clearedText")


def bring_back(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageStep:
    """Files, skills, plan, listings, instructions: what came back, what was cut, what was left out and why."""
    contents: Mapping[str, str] = {}
    answers: tuple[str, ...] = ()
    known = replace(ground, working=forget(ground.working, work.cleared)) if work.cleared else ground
    if plan.files == DISK:
        paths = paths_to_read(known.working, work.kept, plan.settings)
        key = key_of(FILES, paths)
        if paths and key not in replies:
            return Request(FILES, key, "file contents as they are on disk now", paths=paths)
        contents = replies[key].files if paths else {}
        answers = (key,)
    found = restore(known, plan, work.kept, contents)
    done = replace(work, attachments=found.attachments, left_out=found.left_out, bodies=found.bodies)
    numbers = [
        Number(
            "brought back",
            f"{counted(len(found.attachments), 'attachment')}, {counted(sum(a.tokens for a in found.attachments), 'token')}",
            "estimated",
            "rough: bytes/4",
        ),
        Number("left out", str(len(found.left_out)), "exact", "each with its reason"),
        *(number_of(plan.settings, n) for n in USED),
    ]
    reason = found.reason + "".join(f" Unknown: {u}" for u in known.working.unknown)
    return result(
        NAME,
        ground,
        done,
        standing(work),
        standing(done),
        outcome=OK if found.attachments else SKIPPED,
        reason=reason,
        there=THERE,
        section="10",
        numbers=numbers,
        changes=found.changes,
        picture=found,
        answers=answers,
    )
