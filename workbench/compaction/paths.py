"""Paths as they are compared when files are restored: after expansion, and by what they are for (spec 1, section 10)."""

import re
from ntpath import normcase as normcase_windows
from ntpath import normpath as normpath_windows
from posixpath import normpath

from .working_set import FILE, MEMORY, PLAN

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_HOME = re.compile(r"(?:/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)(?=[\\/]|$)")
_WORKTREE = re.compile(r"^.*/\.claude/worktrees/[^/]+/")  # a copy of the project is judged by the paths inside it
_MEMORY_NAMES = frozenset(("claude.md", "claude.local.md", "memory.md"))


def expanded(path: str, cwd: str | None = None) -> str:
    """`path` made absolute where the working folder is known, without `~`, `.` and `..`; Windows paths in lower case."""
    path = path.strip()
    if path == "~" or path.startswith(("~/", "~\\")):
        home = home_of(cwd)
        path = home + path[1:] if home is not None else path
    if _WINDOWS.match(path):
        return normcase_windows(normpath_windows(path))
    if not path.startswith(("/", "~")) and cwd:
        joined = f"{cwd}/{path}"
        return normcase_windows(normpath_windows(joined)) if _WINDOWS.match(cwd) else normpath(joined)
    return normpath(path) if path else path


def home_of(cwd: str | None) -> str | None:
    """The home folder that a working folder stands in; None where it cannot be told."""
    found = _HOME.match(cwd or "")
    return found[0] if found is not None else None


def role_of(path: str, plan: str | None = None) -> str:
    """What an expanded path is for: "plan", "memory" (instructions, notes, the agent's own folder) or "file"."""
    inside = _WORKTREE.sub("/", path.replace("\\", "/"))
    if path == plan or "/.claude/plans/" in inside:
        return PLAN
    if inside.rpartition("/")[2].lower() in _MEMORY_NAMES or "/.claude/" in inside or "/session-memory/" in inside:
        return MEMORY
    return FILE


def display_path(path: str, cwd: str | None) -> str:
    """`path` relative to the working folder where it is inside it."""
    folder = f"{cwd}/" if cwd else ""
    return path[len(folder) :] if folder and path.startswith(folder) else path
