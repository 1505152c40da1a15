"""Where frame f of tile t is: stripe, file and bytes (docs/frame-store.md). Pure arithmetic."""

from __future__ import annotations

import dataclasses
from typing import Iterator, Optional

import numpy as np

from .errors import InvalidInput
from .manifest import Manifest
from .pixels import Bytes, Frame, PixelFormat, checked_rgb, pack, pixel_format, takes_rgb, unpack

ALIGNMENT = 4096  # frames start at multiples of it, for O_DIRECT
_FIXED_BYTES, _ROW_HEADER_BYTES = 38, 6  # of a packet's header
_LENGTH_HEADER_BYTES = 8  # the same, of formats that vary in length
_RUN_BYTES, _RUN_PACKETS = 65_000, 64  # what one call sends at most


def padded(size: int, step: int = ALIGNMENT) -> int:
    return -(-size // step) * step


def npy_header(descr: str, shape: tuple[int, ...], alignment: int) -> bytes:
    """The start of a .npy file, padded to a multiple of `alignment`."""
    inside = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    body = f"{{'descr': {descr}, 'fortran_order': False, 'shape': ({inside}), }}".encode()
    size = padded(10 + len(body) + 1, alignment) - 10
    return b"\x93NUMPY\x01\x00" + size.to_bytes(2, "little") + body.ljust(size - 1) + b"\n"


@dataclasses.dataclass(frozen=True)
class Band:
    """The slots of one flow of a tile: its pixels cut into packets of one shape."""

    slot: int  # bytes
    header: int
    pixels: int  # of a slot
    packets: int
    slots_per_block: int
    block: int  # bytes
    frame: int  # bytes of pixels

    @classmethod
    def of(cls, format_: PixelFormat, width: int, rows: int, slot: int) -> Optional[Band]:
        """Of so many rows of groups. None if a slot has no room for a group, or there is none."""
        group, of_row = format_.group_bytes, format_.groups(width)
        frame = of_row * group * rows
        if frame == 0:
            return None
        headers = 1
        while True:  # as few row headers as suffice for as many pixels as fit beside them
            head = _FIXED_BYTES + headers * _ROW_HEADER_BYTES
            head += _LENGTH_HEADER_BYTES if format_.varies_in_length else 0
            if head + headers * group > slot:
                return None
            fit = (slot - head) // group
            if headers >= rows or (headers - 1) * of_row + 1 >= fit:
                break
            headers += 1
        pixels = min(fit, of_row * rows) * group
        packets = -(-frame // pixels)
        per_block = min(max(1, _RUN_BYTES // slot), _RUN_PACKETS, packets)
        return cls(slot, head, pixels, packets, per_block, padded(per_block * slot), frame)

    @property
    def blocks(self) -> int:
        return -(-self.packets // self.slots_per_block)

    @property
    def memory(self) -> int:
        return self.blocks * self.block

    def descr(self, number: int) -> str:
        """The band's field in the dtype of a stripe file."""

        def field(name: str, size: int) -> list[str]:
            return [f"('{name}','|u1',({size},))"] if size else []

        slot = field("header", self.header) + field("pixels", self.pixels)
        slot += field("padding", self.slot - self.header - self.pixels)
        block = [f"('slots',[{','.join(slot)}],({self.slots_per_block},))"]
        block += field("padding", self.block - self.slots_per_block * self.slot)
        return f"('band{number}',[{','.join(block)}],({self.blocks},))"

    def _slots(self, memory: Bytes) -> Bytes:
        """The pixels of all slots of a band's memory: a view (blocks, slots, bytes)."""
        blocks = memory.reshape(self.blocks, self.block)[:, : self.slots_per_block * self.slot]
        slots = np.lib.stride_tricks.as_strided(
            blocks[:, self.header :],
            (self.blocks, self.slots_per_block, self.pixels),
            (memory.strides[0] * self.block, memory.strides[0] * self.slot, memory.strides[0]),
        )
        return slots

    def open_up(self, pixels: Bytes, memory: Bytes) -> None:
        """Spreads a band's pixels over its slots; `memory` is all zeros before."""
        in_all = np.zeros(self.blocks * self.slots_per_block * self.pixels, dtype=np.uint8)
        in_all[: self.frame] = pixels
        self._slots(memory)[...] = in_all.reshape(self.blocks, self.slots_per_block, self.pixels)

    def close_up(self, memory: Bytes) -> Bytes:
        return self._slots(memory).reshape(-1)[: self.frame]


class Layout:
    """Of a store with this manifest."""

    def __init__(self, manifest: Manifest) -> None:
        geometry = manifest.geometry
        self.format = pixel_format(manifest.pixel_format)
        self.geometry, self.frames, self.copies = geometry, manifest.frames, manifest.copies
        self.stripes, self.flows = len(manifest.stripes), manifest.bands
        self.row_bytes = self.format.row_bytes(geometry.tile_width)
        self.rows = self.format.rows(geometry.tile_height)
        self.frame_bytes = self.row_bytes * self.rows
        self.bands: list[Band] = []
        first = 0
        for number in range(manifest.bands if manifest.packets else 0):
            # A band has the rows of groups that begin in its rows of pixels.
            end = first + geometry.tile_height // manifest.bands + (number < geometry.tile_height % manifest.bands)
            rows = self.format.rows(end) - self.format.rows(first)
            band = Band.of(self.format, geometry.tile_width, rows, manifest.packets)
            first = end
            if band is None:
                raise InvalidInput(
                    f"packets of {manifest.packets} bytes have no room for a pixel of each of {manifest.bands} bands"
                )
            self.bands.append(band)
        self.stored_bytes = sum(band.memory for band in self.bands) if self.bands else self.frame_bytes
        self.record_bytes = padded(self.stored_bytes)

    def locate(self, frame: int, tile: int) -> tuple[int, int]:
        """Stripe, and offset in its file."""
        return (frame + tile) % self.stripes, ALIGNMENT + frame // self.stripes * self.record_bytes

    def records_in(self, stripe: int, tile: int) -> int:
        first = (stripe - tile) % self.stripes
        return 0 if first >= self.frames else (self.frames - first - 1) // self.stripes + 1

    def folder_of(self, stripe: int, copy: int) -> int:
        """The number of the folder that has this copy of a stripe's files."""
        return (stripe + copy) % self.stripes

    def file_name(self, tile: int, copy: int) -> str:
        return self.geometry.name(tile) + (".copy.npy" if copy else ".npy")

    def files(self, tiles: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
        """Copy, stripe and tile of each file."""
        return ((c, s, t) for c in range(self.copies) for s in range(self.stripes) for t in tiles)

    def header(self, stripe: int, tile: int) -> bytes:
        records = self.records_in(stripe, tile)
        height, padding = self.rows, self.record_bytes - self.frame_bytes
        if self.bands:
            descr = "[" + ",".join(band.descr(number) for number, band in enumerate(self.bands)) + "]"
            return npy_header(descr, (records,), ALIGNMENT)
        if padding == 0:
            return npy_header("'|u1'", (records, height, self.row_bytes), ALIGNMENT)
        descr = f"[('frame', '|u1', ({height}, {self.row_bytes})), ('padding', '|u1', ({padding},))]"
        return npy_header(descr, (records,), ALIGNMENT)

    def cut(self, frame: Frame) -> Bytes:
        """A frame of the wall as the pixels of its tiles: (tiles, bytes of a tile's frame)."""
        g, out = self.geometry, np.empty((self.geometry.tiles, self.frame_bytes), dtype=np.uint8)
        # Groups begin at a tile's corner. Of Y'CbCr they also do in the image of the wall.
        cuts_first = takes_rgb(self.format)
        if cuts_first:
            whole = checked_rgb(frame, self.format, g.width, g.height)
        else:
            whole = pack(frame, self.format, g.width, g.height)
        for tile in range(g.tiles):
            x, y = g.place(tile)
            if cuts_first:
                part = np.ascontiguousarray(whole[y : y + g.tile_height, x : x + g.tile_width])
                out[tile] = pack(part, self.format, g.tile_width, g.tile_height, self.flows).reshape(-1)
            else:
                left = self.format.row_bytes(x)
                out[tile].reshape(g.tile_height, -1)[...] = whole[y : y + g.tile_height, left : left + self.row_bytes]
        return out

    def record(self, pixels: Bytes) -> Bytes:
        """A tile's pixels as they are stored, padded."""
        if self.record_bytes == self.frame_bytes and not self.bands:
            return pixels
        record = np.zeros(self.record_bytes, dtype=np.uint8)
        if not self.bands:
            record[: self.frame_bytes] = pixels
        memory = at = 0
        for band in self.bands:
            band.open_up(pixels[at : at + band.frame], record[memory : memory + band.memory])
            at, memory = at + band.frame, memory + band.memory
        return record

    def pixels(self, stored: Bytes) -> Bytes:
        """The reverse of `record`."""
        if not self.bands:
            return stored[: self.frame_bytes]
        parts, memory = [], 0
        for band in self.bands:
            parts.append(band.close_up(stored[memory : memory + band.memory]))
            memory += band.memory
        return np.concatenate(parts)

    def unpack(self, pixels: Bytes) -> Frame:
        """A tile's frame from its pixels."""
        return unpack(pixels, self.format, self.geometry.tile_width, self.geometry.tile_height)
