"""Images by their header bytes alone: sides and tokens, without decoding a picture (spec 1, section 2)."""

import base64
import binascii
import struct
from collections.abc import Mapping
from dataclasses import dataclass

UNKNOWN_IMAGE_TOKENS = 1_568
PATCH = 28  # pixels: the side of the patch that the API counts as one token


@dataclass(frozen=True, slots=True)
class Image:
    """One image: sides in pixels (0 when the header is not understood) and bytes of its decoded data."""

    width: int
    height: int
    size: int

    @property
    def tokens(self) -> int:
        """ceil(w/28) * ceil(h/28), at most 1,568; unknown sides count 1,568."""
        if not self.width or not self.height:
            return UNKNOWN_IMAGE_TOKENS
        return min(UNKNOWN_IMAGE_TOKENS, -(-self.width // PATCH) * -(-self.height // PATCH))

    @property
    def side(self) -> int:
        """The longer side in pixels; 0 when unknown."""
        return max(self.width, self.height)


def sides(head: bytes) -> tuple[int, int]:
    """(width, height) in pixels from the first bytes of a PNG, GIF, WebP or JPEG; (0, 0) when not understood."""
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) >= 24:
        return struct.unpack(">II", head[16:24])
    if head[:4] == b"GIF8" and len(head) >= 10:
        return struct.unpack("<HH", head[6:10])
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return _webp_sides(head)
    if head[:2] == b"\xff\xd8":
        return _jpeg_sides(head)
    return 0, 0


def _webp_sides(head: bytes) -> tuple[int, int]:
    kind = head[12:16]
    if kind == b"VP8X" and len(head) >= 30:
        return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
    if kind == b"VP8 " and len(head) >= 30:
        width, height = struct.unpack("<HH", head[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L" and len(head) >= 25:
        bits = int.from_bytes(head[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return 0, 0


def _jpeg_sides(head: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(head) and head[at] == 0xFF:
        marker, length = head[at + 1], int.from_bytes(head[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return 0, 0


def image_of(block: Mapping[str, object]) -> Image:
    """The image of a block `{type: image, source: {data}}`; sides 0 when there is no base64 data in it."""
    source = block.get("source")
    data = source.get("data") if isinstance(source, Mapping) else None
    if not isinstance(data, str):
        return Image(0, 0, 0)
    size = len(data) * 3 // 4 - data[-2:].count("=")
    try:  # 64 KB reach past the metadata that cameras put before the size
        head = base64.b64decode(data[: 4 * 16_384].encode("ascii", "replace")[: len(data) // 4 * 4], validate=False)
    except (binascii.Error, ValueError):
        return Image(0, 0, size)
    return Image(*sides(head), size)
