"""What the pixel formats cost and keep, on the frames of wall-samples: the table of docs/formats.md. Usage: scripts/bench --only formats [--frames N]

Both scenes are imported in each format, by one thread. Of what an import with more frames needs more CPU time than one with fewer, an encoder's part is the difference from rgb8:
so posters and thumbnails, of which both imports have the same number, do not count. Blocks are decoded by Pillow, YCbCr by FFmpeg, lossless frames by the package for Python and, for their rate, by our decoder on one thread (wall-bench decode); PSNR and SSIM are FFmpeg's, against rgb8.
The codecs of codecs_beside.py encode and decode the frames of the rgb8 store.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

from codecs_beside import codecs, cpu_seconds

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
import lambdawall  # noqa: E402
from lambdawall import lossless  # noqa: E402

BIN = ROOT / "build/release/bin"
WIDTH, HEIGHT = 1296, 816  # the samples' size
SARA_PIXELS_PER_S = 61.44e6 * 24  # walls/sara-5x3.toml
FEWER, MORE = 20, 80  # frames of the imports that are timed; even the fewer have all thumbnails
ROUNDS = 3  # of which the fastest counts
FORMATS = ("rgb8", "rgb10", "ycbcr422-10", "ycbcr422-8", "bc7", "bc1", "lossless")
BLOCK_DECODERS = {"bc7": 7, "bc1": 1}  # of Pillow
PIXELS_OF_FFMPEG = {"rgb10": "gbrp10le", "ycbcr422-10": "yuv422p10le", "ycbcr422-8": "uyvy422"}
RAW = ("-f", "rawvideo", "-s", f"{WIDTH}x{HEIGHT}")
WALL = f"""[wall]
name = "formats"
columns = 1
rows = 1
tile_width = {WIDTH}
tile_height = {HEIGHT}
frame_rate = 30
[[node]]
name = "n"
address = "127.0.0.1"
tiles = [{{ column = 0, row = 0, window = [0, 0] }}]
[[server]]
name = "s"
"""


def frames_of(store):
    stripe = np.load(store / "tile-0-0.npy", mmap_mode="r")
    return stripe["frame"] if stripe.dtype.names else stripe


def ffmpeg(*arguments):
    return subprocess.run(["ffmpeg", "-hide_banner", "-nostdin", "-y", *map(str, arguments)], check=True, capture_output=True, text=True).stderr


def decode(store, pixel_format, into):
    """Writes the frames of a store as rows of RGB pixels."""
    frames = frames_of(store)
    if pixel_format in BLOCK_DECODERS:
        with open(into, "wb") as file:
            for frame in frames:
                image = Image.frombytes("RGBA", (WIDTH, HEIGHT), frame.tobytes(), "bcn", BLOCK_DECODERS[pixel_format])
                file.write(image.convert("RGB").tobytes())
        return
    if pixel_format == "lossless":
        with open(into, "wb") as file:
            for frame in frames:
                file.write(lossless.decode(np.ascontiguousarray(frame), WIDTH, HEIGHT).tobytes())
        return
    packed = into.with_suffix(".packed")
    write_planes(store, packed) if "10" in pixel_format else packed.write_bytes(frames.tobytes())
    if pixel_format == "rgb8":
        os.replace(packed, into)
        return
    ffmpeg(*RAW, "-pix_fmt", PIXELS_OF_FFMPEG[pixel_format], "-i", packed, "-vf", "scale=in_color_matrix=bt709:in_range=tv:out_range=pc:flags=accurate_rnd+full_chroma_int+full_chroma_inp",
           "-pix_fmt", "rgb24", "-f", "rawvideo", into)


def write_planes(store, into):
    """Of formats with 10 bits, as FFmpeg has them."""
    with lambdawall.Store(store) as frames, open(into, "wb") as file:
        for frame in frames:
            planes = frame if isinstance(frame, lambdawall.YCbCr) else (frame[..., channel] for channel in (1, 2, 0))  # G B R
            for plane in planes:
                file.write(plane.tobytes())


def quality(original, decoded):
    """PSNR in dB and SSIM, over all frames and channels."""
    inputs = (*RAW, "-pix_fmt", "rgb24", "-i", decoded, *RAW, "-pix_fmt", "rgb24", "-i", original)
    measured = lambda name, figure: float(re.search(figure, ffmpeg(*inputs, "-lavfi", name, "-f", "null", "-")).group(1))
    return measured("psnr", r"average:(\S+)"), measured("ssim", r"All:(\S+)")


def measure(scene, folder):
    """Of a scene, by format: bytes of a frame, CPU seconds of a frame's import, PSNR, SSIM."""
    wall = folder / "wall.toml"
    wall.write_text(WALL)
    originals = sorted((folder / scene).iterdir())
    repeated = folder / f"{scene}-repeated"
    repeated.mkdir()
    for number in range(MORE):
        os.link(originals[number % len(originals)], repeated / f"{number:05d}.ppm")
    ingest = lambda pixel_format, source, frames: cpu_seconds(BIN / "wall-ingest", "--wall", wall, "--format", pixel_format, "--threads", 1, "--out", folder, "--overwrite",
                                                              "--rate", "max", "--name", pixel_format, "--frames", frames, source)
    figures = {}
    for pixel_format in FORMATS:
        fewer, more = (min(ingest(pixel_format, repeated, frames) for _ in range(ROUNDS)) for frames in (FEWER, MORE))
        store = folder / pixel_format
        ingest(pixel_format, folder / scene, len(originals))
        decode(store, pixel_format, folder / f"{pixel_format}.rgb")
        psnr, ssim = quality(folder / "rgb8.rgb", folder / f"{pixel_format}.rgb")
        of = figures[f"`{pixel_format}`"] = {"bytes": frames_of(store)[0].nbytes, "seconds": (more - fewer) / (MORE - FEWER), "psnr": psnr, "ssim": ssim, "imported": True}
        if pixel_format == "lossless":
            decoded = json.loads(subprocess.run([BIN / "wall-bench", "decode", store], check=True, capture_output=True, text=True).stdout)
            of.update(bytes=decoded["bytes_per_frame"], decoding=decoded["seconds_per_frame"])
    for name, codec in codecs((WIDTH, HEIGHT)).items():
        of, decoded = codec.measure(folder / "rgb8.rgb", (WIDTH, HEIGHT), len(originals), folder)
        of["psnr"], of["ssim"] = quality(folder / "rgb8.rgb", decoded)
        figures[name] = of
    return figures


def encoding_rate(of, plain):
    """Ours beside the import in rgb8, from which it must differ to be known."""
    seconds = of["seconds"] - plain["seconds"] if "imported" in of else of["seconds"]
    return f"{WIDTH * HEIGHT / seconds / 1e6:.0f}" if seconds > 0.02 * plain["seconds"] else "as rgb8"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["formats"], default="formats")
    parser.add_argument("--frames", type=int, default=20, help="of each scene")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures here")
    arguments = parser.parse_args()
    result = {}
    with tempfile.TemporaryDirectory(prefix="lambdawall-formats-") as name:
        folder = pathlib.Path(name)
        subprocess.run([BIN / "wall-samples", "--out", folder, "--frames", str(arguments.frames)], check=True, capture_output=True)
        for scene in ("cosmos-2d", "cosmos-3d"):
            result[scene] = measure(scene, folder)
    print("| scene | format | ratio | PSNR | SSIM | encoding, Mpixel/s per core | decoding, Mpixel/s per core | SARA wall, Gbit/s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for scene, figures in result.items():
        plain = figures["`rgb8`"]
        for name, of in figures.items():
            psnr = "exact" if of["psnr"] == float("inf") else f"{of['psnr']:.1f} dB"
            ratio = plain["bytes"] / of["bytes"]
            wall = SARA_PIXELS_PER_S * 24 / ratio / 1e9
            decoding = f"{WIDTH * HEIGHT / of['decoding'] / 1e6:.0f}" if "decoding" in of else "by the GPU"
            print(f"| {scene} | {name} | {ratio:.2g} | {psnr} | {of['ssim']:.4f} | {encoding_rate(of, plain)} | {decoding} | {wall:.1f} |")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
