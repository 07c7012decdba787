"""What is wrong with a session: every fault of its file, its array and its request, with evidence and a repair in words.

The repair itself is made in `export/repair.py`; what is called repairable here, it repairs.
"""

from collections.abc import Collection

from ..conversation.invariants import Request
from ..conversation.invariants.fault import ARRAY, FILE, REQUEST
from ..conversation.row import Message
from ..transcript.chain import Chain
from ..transcript.session import Session
from .doctor_array import array_findings, loaded
from .doctor_boundary import boundary_findings
from .doctor_bytes import DROPPED, byte_findings
from .doctor_links import link_findings
from .finding import Diagnosis, Finding
from .given import messages_given, request_given
from .kept import KeptFault, kept_fault
from .remarks import file_remarks, unknown_blocks
from .scan import scan

GAINING = ("damaged-line", "boundary-bypassed", "kept-part-unresolved")
"""Faults of a file after whose repair other messages are loaded."""
_LEVELS = (FILE, ARRAY, REQUEST)


def diagnose(session: Session, chain: Chain | None = None, *, agents: Collection[str] | None = None) -> Diagnosis:
    """Everything that is wrong with a session as it would be resumed, or with another branch of it.

    `agents`: ids of the sub-agents whose files are beside it; None: nobody looked. Never raises for what a file holds.
    """
    chain = session.chain if chain is None else chain
    if session.is_request:
        return _diagnosis(session, messages_given(session), request_given(session), None, ())
    seen, kept, messages = scan(session), kept_fault(session), loaded(session, chain)
    of_file = (
        *byte_findings(session, chain, seen),
        *link_findings(session, chain),
        *boundary_findings(session, chain, seen, kept),
        *file_remarks(session, chain, seen, agents),
        *unknown_blocks(messages),
    )
    return _diagnosis(session, messages, None, kept, of_file)


def _diagnosis(
    session: Session, messages: tuple[Message, ...], request: Request | None, kept: KeptFault | None, of_file: tuple[Finding, ...]
) -> Diagnosis:
    array = array_findings(session, messages, request, kept)
    faults = [f for f in of_file if not f.fault.is_remark]
    found = Diagnosis(
        name=session.reader.name,
        findings=tuple(_sorted(faults + list(array.findings))),
        remarks=tuple(_sorted([f for f in of_file if f.fault.is_remark] + list(array.remarks))),
        changes=array.changes,
        messages=len(messages),
    )
    may_gain = any(f.repair not in ("", DROPPED) and f.fault.kind in GAINING for f in faults)
    return found.beyond_repair() if array.is_lost and not may_gain else found


def _sorted(findings: list[Finding]) -> list[Finding]:
    """File first, then the array, then the request; each by line."""
    return sorted(findings, key=lambda f: (_LEVELS.index(f.fault.level), f.fault.line or 0))
