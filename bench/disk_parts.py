"""The parts of the bench that read stores: reading compared with fio, and the entire path from the disk to a frame buffer."""
import contextlib
import pathlib
import shutil
import statistics
import subprocess

import lossless
import programs
from lossless import BenchError

DATAGRAM = 8900
WIDTH, HEIGHT = 3840, 2160


@contextlib.contextmanager
def store(bench, stripes):
    """The stripe folders of a store of 24 frames, which goes again."""
    folder = pathlib.Path(bench.options.disk or programs.ROOT / "build/bench")
    folder.mkdir(parents=True, exist_ok=True)
    wall = folder / "wall.toml"
    wall.write_text(f'[wall]\nname = "bench"\ncolumns = 1\nrows = 1\ntile_width = {WIDTH}\ntile_height = {HEIGHT}\nframe_rate = 30\n'
                    '[[node]]\nname = "n"\naddress = "127.0.0.1"\ntiles = [{ column = 0, row = 0 }]\n[[server]]\nname = "s"\n')
    directories = [folder / f"stripe-{stripes}-{i}" for i in range(stripes)]
    try:
        for directory in directories:
            directory.mkdir(exist_ok=True)
        bench.say(f"  writing a store of {stripes} stripe{'s' if stripes > 1 else ''}")
        made = subprocess.run([str(programs.BIN / "wall-ingest"), f"lavfi:testsrc2=size={WIDTH}x{HEIGHT}:rate=30:duration=0.8", "--wall", str(wall), "--out", ",".join(map(str, directories)),
                               "--name", "bench", "--overwrite"], capture_output=True, text=True, timeout=300)
        if made.returncode != 0:
            raise BenchError(f"no store to read: {made.stderr.strip()}")
        yield directories
    finally:
        for directory in directories:
            shutil.rmtree(directory, ignore_errors=True)


def read(bench):
    """The same blocks and depth, pages and files; in turns, and each time the other one first."""
    seconds = 1 if bench.options.quick else 2
    peer = bench.options.peer != "none" and shutil.which("fio")
    for stripes in (1, 2, 4):
        measure = f"read, {stripes} stripe{'s' if stripes > 1 else ''} of one disk"
        with store(bench, stripes) as directories:
            files = [directory / "bench/tile-0-0.npy" for directory in directories]
            ours, theirs = [], []
            for turn in range(bench.rounds):
                for i in lossless.in_turns(2, turn):
                    if i == 0:
                        ours.append(programs.measured("read", directories[0] / "bench", "--seconds", seconds))
                    elif peer:
                        theirs.append(programs.fio(files, 16 * stripes, seconds))
        rates, cpus = ([result[key] for result in ours] for key in ("gigabytes_per_s", "cpu_s_per_gb"))
        more = {"reader": ours[0]["reader"], "direct": ours[0]["direct"]}
        if not theirs:
            bench.row(measure, statistics.median(rates), "GB/s", **more)
            bench.row(f"CPU time of that, {stripes}", statistics.median(cpus), "s/GB")
            continue
        note = "fio: io_uring with registered files and buffers, huge pages (by malloc), the same block size and depth; it looks at no data, and neither do we."
        bench.row(measure, statistics.median(rates), "GB/s", peer="fio", theirs=statistics.median(rate for rate, _ in theirs), ratio=lossless.spread([a / b for a, (b, _) in zip(rates, theirs)]), least=0.97, note=note, **more)
        bench.row("CPU time of that", statistics.median(cpus), "s/GB", peer="fio", theirs=statistics.median(cpu for _, cpu in theirs), ratio=lossless.spread([a / b for a, (_, b) in zip(cpus, theirs)]), most=1.1, note=note)


def disk(bench):
    """Disk -> wire -> frame buffer, in turns with sending alone, and reading alone between the rounds: all in Gbit/s of pixels."""
    measure = f"disk -> wire -> frame buffer, highest lossless rate, {DATAGRAM} B, pixels"
    peer = "the lower of reading and sending alone"
    with store(bench, 2) as directories, contextlib.ExitStack() as stack:
        folder = directories[0] / "bench"
        reading = []
        alone = lambda: reading.append(programs.measured("read", folder, "--seconds", 1)["gigabytes_per_s"] * 8)
        alone()
        ceiling = 1.15 * reading.pop()
        size = ("--width", WIDTH, "--rows", HEIGHT)
        keep = lambda flow: stack.enter_context(contextlib.closing(flow))
        ours = keep(programs.Flow(bench.over, DATAGRAM, ceiling, "--store", folder, *size, name="from the disk"))
        sending = keep(programs.Flow(bench.over, DATAGRAM, ceiling, *size, name="from memory"))
        found = lossless.race([ours, sending], ceiling, bench.run_seconds, bench.rounds, max(4, bench.turns // 3), bench.say, alone, bench.time_left)
    pixels = ours.facts.get("pixel_share", 1.0)
    pairs = [(pixels * a, min(r, pixels * b)) for a, b, r in zip(*found.rates, reading) if a and b]
    mark = found.marks[0] or found.marks[1] or (None if pairs else "no round had both")
    bench.row(measure, statistics.median(a for a, _ in pairs) if pairs else None, "Gbit/s", peer=peer, theirs=statistics.median(b for _, b in pairs) if pairs else None,
              ratio=lossless.spread([a / b for a, b in pairs]), least=0.92, mark=mark, reading=reading, sending=found.rates[1], rounds=found.rates[0])
