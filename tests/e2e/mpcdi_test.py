"""`wall-probe mpcdi`: what projectors of an MPCDI file show after its import is what the file says."""
import io
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

import numpy as np
from PIL import Image, ImageGrab

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from wall import Wall, free_ports, program, run, start, stop, wait_until  # noqa: E402

SIZE = (120, 80)  # of each projector
CANVAS = (200, 80)  # of the buffer
GAMMA = 2.2
# x and width of each region; y and height are those of the canvas.
REGIONS = {"left": (0, 0.6), "right": (0.4, 0.6)}


def warp(number, columns=9, rows=7):
    """By row from the bottom, as MPCDI has it; y grows upwards."""
    v, u = np.mgrid[0:rows, 0:columns]
    u, v = (u + 0.5) / columns, (v + 0.5) / rows
    x = u + (0.03 - 0.05 * number) * v + 0.04 * np.sin(3 * v)
    y = v + 0.06 * u * (1 - u) - 0.02 * number
    x[-1, 0] = np.nan if number else x[-1, 0]
    return np.stack([x, y, np.full_like(x, np.nan)], axis=-1).astype("<f4")


def alpha(number):
    """Of code values, from the top."""
    x = np.arange(SIZE[0]) if number else SIZE[0] - 1 - np.arange(SIZE[0])
    return np.repeat(np.clip(40 + x * 5, 0, 255).astype(np.uint8)[None], SIZE[1], 0)


BETA = np.linspace(0, 50, 12, dtype=np.uint8).reshape(3, 4)


def png(image):
    out = io.BytesIO()
    Image.fromarray(image).save(out, "PNG")
    return out.getvalue()


def write_mpcdi(file, xml=None, **files):
    """With Python's own writer. `files`: instead of the right ones; None: missing."""
    regions = "".join(f'<region id="{name}" x="{x}" y="0" xSize="{width}" ySize="1" xResolution="{SIZE[0]}" yResolution="{SIZE[1]}"/>' for name, (x, width) in REGIONS.items())
    filesets = "".join(f"""<fileset region="{name}"><geometryWarpFile><path>{name}.pfm</path><interpolation>linear</interpolation></geometryWarpFile>
        <alphaMap><path>{name}.png</path><componentDepth>3</componentDepth><gammaEmbedded>{GAMMA}</gammaEmbedded></alphaMap>
        {'<betaMap><path>beta.png</path><componentDepth>1</componentDepth></betaMap>' if name == "right" else ""}</fileset>""" for name in REGIONS)
    content = {"mpcdi.xml": (xml or f"""<?xml version="1.0" encoding="UTF-8"?><MPCDI profile="2d" geometry="1" color="2" version="2.0"><display><buffer id="screen"
        xResolution="{CANVAS[0]}" yResolution="{CANVAS[1]}">{regions}</buffer></display><files>{filesets}</files></MPCDI>""").encode(), "beta.png": png(BETA)}
    for number, name in enumerate(REGIONS):
        mesh = warp(number)
        content[f"{name}.pfm"] = b"PF\n%d %d\n-1.000000\n" % mesh.shape[1::-1] + mesh.tobytes()
        content[f"{name}.png"] = png(np.repeat(alpha(number)[..., None], 3, 2))
    content.update({name.replace("_", "."): value for name, value in files.items()})
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in content.items():
            if value is not None:
                archive.writestr(name, value)
    return file


def sampled(values, x, y):
    """Bilinearly, at places in pixels; beyond the outer centres the outermost, or the continued cell of a mesh."""
    column, row = np.clip(np.floor(x).astype(int), 0, values.shape[1] - 2), np.clip(np.floor(y).astype(int), 0, values.shape[0] - 2)
    across, down = (x - column)[..., None], (y - row)[..., None]
    return ((values[row, column] * (1 - across) + values[row, column + 1] * across) * (1 - down)
            + (values[row + 1, column] * (1 - across) + values[row + 1, column + 1] * across) * down)


def shown(number, content):
    """What the standard's reference programs show of the buffer's content, in code values; NaN where programs may differ: at edges and beside NaN."""
    x0, width = list(REGIONS.values())[number]
    mesh = warp(number).astype(float)[..., :2]
    v, u = np.mgrid[0:SIZE[1], 0:SIZE[0]]
    u, v = (u + 0.5) / SIZE[0], 1 - (v + 0.5) / SIZE[1]  # of the panel, v from its bottom
    place = sampled(mesh, u * mesh.shape[1] - 0.5, v * mesh.shape[0] - 0.5)
    inside = ((place > 0.03) & (place < 0.97)).all(axis=-1)
    x, y = (x0 + place[..., 0] * width) * CANVAS[0] - 0.5, (1 - place[..., 1]) * CANVAS[1] - 0.5
    light = sampled(content / 255, np.nan_to_num(x).clip(0, CANVAS[0] - 1), np.nan_to_num(y).clip(0, CANVAS[1] - 1)) ** GAMMA
    light *= (alpha(number)[..., None] / 255) ** GAMMA
    if number == 1:
        at = sampled(BETA[..., None] / 255, (u * 4 - 0.5).clip(0, 3), ((1 - v) * 3 - 0.5).clip(0, 2)) ** GAMMA
        light = at + (1 - at) * light
    return np.where(inside[..., None], 255 * light ** (1 / GAMMA), np.nan)


class Mpcdi(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lambdawall-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def refused(self, expected, *options, **content):
        """One line that says what is wrong, and no folder."""
        done = run(program("wall-probe"), "mpcdi", write_mpcdi(self.folder / "wrong.mpcdi", **content), "--output", self.folder / "out", *options)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^wall-probe: .*; .*\n$")
        self.assertIn(expected, done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_wrong_files_are_refused_in_one_line(self):
        self.refused("wrong.mpcdi: has no entry 'right.pfm'; export it again", right_pfm=None)
        self.refused("wrong.mpcdi: entry 'left.png' of region 'left' is not a PNG", left_png=b"GIF89a")
        self.refused("wrong.mpcdi: entry 'left.pfm' of region 'left' ", left_pfm=b"PF\n900000 900000\n-1.0\n")
        self.refused("shows nothing: all of its values are NaN", left_pfm=b"PF\n2 2\n-1.0\n" + struct.pack("<12f", *[float("nan")] * 12))
        self.refused("has profile 'sl' (shader lamps); only profile 2d", xml='<MPCDI profile="sl" version="2.0"/>')
        self.refused("mpcdi.xml:1: has a DOCTYPE", xml='<!DOCTYPE MPCDI [<!ENTITY a SYSTEM "file:///etc/passwd">]><MPCDI>&a;</MPCDI>')
        self.refused("entry 'left.pfm' has 300 MiB, more than 256", left_pfm=b"\0" * (300 << 20))

    def test_a_folder_with_files_stays_as_it_is(self):
        (self.folder / "out").mkdir()
        (self.folder / "out/note").write_text("kept")
        done = run(program("wall-probe"), "mpcdi", write_mpcdi(self.folder / "a.mpcdi"), "--output", self.folder / "out")
        self.assertEqual((done.returncode, [file.name for file in (self.folder / "out").iterdir()]), (1, ["note"]))
        self.assertIn("is not empty; remove it, or name another folder", done.stderr)

    @unittest.skipUnless(shutil.which("Xvfb"), "no virtual display")
    def test_projectors_show_what_the_file_says(self):
        done = run(program("wall-probe"), "mpcdi", write_mpcdi(self.folder / "two.mpcdi"), "--output", self.folder / "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 projectors in 1 buffer of MPCDI 2.0, a wall of 200 x 80 pixels", done.stdout)
        wall = Wall()
        wall.file = self.folder / "out/wall.toml"
        text = wall.file.read_text()
        for wanted, there in (("monitor = 0", "window = [0, 0]"), ("monitor = 1", "window = [120, 0]"), ("10.0.0.11", "127.0.0.1"), ("10.0.0.10", "127.0.0.1")):
            self.assertIn(wanted, text)
            text = text.replace(wanted, there)
        ports = free_ports(8)
        wall.file.write_text(f'{text}control = "{wall.control}"\n[streaming]\nbase_port = {ports}\nsource_port = {ports + 4}\n')
        y, x = np.mgrid[0:CANVAS[1], 0:CANVAS[0]]
        content = np.stack([127 + 120 * np.sin(x / 23), 127 + 120 * np.cos(y / 17), 40 + x], axis=-1).astype(np.uint8)
        (self.folder / "source").mkdir()
        Image.fromarray(content).save(self.folder / "source/00000.png")
        wall.ingest(self.folder / "source", "still", "--rate", "60")
        ready, display = os.pipe()
        self.addCleanup(stop, start("Xvfb", "-displayfd", display, "-screen", "0", "240x80x24", "-noreset", "-nolisten", "tcp", pass_fds=[display], stderr=subprocess.DEVNULL))
        number = os.read(ready, 16).decode().strip()
        self.addCleanup(stop, wall.server("--play", "still"))
        client = wall.client("screen", "--windows", "each", env={**os.environ, "DISPLAY": f":{number}"})
        self.addCleanup(stop, client)
        expected = np.concatenate([shown(at, content) for at in range(2)], axis=1)
        self.assertLess(np.isnan(expected).mean(), 0.25)

        def differences():
            screen = np.asarray(ImageGrab.grab(xdisplay=f":{number}").convert("RGB")).astype(float)
            return np.nanmax(np.abs(screen - expected))

        # Dithering is nearly a code value.
        wait_until(lambda: differences() < 1.2, 30, "the projectors to show the image")


if __name__ == "__main__":
    unittest.main()
