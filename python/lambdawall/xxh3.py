"""XXH3-64 with seed 0, the checksum of a store's frames (docs/frame-store.md, Checksums).

Written with NumPy: the sums of all blocks of a frame are computed at once, for all tiles together, and only the mixing
between blocks is a loop. If Debian's python3-xxhash is installed, it does the same several times faster.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np
import numpy.typing as npt

_library: Optional[Callable[[Any], int]] = None
try:
    from xxhash import xxh3_64_intdigest as _library
except ImportError:
    pass

# The constants of the specification.
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
_WORD = (1 << 64) - 1
_P32_1, _P32_2, _P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
_P64_1, _P64_2, _P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
_P64_4, _P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
_START = np.array([_P32_3, _P64_1, _P64_2, _P64_3, _P64_4, _P32_2, _P64_5, _P32_1], dtype=np.uint64)
_BLOCK = 1024  # bytes: 16 stripes of 64
_BLOCKS_AT_ONCE = 16  # what stays in the cache


def _keys(offset: int) -> npt.NDArray[np.uint64]:
    return np.frombuffer(_SECRET, dtype="<u8", count=8, offset=offset).astype(np.uint64)


_STRIPE_KEYS = np.stack([_keys(8 * stripe) for stripe in range(16)])
_SCRAMBLE_KEYS = _keys(128)
_LAST_KEYS = _keys(121)
_LOW = np.uint64(0xFFFFFFFF)
_SHIFT_32, _SHIFT_47, _PRIME = np.uint64(32), np.uint64(47), np.uint64(_P32_1)
_SWAPPED = np.array([1, 0, 3, 2, 5, 4, 7, 6])


def _read(data: bytes, offset: int, size: int = 8) -> int:
    return int.from_bytes(data[offset : offset + size], "little")


def _fold(a: int, b: int) -> int:
    product = a * b
    return (product & _WORD) ^ (product >> 64)


def _avalanche(value: int) -> int:
    value ^= value >> 37
    value = value * 0x165667919E3779F9 & _WORD
    return value ^ value >> 32


def _avalanche_64(value: int) -> int:
    value = (value ^ value >> 33) * _P64_2 & _WORD
    value = (value ^ value >> 29) * _P64_3 & _WORD
    return value ^ value >> 32


def _rotate(value: int, bits: int) -> int:
    return (value << bits | value >> (64 - bits)) & _WORD


def _mix(data: bytes, offset: int, key: int) -> int:
    return _fold(_read(data, offset) ^ _read(_SECRET, key), _read(data, offset + 8) ^ _read(_SECRET, key + 8))


def _of_few(data: bytes) -> int:
    """At most 16 bytes."""
    size = len(data)
    if size > 8:
        low = _read(data, 0) ^ _read(_SECRET, 24) ^ _read(_SECRET, 32)
        high = _read(data, size - 8) ^ _read(_SECRET, 40) ^ _read(_SECRET, 48)
        swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
        return _avalanche((size + swapped + high + _fold(low, high)) & _WORD)
    if size >= 4:
        value = _read(data, size - 4, 4) + (_read(data, 0, 4) << 32) ^ _read(_SECRET, 8) ^ _read(_SECRET, 16)
        value ^= _rotate(value, 49) ^ _rotate(value, 24)
        value = value * 0x9FB21C651E98DF25 & _WORD
        value = (value ^ (value >> 35) + size) * 0x9FB21C651E98DF25 & _WORD
        return value ^ value >> 28
    if size > 0:
        combined = data[0] << 16 | data[size >> 1] << 24 | data[size - 1] | size << 8
        return _avalanche_64(combined ^ _read(_SECRET, 0, 4) ^ _read(_SECRET, 4, 4))
    return _avalanche_64(_read(_SECRET, 56) ^ _read(_SECRET, 64))


def _of_some(data: bytes) -> int:
    """17 to 240 bytes."""
    size = len(data)
    sum_ = size * _P64_1
    if size <= 128:
        for pair in range((size - 1) // 32, -1, -1):
            sum_ += _mix(data, 16 * pair, 32 * pair) + _mix(data, size - 16 * (pair + 1), 32 * pair + 16)
        return _avalanche(sum_ & _WORD)
    for part in range(8):
        sum_ += _mix(data, 16 * part, 16 * part)
    sum_ = _avalanche(sum_ & _WORD)
    for part in range(8, size // 16):
        sum_ += _mix(data, 16 * part, 16 * (part - 8) + 3)
    return _avalanche((sum_ + _mix(data, size - 16, 119)) & _WORD)


def _sum_of_stripes(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    while words.shape[-2] % 2 == 0:  # faster than a sum along such a short axis
        half = words.shape[-2] // 2
        words = words[..., :half, :] + words[..., half:, :]
    added: npt.NDArray[np.uint64] = words.sum(axis=-2, dtype=np.uint64)
    return added


def _sums(words: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Of stripes (..., stripes, 8): what they add to the lanes, (..., 8)."""
    keyed = words ^ keys
    low = keyed & _LOW
    keyed >>= _SHIFT_32
    keyed *= low
    return _sum_of_stripes(keyed) + _sum_of_stripes(words)[..., _SWAPPED]


def _of_many(rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """Of rows of more than 240 bytes, all of one length."""
    count, size = rows.shape
    blocks = (size - 1) // _BLOCK
    lanes = np.tile(_START, (count, 1))
    for first in range(0, blocks, _BLOCKS_AT_ONCE):
        last = min(blocks, first + _BLOCKS_AT_ONCE)
        part = np.ascontiguousarray(rows[:, first * _BLOCK : last * _BLOCK]).view("<u8")
        sums = _sums(part.reshape(count, last - first, 16, 8), _STRIPE_KEYS)
        for block in range(last - first):
            lanes += sums[:, block]
            lanes ^= lanes >> _SHIFT_47
            lanes ^= _SCRAMBLE_KEYS
            lanes *= _PRIME
    stripes = (size - 1 - blocks * _BLOCK) // 64
    if stripes > 0:
        rest = np.ascontiguousarray(rows[:, blocks * _BLOCK : blocks * _BLOCK + stripes * 64]).view("<u8")
        lanes += _sums(rest.reshape(count, stripes, 8), _STRIPE_KEYS[:stripes])
    lanes += _sums(np.ascontiguousarray(rows[:, size - 64 :]).view("<u8").reshape(count, 1, 8), _LAST_KEYS)
    out = np.empty(count, dtype=np.uint64)
    for row in range(count):
        value = size * _P64_1
        for pair in range(4):
            a, b = int(lanes[row, 2 * pair]), int(lanes[row, 2 * pair + 1])
            value += _fold(a ^ _read(_SECRET, 11 + 16 * pair), b ^ _read(_SECRET, 19 + 16 * pair))
        out[row] = _avalanche(value & _WORD)
    return out


def checksums(rows: npt.NDArray[np.uint8], library: bool = True) -> npt.NDArray[np.uint64]:
    """The checksum of each row of a two-dimensional array of bytes. `library`: use python3-xxhash if it is installed."""
    if library and _library is not None:
        return np.array([_library(np.ascontiguousarray(row)) for row in rows], dtype=np.uint64)
    if rows.shape[1] > 240:
        return _of_many(rows)
    few = [row.tobytes() for row in rows]
    return np.array([_of_few(row) if len(row) <= 16 else _of_some(row) for row in few], dtype=np.uint64)


def checksum(data: bytes, library: bool = True) -> int:
    """XXH3-64 of some bytes."""
    return int(checksums(np.frombuffer(data, dtype=np.uint8).reshape(1, -1), library)[0])
