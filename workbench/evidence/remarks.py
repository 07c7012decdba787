"""What is worth knowing of a file and no fault: byte order mark, API errors, failed compactions, unknown types."""

from collections.abc import Collection, Iterator, Mapping

from ..conversation.block import KNOWN, UNTYPED
from ..conversation.invariants import Fault
from ..conversation.invariants import fault as f
from ..conversation.invariants.places import parts_of, where
from ..conversation.row import Message
from ..conversation.wording import counted
from ..transcript.chain import Chain
from ..transcript.index import API_ERROR
from ..transcript.session import Session
from ..transcript.shape import file_pairs, leaf_places, odd_parents
from .finding import Finding
from .scan import Scan

SHOWN = 3
KNOWN_RECORDS = frozenset(
    [
        *("user", "assistant", "system", "attachment", "progress", "summary", "file-history-snapshot", "file-history-delta"),
        *("queue-operation", "last-prompt", "ai-title", "custom-title", "mode", "permission-mode", "bridge-session", "pr-link"),
        *("atis-latch", "cost-state", "tools-used", "api-request", "api-request-blob", "api-request-shape", "agent-name"),
    ]
)


def file_remarks(session: Session, chain: Chain, scan: Scan, agents: Collection[str] | None) -> Iterator[Finding]:
    """Remarks on a session file; `agents` are the ids of sub-agents whose files are there, None: not looked for."""
    facts = session.index.facts
    if facts.bom:
        yield _remark("byte-order-mark", "The file begins with a byte order mark; the agent reads past it.", line=1)
    if facts.crlf:
        yield _remark("crlf", "Lines end with carriage return and newline; the agent reads past it.")
    if not scan.ends_with_newline:
        yield _remark("no-final-newline", "The last line has no newline at its end.")
    yield from _odd_roots(session)
    yield from _api_errors(session)
    yield from _failed_compactions(session)
    yield from _unknown_records(session)
    yield from _branches(session, chain)
    yield from _history_pairs(session, chain)
    yield from _missing_agents(scan, agents)


def unknown_blocks(messages: tuple[Message, ...]) -> Iterator[Finding]:
    """Block types that no list knows: sent as they are, counted as 0 tokens; and what is no block, which is not sent."""
    for index, at, part in parts_of(messages):
        kind = part.block.kind
        if kind == UNTYPED:
            words = f"messages[{index}].content[{at}] names no type, so it is no block; the agent leaves it out."
            yield Finding(Fault("no-block", None, f.ARRAY, "unknown", words, severity=f.REMARK, **where(index, part)))
            continue
        if kind in KNOWN or kind in ("empty", "reminder") or kind.startswith("attachment:") or kind.endswith("_tool_result"):
            continue
        words = f"messages[{index}] holds a block of the unknown type {kind!r}; it is sent as it is."
        fault = Fault("unknown-block", None, f.ARRAY, "unknown", words, id=kind, severity=f.REMARK, **where(index, part))
        yield Finding(fault)


def _odd_roots(session: Session) -> Iterator[Finding]:
    found = [odd for odd in odd_parents(session) if odd.is_root]
    if found:
        rows = counted(len(found), "row has", "rows have")
        words = f"{rows} a parentUuid that is no uuid and counts as none: nothing before such a row is loaded."
        evidence = tuple(f"line {odd.line}: {odd.parent}" for odd in found[-SHOWN:])
        yield _remark("odd-parent", words, evidence=evidence, line=found[-1].line)


def _api_errors(session: Session) -> Iterator[Finding]:
    index = session.index
    places = [p for p, flags in enumerate(index.flags) if flags & API_ERROR]
    if places:
        heads = [f"line {index.lines[p]}: {_head(session, p)}" for p in places[-SHOWN:]]
        words = f"{len(places)} {'reply is' if len(places) == 1 else 'replies are'} an error of the API, which is not sent."
        yield _remark("api-error", words, evidence=tuple(heads), line=index.lines[places[-1]])


def _head(session: Session, place: int) -> str:
    blocks = session.row(place).blocks
    return repr(blocks[0].head[:120]) if blocks else "no text"


def _failed_compactions(session: Session) -> Iterator[Finding]:
    for place in session.index.places("system:status"):
        body = session.body(place)
        if body.get("compact_result") == "failed":
            reason = str(body.get("compact_error") or "no reason given")
            line = session.index.lines[place]
            yield _remark("compaction-failed", f"A compaction failed at line {line}: {reason}", line=line)


def _unknown_records(session: Session) -> Iterator[Finding]:
    index = session.index
    for name, count in index.record_counts().items():
        if name.partition(":")[0] not in KNOWN_RECORDS:
            place = index.places(name)[0]
            linked = "part of the chain" if index.uuids[place] is not None else "outside the chain"
            words = f"{counted(count, 'record')} of the unknown type {name!r}, {linked}; passed through."
            yield _remark("unknown-record", words, line=index.lines[place], id=name)


def _branches(session: Session, chain: Chain) -> Iterator[Finding]:
    """Branches beside the living one that hold a reply: rewinds, retries, interrupts."""
    index = session.index
    inside = set(chain.places)
    codes = index.kind_codes("assistant")
    leaves = [p for p in leaf_places(session.tree, chain) if p not in inside and index.kinds[p] in codes]
    if leaves:
        lines = ", ".join(str(index.lines[p]) for p in leaves[:SHOWN]) + (", …" if len(leaves) > SHOWN else "")
        end = "branch ends" if len(leaves) == 1 else "branches end"
        words = f"{len(leaves)} other {end} with a reply (line {lines}); not loaded."
        yield _remark("other-branch", words, line=index.lines[leaves[0]], id=index.uuids[leaves[0]])


def _history_pairs(session: Session, chain: Chain) -> Iterator[Finding]:
    """Calls and results without a partner anywhere in the file that are not in the array."""
    inside = {b.call for row in session.rows(chain.places) for b in row.blocks if b.kind in ("tool_use", "tool_result")}
    pairs = file_pairs(session)
    for kind, ids, half, other in (
        ("call-without-result", pairs.unanswered, "call", "result"),
        ("result-without-call", pairs.unasked, "result", "call"),
    ):
        gone = [id for id in ids if id not in inside]
        if gone:
            some = ", ".join(gone[:SHOWN]) + (", …" if len(gone) > SHOWN else "")
            words = f"{counted(len(gone), half)} without a {other} outside the array: {some}."
            yield _remark(f"{kind}-in-history", words, id=gone[0])


def _missing_agents(scan: Scan, agents: Collection[str] | None) -> Iterator[Finding]:
    named: Mapping[str, int] = scan.agents or {}
    missing = [id for id in named if agents is not None and id not in agents]
    if missing:
        words = f"The files of {len(missing)} of {len(named)} sub-agents are not beside the session."
        yield _remark("sub-agent-missing", words, line=named[missing[0]], id=missing[0], evidence=tuple(missing[:SHOWN]))


def _remark(kind: str, words: str, *, line: int | None = None, id: str | None = None, evidence: tuple[str, ...] = ()) -> Finding:
    return Finding(Fault(kind, None, f.FILE, "remark", words, None, line, id, severity=f.REMARK), evidence)
