"""Shared by the tests of faults: programs under tests/e2e/fault_shim.c, and walls whose playing is watched."""
import hashlib
import os
import pathlib
import time

from pictures import make_source
from wall import Wall, program, run, start, stop, wait_until

SHIM = os.environ.get("LW_FAULT_SHIM", str(pathlib.Path(__file__).resolve().parents[2] / "build/release/tests/libfault_shim.so"))


def fault(deed, calls, path="*", first=1, count=0, log=None, uring=True):
    """The environment in which a program meets it."""
    environment = {**os.environ, "LD_PRELOAD": SHIM, "FAULT": f"{deed} {calls} {path} {first} {count}"}
    if log is not None:
        environment["FAULT_LOG"] = str(log)
    if not uring:
        environment["FAULT_NO_URING"] = "1"
    return environment


def tree(*folders):
    """The content of folders: each file with a hash of its bytes."""
    return {str(file.relative_to(folder.parent)): hashlib.sha256(file.read_bytes()).hexdigest()
            for folder in folders for file in sorted(folder.rglob("*")) if file.is_file()}


class Playing:
    """A small wall, and whether all of its tiles show complete frames."""

    def __init__(self, test, columns=2, frames=30, out=None, options=(), **streaming):
        self.test = test
        self.wall = Wall(columns, 1, tile=(160, 100), **streaming)
        make_source(self.wall.folder / "source", self.wall.picture, frames)
        self.wall.ingest(self.wall.folder / "source", "noise", "--rate", "30", *options, out=out(self.wall) if out else None)
        self.processes = []
        test.addCleanup(self.end)

    def start(self, *command, **kwargs):
        self.processes.append(start(*command, **kwargs))
        return self.processes[-1]

    def server(self, *options, file=None, **kwargs):
        return self.start(program("wall-server"), "--wall", file or self.wall.file, "--content", self.wall.content, *(options or ("--play", "noise")), **kwargs)

    def client(self, column, *options, file=None, **kwargs):
        return self.start(program("wall-client"), "--wall", file or self.wall.file, "--node", f"node-{column}-0", "--headless", *options, **kwargs)

    def end(self):
        for process in reversed(self.processes):
            stop(process)

    def tiles(self):
        """The newest figures of each tile; None of a node that does not report."""
        try:
            nodes = self.wall.call("stats")["nodes"]
        except OSError:
            return [None] * self.wall.columns
        return [entry["report"]["tiles"][0] if entry["connected"] and entry.get("age_s", 9) < 0.4 else None for entry in nodes]

    def back(self, patience=10, tiles=None):
        """Waits until these tiles (None: all) show complete frames, and only those; returns how long that took."""
        look = lambda: [tile for index, tile in enumerate(self.tiles()) if tiles is None or index in tiles]
        began, before = time.monotonic(), look()
        while True:
            time.sleep(0.25)
            now = look()
            if all(self.whole(*pair) for pair in zip(before, now)):
                return max(0.0, time.monotonic() - began - 0.25)  # the interval looked at was good
            self.test.assertLess(time.monotonic() - began, patience, (before, now))
            before = now

    @staticmethod
    def whole(before, tile):
        if before is None or tile is None:
            return False
        shown = tile["shown_whole"] - before["shown_whole"]
        return shown >= 4 and shown >= 0.8 * (tile["frames_due"] - before["frames_due"])

    def not_whole(self):
        """Frames of all tiles that were due and not shown complete."""
        return sum(tile["frames_due"] - tile["shown_whole"] for tile in self.tiles() if tile)


def told(test, what, **figures):
    """A line for docs/reliability.md."""
    print(f"{test.id().split('.')[-1]}: {what}: " + ", ".join(f"{key.replace('_', ' ')} {value:.2f}" if isinstance(value, float) else f"{key.replace('_', ' ')} {value}"
                                                              for key, value in figures.items()), flush=True)


__all__ = ["Playing", "fault", "told", "tree", "run", "stop", "wait_until"]
