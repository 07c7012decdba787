"""The ground of a compaction run: a session at a point, with everything that the stages look at (design: "How one steps")."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..compaction.ground import Ground, NotesGround
from ..compaction.reconstruct import working_set
from ..compaction.settings import Settings
from ..compaction.threshold import Threshold
from ..conversation.figure import Figure
from ..conversation.row import Row
from ..transcript.chain import Chain
from ..transcript.session import Session
from ..transcript.usage import context_of
from .capacity import capacity_of
from .clearing import as_sent_then
from .overhead import overhead_at
from .tracking import tracking_at

SESSION_START = "SessionStart:compact"


def ground_at(
    session: Session,
    settings: Settings,
    *,
    line: int | None = None,
    chain: Chain | None = None,
    notes: NotesGround | None = None,
    transcript: str | None = None,
    hooks: Mapping[str, str] | None = None,
) -> Ground:
    """The state before a physical line, or of a chain (default: as the agent loads the file now).

    hooks  text by name (pre, session-start, post); what is not given is taken from what the session recorded
    """
    found = session.chain_at(line) if line is not None else (chain or session.chain)
    loaded = tuple(session.rows(found.places))
    if session.is_request:
        loaded = tuple(replace(row, line=None) for row in loaded)
    context = context_of(session, found, loaded)
    rows = as_sent_then(session, loaded, None if context.call is None else context.call.call.row)
    window, threshold = capacity_of(session, settings)
    limit = len(session.index) if line is None else session.place_of_line(line)
    last = max((r.timestamp for r in rows if r.timestamp), default=None)
    now = settings["now"].value or _next_user_time(session, limit) or last
    return Ground(
        session_id=next(iter(session.index.sessions), ""),
        rows=rows,
        tokens=Figure(context.counted, context.now.kind, context.now.source),
        overhead=overhead_at(session, context, loaded),
        window=window,
        threshold=threshold,
        working=working_set(rows, session.body),
        model=context.call.call.model if context.call is not None else _last_model(rows),
        version=session.index.last_version,
        transcript=transcript,
        now=now,
        last_time=last,
        line=line,
        remark=_remark(session, threshold, line),
        notes=notes or NotesGround(),
        tracking=tracking_at(session, threshold, settings, limit, context.counted),
        hooks={**recorded_hooks(session, limit), **(hooks or {})},
        dropped=next((b.dropped_tokens for b in reversed(session.boundaries) if b.place < limit and b.dropped_tokens), 0),
    )


def _remark(session: Session, threshold: Threshold, line: int | None) -> str:
    """That the compaction recorded at this line was reactive: it came below every threshold, by the API's answer."""
    found = next((b for b in session.boundaries if b.line == line), None)
    if found is None or found.trigger != "auto" or found.pre_tokens is None:
        return ""
    if threshold.auto is not None and found.pre_tokens >= threshold.auto:
        return ""
    tokens = f"{found.pre_tokens:,} tokens"
    return f"The automatic compaction recorded at this line, at {tokens}, was reactive: the API had answered too long."


def _last_model(rows: Sequence[Row]) -> str:
    return next((r.model for r in reversed(rows) if r.model and r.model[0] != "<"), "")


def _next_user_time(session: Session, limit: int) -> str | None:
    """In a replay "now" is the time of the next user row (spec 1, section 7)."""
    place = next((p for p in range(limit, len(session.index)) if session.index.kind(p) == "user"), None)
    return None if place is None else session.index.timestamp(place)


def recorded_hooks(session: Session, limit: int) -> dict[str, str]:
    """The text that SessionStart hooks (source compact) added after the first boundary at or behind a point."""
    boundary = next((b for b in session.boundaries if b.place >= limit), None)
    if boundary is None:
        return {}
    texts = []
    for place in range(boundary.place, len(session.index)):
        kind = session.index.kind(place)
        if kind == "assistant":
            break
        if kind in ("attachment:hook_success", "attachment:hook_additional_context"):
            attachment = session.body(place).get("attachment")
            if isinstance(attachment, Mapping) and attachment.get("hookName") == SESSION_START:
                content = attachment.get("content")
                texts += [content] if isinstance(content, str) else [str(c) for c in content] if isinstance(content, list) else []
    return {"session-start": "\n".join(texts)} if any(t.strip() for t in texts) else {}
