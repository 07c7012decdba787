"""Reads what the picker wants to know of files, most urgent first, and gives it in batches; a worker runs it."""

from collections.abc import Callable, Iterator, Mapping
from time import monotonic

from ..finding import survey
from ..workspace.catalogue import Facts
from ..workspace.surveying import Wanted, next_job

BATCH_EVERY = 0.1  # seconds


class Surveying:
    """`wanted` may be replaced at any time, from any thread: the next file is chosen by the newest."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted

    def batches(self, known: Mapping[str, Facts], cancelled: Callable[[], bool]) -> Iterator[dict[str, Facts]]:
        """{path: facts} of what was read since the last batch, ten times a second, until nothing more is wanted."""
        facts, fresh = dict(known), dict[str, Facts]()
        due = monotonic() + BATCH_EVERY
        while not cancelled():
            wanted = self.wanted
            job = next_job(wanted, facts)
            if job is None:
                break
            found = survey(job.entry, job.most, lambda before=wanted: cancelled() or self._overtaken(before))  # type: ignore[misc]
            if found is not None:
                facts[job.entry.path] = fresh[job.entry.path] = found
            if fresh and monotonic() >= due:
                yield fresh
                fresh, due = {}, monotonic() + BATCH_EVERY
        if fresh:
            yield fresh

    def _overtaken(self, before: Wanted) -> bool:
        """Whether the user has moved on meanwhile, so that a large file should not be read further."""
        return self.wanted.selected != before.selected
