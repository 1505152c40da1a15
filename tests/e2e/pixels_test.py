"""What the tiles show equals the source, pixel for pixel: the whole way from files to swaps, with the real programs.

The source is written by NumPy/PIL here; the dumps are what the clients read back after each swap.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

import numpy as np
from PIL import Image, ImageGrab

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import BLOCK_TOLERANCES, compare_dumps, decoded_blocks, make_source, shown_lines  # noqa: E402
from wall import SANITIZED, Wall, in_windows, program, run, start, stop, stop_in_windows, wait_until  # noqa: E402


class Pixels(unittest.TestCase):
    def play(self, wall, name, seconds, headless=True, options=()):
        server = wall.server("--play", name)
        dumps, clients = {}, []
        for node in wall.nodes:
            dumps[node] = wall.folder / f"dump-{node}"
            command = [program("wall-client"), "--wall", str(wall.file), "--node", node, "--dump", str(dumps[node])]
            clients.append(start(*(command + ["--headless"] if headless else in_windows([*command, *options]))))
        time.sleep(seconds)
        stats = wall.call("stats")
        self.told = [event["text"] for event in wall.call("subscribe", stats=False)["events"]]
        if headless:
            for client in clients:
                self.assertEqual(stop(client), 0)
        else:
            for client in clients:
                stop_in_windows(client)
        self.assertEqual(stop(server), 0)
        return dumps, stats

    def check_ledger(self, wall, stats):
        self.assertEqual(len(stats["nodes"]), len(wall.nodes))
        for node in stats["nodes"]:
            for flow in node["report"]["flows"]:
                self.assertEqual(flow["lost"], 0)
                self.assertGreater(flow["used"], 0)
                self.assertEqual(flow["packets"], flow["used"] + flow["duplicates"] + flow["late"] + flow["invalid"] + flow["parity"])
            for tile in node["report"]["tiles"]:
                self.assertEqual(tile["frames_due"], tile["shown_whole"] + tile["shown_concealed"] + tile["not_shown"])

    def test_2x2_with_bezels_over_ten_seconds(self):
        wall = Wall(2, 2, tile=(160, 100), bezel=(12, 8))
        pictures = make_source(wall.folder / "source", wall.picture, 60)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        dumps, stats = self.play(wall, "noise", 11)
        self.assertEqual(compare_dumps(self, wall, dumps, pictures, 60), 4 * 60)
        self.check_ledger(wall, stats)

    def test_3x1_with_three_flows_per_tile_odd_sizes_and_two_stripes(self):
        wall = Wall(3, 1, tile=(162, 101), bezel=(7, 0), flows_per_tile=3, mtu=1500, rate="25", nodes={"a": [(0, 0), (1, 0)], "b": [(2, 0)]})
        pictures = make_source(wall.folder / "source", wall.picture, 25)
        other_disk = wall.folder / "second-disk"
        other_disk.mkdir()
        wall.ingest(wall.folder / "source", "odd", "--rate", "25", out=f"{wall.content},{other_disk}")
        dumps, stats = self.play(wall, "odd", 4)
        self.assertEqual(compare_dumps(self, wall, dumps, pictures, 25), 3 * 25)
        self.check_ledger(wall, stats)

    @unittest.skipUnless(shutil.which("xvfb-run"), "no virtual display")
    def test_windows_show_the_same_pixels(self):
        wall = Wall(2, 1, tile=(160, 100), bezel=(10, 0), rate="15", nodes={"both": [(0, 0), (1, 0)]})
        pictures = make_source(wall.folder / "source", wall.picture, 15)
        wall.ingest(wall.folder / "source", "noise", "--rate", "15")
        dumps, _ = self.play(wall, "noise", 8, headless=False)
        self.assertEqual(compare_dumps(self, wall, dumps, pictures, 15), 2 * 15)

    @unittest.skipIf(SANITIZED, "takes half a minute; unit.wall-client.gl uploads in every way under sanitizers, too")
    @unittest.skipUnless(shutil.which("xvfb-run"), "no virtual display")
    def test_windows_show_the_same_pixels_however_they_are_uploaded(self):
        wall = Wall(2, 1, tile=(160, 100), bezel=(10, 0), rate="15", nodes={"both": [(0, 0), (1, 0)]}, flows_per_tile=2)
        pictures = make_source(wall.folder / "source", wall.picture, 15)
        wall.ingest(wall.folder / "source", "noise", "--rate", "15")
        for number, (upload, windows) in enumerate((("client", "one"), ("mapped", "each"), ("pinned", "each"), ("driver", "one"))):
            with self.subTest(upload=upload, windows=windows):
                dumps, _ = self.play(wall, "noise", 6, headless=False, options=("--upload", upload, "--windows", windows))
                self.assertEqual(compare_dumps(self, wall, dumps, pictures, 15), 2 * 15)
            for dump in dumps.values():
                dump.rename(dump.with_name(f"{dump.name}-{number}"))

    @unittest.skipUnless(shutil.which("Xvfb"), "no virtual display")
    def test_one_window_shows_all_tiles_at_their_places(self):
        wall = Wall(2, 2, tile=(160, 100), bezel=(10, 6), nodes={"all": [(c, r) for r in (0, 1) for c in (0, 1)]})
        picture = make_source(wall.folder / "source", wall.picture, 1)[0]
        wall.ingest(wall.folder / "source", "still", "--rate", "30")
        ready, display = os.pipe()
        server = start("Xvfb", "-displayfd", display, "-screen", "0", "600x400x24", "-nolisten", "tcp", pass_fds=[display], stderr=subprocess.DEVNULL)
        self.addCleanup(stop, server)
        number = os.read(ready, 16).decode().strip()
        self.addCleanup(stop, wall.server("--play", "still"))
        client = wall.client("all", "--windows", "one", env={**os.environ, "DISPLAY": f":{number}"})
        tiles = lambda: [tile for node in wall.call("stats")["nodes"] for tile in node.get("report", {}).get("tiles", [])]
        wait_until(lambda: len(tiles()) == 4 and all(tile["shown_whole"] > 4 for tile in tiles()), 20, "frames to be shown")
        screen = np.asarray(ImageGrab.grab(xdisplay=f":{number}").convert("RGB"))
        self.assertEqual(stop(client), 0)
        expected = np.zeros_like(screen)
        for column, row in wall.nodes["all"]:
            x0, y0, x1, y1 = wall.tile_box(column, row)
            expected[y0:y1, x0:x1] = picture[y0:y1, x0:x1]
        np.testing.assert_array_equal(screen, expected)

    def test_store_written_by_numpy_plays(self):
        wall = Wall(2, 1, tile=(160, 100))
        store = wall.content / "from-numpy"
        store.mkdir()
        rng = np.random.default_rng(3)
        frames = rng.integers(0, 256, (10, 100, 320, 3), dtype=np.uint8)
        for column in range(2):
            np.save(store / f"tile-{column}-0.npy", frames[:, :, column * 160:(column + 1) * 160])
        (store / "visualization.json").write_text(json.dumps({
            "version": 1, "title": "from NumPy", "pixel_format": "rgb8", "frame_rate": "30", "frames": 10, "stripes": ["."],
            "geometry": {"columns": 2, "rows": 1, "tile_width": 160, "tile_height": 100, "bezel_x": 0, "bezel_y": 0}}))
        dumps, _ = self.play(wall, "from-numpy", 4)
        self.assertEqual(compare_dumps(self, wall, dumps, list(frames), 10), 2 * 10)

    def test_numpy_reads_a_stripe(self):
        wall = Wall(2, 1, tile=(160, 100), bezel=(4, 0))
        pictures = make_source(wall.folder / "source", wall.picture, 7)
        store = wall.ingest(wall.folder / "source", "noise")
        for column in range(2):
            stripe = np.load(store / f"tile-{column}-0.npy", mmap_mode="r")
            pixels = stripe["frame"] if stripe.dtype.names else stripe
            x0, y0, x1, y1 = wall.tile_box(column, 0)
            for frame, picture in enumerate(pictures):
                np.testing.assert_array_equal(pixels[frame].reshape(100, 160, 3), picture[y0:y1, x0:x1])

    def test_numpy_reads_a_stripe_of_packets(self):
        wall = Wall(2, 1, tile=(160, 101), bezel=(4, 0), flows_per_tile=2, packet_layout="slots", mtu=1500)
        pictures = make_source(wall.folder / "source", wall.picture, 7)
        store = wall.ingest(wall.folder / "source", "noise", "--packets", "1500")
        self.assertEqual(run(program("wall-ingest"), "--verify", store).returncode, 0)
        for column in range(2):
            stripe = np.load(store / f"tile-{column}-0.npy", mmap_mode="r")
            self.assertEqual(stripe.dtype.names, ("band0", "band1"))
            bands = [stripe[name]["slots"]["pixels"].reshape(len(stripe), -1) for name in stripe.dtype.names]
            rows = (51, 50)
            pixels = np.concatenate([band[:, :count * 160 * 3] for band, count in zip(bands, rows)], axis=1)
            x0, y0, x1, y1 = wall.tile_box(column, 0)
            for frame, picture in enumerate(pictures):
                np.testing.assert_array_equal(pixels[frame].reshape(101, 160, 3), picture[y0:y1, x0:x1])

    def test_a_store_of_packets_plays_as_it_is_and_on_any_other_path(self):
        wall = Wall(2, 1, tile=(160, 101), bezel=(4, 0), flows_per_tile=2, packet_layout="slots", mtu=1500, nodes={"both": [(0, 0), (1, 0)]})
        pictures = make_source(wall.folder / "source", wall.picture, 20)
        wall.ingest(wall.folder / "source", "packets", "--packets", "1500")
        wall.ingest(wall.folder / "source", "rows")
        key = wall.folder / "key"
        key.write_text("0123456789abcdef" * 4 + "\n")
        key.chmod(0o600)
        streaming = wall.streaming
        # The store, the wall that it plays on, and whether it says that the frames are copied.
        for name, path, copies in (("packets", {}, False), ("packets", {"srtp_key_file": str(key)}, False), ("packets", {"fec": "10+2", "burst_packets": 3}, False),
                                   ("rows", {}, False), ("packets", {"mtu": 9000}, True), ("packets", {"packet_layout": "rows"}, True),
                                   ("packets", {"flows_per_tile": 1}, True)):
            with self.subTest(name, **path):
                wall.streaming = {**streaming, **path}
                wall.write()
                shutil.rmtree(wall.folder / "dump-both", ignore_errors=True)
                dumps, stats = self.play(wall, name, 3)
                self.assertEqual(compare_dumps(self, wall, dumps, pictures, 20), 2 * 20)
                self.assertEqual(any("copied out of them" in text for text in self.told), copies, self.told)
                for flow in stats["nodes"][0]["report"]["flows"]:
                    self.assertEqual(flow["lost"], 0)
                    if not copies and "srtp_key_file" not in path:
                        self.assertGreater(flow["in_place"], 0.8 * flow["used"])

    def test_ycbcr_within_rounding(self):
        for pixel_format in ("ycbcr422-8", "ycbcr422-10"):
            with self.subTest(pixel_format):
                wall = Wall(2, 1, tile=(160, 100), pixel_format=pixel_format)
                width, height = wall.picture
                # Smooth horizontally, since 4:2:2 halves the chroma; the remaining difference is rounding.
                folder = wall.folder / "source"
                folder.mkdir()
                y, x = np.mgrid[0:height, 0:width]
                pictures = []
                for frame in range(10):
                    picture = np.stack([x * 255 // width, y * 255 // height, (x * 128 // width + y * 100 // height + frame * 2)], axis=-1).astype(np.uint8)
                    Image.fromarray(picture).save(folder / f"{frame:05d}.png")
                    pictures.append(picture)
                wall.ingest(folder, "smooth", "--rate", "30")
                dumps, _ = self.play(wall, "smooth", 4)
                if pixel_format == "ycbcr422-10":
                    files = sorted(dumps["node-0-0"].glob("tile-0-0/*.png"))
                    self.assertIn(b"IHDR", files[0].read_bytes()[:32])
                    self.assertEqual(files[0].read_bytes()[24], 16, "10-bit content is dumped with 16 bits per channel")
                    self.compare_sixteen(wall, dumps, pictures)
                else:
                    compare_dumps(self, wall, dumps, pictures, 10, tolerance=4)

    def test_rgb_of_10_bits_is_shown_exactly(self):
        for settings in {}, {"packet_layout": "slots", "mtu": 1500}:
            with self.subTest(**settings):
                wall = Wall(2, 1, tile=(160, 100), bezel=(3, 0), pixel_format="rgb10", flows_per_tile=2, **settings)
                rng = np.random.default_rng(10)
                pictures = [rng.integers(0, 1024, (wall.picture[1], wall.picture[0], 3), dtype=np.uint16) for _ in range(10)]
                folder = wall.folder / "source"
                folder.mkdir()
                for number, picture in enumerate(pictures):
                    (folder / f"{number:04}.ppm").write_bytes(f"P6 {wall.picture[0]} {wall.picture[1]} 1023\n".encode() + picture.astype(">u2").tobytes())
                wall.ingest(folder, "noise", "--rate", "30", *(["--packets", "1500"] if settings else []))
                dumps, _ = self.play(wall, "noise", 4)
                self.compare_sixteen(wall, dumps, [picture * (255 / 1023) for picture in pictures], 0.01)

    def compare_sixteen(self, wall, dumps, pictures, tolerance=2.5):
        for node, tiles in wall.nodes.items():
            for column, row in tiles:
                x0, y0, x1, y1 = wall.tile_box(column, row)
                for file in (dumps[node] / f"tile-{column}-{row}").glob("*.png"):
                    raw = run("convert", file, "-depth", "16", "rgb:" + str(wall.folder / "raw"))
                    self.assertEqual(raw.returncode, 0, raw.stderr)
                    got = np.fromfile(wall.folder / "raw", dtype="<u2").reshape(y1 - y0, x1 - x0, 3).astype(float) / 257
                    want = pictures[int(file.stem)][y0:y1, x0:x1].astype(float)
                    self.assertLessEqual(np.abs(got - want).max(), tolerance)

    def test_blocks_are_shown_as_another_program_decodes_them(self):
        # Neither tiles nor bands end where blocks do.
        for pixel_format, tolerance in BLOCK_TOLERANCES.items():
            wall = Wall(2, 1, tile=(162, 101), bezel=(3, 0), flows_per_tile=3, pixel_format=pixel_format, packet_layout="slots", mtu=1500)
            make_source(wall.folder / "source", wall.picture, 10)
            store = wall.ingest(wall.folder / "source", "rows", "--rate", "30")
            wall.ingest(wall.folder / "source", "packets", "--rate", "30", "--packets", "1500")
            pictures = decoded_blocks(wall, store, pixel_format)
            for name in ("rows", "packets"):
                with self.subTest(pixel_format, store=name):
                    for node in wall.nodes:
                        shutil.rmtree(wall.folder / f"dump-{node}", ignore_errors=True)
                    dumps, stats = self.play(wall, name, 4)
                    self.assertEqual(compare_dumps(self, wall, dumps, pictures, 10, tolerance), 2 * 10)
                    self.check_ledger(wall, stats)

    def test_lossless_frames_are_exact(self):
        """Neither tiles nor bands end where chunks do. The pixels go through both kinds of stores, both layouts of packets, encryption and parity."""
        for layout, options in ("slots", {}), ("rows", {"fec": "10+2"}), ("rows", {"srtp_key_file": "key"}):
            wall = Wall(2, 1, tile=(162, 101), bezel=(3, 0), flows_per_tile=3, pixel_format="lossless", packet_layout=layout, mtu=1500, **options)
            key = wall.folder / "key"
            key.write_text("0123456789abcdef" * 4 + "\n")
            key.chmod(0o600)
            pictures = make_source(wall.folder / "source", wall.picture, 10)
            wall.ingest(wall.folder / "source", "rows", "--rate", "30")
            wall.ingest(wall.folder / "source", "packets", "--rate", "30", "--packets", "1500")
            for name in ("rows", "packets"):
                with self.subTest(layout, store=name, **options):
                    self.assertEqual(run(program("wall-ingest"), "--verify", wall.content / name).returncode, 0)
                    for node in wall.nodes:
                        shutil.rmtree(wall.folder / f"dump-{node}", ignore_errors=True)
                    dumps, stats = self.play(wall, name, 4)
                    self.assertEqual(compare_dumps(self, wall, dumps, pictures, 10), 2 * 10)
                    self.check_ledger(wall, stats)
                    for node in stats["nodes"]:
                        self.assertEqual(sum(tile["undecoded"] for tile in node["report"]["tiles"]), 0)

    def wall_at(self, wall_rate, content_rate, delay=None):
        wall = Wall(1, 1, tile=(320, 200), rate=wall_rate, mtu=1500, playout_delay_ms=delay)
        make_source(wall.folder / "source", wall.picture, 10)
        wall.ingest(wall.folder / "source", "noise", "--rate", content_rate)
        return wall

    def plan(self, wall):
        """The time in which a frame is sent, and the messages about the playout delay."""
        plan = json.loads(run(program("wall-server"), "--wall", wall.file, "--content", wall.content, "--play", "noise", "--plan", "--json").stdout)[0]
        return plan["needs"]["send_window_ms"], next(finding for finding in plan["findings"] if finding["what"] == "playout delay")

    def check_rate(self, window_ms, wall_rate, content_rate):
        """Frames are complete, but for those that a busy machine delays, and sent in that time. They once were none of them."""
        wall = self.wall_at(wall_rate, content_rate)
        dumps, stats = self.play(wall, "noise", 3.5)
        for dump in dumps.values():
            whole = [line["whole"] for line in shown_lines(dump)]
            self.assertGreaterEqual(len(whole), 6)
            self.assertGreater(sum(whole), 0.1 * len(whole))
        window, finding = self.plan(wall)
        self.assertEqual((window, finding["verdict"]), (window_ms, "ok"))
        self.assertGreater(stats["nodes"][0]["report"]["flows"][0]["completion_us_p50"], 700 * window_ms)  # spread over that, indeed

    def test_slow_walls_show_complete_frames_by_default(self):
        for rate, window_ms in ("10", 90), ("5", 180):
            with self.subTest(rate=rate):
                self.check_rate(window_ms, rate, rate)

    def test_slow_content_on_a_fast_wall_is_sent_within_its_playout_delay(self):
        self.check_rate(40, "30", "5")  # of 80, so that there is also time for resends

    def test_a_short_playout_delay_is_reported_with_one_that_works(self):
        wall = self.wall_at("5", "5", delay=80)
        works = "playout_delay_ms = 190 or more"
        window, finding = self.plan(wall)
        self.assertEqual((window, finding["verdict"]), (70, "limited"))
        self.assertIn(works, finding["mend"])
        log = wall.folder / "server.log"
        with log.open("w") as errors:
            self.assertEqual(stop(wall.server("--play", "noise", stderr=errors)), 0)
        self.assertIn(works, log.read_text())

    def test_client_dies_and_comes_back_and_server_restarts(self):
        wall = Wall(2, 1, tile=(64, 40))
        make_source(wall.folder / "source", wall.picture, 30)
        wall.ingest(wall.folder / "source", "noise", "--rate", "30")
        early = wall.client("node-0-0", "--headless")  # before the server
        server = wall.server("--play", "noise")
        late = wall.client("node-1-0", "--headless")

        def playing(node, least=5):
            for entry in wall.call("stats")["nodes"]:
                if entry["node"] == node and entry["connected"] and entry.get("report"):
                    return all(tile["shown_whole"] >= least for tile in entry["report"]["tiles"])
            return False
        wait_until(lambda: playing("node-0-0") and playing("node-1-0"), 10, "both nodes playing")
        early.kill()
        early.wait()
        wait_until(lambda: not next(n for n in wall.call("stats")["nodes"] if n["node"] == "node-0-0")["connected"], 5, "the loss of the node")
        again = wall.client("node-0-0", "--headless")
        wait_until(lambda: playing("node-0-0"), 10, "the node that came back")
        server.kill()
        server.wait()
        server = wall.server("--play", "noise")
        wait_until(lambda: playing("node-0-0") and playing("node-1-0"), 10, "play after the server's restart")
        for process in (again, late, server):
            self.assertEqual(stop(process), 0)


if __name__ == "__main__":
    real_time.main(verbosity=2)
