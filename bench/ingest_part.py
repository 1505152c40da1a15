"""The part of the bench that imports media: wall-ingest compared with FFmpeg's own command line, which writes the same frames as raw video, with a checksum of them.

Sources are a video of which each frame is converted to RGB, one of 10 bits that is only decoded, and images. They are noisy, so that decoding and converting need far more time
than the disk, and so long that the start of a program and its end count little."""
import contextlib
import os
import pathlib
import shutil
import statistics
import subprocess
import time
import typing

import lossless
import programs
from lossless import BenchError

WIDTH, HEIGHT = 1920, 1080
COLUMNS, ROWS = 4, 2
OTHERS_MOST = 0.1  # of the CPU time, where busy cores are measured
LANCZOS = "lanczos+accurate_rnd+full_chroma_int+full_chroma_inp"
FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
NOTE = ("FFmpeg's command line: the same decoder, the same filters with as many threads as it likes, raw video and its murmur3 checksum; it neither cuts tiles nor waits for the disk. "
        "CPU time is that of the process, and cores are busy in the share of the CPU time that other programs leave, from the start of the program to its end.")


class Source(typing.NamedTuple):
    name: str
    frames: int
    file: str
    encode: tuple  # FFmpeg's options
    wall_format: str
    filters: str  # of FFmpeg, as wall-ingest has them for this source
    raw_format: str


RGB = f"scale=in_color_matrix=bt709:in_range=tv:out_range=pc:flags={LANCZOS},format=rgb24"
SOURCES = [
    Source("H.264 1080p to RGB", 260, "video.mp4", ("-c:v", "libx264", "-preset", "ultrafast", "-crf", "23", "-pix_fmt", "yuv420p"), "rgb8", RGB, "rgb24"),
    Source("H.264 1080p, 10 bits 4:2:2", 160, "ten.mp4", ("-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-pix_fmt", "yuv422p10le"), "ycbcr422-10", "null", "yuv422p10le"),
    Source("PNG images 1080p", 160, "images/f%03d.png", ("-pix_fmt", "rgb24"), "rgb8", "null", "rgb24"),
]


class Run(typing.NamedTuple):
    cpu_s: float
    wall_s: float
    busy: float  # share of the CPU time that other programs leave
    others: float  # share of all CPU time that these take


def idle_seconds():
    """Of all cores, since the host started."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")


def timed(command):
    began, idle = time.monotonic(), idle_seconds()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()  # until it ends
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    wall_s, idle = time.monotonic() - began, idle_seconds() - idle
    if process.returncode != 0:
        raise BenchError(f"{command[0]}: {errors.strip()[-200:]}")
    cpu_s = used.ru_utime + used.ru_stime
    return Run(cpu_s, wall_s, cpu_s / (cpu_s + idle), max(0.0, 1 - (cpu_s + idle) / (wall_s * os.cpu_count())))


@contextlib.contextmanager
def place(bench):
    """A folder with the wall files, which goes again."""
    folder = pathlib.Path(bench.options.disk or programs.ROOT / "build/bench") / f"ingest-{os.getpid()}"
    folder.mkdir(parents=True)
    try:
        tiles = ", ".join(f"{{ column = {column}, row = {row} }}" for column in range(COLUMNS) for row in range(ROWS))
        for pixel_format in {source.wall_format for source in SOURCES}:
            (folder / f"{pixel_format}.toml").write_text(
                f'[wall]\nname = "bench"\ncolumns = {COLUMNS}\nrows = {ROWS}\ntile_width = {WIDTH // COLUMNS}\ntile_height = {HEIGHT // ROWS}\nframe_rate = 30\n'
                f'[streaming]\npixel_format = "{pixel_format}"\n[[node]]\nname = "n"\naddress = "127.0.0.1"\ntiles = [{tiles}]\n[[server]]\nname = "s"\n')
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make(source, folder):
    file = folder / source.file
    file.parent.mkdir(exist_ok=True)
    pattern = f"testsrc2=size={WIDTH}x{HEIGHT}:rate=30,noise=alls=8:allf=t"
    timed([*FFMPEG, "-f", "lavfi", "-i", pattern, "-frames:v", source.frames, *source.encode, file])
    return file


def ours(source, file, folder):
    shutil.rmtree(folder / "store", ignore_errors=True)
    return timed([programs.BIN / "wall-ingest", file, "--wall", folder / f"{source.wall_format}.toml", "--out", folder / "store", "--name", "bench"])


def theirs(source, file, folder):
    (folder / "raw").unlink(missing_ok=True)
    return timed([*FFMPEG, "-i", file, "-vf", source.filters, "-map", "0:v", "-c:v", "rawvideo", "-pix_fmt", source.raw_format, "-f", "tee",
                  f"[f=rawvideo]{folder / 'raw'}|[f=hash:hash=murmur3]/dev/null"])


def check_same(folder):
    """Whether both have the same pixels: the rows of the first tile of the first frame."""
    width, height = WIDTH // COLUMNS * 3, HEIGHT // ROWS
    with (folder / "raw").open("rb") as raw, (folder / "store/bench/tile-0-0.npy").open("rb") as store:
        frame = raw.read(WIDTH * 3 * height)
        store.seek(4096)
        if store.read(width * height) != b"".join(frame[row * WIDTH * 3:][:width] for row in range(height)):
            raise BenchError("FFmpeg's command line gives other pixels than wall-ingest")


def ingest(bench):
    """In turns, and each time the other one first."""
    peer = bench.options.peer != "none" and shutil.which("ffmpeg")
    if not shutil.which("ffmpeg"):
        raise BenchError("ffmpeg is missing, which makes the media")
    with place(bench) as folder:
        for source in SOURCES:
            file = make(source, folder)
            runs = ([], [])
            for turn in range(bench.few):
                for i in lossless.in_turns(2, turn):
                    if i == 0 or peer:
                        runs[i].append((ours, theirs)[i](source, file, folder))
            if peer and source.raw_format == "rgb24":
                check_same(folder)
            rows(bench, source, *runs)


def rows(bench, source, mine, peers):
    median = lambda key, found: statistics.median(getattr(run, key) for run in found)
    cpu = 1000 / source.frames
    details = {"runs": [run._asdict() for run in mine], "peer_runs": [run._asdict() for run in peers]}
    beside = lambda value: {"peer": "FFmpeg", "theirs": value, "note": NOTE} if peers else {}
    bench.row(f"CPU time of an import, {source.name}", median("cpu_s", mine) * cpu, "ms/frame", **(beside(median("cpu_s", peers) * cpu) if peers else {}), **details,
              **({"ratio": lossless.spread([a.cpu_s / b.cpu_s for a, b in zip(mine, peers)]), "most": 1.15} if peers else {}))
    busy = lossless.spread([run.busy for run in mine])
    others = median("others", mine)
    if others > OTHERS_MOST:
        bench.row("cores that are busy meanwhile", mark=f"other programs took {others:.0%} of the CPU time, and may have used what the import left", least=0.95)
    else:
        bench.row("cores that are busy meanwhile", busy[0], text=f"{busy[0]:.0%}", **(beside(median("busy", peers)) if peers else {}), ratio=busy, least=0.95)
    bench.row("time of it", median("wall_s", mine) * cpu, "ms/frame", **(beside(median("wall_s", peers) * cpu) if peers else {}))
