"""A fade through black: every tile as dark as the others at the same frame, black while the visualization changes, bright afterwards,
and bright for a node that comes in the middle of it or whose stream ends."""
import base64
import contextlib
import io
import json
import pathlib
import shutil
import sys
import time
import unittest

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from wall import Control, Wall, in_windows, program, start, stop, stop_in_windows, wait_until  # noqa: E402

FRAMES = 90
LIGHT = {"first": 200, "second": 120}
DARK = 20  # the blackest frames may be missing on a busy machine


def make_flat(folder, size, value):
    """Frames of one colour; the fade is all that changes."""
    folder.mkdir()
    picture = Image.fromarray(np.full((size[1], size[0], 3), value, dtype=np.uint8))
    for frame in range(FRAMES):
        picture.save(folder / f"{frame:05d}.png", compress_level=1)


class Fade(unittest.TestCase):
    def wall(self, **options):
        wall = Wall(2, 1, tile=(64, 40), **options)
        for name, value in LIGHT.items():
            make_flat(wall.folder / name, wall.picture, value)
            wall.ingest(wall.folder / name, name, "--rate", "30")
        return wall

    def dump_of(self, wall, node):
        return wall.folder / f"dump-{node}"

    def client(self, wall, node, *options):
        return wall.client(node, "--headless", "--dump", self.dump_of(wall, node), *options)

    def light(self, wall, node, column):
        """Of what a tile showed last of each frame."""
        values = {}
        for file in (self.dump_of(wall, node) / f"tile-{column}-0").glob("*.png"):
            pixels = np.asarray(Image.open(file).convert("RGB")).astype(int)
            self.assertEqual(pixels.min(), pixels.max(), f"{file} is not of one colour")
            values[int(file.stem)] = int(pixels[0, 0, 0])
        return values

    def lines(self, wall, node):
        return [json.loads(line) for line in (self.dump_of(wall, node) / "shown.ndjson").read_text().splitlines()]

    def small_picture(self, wall, tile):
        """What the tile shows now, stream or not."""
        with contextlib.closing(Control(wall.control)) as control:
            control.call("subscribe", stats=False, events=False, pictures=True)
            while True:
                message = control.receive()
                if message.get("method") == "picture" and message["params"]["tile"] == tile:
                    return Image.open(io.BytesIO(base64.b64decode(message["params"]["base64"]))).convert("RGB").getpixel((5, 5))[0]

    def wait_for_frame(self, wall, frame):
        """Paused, so that all tiles get to show it."""
        def shown():
            return all(tile.get("frame") == frame for node in wall.call("stats")["nodes"] if node.get("report") for tile in node["report"]["tiles"])
        wait_until(shown, 10, f"frame {frame} on all tiles")

    def wait_for_pictures(self, wall, frame):
        def shown():
            nodes = [node for node in wall.call("stats")["nodes"] if node.get("report")]
            return len(nodes) == len(wall.nodes) and all(tile.get("frame", 0) >= frame for node in nodes for tile in node["report"]["tiles"])
        wait_until(shown, 10, "frames on all tiles")

    def test_all_tiles_darken_in_step_and_end_bright(self):
        wall = self.wall()
        server = wall.server("--play", "first")
        clients = [self.client(wall, node) for node in wall.nodes]
        self.wait_for_pictures(wall, 5)
        wall.call("seek", frame=0)
        self.wait_for_pictures(wall, 5)
        state = wall.call("load", name="second", transition="fade", fade_ms=2000)
        self.assertEqual((state["name"], state["coming"]), ("first", {"name": "second", "fade_ms": 2000}))
        wait_until(lambda: wall.call("state")["name"] == "second", 5, "the switch")
        self.assertNotIn("coming", wall.call("state"))
        time.sleep(2.5)  # bright again, and the second's frames not yet round
        for process in clients + [server]:
            self.assertEqual(stop(process), 0)
        lights = [self.light(wall, f"node-{column}-0", column) for column in range(2)]
        # Frames come round again: of those that both showed last at the same time.
        last = [{line["frame"]: line["pts_ns"] for line in self.lines(wall, f"node-{column}-0")} for column in range(2)]
        shared = sorted(frame for frame in last[0] if last[0][frame] == last[1].get(frame))
        self.assertGreater(len(shared), 30)
        self.assertEqual([lights[0][frame] for frame in shared], [lights[1][frame] for frame in shared])
        # Frames of the second, in their order: from black up along a line to what was sent. It began where the frames last began again;
        # of one that this tile skipped since then, the content is still the first's.
        times = [(line["frame"], line["pts_ns"]) for line in self.lines(wall, "node-0-0")]
        began = max(pts for (before, _), (frame, pts) in zip(times, times[1:]) if frame < before)
        second = [lights[0][frame] for frame in range(40) if last[0].get(frame, 0) >= began]
        self.assertLess(min(second), DARK)
        self.assertEqual(second, sorted(second))
        self.assertGreater(len(set(second)), 8, second)
        self.assertIn(LIGHT["second"], [lights[0][frame] for frame in shared if frame > 40])

    def test_darkening_before_the_switch(self):
        """Paused, one frame is sent repeatedly: its last image, before the switch, is black."""
        wall = self.wall()
        server = wall.server("--play", "first")
        clients = [self.client(wall, node) for node in wall.nodes]
        self.wait_for_pictures(wall, 3)
        wall.call("pause")
        wall.call("seek", frame=80)
        self.wait_for_frame(wall, 80)
        wall.call("load", name="second", transition="fade", fade_ms=1000, frame=10, paused=True)
        wait_until(lambda: wall.call("state")["name"] == "second", 5, "the switch")
        self.wait_for_frame(wall, 10)
        time.sleep(1.5)
        for process in clients + [server]:
            self.assertEqual(stop(process), 0)
        for column in range(2):
            lights = self.light(wall, f"node-{column}-0", column)
            self.assertLess(lights[80], DARK)
            self.assertEqual(lights[10], LIGHT["second"])

    def test_who_comes_in_the_middle_or_is_stopped_ends_bright(self):
        wall = self.wall()
        server = wall.server("--play", "first")
        early = self.client(wall, "node-0-0")
        time.sleep(1.5)
        wall.call("pause")
        wall.call("load", name="second", transition="fade", fade_ms=3000, paused=True)
        wait_until(lambda: wall.call("state")["name"] == "second", 5, "the switch")
        late = self.client(wall, "node-1-0")  # comes while the others are dark
        time.sleep(3)
        self.assertEqual(stop(late), 0)
        self.assertEqual(self.light(wall, "node-1-0", 1)[0], LIGHT["second"])
        self.assertEqual(self.small_picture(wall, [0, 0]), LIGHT["second"])
        # Stopped while it darkens: the content remains, and is bright.
        wall.call("load", name="first", transition="fade", fade_ms=4000)
        time.sleep(1)
        state = wall.call("stop")
        self.assertNotIn("coming", state)
        time.sleep(1)
        self.assertEqual(self.small_picture(wall, [0, 0]), LIGHT["second"])
        for process in (early, server):
            self.assertEqual(stop(process), 0)

    def test_a_cut_while_it_darkens_comes_at_once(self):
        wall = self.wall()
        server = wall.server("--play", "first")
        clients = [self.client(wall, node) for node in wall.nodes]
        self.wait_for_pictures(wall, 3)
        wall.call("load", name="second", transition="fade", fade_ms=20000)
        time.sleep(0.5)
        begun = time.monotonic()
        wall.call("load", name="second", frame=50, paused=True)
        wait_until(lambda: wall.call("state")["name"] == "second", 5, "the switch")
        self.assertLess(time.monotonic() - begun, 5)  # the fade would take ten
        self.wait_for_frame(wall, 50)
        time.sleep(1)
        for process in clients + [server]:
            self.assertEqual(stop(process), 0)
        for column in range(2):
            self.assertEqual(self.light(wall, f"node-{column}-0", column)[50], LIGHT["second"])

    def test_a_playlist_fades_where_its_entries_say_so(self):
        wall = self.wall()
        server = wall.server("--play", "first")
        clients = [self.client(wall, node) for node in wall.nodes]
        entries = [{"name": "second", "transition": "fade", "fade_ms": 800}]
        listed = wall.call("playlist", entries=entries)["entries"]
        self.assertEqual((listed[0]["transition"], listed[0]["fade_ms"]), ("fade", 800))
        wall.call("loop", loop=False)
        wait_until(lambda: "coming" in wall.call("state"), 10, "the end of the first")
        wait_until(lambda: wall.call("state")["name"] == "second", 5, "the second")
        self.assertEqual(wall.call("state")["entry"]["transition"], "fade")
        time.sleep(1.5)
        for process in clients + [server]:
            self.assertEqual(stop(process), 0)
        for column in range(2):  # the first's last frame stood while it darkened; the second has come as far as here
            self.assertLess(self.light(wall, f"node-{column}-0", column)[FRAMES - 1], DARK)

    @unittest.skipUnless(shutil.which("xvfb-run"), "no virtual display")
    def test_windows_fade_as_well(self):
        wall = self.wall(rate="30", nodes={"both": [(0, 0), (1, 0)]})
        server = wall.server("--play", "first")
        command = [program("wall-client"), "--wall", str(wall.file), "--node", "both", "--dump", str(self.dump_of(wall, "both"))]
        client = start(*in_windows(command))
        self.wait_for_pictures(wall, 3)
        wall.call("pause")
        wall.call("seek", frame=80)
        self.wait_for_frame(wall, 80)
        wall.call("load", name="second", transition="fade", fade_ms=1000, frame=10, paused=True)
        wait_until(lambda: wall.call("state")["name"] == "second", 5, "the switch")
        self.wait_for_frame(wall, 10)
        time.sleep(1.5)
        stop_in_windows(client)
        self.assertEqual(stop(server), 0)
        for column in range(2):
            lights = self.light(wall, "both", column)
            self.assertLess(lights[80], DARK)
            self.assertEqual(lights[10], LIGHT["second"])


if __name__ == "__main__":
    real_time.main(verbosity=2)
