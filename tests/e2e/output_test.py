"""Colour and projection of a node's tiles, with the real programs: what windows show, and what stays as it was."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import numpy as np
from PIL import Image, ImageGrab

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from wall import Wall, program, run, start, stop, wait_until  # noqa: E402

WIDTH, HEIGHT, OVERLAP = 320, 160, 80
GAMMA, LEAK = 2.2, 0.1


class Projectors(Wall):
    """Two projectors beside each other that overlap, in two windows of one node. `left`, `right`: the keys of their outputs."""

    places = {"left": (0, 0, WIDTH, HEIGHT), "right": (WIDTH - OVERLAP, 0, WIDTH, HEIGHT)}

    def __init__(self, left="", right="", projector="true"):
        self.keys, self.projector = {"left": left, "right": right}, projector
        super().__init__(len(self.places), 1, nodes={"node": list(self.places)})

    def write(self):
        nodes, self.nodes = self.nodes, {}
        super().write()
        self.nodes = nodes
        text = self.file.read_text()
        lines = ["[wall]", 'name = "projectors"', "frame_rate = 30"]
        for name, (x, y, width, height) in self.places.items():
            lines += ["[[tile]]", f'name = "{name}"', f"x = {x}", f"y = {y}", f"width = {width}", f"height = {height}", f"projector = {self.projector}"]
        lines += ["[[node]]", 'name = "node"', 'address = "127.0.0.1"']
        for at, name in enumerate(self.places):
            lines += ["[[node.tiles]]", f'tile = "{name}"', f"window = [{at * WIDTH}, 0]", self.keys.get(name, "")]
        self.file.write_text("\n".join(lines) + "\n" + text[text.index("[[server]]"):])

    @property
    def picture(self):
        return max(x + width for x, _, width, _ in self.places.values()), HEIGHT


class Inset(Projectors):
    """A small projector within the image of a large one."""

    places = {"large": (0, 0, WIDTH, HEIGHT), "small": (40, 32, 100, 60), "next": (WIDTH, 0, 160, HEIGHT)}


def source(wall):
    """One image of slow slopes, and black in its lower half."""
    width, height = wall.picture
    y, x = np.mgrid[0:height, 0:width]
    image = np.stack([40 + x * 200 // width, 250 - x * 100 // width, np.full_like(x, 128)], axis=-1)
    image[height // 2:] = 0
    folder = wall.folder / "source"
    folder.mkdir()
    Image.fromarray(image.astype(np.uint8)).save(folder / "00000.png")
    return image


def light(codes):
    return (np.asarray(codes, dtype=float) / 255) ** GAMMA


class Output(unittest.TestCase):
    def screen(self):
        ready, display = os.pipe()
        server = start("Xvfb", "-displayfd", display, "-screen", "0", f"{2 * WIDTH}x{HEIGHT}x24", "-noreset", "-nolisten", "tcp", pass_fds=[display],
                       stderr=subprocess.DEVNULL)
        self.addCleanup(stop, server)
        return os.read(ready, 16).decode().strip()

    def show(self, wall, *options):
        """What the projectors show, and what the node says, when the screen has stayed the same for a while."""
        display = self.screen()
        self.addCleanup(stop, wall.server("--play", "still"))
        log = wall.folder / "log"
        with open(log, "w") as said:
            client = wall.client("node", *options, env={**os.environ, "DISPLAY": f":{display}"}, stderr=said)
        grab = lambda: np.asarray(ImageGrab.grab(xdisplay=f":{display}").convert("RGB"))
        shown = lambda: [tile["shown_whole"] > 3 for node in wall.call("stats")["nodes"] for tile in node.get("report", {}).get("tiles", [])]
        wait_until(lambda: len(shown()) == 2 and all(shown()), 30, "both tiles to show frames")
        screen = grab()
        self.assertEqual(stop(client), 0)
        return screen[:, :WIDTH], screen[:, WIDTH:2 * WIDTH], log.read_text()

    @unittest.skipUnless(shutil.which("Xvfb"), "no virtual display")
    def test_projectors_add_up_to_the_image_and_black_is_even(self):
        more = f"blend_gamma = {GAMMA}\nblack_lift = {LEAK}"
        wall = Projectors(f"blend = {{ right = {OVERLAP} }}\n{more}", f"blend = {{ left = {OVERLAP} }}\n{more}")
        image = source(wall)
        wall.ingest(wall.folder / "source", "still", "--rate", "30")
        dump = wall.folder / "dump"
        left, right, log = self.show(wall, "--dump", dump)
        self.assertIn("output of tile 'left': blended over 0, 80, 0 and 0 pixels (left, right, top, bottom), black lifted by 0.1, dithered", log)
        self.assertIn("output of tile 'right': blended over 80, 0, 0 and 0 pixels", log)
        together = np.zeros(image.shape)
        together[:, :WIDTH] += light(left) + LEAK ** GAMMA
        together[:, -WIDTH:] += light(right) + LEAK ** GAMMA
        meant = light(image) + 2 * LEAK ** GAMMA
        # In the mean of 8 x 8 pixels, as both are dithered; in code values of the brighter light.
        cells = lambda values: values[:HEIGHT // 8 * 8, :image.shape[1] // 8 * 8].reshape(HEIGHT // 8, 8, -1, 8, 3).mean(axis=(1, 3))
        code = lambda values: 255 * values ** (1 / GAMMA)
        error = np.abs(code(cells(together)) - code(cells(meant)))
        print(f"largest error of a cell: {error.max():.2f} code values")
        self.assertLess(error.max(), 1)
        self.assertGreater(np.ptp(light(left)[HEIGHT // 2:].mean(axis=(0, 2))), 0.001)  # black is lifted beside the overlap only
        for name, part in (("left", image[:, :WIDTH]), ("right", image[:, -WIDTH:])):
            files = list((dump / name).glob("*.png"))
            self.assertEqual(len(files), 1)
            np.testing.assert_array_equal(np.asarray(Image.open(files[0]).convert("RGB")), part)

    @unittest.skipUnless(shutil.which("Xvfb"), "no virtual display")
    def test_a_mesh_and_a_lut_reach_the_window(self):
        wall = Projectors('warp = "mirror.pfm"\nlut = "swap.cube"')
        # The mesh mirrors, with a hole in its first vertex's quarter; the LUT swaps red and blue.
        places = [(0.75, 0.25), (0.25, 0.25), (0.75, 0.75), (0.25, 0.75)]
        (wall.folder / "mirror.pfm").write_bytes(b"PF\n2 2\n-1.0\n" + b"".join(np.array([x, y, 0], dtype="<f4").tobytes() for x, y in places))
        (wall.folder / "swap.cube").write_text("LUT_3D_SIZE 2\n" + "".join(f"{b} {g} {r}\n" for b in (0, 1) for g in (0, 1) for r in (0, 1)))
        image = source(wall)
        wall.ingest(wall.folder / "source", "still", "--rate", "30")
        left, right, _ = self.show(wall)
        np.testing.assert_array_equal(left, image[:, WIDTH - 1::-1, ::-1])
        np.testing.assert_array_equal(right, image[:, -WIDTH:])

    def test_a_file_that_is_missing_is_one_error(self):
        wall = Projectors('warp = "nowhere.pfm"')
        line = wall.file.read_text().split("\n").index('warp = "nowhere.pfm"') + 1
        for options in ((), ("--headless",)):
            result = run(program("wall-client"), "--wall", wall.file, "--node", "node", *options)
            self.assertEqual(result.returncode, 1)
            last = result.stderr.strip().split("\n")[-1]
            self.assertEqual(last, f"wall-client: {wall.file}:{line}: {wall.folder / 'nowhere.pfm'}: cannot be read: No such file or directory; "
                                   "correct warp in the wall file, or copy the file")
        report = json.loads(run(program("wall-probe"), "doctor", "--json", "--wall", wall.file, "--node", "node").stdout)
        found = [finding for finding in report["findings"] if finding["what"] == "colour and projection of tile 'left'"]
        self.assertEqual([finding["level"] for finding in found], ["fail"])
        self.assertEqual(run(program("wall-server"), "--wall", wall.file, "--content", wall.content, "--plan", "--json").returncode, 0,
                         "the server needs no such file")

    def test_a_store_of_projectors_is_cut_for_another_wall(self):
        for wall in (Projectors(), Inset()):
            image = source(wall)
            store = wall.ingest(wall.folder / "source", "still", "--rate", "30")
            panel = Wall(1, 1, tile=wall.picture)
            result = run(program("wall-ingest"), "--from", store, "--wall", panel.file, "--out", panel.content, "--name", "still")
            self.assertEqual(result.returncode, 0, result.stderr)
            frames = np.load(panel.content / "still" / "tile-0-0.npy")
            frame = (frames["frame"] if frames.dtype.names else frames)[0]
            np.testing.assert_array_equal(frame.reshape(image.shape), image)

    def test_panels_may_not_overlap(self):
        wall = Projectors(projector="false")
        result = run(program("wall-client"), "--wall", wall.file, "--node", "node", "--headless")
        self.assertEqual(result.returncode, 1)
        self.assertIn("tile 'right' overlaps tile 'left' of line 4", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
