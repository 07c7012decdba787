"""What is wanted of a simulated compaction: where it starts, how it compacts, and every setting, as the plan form shows it.

A wish is text as the user gave it; `settings_for` and `plan_for` make of it what the run takes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..compaction.breaker import MANUAL
from ..compaction.plan import Plan
from ..compaction.profiles import ARTICLES, preset_named, preset_of, resolve
from ..compaction.settings import ENVIRONMENT, FILE, FLAG, Layer, Settings
from ..compaction.variants import AUTO, FROM, REACTIVE, UP_TO, default_trigger, switched_on
from ..compaction.working_set import TRANSCRIPT
from ..errors import UsageError
from ..evidence.firing import was_reactive
from .view import BOUNDARY as AROUND
from .view import CALL as OF_CALL

if TYPE_CHECKING:
    from .opened import Opened
    from .state import Workspace

END, CALL, BOUNDARY = "end", "call", "boundary"
FORM = "form"  # the source of a setting that was given here
TOO_LONG = "prompt is too long"


@dataclass(frozen=True, slots=True)
class Point:
    """Where it starts: at the end of the file, before call `number`, or before boundary `number` (both from 0)."""

    kind: str = END
    number: int = 0

    @property
    def words(self) -> str:
        """As the form takes it: "end", "call 58", "boundary 2"."""
        return END if self.kind == END else f"{self.kind} {self.number + 1}"


@dataclass(frozen=True, slots=True)
class Wish:
    """Everything that the form holds.

    trigger     "": what is usual for the variant
    pivot, pins uuids
    preset      "": that of the version which the session records
    notes       path of notes to compact from; "": the session's own
    edits       (name, text) of each setting that was given here
    """

    point: Point = Point()
    variant: str = AUTO
    trigger: str = ""
    pivot: str = ""
    pins: tuple[str, ...] = ()
    instructions: str = ""
    summarizer: str = "offline"
    model: str = ""
    files: str = TRANSCRIPT
    error: str = TOO_LONG
    notes: str = ""
    profile: str = ARTICLES
    preset: str = ""
    edits: tuple[tuple[str, str], ...] = ()


def first_wish(workspace: Workspace) -> Wish:
    """At the point that the screen shows, with the settings that the session was opened with."""
    opened = workspace.opened
    if opened is None:
        return Wish()
    settings = opened.settings
    usual = preset_of(opened.session.index.last_version).name
    preset = "" if settings.preset in ("", usual) else settings.preset
    return moved_to(point_shown(workspace), Wish(profile=settings.profile or ARTICLES, preset=preset), opened)


def moved_to(point: Point, wish: Wish, opened: Opened) -> Wish:
    """The wish at another point, unless the form says otherwise: a compaction that was made by hand is simulated by hand, one
    that came below the threshold as reactive."""
    boundaries = opened.inspection.boundaries
    is_manual = point.kind == BOUNDARY and boundaries[point.number].boundary.trigger == MANUAL
    was_manual = wish.point.kind == BOUNDARY and wish.trigger == MANUAL
    trigger = MANUAL if is_manual and not wish.trigger else "" if was_manual and not is_manual else wish.trigger
    is_reactive = point.kind == BOUNDARY and was_reactive(boundaries[point.number].boundary, opened.inspection.threshold)
    leaves_one = wish.point.kind == BOUNDARY and wish.variant == REACTIVE and not is_reactive
    variant = REACTIVE if is_reactive and wish.variant == AUTO else AUTO if leaves_one else wish.variant
    return replace(wish, point=point, trigger=trigger, variant=variant)


def point_shown(workspace: Workspace) -> Point:
    """The boundary or call whose array is shown; else the call under the timeline's cursor, at the newest one the end.

    Under the cursor the calls on both sides of a compaction stand for it: the one before it is where it fires, and whoever
    goes there wants to see it done.
    """
    view, opened = workspace.view, workspace.opened
    if opened is None or view.point == AROUND:
        return Point(BOUNDARY, view.number) if opened is not None else Point()
    points = opened.timeline.points
    if view.point != OF_CALL and workspace.call >= len(points) - 1:
        return Point()
    number = view.number if view.point == OF_CALL else workspace.call
    lines = [b.boundary.line for b in opened.inspection.boundaries]
    first = points[number - 1].line if number else 0
    last = points[number].line if view.point == OF_CALL or number + 1 == len(points) else points[number + 1].line
    around = [at for at, line in enumerate(lines) if first < line < last]
    return Point(BOUNDARY, around[-1]) if around else Point(CALL, number)


def line_of(point: Point, opened: Opened) -> int | None:
    """The physical line before which it starts; None at the end. Raises UsageError where the session has no such point."""
    if point.kind == END:
        return None
    found = (
        [p.line for p in opened.timeline.points]
        if point.kind == CALL
        else [b.boundary.line for b in opened.inspection.boundaries]
    )
    if not 0 <= point.number < len(found):
        what = "no call" if not found else f"no {point.words}: there are {len(found)}"
        raise UsageError(f"This session has {what}.")
    return found[point.number]


def column_of(point: Point, opened: Opened) -> int:
    """The call before which it stands on the timeline; their number at the end."""
    calls = len(opened.timeline.points)
    if point.kind == CALL:
        return min(point.number, calls)
    line = line_of(point, opened)
    return calls if line is None else sum(p.line < line for p in opened.timeline.points)


def settings_for(wish: Wish, base: Settings, version: str | None) -> Settings:
    """The settings in force: those of profile and preset, what file, environment and flags gave, and what the form gave.

    Raises UsageError for a profile or preset that does not exist.
    """
    preset = preset_named(wish.preset) if wish.preset else preset_of(version)
    found = resolve(wish.profile, preset, _given(base))
    return replace(found, ignored=base.ignored).layered(Layer(FORM, dict(wish.edits)))


def plan_for(wish: Wish, settings: Settings, breakpoints: frozenset[str] = frozenset()) -> Plan:
    """The plan of a wish. Raises UsageError where it needs a pivot and has none."""
    if wish.variant in (FROM, UP_TO) and not wish.pivot:
        raise UsageError(f"The variant {wish.variant} cuts at a message: select one and press m, or give its line as pivot.")
    return Plan(
        switched_on(wish.variant, settings),
        wish.variant,
        wish.trigger or default_trigger(wish.variant),
        wish.pivot or None,
        wish.instructions,
        wish.pins,
        wish.error or TOO_LONG,
        (),
        f"{wish.summarizer} {wish.model}".strip(),
        wish.files,
        breakpoints,
    )


def _given(base: Settings) -> list[Layer]:
    """What was given from outside, in the layers it came in."""
    layers: dict[tuple[str, str], dict[str, object]] = {}
    for source in (FILE, ENVIRONMENT, FLAG):
        for name, value in base.items():
            if value.source == source:
                layers.setdefault((source, value.detail), {})[name] = value.value
    return [Layer(source, values, detail) for (source, detail), values in layers.items()]


def point_words(point: Point, opened: Opened | None) -> str:
    """Where it starts, for people: "boundary 2, line 517"."""
    if point.kind == END:
        return "the end"
    line = line_of(point, opened) if opened is not None else None
    return point.words + (f", line {line:,}" if line is not None else "")
