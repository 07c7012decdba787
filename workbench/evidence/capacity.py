"""Window and threshold of a session: its recorded evidence, handed to the rules of the compaction room."""

from ..compaction.settings import Settings
from ..compaction.threshold import Threshold, no_threshold, threshold_of
from ..compaction.window import Facts, Fired, Window, window_evidence
from ..errors import UsageError
from ..transcript.index import Call, Unmeasured
from ..transcript.session import Session


def capacity_of(session: Session, settings: Settings) -> tuple[Window, Threshold]:
    """The window by the strongest evidence, and the threshold it gives. Raises UsageError where none would be left."""
    facts = facts_of(session)
    window = window_evidence(facts, settings)
    return window, threshold_of(window, facts.model, settings)


def capacity_shown(session: Session, settings: Settings) -> tuple[Window, Threshold]:
    """The same to be shown beside everything else: where no threshold is left, none, and why."""
    try:
        return capacity_of(session, settings)
    except UsageError as error:
        facts = facts_of(session)
        window = window_evidence(facts, settings)
        return window, no_threshold(window, facts.model, settings, str(error).rstrip("."))


def facts_of(session: Session) -> Facts:
    """The model of the newest call, the largest prompt that went through, and every recorded compaction."""
    calls = session.main_calls
    last: list[Call | Unmeasured] = [*calls[-1:], *session.main_unmeasured[-1:]]
    newest = max((c for c in last if c.model), key=lambda c: c.row, default=None)
    fired = tuple(Fired(b.trigger, b.pre_tokens, session.version_at(b.place)) for b in session.boundaries)
    return Facts(newest.model if newest is not None else None, max((c.prompt for c in calls), default=None), fired)
