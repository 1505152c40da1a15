"""Previews of the tiles, from real nodes with and without windows, reach an operator who asks, and nobody else."""
import base64
import io
import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

import numpy
import PIL.Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Control, Wall, start, stop, wait_until  # noqa: E402

GREEN, BLUE = (10, 200, 30), (20, 40, 220)


def make_still(folder, size):
    """The left half green, the right half blue."""
    folder.mkdir()
    picture = numpy.zeros((size[1], size[0], 3), numpy.uint8)
    picture[:, : size[0] // 2] = GREEN
    picture[:, size[0] // 2:] = BLUE
    for frame in range(10):
        PIL.Image.fromarray(picture).save(folder / f"{frame:04}.png")


class Pictures(unittest.TestCase):
    def setUp(self):
        self.wall = Wall(2, 1, tile=(400, 240), nodes={"one": [(0, 0)], "two": [(1, 0)]})
        make_still(self.wall.folder / "source", self.wall.picture)
        self.wall.ingest(self.wall.folder / "source", "still", "--rate", "30")
        self.programs = [self.wall.server("--play", "still")]

    def tearDown(self):
        for process in reversed(self.programs):
            stop(process)

    def pictures(self, control, seconds):
        """The newest preview of each tile, and how many arrived."""
        newest, count, end = {}, 0, time.monotonic() + seconds
        while time.monotonic() < end:
            message = control.receive()
            if message.get("method") == "picture":
                params = message["params"]
                picture = PIL.Image.open(io.BytesIO(base64.b64decode(params["base64"])))
                self.assertEqual(picture.size, (192, 115))
                newest[tuple(params["tile"])] = numpy.asarray(picture.convert("RGB")).astype(int)
                count += 1
        return newest, count

    def check(self):
        plain, control = Control(self.wall.control), Control(self.wall.control)
        plain.call("subscribe")
        wait_until(lambda: all(t.get("frame") is not None for n in self.wall.call("stats")["nodes"] for t in n.get("report", {}).get("tiles", [{}])), 20, "both tiles to play")
        time.sleep(0.5)
        control.call("subscribe", stats=True, pictures=True)
        newest, count = self.pictures(control, 3)
        self.assertEqual(set(newest), {(0, 0), (1, 0)})
        self.assertGreaterEqual(count, 4)  # 15 on a quiet machine
        self.assertLess(count, 30)
        for tile, color in ((0, 0), GREEN), ((1, 0), BLUE):
            self.assertLessEqual(abs(newest[tile] - color).max(), 2, tile)
        control.call("pattern", pattern="black", tile=[0, 0])
        self.pictures(control, 1.5)
        newest, _ = self.pictures(control, 1.5)
        self.assertLessEqual(newest[0, 0].mean(), 5)
        self.assertLessEqual(abs(newest[1, 0] - BLUE).max(), 2)
        control.call("unsubscribe")
        end = time.monotonic() + 1
        while time.monotonic() < end:
            self.assertNotEqual(plain.receive().get("method"), "picture")

    def test_headless(self):
        self.programs += [self.wall.client(node, "--headless") for node in self.wall.nodes]
        self.check()

    @unittest.skipUnless(shutil.which("Xvfb"), "needs Xvfb")
    def test_windows(self):
        ready, display = os.pipe()
        self.programs.append(start("Xvfb", "-displayfd", display, "-screen", "0", "900x300x24", "-nolisten", "tcp", pass_fds=[display], stderr=subprocess.DEVNULL))
        number = os.read(ready, 16).decode().strip()
        environment = {**os.environ, "DISPLAY": f":{number}"}
        self.programs += [self.wall.client(node, env=environment) for node in self.wall.nodes]
        self.check()


if __name__ == "__main__":
    real_time.main(verbosity=2)
