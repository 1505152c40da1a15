"""Frames of `lossless`: rgb8, compressed in chunks of rows (docs/frame-store.md, Lossless frames).

Chunks are frames of Zstandard, for which Python needs the module `zstandard` (python3-zstandard). Without it, chunks
are written as plain pixels, which are valid and take as much space as rgb8, and compressed ones cannot be read.
"""

from __future__ import annotations

from types import ModuleType
from typing import Optional

import numpy as np
import numpy.typing as npt

from .errors import InvalidInput, InvalidStore

Bytes = npt.NDArray[np.uint8]

zstandard: Optional[ModuleType]
try:
    import zstandard
except ImportError:
    zstandard = None

_CHUNK_ROWS = 8
_UNIT = 16  # octets in use are a multiple
_LEVEL = 3


def row_bytes(width: int) -> int:
    """Of the memory for a frame that cannot be compressed."""
    return -(-3 * width // _UNIT) * _UNIT + _UNIT


def _planes(rgb: Bytes) -> bytes:
    """Of a chunk: G, R - G and B - G, each value less its left neighbour."""
    green = rgb[..., 1]
    planes = np.stack([green, rgb[..., 0] - green, rgb[..., 2] - green])
    return np.diff(planes, axis=-1, prepend=np.uint8(0)).astype(np.uint8).tobytes()


def _pixels(planes: bytes, rows: int, width: int) -> Bytes:
    green, red, blue = np.add.accumulate(
        np.frombuffer(planes, dtype=np.uint8).reshape(3, rows, width), axis=-1, dtype=np.uint8
    )
    rgb: Bytes = np.stack([red + green, green, blue + green], axis=-1)
    return rgb


def _chunk(rgb: Bytes) -> bytes:
    plain = rgb.tobytes()
    if zstandard is None:
        return plain
    packed: bytes = zstandard.ZstdCompressor(level=_LEVEL).compress(_planes(rgb))
    return packed if len(packed) < len(plain) else plain


def _band(rgb: Bytes) -> Bytes:
    rows, width = rgb.shape[:2]
    chunks = [_chunk(rgb[first : first + _CHUNK_ROWS]) for first in range(0, rows, _CHUNK_ROWS)]
    tables = 2 if len(chunks) > 1 else 1
    used = tables * (8 + 4 * len(chunks)) + sum(map(len, chunks))
    used = -(-used // _UNIT) * _UNIT
    lengths = np.array([used, rows | _CHUNK_ROWS << 16, *map(len, chunks)], dtype="<u4").tobytes()
    out = np.zeros(rows * row_bytes(width), dtype=np.uint8)
    first = lengths + b"".join(chunks)
    out[: len(first)] = np.frombuffer(first, dtype=np.uint8)
    if tables > 1:
        out[used - len(lengths) : used] = np.frombuffer(lengths, dtype=np.uint8)
    return out


def encode(rgb: Bytes, bands: int) -> Bytes:
    """A tile's pixels (height, width, 3) for so many flows, as (height, bytes of a row)."""
    height, width = rgb.shape[:2]
    rows = [height // bands + (band < height % bands) for band in range(bands)]
    ends = np.cumsum(rows)
    parts = [_band(rgb[end - count : end]) for count, end in zip(rows, ends)]
    return np.concatenate(parts).reshape(height, row_bytes(width))


def _decoded_chunk(chunk: bytes, rows: int, width: int) -> Bytes:
    size = rows * width * 3
    if len(chunk) == size:
        return np.frombuffer(chunk, dtype=np.uint8).reshape(rows, width, 3)
    if zstandard is None:
        raise InvalidInput("reading compressed chunks needs the module zstandard: apt install python3-zstandard")
    try:
        planes = zstandard.ZstdDecompressor().decompress(chunk, max_output_size=size)
    except zstandard.ZstdError as error:
        raise InvalidStore(f"a chunk of a lossless frame is damaged: {error}") from None
    if len(planes) != size:
        raise InvalidStore("a chunk of a lossless frame is damaged: it has another size")
    return _pixels(planes, rows, width)


def decode(tile: Bytes, width: int, height: int) -> Bytes:
    """The reverse, from the bytes of all rows, whatever the bands are."""
    row, data = row_bytes(width), tile.reshape(-1)
    out, first = np.empty((height, width, 3), dtype=np.uint8), 0
    while first < height:
        band = data[first * row :]
        rows = int(band[4:6].view("<u2")[0])
        chunks = -(-rows // _CHUNK_ROWS)
        if not 0 < rows <= height - first or len(band) < 8 + 4 * chunks:
            raise InvalidStore("a lossless frame is damaged: its bands are not those of its tile")
        lengths = band[8 : 8 + 4 * chunks].view("<u4").astype(np.int64)
        at = 8 + 4 * chunks
        if lengths.min() < 1 or lengths.sum() > rows * row - at:
            raise InvalidStore("a lossless frame is damaged: its chunks are longer than its band")
        for number, length in enumerate(lengths):
            here = min(_CHUNK_ROWS, rows - number * _CHUNK_ROWS)
            top = first + number * _CHUNK_ROWS
            out[top : top + here] = _decoded_chunk(band[at : at + length].tobytes(), here, width)
            at += int(length)
        first += rows
    return out
