"""Invariants 28 to 32: images, media, messages, bytes, tokens, and the compaction block."""

from collections.abc import Iterator, Sequence

from ..row import Message
from . import fault as f
from . import texts
from .fault import Fault
from .places import parts_of, where
from .request import Request

MOST_PIXELS, MOST_PIXELS_OF_MANY, MANY_IMAGES = 8_000, 2_000, 20
MOST_MEDIA, MOST_MEDIA_OF_LARGE_WINDOW = 100, 600
LARGE_WINDOW = 1_000_000  # tokens
MOST_IMAGE_BYTES = 10 << 20
MOST_MESSAGES = 100_000
MOST_BODY_BYTES = 32 << 20


def limits_of(messages: Sequence[Message], request: Request | None) -> Iterator[Fault]:
    """What is too large or too many."""
    yield from _images(messages)
    yield from _media(messages, request)
    yield from _sizes(messages, request)
    yield from _compaction_blocks(messages)


def _images(messages: Sequence[Message]) -> Iterator[Fault]:
    many = sum(len(b.images) for m in messages for b in m.blocks) > MANY_IMAGES
    limit = MOST_PIXELS_OF_MANY if many else MOST_PIXELS
    for index, at, part in parts_of(messages):
        for image in part.block.images:
            place = where(index, part)
            if image.side > limit:
                words = f"An image in messages[{index}] is {image.width}x{image.height}; {limit:,} pixels a side are allowed"
                words += f" when there are more than {MANY_IMAGES} images." if many else "."
                error = texts.image_side(index, at, limit)
                yield Fault("image-side", 28, f.ARRAY, f.LIMIT, words, api_error=error, **place)
            if image.size > MOST_IMAGE_BYTES:
                words = f"An image in messages[{index}] has {image.size:,} bytes; {MOST_IMAGE_BYTES:,} are allowed."
                error = texts.image_size(index, at, image.size, MOST_IMAGE_BYTES)
                yield Fault("image-bytes", 29, f.ARRAY, f.LIMIT, words, api_error=error, **place)


def _media(messages: Sequence[Message], request: Request | None) -> Iterator[Fault]:
    """The window decides how many; where it is unknown, the larger number does."""
    small = request is not None and request.window is not None and request.window < LARGE_WINDOW
    limit = MOST_MEDIA if small else MOST_MEDIA_OF_LARGE_WINDOW
    found = sum(len(b.images) + (b.kind == "document") for m in messages for b in m.blocks)
    if found > limit:
        words = f"The array holds {found} images and documents; {limit} are allowed."
        yield Fault("too-many-media", 29, f.ARRAY, f.LIMIT, words, api_error=texts.media(found, limit))


def _sizes(messages: Sequence[Message], request: Request | None) -> Iterator[Fault]:
    if len(messages) > MOST_MESSAGES:
        words = f"The array holds {len(messages):,} messages; {MOST_MESSAGES:,} are allowed."
        yield Fault("too-many-messages", 30, f.ARRAY, f.LIMIT, words)
    known = request.size if request is not None else None
    size = known or sum(m.size + sum(i.size * 4 // 3 for b in m.blocks for i in b.images) for m in messages)
    if size > MOST_BODY_BYTES:
        words = f"The body has {'' if known else 'at least '}{size:,} bytes; {MOST_BODY_BYTES:,} are allowed."
        yield Fault("too-many-bytes", 30, f.ARRAY, f.LIMIT, words, api_error=texts.TOO_MANY_BYTES)
    if request is not None and request.tokens is not None and request.window is not None and request.tokens > request.window:
        words = f"The request has about {request.tokens:,} tokens; the window holds {request.window:,}."
        error = texts.too_long(request.tokens, request.window)
        yield Fault("too-many-tokens", 31, f.REQUEST, f.LIMIT, words, api_error=error)


def _compaction_blocks(messages: Sequence[Message]) -> Iterator[Fault]:
    for index, at, part in parts_of(messages):
        body = part.block.body
        if part.block.kind != "compaction" or body is None:
            continue
        if at or not (body.get("content") or body.get("encrypted_content")):
            why = "is not the first block of its message" if at else "has no content"
            words = f"The compaction block in messages[{index}] {why}."
            error = texts.compaction_block(index, at)
            yield Fault("compaction-block", 32, f.ARRAY, f.HISTORY, words, api_error=error, **where(index, part))
