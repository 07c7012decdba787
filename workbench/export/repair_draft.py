"""The rows of one step of a repair while it is made: links, contents, rows dropped, moved and made.

What hangs on a dropped row hangs on its parent afterwards; a `last-prompt` that names it names the parent.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from ..conversation.change import Change
from ..evidence.links import sealed_before
from ..transcript.index import NONE
from ..transcript.session import Session
from .repair_json import Path, Record, compact
from .repair_lines import LineEdit
from .repair_step import Step, line_of

COPIED = ("isSidechain", "userType", "cwd", "sessionId", "version", "gitBranch", "slug", "agentId", "entrypoint")
OF_AGENT = ("isSidechain", "agentId")  # what makes a row a sub-agent's


def fresh_uuid(session: Session, parent: str, ordinal: int) -> str:
    """A new id that is the same whenever the same file is repaired: uuid5 of session id, parent and ordinal (spec 5).

    One that the file holds already gives way to the next ordinal's.
    """
    name = next(iter(session.index.sessions), session.reader.name)
    while True:
        text = f"{name}:{parent}:{ordinal}".encode(errors="replace").decode()  # either may hold half a character
        uuid = str(uuid5(NAMESPACE_OID, text))
        if session.index.find(uuid) is None:
            return uuid
        ordinal += 1


class Links:
    """Who hangs on whom behind the last boundary; made once a round, shared by its steps."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.sealed = sealed_before(session)

    @cached_property
    def children(self) -> Mapping[int, list[int]]:
        found: dict[int, list[int]] = {}
        for place, parent in enumerate(self.session.index.parents):
            if parent != NONE and place >= self.sealed:
                found.setdefault(parent, []).append(place)
        return found


class Draft:
    """The changes of one step."""

    def __init__(self, links: Links) -> None:
        self.session = links.session
        self.index = links.session.index
        self._links = links
        self._records: dict[int, Record] = {}
        self._parents: dict[int, str | None] = {}
        self._gone: dict[int, None] = {}
        self._elsewhere: set[int] = set()  # gone from their line, their uuid still stands
        self._made: dict[int, list[bytes]] = {}
        self._before: dict[int, list[bytes]] = {}
        self._changes: list[Change] = []

    def line(self, place: int) -> int:
        return line_of(self.session, place)

    def uuid(self, place: int) -> str:
        return self.index.uuids[place] or ""

    def record(self, place: int) -> Record:
        """The record at a place, to be changed."""
        if place not in self._records:
            self._records[place] = Record(self.session.raw(place))
        return self._records[place]

    def put(self, place: int, path: Path, value: Any) -> None:
        self.record(place).put(path, compact(value))

    def parent(self, place: int) -> str | None:
        """The uuid that a row hangs on, as changed so far."""
        if place in self._parents:
            return self._parents[place]
        parent = self.index.parents[place]
        return self.index.uuids[parent] if parent != NONE else self.index.dangling.get(place)

    def link(self, place: int, parent: str | None) -> None:
        self._parents[place] = parent

    def children(self, place: int) -> list[int]:
        uuid = self.uuid(place)
        found = [c for c in self._links.children.get(place, ()) if c not in self._parents or self._parents[c] == uuid]
        return found + [c for c, parent in self._parents.items() if parent == uuid and c not in found]

    def detach(self, place: int) -> None:
        """Takes a row out of the tree: its children hang on its parent."""
        parent = self.parent(place)
        for child in self.children(place):
            self.link(child, parent)

    def drop(self, place: int) -> None:
        """Takes a row out of the tree and out of the file."""
        self.detach(place)
        self._gone[place] = None

    def erase(self, place: int) -> None:
        """Takes a line out of the file whose uuid another row has too: nothing hangs on this one."""
        self._gone[place] = None
        self._elsewhere.add(place)

    def move_behind(self, place: int, line_of: int, parent: str) -> None:
        """Puts a row, detached, right behind the line of another, hanging on `parent`."""
        self._gone[place] = None
        self._elsewhere.add(place)
        record = self.record(place)
        record.put(("parentUuid",), compact(parent))
        self._made.setdefault(line_of, []).append(bytes(record))

    def make(self, behind: int, content: str) -> str:
        """A new user row behind the line and the row of another; `content` is JSON text. Returns its uuid."""
        uuid, raw = self._new(content, behind, self.uuid(behind), later=1)
        self._made.setdefault(behind, []).append(raw)
        return uuid

    def make_before(self, place: int, content: str, **fields: Any) -> None:
        """A new user row before another, in its place in the tree; `content` is JSON text.

        It stands before all of the chain: a row further down could make it the newest of the file.
        """
        uuid, raw = self._new(content, place, self.parent(place), **fields)
        boundaries = self.session.tree.boundaries
        first = min(p for p in self.session.chain.places if p >= min(place, self._links.sealed) and p not in boundaries)
        self._before.setdefault(first, []).append(raw)
        self.link(place, uuid)

    def _new(self, content: str, like: int, parent: str | None, *, later: int = 0, **fields: Any) -> tuple[str, bytes]:
        """(uuid, bytes) of a user row with the surroundings of another; its time is that row's plus `later` ms.

        It stands on the chain that is repaired, even beside a row of a sub-agent's that strayed into it.
        """
        template = dict(self.session.body(like))
        if template.get("isSidechain") and not self.session.tree.is_sub_agent:
            template = {key: value for key, value in template.items() if key not in OF_AGENT} | {"isSidechain": False}
        uuid = fresh_uuid(self.session, parent or self.uuid(like), later)
        body: dict[str, Any] = {"parentUuid": parent, **{key: template[key] for key in COPIED if key in template}}
        body |= {"type": "user", "message": {"role": "user", "content": None}, **fields, "uuid": uuid}
        if isinstance(template.get("timestamp"), str):
            body["timestamp"] = _after(template["timestamp"], later)
        record = Record(compact(body).encode())
        record.put(("message", "content"), content)
        return uuid, bytes(record)

    def note(self, kind: str, reason: str, places: Iterable[int]) -> None:
        """Says what was done, and to which rows."""
        self._changes.append(Change(kind, tuple(self.uuid(p) for p in places), reason))

    def step(self) -> Step:
        """The step that these changes make; without edits where they change nothing."""
        self._follow_last_prompts()
        for place, parent in self._parents.items():
            if place not in self._gone:
                self.put(place, ("parentUuid",), parent)
        touched = dict.fromkeys([*self._records, *self._gone, *self._made, *self._before])
        edits = [self._edit(place) for place in touched]
        return Step(tuple(self._changes), tuple(e for e in edits if e.after != (e.before,)))

    def _edit(self, place: int) -> LineEdit:
        raw = self.session.raw(place)
        own = () if place in self._gone else (bytes(self._records[place]) if place in self._records else raw,)
        after = (*self._before.get(place, ()), *own, *self._made.get(place, ()))
        return LineEdit(self.index.lines[place], raw, after)

    def _follow_last_prompts(self) -> None:
        dropped = {self.uuid(p): p for p in self._gone if p not in self._elsewhere}
        for at, uuid in self.index.last_prompts if dropped else ():
            leaf = uuid
            while leaf in dropped:
                leaf = self.parent(dropped[leaf])
            if leaf is not None and leaf != uuid and at >= self._links.sealed:
                self.put(at, ("leafUuid",), leaf)


def _after(timestamp: str, milliseconds: int) -> str:
    """A timestamp, so many ms later; one that cannot be read stays as it is."""
    if not milliseconds:
        return timestamp
    try:
        moment = datetime.fromisoformat(timestamp) + timedelta(milliseconds=milliseconds)
    except (ValueError, OverflowError):
        return timestamp
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
