"""Which files come back: newest first, so many of them, chosen before anything is read (spec 1, section 10)."""

from collections.abc import Callable, Collection, Sequence

from ...conversation.row import Row
from ..paths import expanded
from ..result import LeftOut
from ..results import READ, is_cleared, path_of
from ..settings import Settings
from ..working_set import FILE, MEMORY, PLAN, SeenFile, WorkingSet

KIND = "file"
_ROLES = {
    PLAN: "a plan file: the plan comes back by itself",
    MEMORY: "a memory file: project instructions come back by themselves, notes are read when they are needed",
}


def chosen(working: WorkingSet, kept: Sequence[Row], settings: Settings) -> tuple[tuple[SeenFile, ...], tuple[LeftOut, ...]]:
    """The files that come back, in their order, chosen before anything is read; and those that do not, each with the reason."""
    left: list[LeftOut] = []
    wanted: list[SeenFile] = []
    standing = _shown_in(kept, working, settings)
    most = settings.number("restoreMaxFiles")
    for file in sorted(working.files, key=_order(settings)):
        if file.role != FILE:
            left.append(LeftOut(KIND, file.path, _ROLES[file.role]))
        elif expanded(file.path, working.cwd) in standing:
            left.append(LeftOut(KIND, file.path, "its contents still stand in the rows that are kept"))
        elif len(wanted) < most:
            wanted.append(file)
        else:
            left.append(LeftOut(KIND, file.path, f"{most} other files come first, and no more are brought back"))
    return tuple(wanted), tuple(left)


def _order(settings: Settings) -> Callable[[SeenFile], tuple[int, int]]:
    if settings.text("restoreOrder") == "modified":
        return lambda f: (-f.touched, -f.order)
    return lambda f: (-f.order, 0)


def _shown_in(kept: Sequence[Row], working: WorkingSet, settings: Settings) -> Collection[str]:
    """Expanded paths whose contents a kept row shows: the result of a Read that is not cleared, or an attached file."""
    of_call = {call: f.path for f in working.files for call in f.calls}
    of_row = {uuid: f.path for f in working.files for uuid in f.shown}
    with_calls = {expanded(f.path, working.cwd) for f in working.files if f.calls}
    found: set[str] = set()
    for row in kept:
        if row.uuid in of_row:
            found.add(expanded(of_row[row.uuid], working.cwd))
        for block in row.blocks:
            if block.kind == "tool_use" and block.name == READ:  # where the working set names no calls, the rows do
                path = path_of(block)
                if path is not None and expanded(path, working.cwd) not in with_calls:
                    of_call.setdefault(block.call, path)
            elif block.kind == "tool_result" and block.call in of_call and not block.error and not is_cleared(block, settings):
                found.add(expanded(of_call[block.call], working.cwd))
    return found
