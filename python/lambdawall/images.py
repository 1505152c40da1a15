"""Poster and thumbnails of a store, as PNG."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from .pixels import Bytes

POSTER_WIDTH, THUMBNAIL_WIDTH, THUMBNAILS = 640, 160, 16
FILE_BYTES_MAX = 700 << 10  # what the server sends to operators


def shrink(rgb: Bytes, width_max: int) -> Bytes:
    """The mean of the pixels that fall into each pixel of a smaller image."""
    height, width = rgb.shape[:2]
    if width <= width_max:
        return rgb
    rows = max(1, round(height * width_max / width))
    top, left = np.arange(rows) * height // rows, np.arange(width_max) * width // width_max
    sums = np.add.reduceat(np.add.reduceat(rgb, top, axis=0, dtype=np.uint32), left, axis=1)
    counts = np.outer(np.diff(np.append(top, height)), np.diff(np.append(left, width)))
    small: Bytes = (sums // counts[..., None]).astype(np.uint8)
    return small


def png(rgb: Bytes) -> bytes:
    """The file of an image (height, width, 3)."""
    height, width = rgb.shape[:2]

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    difference = rgb.copy()
    difference[1:] -= rgb[:-1]  # the filter "up"
    lines = np.concatenate([np.full((height, 1), 2, dtype=np.uint8), difference.reshape(height, -1)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    content = zlib.compress(lines.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", content) + chunk(b"IEND", b"")


def small_png(rgb: Bytes, width_max: int) -> bytes:
    """As `png`, narrower if the file would be too large for the server to send."""
    while True:
        content = png(shrink(rgb, width_max))
        if len(content) <= FILE_BYTES_MAX or width_max < 16:
            return content
        width_max = min(width_max, rgb.shape[1]) * 3 // 4
