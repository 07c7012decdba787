"""Which file to read next for the picker: what is in sight before what is not, titles before counts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .catalogue import ENOUGH, GLANCE, Entry, Facts


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose facts are wanted, most urgent first: rows in sight, the selected row (whole), then every listed file."""

    in_sight: tuple[Entry, ...] = ()
    selected: Entry | None = None
    listed: tuple[Entry, ...] = ()
    count_all: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read up to `most` bytes of."""

    entry: Entry
    most: int


def next_job(wanted: Wanted, facts: Mapping[str, Facts]) -> Job | None:
    """What to read next; None when everything wanted is known."""
    return next(_jobs(wanted, facts), None)


def _jobs(wanted: Wanted, facts: Mapping[str, Facts]) -> Iterator[Job]:
    yield from (Job(e, GLANCE) for e in wanted.in_sight if e.path not in facts)
    yield from (Job(e, ENOUGH) for e in wanted.in_sight if not facts[e.path].counted)
    chosen = wanted.selected
    if chosen is not None and (chosen.path not in facts or not facts[chosen.path].whole):
        yield Job(chosen, chosen.size)
    yield from (Job(e, GLANCE) for e in wanted.listed if e.path not in facts)
    if wanted.count_all:
        yield from (Job(e, ENOUGH) for e in wanted.listed if not facts[e.path].counted)
