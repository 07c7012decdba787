"""A compacted session that resumes: the file up to the point, byte for byte, and the rows that a run adds behind it.

What is written carries both forms of the preserved part and a `last-prompt` that names the new leaf, so that the agent
finds the boundary and not the old branch (spec 2, section 5; spec 6, sections 3 and 4). Before it is given out it is read
back: a file that would resume as anything else than the run's result is refused.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..compaction.ground import Ground
from ..compaction.result import Work
from ..compaction.rows_made import attachment_body, new_message_id, new_time, new_uuid
from ..compaction.run import Run
from ..compaction.stages.put_together import EARLY
from ..compaction.stages.record import Recorded, recorded
from ..conversation.row import Row
from ..errors import WriteRefused
from ..transcript.record import UsageHead
from ..transcript.session import Session
from .messages import encodable
from .read_back import check_holds

COMMON = ("userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug")
COPIES = 5_000  # ordinal of the first copied row


def compacted_session(session: Session, done: Run) -> bytes:
    """The bytes of the new session.

    Raises WriteRefused for a run that changed nothing, for a Messages API request, and where the file could not hold the result.
    """
    if session.is_request:
        raise WriteRefused("A Messages API request has no session to go on with; export it --as messages.")
    if _is_aside(session, done):
        raise WriteRefused(
            "This branch is a sub-agent's inside the session, which the agent never resumes; compact the session's main branch, "
            "or the sub-agent's own file."
        )
    content = _content(session, done)
    check_holds(session, content, done.work.sent)
    return content


def _is_aside(session: Session, done: Run) -> bool:
    """Whether the branch ends in a row of a sub-agent while the file is of a main session."""
    said = (row for row in reversed(done.ground.rows) if row.kind in ("user", "assistant"))
    leaf = next(said, None)
    return leaf is not None and leaf.is_sidechain and not session.tree.is_sub_agent


def _content(session: Session, done: Run) -> bytes:
    work = done.work
    if work.boundary is not None:
        return _rewritten(session, done, work.kept) + _lines(_appended(session, done, work))
    if work.outgoing:
        raise WriteRefused("Cached clearing changes the outgoing copy only; there is no other session to write.")
    if any(r.place < 0 for r in work.rows):
        return _prefix(session, done) + _lines(_projection(session, done, work))
    return _rewritten(session, done, work.rows) + _lines(_leaf_named(session, done))


def _prefix(session: Session, done: Run) -> bytes:
    """The file up to the run's point, ending with a newline."""
    line = done.ground.line
    end = session.index.end
    if line is not None:
        place = session.place_of_line(line)
        end = session.index.offsets[place] if place < len(session.index) else end
    data = session.reader.read(0, end)
    return data if not data or data.endswith(b"\n") else data + b"\n"


def _lines(records: Iterator[Mapping[str, Any]]) -> bytes:
    return b"".join(_encoded(r) + b"\n" for r in records)


def _encoded(record: Mapping[str, Any]) -> bytes:
    """Compact JSON: the agent looks for boundaries by their bytes."""
    return json.dumps(encodable(record), ensure_ascii=False, separators=(",", ":")).encode()


def _common(session: Session, done: Run) -> dict[str, Any]:
    """The fields that every row of the session carries, as its newest row has them; whose row it is, the whole file says."""
    row = next((r for r in reversed(done.ground.rows) if r.place >= 0), None)
    body = session.body(row.place) if row is not None else {}
    time = body.get("timestamp")  # stands where no time of the session can be read, so that none can be counted on from it
    return {
        "isSidechain": session.tree.is_sub_agent,
        **{k: body[k] for k in COMMON if k in body},
        **({"timestamp": time} if isinstance(time, str) else {}),
    }


def _appended(session: Session, done: Run, work: Work) -> Iterator[Mapping[str, Any]]:
    made = recorded(done.ground, done.plan, work)
    common = _common(session, done)
    assert work.boundary is not None
    yield _boundary(work.boundary, made, common)
    parent = work.boundary.uuid
    for row in _in_order(work):
        yield {"parentUuid": parent, **common, **_record(row, work)}
        parent = row.uuid
    yield _last_prompt(parent, common)


def _in_order(work: Work) -> Sequence[Row]:
    """The rows that are new on disk: kept rows stand where they were."""
    early = [a.row for a in work.attachments if a.kind in EARLY and a.row in work.rows[: _place_of(work, work.summary_row)]]
    rest = [a.row for a in work.attachments if a.row not in early]
    summary = [work.summary_row] if work.summary_row is not None else []
    return [*early, *summary, *rest, *work.hook_rows]


def _place_of(work: Work, row: Row | None) -> int:
    return work.rows.index(row) if row is not None and row in work.rows else 0


def _boundary(row: Row, made: Recorded, common: Mapping[str, Any]) -> dict[str, Any]:
    kept = [u for u in made.kept if u]
    metadata: dict[str, Any] = {"trigger": made.trigger, "preTokens": made.pre_tokens or 0, "postTokens": made.post_tokens}
    if made.dropped_tokens is not None:
        metadata["cumulativeDroppedTokens"] = made.dropped_tokens
    if kept:
        metadata["preservedSegment"] = {"headUuid": kept[0], "anchorUuid": made.anchor, "tailUuid": kept[-1]}
        metadata["preservedMessages"] = {"anchorUuid": made.anchor, "uuids": kept, "allUuids": kept}
    if made.discovered_tools:
        metadata["preCompactDiscoveredTools"] = list(made.discovered_tools)
    return {
        "parentUuid": None,
        "logicalParentUuid": made.logical_parent,
        **common,
        "type": "system",
        "subtype": "compact_boundary",
        "content": "Conversation compacted",
        "isMeta": False,
        "level": "info",
        "compactMetadata": metadata,
        **_named(row),
    }


def _record(row: Row, work: Work) -> dict[str, Any]:
    text = "".join(str((b.body or {}).get("text", "")) for b in row.blocks)
    end = _named(row)
    if row.is_attachment:
        body = work.bodies.get(row.uuid) or attachment_body(row.kind.partition(":")[2], text)
        return {"type": "attachment", **body, **end}
    flags = {"isCompactSummary": True, "isVisibleInTranscriptOnly": True} if row.is_summary else {}
    return {"type": "user", "message": {"role": "user", "content": text}, **flags, **end}


def _named(row: Row) -> dict[str, Any]:
    """The row's id, and its time where one could be made."""
    return {"uuid": row.uuid} | ({"timestamp": row.timestamp} if row.timestamp else {})


def _last_prompt(leaf: str, common: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "last-prompt", "leafUuid": leaf, "sessionId": common.get("sessionId")}


def _leaf_named(session: Session, done: Run) -> Iterator[Mapping[str, Any]]:
    """A `last-prompt` for a branch that was asked for and is not the one that the agent would load by itself."""
    rows = done.ground.rows
    if done.ground.line is None and rows and session.chain.places[-1:] != (rows[-1].place,):
        yield _last_prompt(next(r.uuid for r in reversed(rows) if r.place >= 0), _common(session, done))


def _projection(session: Session, done: Run, work: Work) -> Iterator[Mapping[str, Any]]:
    """A folded array: a boundary, and behind it every row of the projection, copied with ids of its own."""
    common = _common(session, done)
    ground = done.ground
    parent = new_uuid(ground, COPIES)
    boundary = Row(-1, None, parent, "system:compact_boundary", None, timestamp=new_time(ground, COPIES))
    made = recorded(ground, done.plan, work)
    yield _boundary(
        boundary,
        Recorded(
            made.trigger, made.pre_tokens, made.post_tokens, made.dropped_tokens, made.logical_parent, None, (), (), made.tracking
        ),
        common,
    )
    changed = {r.place for r in _changed(done, work.rows)}
    for number, row in enumerate((r for r in work.rows if r.role is not None), 1):
        uuid = new_uuid(ground, COPIES + number)
        if row.place < 0:
            yield {"parentUuid": parent, **common, **_record(row, work), "uuid": uuid}
        else:
            body = session.body(row.place) if row.place not in changed else _with_blocks(session.body(row.place), row)
            yield {
                **body,
                **_as_new_reply(body, ground),
                "isSidechain": common["isSidechain"],
                "parentUuid": parent,
                "uuid": uuid,
            }
        parent = uuid
    yield _last_prompt(parent, common)


def _as_new_reply(body: Mapping[str, Any], ground: Ground) -> Mapping[str, Any]:
    """The copy of a reply's message: by its old id the agent would join the old rows in, by its old usage compact at once."""
    message = body.get("message")
    if body.get("type") != "assistant" or not isinstance(message, Mapping):
        return {}
    id_ = new_message_id(ground, message.get("id"))
    return {"message": {**message, "id": id_, "usage": dict.fromkeys(UsageHead.__struct_fields__, 0)}}


def _rewritten(session: Session, done: Run, rows: Sequence[Row]) -> bytes:
    """The file up to the point; what the run changed in these rows (results cleared, bound thinking dropped) in their own lines.

    Every other line stays as it is.
    """
    index, at, pieces = session.index, 0, []
    whole = _prefix(session, done)
    for row in sorted(_changed(done, rows), key=lambda r: r.place):
        start = index.offsets[row.place]
        pieces += [whole[at:start], _encoded(_with_blocks(session.body(row.place), row))]
        at = start + index.lengths[row.place]
    return b"".join([*pieces, whole[at:]])


def _changed(done: Run, rows: Sequence[Row]) -> list[Row]:
    """Rows of the file whose blocks the run changed; one that it emptied stays as it was, outside the array."""
    before = {r.place: r for r in done.ground.rows}
    return [r for r in rows if r.place >= 0 and r.blocks and before.get(r.place) is not r]


def _with_blocks(body: Mapping[str, Any], row: Row) -> dict[str, Any]:
    return {**body, "message": {**body.get("message", {}), "content": [b.body for b in row.blocks]}}
