"""Stores: written frame by frame from arrays, and read (docs/frame-store.md)."""

from __future__ import annotations

import dataclasses
import fractions
import os
import pathlib
import secrets
import time
from types import TracebackType
from typing import Any, Iterable, Iterator, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import images
from ._partial import Journal, Places, directories_of, shard_journal, sync_folder, write_all, write_file
from .xxh3 import checksums
from .errors import InvalidInput, InvalidStore, LambdawallError
from .layout import ALIGNMENT, Layout, npy_header
from .manifest import FILE_NAME, GROWING_NAME, GROWING_NEXT, MARK_NAME, Manifest, check_name, mark_json
from .pixels import Bytes, Frame, pixel_format as format_of, rgb_of, takes_rgb, unpack
from .wall import Geometry, Wall, frame_rate_text

Path = Union[str, "os.PathLike[str]"]
Words = npt.NDArray[np.uint64]
_JOURNAL_S = 1.0
_SHARDS_MAX = 10_000


def frames_of_shard(number: int, count: int, frames: int) -> range:
    """The frames that shard `number` of `count` (from 1) has, of so many in all."""
    return range(frames * (number - 1) // count, frames * number // count)


def _as_wall(wall: Union[Wall, Geometry, Path]) -> Wall:
    if isinstance(wall, Wall):
        return wall
    return Wall(wall) if isinstance(wall, Geometry) else Wall.load(wall)


class StoreWriter:
    """Writes a store, one frame after the other.

        with StoreWriter("content", "waves", "wall.toml", frames=90) as store:
            for frame in range(store.next_frame, 90):
                store.write(compute(frame))

    The store is complete or absent: frames lie in a hidden folder until the block ends without an exception. If it is
    interrupted, killed, or the power fails, the same call continues: `next_frame` is the first frame that is missing.
    Frames that were written in the last second before a kill may have to be written again.

    out         the directory of the store, or a list of directories on several disks: frames are striped over them
    name        the visualization's name, that of its folder
    wall        a wall file, a Wall, or only a Geometry
    frames      the number of frames, where it is known; required with `shard`
    pixel_format, frame_rate
                by default those of the wall
    recipe      any text that identifies how the frames are made: a partial store of another recipe is not continued
                but replaced. Change it when the same call would make other frames
    title, description, tags, source
                what operators see
    tiles       (column, row) of the tiles to store, for one of several servers (Wall.tiles_of); by default all
    copies      2: each frame is on two disks
    packets     an MTU: frames lie as the packets that a wall with this MTU and packet_layout = "slots" sends
    shard       (number, count): this process writes one of `count` parts, frames_of_shard(number, count, frames). The
                processes may run at the same time, on several hosts that share the directories. StoreWriter.join with
                the same arguments makes the store of them
    overwrite   replace a store of this name
    poster      write a poster and thumbnails
    growing     servers may play the store while it is written, as far as it is (not that of a shard)
    """

    def __init__(
        self,
        out: Union[Path, Sequence[Path]],
        name: str,
        wall: Union[Wall, Geometry, Path],
        *,
        frames: Optional[int] = None,
        pixel_format: Optional[str] = None,
        frame_rate: Union[str, int, fractions.Fraction, None] = None,
        recipe: str = "",
        title: str = "",
        description: str = "",
        tags: Iterable[str] = (),
        source: str = "",
        tiles: Optional[Iterable[tuple[int, int]]] = None,
        copies: int = 1,
        packets: Optional[int] = None,
        shard: Optional[tuple[int, int]] = None,
        overwrite: bool = False,
        poster: bool = True,
        growing: bool = True,
        _join: bool = False,
    ) -> None:
        self._open: dict[tuple[int, int, int], int] = {}
        self._closed = True
        wall = _as_wall(wall)
        check_name(name)
        directories = directories_of(out)
        self._places = Places(directories, name, overwrite)
        if isinstance(tags, str):
            raise InvalidInput("tags is a text; pass a list of texts")
        format_name = pixel_format or wall.pixel_format
        has_bands = packets is not None or format_of(format_name).varies_in_length
        self._manifest = Manifest(
            wall.geometry,
            frames=0,
            title=title or name,
            pixel_format=format_name,
            frame_rate=frame_rate_text(wall.frame_rate if frame_rate is None else frame_rate),
            stripes=(".", *(str(folder) for folder in self._places.final[1:])),
            description=description,
            tags=tuple(tags),
            source=source,
            packets=0 if packets is None else wall.slot_bytes(packets),
            bands=wall.flows_per_tile if has_bands else 1,
            tiles=_tile_numbers(wall.geometry, tiles),
            copies=copies,
            colour=wall.colour,
            transfer=wall.transfer,
        )
        self._layout = Layout(self._manifest)
        wall.geometry.check(self._layout.format)
        if frames is not None and (isinstance(frames, bool) or not isinstance(frames, int) or not 0 < frames < 2**31):
            raise InvalidInput(f"frames is {frames!r}; it must be a whole number from 1 on")
        self._frames, self._shard, self._poster = frames, _checked_shard(shard, frames), poster
        self._growing = growing and self._shard is None and not _join
        self._id = secrets.token_hex(16)
        self._range = range(0, frames if frames is not None else 2**31 - 1)
        if self._shard is not None and frames is not None:
            self._range = frames_of_shard(*self._shard, frames)
        self._recipe = self._recipe_text(recipe)
        self._sums: list[Words] = []
        self._begin(_join)

    @classmethod
    def join(
        cls,
        out: Union[Path, Sequence[Path]],
        name: str,
        wall: Union[Wall, Geometry, Path],
        *,
        frames: int,
        pixel_format: Optional[str] = None,
        frame_rate: Union[str, int, fractions.Fraction, None] = None,
        recipe: str = "",
        title: str = "",
        description: str = "",
        tags: Iterable[str] = (),
        source: str = "",
        tiles: Optional[Iterable[tuple[int, int]]] = None,
        copies: int = 1,
        packets: Optional[int] = None,
        overwrite: bool = False,
        poster: bool = True,
    ) -> pathlib.Path:
        """Makes the store of its shards, after all of them are finished and read back; returns its folder.

        A shard of which a frame is damaged on the disk must be written again; the error names it.
        """
        writer = cls(
            out,
            name,
            wall,
            frames=frames,
            pixel_format=pixel_format,
            frame_rate=frame_rate,
            recipe=recipe,
            title=title,
            description=description,
            tags=tags,
            source=source,
            tiles=tiles,
            copies=copies,
            packets=packets,
            overwrite=overwrite,
            poster=poster,
            _join=True,
        )
        try:
            writer._check_joined()
            return writer.finish()
        finally:
            writer.close()

    def _recipe_text(self, recipe: str) -> str:
        m, g = self._manifest, self._manifest.geometry
        parts = ["python", recipe, m.pixel_format, m.frame_rate, str(self._frames or 0), f"{g.columns}x{g.rows}"]
        parts += [f"{g.tile_width}x{g.tile_height}", f"{g.bezel_x},{g.bezel_y}", *map(str, self._places.directories)]
        parts += [*map(str, m.tiles), f"packets {m.packets} of {m.bands} bands", f"{m.copies} copies"]
        if (m.colour, m.transfer) != ("bt709", "sdr"):
            parts.append(f"{m.colour} {m.transfer}")
        return "|".join(parts)

    def _begin(self, join: bool) -> None:
        tiles, partial = self._manifest.geometry.tiles, self._places.partial[0]
        self._joined: list[int] = []
        self._fresh = False
        try:
            if self._shard is not None:
                self._places.take_shared(self._recipe, *self._shard)
                self._journal = Journal(partial, self._recipe, tiles, shard_journal(*self._shard))
                self._resume()
            elif join:
                if not partial.exists():
                    raise InvalidInput(f"there are no shards in {partial}; write them with shard=(NUMBER, COUNT)")
                self._places.take(self._manifest.stripes)
                self._journal = Journal(partial, self._recipe, tiles)
                self._collect_shards()
            else:
                self._places.take(self._manifest.stripes)
                self._journal = Journal(partial, self._recipe, tiles)
                if self._places.shards(self._recipe) is not None:
                    raise InvalidInput(f"{partial} contains shards of this store; use StoreWriter.join, or remove it")
                if not self._resume():
                    self._fresh = True
                    self._places.empty()
            self._open_files()
            self._check_resumed()
            if self._growing:
                self._let_play()
        except BaseException:
            self._close_files()
            if self._fresh:
                self._places.remove()
            self._places.unlock()
            raise
        self._closed = False
        self._journal_due = time.monotonic() + _JOURNAL_S

    def _resume(self) -> bool:
        found = self._journal.resume()
        self._sums = [] if found is None else list(found)
        return found is not None

    def _collect_shards(self) -> None:
        partial, tiles = self._places.partial[0], self._manifest.geometry.tiles
        count = self._places.shards(self._recipe)
        if count is None:
            raise InvalidInput(f"{partial} has no shards of this store; write and join them with the same arguments")
        missing = []
        for number in range(1, count + 1):
            journal = Journal(partial, self._recipe, tiles, shard_journal(number, count))
            found = journal.resume()
            if found is None or not journal.complete:
                missing.append(f"{number} of {count}")
            else:
                self._sums.extend(found)
            self._joined.append(len(self._sums))
        if missing:
            raise InvalidInput(f"not finished: shard {', '.join(missing)}; write each again, then join them")

    def _open_files(self) -> None:
        for copy, stripe, tile in self._layout.files(self._manifest.held):
            folder = self._places.partial[self._layout.folder_of(stripe, copy)]
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            self._open[copy, stripe, tile] = os.open(folder / self._layout.file_name(tile, copy), flags, 0o644)
        for folder in (*self._places.partial, *self._places.directories):
            sync_folder(folder)

    def _check_resumed(self) -> None:
        """The files are long enough for the frames that the journal names: the last ones of each stripe."""
        first = self._range.start
        for frame in range(max(0, len(self._sums) - self._layout.stripes), len(self._sums)):
            for copy in range(self._manifest.copies):
                for tile in self._manifest.held:
                    stripe, offset = self._layout.locate(first + frame, tile)
                    size = os.fstat(self._open[copy, stripe, tile]).st_size
                    if size < offset + self._layout.record_bytes:
                        raise InvalidStore(
                            f"{self._places.partial[self._layout.folder_of(stripe, copy)]} lacks frames that its journal"
                            " names; remove the folder, then start from the beginning"
                        )

    @property
    def next_frame(self) -> int:
        """The number of the frame that `write` takes next; after an interruption, the first that is missing."""
        return self._range.start + len(self._sums)

    @property
    def remaining(self) -> range:
        """The frames that this process has still to write; without `frames`, the range does not end in practice."""
        return range(self.next_frame, self._range.stop)

    @property
    def folder(self) -> pathlib.Path:
        """Where the store is when it is finished."""
        return self._places.final[0]

    def write(self, frame: Frame) -> None:
        """Adds the next frame: the whole wall, bezels included.

        rgb8, bc7, bc1: an array (height, width, 3) of unsigned bytes; rgb10: of uint16 up to 1023; other formats: a YCbCr. A frame of another shape or type is
        refused, and the store is as before.
        """
        if self._closed:
            raise InvalidInput("the store is closed; open it again to continue")
        if self.next_frame >= self._range.stop:
            raise InvalidInput(f"all {len(self._range)} frames are written already")
        pixels = self._layout.cut(frame)
        for tile in self._manifest.held:
            stripe, offset = self._layout.locate(self.next_frame, tile)
            record = self._layout.record(pixels[tile]).data
            for copy in range(self._manifest.copies):
                write_all(self._open[copy, stripe, tile], record, offset)
        self._sums.append(checksums(pixels))
        if time.monotonic() >= self._journal_due:
            self.flush()

    def flush(self) -> None:
        """Puts the frames so far on the disks: whatever happens later, the same call continues from here."""
        self._record(complete=False)

    def _record(self, complete: bool) -> None:
        for fd in self._open.values():
            os.fdatasync(fd)
        self._journal.record(self._table(), complete)
        if self._growing:
            self._tell_growth()
        self._journal_due = time.monotonic() + _JOURNAL_S
        self._fresh = False

    def _let_play(self) -> None:
        """A server that plays what an earlier run has written goes on with what this one adds."""
        partial = self._places.partial[0]
        try:
            self._id = Manifest.from_json((partial / GROWING_NAME).read_text(encoding="utf-8")).id or self._id
        except (OSError, ValueError, InvalidStore):
            pass
        self._write_marks(self._id)
        self._tell_growth()

    def _tell_growth(self) -> None:
        """Names only frames that the journal has recorded."""
        if not self._sums:
            return
        partial = self._places.partial
        stripes = (".", *(str(folder) for folder in partial[1:]))
        manifest = dataclasses.replace(
            self._manifest, frames=len(self._sums), stripes=stripes, checksums="journal.checksums", id=self._id
        )
        write_file(partial[0] / GROWING_NEXT, manifest.to_json().encode(errors="replace"))
        os.rename(partial[0] / GROWING_NEXT, partial[0] / GROWING_NAME)

    def _write_marks(self, store: str) -> None:
        for stripe, folder in enumerate(self._places.partial):
            write_file(folder / MARK_NAME, mark_json(store, str(self.folder), stripe).encode())

    def _table(self) -> Words:
        return np.array(self._sums, dtype=np.uint64).reshape(len(self._sums), self._manifest.geometry.tiles)

    def finish(self) -> pathlib.Path:
        """Completes the store, which can be played from then on, or the shard; returns the store's folder.

        The end of a `with` block calls this.
        """
        if self._closed:
            raise InvalidInput("the store is closed; open it again to continue")
        done = len(self._sums)
        if self._frames is not None and not self._joined and done < len(self._range):
            raise InvalidInput(f"{done} of {len(self._range)} frames are written; the store is not complete")
        if self._joined and done != self._frames:
            raise InvalidInput(f"the shards have {done} frames, not {self._frames}")
        if done == 0 and self._shard is None:
            raise InvalidInput("no frame was written")
        if self._shard is not None:
            self._record(complete=True)
        else:
            self._publish()
        self._close_files()
        self._places.unlock()
        self._closed = True
        return self.folder

    def _publish(self) -> None:
        partial = self._places.partial[0]
        manifest = dataclasses.replace(self._manifest, frames=len(self._sums), checksums="checksums.npy", id=self._id)
        layout = Layout(manifest)
        for (_, stripe, tile), fd in self._open.items():
            write_all(fd, memoryview(layout.header(stripe, tile)), 0)
            os.ftruncate(fd, ALIGNMENT + layout.records_in(stripe, tile) * layout.record_bytes)
            os.fsync(fd)
        table = self._table().astype("<u8")
        if not self._joined:
            self._journal.record(self._table())
        write_file(partial / manifest.checksums, npy_header("'<u8'", table.shape, 64) + table.tobytes())
        if self._poster:
            manifest = self._draw(manifest)
        self._write_marks(manifest.id)
        write_file(partial / FILE_NAME, manifest.to_json().encode(errors="replace"))
        self._places.check_final()  # hours may have passed

        def clean() -> None:
            for name in (GROWING_NAME, GROWING_NEXT):
                (partial / name).unlink(missing_ok=True)
            self._journal.remove()
            self._places.remove_shards()

        self._places.publish(clean)
        self._fresh = False
        for directory in self._places.directories[1:]:
            _make_playing_file(directory)

    def _draw(self, manifest: Manifest) -> Manifest:
        partial, count = self._places.partial[0], min(images.THUMBNAILS, manifest.frames)
        write_file(partial / "poster.png", images.small_png(self._image(manifest.frames // 2), images.POSTER_WIDTH))
        small = [images.shrink(self._image(i * manifest.frames // count), images.THUMBNAIL_WIDTH) for i in range(count)]
        strip = images.png(np.concatenate(small, axis=1))
        if len(strip) > images.FILE_BYTES_MAX:
            return dataclasses.replace(manifest, poster="poster.png")
        write_file(partial / "thumbnails.png", strip)
        return dataclasses.replace(manifest, poster="poster.png", thumbnails="thumbnails.png", thumbnail_count=count)

    def _image(self, frame: int) -> Bytes:
        """A frame that was written, as RGB; bezels, and tiles that the store does not hold, are black."""
        geometry = self._manifest.geometry
        image = np.zeros((geometry.height, geometry.width, 3), dtype=np.uint8)
        for tile in self._manifest.held:
            stripe, offset = self._layout.locate(frame, tile)
            pixels = _read_pixels(self._open[0, stripe, tile], offset, self._layout)
            if pixels is None:
                raise LambdawallError(
                    f"frame {frame} of tile {geometry.cell(tile)} cannot be read back; check the disk"
                )
            x, y = geometry.place(tile)
            part = rgb_of(self._layout.unpack(pixels), self._layout.format)
            image[y : y + geometry.tile_height, x : x + geometry.tile_width] = part
        return image

    def _check_joined(self) -> None:
        count = len(self._joined)
        for frame, sums in enumerate(self._sums):
            for copy, tile in ((c, t) for c in range(self._manifest.copies) for t in self._manifest.held):
                stripe, offset = self._layout.locate(frame, tile)
                pixels = _read_pixels(self._open[copy, stripe, tile], offset, self._layout)
                if pixels is not None and checksums(pixels.reshape(1, -1))[0] == sums[tile]:
                    continue
                number = 1 + next(i for i, end in enumerate(self._joined) if frame < end)
                tiles, name = self._manifest.geometry.tiles, shard_journal(number, count)
                Journal(self._places.partial[0], self._recipe, tiles, name).remove()
                raise InvalidStore(
                    f"frame {frame} of tile {self._manifest.geometry.cell(tile)} is damaged on the disk;"
                    f" write shard ({number}, {count}) again, then join the shards"
                )

    def close(self) -> None:
        """Keeps the frames so far, for the next run to continue; without any, removes the hidden folders."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._sums and not self._joined:
                self._record(complete=False)
        finally:
            self._close_files()
            if self._fresh:
                self._places.remove()
            self._places.unlock()

    def _close_files(self) -> None:
        while self._open:
            os.close(self._open.popitem()[1])

    def __enter__(self) -> StoreWriter:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            if kind is None and not self._closed:
                self.finish()
        finally:
            self.close()


def _tile_numbers(geometry: Geometry, tiles: Optional[Iterable[tuple[int, int]]]) -> tuple[int, ...]:
    if tiles is None:
        return ()
    try:
        numbers = sorted(geometry.tile(column, row) for column, row in tiles)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"tiles must be pairs of a column and a row: {error}") from None
    if len(set(numbers)) < len(numbers) or not numbers:
        raise InvalidInput("tiles must name at least one tile, and each once")
    return tuple(numbers) if len(numbers) < geometry.tiles else ()


def _checked_shard(shard: Optional[tuple[int, int]], frames: Optional[int]) -> Optional[tuple[int, int]]:
    if shard is None:
        return None
    if not (isinstance(shard, tuple) and len(shard) == 2 and all(type(part) is int for part in shard)):
        raise InvalidInput(f"shard is {shard!r}; pass (2, 4) for the second of four")
    number, count = shard
    if not 1 <= number <= count <= _SHARDS_MAX:
        raise InvalidInput(f"shard is {shard!r}; pass (2, 4) for the second of four, at most {_SHARDS_MAX}")
    if frames is None:
        raise InvalidInput("a shard needs the number of all frames: pass frames")
    return shard


def _make_playing_file(directory: pathlib.Path) -> None:
    """A server that plays from this directory says so in this file; it creates it in its content directories only."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        os.close(os.open(directory / ".lambdawall-playing", flags, 0o644))
    except OSError:
        pass  # the server then plays without


def _read_pixels(fd: int, offset: int, layout: Layout) -> Optional[Bytes]:
    """The pixels of a record; None if the file ends before."""
    stored = np.empty(layout.stored_bytes, dtype=np.uint8)
    view = stored.data
    while view:
        got = os.preadv(fd, [view], offset)
        if got == 0:
            return None
        view, offset = view[got:], offset + got
    return layout.pixels(stored)


@dataclasses.dataclass(frozen=True)
class Damage:
    """A tile's frame that is not what the checksums say."""

    frame: int
    tile: tuple[int, int]
    file: pathlib.Path


class Store:
    """A complete store, for reading.

    with Store("content/waves") as store:
        first = store.frame(0)
    """

    def __init__(self, folder: Path) -> None:
        self.folder = pathlib.Path(folder)
        self.manifest = Manifest.load(self.folder)
        try:
            self._layout = Layout(self.manifest)
        except InvalidInput as error:
            raise InvalidStore(f"{self.folder}: {error}") from None
        self._open: dict[tuple[int, int, int], tuple[int, int, int]] = {}
        try:
            for copy, stripe, tile in self._layout.files(self.manifest.held):
                self._open_file(copy, stripe, tile)
        except BaseException:
            self.close()
            raise

    def _open_file(self, copy: int, stripe: int, tile: int) -> None:
        """Remembers descriptor, start and length of records."""
        folder = self.folder / self.manifest.stripes[self._layout.folder_of(stripe, copy)]
        file, records = folder / self._layout.file_name(tile, copy), self._layout.records_in(stripe, tile)
        if records == 0:
            return
        try:
            array = np.load(file, mmap_mode="r", allow_pickle=False)
            fd = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except (OSError, ValueError) as error:
            raise InvalidStore(f"{file} cannot be read: {error}") from None
        self._open[copy, stripe, tile] = (fd, array.offset, array.itemsize if array.dtype.names else array[0].nbytes)
        record = self._open[copy, stripe, tile][2]
        if len(array) < records or record < self._layout.stored_bytes:
            raise InvalidStore(f"{file} has {len(array)} records of {record} bytes; {records} of these are needed")

    @property
    def geometry(self) -> Geometry:
        return self.manifest.geometry

    def __len__(self) -> int:
        return self.manifest.frames

    def _pixels(self, frame: int, tile: int, copy: int = 0) -> Bytes:
        if not 0 <= frame < len(self):
            raise InvalidInput(f"frame {frame}; the store has frames 0 to {len(self) - 1}")
        if tile not in self.manifest.held:
            raise InvalidInput(f"the store does not hold tile {self.geometry.cell(tile)}")
        fd, start, size = self._open[copy, self._layout.locate(frame, tile)[0], tile]
        pixels = _read_pixels(fd, start + frame // self._layout.stripes * size, self._layout)
        if pixels is None:
            raise InvalidStore(f"frame {frame} of tile {self.geometry.cell(tile)} cannot be read")
        return pixels

    def tile(self, frame: int, column: int, row: int) -> Frame:
        """A tile's frame: as `frame`, of the tile's size."""
        return self._layout.unpack(self._pixels(frame, self.geometry.tile(column, row)))

    def frame(self, frame: int) -> Frame:
        """The whole wall: (height, width, 3), or a YCbCr. Bezels and tiles that the store does not hold are 0."""
        g, format_ = self.geometry, self._layout.format
        if takes_rgb(format_):
            return self._rgb_tiles(frame)
        rows = np.zeros((g.height, format_.row_bytes(g.width + g.width % format_.group_pixels)), dtype=np.uint8)
        for tile in self.manifest.held:
            x, y = g.place(tile)
            left = format_.row_bytes(x)
            rows[y : y + g.tile_height, left : left + self._layout.row_bytes] = self._pixels(frame, tile).reshape(
                g.tile_height, -1
            )
        return unpack(rows, format_, g.width, g.height)

    def _rgb_tiles(self, frame: int) -> npt.NDArray[Any]:
        """Each unpacked by itself: groups begin at a tile's corner."""
        g, bits = self.geometry, self._layout.format.bits
        whole = np.zeros((g.height, g.width, 3), dtype=np.uint8 if bits == 8 else np.uint16)
        for tile in self.manifest.held:
            x, y = g.place(tile)
            part = self._layout.unpack(self._pixels(frame, tile))
            whole[y : y + g.tile_height, x : x + g.tile_width] = part
        return whole

    def rgb(self, frame: int) -> Bytes:
        """The whole wall as RGB, whatever the format."""
        return rgb_of(self.frame(frame), self._layout.format)

    def __iter__(self) -> Iterator[Frame]:
        return (self.frame(frame) for frame in range(len(self)))

    def checksums(self) -> Words:
        """(frames, tiles): what the store says about its frames."""
        if not self.manifest.checksums:
            raise InvalidStore(f"{self.folder} has no checksums")
        table: Words = np.load(self.folder / self.manifest.checksums, allow_pickle=False)
        if table.dtype != np.dtype("<u8") or table.shape != (len(self), self.geometry.tiles):
            raise InvalidStore(
                f"{self.folder / self.manifest.checksums} has type {table.dtype} and shape {table.shape}"
            )
        return table

    def verify(self) -> list[Damage]:
        """Reads everything; what `wall-ingest --verify` reports as damaged."""
        table, damaged = self.checksums(), []
        for frame in range(len(self)):
            for tile in self.manifest.held:
                for copy in range(self.manifest.copies):
                    if checksums(self._pixels(frame, tile, copy).reshape(1, -1))[0] != table[frame, tile]:
                        stripe = self._layout.locate(frame, tile)[0]
                        folder = self.folder / self.manifest.stripes[self._layout.folder_of(stripe, copy)]
                        file = folder / self._layout.file_name(tile, copy)
                        damaged.append(Damage(frame, self.geometry.cell(tile), file))
        return damaged

    def close(self) -> None:
        while self._open:
            os.close(self._open.popitem()[1][0])

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
