"""scripts/bench: our data path compared with the tools a user would choose instead, as ratios within one run.

Our runs and the peer's alternate, since a virtual machine's speed changes by the second; ratios are medians of rounds, with the lowest and the highest. A rate counts
as lossless when at most one packet in a million was lost, and all frames were sent in time. A value that cannot be measured becomes a row that says why, and the rest continues.
Prints progress and a table, writes JSON with the version and the machine; --table writes the tables of docs/performance.md from that."""
import argparse
import contextlib
import datetime
import importlib
import json
import math
import os
import pathlib
import platform
import re
import subprocess
import sys
import time
import traceback
import typing

import programs
import tables
from lossless import BenchError
from programs import ROOT, Path


class Part(typing.NamedTuple):
    """Something that is measured: `function` of `module`, a file of this folder, is called with a Bench, and adds rows."""
    name: str
    minutes: float  # that it takes: one for which the rest of the time is too short is not begun, but marked
    module: str
    function: str


PARTS = [
    Part("path", 7.2, "flow_parts", "path"),
    Part("packets", 0.5, "flow_parts", "packets"),
    Part("assembly", 0.4, "flow_parts", "assembly"),
    Part("metrics", 1.3, "flow_parts", "metrics"),
    Part("encrypted", 0.55, "flow_parts", "encrypted"),
    Part("bursts", 0.5, "flow_parts", "bursts"),
    Part("flows", 0.4, "flow_parts", "flows"),
    Part("placement", 0.5, "flow_parts", "placement"),
    Part("spacing", 0.75, "flow_parts", "spacing"),
    Part("read", 1.1, "disk_parts", "read"),
    Part("disk", 1.2, "disk_parts", "disk"),
    Part("ingest", 1.1, "ingest_part", "ingest"),
    Part("import", 0.6, "import", "rows"),
    Part("fec", 0.45, "fec_part", "fec"),
    Part("upload", 0.7, "upload_part", "upload"),
    Part("skew", 0.6, "skew", "rows"),
    Part("scale", 1.3, "scale", "rows"),
    Part("recovery", 0.8, "recovery", "rows"),
]
TURNS = 24  # of a round
MINUTES = 20  # maximum for a complete run
OVERTIME = 1.4  # a part may take that much longer than it says


def say(text):
    print(text, file=sys.stderr, flush=True)


class Bench:
    """What the parts are given: the options, a place for rows, and how much time is left."""

    def __init__(self, options, clock=time.monotonic):
        self.options, self.clock, self.say = options, clock, say
        self.over = Path(options)
        self.rows, self.parts = [], []
        self.part = None
        self.ends = math.inf  # the part
        quick = options.quick
        self.rounds = 3 if quick else 5  # of what has a bar
        self.few = 1 if quick else 3  # of what has none
        self.turns = 6 if quick else TURNS
        self.run_seconds = 0.3  # of those
        self.long_seconds = 1.0 if quick else 6.0  # of a run at a held rate
        self.probe_seconds = 0.6 if quick else 1.0  # of a run as fast as it goes

    def time_left(self):
        return self.ends - self.clock()

    def row(self, measure, ours=None, unit="", *, peer=None, theirs=None, ratio=None, least=None, most=None, note=None, mark=None, text=None, **details):
        """`ratio`: (median, lowest, highest) of the rounds, where ours / theirs is not what counts. `text`: instead of `ours` for people. `note`: what differs from the peer.
        `mark`: the reason for a missing result."""
        if ratio is None and ours and theirs:
            ratio = (ours / theirs, None, None)
        ratio, low, high = ratio or (None, None, None)
        row = {"part": self.part, "measure": measure, "ours": ours, "unit": unit, "text": text, "peer": peer, "theirs": theirs, "ratio": ratio, "ratio_low": low, "ratio_high": high,
               "least": least, "most": most, "note": note, "mark": mark, "details": details}
        self.rows.append(row)
        reached = tables.reached(row)
        beside = f", {peer} {theirs:.3g}" if theirs else ""
        self.say(f"  {measure}: {tables.ours(row)}{beside}" + (f": {tables.ratio(row)} x" if ratio else "") + {None: "", True: "  reached", False: "  MISSED"}[reached])

    def do(self, part, function):
        """A part, whatever becomes of it."""
        self.part, self.ends = part.name, self.clock() + OVERTIME * 60 * part.minutes
        began, before = self.clock(), len(self.rows)
        mark = None
        try:
            function(self)
        except (BenchError, OSError, subprocess.SubprocessError) as error:
            mark = str(error)
        except (Exception, SystemExit) as error:  # a mistake in one part must not cost the others' results
            traceback.print_exc()
            mark = f"{type(error).__name__}: {error}"
        if mark or len(self.rows) == before:
            self.row(part.name, mark=mark or "no result")
        self.parts.append({"name": part.name, "seconds": round(self.clock() - began, 1)})

    def skip(self, part, why):
        self.part = part.name
        self.row(part.name, mark=why)
        self.parts.append({"name": part.name, "seconds": 0})


def run_parts(bench, parts, minutes, write):
    """All of them, one after the other, within the time; `write` after each, so that what was measured is kept whatever happens."""
    began = bench.clock()
    for number, part in enumerate(parts):
        gone = (bench.clock() - began) / 60
        bench.say(f"[{number + 1}/{len(parts)}] {part.name}: about {part.minutes:g} min; {gone:.1f} of at most {minutes:g} min gone")
        if gone + part.minutes > minutes:
            bench.skip(part, f"not measured: {minutes:g} minutes were up")
        else:
            bench.do(part, getattr(importlib.import_module(part.module), part.function))
        write()


def version():
    """Of the programs that are measured; with the commit, and a + where files differ from it."""
    said = subprocess.run([str(programs.BIN / "wall-bench"), "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    git = lambda *command: subprocess.run(["git", "-C", str(ROOT), *command], capture_output=True, text=True).stdout.strip()
    commit = git("rev-parse", "--short", "HEAD")
    return said + (f" ({commit}{'+' if git('status', '--porcelain', '--untracked-files=no') else ''})" if commit else "")


def machine():
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    facts = {"kernel": re.match(r"[\d.]*", platform.release()).group(), "cpu": cpu.group(1) if cpu else platform.machine(), "cores": os.cpu_count(),
             "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 1e-9, 1), "load_average": round(os.getloadavg()[0], 2)}
    for limit in ("rmem_max", "wmem_max"):
        with contextlib.suppress(OSError):
            facts[limit] = int(pathlib.Path("/proc/sys/net/core", limit).read_text())
    return facts


def parser():
    result = argparse.ArgumentParser(prog="scripts/bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--quick", action="store_true", help="short runs: about six minutes, and rougher")
    result.add_argument("--peer", choices=["all", "none"], default="all", help="none: our figures and the bare kernel's only")
    result.add_argument("--only", choices=[part.name for part in PARTS], action="append", help="this part; may stand several times")
    result.add_argument("--minutes", type=float, default=MINUTES, help="parts for which no time is left are marked and not measured; default: %(default)s")
    result.add_argument("--disk", help="a folder on the disk to read from; default: build/bench")
    result.add_argument("--json", "--out", dest="json", metavar="FILE", default="build/bench.json", help="the figures; default: %(default)s")
    result.add_argument("--table", metavar="FILE", help="measure nothing: write the tables of docs/performance.md from the figures of an earlier run")
    result.add_argument("--document", metavar="FILE", default=str(ROOT / "docs/performance.md"), help="with --table: the document; default: docs/performance.md")
    result.add_argument("--interface", default="127.0.0.1", metavar="ADDRESS", help="the sender's address, whose interface is measured; default: loopback")
    result.add_argument("--to", metavar="ADDRESS", help="the receiver's address; default: the sender's")
    result.add_argument("--remote", metavar="COMMAND", help="what starts a program on the receiving host: 'ssh HOST' (without a password); the bare pair is skipped then")
    result.add_argument("--remote-bench", metavar="FILE", help="wall-bench over there; default: where it is here")
    result.add_argument("--ceiling", type=float, metavar="GBIT", help="about the highest rate to look for; with --remote: the link's rate")
    return result


def main():
    options = parser().parse_args()
    if options.table:
        try:
            tables.write(options.document, json.loads(pathlib.Path(options.table).read_text()))
        except (OSError, ValueError) as error:
            sys.exit(f"bench: {error}")
        return
    if options.remote and not (options.to and options.ceiling):
        parser().error("--remote needs --to ADDRESS and --ceiling GBIT")
    if (os.cpu_count() or 1) < 2:
        sys.exit("bench: one core is not enough; sender and receiver need one each")
    report = {"version": version(), "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "quick": options.quick, "machine": machine()}
    began = time.monotonic()
    bench = Bench(options)
    file = pathlib.Path(options.json)

    def write():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({**report, "seconds": round(time.monotonic() - began), "parts": bench.parts, "rows": bench.rows}, indent=1) + "\n")

    run_parts(bench, [part for part in PARTS if not options.only or part.name in options.only], options.minutes, write)
    print("\n".join(tables.lines(bench.rows)))
    marked = sum(row["mark"] is not None for row in bench.rows)
    say(f"{(time.monotonic() - began) / 60:.1f} minutes; {len(bench.rows)} rows in {file}" + (f", {marked} of them without a result" if marked else ""))


if __name__ == "__main__":
    main()
