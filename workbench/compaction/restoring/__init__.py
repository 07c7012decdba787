"""Restore: what of the working set comes back once the summary stands, within its budgets (spec 1, section 10).

It must not refill what was freed: so files and skills have budgets, and whatever is cut or left out is named with its reason.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...conversation.block import REMINDER
from ...conversation.change import Change
from ...conversation.row import Row
from ...conversation.wording import counted
from ..ground import Ground
from ..plan import Plan
from ..result import Attachment, LeftOut
from ..rows_made import attachment_body, attachment_row
from ..settings import Settings
from ..working_set import DISK, WorkingSet
from .choosing import KIND, chosen
from .files import REFERENCE, restored_files
from .piece import Piece
from .rest import LABELS, agent_pieces, instructions_piece, listing_pieces, nested_left, plan_pieces, todo_piece
from .skills import KIND as SKILLS
from .skills import restored_skills

FIRST_ORDINAL = 2  # behind boundary and summary
BROUGHT_BACK = frozenset((KIND, REFERENCE, SKILLS, *LABELS))  # the types of attachments that a compaction sends again


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back and what did not; bodies: what stands on disk for each attachment, by the uuid of its row."""

    attachments: tuple[Attachment, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    changes: tuple[Change, ...] = ()
    reason: str = ""
    bodies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def candidates(working: WorkingSet, kept_rows: Sequence[Row], settings: Settings) -> tuple[str, ...]:
    """Paths of the files that come back, in order, chosen before any of them is read."""
    return tuple(f.path for f in chosen(working, kept_rows, settings)[0])


def paths_to_read(working: WorkingSet, kept_rows: Sequence[Row], settings: Settings) -> tuple[str, ...]:
    """Everything worth reading from disk: the chosen files, the project instructions, the plan."""
    plan = (working.plan.path,) if working.plan is not None and working.plan.path else ()
    wanted = (*candidates(working, kept_rows, settings), *(path for path, _ in working.instructions), *plan)
    return tuple(dict.fromkeys(wanted))


def forget(working: WorkingSet, cleared: Collection[str]) -> WorkingSet:
    """The working set once the results of these calls were cleared: a file that nothing else showed is forgotten."""
    files = tuple(
        replace(f, calls=tuple(c for c in f.calls if c not in cleared))
        for f in working.files
        if not f.calls or f.touched or f.shown or f.is_large or not set(f.calls) <= set(cleared)
    )
    return replace(working, files=files)


def restore(ground: Ground, plan: Plan, kept_rows: Sequence[Row], contents: Mapping[str, str]) -> Restored:
    """The attachments in the order in which they are sent; `contents` by path count where the plan takes files from disk."""
    working, settings = ground.working, plan.settings
    on_disk = contents if plan.files == DISK else None
    files, left = chosen(working, kept_rows, settings)
    file_pieces, files_left = restored_files(files, on_disk, working.cwd, settings)
    skills, skills_left = restored_skills(working.skills, settings)
    plans, plan_left = plan_pieces(working, on_disk or {})
    todos, todos_left = todo_piece(working)
    before = (instructions_piece(working, on_disk or {}), *file_pieces, skills, *plans)
    found = (*before, *agent_pieces(working), todos, *listing_pieces(working))
    pieces = tuple(p for p in found if p is not None)
    left_out = (*files_left, *left, *skills_left, *plan_left, *todos_left, *nested_left(working))
    return _as_rows(ground, pieces, left_out, _reason(pieces, left_out, settings))


def _as_rows(ground: Ground, pieces: Sequence[Piece], left_out: tuple[LeftOut, ...], reason: str) -> Restored:
    rows = [attachment_row(ground, FIRST_ORDINAL + at, p.kind, p.text) for at, p in enumerate(pieces)]
    attachments = tuple(Attachment(p.kind, p.name, r, p.tokens, p.truncated) for p, r in zip(pieces, rows, strict=True))
    changes = tuple(Change("restore", (r.uuid,), p.reason) for p, r in zip(pieces, rows, strict=True))
    bodies = {
        r.uuid: {**attachment_body(p.kind, f"{REMINDER}\n{p.text}\n</system-reminder>"), "attachment": dict(p.fields)}
        for p, r in zip(pieces, rows, strict=True)
    }
    return Restored(attachments, left_out, changes, reason, bodies)


def _reason(pieces: Sequence[Piece], left_out: Sequence[LeftOut], settings: Settings) -> str:
    counts = Counter(p.kind for p in pieces)
    words = []
    if counts[KIND] or counts[REFERENCE]:
        tokens = sum(p.tokens for p in pieces if p.kind == KIND)
        named = f", {counts[REFERENCE]} more by name only" if counts[REFERENCE] else ""
        words.append(f"{counted(counts[KIND], 'file')} ({counted(tokens, 'token')}{named})")
    words += [_label(kind, number) for kind, number in counts.items() if kind not in (KIND, REFERENCE)]
    told = f"Brought back: {', '.join(words)}." if words else "There is nothing to bring back."
    if settings.text("restoreOrder") == "modified" and (counts[KIND] or counts[REFERENCE]):
        told += (
            " Files that the session changed come first; which of the others was modified last on disk is not recorded, so they"
            " follow by their last read."
        )
    return f"{told} {counted(len(left_out), 'thing')} cut or left out, each with its reason." if left_out else told


def _label(kind: str, number: int) -> str:
    if kind == "invoked_skills":
        return "skills"
    label = LABELS.get(kind, kind.replace("_", " "))
    return label if number == 1 else f"{number} × {label}"
