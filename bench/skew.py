"""The skew of a wall's frames: four clients of a tile each on this host, played for a minute; what each reports of its swaps."""
import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/support"))
from wall import Control, Wall, program, stop  # the end-to-end tests' way of starting a wall


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


@contextlib.contextmanager
def display():
    """A virtual X display of this program's own."""
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as number:
            yield {**os.environ, "DISPLAY": ":" + number.readline().strip()}
    finally:
        server.terminate()
        server.wait()


def play(wall, seconds, *options, environment=None):
    """(frames that all tiles showed, skew p50, p99 in ms, frames not shown complete)."""
    clients = [wall.client(node, *options, env=environment, stderr=subprocess.DEVNULL) for node in wall.nodes]
    time.sleep(1)
    server = wall.server("--play", "bars", stderr=subprocess.DEVNULL)
    swaps = {}
    with contextlib.closing(Control(wall.control)) as control:
        end = time.monotonic() + seconds + 2
        while time.monotonic() < end:
            stats = control.call("stats")
            for entry in stats["nodes"]:
                for tile in entry.get("report", {}).get("tiles", []):
                    for pts, late in tile.get("presented", []):
                        swaps.setdefault(pts, {})[tuple(tile["tile"])] = late
            time.sleep(0.05)
    tiles = [tile for entry in stats["nodes"] for tile in entry["report"]["tiles"]]
    for process in (*clients, server):
        stop(process)
    first = min(swaps) + 2_000_000  # from when all are there
    skews = [(max(late.values()) - min(late.values())) / 1000 for pts, late in swaps.items() if pts > first and len(late) == len(wall.nodes)]
    return len(skews), statistics.median(skews), quantile(skews, 0.99), sum(tile["shown_concealed"] + tile["not_shown"] for tile in tiles)


def measure(seconds):
    """A list of (way, frames, p50, p99, not complete)."""
    wall = Wall(2, 2, tile=(640, 400))
    wall.ingest(f"lavfi:testsrc2=size={wall.picture[0]}x{wall.picture[1]}:rate=30:duration=2", "bars")
    rows = [("headless", *play(wall, seconds, "--headless"))]
    with display() as environment:
        rows.append(("windows, no vsync", *play(wall, seconds, environment=environment)))
    return rows


def rows(bench):
    """Four clients of a tile each on this host."""
    for way, frames, median, high, not_whole in measure(3 if bench.options.quick else 60 if bench.options.only else 8):
        bench.row(f"skew of a frame over 4 clients' tiles, 640x400 at 30 frame/s, {way}", median, "ms", text=f"p50 {median:.2f} ms, p99 {high:.2f} ms over {frames} frames; {not_whole} not shown complete",
                  p99=high, frames=frames, not_complete=not_whole)
