"""What many small tiles cost beside a few large ones: the same content, cut into 4 and into 512 tiles, played by the real programs on two cores. CPU time is the kernel's, by thread."""
import contextlib
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/support"))
from lossless import BenchError
from wall import Control, Wall, stop  # the end-to-end tests' way of starting a wall

PICTURE = (5120, 1440)
RATE = 10  # frames per second
FRAMES = 80
NODES = 4
CORES = 2
# By the names of threads; the first that fits counts.
STAGES = {"server": (("playback", "read"), ("iou", "read"), ("flow", "send"), ("", "control")),
          "node": (("recv", "receive"), ("main", "present"), ("", "report"))}


def cpu_of(process, program):
    """CPU seconds of a program since it began, by stage. Threads that ended are not in it: those of the data path do not."""
    spent = {}
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        with contextlib.suppress(OSError):
            name = "main" if task.name == str(process.pid) else (task / "comm").read_text().strip()
            stage = next(stage for prefix, stage in STAGES[program] if name.startswith(prefix))
            spent[stage] = spent.get(stage, 0) + int((task / "schedstat").read_text().split()[0]) * 1e-9
    return spent


def columns_and_rows(tiles):
    """A grid of so many tiles."""
    return {4: (2, 2), 32: (8, 4), 64: (8, 8), 256: (16, 16), 512: (32, 16)}[tiles]


def wall_of(tiles, flows_per_tile):
    columns, rows = columns_and_rows(tiles)
    cells = [(column, row) for row in range(rows) for column in range(columns)]
    nodes = {f"node-{n}": cells[n * len(cells) // NODES:(n + 1) * len(cells) // NODES] for n in range(NODES)}
    return Wall(columns, rows, tile=(PICTURE[0] // columns, PICTURE[1] // rows), rate=str(RATE), nodes=nodes, playout_delay_ms=250, flows_per_tile=flows_per_tile)


class Playing:
    """A wall that plays on the first cores, and what it has shown and used."""

    def __init__(self, tiles, flows_per_tile=1):
        self.tiles, self.wall = tiles, wall_of(tiles, flows_per_tile)
        cores = sorted(os.sched_getaffinity(0))[:CORES]
        on_cores = {"preexec_fn": lambda: os.sched_setaffinity(0, cores), "stderr": subprocess.DEVNULL}
        self.wall.ingest(f"lavfi:testsrc2=size={PICTURE[0]}x{PICTURE[1]}:rate={RATE}:duration=2", "bars")
        self.nodes = [self.wall.client(node, "--headless", **on_cores) for node in self.wall.nodes]
        self.server = self.wall.server("--play", "bars", **on_cores)

    def close(self):
        for process in (*self.nodes, self.server):
            stop(process)

    def shown(self):
        """Frames of a tile since the start: (complete, due)."""
        with contextlib.closing(Control(self.wall.control)) as control:
            tiles = [tile for entry in control.call("stats")["nodes"] for tile in (entry.get("report") or {}).get("tiles", [])]
        return sum(tile["shown_whole"] for tile in tiles), sum(tile["frames_due"] for tile in tiles)

    def await_all(self, limit=60):
        """Until every tile shows frames, and for a second more."""
        end = time.monotonic() + limit
        while self.shown()[0] < 5 * self.tiles:
            if time.monotonic() > end:
                raise BenchError(f"{self.tiles} tiles: not all show frames after {limit} s")
            time.sleep(1)

    def cpu(self):
        spent = {f"server: {stage}": seconds for stage, seconds in cpu_of(self.server, "server").items()}
        for node in self.nodes:
            for stage, seconds in cpu_of(node, "node").items():
                spent[f"nodes: {stage}"] = spent.get(f"nodes: {stage}", 0) + seconds
        return spent

    def measure(self, seconds):
        """(CPU seconds by stage, frames of a tile shown complete, due) in this time."""
        whole, due = self.shown()
        before = self.cpu()
        time.sleep(seconds)
        spent = {stage: now - before.get(stage, 0) for stage, now in self.cpu().items()}
        whole_now, due_now = self.shown()
        return spent, whole_now - whole, due_now - due


def play(tiles, seconds, flows_per_tile=1):
    with contextlib.closing(Playing(tiles, flows_per_tile)) as playing:
        playing.await_all()
        return playing.measure(seconds)


def stages_text(spent, frames):
    return ", ".join(f"{stage} {seconds / frames * 1e3:.1f}" for stage, seconds in sorted(spent.items()))


def rows(bench):
    """As part of a longer run once; alone three times, and for a minute each."""
    alone = bench.options.only and not bench.options.quick
    seconds, rounds = FRAMES / RATE / (4 if bench.options.quick else 1), 3 if alone else 1
    frames = seconds * RATE
    found = {4: [], 512: []}
    for _ in range(rounds):
        for tiles, results in found.items():
            results.append(play(tiles, seconds))
    totals = {tiles: sorted(sum(spent.values()) for spent, _, _ in results) for tiles, results in found.items()}
    ratios = sorted(sum(many.values()) / sum(few.values()) for (few, _, _), (many, _, _) in zip(found[4], found[512]))
    for tiles, results in found.items():
        spent, whole, due = results[0]
        bench.row(f"CPU time of server and {NODES} nodes, {tiles} tiles", totals[tiles][rounds // 2] / frames * 1e3, "ms per frame",
                  text=f"{totals[tiles][rounds // 2] / frames * 1e3:.0f} ms per frame: {stages_text(spent, frames)}; {whole} of {due} frames of a tile complete", stages=spent)
    bench.row("CPU time of 512 tiles beside 4", totals[512][rounds // 2], "s", peer="4 tiles", theirs=totals[4][rounds // 2],
              ratio=(ratios[rounds // 2], ratios[0], ratios[-1]), most=1.5)
    for flows in (1, 4):
        _, whole, due = play(512, 60 if alone else 8, flows)
        bench.row(f"frames of a tile shown complete, 512 tiles of {flows} flow{'s' if flows > 1 else ''}", whole, "", text=f"{whole} of {due}", ratio=(whole / due if due else 0, None, None), least=1)


def main():
    """One wall: TILES [SECONDS [FLOWS PER TILE]]."""
    tiles, seconds, flows = (*map(int, sys.argv[1:]), *(8, 1)[len(sys.argv) - 2:])
    spent, whole, due = play(tiles, seconds, flows)
    print(f"{sum(spent.values()):.2f} s: {stages_text(spent, seconds * RATE)} ms per frame; {whole} of {due} complete")


if __name__ == "__main__":
    main()
