"""What the doctor says of one fault: evidence, what the agent makes of it, advice, and the repair in words."""

from collections import Counter
from dataclasses import dataclass, replace

from ..conversation.change import Change
from ..conversation.invariants import Fault
from .advice import NOTHING_LEFT


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault (or a remark) with all that is known about it.

    evidence  lines and values that prove it, one a string
    on_load   what the agent makes of it when it resumes the file (spec 6, section 4)
    advice    what to do about it
    repair    what `--fix` does, in words; "" where it does nothing
    """

    fault: Fault
    evidence: tuple[str, ...] = ()
    on_load: str = ""
    advice: str = ""
    repair: str = ""

    @property
    def repairable(self) -> bool:
        return bool(self.repair)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a session.

    findings  faults, in the order file, array, request, each by line
    remarks   what is worth knowing and no fault
    changes   what the agent changes in memory when it loads the file
    messages  of the array as loaded
    """

    name: str
    findings: tuple[Finding, ...]
    remarks: tuple[Finding, ...]
    changes: tuple[Change, ...]
    messages: int

    @property
    def counts(self) -> dict[str, int]:
        """{kind: faults}, most frequent first."""
        return dict(Counter(f.fault.kind for f in self.findings).most_common())

    def beyond_repair(self) -> "Diagnosis":
        """The same where a repair would leave nothing, and so is refused."""
        return replace(self, findings=tuple(replace(f, repair="", advice=NOTHING_LEFT) for f in self.findings))

    @property
    def repairable(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.repairable)
