"""Walls, frames and stores that the tests of the Python package share."""

import json
import pathlib
import random
import sys

import numpy as np
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/support")]
import lambdawall  # noqa: E402

BITS = {"rgb8": 8, "ycbcr422-8": 8, "ycbcr422-10": 10, "bc7": 8, "bc1": 8, "rgb10": 10, "lossless": 8}
RGB = ("rgb8", "bc7", "bc1", "rgb10", "lossless")  # whose frames are arrays of RGB
BLOCKS = ("bc7", "bc1")  # of which each flow of a tile needs a row


def frames_of(size, count, pixel_format, seed=7):
    """Random frames: every bit of every sample matters. Of blocks, also of one colour or few: an encoder has ways of its own for these."""
    rng, (width, height), bits = np.random.default_rng(seed), size, BITS[pixel_format]
    samples = lambda *shape: rng.integers(0, 1 << bits, shape, dtype=np.uint16 if bits > 8 else np.uint8)
    if pixel_format in BLOCKS:
        return [mixed_blocks(rng, width, height) for _ in range(count)]
    if pixel_format == "lossless":  # chunks that can be compressed, and chunks that cannot
        return [np.where(np.arange(height)[:, None, None] // 5 % 2 == 0, samples(height, width, 3), np.uint8(frame)) for frame in range(count)]
    if pixel_format in RGB:
        return [samples(height, width, 3) for _ in range(count)]
    return [lambdawall.YCbCr(samples(height, width), samples(height, width // 2), samples(height, width // 2)) for _ in range(count)]


def mixed_blocks(rng, width, height):
    """Blocks of one colour, of a gradient, and of noise, side by side."""
    y, x = np.mgrid[0:height, 0:width]
    kinds = rng.integers(0, 4, (height // 4 + 1, width // 4 + 1))[y // 4, x // 4][..., None]
    flat = rng.integers(0, 256, (height // 4 + 1, width // 4 + 1, 3))[y // 4, x // 4]
    gradient = np.stack([x * 3, y * 5, x + y], axis=-1)
    noise = rng.integers(0, 256, (height, width, 3))
    near = flat + rng.integers(-2, 3, (height, width, 3))
    return np.choose(kinds, [flat, gradient % 256, noise, np.clip(near, 0, 255)]).astype(np.uint8)


def write_picture(folder, number, frame):
    """RGB as an image that FFmpeg reads without converting anything."""
    if frame.dtype == np.uint8:
        return Image.fromarray(frame).save(folder / f"{number:04}.png", compress_level=1)
    header = f"P6 {frame.shape[1]} {frame.shape[0]} 1023\n".encode()
    (folder / f"{number:04}.ppm").write_bytes(header + frame.astype(">u2").tobytes())


def write_y4m(file, frames, pixel_format, rate="30"):
    """The same YCbCr frames as a video that FFmpeg reads without converting anything."""
    height, width = frames[0].y.shape
    colours = {"ycbcr422-8": "C422", "ycbcr422-10": "C422p10 XYSCSS=422P10"}[pixel_format]
    with open(file, "wb") as out:
        out.write(f"YUV4MPEG2 W{width} H{height} F{rate}:1 Ip A1:1 {colours}\n".encode())
        for frame in frames:
            out.write(b"FRAME\n" + b"".join(plane.astype("<u2" if BITS[pixel_format] > 8 else np.uint8).tobytes() for plane in frame))


def content_of(folder):
    """The bytes of a store's files by name, without its random id and its images, which are of different kinds."""
    found = {}
    for file in sorted(folder.iterdir()):
        if file.name.split(".")[0] in ("poster", "thumbnails"):
            continue
        found[file.name] = file.read_bytes()
        if file.suffix == ".json":
            value = json.loads(found[file.name])
            for key in ("id", "store", "home", "poster", "thumbnails", "thumbnail_count", "source", "stripes"):
                value.pop(key, None)
            found[file.name] = json.dumps(value)
    return found


def random_case(rng: random.Random):
    """A wall and how its frames are stored."""
    pixel_format = rng.choice(list(BITS))
    even = pixel_format not in RGB
    streaming = {"flows_per_tile": rng.choice([1, 1, 2, 3]), "mtu": rng.choice([1500, 9000])}
    columns, rows = rng.randint(1, 3), rng.randint(1, 2)
    tile = ((4 if pixel_format == "rgb10" else 2) * rng.randint(2, 60), rng.randint(12 if pixel_format in BLOCKS else 3, 50))
    bezel = (rng.choice([0, 2, 8] if even else [0, 3, 8]), rng.choice([0, 5]))
    disks = rng.randint(1, 3)
    options = {"pixel_format": pixel_format}
    if disks > 1 and rng.random() < 0.4:
        options["copies"] = 2
    if rng.random() < 0.5:
        options["packets"] = streaming["mtu"]
    return {"columns": columns, "rows": rows, "tile": tile, "bezel": bezel, **streaming}, disks, rng.randint(1, 7), options
