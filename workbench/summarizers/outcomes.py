"""How requests for a summary ended, by model: a change of the model can break a prompt (spec 1, section 6.4)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..compaction.request import OK, OUTCOMES, Reply

ONLY_ANALYSIS = "only analysis"
KINDS = (*OUTCOMES, ONLY_ANALYSIS)

_ANALYSIS = re.compile(r"<analysis>.*?(?:</analysis>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request for a summary and how it ended.

    outcome  one of KINDS
    at       ISO time; "" where it is not known
    prompt, output  tokens as reported; None where the model reported none
    retries  made before it ended
    """

    model: str
    outcome: str
    at: str = ""
    prompt: int | None = None
    output: int | None = None
    duration_ms: int | None = None
    retries: int = 0
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """Of one model: how many requests, and how many ended in each way, only those that occurred, the most frequent first."""

    model: str
    total: int
    counts: Mapping[str, int] = field(default_factory=dict)

    def share(self, outcome: str) -> float:
        """Percent of the requests that ended so."""
        return 100 * self.counts.get(outcome, 0) / self.total if self.total else 0.0


def kind_of(reply: Reply) -> str:
    """The outcome as it is counted: an analysis without a summary apart from a good reply."""
    if reply.outcome == OK and "<analysis>" in reply.text.casefold() and not _ANALYSIS.sub("", reply.text).strip():
        return ONLY_ANALYSIS
    return reply.outcome


def asked(model: str, reply: Reply, *, at: str = "", retries: int = 0) -> Asked:
    """The record of a reply."""
    usage = reply.usage
    return Asked(
        model,
        kind_of(reply),
        at,
        usage.prompt if usage else None,
        usage.output if usage else None,
        reply.duration_ms,
        retries,
        reply.stop_reason,
    )


def rates(records: Iterable[Asked]) -> tuple[Rate, ...]:
    """The rates of each model, the one asked most first."""
    found: dict[str, Counter[str]] = {}
    for record in records:
        found.setdefault(record.model, Counter())[record.outcome] += 1
    told = [Rate(model, counts.total(), MappingProxyType(dict(counts.most_common()))) for model, counts in found.items()]
    return tuple(sorted(told, key=lambda rate: (-rate.total, rate.model)))
