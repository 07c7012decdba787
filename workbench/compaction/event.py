"""What a finished run leaves behind: one event, and the counters for the next turn (spec 1, sections 4 and 10)."""

from dataclasses import dataclass

from .breaker import ABORTED, FAILURE, HOOK_BLOCKED, SKIPPED, SUCCESS, Tracking, after
from .run import COMPACTED, FAILED_RUN, Run, deciding
from .stages import ask, pre_hook, record


@dataclass(frozen=True, slots=True)
class Event:
    """The one event of a run.

    outcome        compacted | skipped | failed; `reason` in words
    tokens_*       array + overhead, rough; before the first stage and after the last; a lower bound where the overhead
                   is unknown, None where nothing is known
    duration_ms    that whoever answered took, together; None: not known
    retries        summary requests that were made shorter
    model          what became of each summary request, in order: ok, tool call, empty, truncated, too long, error, cancelled
    """

    trigger: str
    variant: str
    outcome: str
    reason: str
    tokens_before: int | None
    tokens_after: int | None
    duration_ms: int | None
    retries: int
    model: tuple[str, ...]


def event_of(run: Run) -> Event:
    """The event of a run that is over."""
    first, last = run.results[0], run.results[-1]
    used = {key for result in run.results if result.name == ask.NAME for key in result.answers}
    times = [reply.duration_ms for key, reply in run.replies.items() if key in used]
    known = [time for time in times if time is not None]
    return Event(
        run.plan.trigger,
        run.plan.variant,
        run.outcome,
        run.reason,
        first.told_before.tokens,
        last.told_after.tokens,
        sum(known) if known and len(known) == len(times) else None,
        last.work.retries,
        tuple(asked.outcome for asked in last.work.requests),
    )


def tracking_after(run: Run) -> Tracking:
    """The counters after a run that is over; an abort, a blocking hook and a skip change nothing."""
    tracking, trigger = run.ground.tracking, run.plan.trigger
    if run.outcome == COMPACTED and run.results[-1].name == record.NAME:
        boundary = run.work.boundary
        return after(tracking, SUCCESS, boundary.uuid if boundary is not None else "", trigger=trigger)
    if run.outcome == FAILED_RUN:
        return after(tracking, FAILURE, tracking.turn_id, trigger=trigger, reason=run.reason)
    why = {pre_hook.NAME: HOOK_BLOCKED, ask.NAME: ABORTED}.get(deciding(run.results).name, SKIPPED)
    return after(tracking, why, tracking.turn_id, trigger=trigger)
