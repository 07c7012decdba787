"""The faults of the array that a session loads, each with its rows, the agent's own repair, and ours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..conversation.array import assemble
from ..conversation.block import Block
from ..conversation.change import Change
from ..conversation.invariants import Fault, Request, faults_of, remarks_of
from ..conversation.invariants.fault import CUT_OFF, DUPLICATE, EMPTY, LOST, MISPLACED
from ..conversation.invariants.pairs import is_open_turn, unpaired_server_parts
from ..conversation.invariants.places import THINKING
from ..conversation.repair import as_sent
from ..conversation.row import ASSISTANT, Message, Row
from ..transcript.chain import Chain
from ..transcript.index import CALL, RESULT
from ..transcript.session import Session
from .advice import AS_IT_STANDS, ON_LOAD, REPAIRS, advice_for
from .finding import Finding
from .given import joined_given
from .kept import KeptFault
from .links import is_fixed, is_sealed, opening, sealed_before

SHOWN = 60  # characters of a block in a line of evidence


@dataclass(frozen=True, slots=True)
class ArrayDiagnosis:
    """Findings and remarks on an array, what the agent changes in it, and whether nothing of it can be sent."""

    findings: tuple[Finding, ...]
    remarks: tuple[Finding, ...]
    changes: tuple[Change, ...]
    is_lost: bool


def array_findings(
    session: Session, messages: tuple[Message, ...], request: Request | None, kept: KeptFault | None
) -> ArrayDiagnosis:
    """Checks the array as loaded (of Messages API JSON: as given)."""
    changes = as_sent(messages, newest_model(messages))[1]
    tell = _Teller(session, messages, request, changes, kept)
    return ArrayDiagnosis(
        findings=tuple(tell.finding(f) for f in faults_of(messages, request)),
        remarks=tuple(tell.remark(f) for f in remarks_of(messages, request)),
        changes=changes,
        is_lost=_is_lost(messages),
    )


def loaded(session: Session, chain: Chain) -> tuple[Message, ...]:
    """The array as loaded; bodies are kept only where a check reads them, so that it stays small."""
    if session.is_request:
        return joined_given(session, _lean)
    return assemble(_lean(row) for row in session.rows(chain.places))


def _lean(row: Row) -> Row:
    return replace(row, blocks=tuple(b if _is_telling(b) else b.slim() for b in row.blocks))


def _is_telling(block: Block) -> bool:
    body = block.body
    if body is None:
        return False
    unsigned = block.kind in THINKING and not (body.get("signature") or body.get("data"))
    textless = block.kind == "text" and not isinstance(body.get("text"), str)
    return unsigned or textless or block.kind == "compaction" or "cache_control" in body


def newest_model(messages: Sequence[Message]) -> str | None:
    """The model that wrote the newest reply: the one that the array will be sent to."""
    replies = (row for m in reversed(messages) if m.role == ASSISTANT for row in m.rows)
    return next((row.model for row in replies if row.model and not row.model.startswith("<")), None)


def _is_lost(messages: Sequence[Message]) -> bool:
    """Whether nothing of an array can be sent: blanks, thinking alone, results that nobody asked for."""
    blocks = [b for m in messages for b in m.blocks]
    asked = {b.call for b in blocks if b.kind == "tool_use"}
    lonely = {id(p.block) for m in messages for p in unpaired_server_parts(m)}
    return bool(blocks) and all(
        b.kind in ("empty", *THINKING)
        or (b.kind == "text" and b.blank)
        or (b.kind == "tool_result" and b.call not in asked)
        or id(b) in lonely
        for b in blocks
    )


@dataclass(frozen=True, slots=True)
class _Teller:
    """Says what is known about a fault of one array."""

    session: Session
    messages: tuple[Message, ...]
    request: Request | None
    changes: tuple[Change, ...]
    kept: KeptFault | None

    def finding(self, fault: Fault) -> Finding:
        fault = self._classed(fault)
        if fault.class_ == EMPTY and self._is_summary(fault):
            fault = replace(fault, kind="empty-summary")
        repair = self._repair(fault)
        if not repair and self._touches(fault, is_sealed):
            fault = replace(fault, kind=f"{fault.kind}-before-boundary")
        return Finding(fault, self._evidence(fault), self._on_load(fault), advice_for(fault.kind), repair)

    def remark(self, fault: Fault) -> Finding:
        on_load = "" if fault.kind == "same-role" else self._on_load(fault)
        return Finding(fault, self._evidence(fault), on_load)

    def _classed(self, fault: Fault) -> Fault:
        """A pair whose other half stands in the file, on the other side of the last boundary, was cut off by it."""
        if fault.class_ != LOST or fault.id is None:
            return fault
        role = CALL if fault.kind == "unasked-result" else RESULT
        sealed = sealed_before(self.session)
        partners = _places_of(self.session, fault.id, role)
        if any(place < sealed for place in partners):
            half = "call" if role == CALL else "result"
            lines = ", ".join(str(self.session.index.lines[p]) for p in partners)
            words = f"The {half} of {fault.id} (line {lines}) was summarised; the other half was kept."
            return replace(fault, class_=CUT_OFF, sentence=words)
        return fault

    def _touches(self, fault: Fault, untouchable: Callable[[Session, int], bool]) -> bool:
        """Whether a repair would have to touch such a row; for a pair astray or doubled, any of its rows."""
        of_pair = fault.class_ in (MISPLACED, DUPLICATE) or fault.kind in ("bad-call-id", "unanswered-call")
        if of_pair and fault.id is not None:
            rows = [p.row for m in self.messages for p in m.parts if p.block.call == fault.id]
            return any(row is not None and untouchable(self.session, row.place) for row in rows)
        place = self._place(fault)
        return place is not None and untouchable(self.session, place)

    def _is_summary(self, fault: Fault) -> bool:
        place = self._place(fault)
        return place is not None and self.session.row(place).is_summary

    def _place(self, fault: Fault) -> int | None:
        """The row of a fault; where its uuid stands twice, the one in the message."""
        if not fault.uuid:
            return None
        rows = () if fault.message_index is None else self.messages[fault.message_index].parts
        found = (p.row.place for p in rows if p.row is not None and (p.row.uuid, p.row.line) == (fault.uuid, fault.line))
        return next(found, None) if rows else self.session.index.find(fault.uuid)

    def _repair(self, fault: Fault) -> str:
        if fault.id is not None and self.kept is not None and hash(fault.id) in self.kept.calls and self.kept.proposal:
            uuid = self.session.index.uuids[self.kept.proposal[0]]
            return f"the cut moves back to {uuid}, so that the call is kept with its result"
        if self._touches(fault, is_fixed):
            return ""
        if fault.kind == "unanswered-call" and fault.message_index is not None and fault.id is not None:
            return self._answer(fault.message_index)
        if (fault.class_ == MISPLACED or fault.kind == "duplicate-result") and not self._is_asked_by_a_reply(fault.id):
            return ""
        if fault.kind == "first-not-user" and opening(self.session) is None:
            return ""
        return REPAIRS.get(fault.kind, "")

    def _is_asked_by_a_reply(self, id: str | None) -> bool:
        """Whether a call stands in a reply, as it must to be answered."""
        return any(b.kind == "tool_use" and b.call == id for m in self.messages if m.role == ASSISTANT for b in m.blocks)

    def _answer(self, index: int) -> str:
        calls = {b.call for b in self.messages[index].blocks if b.kind == "tool_use"}
        following = self.messages[index + 1].blocks if index + 1 < len(self.messages) else ()
        if any(b.kind == "tool_result" and b.call in calls for b in following):
            return "an error result is put first among the results of the parallel calls"
        if is_open_turn(self.messages, index):
            return "an error result answers it"
        return "the call is dropped: the conversation went on without it (the other way, an error result, would be made up)"

    def _evidence(self, fault: Fault) -> tuple[str, ...]:
        index = self.session.index
        if fault.id:
            lines = [line for m in self.messages for line in _blocks_of(m, fault.id)]
            inside = {row.place for m in self.messages for row in m.rows}
            for role, name in ((CALL, "the call"), (RESULT, "a result")):
                outside = [p for p in _places_of(self.session, fault.id, role) if p not in inside]
                lines += [f"line {index.lines[p]}: {name} of {fault.id}, not in the array" for p in outside]
            return tuple(dict.fromkeys(lines))
        place = self._place(fault)
        return (
            () if place is None or self.session.is_request else (f"line {index.lines[place]}: {index.kind(place)} {fault.uuid}",)
        )

    def _on_load(self, fault: Fault) -> str:
        if self.session.is_request:
            return ""
        mine = [c for c in self.changes if fault.uuid in c.uuids and (fault.id is None or fault.id in c.reason)]
        mine = mine or [c for c in self.changes if fault.id and fault.id in c.reason]
        done = dict.fromkeys(ON_LOAD[c.kind] for c in mine if c.kind in ON_LOAD)
        return "; ".join(done) or AS_IT_STANDS


def _blocks_of(message: Message, id: str) -> list[str]:
    found = []
    for part in message.parts:
        if part.block.call == id and part.row is not None:
            block = part.block
            where = f"line {part.row.line}" if part.row.line is not None else part.row.uuid
            what = f"{block.kind} {id}" + (f" {block.name}" if block.name else "") + (" (error)" if block.error else "")
            found.append(f"{where}: {what}: {block.head[:SHOWN]!r}")
    return found


def _places_of(session: Session, id: str, role: int) -> list[int]:
    rows, hashes, roles = session.index.tools()
    wanted = hash(id)
    return [row for row, call, r in zip(rows, hashes, roles, strict=True) if call == wanted and r == role]
