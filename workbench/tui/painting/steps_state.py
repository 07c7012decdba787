"""What the agent carries from turn to turn, at the point where a compaction starts and after it (spec 1, section 10)."""

from collections.abc import Sequence

from ...compaction.breaker import Tracking, sentence
from ...compaction.cached import Registry, register
from ...compaction.run import Run
from ...compaction.settings import Settings
from ...compaction.stages.record import Recorded
from ...compaction.working_set import SeenFile, WorkingSet
from .document import Document
from .sheet import Sheet
from .text import one_line, pad

MOST = 200  # lines of one list; what is left out is counted


def state_document(run: Run, width: int) -> Document:
    """The state at the run's point; where the run came to its end, what becomes of it."""
    sheet = Sheet(width)
    ground = run.ground
    made = next((r.picture for r in run.results if isinstance(r.picture, Recorded)), None)
    _tracking(sheet, ground.tracking, made, run.plan.settings)
    _notes(sheet, run)
    _registered(sheet, run)
    _working(sheet, ground.working, reset=made is not None)
    _unknown(sheet, ground.working.unknown)
    return sheet.document()


def _fact(sheet: Sheet, name: str, words: str, style: str = "text") -> None:
    sheet.columns((("  ", ""), (pad(name, 24), "muted")), words, style)


def _tracking(sheet: Sheet, now: Tracking, made: Recorded | None, settings: Settings) -> None:
    sheet.heading("tracking", ("AutoCompactTrackingState; a success resets it", "muted"))
    after = made.tracking if made is not None else None
    pairs = (
        ("compacted", now.compacted, after.compacted if after else None),
        ("turns since then", now.turn_counter, after.turn_counter if after else None),
        ("failures in a row", now.consecutive_failures, after.consecutive_failures if after else None),
        ("quick refills in a row", now.quick_refills, after.quick_refills if after else None),
    )
    for name, before, later in pairs:
        changed = later is not None and later != before
        _fact(sheet, name, f"{_word(before)} → {_word(later)}" if changed else _word(before), "cleared" if changed else "text")
    _fact(sheet, "breaker", sentence(now, settings))


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _notes(sheet: Sheet, run: Run) -> None:
    notes = run.ground.notes
    sheet.heading("session notes")
    _fact(sheet, "file", notes.path or "none")
    _fact(sheet, "last-summarized row", notes.last_summarized or "not recorded in a transcript", "text")


def _registered(sheet: Sheet, run: Run) -> None:
    found = register(Registry(), run.ground.rows, run.plan.settings)
    sheet.heading("registered results", ("what cached clearing knows; time-based clearing resets it", "muted"))
    _fact(sheet, "ids", f"{len(found.registered):,} in {len(found.groups):,} user rows")
    if found.registered:
        _fact(sheet, "newest", ", ".join(found.registered[-3:]))


def _working(sheet: Sheet, working: WorkingSet, *, reset: bool) -> None:
    gone = "cleared by the compaction" if reset else "the read-file state; a compaction clears it"
    files = sorted(working.files, key=lambda f: -f.order)
    sheet.heading("files read or written", (f"{len(files)}, newest first; {gone}", "muted"))
    for file in files[:MOST]:
        _file(sheet, file)
    _left_out(sheet, len(files))
    _listed(sheet, "nested memory", [path for path, _ in working.nested], "loaded with files of their folders; cleared too")
    _listed(sheet, "project instructions", [path for path, _ in working.instructions], "read and sent again")
    _listed(sheet, "skills", [f"{s.name}  {s.path}" for s in working.skills], "that were invoked")
    sheet.heading("plan")
    _fact(sheet, "plan", working.plan.path if working.plan is not None else "none")
    _fact(sheet, "plan mode", "not recorded" if working.plan_mode is None else _word(working.plan_mode))
    _listed(sheet, "todos", [f"{status:<12} {text}" for text, status in working.todos], "")
    _listed(sheet, "background agents", list(working.agents), "still running")
    _listed(sheet, "discovered tools", list(working.discovered_tools), "kept in the boundary, loaded again")
    for listing in working.listings:
        _listed(sheet, listing.kind.replace("_", " "), list(listing.names), "announced again in full")


def _file(sheet: Sheet, file: SeenFile) -> None:
    how = "written" if file.modified else "read"
    what = "contents known" if file.is_whole else "parts known" if file.text is not None else "contents not known"
    head = ((f"  {how:<8}", "added" if file.modified else "muted"), (f"{what:<19}", "muted"))
    sheet.columns(head, one_line(file.path), "text")


def _listed(sheet: Sheet, title: str, names: Sequence[str], about: str) -> None:
    sheet.heading(title, (f"{len(names)}{'; ' + about if about and names else ''}" if names else "none", "muted"))
    for name in names[:MOST]:
        sheet.text(one_line(name), indent=2)
    _left_out(sheet, len(names))


def _left_out(sheet: Sheet, count: int) -> None:
    if count > MOST:
        sheet.text(f"and {count - MOST:,} more", "muted", indent=2)


def _unknown(sheet: Sheet, sentences: Sequence[str]) -> None:
    sheet.heading("not known", ("what the transcript does not tell" if sentences else "nothing", "muted"))
    for each in sentences:
        sheet.text(each, "unknown", indent=2)
