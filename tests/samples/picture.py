"""Draws a small valid PNG, so that the picture in a sample is ours.

It is stored uncompressed, since zlib's output differs between builds.
"""

import struct
import zlib

PALETTE = ((255, 255, 255), (38, 92, 170), (222, 226, 232), (198, 40, 40))
WHITE, BLUE, GREY, RED = range(4)
Box = tuple[int, int, int, int, int]


def booking_form(width: int = 400, height: int = 300, *, fault: bool) -> bytes:
    """A booking form as a screenshot: title bar, three fields, a button. With the fault a red button lies over the last field."""
    fields = tuple((30, top, width - 30, top + 32, GREY) for top in (70, 120, 170))
    button = (30, 185, 170, 221, RED) if fault else (30, 230, 170, 266, BLUE)
    return png(width, height, ((0, 0, width, 44, BLUE), *fields, button))


def png(width: int, height: int, boxes: tuple[Box, ...]) -> bytes:
    """A PNG of width by height pixels in four colours: boxes (left, top, right, bottom, colour) on white, later ones on top."""
    rows = [bytearray(width) for _ in range(height)]
    for left, top, right, bottom, colour in boxes:
        for y in range(top, min(bottom, height)):
            rows[y][left:right] = bytes([colour]) * (right - left)
    pixels = b"".join(b"\0" + _packed(row) for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 2, 3, 0, 0, 0)
    colours = b"".join(bytes(colour) for colour in PALETTE)
    chunks = _chunk(b"IHDR", header) + _chunk(b"PLTE", colours) + _chunk(b"IDAT", _stored(pixels)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _packed(row: bytearray) -> bytes:
    """Four pixels to the byte; the width is a multiple of four."""
    return bytes(row[i] << 6 | row[i + 1] << 4 | row[i + 2] << 2 | row[i + 3] for i in range(0, len(row), 4))


def _stored(data: bytes) -> bytes:
    """A zlib stream of one stored block (at most 65,535 bytes)."""
    return b"\x78\x01\x01" + struct.pack("<HH", len(data), len(data) ^ 0xFFFF) + data + struct.pack(">I", zlib.adler32(data))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
