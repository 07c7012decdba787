"""The plan, and whether plan mode is on."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..paths import expanded
from ..working_set import PLAN, TRANSCRIPT, UNKNOWN, SeenFile
from .events import Attached, Call, Event, Prompt, string

ENTER, EXIT = "EnterPlanMode", "ExitPlanMode"
_SAVED = re.compile(r"^Your plan has been saved to: *(\S.*)$", re.MULTILINE)
_APPROVED = "## Approved Plan:\n"
_ON, _OFF = ("plan_mode", "plan_mode_reentry"), "plan_mode_exit"


@dataclass(frozen=True, slots=True)
class Planning:
    """What is known of the plan: its file, its text with the order of the event that told it, the mode (None: unknown)."""

    path: str = ""
    text: str | None = None
    order: int = 0
    mode: bool | None = None


def planning_of(events: Iterable[Event]) -> Planning:
    """The newest of everything that tells of plans; a plan that was turned down is the plan still, and the mode stays on."""
    found = Planning()
    for event in events:
        if isinstance(event, Call):
            found = _call(found, event)
        elif isinstance(event, Attached):
            found = _attachment(found, event)
        elif isinstance(event, Prompt):
            mode = event.record.get("permissionMode")
            found = _with(found, event.order, text=event.record.get("planContent"), mode=mode == "plan" if mode else None)
    return found


def _call(found: Planning, call: Call) -> Planning:
    if call.name == ENTER and not call.failed:
        return _with(found, call.order, mode=True)
    if call.name != EXIT:
        return found
    saved = _SAVED.search(call.text)
    path = call.detail.get("filePath") or call.input.get("planFilePath") or (saved[1].strip() if saved is not None else "")
    text = call.detail.get("plan") or call.input.get("plan") or call.text.partition(_APPROVED)[2]
    return _with(found, call.order, path=path, text=text, mode=call.failed)


def _attachment(found: Planning, event: Attached) -> Planning:
    path = event.fields.get("planFilePath")
    if event.kind in _ON:
        return _with(found, event.order, path=path, mode=True)
    if event.kind == _OFF:
        return _with(found, event.order, path=path, mode=False)
    if event.kind in ("plan", "plan_file_reference"):
        return _with(found, event.order, path=path, text=event.fields.get("planContent"))
    return found


def _with(found: Planning, order: int, *, path: object = None, text: object = None, mode: bool | None = None) -> Planning:
    new = string(text)
    return Planning(
        string(path) or found.path, new or found.text, order if new else found.order, found.mode if mode is None else mode
    )


def plan_of(planning: Planning, files: Iterable[SeenFile], cwd: str | None) -> SeenFile | None:
    """The plan: its file where that was written later than it was shown, else as it was shown; None without a plan."""
    wanted = expanded(planning.path, cwd) if planning.path else ""
    plans = [f for f in files if f.role == PLAN]
    file = max((f for f in plans if not wanted or expanded(f.path, cwd) == wanted), key=lambda f: f.order, default=None)
    if planning.text is None:
        known = SeenFile(planning.path, None, UNKNOWN, role=PLAN, why="its text is not recorded") if planning.path else None
        return file or known
    if file is not None and file.text is not None and file.order >= planning.order:
        return file
    path = planning.path or (file.path if file is not None else "")
    return SeenFile(path, planning.text, TRANSCRIPT, role=PLAN, order=planning.order, why="as it was shown")
