"""What the next call after a simulated compaction will measure, better than bytes/4 can tell (spec 1, section 2).

A run counts array + overhead by `rough`, as the agent does; what bytes/4 undercounts of the old messages is in that overhead,
though it went with them. The session's first call was made when there was hardly a message yet: its overhead is the real one.
"""

from collections.abc import Iterable, Sequence

from ..compaction.ground import Ground
from ..conversation.figure import Figure, estimated, unknown
from ..conversation.row import Row
from ..conversation.tokens import Estimator, measured_anew
from ..transcript.chain import Chain
from ..transcript.session import Session
from ..transcript.usage import context_of
from .calibration import Calibration, calibration_of
from .overhead import overhead_at

MOST_OVERHEAD = 100_000  # tokens: the first call of a fresh session has 72,000 at the most, messages included (spec 2, section 3)


def expected_after(session: Session, ground: Ground, rows: Sequence[Row]) -> Figure:
    """Tokens that a call with these rows as its array would measure; unknown where the session has no call before the point."""
    limit = len(session.index) if ground.line is None else session.place_of_line(ground.line)
    first = next((c for c in session.main_calls if c.row < limit), None)
    if first is None:
        return unknown("no call before this point measured what stands before the messages")
    calibration = calibration_of(session)
    before = session.rows(session.chain_at(session.index.lines[first.row]).places)
    overhead = max(0, first.prompt - _tokens(before, calibration))
    if overhead > MOST_OVERHEAD:
        return unknown(
            f"the first recorded call has {overhead:,} tokens beside its messages: more went before it than is recorded"
        )
    words = f"calibrated messages ({calibration.source}) and {overhead:,} that the first call of the session had beside its own"
    return estimated(_tokens(rows, calibration) + overhead, words)


def measured_by(session: Session, chain: Chain, rows: Sequence[Row], by: Estimator) -> tuple[int, Figure]:
    """Tokens of rows as the array by another estimator than the run's, and in context with the overhead that it gives.

    chain  what the run started from
    """
    loaded = tuple(row.slim() for row in measured_anew(session.rows(chain.places), by))
    overhead = overhead_at(session, context_of(session, chain, loaded, by), loaded, by)
    tokens = sum(row.tokens for row in measured_anew((r for r in rows if r.role is not None), by))
    if overhead.tokens is None:
        return tokens, unknown(overhead.source)
    return tokens, estimated(tokens + overhead.tokens, f"{by.words} of the messages + overhead")


def _tokens(rows: Iterable[Row], calibration: Calibration) -> int:
    return sum(calibration.calibrated(b) for row in rows if row.role is not None for b in row.blocks)
