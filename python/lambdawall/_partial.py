"""The hidden folders in which a store is written, their journals and locks, and their publication.

Names and meaning are those of `wall-ingest` (ingest/store_writer.h, journal.h, shards.h, publish.h), so that both take
turns at a name without destroying anything of each other.
"""

from __future__ import annotations

import fcntl
import json
import os
import pathlib
import shutil
import stat
from typing import Callable, Optional, Sequence

import numpy as np
import numpy.typing as npt

from .xxh3 import checksum
from .errors import InvalidInput, InvalidStore, StoreBusy, StoreExists
from .manifest import FILE_NAME, MARK_NAME, Manifest

Words = npt.NDArray[np.uint64]
_SHARDS_LOCK, _SHARDS = "shards.lock", "shards.json"
_OURS = {
    FILE_NAME,
    MARK_NAME,
    "audio.npy",
    "checksums.npy",
    "poster.jpg",
    "thumbnails.jpg",
    "poster.png",
    "thumbnails.png",
}


def sync_folder(folder: pathlib.Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_file(file: pathlib.Path, content: bytes) -> None:
    """On the disk when this returns."""
    fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    with open(fd, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(fd)


def write_all(fd: int, content: memoryview, offset: int) -> None:
    while content:
        done = os.pwrite(fd, content, offset)
        content, offset = content[done:], offset + done


class Journal:
    """Which frames are on the disks, with their checksums. It never names a frame that is not."""

    def __init__(self, folder: pathlib.Path, recipe: str, tiles: int, name: str = "journal") -> None:
        self._state, self._sums, self._next = (folder / f"{name}.{end}" for end in ("json", "checksums", "next"))
        self._recipe, self._tiles, self._recorded = recipe, tiles, 0
        self.complete = False

    def resume(self) -> Optional[Words]:
        """Checksums (frames, tiles) of an earlier run of the same recipe."""
        try:
            state = json.loads(self._state.read_bytes())
            frames = state["frames"]
            if state["recipe"] != self._recipe or not isinstance(frames, int) or frames < 0:
                return None
            sums = np.fromfile(self._sums, dtype="<u8", count=frames * self._tiles)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if sums.size < frames * self._tiles:
            return None
        self._recorded, self.complete = frames, state.get("complete") is True
        return sums.reshape(frames, self._tiles)

    def record(self, sums: Words, complete: bool = False) -> None:
        """Call when the frames of all `sums` are on the disks. Writes only the new ones: a long store has many."""
        fd = os.open(self._sums, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            new = np.ascontiguousarray(sums[self._recorded :], dtype="<u8")
            write_all(fd, memoryview(new.tobytes()), self._recorded * self._tiles * 8)
            os.fdatasync(fd)
        finally:
            os.close(fd)
        state = {"complete": complete, "frames": len(sums), "recipe": self._recipe}
        write_file(self._next, json.dumps(state, separators=(",", ":"), ensure_ascii=False).encode())
        os.rename(self._next, self._state)
        self._recorded = len(sums)

    def remove(self) -> None:
        for file in (self._state, self._sums, self._next):
            file.unlink(missing_ok=True)


def shard_journal(number: int, count: int) -> str:
    return f"shard-{number}-of-{count}"


def _entries(folder: pathlib.Path) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as entries:
        return list(entries)


def can_replace(folder: pathlib.Path) -> None:
    """StoreExists if the folder has anything that does not belong to a visualization."""
    foreign = StoreExists(f"{folder} contains files that do not belong to a visualization; choose another name")
    if not stat.S_ISDIR(os.lstat(folder).st_mode):
        raise foreign
    known = set(_OURS)
    try:
        manifest = Manifest.load(folder)
        known |= {manifest.checksums, manifest.poster, manifest.thumbnails}
        known |= {manifest.audio["file"]} if manifest.audio else set()
    except InvalidStore:
        pass
    for entry in _entries(folder):
        stripe = entry.name.startswith("tile-") and entry.name.endswith(".npy")
        if not entry.is_file(follow_symlinks=False) or not (stripe or entry.name in known):
            raise foreign


class Places:
    """The folders of a store: partial and final ones, one of each for every stripe."""

    def __init__(self, directories: Sequence[pathlib.Path], name: str, overwrite: bool) -> None:
        self.directories, self.name, self._overwrite = list(directories), name, overwrite
        self.partial = [directory / f".{name}.partial" for directory in directories]
        self.final = [directory / name for directory in directories]
        self._locks: list[int] = []

    def _check_partial(self) -> None:
        for folder in self.partial:
            if os.path.lexists(folder):
                status = os.lstat(folder)
                if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
                    raise StoreExists(f"{folder} is a link or another user's; remove it, or choose another name")

    def check_final(self) -> None:
        for folder in self.final:
            if not os.path.lexists(folder):
                continue
            if not self._overwrite:
                raise StoreExists(f"{folder} already exists; pass overwrite=True to replace it, or choose another name")
            can_replace(folder)

    def _lock(self, file: pathlib.Path, flags: int, how: int, busy: str) -> None:
        fd = os.open(file, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        self._locks.append(fd)
        try:
            fcntl.flock(fd, how)
        except BlockingIOError:
            raise StoreBusy(busy) from None

    def _lock_folder(self, how: int) -> None:
        busy = f"another process is writing {self.final[0]}; wait for it or choose another name"
        self._lock(self.partial[0], os.O_RDONLY | os.O_DIRECTORY, how | fcntl.LOCK_NB, busy)

    def unlock(self) -> None:
        while self._locks:
            os.close(self._locks.pop())

    def take(self, stripes: tuple[str, ...]) -> None:
        """For a single process, or to join shards."""
        self._check_partial()
        if self.partial[0].exists():
            self._lock_folder(fcntl.LOCK_EX)
            self._take_back(stripes)
        self.check_final()
        if not self._locks:
            self.partial[0].mkdir(exist_ok=True)
            self._lock_folder(fcntl.LOCK_EX)

    def _take_back(self, stripes: tuple[str, ...]) -> None:
        """A run that was killed between its renames left stripes at their final places, and the manifest in the partial folder."""
        try:
            if Manifest.load(self.partial[0]).stripes != stripes:
                return
        except InvalidStore:
            return
        for partial, final in list(zip(self.partial, self.final))[1:]:
            if not partial.exists() and os.path.lexists(final):
                can_replace(final)
                os.rename(final, partial)

    def take_shared(self, recipe: str, number: int, count: int) -> None:
        """For one shard of several: they hold the folder together. The first one replaces what another import left."""
        self._check_partial()
        self.check_final()
        for folder in self.partial:
            folder.mkdir(exist_ok=True)
        beginning = self.partial[0] / _SHARDS_LOCK
        self._lock(beginning, os.O_RDWR | os.O_CREAT, fcntl.LOCK_EX, "")
        if self.shards(recipe) != count:
            self._lock_folder(fcntl.LOCK_EX)
            self.empty()
            state = {"recipe": f"{checksum(recipe.encode()):016x}", "shards": count}
            write_file(self.partial[0] / _SHARDS, json.dumps(state, separators=(",", ":")).encode())
            sync_folder(self.partial[0])
            os.close(self._locks.pop())
        self._lock_folder(fcntl.LOCK_SH)
        os.close(self._locks.pop(0))  # of the beginning
        name = shard_journal(number, count) + ".lock"
        busy = f"another process is writing shard {number} of {count} of {self.final[0]}; wait for it"
        self._lock(self.partial[0] / name, os.O_RDWR | os.O_CREAT, fcntl.LOCK_EX | fcntl.LOCK_NB, busy)

    def shards(self, recipe: str) -> Optional[int]:
        """The number of shards that the partial folder holds parts of, if they are of this recipe."""
        try:
            state = json.loads((self.partial[0] / _SHARDS).read_bytes())
            if state["recipe"] == f"{checksum(recipe.encode()):016x}":
                return int(state["shards"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def empty(self) -> None:
        """The first folder itself stays, as the lock is on it, and the lock on the beginning of shards."""
        for folder in self.partial:
            folder.mkdir(exist_ok=True)
            for entry in _entries(folder):
                if entry.name == _SHARDS_LOCK:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                else:
                    os.unlink(entry.path)

    def remove(self) -> None:
        for folder in self.partial:
            shutil.rmtree(folder, ignore_errors=True)

    def publish(self, before_last: Callable[[], None]) -> None:
        """Renames the folders, the one with the manifest last. A power cut leaves the old store, the new one, or none."""
        store = self.final[0]
        old, stale = store.parent / f".{store.name}.old", self._stale_stripes()
        shutil.rmtree(old, ignore_errors=True)
        replaces, done = store.exists(), []
        if replaces:
            os.rename(store, old)
            sync_folder(store.parent)
        try:
            for partial, final in reversed(list(zip(self.partial, self.final))):
                if final == store:
                    before_last()
                sync_folder(partial)
                if final.exists():
                    shutil.rmtree(final)
                os.rename(partial, final)
                done.append(final)
                sync_folder(final.parent)
        except OSError:
            for folder in done:
                shutil.rmtree(folder, ignore_errors=True)
            if replaces and not done and len(self.final) == 1:  # the old store is complete
                os.rename(old, store)
            raise
        for folder in [old, *stale]:
            shutil.rmtree(folder, ignore_errors=True)

    def remove_shards(self) -> None:
        for entry in _entries(self.partial[0]):
            if entry.name.startswith("shard"):
                os.unlink(entry.path)

    def _stale_stripes(self) -> list[pathlib.Path]:
        """Folders on other disks that the replaced store has and this one does not."""
        try:
            stripes = [pathlib.Path(stripe) for stripe in Manifest.load(self.final[0]).stripes]
        except InvalidStore:
            return []
        stale = []
        for stripe in stripes:
            if stripe.is_absolute() and stripe.name == self.name and stripe not in self.final and stripe.exists():
                try:
                    can_replace(stripe)
                    stale.append(stripe)
                except StoreExists:
                    pass
        return stale


def directories_of(out: object) -> list[pathlib.Path]:
    """Existing directories, by their real paths: a folder that is missing is more often a disk that is not mounted."""
    listed = [out] if isinstance(out, (str, os.PathLike)) else list(out) if isinstance(out, (list, tuple)) else []
    if not listed:
        raise InvalidInput(f"out is {out!r}; name a directory, or a list with one for each disk")
    paths: list[pathlib.Path] = []
    for directory in listed:
        try:
            path = pathlib.Path(directory).resolve(strict=True)
        except (OSError, RuntimeError, TypeError) as error:
            raise InvalidInput(f"cannot use the directory {directory}: {error}; create it, or mount its disk") from None
        if not path.is_dir():
            raise InvalidInput(f"{directory} is not a directory")
        if path in paths:
            raise InvalidInput(
                f"the directory {path} is named twice; each stripe needs a separate one, on its own disk"
            )
        paths.append(path)
    return paths
