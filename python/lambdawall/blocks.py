"""Blocks of 4 x 4 pixels as GPUs sample them: BC1 and BC7 (docs/formats.md).

The encoder makes the bytes that `wall-ingest` makes of the same pixels: it computes the same sums and products of 32-bit
numbers in the same order. The decoder knows all modes, from the Khronos Data Format Specification 1.3, chapters 18 and 20.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, Sequence, Tuple

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int32]
Color = Tuple[Numbers, Numbers, Numbers]
_SIDE, _PIXELS = 4, 16
_AT_ONCE = 1 << 14  # blocks, so that what is computed of them stays in the processor's caches
_ROUNDS, _IMPROVEMENTS = 4, 2
_F = np.float32


def encode(format_name: str, rgb: Bytes) -> Bytes:
    """Pixels (height, width, 3) as rows of blocks: (rows, bytes). Blocks beyond the edges repeat the last pixels."""
    height, width = rgb.shape[:2]
    rows, columns = -(-height // _SIDE), -(-width // _SIDE)
    whole = np.pad(rgb, ((0, rows * _SIDE - height), (0, columns * _SIDE - width), (0, 0)), mode="edge")
    pixels = whole.reshape(rows, _SIDE, columns, _SIDE, 3).transpose(0, 2, 1, 3, 4).reshape(-1, _PIXELS, 3)
    parts = [_encoded(format_name, pixels[first : first + _AT_ONCE]) for first in range(0, len(pixels), _AT_ONCE)]
    return np.concatenate(parts).reshape(rows, -1)


def decode(format_name: str, blocks: Bytes, width: int, height: int) -> Bytes:
    """The reverse: (height, width, 3)."""
    rows, columns = -(-height // _SIDE), -(-width // _SIDE)
    if format_name == "bc7":
        pixels = _decoded_bc7(blocks.reshape(rows * columns, 16))
    else:
        pixels = _decoded_bc1(blocks.reshape(rows * columns, 8))
    whole = pixels.reshape(rows, columns, _SIDE, _SIDE, 3).transpose(0, 2, 1, 3, 4).reshape(rows * _SIDE, -1, 3)
    return np.ascontiguousarray(whole[:height, :width])


def _encoded(format_name: str, pixels: Bytes) -> Bytes:
    bc7 = format_name == "bc7"
    fit = _fit(pixels, bc7)
    out = _written_bc7(fit) if bc7 else _written_bc1(fit)
    single = np.flatnonzero((pixels == pixels[:, :1]).all(axis=(1, 2)))
    if len(single):
        colors = pixels[single, 0]
        out[single] = _single_bc7(colors) if bc7 else _single_bc1(colors)
    return out


class _Fit(NamedTuple):
    """Of many blocks: the bits of both ends' channels and their lowest bits, what these mean, where each pixel lies."""

    stored: list[list[Whole]]
    low_bit: list[Whole]
    ends: list[list[Numbers]]
    indices: list[Whole]
    error: Numbers


def _product(a: Sequence[Numbers], b: Sequence[Numbers]) -> Numbers:
    sum_: Numbers = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return sum_


def _axis(pixels: list[Color]) -> tuple[list[Numbers], list[Numbers]]:
    """The mean, and the axis along which the colours spread most: by power iteration, from the channel that varies most."""
    zero = np.zeros_like(pixels[0][0])
    mean = [zero.copy() for _ in range(3)]
    for pixel in pixels:
        for c in range(3):
            mean[c] += pixel[c]
    mean = [channel * _F(1 / _PIXELS) for channel in mean]
    spread = [[zero.copy() for _ in range(3)] for _ in range(3)]
    for pixel in pixels:
        off = [pixel[c] - mean[c] for c in range(3)]
        for c in range(3):
            for d in range(c, 3):
                spread[c][d] += off[c] * off[d]
    for c in range(3):
        for d in range(c):
            spread[c][d] = spread[d][c]
    axis, most = list(spread[0]), spread[0][0]
    for c in (1, 2):
        more = spread[c][c] > most
        most = np.where(more, spread[c][c], most)
        axis = [np.where(more, spread[c][d], axis[d]) for d in range(3)]
    for _ in range(_ROUNDS):
        size = zero + _F(1e-6)
        for channel in axis:
            size = np.maximum(size, np.abs(channel))
        start = [channel / size for channel in axis]
        axis = [_product(spread[c], start) for c in range(3)]
    return mean, axis


def _ends(pixels: list[Color]) -> list[list[Numbers]]:
    """The ends of the pixels' projections onto the axis."""
    mean, axis = _axis(pixels)
    length = _product(axis, axis)
    flat = length < _F(1e-12)
    scale = _F(1) / np.where(flat, _F(1), length)
    least, most = np.zeros_like(length), np.zeros_like(length)
    for pixel in pixels:
        at = _product([pixel[c] - mean[c] for c in range(3)], axis)
        least, most = np.minimum(at, least), np.maximum(at, most)
    least, most = (np.where(flat, _F(0), end * scale) for end in (least, most))
    return [[mean[c] + axis[c] * end for c in range(3)] for end in (least, most)]


def _improved(
    pixels: list[Color], indices: list[Whole], index_max: int, ends: list[list[Numbers]]
) -> list[list[Numbers]]:
    """The ends from which pixels with these indices differ least; the same where the indices leave them open."""
    zero = np.zeros_like(pixels[0][0])
    firsts, both, seconds = zero.copy(), zero.copy(), zero.copy()
    sums = [[zero.copy() for _ in range(3)] for _ in range(2)]
    for pixel, index in zip(pixels, indices):
        second = index.astype(_F) / _F(index_max)
        first = _F(1) - second
        firsts += first * first
        both += first * second
        seconds += second * second
        for c in range(3):
            sums[0][c] += first * pixel[c]
            sums[1][c] += second * pixel[c]
    determinant = firsts * seconds - both * both
    leaves_open = determinant < _F(1e-4)
    scale = _F(1) / np.where(leaves_open, _F(1), determinant)
    better = [
        [(seconds * sums[0][c] - both * sums[1][c]) * scale for c in range(3)],
        [(firsts * sums[1][c] - both * sums[0][c]) * scale for c in range(3)],
    ]
    return [[np.where(leaves_open, ends[end][c], better[end][c]) for c in range(3)] for end in range(2)]


def _rounded_bc7(ends: list[list[Numbers]]) -> tuple[list[list[Whole]], list[Whole], list[list[Numbers]]]:
    """Mode 6: seven bits of each channel, and a lowest bit that the channels of an end share."""
    all_stored, low_bits, all_meant = [], [], []
    for end in ends:
        errors, stored, meant = [], [], []
        for low in (_F(0), _F(1)):
            bits = [(np.clip((value - low) * _F(0.5), _F(0), _F(127)) + _F(0.5)).astype(np.int32) for value in end]
            means = [one.astype(_F) * _F(2) + low for one in bits]
            error = np.zeros_like(end[0])
            for value, mean in zip(end, means):
                error = error + (mean - value) * (mean - value)
            errors.append(error)
            stored.append(bits)
            meant.append(means)
        odd = errors[1] < errors[0]
        low_bits.append(odd.astype(np.int32))
        all_stored.append([np.where(odd, stored[1][c], stored[0][c]) for c in range(3)])
        all_meant.append([np.where(odd, meant[1][c], meant[0][c]) for c in range(3)])
    return all_stored, low_bits, all_meant


def _rounded_bc1(ends: list[list[Numbers]]) -> tuple[list[list[Whole]], list[Whole], list[list[Numbers]]]:
    """Five, six and five bits."""
    all_stored, all_meant = [], []
    for end in ends:
        stored, meant = [], []
        for value, bits in zip(end, (5, 6, 5)):
            most = _F((1 << bits) - 1)
            scaled = np.clip(value * (most / _F(255)), _F(0), most)
            stored.append((scaled + _F(0.5)).astype(np.int32))
            meant.append((stored[-1] << (8 - bits) | stored[-1] >> (2 * bits - 8)).astype(_F))
        all_stored.append(stored)
        all_meant.append(meant)
    none = np.zeros(len(ends[0][0]), dtype=np.int32)
    return all_stored, [none, none], all_meant


def _placed(pixels: list[Color], ends: list[list[Numbers]], index_max: int) -> tuple[list[Whole], Numbers]:
    """Where each pixel lies between the rounded ends, and the sum of squares of what it is off."""
    step = [ends[1][c] - ends[0][c] for c in range(3)]
    length = _product(step, step)
    scale = np.where(length > 0, _F(index_max) / np.where(length > 0, length, length + _F(1)), length)
    indices, error = [], np.zeros_like(length)
    for pixel in pixels:
        off = [pixel[c] - ends[0][c] for c in range(3)]
        at = np.clip(_product(off, step) * scale, _F(0), _F(index_max))
        indices.append((at + _F(0.5)).astype(np.int32))
        share = indices[-1].astype(_F) / _F(index_max)
        for c in range(3):
            rest = off[c] - step[c] * share
            error = error + rest * rest
    return indices, error


def _fit(blocks: Bytes, bc7: bool) -> _Fit:
    index_max, rounded = (15, _rounded_bc7) if bc7 else (3, _rounded_bc1)
    numbers = blocks.astype(_F)
    pixels: list[Color] = [tuple(np.ascontiguousarray(numbers[:, i, c]) for c in range(3)) for i in range(_PIXELS)]  # type: ignore[misc]

    def fit_of(ends: list[list[Numbers]]) -> _Fit:
        stored, low_bit, meant = rounded(ends)
        return _Fit(stored, low_bit, meant, *_placed(pixels, meant, index_max))

    ends = _ends(pixels)
    best = latest = fit_of(ends)
    for _ in range(_IMPROVEMENTS):
        ends = _improved(pixels, latest.indices, index_max, ends)
        latest = fit_of(ends)
        best = _better(latest, best)
    return best


def _better(other: _Fit, fit: _Fit) -> _Fit:
    better = other.error < fit.error

    def pick(one: npt.NDArray[Any], two: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.where(better, one, two)

    return _Fit(
        [[pick(other.stored[end][c], fit.stored[end][c]) for c in range(3)] for end in range(2)],
        [pick(other.low_bit[end], fit.low_bit[end]) for end in range(2)],
        [[pick(other.ends[end][c], fit.ends[end][c]) for c in range(3)] for end in range(2)],
        [pick(one, two) for one, two in zip(other.indices, fit.indices)],
        pick(other.error, fit.error),
    )


class _Writer:
    """Bits of many blocks, from the lowest on."""

    def __init__(self, blocks: int, bits: int) -> None:
        self._bits, self._at = np.zeros((blocks, bits), dtype=np.uint8), 0

    def add(self, value: npt.NDArray[Any] | int, bits: int) -> None:
        for bit in range(bits):
            self._bits[:, self._at + bit] = (np.asarray(value) >> bit) & 1
        self._at += bits

    def bytes(self) -> Bytes:
        return np.packbits(self._bits, axis=1, bitorder="little")


def _swapped(
    fit: _Fit, where: npt.NDArray[np.bool_], index_max: int
) -> tuple[list[list[Whole]], list[Whole], list[Whole]]:
    """Stored, lowest bits and indices, with the ends exchanged in these blocks."""
    stored = [[np.where(where, fit.stored[1 - end][c], fit.stored[end][c]) for c in range(3)] for end in range(2)]
    low_bit = [np.where(where, fit.low_bit[1 - end], fit.low_bit[end]) for end in range(2)]
    return stored, low_bit, [np.where(where, index_max - index, index) for index in fit.indices]


def _written_bc7(fit: _Fit) -> Bytes:
    stored, low_bit, indices = _swapped(fit, fit.indices[0] > 7, 15)  # the anchor's highest bit is not stored
    out = _Writer(len(indices[0]), 128)
    out.add(1 << 6, 7)  # mode 6
    for c in range(3):
        for end in range(2):
            out.add(stored[end][c], 7)
    for _ in range(2):
        out.add(127, 7)  # alpha
    for end in range(2):
        out.add(low_bit[end], 1)
    out.add(indices[0], 3)
    for index in indices[1:]:
        out.add(index, 4)
    return out.bytes()


_BC1_CODES = np.array([0, 2, 3, 1])  # 0 and 1 are the ends, 2 and 3 the steps between them


def _color_of(stored: list[Whole]) -> Whole:
    return stored[0] << 11 | stored[1] << 5 | stored[2]


def _written_bc1(fit: _Fit) -> Bytes:
    stored, _, indices = _swapped(fit, _color_of(fit.stored[0]) < _color_of(fit.stored[1]), 3)
    colors = [_color_of(end) for end in stored]
    out = _Writer(len(colors[0]), 64)
    out.add(colors[0], 16)
    out.add(colors[1], 16)
    for index in indices:
        out.add(np.where(colors[0] == colors[1], 0, _BC1_CODES[index]), 2)
    return out.bytes()


@lru_cache(maxsize=None)
def _exact_ends() -> Whole:
    """By value: ends of seven bits of BC7's mode 5, so that its step at 21/64 is the value."""
    pairs = np.zeros((256, 2), dtype=np.int32)
    for value in range(256):
        for first in range(value // 2, min(128, value // 2 + 2)):
            for second in range(max(0, first - 2), min(128, first + 3)):
                a, b = first << 1 | first >> 6, second << 1 | second >> 6
                if (43 * a + 21 * b + 32) >> 6 == value:
                    pairs[value] = first, second
    return pairs


@lru_cache(maxsize=None)
def _near_ends(bits: int) -> Whole:
    """By value: ends of so many bits, so that the step of BC1 after the first is nearest to it; of equal pairs, the closer."""
    most, pairs = (1 << bits) - 1, np.zeros((256, 2), dtype=np.int32)
    for value in range(256):
        near, least = value * most // 255, 1 << 20
        for first in range(max(0, near - 3), min(most, near + 4) + 1):
            for second in range(max(0, near - 3), min(most, near + 4) + 1):
                a, b = (end << (8 - bits) | end >> (2 * bits - 8) for end in (first, second))
                error = 64 * abs((2 * a + b + 1) // 3 - value) + abs(first - second)
                if error < least:
                    least, pairs[value] = error, (first, second)
    return pairs


def _single_bc7(colors: Bytes) -> Bytes:
    out = _Writer(len(colors), 128)
    out.add(1 << 5, 8)  # mode 5, no rotation
    for c in range(3):
        for end in range(2):
            out.add(_exact_ends()[colors[:, c], end], 7)
    out.add(0xFFFF, 16)  # alpha
    out.add(1, 1)
    for _ in range(_PIXELS - 1):
        out.add(1, 2)
    return out.bytes()


def _single_bc1(colors: Bytes) -> Bytes:
    stored = [[_near_ends(bits)[colors[:, c], end] for c, bits in enumerate((5, 6, 5))] for end in range(2)]
    one = np.ones(len(colors), dtype=np.int32)
    none: list[Numbers] = []
    return _written_bc1(_Fit(stored, [one, one], [none, none], [one] * _PIXELS, np.zeros(len(colors), dtype=_F)))


# Decoding.


def _decoded_bc1(blocks: Bytes) -> Bytes:
    ends = blocks[:, :4].copy().view("<u2").astype(np.uint32)
    colors = np.zeros((len(blocks), 4, 3), dtype=np.uint32)
    for end in range(2):
        red, green, blue = ends[:, end] >> 11, ends[:, end] >> 5 & 63, ends[:, end] & 31
        colors[:, end] = np.stack([red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2], axis=-1)
    first, second = colors[:, 0], colors[:, 1]
    four = (ends[:, 0] > ends[:, 1])[:, None]
    colors[:, 2] = np.where(four, (2 * first + second + 1) // 3, (first + second + 1) // 2)
    colors[:, 3] = np.where(four, (first + 2 * second + 1) // 3, 0)
    indices = blocks[:, 4:, None] >> np.arange(0, 8, 2, dtype=np.uint8) & 3
    return np.take_along_axis(colors, indices.reshape(len(blocks), _PIXELS, 1), axis=1).astype(np.uint8)


class _Mode(NamedTuple):
    subsets: int
    partition_bits: int
    rotation_bits: int
    selector_bits: int
    color_bits: int
    alpha_bits: int
    low_bits: int  # of an endpoint: 1; of a subset: 2; none: 0
    index_bits: int
    second_index_bits: int


_MODES = (
    _Mode(3, 4, 0, 0, 4, 0, 1, 3, 0),
    _Mode(2, 6, 0, 0, 6, 0, 2, 3, 0),
    _Mode(3, 6, 0, 0, 5, 0, 0, 2, 0),
    _Mode(2, 6, 0, 0, 7, 0, 1, 2, 0),
    _Mode(1, 0, 2, 1, 5, 6, 0, 2, 3),
    _Mode(1, 0, 2, 0, 7, 8, 0, 2, 2),
    _Mode(1, 0, 0, 0, 7, 7, 1, 4, 0),
    _Mode(2, 6, 0, 0, 5, 5, 1, 2, 0),
)
_WEIGHTS = {
    2: np.array([0, 21, 43, 64]),
    3: np.array([0, 9, 18, 27, 37, 46, 55, 64]),
    4: np.array([0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64]),
}
# The subset of a pixel, by partition: a bit of each pixel, the first one lowest; into three, two bits of each.
_TWO_SUBSETS = (
    "cccc 8888 eeee ecc8 c880 feec fec8 ec80 c800 ffec fe80 e800 ffe8 ff00 fff0 f000 f710 008e 7100 08ce 008c 7310 3100 8cce "
    "088c 3110 6666 366c 17e8 0ff0 718e 399c aaaa f0f0 5a5a 33cc 3c3c 55aa 9696 a55a 73ce 13c8 324c 3bdc 6996 c33c 9966 0660 "
    "0272 04e4 4e40 2720 c936 936c 39c6 639c 9336 9cc6 817e e718 ccf0 0fcc 7744 ee22"
)
_THREE_SUBSETS = (
    "aa685050 6a5a5040 5a5a4200 5450a0a8 a5a50000 a0a05050 5555a0a0 5a5a5050 aa550000 aa555500 aaaa5500 90909090 94949494 "
    "a4a4a4a4 a9a59450 2a0a4250 a5945040 0a425054 a5a5a500 55a0a0a0 a8a85454 6a6a4040 a4a45000 1a1a0500 0050a4a4 aaa59090 "
    "14696914 69691400 a08585a0 aa821414 50a4a450 6a5a0200 a9a58000 5090a0a8 a8a09050 24242424 00aa5500 24924924 24499224 "
    "50a50a50 500aa550 aaaa4444 66660000 a5a0a5a0 50a050a0 69286928 44aaaa44 66666600 aa444444 54a854a8 95809580 96969600 "
    "a85454a8 80959580 aa141414 96960000 aaaa1414 a05050a0 a0a5a5a0 96000000 40804080 a9a8a9a8 aaaaaa44 2a4a5254"
)
# Of subsets after the first, whose anchor is pixel 0: a hexadecimal digit for each partition.
_ANCHORS_OF_TWO = "fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f"
_SECOND_ANCHORS_OF_THREE = "33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33"
_THIRD_ANCHORS_OF_THREE = "f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8"


def _subsets(subsets: int) -> npt.NDArray[np.int64]:
    """(partitions, pixels)"""
    if subsets == 1:
        return np.zeros((1, _PIXELS), dtype=np.int64)
    words, bits = (_TWO_SUBSETS, 1) if subsets == 2 else (_THREE_SUBSETS, 2)
    return np.array(
        [[int(word, 16) >> bits * pixel & (1 << bits) - 1 for pixel in range(_PIXELS)] for word in words.split()]
    )


def _anchors(subsets: int) -> npt.NDArray[np.bool_]:
    """(partitions, pixels): whether the pixel's index lacks its highest bit."""
    tables = {1: (), 2: (_ANCHORS_OF_TWO,), 3: (_SECOND_ANCHORS_OF_THREE, _THIRD_ANCHORS_OF_THREE)}[subsets]
    anchors = np.zeros((len(_subsets(subsets)), _PIXELS), dtype=np.bool_)
    anchors[:, 0] = True
    for table in tables:
        anchors[np.arange(len(table)), [int(digit, 16) for digit in table]] = True
    return anchors


class _Reader:
    """Bits of many blocks of one mode, from the lowest on; where they lie may differ from block to block."""

    def __init__(self, blocks: Bytes, first: int) -> None:
        self._bits = np.pad(np.unpackbits(blocks, axis=1, bitorder="little"), ((0, 0), (0, 8)))
        self._at = np.full(len(blocks), first, dtype=np.int64)

    def take(self, bits: npt.NDArray[np.int64] | int, most: int | None = None) -> npt.NDArray[np.int64]:
        """`most`: of the numbers of bits, where these differ."""
        value, rows = np.zeros(len(self._at), dtype=np.int64), np.arange(len(self._at))
        for bit in range(most if most is not None else int(bits)):
            value |= (self._bits[rows, self._at + bit].astype(np.int64) * (bit < np.asarray(bits))) << bit
        self._at += bits
        return value

    def indices(self, bits: int, anchors: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """(blocks, pixels)"""
        return np.stack(
            [self.take(bits - anchors[:, pixel].astype(np.int64), bits) for pixel in range(_PIXELS)], axis=1
        )


def _endpoints(mode: _Mode, bits: _Reader) -> list[list[npt.NDArray[np.int64]]]:
    """By end, two of each subset, and channel: red, green, blue, alpha."""
    count, sizes = 2 * mode.subsets, [mode.color_bits] * 3 + [mode.alpha_bits]
    by_channel = [[bits.take(size) for _ in range(count)] for size in sizes]
    ends = [[by_channel[channel][end] for channel in range(4)] for end in range(count)]
    if mode.low_bits:
        lows = [bits.take(1) for _ in range(count // mode.low_bits)]
        ends = [[value << 1 | lows[end // mode.low_bits] for value in ends[end]] for end in range(count)]

    def extended(value: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
        if size == 0:
            return np.full_like(value, 255)
        size += 1 if mode.low_bits else 0
        return value << (8 - size) | value << (8 - size) >> size

    return [[extended(end[channel], sizes[channel]) for channel in range(4)] for end in ends]


def _mixed(
    first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], index: npt.NDArray[np.int64], bits: int
) -> npt.NDArray[np.int64]:
    weight = _WEIGHTS[bits][index]
    return (64 - weight) * first + weight * second + 32 >> 6


def _decoded_mode(number: int, blocks: Bytes) -> Bytes:
    mode, bits = _MODES[number], _Reader(blocks, number + 1)
    partition, rotation = bits.take(mode.partition_bits), bits.take(mode.rotation_bits)
    swapped = bits.take(mode.selector_bits)[:, None] != 0
    ends = np.array(_endpoints(mode, bits))  # (ends, channels, blocks)
    first = bits.indices(mode.index_bits, _anchors(mode.subsets)[partition])
    subset = _subsets(mode.subsets)[partition]
    rows = np.arange(len(blocks))[:, None]
    end = [[ends[2 * subset + side, channel, rows] for side in range(2)] for channel in range(4)]
    color = [_mixed(end[c][0], end[c][1], first, mode.index_bits) for c in range(3)]
    if mode.second_index_bits:
        alone = np.broadcast_to(_anchors(1)[0], (len(blocks), _PIXELS))
        second = bits.indices(mode.second_index_bits, alone)
        by_second = [_mixed(end[c][0], end[c][1], second, mode.second_index_bits) for c in range(4)]
        alpha = np.where(swapped, _mixed(end[3][0], end[3][1], first, mode.index_bits), by_second[3])
        color = [np.where(swapped, by_second[c], color[c]) for c in range(3)]
        color = [np.where(rotation[:, None] == c + 1, alpha, color[c]) for c in range(3)]  # exchanged with alpha
    return np.stack(color, axis=-1).astype(np.uint8)


def _decoded_bc7(blocks: Bytes) -> Bytes:
    """(blocks, pixels, 3); blocks without a mode are black."""
    out = np.zeros((len(blocks), _PIXELS, 3), dtype=np.uint8)
    lowest = blocks[:, 0] & -blocks[:, 0].astype(np.int16)
    for number in range(len(_MODES)):
        chosen = np.flatnonzero(lowest == 1 << number)
        for first in range(0, len(chosen), _AT_ONCE):
            part = chosen[first : first + _AT_ONCE]
            out[part] = _decoded_mode(number, blocks[part])
    return out
