"""The state of a session's screen. Everything the user looks at is in it or drawn from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .figures import ROUGH, Figures
from .filtering import Filter
from .view import Columns, View

if TYPE_CHECKING:
    from .boundary_view import BoundaryView, NoBoundary
    from .doctor_view import DoctorView, NoDoctor
    from .notes_edit import Editing
    from .notes_view import NotesView
    from .opened import Opened
    from .steps import Steps

MESSAGES, PAIRS, BOUNDARY, NOTES, STEPS, DOCTOR = "messages", "pairs", "boundary", "notes", "steps", "doctor"
TABS = (MESSAGES, PAIRS, BOUNDARY, NOTES, STEPS, DOCTOR)
TEXT, JSON, RAW = "text", "json", "raw"
ALL, FAULTY, ERRORS, REPAIRABLE = "all", "faulty", "errors", "repairable"


@dataclass(frozen=True, slots=True)
class Loading:
    """How far the index has come: rows so far, bytes of bytes."""

    rows: int = 0
    done: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class Workspace:
    """One open session as the screen shows it.

    opened   None while it is being read, or when it cannot be (`problem` says why)
    call     the timeline's cursor
    columns  the arrays of `view`; None while they are being assembled, or with `problem_of_view`
    stale    the session has grown since they were assembled; `live` while it keeps growing,
             `gone` when its file was removed
    seek     the line whose message is to be selected when they come; None for none
    by_size  the messages are listed the largest first, instead of in the order of the array
    side     0 the left array, 1 the right one; `cursors` are the selected items of each, as indices into all items
    pair     the selected line among all pairs; `pair_filter` says which of them are listed
    boundary what the Boundary tab shows, `notes` the Notes tab, with the selected `section`; None until it is read
    editing  the draft of the notes, and what stands beside it
    steps    the simulated compaction; None until one is begun
    doctor   the diagnosis; None until it is made, and stale (of another `opened`) while it is made anew; `finding` is the
             selected one among all, `finding_filter` says which of them are listed
    figures  of the messages shown, by other estimators than the rough one; `estimator` says whose are shown,
             `uncounted` why the tokenizer gives none
    """

    name: str
    loading: Loading | None = field(default_factory=Loading)
    opened: Opened | None = None
    problem: str = ""
    tab: str = MESSAGES
    call: int = 0
    view: View = field(default_factory=View)
    columns: Columns | None = None
    problem_of_view: str = ""
    filter: Filter = field(default_factory=Filter)
    by_size: bool = False
    side: int = 0
    cursors: tuple[int, int] = (0, 0)
    form: str = TEXT
    pair: int = 0
    pair_filter: str = ALL
    boundary: BoundaryView | NoBoundary | None = None
    notes: NotesView | None = None
    section: int = 0
    editing: Editing | None = None
    steps: Steps | None = None
    doctor: DoctorView | NoDoctor | None = None
    finding: int = 0
    finding_filter: str = ALL
    stale: bool = False
    live: bool = False
    gone: bool = False
    seek: int | None = None
    estimator: str = ROUGH
    figures: tuple[Figures, ...] = ()
    uncounted: str = ""

    def with_changes(self, **changes: object) -> Workspace:
        """The same with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]
