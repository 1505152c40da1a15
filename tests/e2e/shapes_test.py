"""Walls of any shape, pixel for pixel: tiles of different sizes and turned panels on several nodes, with the real programs."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest
import urllib.request

import numpy as np
from PIL import Image, ImageGrab

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cylinder  # noqa: E402
from pictures import BLOCK_DECODERS, BLOCK_TOLERANCES, make_source, shown_lines  # noqa: E402
from wall import Wall, program, run, start, stop, wait_until  # noqa: E402

# Name: x, y, width, height, rotation. Landscape 3x2 with portrait wings of another resolution.
WINGS = {"wing-left": (0, 14, 120, 192, 90),
         **{f"{row}-{column}": (124 + 196 * at, 112 * down, 192, 108, 0)
            for down, row in enumerate(("top", "bottom")) for at, column in enumerate(("left", "middle", "right"))},
         "wing-right": (712, 14, 120, 192, 270)}
# Unequal bezels, one panel lower than the others, and an odd height.
BEZELS = {"first": (0, 0, 192, 108, 0), "second": (210, 0, 192, 108, 0), "third": (404, 7, 128, 81, 180), "fourth": (540, 0, 192, 108, 0)}
# Three walls of a cave and its floor, unfolded; two tiles of one screen.
CAVE = {"left": (0, 0, 160, 160, 0), "front": (160, 0, 160, 160, 0), "right": (320, 0, 160, 160, 0),
        "floor-left": (160, 160, 80, 160, 0), "floor-right": (240, 160, 80, 160, 0)}
# Eight projectors on a cylinder, each of whose tiles overlaps its neighbours by 15 %; two on each node.
CYLINDER = {f"projector-{at + 1}": (*place, 0) for at, place in enumerate(cylinder.tiles(120, 76))}
CYLINDER_NODES = {f"screens-{at + 1}": [f"projector-{2 * at + 1}", f"projector-{2 * at + 2}"] for at in range(4)}
CYLINDER_OVERLAP = 18
BLACK_LIFT, BLEND_GAMMA = 0.05, 2.2


class ShapedWall(Wall):
    """`tiles`: as above. `nodes`: the names of the tiles of each. `outputs`: of projectors, their further keys there."""

    where = ""  # before each tile's window

    def __init__(self, tiles, nodes, outputs=None, **streaming):
        self.tiles = tiles
        self.outputs = outputs or {}
        super().__init__(len(tiles), 1, nodes=nodes, **streaming)

    def write(self):
        nodes, self.nodes = self.nodes, {}
        super().write()
        self.nodes = nodes
        text = self.file.read_text()
        more = text[text.index("[[server]]"):]
        lines = ["[wall]", 'name = "shaped"', f'frame_rate = "{self.rate}"']
        for name, (x, y, width, height, rotation) in self.tiles.items():
            lines += ["[[tile]]", f'name = "{name}"', f"x = {x}", f"y = {y}", f"width = {width}", f"height = {height}", f"rotation = {rotation}"]
            lines += ["projector = true"] if name in self.outputs else []
        for node, names in self.nodes.items():
            at, places = 0, []
            for name in names:  # beside each other on the screen
                places.append(f'  {{ tile = "{name}", {self.where}window = [{at}, 0]{self.outputs.get(name, "")} }},')
                at += self.panel(name)[0]
            lines += ["[[node]]", f'name = "{node}"', 'address = "127.0.0.1"', "tiles = [", *places, "]"]
        self.file.write_text("\n".join(lines) + "\n" + more)

    def panel(self, name):
        _, _, width, height, rotation = self.tiles[name]
        return (height, width) if rotation in (90, 270) else (width, height)

    @property
    def picture(self):
        return max(x + width for x, _, width, _, _ in self.tiles.values()), max(y + height for _, y, _, height, _ in self.tiles.values())

    def part(self, name, picture):
        x, y, width, height, _ = self.tiles[name]
        return picture[y:y + height, x:x + width]


def cylinder_outputs():
    outputs = {}
    for number, name in enumerate(CYLINDER):
        sides = [f"{side} = {CYLINDER_OVERLAP}" for side, there in (("left", number > 0), ("right", number < 7)) if there]
        outputs[name] = f', warp = "{name}.pfm", blend = {{ {", ".join(sides)} }}, blend_gamma = {BLEND_GAMMA}, black_lift = {BLACK_LIFT}'
    return outputs


def cylinder_wall(nodes=None, **streaming):
    wall = ShapedWall(CYLINDER, nodes or CYLINDER_NODES, cylinder_outputs(), **streaming)
    cylinder.write(wall.folder, 120, 76)
    return wall


def bilinear(values, x, y):
    """Of an image or mesh whose values lie at whole numbers; the outer cells continue."""
    column = np.clip(np.floor(x).astype(int), 0, values.shape[1] - 2)
    row = np.clip(np.floor(y).astype(int), 0, values.shape[0] - 2)
    across, down = (x - column)[..., None], (y - row)[..., None]
    above = values[row, column] * (1 - across) + values[row, column + 1] * across
    below = values[row + 1, column] * (1 - across) + values[row + 1, column + 1] * across
    return above * (1 - down) + below * down


def projected(number, tile, columns=33, rows=17):
    """What a projector of the cylinder gets of its tile, in code values from 0 to 255: by the formulas of docs/projectors.md and docs/wall-file.md alone."""
    height, width = tile.shape[:2]
    mesh = np.array(cylinder.vertices(cylinder.projector(number, width, height), columns, rows))
    y, x = np.mgrid[0:height, 0:width]
    place = bilinear(mesh, (x + 0.5) * columns / width - 0.5, (y + 0.5) * rows / height - 0.5) * (width, height)
    covered = np.clip(place + 0.5, 0, 1) * np.clip((width, height) - place + 0.5, 0, 1)
    covered = covered[..., 0] * covered[..., 1]
    image = bilinear(tile / 255, np.clip(place[..., 0] - 0.5, 0, width - 1), np.clip(place[..., 1] - 0.5, 0, height - 1))
    light, alone = np.ones(x.shape), np.ones(x.shape)
    for distance in ([place[..., 0]] if number > 0 else []) + ([width - place[..., 0]] if number < 7 else []):
        t = np.clip(distance / CYLINDER_OVERLAP, 0, 1)
        light *= t * t * (3 - 2 * t)
        alone[distance < CYLINDER_OVERLAP] = 0
    black = (alone * covered * BLACK_LIFT ** BLEND_GAMMA)[..., None]
    shown = (light * covered)[..., None] * image ** BLEND_GAMMA
    return 255 * (black + (1 - black) * shown) ** (1 / BLEND_GAMMA)


class Shapes(unittest.TestCase):
    def compare(self, wall, dumps, pictures, whole_only=True, tolerance=0, only=None):
        """Every dumped image that was complete equals the source's part for its tile; returns how many tiles and frames these are."""
        compared = 0
        for node, names in wall.nodes.items():
            lines = shown_lines(dumps[node])
            for name in [name for name in names if only is None or name in only]:
                whole = {line["frame"] for line in lines if line["tile"] == name and line["whole"]}
                partly = {line["frame"] for line in lines if line["tile"] == name and not line["whole"]}
                if whole_only:
                    self.assertEqual(partly, set(), f"{name} showed frames with lines missing")
                for file in sorted((dumps[node] / name).glob("*.png")):
                    if int(file.stem) not in whole or int(file.stem) in partly:
                        continue
                    difference = np.asarray(Image.open(file).convert("RGB")).astype(int) - wall.part(name, pictures[int(file.stem)])
                    self.assertLessEqual(np.abs(difference).max(), tolerance, f"{name} {file.stem}")
                    compared += 1
        return compared

    def play(self, wall, name, seconds):
        server = wall.server("--play", name)
        dumps, clients = {}, []
        for node in wall.nodes:
            dumps[node] = wall.folder / f"dump-{node}"
            shutil.rmtree(dumps[node], ignore_errors=True)
            clients.append(wall.client(node, "--headless", "--dump", dumps[node]))
        time.sleep(seconds)
        stats = wall.call("stats")
        for client in clients:
            self.assertEqual(stop(client), 0)
        self.assertEqual(stop(server), 0)
        return dumps, stats

    def check(self, tiles, nodes, store_options=(), **streaming):
        return self.check_wall(ShapedWall(tiles, nodes, **streaming), store_options)

    def check_wall(self, wall, store_options=()):
        tiles = wall.tiles
        pictures = make_source(wall.folder / "source", wall.picture, 20)
        store = wall.ingest(wall.folder / "source", "noise", "--rate", "30", *store_options)
        self.assertEqual(run(program("wall-ingest"), "--verify", store).returncode, 0)
        self.assertEqual(sorted(file.stem for file in store.glob("*.npy") if file.stem != "checksums"), sorted(tiles))
        dumps, stats = self.play(wall, "noise", 4)
        compared = self.compare(wall, dumps, pictures)
        self.assertEqual(compared, len(tiles) * 20)
        for node in stats["nodes"]:
            for flow in node["report"]["flows"]:
                self.assertEqual(flow["lost"], 0)
                self.assertGreater(flow["used"], 0)
        return wall

    WING_NODES = {"wings": ["wing-left", "wing-right"], "top": ["top-left", "top-middle", "top-right"], "bottom": ["bottom-left", "bottom-middle", "bottom-right"]}

    def test_landscape_panels_between_portrait_wings(self):
        self.check(WINGS, self.WING_NODES, flows_per_tile=2, mtu=1500)

    def test_unequal_bezels(self):
        self.check(BEZELS, {"a": ["first", "second"], "b": ["third", "fourth"]})

    def test_a_cave_of_four_walls_as_packets(self):
        nodes = {"left": ["left"], "front": ["front"], "right": ["right"], "floor": ["floor-left", "floor-right"]}
        self.check(CAVE, nodes, store_options=("--packets", "1500"), packet_layout="slots", mtu=1500, flows_per_tile=3)

    def screen(self, size):
        """A virtual display of this size; returns its number."""
        ready, display = os.pipe()
        server = start("Xvfb", "-displayfd", display, "-screen", "0", f"{size}x24", "-noreset", "-nolisten", "tcp", pass_fds=[display], stderr=subprocess.DEVNULL)
        self.addCleanup(stop, server)
        return os.read(ready, 16).decode().strip()

    def check_blocks(self, wall):
        """A wall of compressed blocks: the dumps are what Pillow decodes, tile by tile, as those of projectors overlap."""
        pixel_format = wall.streaming["pixel_format"]
        make_source(wall.folder / "source", wall.picture, 10)
        store = wall.ingest(wall.folder / "source", "blocks", "--rate", "30")
        dumps, _ = self.play(wall, "blocks", 4)
        compared = 0
        for name, (_, _, width, height, _) in wall.tiles.items():
            stripe = np.load(store / f"{name}.npy")
            padded = (-(-width // 4) * 4, -(-height // 4) * 4)
            pictures = [np.zeros((wall.picture[1], wall.picture[0], 3), dtype=np.uint8) for _ in range(10)]
            for frame, blocks in enumerate(stripe["frame"] if stripe.dtype.names else stripe):
                image = Image.frombytes("RGBA", padded, blocks.tobytes(), "bcn", BLOCK_DECODERS[pixel_format]).convert("RGB")
                wall.part(name, pictures[frame])[:] = np.asarray(image)[:height, :width]
            compared += self.compare(wall, dumps, pictures, tolerance=BLOCK_TOLERANCES[pixel_format], only=[name])
        self.assertEqual(compared, len(wall.tiles) * 10)

    def test_blocks_on_tiles_of_different_sizes(self):
        self.check_blocks(ShapedWall(BEZELS, {"a": ["first", "second"], "b": ["third", "fourth"]}, pixel_format="bc7", flows_per_tile=3, mtu=1500))

    def test_what_is_shown_as_complete_under_loss_is_what_was_meant(self):
        self.check_under_loss(ShapedWall(WINGS, self.WING_NODES, flows_per_tile=2, mtu=1500, playout_delay_ms=300))

    def check_under_loss(self, wall):
        pictures = make_source(wall.folder / "source", wall.picture, 20)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        file, command = self.behind_loss(wall)
        relay = start(*command, stdout=subprocess.DEVNULL)
        self.addCleanup(stop, relay)
        here, wall.file = wall.file, file
        server = wall.server("--play", "noise")
        wall.file = here
        dumps, clients = {}, []
        for node in wall.nodes:
            dumps[node] = wall.folder / f"dump-{node}"
            clients.append(wall.client(node, "--headless", "--dump", dumps[node]))
        time.sleep(6)
        stats = wall.call("stats")
        for client in clients:
            self.assertEqual(stop(client), 0)
        self.assertEqual(stop(server), 0)
        lost = sum(flow["repaired"] + flow["rebuilt"] + flow["lost"] for node in stats["nodes"] for flow in node["report"]["flows"])
        self.assertGreater(lost, 20, "the path lost nothing")
        compared = self.compare(wall, dumps, pictures, whole_only=False)
        self.assertGreater(compared, len(wall.tiles) * 15)

    def test_projectors_on_a_cylinder(self):
        self.check_wall(cylinder_wall(flows_per_tile=2, mtu=1500))

    def test_projectors_on_a_cylinder_without_loss_of_quality(self):
        self.check_wall(cylinder_wall(pixel_format="lossless", flows_per_tile=2, mtu=1500))

    def test_projectors_on_a_cylinder_with_10_bits(self):
        """Read with 8: the upper half of the dump's 16 bits."""
        wall = cylinder_wall(pixel_format="rgb10", mtu=1500)
        pictures = make_source(wall.folder / "source", wall.picture, 10)
        wall.ingest(wall.folder / "source", "deep", "--rate", "30")
        dumps, _ = self.play(wall, "deep", 4)
        self.assertEqual(self.compare(wall, dumps, pictures, tolerance=1), len(CYLINDER) * 10)

    def test_lossless_panels_between_wings_under_loss(self):
        """A lost packet spoils the chunks that it carries a part of, and nothing else."""
        self.check_under_loss(ShapedWall(WINGS, self.WING_NODES, pixel_format="lossless", flows_per_tile=2, mtu=1500, playout_delay_ms=300))

    def test_projectors_on_a_cylinder_as_packets(self):
        self.check_wall(cylinder_wall(packet_layout="slots", mtu=1500), ("--packets", "1500"))

    def test_projectors_on_a_cylinder_as_blocks(self):
        for pixel_format in BLOCK_DECODERS:
            with self.subTest(pixel_format):
                self.check_blocks(cylinder_wall(pixel_format=pixel_format, mtu=1500))

    def test_projectors_on_a_cylinder_in_ycbcr_within_rounding(self):
        for pixel_format in ("ycbcr422-8", "ycbcr422-10"):
            with self.subTest(pixel_format):
                wall = cylinder_wall(pixel_format=pixel_format, mtu=1500)
                # Smooth horizontally, since 4:2:2 halves the chroma.
                (wall.folder / "source").mkdir()
                y, x = np.mgrid[0:wall.picture[1], 0:wall.picture[0]]
                pictures = [np.stack([x * 255 // wall.picture[0], y * 255 // wall.picture[1], x * 128 // wall.picture[0] + y + frame * 2], axis=-1).astype(np.uint8) for frame in range(10)]
                for frame, picture in enumerate(pictures):
                    Image.fromarray(picture).save(wall.folder / "source" / f"{frame:05d}.png")
                wall.ingest(wall.folder / "source", "smooth", "--rate", "30")
                dumps, _ = self.play(wall, "smooth", 4)
                self.assertEqual(self.compare(wall, dumps, pictures, tolerance=4), len(CYLINDER) * 10)

    def test_projectors_on_a_cylinder_under_loss(self):
        self.check_under_loss(cylinder_wall(flows_per_tile=2, mtu=1500, playout_delay_ms=300))

    @unittest.skipUnless(shutil.which("Xvfb"), "no virtual display")
    def test_projectors_on_a_cylinder_get_what_the_formulas_say(self):
        wall = cylinder_wall({"all": list(CYLINDER)})
        y, x = np.mgrid[0:wall.picture[1], 0:wall.picture[0]]
        picture = np.stack([127 + 120 * np.sin(x / 23), 127 + 120 * np.cos(y / 17), 40 + 200 * x / wall.picture[0]], axis=-1).astype(np.uint8)
        (wall.folder / "source").mkdir()
        Image.fromarray(picture).save(wall.folder / "source" / "00000.png")
        wall.ingest(wall.folder / "source", "still", "--rate", "30")
        number = self.screen("960x76")
        self.addCleanup(stop, wall.server("--play", "still"))
        dump = wall.folder / "dump"
        client = wall.client("all", "--windows", "each", "--dump", dump, env={**os.environ, "DISPLAY": f":{number}"})
        expected = np.concatenate([projected(at, wall.part(name, picture)) for at, name in enumerate(CYLINDER)], axis=1)
        grab = lambda: np.asarray(ImageGrab.grab(xdisplay=f":{number}").convert("RGB"))
        # Dithering is nearly a code value.
        wait_until(lambda: np.abs(grab() - expected).max() < 1.1, 30, "the projectors to show the image")
        self.assertEqual(stop(client), 0)
        for name in CYLINDER:
            for file in (dump / name).glob("*.png"):
                np.testing.assert_array_equal(np.asarray(Image.open(file).convert("RGB")), wall.part(name, picture))

    def test_warps_of_the_example_are_those_of_the_formula(self):
        folder = pathlib.Path(__file__).resolve().parents[2] / "walls/cylinder-8"
        made = ShapedWall(BEZELS, {"all": list(BEZELS)}).folder
        cylinder.write(made, 1920, 1200)
        self.assertEqual(len(list(folder.iterdir())), cylinder.COUNT)
        for file in folder.iterdir():
            checked_in, computed = file.read_bytes(), (made / file.name).read_bytes()
            header = checked_in.index(b"-1.0\n") + 5
            self.assertEqual(checked_in[:header], computed[:header])
            np.testing.assert_allclose(np.frombuffer(checked_in[header:], "<f4"), np.frombuffer(computed[header:], "<f4"), rtol=0, atol=1e-6)

    def behind_loss(self, wall):
        """A relay that loses packets in the way of all flows: the server's wall file, and the relay's command."""
        file = wall.folder / "server.toml"
        file.write_text(wall.file.read_text().replace('address = "127.0.0.1"', 'address = "127.0.0.3"'))
        first, last = wall.streaming["base_port"], wall.streaming["base_port"] + 2 * wall.flows - 1
        return file, [program("wall-probe"), "impair", "--listen", f"127.0.0.3:{first}-{last}", "--to", f"127.0.0.1:{first}",
                      "--from", f"127.0.0.1:{wall.streaming['source_port'] - 10000}", "--loss-percent", "1"]

    @unittest.skipUnless(shutil.which("Xvfb"), "no virtual display")
    def test_turned_panels_get_turned_pixels(self):
        tiles = {name: BEZELS["first"][:4] + (turn,) if turn % 180 == 0 else (turn * 4, 200, 100, 160, turn) for name, turn in
                 (("upright", 0), ("clockwise", 90), ("back", 270))}
        tiles["head"] = (400, 0, 128, 81, 180)
        wall = ShapedWall(tiles, {"all": list(tiles)})
        picture = make_source(wall.folder / "source", wall.picture, 1)[0]
        wall.ingest(wall.folder / "source", "still", "--rate", "30")
        number = self.screen("800x400")
        self.addCleanup(stop, wall.server("--play", "still"))
        dump = wall.folder / "dump"
        for windows, where in (("one", ""), ("each", ""), ("one", "monitor = 0, "), ("each", "monitor = 0, ")):
            with self.subTest(windows=windows, where=where):
                wall.where = where
                wall.write()
                client = wall.client("all", "--windows", windows, "--dump", dump, env={**os.environ, "DISPLAY": f":{number}"})
                grab = lambda: np.asarray(ImageGrab.grab(xdisplay=f":{number}").convert("RGB"))
                expected, at = np.zeros((400, 800, 3), dtype=np.uint8), 0
                for name, (_, _, _, _, turn) in tiles.items():
                    # A panel that was turned clockwise has its own top on the right: its pixels are turned back.
                    panel = np.rot90(wall.part(name, picture), turn // 90)
                    self.assertEqual(panel.shape[1::-1], wall.panel(name))
                    expected[:panel.shape[0], at:at + panel.shape[1]] = panel
                    at += panel.shape[1]
                wait_until(lambda: np.array_equal(grab(), expected), 30, "the panels to show the image")
                self.assertEqual(stop(client), 0)
                for name in tiles:  # dumps are as the audience sees the tile
                    dumped = list((dump / name).glob("*.png"))
                    self.assertEqual(len(dumped), 1)
                    for file in dumped:
                        np.testing.assert_array_equal(np.asarray(Image.open(file).convert("RGB")), wall.part(name, picture))

    def test_other_programs_name_the_tiles(self):
        wall = ShapedWall(BEZELS, {"a": ["first", "second"], "b": ["third", "fourth"]})
        make_source(wall.folder / "source", wall.picture, 5)
        store = wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        manifest = json.loads((store / "visualization.json").read_text())
        self.assertEqual(manifest["version"], 2)
        self.assertEqual(manifest["geometry"], {"tiles": [dict(zip(("name", "x", "y", "width", "height"), (name, *place[:4]))) for name, place in BEZELS.items()]})
        self.assertEqual(np.load(store / "third.npy", mmap_mode="r").dtype["frame"].shape, (81, 128 * 3))
        plan = json.loads(run(program("wall-server"), "--wall", wall.file, "--content", wall.content, "--play", "noise", "--plan", "--json").stdout)[0]
        self.assertEqual([tile["tile"] for tile in plan["needs"]["tiles"]], list(BEZELS))
        sdp = run(program("wall-server"), "--wall", wall.file, "--content", wall.content, "--sdp", wall.folder / "sdp")
        self.assertEqual(sdp.returncode, 0, sdp.stderr)
        texts = [file.read_text() for file in sorted((wall.folder / "sdp").iterdir())]
        self.assertTrue(any("tile third rows 0-80" in text and "width=128; height=81" in text for text in texts), texts)
        server = wall.server("--play", "noise")
        self.addCleanup(stop, server)
        told = wall.call("info")["wall"]
        self.assertEqual((told["columns"], told["rows"]), (4, 1))
        self.assertEqual(told["tiles"][2], {"name": "third", "x": 404, "y": 7, "width": 128, "height": 81, "rotation": 180})
        metrics = lambda: urllib.request.urlopen(f"http://{wall.control}/metrics", timeout=10).read().decode()
        wait_until(lambda: 'flow="2",tile="third"' in metrics(), 10, "the tile's name in the metrics")
        entry = wall.call("list")["visualizations"][0]
        self.assertEqual((entry["fits"], entry["width"], entry["height"]), (True, *wall.picture))
        moved = {**BEZELS, "third": (406, 7, 128, 81, 180)}
        other = ShapedWall(moved, wall.nodes)
        refused = run(program("wall-server"), "--wall", other.file, "--content", wall.content, "--play", "noise", "--plan")
        self.assertIn("made for a wall with tile 'third' of 128x81 at 404, 7, but this wall has 'third' of 128x81 at 406, 7", refused.stdout + refused.stderr)


if __name__ == "__main__":
    unittest.main()
