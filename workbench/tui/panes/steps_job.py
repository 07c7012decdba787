"""What the Steps tab has computed for it: a run drawn from a wish and taken on, without a widget, in a worker's thread."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...compaction.debugger import advance, edited
from ...compaction.ground import Ground, NotesGround
from ...compaction.plan import Plan
from ...compaction.request import Reply, Request
from ...compaction.run import Run, renoted, replan, start
from ...compaction.setting_table import BREAKER, WINDOW
from ...compaction.settings import TABLE
from ...evidence.covered import budgets_of
from ...evidence.grounding import ground_at
from ...notebook import NotesFile, notes_ground, notes_of
from ...storage import SessionFile
from ...transcript.session import Session
from ...workspace.opened import Opened
from ...workspace.steps import Steps
from ...workspace.steps_plan import Wish, line_of, plan_for, settings_for

Ask = Callable[[Run, Request], Reply | None]

OF_THE_GROUND = frozenset(name for name, setting in TABLE.items() if setting.group in (WINDOW, BREAKER)) | {
    "now",
    "noteSectionTokens",
    "noteTotalTokens",
}


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """One thing to compute.

    old     what stands on the screen
    wish    what is wanted now
    target  how many results there are to be; None: on to the end or a breakpoint
    anew    from the first stage, whatever could be kept
    summary the user's text in place of the summary; None: the model's; `edits` says whether there is one to put in
    words   what is told while it runs
    notes   the notes as they stand in the editor, where they do; None: those of the file
    """

    opened: Opened
    old: Steps
    wish: Wish
    target: int | None = None
    anew: bool = False
    edits: bool = False
    summary: str | None = None
    words: str = "computing"
    notes: NotesFile | None = None


def runs_of(job: Job, ask: Ask) -> Iterator[Run]:
    """The run after each step of the job, the first as it is before any. Raises WorkbenchError where the wish does not fit."""
    run = _edited(job) if job.edits else _drawn(job)
    yield run
    if job.target is None or len(run.results) < job.target:
        yield from advance(run, job.target, ask)


def _edited(job: Job) -> Run:
    if job.old.run is None:
        return _drawn(job)
    return edited(job.old.run, job.summary)


def _drawn(job: Job) -> Run:
    """A run for the wish; what the old one computed is kept as far as the change cannot reach it."""
    wish, old, opened = job.wish, job.old, job.opened
    settings = settings_for(wish, opened.settings, opened.session.index.last_version)
    plan = plan_for(wish, settings, old.breakpoints)
    if old.run is not None and not job.anew and _same_ground(job, plan):
        run = old.run if wish == old.drawn else replan(old.run, plan)
        return run if job.notes is None or wish.notes else renoted(run, _notes(job, plan))
    return start(_ground(job, plan), plan)


def _ground(job: Job, plan: Plan) -> Ground:
    """The session at the point, with its notes. Raises SessionNotFound where they cannot be read."""
    session = job.opened.session
    line = line_of(job.wish.point, job.opened)
    return ground_at(session, plan.settings, line=line, notes=_notes(job, plan), transcript=_path(session))


def _notes(job: Job, plan: Plan) -> NotesGround:
    """The notes that are named, else those in the editor, else the session's own."""
    session, line = job.opened.session, line_of(job.wish.point, job.opened)
    limit = None if line is None else session.place_of_line(line)
    file = job.notes if job.notes is not None and not job.wish.notes else notes_of(session, job.wish.notes or None)
    return notes_ground(session, file, budgets_of(plan.settings), limit)


def _same_ground(job: Job, plan: Plan) -> bool:
    """Whether the state it starts from is the same: only other settings of window or counters, or another place, change it."""
    old = job.old
    if old.run is None or old.drawn is None or old.opened is not job.opened:
        return False
    before = old.run.plan.settings
    same_settings = all(before[name].value == plan.settings[name].value for name in OF_THE_GROUND)
    return same_settings and (old.drawn.point, old.drawn.notes) == (job.wish.point, job.wish.notes)


def _path(session: Session) -> str | None:
    reader = session.reader
    return str(reader.path) if isinstance(reader, SessionFile) and not session.is_request else None
