"""Plays a wall for hours while it switches visualizations, seeks, kills and restarts nodes, freezes programs for up to a second and
impairs a path. At the end it reports whether memory, descriptors, threads, clock error and lateness of each program stayed flat.

The rule. A sample of each program is taken every few seconds (/proc/PID, and `stats` of the control plane). Before the first, each program is frozen
for a second: then a second of packets waits for it, and memory of a fixed size is touched as far as it is ever needed. The
first fifth of the time is not counted, since caches fill. The rest is cut into two halves. A figure is flat if the median of the second half is not
above that of the first by more than its bound:
    memory (resident, KiB)   2 % and 1024 KiB
    descriptors              2
    threads                  1
    lateness (p50, us)       a frame interval
    clock error (us)         1000
and, for memory, if the slope of a line through the medians of ten parts (Theil and Sen: the median of all slopes between two) is below
1 MiB an hour, where the run is at least half an hour long; in a shorter one start-up hides it. A restarted node begins again:
only nodes that lived through the whole run are judged, and every one that is started again must show half of its frames whole within 10 s.
It fails too if a program ends by itself, if the kernel refuses a packet to the server (send_errors), or if after the last disturbance a tile
shows less than 97 % of its frames whole in 5 s."""
import argparse
import atexit
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from pictures import make_source  # noqa: E402
from wall import Wall, port_open, program, run, start, stop, wait_until  # noqa: E402

FREEZE_S = 1.0  # the longest
COLUMNS = 3  # the first two nodes live through; the third is killed; the second is behind the relay
BOUNDS = {"rss_kib": lambda before: max(1024, before * 0.02), "descriptors": lambda _: 2, "threads": lambda _: 1, "lateness_us": lambda _: 33_000, "clock_error_us": lambda _: 1000}


def figures_of(process):
    """Of a program, as the kernel has them."""
    folder = pathlib.Path(f"/proc/{process.pid}")
    status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
    return {"rss_kib": int(status["VmRSS"].split()[0]), "threads": int(status["Threads"]), "descriptors": len(os.listdir(folder / "fd"))}


def slope_per_hour(points):
    """Theil and Sen's, of (seconds, value)."""
    slopes = [(y2 - y1) / (x2 - x1) for i, (x1, y1) in enumerate(points) for x2, y2 in points[i + 1:] if x2 > x1]
    return 3600 * statistics.median(slopes) if slopes else 0.0


def judged(samples, seconds):
    """Descriptions of figures that are not flat, and the table of all."""
    table, wrong = [], []
    kept = [sample for sample in samples if sample["t_s"] >= seconds / 5]
    series = {}
    for sample in kept:
        for name, figures in sample["programs"].items():
            for key, value in figures.items():
                series.setdefault((name, key), []).append((sample["t_s"], value))
    for (name, key), points in sorted(series.items()):
        if key not in BOUNDS or len(points) < 4:
            continue
        half = len(points) // 2
        before, after = (statistics.median(value for _, value in part) for part in (points[:half], points[half:]))
        tenth = max(1, len(points) // 10)
        parts = [points[i:i + tenth] for i in range(0, len(points), tenth)]
        slope = slope_per_hour([(statistics.median(x for x, _ in part), statistics.median(y for _, y in part)) for part in parts])
        flat = after - before <= BOUNDS[key](before)
        if key == "rss_kib" and seconds >= 1800:
            flat = flat and slope < 1024
        table.append(f"{name:8} {key:15} {before:12.1f} {after:12.1f} {slope:+12.1f}/h  {'flat' if flat else 'NOT FLAT'}")
        if not flat:
            wrong.append(f"{key} of {name} went from {before:.1f} to {after:.1f}")
    return wrong, table


class Soak:
    def __init__(self, options):
        self.chance = random.Random(options.seed)
        self.seconds = options.minutes * 60
        self.interval = options.interval
        self.out = open(options.out, "w", encoding="utf-8")
        self.samples, self.deeds, self.wrong = [], {}, []
        self.wall = Wall(COLUMNS, 1, tile=(320, 200), playout_delay_ms=150, sections='[clock]\nsource = "wall"\n')
        for number, name in enumerate(("one", "two")):
            make_source(self.wall.folder / name, self.wall.picture, 30, seed=number)
            self.wall.ingest(self.wall.folder / name, name, "--rate", "30")
        self.server_file, relay = self.wall.behind_relay("node-1-0", 1)
        script = self.wall.folder / "impair.toml"
        steps = [f"[[step]]\nat_s = {at}\n{what}\n" for at in range(0, int(self.seconds) + 60, 30)
                 for at, what in ((at, ""), (at + 10, "loss_percent = 1\nloss_burst = 4\ndelay_ms = 10\njitter_ms = 3\n"), (at + 18, "duplicate_percent = 2\nreorder_percent = 1\nreorder_by = 8\n"))]
        script.write_text("".join(steps))
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.quiet = quiet
        self.programs = {"relay": start(*relay, "--script", script, **quiet)}
        time.sleep(0.3)
        self.programs["server"] = start(program("wall-server"), "--wall", self.server_file, "--content", self.wall.content, "--play", "one", **quiet)
        for column in range(COLUMNS):
            self.programs[f"node-{column}"] = self.node(column)
        self.fuzz_log = self.wall.folder / "fuzz.log"
        self.fuzzing = self.start_fuzzing() if options.fuzz else None

    def node(self, column):
        return start(program("wall-client"), "--wall", self.wall.file, "--node", f"node-{column}-0", "--headless", **self.quiet)

    def start_fuzzing(self):
        """scripts/fuzz: each target for its share of the time, in turn, when the CPU is otherwise idle."""
        share = max(1, int(self.seconds / len(list((ROOT / "tests/fuzz").glob("*_fuzz.cpp")))))
        with open(self.fuzz_log, "w", encoding="utf-8") as log:
            fuzzing = start("chrt", "--idle", "0", ROOT / "scripts/fuzz", str(share), stdout=log, stderr=log, start_new_session=True, env={**os.environ, "JOBS": "1", "INPUT_SECONDS": "300"})
        atexit.register(lambda: fuzzing.poll() is None and os.killpg(fuzzing.pid, signal.SIGTERM))  # whatever ends the soak
        return fuzzing

    def end_fuzzing(self, patience_s):
        """Its findings; if it has not ended by then, the rest is not waited for."""
        try:
            found = self.fuzzing.wait(patience_s) != 0
        except subprocess.TimeoutExpired:
            os.killpg(self.fuzzing.pid, signal.SIGTERM)
            found = "FAILED" in self.fuzz_log.read_text()
        print(self.fuzz_log.read_text())
        if found:
            self.wrong.append(f"fuzzing found something, or could not begin: {self.fuzz_log.read_text()[-200:]}")

    def tiles(self):
        tiles = {}
        for entry in self.wall.call("stats")["nodes"]:
            if entry["connected"] and entry.get("report"):
                tiles[entry["node"]] = entry["report"]
        return tiles

    def sample(self, began):
        stats = self.wall.call("stats")
        programs = {name: figures_of(process) for name, process in self.programs.items() if process.poll() is None}
        for entry in stats["nodes"]:
            report, name = entry.get("report"), "node-" + entry["node"].split("-")[1]
            if not report or name not in programs:
                continue
            for key, source in (("lateness_us", report["tiles"][0].get("lateness_us_p50")), ("clock_error_us", report["clock"].get("error_us"))):
                if source is not None:
                    programs[name][key] = source
        one = {"t_s": round(time.monotonic() - began, 2), "programs": programs,
               "never": {"send_errors": sum(flow["send_errors"] for flow in stats["sender"])}}
        self.samples.append(one)
        self.out.write(json.dumps(one) + "\n")
        self.out.flush()

    def disturb(self):
        deed = self.chance.choice(["switch", "fade", "seek", "rate", "pause", "restart", "restart", "operator", "freeze"])
        self.deeds[deed] = self.deeds.get(deed, 0) + 1
        if deed in ("switch", "fade"):
            extra = {"transition": "fade", "fade_ms": 600} if deed == "fade" else {}
            self.wall.call("load", name=self.chance.choice(["one", "two"]), **extra)
        elif deed == "seek":
            self.wall.call("seek", frame=self.chance.randrange(30))
        elif deed == "rate":
            self.wall.call("rate", rate=self.chance.choice([-2, -1, 0.5, 1, 1, 2]))
        elif deed == "pause":
            self.wall.call("pause")
            time.sleep(0.3)
            self.wall.call("play")
        elif deed == "restart":
            node = self.programs["node-2"]
            node.send_signal(self.chance.choice([signal.SIGKILL, signal.SIGTERM]))
            node.wait()
            self.programs["node-2"] = self.node(2)
            began = time.monotonic()
            while not self.plays("node-2-0", 0.3, 0.5):
                if time.monotonic() - began > 10:
                    self.wrong.append(f"a node that was started again does not play after 10 s (restart {self.deeds['restart']})")
                    break
        elif deed == "freeze":
            self.freeze(self.chance.choice([name for name in self.programs if name != "node-2"]), self.chance.uniform(0.1, FREEZE_S))
        else:
            for method in ("info", "list", "state", "machines", "placement"):
                self.wall.call(method)

    def freeze(self, name, seconds):
        """As on a machine that stalls: everything that arrived meanwhile is there at once, and buffers are as full as they ever get."""
        self.programs[name].send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.programs[name].send_signal(signal.SIGCONT)

    def fill_buffers(self):
        wait_until(lambda: port_open(self.wall.control) and len(self.tiles()) == COLUMNS, 10, "all nodes report")
        for name in ("relay", "server", "node-0", "node-1"):
            time.sleep(1)
            self.freeze(name, FREEZE_S)

    def plays(self, node, seconds, share):
        """Whether it shows that share of its frames whole."""
        before = self.tiles().get(node)
        time.sleep(seconds)
        after = self.tiles().get(node)
        if not before or not after:
            return False
        due, whole = (after["tiles"][0][key] - before["tiles"][0][key] for key in ("frames_due", "shown_whole"))
        return whole > 3 and whole >= share * due

    def run(self):
        self.fill_buffers()
        began = time.monotonic()
        next_sample, next_deed = began + 1, began + 3
        last_deed = began + self.seconds * 0.95 - 3
        while time.monotonic() - began < self.seconds:
            now = time.monotonic()
            gone = [name for name, process in self.programs.items() if process.poll() is not None]
            if gone:
                self.wrong.append(f"{', '.join(gone)} ended by itself")
                break
            if now >= next_sample:
                self.sample(began)
                next_sample += self.interval
            if next_deed <= now < last_deed:
                self.disturb()
                next_deed = time.monotonic() + self.chance.uniform(1, 4)
            time.sleep(0.05)
        seconds = time.monotonic() - began
        if self.fuzzing:  # also a disturbance: it ends before the last look
            self.end_fuzzing(120 if not self.wrong else 0)
        if not self.wrong:
            self.wall.call("rate", rate=1)
            self.wall.call("play")
            time.sleep(1)
            for node in self.wall.nodes:
                if not self.plays(node, 5 if self.seconds > 120 else 2, 0.97 if node != "node-1-0" else 0.5):
                    self.wrong.append(f"{node} does not play at the end")
        return self.end(seconds)

    def end(self, seconds):
        for name, process in reversed(self.programs.items()):
            if process.poll() is None and stop(process) != 0:
                self.wrong.append(f"{name} ended with {process.returncode}")
        wrong, table = judged([{**sample, "programs": {name: figures for name, figures in sample["programs"].items() if name != "node-2"}} for sample in self.samples], seconds)
        self.wrong += wrong
        errors = [sample["never"]["send_errors"] for sample in self.samples]
        if errors and errors[-1] > errors[0]:
            self.wrong.append(f"{errors[-1] - errors[0]} packets were refused by the kernel")
        print(f"{'program':8} {'figure':15} {'first half':>12} {'second half':>12} {'slope':>12}")
        print("\n".join(table))
        print(f"soaked {seconds / 3600:.3f} h; " + ", ".join(f"{deed} {count}" for deed, count in sorted(self.deeds.items())))
        print("flat" if not self.wrong else "NOT FLAT: " + "; ".join(self.wrong))
        self.out.write(json.dumps({"event": "verdict", "hours": seconds / 3600, "deeds": self.deeds, "wrong": self.wrong}) + "\n")
        self.out.close()
        return 0 if not self.wrong else 1


def main():
    parser = argparse.ArgumentParser(prog="soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60, help="how long (default: 60)")
    parser.add_argument("--interval", type=float, default=2, help="seconds between samples (default: 2)")
    parser.add_argument("--out", default="soak.ndjson", help="the samples, a line of JSON each, and the verdict (default: soak.ndjson)")
    parser.add_argument("--seed", type=int, default=1, help="of what happens when")
    parser.add_argument("--fuzz", action="store_true", help="the fuzz targets run beside it, when nobody else wants the CPU")
    sys.exit(Soak(parser.parse_args()).run())


if __name__ == "__main__":
    main()
