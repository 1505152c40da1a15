"""Stores written from Python are those of wall-ingest, byte for byte, and play; killed writers continue; reads give the frames back."""

import os
import pathlib
import random
import subprocess
import sys
import time
import unittest

import made  # noqa: F401  (sets sys.path)
import numpy as np
from made import RGB, content_of, frames_of, random_case, write_picture, write_y4m
from PIL import Image

import lambdawall
import real_time
from pictures import BLOCK_DECODERS, BLOCK_TOLERANCES, compare_dumps, make_source
from wall import Wall, program, run, start, stop, wait_until

WRITER = """
import sys, time
sys.path[:0] = {paths!r}
import made, lambdawall
frames = made.frames_of(({width}, {height}), {frames}, "rgb8")
with lambdawall.StoreWriter({out!r}, "waves", {wall!r}, frames={frames}, shard={shard!r}) as store:
    print("from", store.next_frame, flush=True)
    for number in store.remaining:
        store.write(frames[number])
        if {flush} and number % 3 == 0:
            store.flush()
        time.sleep({pause})
"""


def same_rgb(a, b):
    return len(a) == len(b) and all(np.array_equal(one, other) for one, other in zip(a, b))


class Written(unittest.TestCase):
    stall_max_s = float("inf")  # nothing in real time

    def write(self, wall, disks, name, frames, **options):
        with lambdawall.StoreWriter(disks, name, wall.file, frames=len(frames), **options) as store:
            for frame in frames:
                store.write(frame)
        return store.folder

    def disks(self, wall, count, prefix):
        disks = [wall.folder / f"{prefix}{number}" for number in range(count)]
        for disk in disks:
            disk.mkdir()
        return disks

    def import_it(self, wall, disks, frames, options):
        pixel_format, source = options["pixel_format"], wall.folder / "source"
        if pixel_format in RGB:
            source.mkdir()
            for number, frame in enumerate(frames):
                write_picture(source, number, frame)
        else:
            source = source.with_suffix(".y4m")
            write_y4m(source, frames, pixel_format)
        words = [f"--{key}={options[key]}" for key in ("copies", "packets") if key in options]
        result = run(program("wall-ingest"), source, "--wall", wall.file, "--out", ",".join(map(str, disks)), "--name", "waves", "--rate", "30",
                     "--format", pixel_format, "--title", "Wellen ü", "--description", "of \"water\"\n", "--tag", "a", "--tag", "b", *words)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_random_stores_are_those_of_wall_ingest(self):
        for seed in range(int(os.environ.get("LW_SEEDS", 12))):
            shape, count, length, options = random_case(random.Random(seed))
            with self.subTest(seed=seed, shape=shape, disks=count, frames=length, **options):
                wall = Wall(**shape)
                frames = frames_of(wall.picture, length, options["pixel_format"], seed)
                theirs, ours = self.disks(wall, count, "theirs"), self.disks(wall, count, "ours")
                self.import_it(wall, theirs, frames, options)
                folder = self.write(wall, ours, "waves", frames, title="Wellen ü", description='of "water"\n', tags=["a", "b"], **options)
                for their, our in zip(theirs, ours):
                    self.assertEqual(sorted(content_of(their / "waves")), sorted(content_of(our / "waves")))
                    for name, content in content_of(their / "waves").items():
                        self.assertTrue(content == content_of(our / "waves")[name], f"{name} differs")
                self.check_reading(folder, frames)

    def check_reading(self, folder, frames):
        verified = run(program("wall-ingest"), "--verify", folder)
        self.assertEqual(verified.returncode, 0, verified.stderr)
        with lambdawall.Store(folder) as store:
            self.assertEqual(store.verify(), [])
            g = store.geometry
            if store.manifest.pixel_format in BLOCK_TOLERANCES:
                self.check_blocks(store, len(frames))
                return
            for number, frame in enumerate(frames):
                for tile in range(g.tiles):
                    x, y = g.place(tile)
                    for got, sent in zip(*(part if isinstance(part, tuple) else (part,) for part in (store.tile(number, *g.cell(tile)), frame))):
                        left, width = (x, g.tile_width) if sent.shape[1] == g.width else (x // 2, g.tile_width // 2)
                        self.assertTrue(np.array_equal(got, sent[y:y + g.tile_height, left:left + width]))

    def check_blocks(self, store, count):
        """Frames are as another program decodes them."""
        g, pixel_format = store.geometry, store.manifest.pixel_format
        padded = (-(-g.tile_width // 4) * 4, -(-g.tile_height // 4) * 4)
        for number in range(count):
            whole = np.zeros((g.height, g.width, 3), dtype=np.uint8)
            for tile in range(g.tiles):
                image = Image.frombytes("RGBA", padded, store._pixels(number, tile).tobytes(), "bcn", BLOCK_DECODERS[pixel_format]).convert("RGB")
                x, y = g.place(tile)
                part = np.asarray(image)[:g.tile_height, :g.tile_width]
                whole[y:y + g.tile_height, x:x + g.tile_width] = part
                self.assertLessEqual(np.abs(store.tile(number, *g.cell(tile)).astype(int) - part).max(), BLOCK_TOLERANCES[pixel_format])
            self.assertLessEqual(np.abs(store.frame(number).astype(int) - whole).max(), BLOCK_TOLERANCES[pixel_format])

    def test_some_of_the_tiles_are_those_of_wall_ingest(self):
        wall = Wall(2, 2, tile=(40, 30), bezel=(6, 2))
        text = wall.file.read_text().replace('name = "server"', 'name = "server"\ntiles = [{ column = 1 }]')
        other = '[[server]]\nname = "second"\ncontrol = "127.0.0.1:9999"\ninterfaces = ["127.0.0.1"]\n'
        wall.file.write_text(text + other)
        frames = frames_of(wall.picture, 3, "rgb8")
        for number, frame in enumerate(frames):
            (wall.folder / "source").mkdir(exist_ok=True)
            Image.fromarray(frame).save(wall.folder / f"source/{number:04}.png")
        for server in ("server", "second"):
            theirs, ours = self.disks(wall, 1, f"theirs-{server}"), self.disks(wall, 1, f"ours-{server}")
            result = run(program("wall-ingest"), wall.folder / "source", "--wall", wall.file, "--out", theirs[0], "--name", "waves", "--server", server)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.write(wall, ours, "waves", frames, tiles=lambdawall.Wall.load(wall.file).tiles_of(server))
            self.assertEqual(content_of(theirs[0] / "waves"), content_of(ours[0] / "waves"))

    def test_a_killed_writer_continues_and_is_not_playable_before(self):
        wall, rng = Wall(2, 1, tile=(50, 33), bezel=(4, 0)), random.Random(5)
        once, again = self.disks(wall, 2, "once"), self.disks(wall, 2, "again")
        frames = frames_of(wall.picture, 40, "rgb8")
        self.write(wall, once, "waves", frames)
        kills = 0
        for _ in range(60):
            process = self.writer(wall, again, 40, pause=0.05)
            self.assertRegex(process.stdout.readline(), "^from ")
            time.sleep(rng.uniform(0.05, 0.8))
            if process.poll() is None:
                process.kill()
                kills += 1
            if process.wait(30) == 0 or (again[0] / "waves").exists():
                break
            self.assertNotEqual(run(program("wall-ingest"), "--verify", again[0] / "waves").returncode, 0)
            with self.assertRaises(lambdawall.InvalidStore):
                lambdawall.Store(again[0] / "waves")
        self.assertGreater(kills, 1)
        self.assertTrue((again[0] / "waves").exists(), "it never came to its end")
        for one, two in zip(once, again):
            self.assertEqual(content_of(one / "waves"), content_of(two / "waves"))
            self.assertEqual([entry.name for entry in two.iterdir() if entry.name.startswith(".waves")], [])

    def test_a_half_written_store_cannot_be_played(self):
        wall = Wall(2, 1, tile=(50, 33))
        frames, disks = frames_of(wall.picture, 4, "rgb8"), [wall.content, wall.folder / "second"]
        disks[1].mkdir()
        server = wall.server()
        with lambdawall.StoreWriter(disks, "waves", wall.file, frames=4, growing=False) as store:
            for frame in frames:
                store.write(frame)
                store.flush()
                listed = wall.call("list")
                self.assertEqual((listed["visualizations"], listed["rejected"]), ([], []))
                with self.assertRaises(RuntimeError):
                    wall.call("load", name="waves")
                with self.assertRaises(RuntimeError):
                    wall.call("load", name=".waves.partial")
        self.assertEqual(wall.call("load", name="waves")["frames"], 4)
        self.assertEqual(stop(server), 0)

    def test_a_store_plays_as_far_as_it_is_while_it_is_written(self):
        wall = Wall(2, 1, tile=(50, 33))
        frames, disks = frames_of(wall.picture, 12, "rgb8"), [wall.content, wall.folder / "second"]
        disks[1].mkdir()
        server = wall.server()
        with lambdawall.StoreWriter(disks, "waves", wall.file) as store:
            for number, frame in enumerate(frames):
                if number == 7:  # interrupted, and continued
                    store.close()
                    store = lambdawall.StoreWriter(disks, "waves", wall.file)
                    self.assertEqual(store.next_frame, 7)
                store.write(frame)
                store.flush()
                (listed,) = wall.call("list")["visualizations"]
                self.assertEqual((listed["name"], listed["frames"], listed["growing"]), ("waves", number + 1, True))
                if number == 0:
                    wall.call("load", name="waves")
                wait_until(lambda: wall.call("state")["frames"] == number + 1, 10, "the new frame")
            store.finish()
        wait_until(lambda: "growing" not in wall.call("state"), 10, "the complete store")
        self.assertEqual(wall.call("state")["frames"], 12)
        self.assertEqual([entry.name for disk in disks for entry in disk.iterdir() if entry.name.startswith(".waves")], [])
        self.assertEqual(run(program("wall-ingest"), "--verify", wall.content / "waves").returncode, 0)
        self.assertEqual(stop(server), 0)

    def writer(self, wall, disks, frames, shard=None, pause=0.01):
        width, height = wall.picture
        text = WRITER.format(paths=[str(pathlib.Path(made.__file__).parent), *sys.path[:2]], width=width, height=height, frames=frames, shard=shard,
                             out=[str(disk) for disk in disks], wall=str(wall.file), flush=True, pause=pause)
        return start(sys.executable, "-c", text, stdout=subprocess.PIPE, text=True)

    def test_several_processes_make_the_bytes_of_one(self):
        wall = Wall(2, 2, tile=(44, 30), bezel=(4, 4))
        alone, shared = self.disks(wall, 2, "alone"), self.disks(wall, 2, "shared")
        frames = frames_of(wall.picture, 23, "rgb8")
        self.write(wall, alone, "waves", frames)
        killed = self.writer(wall, shared, 23, shard=(2, 3), pause=0.3)
        wait_until(lambda: (shared[0] / ".waves.partial/shard-2-of-3.json").exists(), 30, "the shard's journal")
        killed.kill()
        killed.wait(10)
        join = lambda: lambdawall.StoreWriter.join(shared, "waves", wall.file, frames=23)
        with self.assertRaisesRegex(lambdawall.InvalidInput, "shard 1 of 3, 2 of 3, 3 of 3"):
            join()
        processes = [self.writer(wall, shared, 23, shard=(number, 3)) for number in (3, 1, 2)]
        self.assertEqual([process.wait(60) for process in processes], [0, 0, 0])
        starts = [int(process.stdout.read().split()[1]) for process in processes]
        self.assertEqual(starts[:2], [15, 0])
        self.assertGreater(starts[2], 7, "the killed shard began again")
        self.assertFalse((shared[0] / "waves").exists())
        join()
        for one, two in zip(alone, shared):
            self.assertEqual(content_of(one / "waves"), content_of(two / "waves"))

    def test_a_damaged_shard_is_named_and_written_again(self):
        wall = Wall(1, 1, tile=(44, 30))
        (disk,), frames = self.disks(wall, 1, "disk"), frames_of(wall.picture, 6, "rgb8")

        def shard(number):
            with lambdawall.StoreWriter(disk, "waves", wall.file, frames=6, shard=(number, 2)) as store:
                for frame in store.remaining:
                    store.write(frames[frame])

        shard(1)
        shard(2)
        file = disk / ".waves.partial/tile-0-0.npy"
        content = bytearray(file.read_bytes())
        content[4096 * (1 + 4) + 17] ^= 1  # a record is 4096 bytes
        file.write_bytes(content)
        with self.assertRaisesRegex(lambdawall.InvalidStore, r"frame 4 .* write shard \(2, 2\) again"):
            lambdawall.StoreWriter.join(disk, "waves", wall.file, frames=6)
        shard(2)
        self.check_reading(lambdawall.StoreWriter.join(disk, "waves", wall.file, frames=6), frames)

    def test_wall_ingest_and_the_package_take_turns_at_a_name(self):
        wall = Wall(1, 1, tile=(44, 30))
        (disk,), frames = self.disks(wall, 1, "disk"), frames_of(wall.picture, 4, "rgb8")
        import_it = lambda *options: run(program("wall-ingest"), "lavfi:testsrc2=size=44x30:rate=30", "--frames", 4, "--wall", wall.file, "--out", disk, "--name", "waves", *options)
        with lambdawall.StoreWriter(disk, "waves", wall.file, frames=4) as store:
            busy = import_it()
            self.assertEqual(busy.returncode, 1)
            self.assertIn("is writing", busy.stderr)
            with self.assertRaises(lambdawall.StoreBusy):
                lambdawall.StoreWriter(disk, "waves", wall.file, frames=4)
            for frame in frames:
                store.write(frame)
        self.check_reading(disk / "waves", frames)
        with self.assertRaises(lambdawall.StoreExists):
            lambdawall.StoreWriter(disk, "waves", wall.file, frames=4)
        self.assertEqual(import_it("--overwrite").returncode, 0)
        self.write(wall, disk, "waves", frames, overwrite=True)
        self.check_reading(disk / "waves", frames)
        self.assertEqual([entry.name for entry in disk.iterdir()], ["waves"])

    def test_damage_is_found(self):
        wall = Wall(2, 1, tile=(44, 30))
        disks, frames = self.disks(wall, 2, "disk"), frames_of(wall.picture, 5, "rgb8")
        folder = self.write(wall, disks, "waves", frames, copies=2)
        file = disks[0] / "waves/tile-1-0.copy.npy"  # stripe 1: frames 0, 2, 4 of tile 1
        content = bytearray(file.read_bytes())
        content[4096 * 2 + 100] ^= 0x10
        file.write_bytes(content)
        with lambdawall.Store(folder) as store:
            self.assertEqual([(damage.frame, damage.tile, damage.file.resolve()) for damage in store.verify()], [(2, (1, 0), file.resolve())])
        verified = run(program("wall-ingest"), "--verify", folder)
        self.assertIn("frame 2 of tile 1,0 is damaged", verified.stderr)


class Played(unittest.TestCase):
    def play(self, pixel_format, tolerance, **options):
        wall = Wall(2, 1, tile=(160, 100), bezel=(12, 0), rate="15", **({"packet_layout": "slots", "mtu": 1500} if "packets" in options else {}))
        pictures = make_source(wall.folder / "source", wall.picture, 15)
        if pixel_format != "rgb8":  # nodes interpolate chroma along a row: each row has one colour
            pictures = [np.repeat(picture[:, :1], picture.shape[1], axis=1) for picture in pictures]
        second = wall.folder / "second"
        second.mkdir()
        with lambdawall.StoreWriter([wall.content, second], "waves", wall.file, frames=15, pixel_format=pixel_format, **options) as store:
            for picture in pictures:
                store.write(picture if pixel_format == "rgb8" else lambdawall.ycbcr_from_rgb(picture, made.BITS[pixel_format]))
        server = wall.server("--play", "waves")
        dumps = {node: wall.folder / f"dump-{node}" for node in wall.nodes}
        clients = [wall.client(node, "--headless", "--dump", dump) for node, dump in dumps.items()]
        time.sleep(5)
        listed = wall.call("list")["visualizations"][0]
        self.assertEqual((listed["fits"], listed["poster"], listed["thumbnails"]), (True, True, 15))
        self.assertEqual(wall.call("image", name="waves", kind="poster")["mime"], "image/png")
        self.assertEqual([stop(client) for client in clients], [0, 0])
        self.assertEqual(stop(server), 0)
        self.assertEqual(compare_dumps(self, wall, dumps, pictures, 15, tolerance), 2 * 15)

    def test_rgb(self):
        self.play("rgb8", 0)

    def test_packets(self):
        self.play("rgb8", 0, packets=1500)

    def test_ten_bits(self):
        self.play("ycbcr422-10", 2)


if __name__ == "__main__":
    real_time.main()
