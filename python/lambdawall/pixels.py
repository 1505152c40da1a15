"""Pixel formats of stores, and frames as arrays (docs/frame-store.md, Stripe files).

A frame covers the whole wall, bezels included. In format `rgb8`, and in `bc7`, `bc1` and `lossless`, it is one array
(height, width, 3) of unsigned bytes, and in `rgb10` one of `uint16` up to 1023; in the others it is a `YCbCr`. Nothing is converted silently: `ycbcr_from_rgb` and `rgb_from_ycbcr`
do so on request.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from . import blocks, lossless
from .errors import InvalidInput

Bytes = npt.NDArray[np.uint8]


@dataclasses.dataclass(frozen=True)
class PixelFormat:
    """How pixels lie in a store."""

    name: str
    bits: int
    group_bytes: int
    group_pixels: int  # of a row
    group_rows: int = 1  # more: groups are compressed blocks

    @property
    def has_blocks(self) -> bool:
        return self.group_rows > 1

    @property
    def varies_in_length(self) -> bool:
        return self.name == "lossless"

    @property
    def is_made_by_tile(self) -> bool:
        """A tile's bytes are not those of the wall at its place."""
        return self.has_blocks or self.varies_in_length

    def groups(self, width: int) -> int:
        """Of a row: complete ones, or the blocks that cover it."""
        if self.varies_in_length:
            return lossless.row_bytes(width) // self.group_bytes
        return -(-width // self.group_pixels) if self.has_blocks else width // self.group_pixels

    def row_bytes(self, width: int) -> int:
        return self.groups(width) * self.group_bytes

    def rows(self, height: int) -> int:
        """Of groups, that cover so many rows of pixels."""
        return -(-height // self.group_rows)


PIXEL_FORMATS = {
    format_.name: format_
    for format_ in (
        PixelFormat("rgb8", 8, 3, 1),
        PixelFormat("ycbcr422-8", 8, 4, 2),
        PixelFormat("ycbcr422-10", 10, 5, 2),
        PixelFormat("bc7", 8, 16, 4, 4),
        PixelFormat("bc1", 8, 8, 4, 4),
        PixelFormat("rgb10", 10, 15, 4),
        PixelFormat("lossless", 8, 16, 1),
    )
}


class YCbCr(NamedTuple):
    """A 4:2:2 frame: luma (height, width), and chroma (height, width / 2), each sample as wide as the format's.

    The colours are BT.709 in narrow range: black is Y 16 and Cb = Cr = 128 with 8 bits, four times that with 10.
    """

    y: npt.NDArray[Any]
    cb: npt.NDArray[Any]
    cr: npt.NDArray[Any]


Frame = Union[npt.NDArray[Any], YCbCr]


def pixel_format(name: str) -> PixelFormat:
    """By its name in wall files and manifests."""
    try:
        return PIXEL_FORMATS[name]
    except KeyError:
        raise InvalidInput(f"unknown pixel format '{name}'; use {', '.join(PIXEL_FORMATS)}") from None


def _check_plane(what: str, plane: object, shape: tuple[int, ...], bits: int) -> npt.NDArray[Any]:
    dtype = np.dtype(np.uint8 if bits == 8 else np.uint16)
    if not isinstance(plane, np.ndarray):
        raise InvalidInput(f"{what} is a {type(plane).__name__}; pass a NumPy array of shape {shape} and type {dtype}")
    if plane.shape != shape or plane.dtype != dtype:
        raise InvalidInput(f"{what} has shape {plane.shape} and type {plane.dtype}; {shape} and {dtype} are needed")
    if bits > 8 and plane.size > 0 and int(plane.max()) >> bits:
        raise InvalidInput(f"{what} has the value {int(plane.max())}, which is more than {bits} bits")
    return plane


def takes_rgb(format_: PixelFormat) -> bool:
    return format_.name in ("rgb8", "rgb10") or format_.is_made_by_tile


def checked_rgb(frame: Frame, format_: PixelFormat, width: int, height: int) -> npt.NDArray[Any]:
    """The frame of a format that takes RGB."""
    if isinstance(frame, tuple):
        raise InvalidInput(
            f"the frame has YCbCr planes, but the store is {format_.name}; convert it with rgb_from_ycbcr"
        )
    return np.ascontiguousarray(_check_plane("the frame", frame, (height, width, 3), format_.bits))


def _packed_10(samples_of_rows: npt.NDArray[Any]) -> Bytes:
    """Samples as they follow each other: 10 bits each, the most significant first."""
    height = samples_of_rows.shape[0]
    samples = samples_of_rows.reshape(height, -1, 4).astype(np.uint16)  # four are five bytes
    first, second, third, fourth = (samples[..., i] for i in range(4))
    packed = np.empty((*samples.shape[:2], 5), dtype=np.uint8)
    packed[..., 0] = first >> 2
    packed[..., 1] = (first & 3) << 6 | second >> 4
    packed[..., 2] = (second & 15) << 4 | third >> 6
    packed[..., 3] = (third & 63) << 2 | fourth >> 8
    packed[..., 4] = fourth & 255
    return packed.reshape(height, -1)


def _unpacked_10(octets: Bytes) -> npt.NDArray[Any]:
    """The reverse, of groups of five bytes: four samples of each."""
    octet = [octets[..., i].astype(np.uint16) for i in range(5)]
    first = octet[0] << 2 | octet[1] >> 6
    second = (octet[1] & 63) << 4 | octet[2] >> 4
    third = (octet[2] & 15) << 6 | octet[3] >> 2
    fourth = (octet[3] & 3) << 8 | octet[4]
    return np.stack([first, second, third, fourth], axis=-1)


def pack(frame: Frame, format_: PixelFormat, width: int, height: int, bands: int = 1) -> Bytes:
    """A frame as the rows of a store: (rows, bytes of a row). Of compressed formats, the frame is that of a tile."""
    if takes_rgb(format_):
        rgb = checked_rgb(frame, format_, width, height)
        if format_.varies_in_length:
            return lossless.encode(rgb, bands)
        if format_.has_blocks:
            return blocks.encode(format_.name, rgb)
        return _packed_10(rgb) if format_.bits > 8 else rgb.reshape(height, width * 3)
    if not (isinstance(frame, tuple) and len(frame) == 3):
        raise InvalidInput(f"the store is {format_.name}: pass a YCbCr, as ycbcr_from_rgb makes it from RGB")
    y = _check_plane("the frame's y", frame[0], (height, width), format_.bits)
    cb = _check_plane("the frame's cb", frame[1], (height, width // 2), format_.bits)
    cr = _check_plane("the frame's cr", frame[2], (height, width // 2), format_.bits)
    samples = cb, y[:, 0::2], cr, y[:, 1::2]
    if format_.bits > 8:
        return _packed_10(np.stack(samples, axis=-1))
    packed = np.empty((height, width // 2, format_.group_bytes), dtype=np.uint8)
    packed[..., 0], packed[..., 1], packed[..., 2], packed[..., 3] = samples
    return packed.reshape(height, -1)


def unpack(pixels: Bytes, format_: PixelFormat, width: int, height: int) -> Frame:
    """The reverse, from the bytes of all rows."""
    if format_.varies_in_length:
        return lossless.decode(pixels, width, height)
    if format_.has_blocks:
        return blocks.decode(format_.name, pixels, width, height)
    if format_.name == "rgb8":
        return pixels.reshape(height, -1, 3)
    if format_.name == "rgb10":
        return _unpacked_10(pixels.reshape(height, -1, 5)).reshape(height, -1, 3)
    group = pixels.reshape(height, -1, format_.group_bytes)
    if format_.bits == 8:
        y = np.stack([group[..., 1], group[..., 3]], axis=-1).reshape(height, -1)
        return YCbCr(y, group[..., 0].copy(), group[..., 2].copy())
    samples = _unpacked_10(group)
    return YCbCr(samples[..., 1::2].reshape(height, -1), samples[..., 0].copy(), samples[..., 2].copy())


# BT.709: the weights of red and blue in luma.
_KR, _KB = 0.2126, 0.0722


def ycbcr_from_rgb(rgb: npt.NDArray[Any], bits: int = 8) -> YCbCr:
    """Converts (height, width, 3) unsigned bytes, full range, to BT.709 narrow range with 8 or 10 bits.

    The chroma of a pair is the mean of its two pixels. Programs that filter chroma more elaborately, such as
    `wall-ingest`, give slightly other values.
    """
    if bits not in (8, 10):
        raise InvalidInput(f"{bits} bits; a store has 8 or 10")
    if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8 or rgb.shape[1] % 2:
        raise InvalidInput(
            f"the frame has shape {rgb.shape} and type {rgb.dtype}; (height, even width, 3) and uint8 are needed"
        )
    red, green, blue = (rgb[..., i].astype(np.float32) / np.float32(255) for i in range(3))
    luma = _KR * red + (1 - _KR - _KB) * green + _KB * blue
    pair = [(plane[:, 0::2] + plane[:, 1::2]) / 2 for plane in (blue - luma, red - luma)]
    scale = 1 << (bits - 8)
    dtype = np.uint8 if bits == 8 else np.uint16
    y = np.rint((16 + 219 * luma) * scale).astype(dtype)
    cb = np.rint((128 + 224 * pair[0] / (2 * (1 - _KB))) * scale).astype(dtype)
    cr = np.rint((128 + 224 * pair[1] / (2 * (1 - _KR))) * scale).astype(dtype)
    return YCbCr(y, cb, cr)


def rgb_from_ycbcr(frame: YCbCr, bits: int = 8) -> Bytes:
    """Converts BT.709 narrow range to (height, width, 3) unsigned bytes, full range. Both pixels of a pair get its chroma."""
    scale = np.float32(1 << (bits - 8))
    luma = (frame.y.astype(np.float32) / scale - 16) / 219
    blue, red = (np.repeat(plane.astype(np.float32) / scale - 128, 2, axis=1) / 224 for plane in (frame.cb, frame.cr))
    r = luma + 2 * (1 - _KR) * red
    b = luma + 2 * (1 - _KB) * blue
    g = (luma - _KR * r - _KB * b) / (1 - _KR - _KB)
    rgb: Bytes = np.rint(np.clip(np.stack([r, g, b], axis=-1), 0, 1) * 255).astype(np.uint8)
    return rgb


def rgb_of(frame: Frame, format_: PixelFormat) -> Bytes:
    """For previews: a frame of any format as RGB."""
    if isinstance(frame, YCbCr):
        return rgb_from_ycbcr(frame, format_.bits)
    most = (1 << format_.bits) - 1
    return frame if format_.bits == 8 else ((frame.astype(np.uint32) * 255 + most // 2) // most).astype(np.uint8)
