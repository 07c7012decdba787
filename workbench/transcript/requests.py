"""Requests that the newest versions record: put together again, exactly as they were sent (spec 6, section 3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..conversation.block import read_content
from ..conversation.row import ASSISTANT, Message, Part
from .index import Index

REQUEST, BLOB, SHAPE = "api-request", "api-request-blob", "api-request-shape"
Body = Callable[[int], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class BlobPiece:
    """A message stored as a blob, by its place in the index."""

    place: int


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """The reply to an earlier request: the assistant rows that name it."""

    request: str
    after: int


Piece = BlobPiece | ReplyPiece


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One recorded request; `pieces` name its messages in order, None where one of them is not in the file."""

    place: int
    line: int
    id: str
    source: str
    params: Mapping[str, Any]
    shape: int | None
    pieces: tuple[Piece, ...] | None


def read_requests(index: Index, body: Body) -> tuple[RecordedRequest, ...]:
    """Every recorded request of the file, in file order."""
    blobs: dict[str, int] = {}
    shapes: dict[str, int] = {}
    found: list[RecordedRequest] = []
    by_id: dict[str, RecordedRequest] = {}
    for place in index.places(REQUEST, BLOB, SHAPE):
        record, kind = body(place), index.kind(place)
        if kind == BLOB:
            blobs[str(record.get("hash"))] = place
        elif kind == SHAPE:
            shapes[str(record.get("shapeHash"))] = place
        else:
            base = by_id.get(str(record.get("base"))) or (found[-1] if found else None)
            request = _request(index, place, record, base, blobs, shapes)
            found.append(request)
            by_id[request.id] = request
    return tuple(found)


def _request(
    index: Index,
    place: int,
    record: Mapping[str, Any],
    base: RecordedRequest | None,
    blobs: dict[str, int],
    shapes: dict[str, int],
) -> RecordedRequest:
    params, tail, keep = record.get("params"), record.get("tail"), record.get("keep")
    return RecordedRequest(
        place=place,
        line=index.lines[place],
        id=str(record.get("id")),
        source=str(record.get("querySource")),
        params=params if isinstance(params, Mapping) else {},
        shape=shapes.get(str(record.get("shapeHash"))),
        pieces=_pieces(keep if isinstance(keep, int) else 0, tail if isinstance(tail, Sequence) else (), base, blobs),
    )


def _pieces(keep: int, tail: Sequence[object], base: RecordedRequest | None, blobs: dict[str, int]) -> tuple[Piece, ...] | None:
    pieces: list[Piece] = []
    if keep:
        if base is None or base.pieces is None or len(base.pieces) < keep:
            return None
        pieces += base.pieces[:keep]
    for name in tail:
        place = blobs.get(str(name))
        if place is not None:
            pieces.append(BlobPiece(place))
        elif base is not None:
            pieces.append(ReplyPiece(base.id, base.place))
        else:
            return None
    return tuple(pieces)


def request_of(index: Index, body: Body, requests: tuple[RecordedRequest, ...], place: int) -> RecordedRequest | None:
    """The recorded request that the assistant row at `place` answers; None where there is none."""
    name = body(place).get("requestRef") if index.kind(place) == ASSISTANT else None
    return next((r for r in requests if r.id == name), None) if name else None


def messages_of(request: RecordedRequest, index: Index, body: Body) -> tuple[Message, ...] | None:
    """The messages exactly as sent; None where a piece of them is not in the file."""
    if request.pieces is None:
        return None
    found: list[Message] = []
    for piece in request.pieces:
        message = _blob(body(piece.place)) if isinstance(piece, BlobPiece) else _reply(piece, index, body)
        if message is None:
            return None
        found.append(message)
    return tuple(found)


def _blob(record: Mapping[str, Any]) -> Message | None:
    message = record.get("message")
    if not isinstance(message, Mapping):
        return None
    return Message(str(message.get("role")), tuple(Part(b, None) for b in read_content(message.get("content"))))


def _reply(piece: ReplyPiece, index: Index, body: Body) -> Message | None:
    parts: list[Part] = []
    message_id: str | None = None
    codes = index.kind_codes(ASSISTANT)
    for place in range(piece.after + 1, len(index)):
        if index.kinds[place] not in codes or (message_id is not None and index.message_id(place) != message_id):
            continue
        record = body(place)
        if record.get("requestRef") == piece.request:
            message_id = index.message_id(place)
            message = record.get("message")
            parts += [Part(b, None) for b in read_content(message.get("content") if isinstance(message, Mapping) else None)]
    return Message(ASSISTANT, tuple(parts)) if parts else None
