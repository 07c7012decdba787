"""The ground of a run for the commands that start one: a session at a point, with its notes and hooks."""

from collections.abc import Mapping

from ..compaction.ground import Ground
from ..compaction.settings import Settings
from ..errors import UsageError
from ..evidence.covered import budgets_of
from ..evidence.grounding import ground_at
from ..notebook import notes_ground, notes_of
from ..transcript.session import Session


def ground_of(
    session: Session,
    settings: Settings,
    *,
    line: int | None = None,
    leaf: str | None = None,
    notes: str | None = None,
    hooks: Mapping[str, str] | None = None,
) -> Ground:
    """The state before a physical line, or of the branch that ends at a row. Raises UsageError where both are asked for."""
    if line is not None and leaf:
        raise UsageError("--at and --leaf exclude each other: the state before a line has one branch.")
    path = getattr(session.reader, "path", None)
    chain = None if line is not None else session.branch(leaf) if leaf else session.chain
    limit = None if line is None else session.place_of_line(line)
    return ground_at(
        session,
        settings,
        line=line,
        chain=chain,
        notes=notes_ground(session, notes_of(session, notes), budgets_of(settings), limit),
        transcript=str(path) if path is not None and not session.is_request else None,
        hooks=hooks,
    )
