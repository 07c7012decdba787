"""A compaction from the notes as they are being written: what would stand in context, and how far below the threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..compaction.ground import NotesGround
from ..compaction.plan import Plan
from ..compaction.request import ERROR, Reply, Request
from ..compaction.result import StageResult, messages_of, tokens_of
from ..compaction.run import COMPACTED, Run, forward, renoted, start, step
from ..compaction.stages.notes_path import NAME as NOTES
from ..compaction.variants import SESSION_MEMORY, switched_on
from ..conversation.row import Message
from ..evidence.grounding import ground_at
from ..memory.window import KeepWindow

if TYPE_CHECKING:
    from .opened import Opened

MANUAL = "manual"


@dataclass(frozen=True, slots=True, eq=False)
class NotesResult:
    """A run of variant session-memory by hand, which skips the check against the threshold: `headroom` tells it instead.

    before, after  tokens in context; `overhead` is in both; None: unknown, or nothing was compacted
    threshold      tokens at which an automatic one fires; None without one
    messages       the array that follows
    """

    run: Run
    before: int | None
    after: int | None
    overhead: int
    threshold: int | None
    messages: tuple[Message, ...] = ()

    @property
    def is_compacted(self) -> bool:
        return self.run.outcome == COMPACTED

    @property
    def headroom(self) -> int | None:
        """Tokens below the threshold; negative: over it, so that an automatic compaction from these notes fails."""
        return None if self.after is None or self.threshold is None else self.threshold - self.after

    @property
    def stage(self) -> StageResult | None:
        """What the stage of the notes says."""
        return next((r for r in self.run.results if r.name == NOTES), None)

    @property
    def window(self) -> KeepWindow | None:
        """The rows that stay, and how that window grew."""
        picture = self.stage.picture if self.stage is not None else None
        return picture if isinstance(picture, KeepWindow) else None


def run_before_notes(opened: Opened, transcript: str | None) -> Run:
    """The run up to where it looks at the notes: drawn once, since no edit of them changes it."""
    settings = switched_on(SESSION_MEMORY, opened.settings)
    ground = ground_at(opened.session, settings, transcript=transcript)
    run = start(ground, Plan(settings, SESSION_MEMORY, MANUAL))
    while run.next not in (NOTES, None):
        run = step(run)
    return run


def result_from(before: Run, notes: NotesGround) -> NotesResult:
    """The compaction from these notes."""
    run = forward(renoted(before, notes), _nobody)
    ground = run.ground
    done = run.outcome == COMPACTED
    after = tokens_of(run.work.rows) + ground.overhead_tokens if done else None
    messages = messages_of(run.work.rows) if done else ()
    return NotesResult(run, ground.tokens.tokens, after, ground.overhead_tokens, ground.threshold.auto, messages)


def _nobody(request: Request) -> Reply:
    """Compacting from notes asks nobody; if it should, the stage is told so."""
    return Reply(ERROR, error=f"Nobody answers here: {request.purpose}.")
