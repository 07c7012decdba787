"""What is wanted of a run: variant, trigger, cut, pins, settings. A change of it is a new plan."""

from dataclasses import dataclass, field

from .settings import Settings
from .variants import AUTO


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan for one compaction (spec 5, "compact").

    pivot   uuid of the row at which `from` and `up-to` cut
    pins    uuids of rows that must stay
    error   for reactive: the API's answer
    files   where file contents come from: transcript | disk
    folds   for fold: pairs of uuids, first and last row of what folds; () all rounds but the newest
    """

    settings: Settings
    variant: str = AUTO
    trigger: str = "auto"
    pivot: str | None = None
    instructions: str = ""
    pins: tuple[str, ...] = ()
    error: str = ""
    folds: tuple[tuple[str, str], ...] = ()
    summarizer: str = "offline"
    files: str = "transcript"
    breakpoints: frozenset[str] = field(default_factory=frozenset)
