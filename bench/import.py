"""What an import costs a wall that plays from the same disk: 64 tiles at 10 frame/s, 2 GB ingested into the content directory meanwhile, and the
same time without, in turn. Frames of tiles that were shown incomplete or not at all are lost; an ingest may cost none.

Usage: scripts/bench --only import; with options and without building: /usr/bin/python3 bench/import.py [--runs 5] [--disk DIR] [--source testsrc2]
[--rate RATE] [--out FILE.json]. Takes about four minutes, and 12 GB of the disk."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/support"))
from wall import Wall, program, start, stop, wait_until  # noqa: E402  the end-to-end tests' way of starting a wall

COLUMNS, ROWS, TILE, RATE = 8, 8, (320, 200), 10
FRAME_BYTES = COLUMNS * ROWS * TILE[0] * TILE[1] * 3
SETTLE_S = 3
LEAST_S = 8  # of a measurement
# The ingested content: made almost without CPU time, so that the disk counts; or drawn again for each frame, like a decoded video.
SOURCES = {"color": "lavfi:color=c=teal:size={0}x{1}:rate=10:duration={2},format=rgb24", "testsrc2": "lavfi:testsrc2=size={0}x{1}:rate=10:duration={2}"}


def tiles(wall):
    """(frames due, frames lost, of those not shown at all) of all tiles since they began."""
    reports = [entry["report"]["tiles"] for entry in wall.call("stats")["nodes"] if "report" in entry]
    all_tiles = [tile for report in reports for tile in report]
    return tuple(sum(tile[key] for tile in all_tiles for key in keys) for keys in (("frames_due",), ("shown_concealed", "not_shown"), ("not_shown",)))


def read_late(log):
    """Reads that were not done in time, as the server said so far."""
    return sum(int(count) for count in re.findall(r"(\d+) frames of a tile were not in memory", log.read_text()))


def measured(wall, log, work):
    before, late = tiles(wall), read_late(log)
    began = time.monotonic()
    more = work()
    seconds = time.monotonic() - began
    time.sleep(1.5)  # what was read meanwhile is shown, and said
    due, lost, unseen = (after - first for after, first in zip(tiles(wall), before))
    return {"seconds": round(seconds, 1), "due": due, "lost": lost, "not_shown": unseen, "read_late": read_late(log) - late, **more}


def ingest(options, wall, number):
    """Ingests repeatedly, for at least LEAST_S in total."""
    began = time.monotonic()
    frames = max(1, round(options.gigabytes * 1e9 / FRAME_BYTES))
    source = SOURCES[options.source].format(*wall.picture, frames / 10)
    command = [options.ingest, source, "--wall", wall.file, "--out", wall.content, "--name", f"new-{number}", "--json"]
    process = start(*command, *(["--rate", options.rate] if options.rate else []), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, error = process.communicate(timeout=540)
    if process.returncode != 0:
        sys.exit(f"import: {error.strip()}")
    seconds = time.monotonic() - began
    time.sleep(max(0.0, LEAST_S - seconds))
    limits = [event["limit_mb_per_s"] for event in map(json.loads, out.splitlines()) if "limit_mb_per_s" in event]
    return {"ingest_s": round(seconds, 1), "mb_per_s": round(frames * FRAME_BYTES / seconds / 1e6), "limit_mb_per_s": limits[-1] if limits else None}


def play(options):
    disk = pathlib.Path(options.disk)
    disk.mkdir(parents=True, exist_ok=True)
    columns = COLUMNS // 4
    wall = Wall(COLUMNS, ROWS, tile=TILE, rate=str(RATE), nodes={f"node-{n}": [(n * columns + c, r) for c in range(columns) for r in range(ROWS)] for n in range(4)},
                playout_delay_ms=200)
    wall.content = disk / f"import-{os.getpid()}"
    wall.content.mkdir()
    log = wall.folder / "server.log"
    rows = []
    try:
        print("import: writing what is to play", file=sys.stderr)
        wall.ingest(SOURCES["testsrc2"].format(*wall.picture, 8), "film")
        with contextlib.ExitStack() as ends:
            for node in wall.nodes:
                ends.callback(stop, wall.client(node, "--headless", stderr=subprocess.DEVNULL))
            with log.open("w") as out:
                ends.callback(stop, wall.server("--play", "film", stderr=out))
            wait_until(lambda: tiles(wall)[0] > COLUMNS * ROWS * RATE * SETTLE_S, 30, "frames on all tiles")
            for run in range(options.runs):
                beside = measured(wall, log, lambda: ingest(options, wall, run))
                time.sleep(SETTLE_S)  # deleted only at the end, because deleting also keeps a disk busy (mount -o discard)
                alone = measured(wall, log, lambda: time.sleep(beside["seconds"]) or {})
                rows.append({"beside": beside, "alone": alone})
                print(f"import: run {run + 1} of {options.runs}: {beside['lost']} frames lost beside an ingest at {beside['mb_per_s']} MB/s, {alone['lost']} without", file=sys.stderr)
    finally:
        shutil.rmtree(wall.content, ignore_errors=True)
    return rows


def options_of(arguments=None):
    parser = argparse.ArgumentParser(prog="bench/import.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--disk", default="build/bench", help="a folder on the disk to play from; default: build/bench")
    parser.add_argument("--gigabytes", type=float, default=2.0, help="of pixels to ingest in each run; default: 2")
    parser.add_argument("--source", choices=list(SOURCES), default="color", help="color: as fast as the disk takes it; testsrc2: with CPU time for each frame")
    parser.add_argument("--rate", help="for wall-ingest, such as 100MB/s or max")
    parser.add_argument("--ingest", default=program("wall-ingest"), metavar="PROGRAM", help="another wall-ingest, to compare")
    parser.add_argument("--out", "--json", help="the figures as JSON")
    parser.add_argument("--only", choices=["import"], help=argparse.SUPPRESS)  # as scripts/bench has it
    return parser.parse_args(arguments)


def rows(bench):
    """The part of scripts/bench: one turn in a whole run, five where this is what is asked for."""
    options = options_of(["--runs", "5" if bench.options.only and not bench.options.quick else "1", *(["--disk", bench.options.disk] if bench.options.disk else [])])
    played = play(options)
    lost = {way: [row[way]["lost"] for row in played] for way in ("beside", "alone")}
    kept = sum(a <= b for a, b in zip(lost["beside"], lost["alone"]))
    bench.row(f"64 tiles at 10 frame/s, {options.gigabytes:g} GB ingested onto the same disk: turns in which no more frames were lost than without", kept, text=f"{kept} of {len(played)}",
              ratio=(kept / len(played), None, None), least=1, turns=played)
    bench.row("frames of a tile lost in them", sum(lost["beside"]), text=f"{sum(lost['beside'])} of {sum(row['beside']['due'] for row in played)}", peer="without",
              theirs=sum(lost["alone"]) or None, note=f"Without an ingest: {sum(lost['alone'])} of {sum(row['alone']['due'] for row in played)}.")
    bench.row("rate of the ingest meanwhile", sum(row["beside"]["mb_per_s"] for row in played) / len(played), "MB/s")


def main():
    options = options_of()
    rows = play(options)
    print("| run | frames due | lost beside the ingest | of those not shown | reads late | ingest MB/s | lost without | of those not shown | reads late |\n" + "| --- " * 9 + "|")
    for number, row in enumerate(rows, 1):
        b, a = row["beside"], row["alone"]
        print(f"| {number} | {b['due']} | {b['lost']} | {b['not_shown']} | {b['read_late']} | {b['mb_per_s']} | {a['lost']} | {a['not_shown']} | {a['read_late']} |")
    kept = sum(row["beside"]["lost"] <= row["alone"]["lost"] for row in rows)
    print(f"no more frames lost beside an ingest than without in {kept} of {len(rows)} runs")
    if options.out:
        pathlib.Path(options.out).write_text(json.dumps({"load_average": os.getloadavg()[0], "source": options.source, "rows": rows}, indent=2) + "\n")
    return 0 if kept == len(rows) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is ended, and the disk is cleared
    sys.exit(main())
