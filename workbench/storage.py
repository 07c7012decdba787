"""The only module that opens files: ranged reads, atomic writes, finding sessions.

Reads go through `pread` into one buffer: a file that is truncated while it is open yields short reads, where a mapped
one would kill the process.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import finalize

from .conversation.wording import counted
from .errors import ChangedMeanwhile, NotASession, SessionNotFound, UsageError, WriteRefused
from .transcript.index import FileFacts, Index
from .transcript.lines import BOM
from .transcript.record import NO_KIND

if TYPE_CHECKING:
    from .transcript.session import Session

CHUNK = 1 << 20  # bytes
STDIN = "-"
CLOSED = -1  # in place of a file descriptor: no call takes it
AGENT = "agent-"  # begins the name of a sub-agent's file, or what is joined to the session's name
MOST_PLAIN_BYTES = 256 << 20  # a Messages API request is read whole; the API takes 32 MB

LONGEST_SHOWN = 200  # characters of a path in a sentence

_SESSION_ID = re.compile(rb'"sessionId":"([0-9A-Za-z-]+)"')
_BEGINNING = 64 << 10  # bytes in which a record names its session
_LONGEST_ID = 128  # characters; the ids that the agent gives have 36


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells whether a file is still the one that was opened: device, inode, bytes, modification time in ns."""

    device: int
    inode: int
    size: int
    modified_ns: int


class SessionFile:
    """An open session file, read only. `read` gives what is there: fewer bytes than asked where the file was cut."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            mode = path.stat().st_mode
            if stat.S_ISDIR(mode):
                raise SessionNotFound(f"{path} is a folder, not a file; `workbench inspect {path}` lists its sessions.")
            if not stat.S_ISREG(mode):
                raise SessionNotFound(f"{path} is not a file; name a session file or a session id.")
            self._fd = os.open(path, os.O_RDONLY)
        except OSError as error:
            raise _cannot_read(path, error) from error
        self._release = finalize(self, os.close, self._fd)  # also when nobody looks at it any more

    @property
    def name(self) -> str:
        return self.path.name

    def read(self, offset: int, length: int) -> bytes:
        """`length` bytes at `offset`, fewer at the end of the file. Raises SessionNotFound when it cannot be read."""
        try:
            return os.pread(self._fd, length, offset)
        except OSError as error:
            raise _cannot_read(self.path, error) from error

    def chunks(self, start: int = 0) -> Iterator[bytes]:
        """The bytes from `start` to the end, 1 MiB at a time."""
        while chunk := self.read(start, CHUNK):
            yield chunk
            start += len(chunk)

    def fingerprint(self) -> Fingerprint:
        """Of the file that is open. Raises SessionNotFound when it was closed."""
        try:
            facts = os.fstat(self._fd)
        except OSError as error:
            raise _cannot_read(self.path, error) from error
        return Fingerprint(facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)

    def is_current(self) -> bool:
        """Whether the path still names the file that is open; a rename in its place makes it another one."""
        try:
            facts, opened = self.path.stat(), os.fstat(self._fd)
        except OSError:
            return True  # gone: what was read can still be read
        return (facts.st_dev, facts.st_ino) == (opened.st_dev, opened.st_ino)

    def named_now(self) -> Fingerprint | None:
        """What the path names now, which may be another file; None when it names nothing any more."""
        try:
            facts = self.path.stat()
        except OSError:
            return None
        return Fingerprint(facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)

    def check_unchanged(self, since: Fingerprint) -> None:
        """Raises ChangedMeanwhile where the path no longer holds the bytes that were opened."""
        try:
            facts = self.path.stat()
        except OSError as error:
            raise ChangedMeanwhile(f"{self.path} is gone since it was opened; open it again.") from error
        if Fingerprint(facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns) != since:
            raise ChangedMeanwhile(f"{self.path} changed since it was opened; press r or open it again.")

    def close(self) -> None:
        """Lets the file go; whoever still reads it is told that it cannot be read, and never reads another one instead."""
        self._fd = CLOSED
        self._release()


class MemoryFile:
    """The same reader over bytes, for standard input and tests."""

    def __init__(self, content: bytes, name: str = "standard input", path: Path | None = None) -> None:
        self.content = content
        self.name = name
        self.path = path or Path(name)  # of the file that the bytes were read from or made of

    def read(self, offset: int, length: int) -> bytes:
        return self.content[offset : offset + length]

    def chunks(self, start: int = 0) -> Iterator[bytes]:
        for at in range(start, len(self.content), CHUNK):
            yield self.content[at : at + CHUNK]

    def fingerprint(self) -> Fingerprint:
        return Fingerprint(0, 0, len(self.content), 0)

    def is_current(self) -> bool:
        """Always: nobody else can write to it."""
        return True

    def named_now(self) -> Fingerprint | None:
        return self.fingerprint()

    def check_unchanged(self, since: Fingerprint) -> None:
        """Bytes in memory do not change."""

    def close(self) -> None:
        """Nothing to close."""


def open_session(name: str) -> SessionFile | MemoryFile:
    """The session that a PATH of the command line names (spec 5): a file, a session id or its prefix, `-`."""
    if name == STDIN:
        return MemoryFile(_standard_input())
    return SessionFile(resolve(name))


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise SessionNotFound("There is no standard input; name a session file or a session id.")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise SessionNotFound(f"Cannot read standard input: {_reason(error)}.") from error


def return_keyboard() -> None:
    """Puts the terminal back in the place of the standard input that a session was read from.

    Raises UsageError where there is none: a screen would never see a key.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        raise UsageError(f"There is no terminal to read keys from: {_reason(error)}.") from error
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)


def resolve(name: str) -> Path:
    """The file of a path, a session id or the prefix of one under the projects folder."""
    if not name.strip():
        raise SessionNotFound("The name of a session is empty; give the path of a session file, a session id, or -.")
    try:
        path = Path(name).expanduser()
        if path.exists():
            return path
    except PermissionError as error:
        raise _cannot_read(path, error) from error
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, an unknown user, a NUL
        raise SessionNotFound(f"There is no file {name[:80]}: {_words(error)}.") from error
    if os.sep in name or name.endswith((".jsonl", ".json")):
        raise SessionNotFound(f"There is no file {name}; give the path of a session file or a session id.")
    found = _sessions_called(name)
    if not found:
        raise SessionNotFound(f"There is no file {name} and no session with that id under {projects_folder()}.")
    if len(found) > 1:
        copies = len({p.stem for p in found}) == 1
        some = ", ".join(str(p) if copies else p.stem for p in found[:4]) + (", …" if len(found) > 4 else "")
        advice = "give the path of one" if copies else "give more of the id"
        raise UsageError(f"{len(found)} sessions begin with {name} ({some}); {advice}.")
    return found[0]


def _sessions_called(name: str) -> list[Path]:
    """The session files under the projects folder whose id is that, else all whose id begins with it."""
    folder = projects_folder()
    try:
        found = sorted(folder.glob(f"*/{_literal(name)}*.jsonl"))
    except OSError as error:  # a folder that may not be looked into, a CLAUDE_CONFIG_DIR too long to be one
        raise SessionNotFound(f"Cannot look for the session {name} in {_short(folder)}: {_reason(error)}.") from error
    return [p for p in found if p.stem == name] or found


def _literal(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def projects_folder() -> Path:
    """Where the agent keeps its sessions; CLAUDE_CONFIG_DIR is honoured."""
    base = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(base) if base else Path.home() / ".claude") / "projects"


def sessions_in(folder: Path) -> list[Path]:
    """The session files of a folder and of the folders right below it, newest first; sub-agents' files are left out.

    A folder that links lead to twice is looked into once. Raises SessionNotFound where the folder itself cannot be listed.
    """
    below = [p for p in _listed(folder) if _is_folder(p)]
    folders = {
        identity_of(p): p for p in (*sorted(below, reverse=True), folder)
    }  # the folder itself, then the first name, counts
    found = [p for each in folders.values() for p in each.glob("*.jsonl") if _is_file(p) and not p.name.startswith(AGENT)]
    return sorted(found, key=lambda p: (-(modified_at(p) or 0.0), p.name))


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError as error:
        raise _cannot_read(folder, error) from error


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def identity_of(path: Path) -> tuple[int, int]:
    """What tells one folder from another, by whatever name; those that cannot be looked at are all alike."""
    try:
        facts = path.stat()
    except OSError:
        return 0, 0
    return facts.st_dev, facts.st_ino


def agent_files(path: Path, sessions: Collection[str] = ()) -> dict[str, Path]:
    """{agent id: file} of a session's sub-agents, in both layouts (spec 2, section 1).

    Old versions put the agents of every session into one folder: there `sessions`, the ids of this one, tell whose they are.
    """
    folders = [path.with_suffix("") / "subagents"]
    found = {p.stem.removeprefix(AGENT): p for folder in folders for p in sorted(folder.glob("**/agent-*.jsonl"))}
    for sibling in sorted(path.parent.glob("*agent-*.jsonl")):
        in_common = sibling.name.startswith(AGENT) and (not sessions or _session_named_in(sibling) in sessions)
        if sibling != path and (in_common or sibling.name.startswith(path.stem + ".")):
            found.setdefault(sibling.stem.rpartition(AGENT)[2], sibling)
    return found


def session_of_agent(path: Path) -> Path | None:
    """The file of the session that a sub-agent's file belongs to; None for other files, and where it is not there."""
    if AGENT not in path.name:
        return None
    folder = next((p for p in path.parents if p.name == "subagents"), None)
    before, is_sibling, _ = path.name.partition("." + AGENT)
    if folder is not None:
        found = folder.parent.parent / f"{folder.parent.name}.jsonl"
    else:
        found = path.parent / f"{before if is_sibling else _session_named_in(path)}.jsonl"
    return found if _is_file(found) and found != path else None


def _session_named_in(path: Path) -> str:
    """The session that the first record of a file names; "" where it names none."""
    try:
        with path.open("rb") as file:
            found = _SESSION_ID.search(file.read(_BEGINNING))
    except OSError:
        return ""
    return found[1].decode() if found else ""


def notes_places(path: Path, session_id: str | None) -> tuple[Path, ...]:
    """Where the session's notes may be (spec 1, section 8.1): beside the session file, or in the older common folder."""
    names = [path.with_suffix("") / "session-memory" / "summary.md"]
    if session_id is not None and _is_plain(session_id):
        names.append(path.parent / session_id / "session-memory" / "summary.md")
        names.append(projects_folder().parent / "session-memory" / f"{session_id}.md")
    return tuple(dict.fromkeys(names))


def _is_plain(name: str) -> bool:
    """Whether a name can be that of one file or folder; a session file may call its session anything."""
    return 0 < len(name) <= _LONGEST_ID and name.isprintable() and name != ".." and Path(name).name == name


def notes_file(path: Path, session_id: str | None) -> Path | None:
    """The first of the places that holds notes; None where none does."""
    return next((name for name in notes_places(path, session_id) if _is_file(name)), None)


def _is_file(path: Path) -> bool:
    """Whether there is a file; one that cannot be reached is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(name: str) -> bool:
    """Whether what the user named is a folder; nothing at all, and what cannot be told, is none: whoever opens it says why."""
    if not name.strip():
        return False
    try:
        return Path(name).expanduser().is_dir()
    except (OSError, RuntimeError, ValueError):  # a name too long, a `~somebody` whom nobody knows, a NUL
        return False


def read_text(path: Path) -> str:
    """A small text file; invalid UTF-8 is replaced. Raises SessionNotFound with the reason."""
    return read_bytes(path).decode("utf-8", "replace")


def read_bytes(path: Path) -> bytes:
    """A small file. Raises SessionNotFound with the reason."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise _cannot_read(path, error) from error


def write_atomically(path: Path, content: bytes, *, never: Path | None = None) -> None:
    """Writes to a temporary file beside `path` and renames it; behind a link, to what it leads to.

    Raises WriteRefused where it is `never` (the opened file), a folder or a device, or cannot be written.
    """
    never_over(path, never)
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():  # a rename would put a file in the place of /dev/null
            raise WriteRefused(f"{path} is not a file; name a file for the output.")
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise WriteRefused(f"Cannot write {path}: {_reason(error)}.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(target))
        Path(name).replace(target)
    except OSError as error:
        raise WriteRefused(f"Cannot write {path}: {_reason(error)}.") from error
    finally:
        Path(name).unlink(missing_ok=True)


def never_over(path: Path, never: Path | None) -> None:
    """Raises WriteRefused where a path names the file that was opened."""
    try:
        same = never is not None and never.exists() and path.exists() and path.samefile(never)
    except OSError as error:
        raise WriteRefused(f"Cannot write {path}: {_reason(error)}.") from error
    if same:
        raise WriteRefused(f"{path} is the file that was opened; name another one for the output.")


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return 0o600  # a session may hold secrets


def _short(path: Path) -> str:
    """A path for a sentence, however long it is."""
    text = str(path)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _words(error: Exception) -> str:
    return _reason(error) if isinstance(error, OSError) else str(error).rstrip(".").lower()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _cannot_read(path: Path, error: OSError) -> SessionNotFound:
    return SessionNotFound(f"Cannot read {_short(path)}: {_reason(error)}.")


def load(name: str) -> Session:
    """Opens what a PATH names and indexes it whole. Raises SessionError with the reason where it is no session."""
    return read_index(open_session(name))


def read_index(file: SessionFile | MemoryFile | Path | str) -> Session:
    """The session of an open file (or a path), indexed whole; Messages API JSON is recognised whatever its first line."""
    reader = SessionFile(Path(file)) if isinstance(file, str | Path) else file
    index = Index()
    for _ in index.feed(reader.chunks()):
        pass
    return session_of(reader, index)


def session_of(reader: SessionFile | MemoryFile, index: Index) -> Session:
    """The session behind a finished index. Raises NotASession where there is nothing to read in it."""
    from .transcript.session import Session  # here, so that the screen paints before what only figures need is loaded

    if any(uuid is not None for uuid in index.uuids):
        return Session(reader, index)
    plain = _plain(reader, index.facts) if _may_be_plain(reader, index) else None
    if plain is not None:
        return plain
    if set(index.record_counts()) <= {NO_KIND}:
        lines = index.facts.lines
        oddity = _oddity(reader, index) if _may_be_plain(reader, index) else ""
        if oddity:
            raise NotASession(f"{reader.name} cannot be read as a Messages API request: {oddity}.")
        why = "is empty" if not lines else f"holds no session record in {counted(lines, 'line')}"
        raise NotASession(f"{reader.name} {why}; a session file has one JSON record a line.")
    return Session(reader, index)


def _may_be_plain(reader: SessionFile | MemoryFile, index: Index) -> bool:
    """Whether reading the whole file as one JSON value is worth its memory: not for JSON lines, nor for what is no JSON."""
    facts = index.facts
    if facts.size > MOST_PLAIN_BYTES or (facts.lines > 1 and not facts.damaged_lines):
        return False
    return reader.read(0, 256).removeprefix(BOM).lstrip()[:1] in (b"{", b"[", b"")


def _oddity(reader: SessionFile | MemoryFile, index: Index) -> str:
    from .transcript.plain import oddity_in

    try:
        return oddity_in(json.loads(reader.read(0, index.facts.size).decode("utf-8-sig", "replace")))
    except (ValueError, RecursionError):
        return ""


def _plain(reader: SessionFile | MemoryFile, facts: FileFacts) -> Session | None:
    from .transcript.plain import as_lines, messages_in
    from .transcript.session import Session

    try:
        value = json.loads(reader.read(0, facts.size).decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    messages = messages_in(value)
    if messages is None:
        return None
    index = Index()
    memory = MemoryFile(as_lines(messages), reader.name, reader.path)
    for _ in index.feed(memory.chunks()):
        pass
    of_file = replace(index.facts, size=facts.size, lines=facts.lines, bom=facts.bom, crlf=facts.crlf)
    return Session(memory, index, plain=value if isinstance(value, dict) else {}, facts=of_file)


def settings_path() -> Path:
    """The user's settings file: TOML with a `[settings]` table; WORKBENCH_CONFIG_DIR is honoured."""
    from platformdirs import user_config_dir

    return Path(os.environ.get("WORKBENCH_CONFIG_DIR") or user_config_dir("workbench")) / "settings.toml"


def settings_text() -> str | None:
    """What the user's settings file holds; None where there is none. Raises SessionNotFound where it cannot be read."""
    path = settings_path()
    try:
        return read_text(path) if path.is_file() else None
    except OSError as error:  # of a folder above it
        raise _cannot_read(path, error) from error


def modified_at(path: Path) -> float | None:
    """When a file was last written, in seconds since the epoch; None when it cannot be told."""
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def read_if_there(path: Path, most: int = 4 << 20) -> str | None:
    """A text file of at most `most` bytes; None when it is missing, larger or unreadable."""
    try:
        if path.stat().st_size > most:
            return None
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return None
