"""Finds sessions, at the edge: the agent's projects folder, any other folder, the samples; and reads a first part of a file.

Folders and files that cannot be read are told, never raised: one of them must not hide the others.
"""

import os
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

from .errors import SessionError, SessionNotFound, UsageError
from .storage import CHUNK, STDIN, MemoryFile, SessionFile, identity_of, is_folder, open_session, projects_folder, read_text
from .transcript.index import Index
from .transcript.session import Session
from .workspace.catalogue import SAMPLE, SESSION, Entry, Facts, Found, sample_words
from .workspace.glance import facts_of

SAMPLES = "sample_sessions"
SUFFIX = ".jsonl"
AGENT_FILE = "agent-"  # of a sub-agent; the session itself leads to it


def find(folder: str = "") -> Found:
    """The sessions of a folder and of the folders right below it, newest first, and the samples; "": the projects folder."""
    problems: list[str] = []
    looked_at = Path(folder).expanduser() if folder else projects_folder()
    if not folder and not is_folder(str(looked_at)):
        problems += _no_projects(looked_at)
        sessions: list[Entry] = []
    else:
        sessions = list(_sessions(looked_at, problems))
    sessions.sort(key=lambda e: (-e.modified, e.path))
    return Found(str(looked_at), str(Path.home()), not folder, tuple(sessions), samples(), tuple(problems))


def _no_projects(folder: Path) -> list[str]:
    if os.environ.get("CLAUDE_CONFIG_DIR"):
        return [f"There is no folder {folder}, where CLAUDE_CONFIG_DIR leads.", "Press o to list another folder or open a file."]
    return [
        f"There is no folder {folder}.",
        "Set CLAUDE_CONFIG_DIR if the agent keeps its files elsewhere, or press o.",
    ]


def _sessions(folder: Path, problems: list[str]) -> Iterator[Entry]:
    seen = {identity_of(folder)}  # links lead to a folder twice, or round in a circle
    for found in sorted(_listed(folder, problems), key=os.DirEntry.is_symlink):
        if found.is_dir():
            identity = identity_of(Path(found.path))
            if identity in seen:
                continue
            seen.add(identity)
            yield from (_entry(f, found.name) for f in _listed(Path(found.path), problems) if _is_session(f))
        elif _is_session(found):
            yield _entry(found, folder.name)


def _listed(folder: Path, problems: list[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError as error:
        problems.append(f"Cannot list {folder}: {(error.strerror or str(error)).lower()}.")
        return []


def _is_session(found: os.DirEntry[str]) -> bool:
    return found.name.endswith(SUFFIX) and not found.name.startswith(AGENT_FILE) and found.is_file()


def _entry(found: os.DirEntry[str], folder: str) -> Entry:
    try:
        facts = found.stat()
    except OSError:  # gone since it was listed: reading it will say so
        return Entry(found.path, found.name.removesuffix(SUFFIX), folder)
    return Entry(found.path, found.name.removesuffix(SUFFIX), folder, facts.st_size, facts.st_mtime, SESSION)


def samples() -> tuple[Entry, ...]:
    """The sample sessions with what each shows, by name; () where they are not installed."""
    folder = samples_folder()
    if folder is None:
        return ()
    try:
        words = sample_words(read_text(folder / "README.md"))
        files = sorted(p for p in folder.glob(f"*{SUFFIX}") if p.name in words)
        return tuple(Entry(str(p), p.stem, SAMPLES, p.stat().st_size, group=SAMPLE, about=words[p.name]) for p in files)
    except (SessionError, OSError):
        return ()


def samples_folder() -> Path | None:
    """Beside the package in a checkout, else where an installation puts shared data; None where neither is there."""
    beside = Path(__file__).parents[1]
    schemes = [name for name in ("posix_user", "nt_user", "osx_framework_user") if name in sysconfig.get_scheme_names()]
    roots = [sysconfig.get_path("data"), *(sysconfig.get_path("data", name) for name in schemes), str(beside)]
    places = [beside / SAMPLES, *(Path(root) / "share" / "workbench" / SAMPLES for root in roots)]
    return next((place for place in places if (place / "README.md").is_file()), None)


def open_typed(name: str) -> SessionFile | MemoryFile:
    """The session that the user typed the path or id of. Raises SessionError or UsageError with a sentence."""
    if name == STDIN:
        raise UsageError("Standard input can be read from the command line only: `workbench -`.")
    try:
        return open_session(name)
    except (OSError, RuntimeError) as error:
        raise SessionNotFound(f"There is no file {name[:80]}; give the path of a session file or a session id.") from error


def survey(entry: Entry, most: int, give_up: Callable[[], bool]) -> Facts | None:
    """The facts of the first `most` bytes of a file; None when it was given up half-way."""
    try:
        file = SessionFile(Path(entry.path))
    except SessionError as error:
        return _unreadable(entry, error)
    try:
        index = Index()
        for _ in index.feed(_beginning(file, most), last=most >= entry.size):
            if give_up():
                return None
        return facts_of(Session(file, index), entry, min(most, entry.size))
    except SessionError as error:
        return _unreadable(entry, error)
    finally:
        file.close()


def _unreadable(entry: Entry, error: SessionError) -> Facts:
    """The reason without the path, which stands beside it anyway."""
    return Facts(entry.size, entry.modified, problem=str(error).replace(f" {entry.path}:", ":"))


def _beginning(file: SessionFile, most: int) -> Iterator[bytes]:
    at = 0
    while at < most and (chunk := file.read(at, min(CHUNK, most - at))):
        yield chunk
        at += len(chunk)
