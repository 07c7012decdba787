"""The array of a session under repair, with what its steps need to know of the rows behind it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation.array import EMPTY
from ..conversation.invariants.places import THINKING
from ..conversation.row import USER, Message, Part
from ..evidence.doctor_array import loaded
from ..evidence.given import request_given
from ..evidence.links import path_of, sealed_before
from ..transcript.index import NONE
from ..transcript.session import Session
from .repair_draft import Draft, Links
from .repair_json import compact
from .repair_step import line_of

CONTENT = ("message", "content")
NOTHING_LEFT = "[What stood here could not be sent.]"


@dataclass(frozen=True, slots=True)
class View:
    """One round's look at a session.

    messages  the array as loaded
    path      the rows of its chain that follow from parent to child
    sealed    rows at places below this one may not be touched
    kept      nor may these, of which the last boundary says where they hang
    last      the leaf that alone makes this branch the one that is loaded: it may be emptied, not dropped
    said      rows with more than results: what stands behind one of them is another message
    at_rest   whether an open last turn is no fault
    """

    session: Session
    messages: tuple[Message, ...]
    path: tuple[int, ...]
    sealed: int
    kept: frozenset[int]
    links: Links
    last: int | None
    said: frozenset[int]
    at_rest: bool

    def draft(self) -> Draft:
        return Draft(self.links)

    def is_free(self, *parts: Part) -> bool:
        """Whether the rows of these parts stand behind the last boundary and hang where they say, so that they may be changed."""
        rows = [p.row for p in parts]
        return all(r is not None and r.place >= self.sealed and r.place not in self.kept and not r.is_summary for r in rows)

    def line(self, part: Part) -> str:
        """The place of a part in words."""
        if part.row is None:
            return "a row made here"
        return part.row.uuid if self.session.is_request else f"line {line_of(self.session, part.row.place)}"

    def behind(self, place: int) -> int:
        """The row behind which a result of the call at `place` stands in the message next to it in the array.

        That is the last row of its reply before anything else is said; a row that was joined in stands for itself.
        """
        index = self.session.index
        reply = index.messages[place]
        rows = [p for p in self.path if index.messages[p] == reply and p >= self.sealed] if reply != NONE else []
        if not rows:
            return place
        found = rows[0]
        for row in self.path[self.path.index(rows[0]) :]:
            if index.messages[row] == reply:
                found = row
            elif row in self.said:
                return found if place in self.path or place > row else place
        return found if place in self.path else place

    def relink_next(self, draft: Draft, behind: int, uuid: str, gone: frozenset[int] = frozenset()) -> None:
        """Hangs the row that follows on the path on a row put behind `behind`."""
        if behind not in self.path:
            return
        following = next((p for p in self.path[self.path.index(behind) + 1 :] if p not in gone), None)
        if following is not None and draft.parent(following) == draft.uuid(behind):
            draft.link(following, uuid)

    def without(self, draft: Draft, message: Message, parts: Sequence[Part]) -> None:
        """Takes blocks out of a message: a row left empty goes, and a reply of which only thinking is left goes whole."""
        left = [p for p in message.parts if not is_one_of(p, parts) and p.block is not EMPTY]
        if left and all(p.block.kind in THINKING for p in left) and self.is_free(*left):
            parts = [*parts, *left]
        going = {id(p.block) for p in parts}
        for row in {p.row.place: p.row for p in parts if p.row is not None}.values():
            gone = [at for at, block in enumerate(row.blocks) if id(block) in going]
            standing = draft.record(row.place).elements(CONTENT)
            kept = _with_marks([None if at in gone else text for at, text in enumerate(standing)], standing)
            if kept:
                draft.record(row.place).put_list(CONTENT, kept)
            elif row.place == self.last:
                self._emptied(draft, row.place, message.role)
            else:
                self._drop(draft, row.place)

    def _emptied(self, draft: Draft, place: int, role: str) -> None:
        """A row that has to stay says that there was nothing in it."""
        words = [{"type": "text", "text": NOTHING_LEFT}]
        if draft.record(place).raw(CONTENT) is not None:
            draft.put(place, CONTENT, words)
        else:
            draft.put(place, CONTENT[:1], {"role": role, "content": words})

    def _drop(self, draft: Draft, place: int) -> None:
        """Drops a row; where it alone held the rest of its reply on the chain, that rest takes its place."""
        heir = self._heir(place)
        if heir is not None:
            draft.link(heir, draft.parent(place))
            draft.link(place, draft.uuid(heir))
        draft.drop(place)

    def _heir(self, place: int) -> int | None:
        """A row of the same reply that was joined in only because this one is on the path."""
        messages, chain = self.session.index.messages, self.session.chain
        if messages[place] == NONE or any(p != place and messages[p] == messages[place] for p in self.path):
            return None
        rest = (p for p in chain.joined if p != place and messages[p] == messages[place])
        return max((p for p in rest if p >= self.sealed and p not in self.kept), default=None)


def is_one_of(part: Part, parts: Sequence[Part]) -> bool:
    """Whether a part itself, not merely one like it, is among others."""
    return any(part is each for each in parts)


def places_of(parts: Sequence[Part]) -> tuple[int, ...]:
    """The rows of parts, each once."""
    return tuple(dict.fromkeys(p.row.place for p in parts if p.row is not None))


def view_of(session: Session) -> View:
    """The round's look at a session."""
    chain = session.chain
    messages, request = loaded(session, chain), request_given(session) if session.is_request else None
    return View(
        session=session,
        messages=messages,
        path=path_of(chain),
        sealed=sealed_before(session),
        kept=frozenset(session.tree.kept),
        links=Links(session),
        last=_leaf_of_several(session),
        said=frozenset(p.row.place for m in messages for p in m.parts if p.row is not None and p.block.kind != "tool_result"),
        at_rest=request is None or request.at_rest,
    )


def _leaf_of_several(session: Session) -> int | None:
    """The leaf, if without it another row would be the leaf: rows stand beside the chain, or out of its order."""
    tree, chain = session.tree, session.chain
    inside, elsewhere = set(chain.places), chain.joined | set(chain.kept)
    first = chain.boundary or 0
    said = [p for p in chain.places if p not in elsewhere and tree.is_conversation(p)]
    beside = any(p not in inside and tree.is_conversation(p) for p in range(first, tree.limit))
    return chain.leaf if beside or said != sorted(said) else None


def _with_marks(new: list[str | None], old: list[str]) -> list[str]:
    """The elements that stay; a cache mark on one that goes moves to the one before it."""
    found: list[str] = []
    for text, before in zip(new, old, strict=True):
        if text is not None:
            found.append(text)
            continue
        if '"cache_control"' not in before or not found:
            continue
        marked, last = json.loads(before), json.loads(found[-1])
        mark = marked.get("cache_control") if isinstance(marked, dict) else None
        if mark is None or not isinstance(last, dict):
            continue
        if last.get("type") not in THINKING and "cache_control" not in last:
            found[-1] = compact({**last, "cache_control": mark})
    return found


def answers_to(messages: tuple[Message, ...], index: int) -> Message | None:
    """The message that answers a reply: the next one, if it is the user's."""
    following = messages[index + 1] if index + 1 < len(messages) else None
    return following if following is not None and following.role == USER else None
