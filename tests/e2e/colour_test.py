"""Colours of HDR and wide sources on walls, within one code value of what the standards say.

The clips are FFmpeg's. The reference is written here from the texts of the standards, in NumPy's double precision: ITU-R
BT.709, BT.2020 and BT.2100 (matrices, PQ, HLG), BT.1886 and BT.2087 (SDR as light, and between primaries), BT.2390 (tone
mapping), BT.2408 (the white of SDR in HDR). It shares no code with wall-ingest, nor a library.
"""
import filecmp
import json
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Wall, in_windows, program, run, start, stop, stop_in_windows  # noqa: E402

WHITE = 203  # cd/m2, BT.2408
PRIMARIES = {  # x and y of red, green and blue
    "bt709": ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06)),
    "bt2020": ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    "p3": ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),
}
D65 = (0.3127, 0.3290)
WEIGHTS = {"bt709": (0.2126, 0.7152, 0.0722), "bt2020": (0.2627, 0.6780, 0.0593)}
# Names of FFmpeg's command line.
TAG_PRIMARIES = {"bt709": "bt709", "bt2020": "bt2020", "p3": "smpte432"}
TAG_TRANSFER = {"sdr": "bt709", "pq": "smpte2084", "hlg": "arib-std-b67"}
TAG_MATRIX = {"bt709": "bt709", "bt2020": "bt2020nc"}
SIDE, COLUMNS, ROWS = 16, 16, 8  # of a patch in pixels; of patches


def to_xyz(primaries):
    """BT.2087 and SMPTE RP 177: from the chromaticities of primaries and white."""
    column = lambda x, y: np.array([x / y, 1, (1 - x - y) / y])
    colours = np.stack([column(*xy) for xy in PRIMARIES[primaries]], axis=1)
    return colours * np.linalg.solve(colours, column(*D65))


def pq_light(code):
    """BT.2100, table 4: cd/m2."""
    m1, m2, c1, c2, c3 = 2610 / 16384, 2523 / 4096 * 128, 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
    power = code ** (1 / m2)
    return 10000 * (np.maximum(power - c1, 0) / (c2 - c3 * power)) ** (1 / m1)


def pq_code(light):
    m1, m2, c1, c2, c3 = 2610 / 16384, 2523 / 4096 * 128, 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
    power = (light / 10000) ** m1
    return ((c1 + c2 * power) / (1 + c3 * power)) ** m2


A, B, C = 0.17883277, 1 - 4 * 0.17883277, 0.5 - 0.17883277 * np.log(4 * 0.17883277)  # BT.2100, table 5


def light_of(rgb, primaries, transfer):
    """Display light in cd/m2 of code values from 0 to 1."""
    if transfer == "pq":
        return pq_light(rgb)
    if transfer == "sdr":
        return WHITE * rgb**2.4
    scene = np.where(rgb <= 0.5, rgb**2 / 3, (np.exp((rgb - C) / A) + B) / 12)
    luminance = scene @ to_xyz(primaries)[1]
    return 1000 * scene * luminance[..., None] ** 0.2


def code_of(light, primaries, transfer):
    if transfer == "pq":
        return np.minimum(pq_code(light), 1)
    if transfer == "sdr":
        return np.minimum(light / WHITE, 1) ** (1 / 2.4)
    luminance = np.maximum(light @ to_xyz(primaries)[1], 1e-12) / 1000
    scene = light / 1000 * luminance[..., None] ** (1 / 1.2 - 1)
    return np.minimum(np.where(scene <= 1 / 12, np.sqrt(3 * scene), A * np.log(np.maximum(12 * scene, 1) - B) + C), 1)


def tone_mapped(light, peak, target):
    """BT.2390, section 5.4.1, with a black of 0: of the largest channel, the others in proportion."""
    largest = np.maximum(light.max(axis=-1, keepdims=True), 1e-9)
    e1 = pq_code(np.minimum(largest, peak)) / pq_code(peak)
    top = pq_code(target) / pq_code(peak)
    knee = 1.5 * top - 0.5
    t = (e1 - knee) / (1 - knee)
    spline = (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) + (-2 * t**3 + 3 * t**2) * top
    return light * (pq_light(np.where(e1 < knee, e1, spline) * pq_code(peak)) / largest)


def converted(rgb, source, wall, peak):
    """R'G'B' of the wall for those of the source; each colour is (primaries, transfer)."""
    light = light_of(np.clip(rgb, 0, 1), *source) @ (np.linalg.inv(to_xyz(wall[0])) @ to_xyz(source[0])).T
    light = np.maximum(light, 0)
    brightest = {"sdr": WHITE, "hlg": 1000, "pq": peak}[source[1]]
    target = {"sdr": WHITE, "hlg": 1000, "pq": 10000}[wall[1]]
    return code_of(tone_mapped(light, brightest, target) if brightest > target else light, *wall)


def levels(bits, full):
    """Black, and the ranges of luma and chroma."""
    scale = 1 << (bits - 8)
    return (0, (1 << bits) - 1, (1 << bits) - 1) if full else (16 * scale, 219 * scale, 224 * scale)


def ycbcr(rgb, matrix, bits, full=False):
    """Code values, before rounding; of video range unless `full`."""
    red, _, blue = WEIGHTS[matrix]
    luma = rgb @ np.array(WEIGHTS[matrix])
    black, luma_range, chroma_range = levels(bits, full)
    zero = 128 << (bits - 8)
    return np.stack([black + luma_range * luma, zero + chroma_range * (rgb[..., 2] - luma) / (1 - blue) / 2,
                     zero + chroma_range * (rgb[..., 0] - luma) / (1 - red) / 2], axis=-1)


def rgb_of(codes, matrix, bits, full=False):
    red, green, blue = WEIGHTS[matrix]
    black, luma_range, chroma_range = levels(bits, full)
    zero = 128 << (bits - 8)
    luma = (codes[..., 0] - black) / luma_range
    b = luma + (codes[..., 1] - zero) / chroma_range * 2 * (1 - blue)
    r = luma + (codes[..., 2] - zero) / chroma_range * 2 * (1 - red)
    return np.stack([r, (luma - red * r - blue * b) / green, b], axis=-1)


def matrix_of(primaries):
    return "bt2020" if primaries == "bt2020" else "bt709"


def patches(seed=4):
    """R'G'B': greys from black to white, primaries and their mixtures in steps, and random colours."""
    greys = np.linspace(0, 1, 33)[:, None].repeat(3, axis=1)
    corners = np.array([[r, g, b] for r in (0, 1) for g in (0, 1) for b in (0, 1)])[1:7]
    steps = np.concatenate([corners * value for value in (0.25, 0.5, 0.75, 1)])
    rest = np.random.default_rng(seed).random((COLUMNS * ROWS - len(greys) - len(steps), 3))
    return np.concatenate([greys, steps, rest]).reshape(ROWS, COLUMNS, 3)


def centres(plane, shift=0):
    """One value of each patch, from its middle."""
    side, middle = SIDE >> shift, SIDE // 2 >> shift
    return plane[middle::side, middle::side][:ROWS, :COLUMNS]


def make_clip(file, colour, pixels, frames=1, codec=("-c:v", "ffv1"), tags=True, full=False):
    """Patches of a colour, made by FFmpeg from planes of 8 or 10 bits; returns the R'G'B' that its rounded values mean."""
    matrix = matrix_of(colour[0])
    bits = 10 if "10" in pixels else 8
    codes = np.clip(np.rint(ycbcr(patches(), matrix, bits, full)), 0, (1 << bits) - 1)
    planes = []
    for channel in range(3):
        plane = codes[..., channel].repeat(SIDE, axis=0).repeat(SIDE, axis=1).astype("<u2" if bits == 10 else "u1")
        planes.append(plane[::2, ::2] if channel and pixels.startswith("yuv420p") else plane)
    raw = b"".join(plane.tobytes() for plane in planes) * frames
    tag = ["-color_primaries", TAG_PRIMARIES[colour[0]], "-color_trc", TAG_TRANSFER[colour[1]], "-colorspace", TAG_MATRIX[matrix], "-color_range", "pc" if full else "tv"]
    subprocess.run(["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{SIDE * COLUMNS}x{SIDE * ROWS}", "-r", "30", "-i", "-",
                    *codec, *(tag if tags else []), "-y", str(file)], input=raw, check=True, timeout=60)
    return np.clip(rgb_of(codes, matrix, bits, full), 0, 1)


def coloured(colour, **kwargs):
    """A wall of one tile that shows it."""
    wall = Wall(1, 1, tile=(SIDE * COLUMNS, SIDE * ROWS), **kwargs)
    wall.file.write_text(wall.file.read_text().replace("frame_rate", f'colour = "{colour[0]}"\ntransfer = "{colour[1]}"\nframe_rate'))
    return wall


def stored(store, format_):
    """The first frame's patches: R'G'B' of 8 or 10 bits, or Y'CbCr."""
    stripe = np.load(store / "tile-0-0.npy")
    rows = (stripe["frame"] if stripe.dtype.names else stripe)[0]
    if format_ == "rgb8":
        return centres(rows.reshape(SIDE * ROWS, -1, 3)).astype(int)
    if format_ == "rgb10":
        bits = np.unpackbits(np.ascontiguousarray(rows).reshape(SIDE * ROWS, -1), axis=1).reshape(SIDE * ROWS, -1, 3, 10)
        return centres(bits.dot(1 << np.arange(10)[::-1])).astype(int)
    group = rows.reshape(SIDE * ROWS, -1, 4 if format_ == "ycbcr422-8" else 5).astype(int)
    if format_ == "ycbcr422-8":
        y, cb, cr = group[..., 1], group[..., 0], group[..., 2]
    else:
        cb = group[..., 0] << 2 | group[..., 1] >> 6
        y = (group[..., 1] & 63) << 4 | group[..., 2] >> 4
        cr = (group[..., 2] & 15) << 6 | group[..., 3] >> 2
    return np.stack([plane[SIDE // 2::SIDE, SIDE // 4::SIDE // 2] for plane in (y, cb, cr)], axis=-1)


class Colours(unittest.TestCase):
    def check(self, source, wall_colour, format_="rgb8", pixels="yuv444p10le", options=(), peak=1000, codec=("-c:v", "ffv1"), suffix="mkv", tags=True, full=False):
        wall = coloured(wall_colour, pixel_format=format_)
        clip = wall.folder / f"clip.{suffix}"
        rgb = make_clip(clip, source, pixels, codec=codec, tags=tags, full=full)
        store = wall.ingest(clip, "clip", *options)
        expected = converted(rgb, source, wall_colour, peak)
        expected = expected * {"rgb8": 255, "rgb10": 1023}[format_] if format_.startswith("rgb") else ycbcr(expected, matrix_of(wall_colour[0]), 8 if format_ == "ycbcr422-8" else 10)
        got = stored(store, format_)
        off = np.abs(got - expected)
        worst = np.unravel_index(off.max(axis=-1).argmax(), off.shape[:2])
        self.assertLessEqual(off.max(), 1, f"patch {worst}: {rgb[worst]} became {got[worst]}, not {expected[worst]}")
        return store

    def test_hdr_and_wide_sources_on_an_sdr_wall(self):
        for source in (("bt2020", "pq"), ("bt2020", "hlg"), ("p3", "pq"), ("bt2020", "sdr"), ("p3", "sdr")):
            for format_ in "rgb8", "rgb10", "ycbcr422-8", "ycbcr422-10":
                with self.subTest(source=source, format=format_):
                    store = self.check(source, ("bt709", "sdr"), format_)
                    self.assertEqual(json.loads((store / "visualization.json").read_text())["version"], 1)

    def test_every_source_on_walls_of_other_colours(self):
        for source in (("bt709", "sdr"), ("bt2020", "pq"), ("bt2020", "hlg"), ("p3", "sdr")):
            for wall in ("p3", "sdr"), ("bt2020", "pq"), ("bt2020", "hlg"), ("p3", "pq"):
                with self.subTest(source=source, wall=wall):
                    store = self.check(source, wall, "ycbcr422-10")
                    manifest = json.loads((store / "visualization.json").read_text())
                    self.assertEqual((manifest["version"], manifest["colour"], manifest["transfer"]), (2, *wall))
                    self.assertTrue((store / "poster.jpg").stat().st_size)

    def test_codecs_of_cameras(self):
        for source in ("bt2020", "pq"), ("bt2020", "hlg"):
            with self.subTest(source=source):
                self.check(source, ("bt709", "sdr"), pixels="yuv420p10le", codec=("-c:v", "libx265", "-x265-params", "lossless=1:log-level=none"), suffix="mp4")

    def test_full_range_and_8_bits(self):
        for pixels in "yuv444p10le", "yuv444p", "yuv420p10le", "yuv420p":
            for full in True, False:
                with self.subTest(pixels=pixels, full=full):
                    self.check(("p3", "sdr"), ("bt709", "sdr"), pixels=pixels, full=full)
                    self.check(("bt709", "sdr"), ("bt2020", "pq"), "ycbcr422-10", pixels=pixels, full=full)

    def test_the_brightest_content_is_an_option(self):
        self.check(("bt2020", "pq"), ("bt709", "sdr"), options=("--source-peak", "4000"), peak=4000)
        self.check(("bt2020", "pq"), ("bt2020", "hlg"), "ycbcr422-10", options=("--source-peak", "4000"), peak=4000)

    def test_options_in_place_of_tags(self):
        self.check(("bt2020", "hlg"), ("bt709", "sdr"), options=("--source-transfer", "hlg"), tags=False)
        self.check(("p3", "sdr"), ("bt709", "sdr"), options=("--source-colour", "p3", "--source-matrix", "bt709"), tags=False)
        wall = Wall(1, 1)
        refused = run(program("wall-ingest"), "lavfi:testsrc2", "--wall", wall.file, "--out", wall.content, "--source-transfer", "log")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("use sdr, pq or hlg", refused.stderr)

    def test_shards_and_threads_make_the_same_bytes(self):
        wall = coloured(("bt709", "sdr"))
        clip = wall.folder / "clip.mkv"
        make_clip(clip, ("bt2020", "pq"), "yuv420p10le", frames=9)
        one = wall.ingest(clip, "film", "--threads", "1")
        several = wall.folder / "shards"
        command = [program("wall-ingest"), clip, "--wall", wall.file, "--out", several, "--name", "film", "--create"]
        for more in (["--shard", "1/3", "--threads", "5"], ["--shard", "2/3"], ["--shard", "3/3", "--threads", "2"], ["--join"]):
            done = run(*command, *more)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(filecmp.cmp(one / "tile-0-0.npy", several / "film/tile-0-0.npy", shallow=False))

    def test_a_store_of_other_colours_is_refused(self):
        wall = Wall(1, 1, tile=(SIDE * COLUMNS, SIDE * ROWS))
        wall.ingest("lavfi:testsrc2", "film", "--frames", "2")
        wall.file.write_text(wall.file.read_text().replace("frame_rate", 'colour = "bt2020"\nframe_rate'))
        refused = run(program("wall-server"), "--wall", wall.file, "--content", wall.content, "--play", "film")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("made for the colours bt709 sdr, but this wall has bt2020 sdr", refused.stderr)

    def dump(self, wall, headless):
        folder = wall.folder / f"dump-{headless}"
        server = wall.server("--play", "clip")
        command = [program("wall-client"), "--wall", str(wall.file), "--node", "node-0-0", "--dump", str(folder)]
        client = start(*(command + ["--headless"] if headless else in_windows(command)))
        time.sleep(4)
        stop(client) if headless else stop_in_windows(client)
        self.assertEqual(stop(server), 0)
        return sorted((folder / "tile-0-0").glob("*.png"))[-1]

    def test_a_node_shows_the_values_of_a_bt2020_wall(self):
        wall = coloured(("bt2020", "pq"), pixel_format="ycbcr422-10")
        rgb = make_clip(wall.folder / "clip.mkv", ("bt2020", "pq"), "yuv444p10le", frames=30)
        wall.ingest(wall.folder / "clip.mkv", "clip")
        dump = self.dump(wall, headless=True)
        # PIL reads 16-bit RGB as 8 bits; FFmpeg does not.
        raw = subprocess.run(["ffmpeg", "-v", "error", "-i", dump, "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"], capture_output=True, check=True, timeout=60).stdout
        shown = centres(np.frombuffer(raw, "<u2").reshape(SIDE * ROWS, SIDE * COLUMNS, 3)) / 65535
        self.assertLessEqual(np.abs(shown - rgb).max() * 1023, 1)
        if shutil.which("xvfb-run"):
            window = centres(np.asarray(Image.open(self.dump(wall, headless=False)).convert("RGB")).astype(int))
            self.assertLessEqual(np.abs(window - rgb * 255).max(), 1)


if __name__ == "__main__":
    real_time.main()
