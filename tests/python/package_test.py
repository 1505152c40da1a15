"""The Python package without the programs: its checksum, errors, readers and WebSocket, and that it is typed and formatted."""

import asyncio
import base64
import ctypes
import ctypes.util
import dataclasses
import hashlib
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import tempfile
import unittest
from unittest import mock

import made
import numpy as np
from PIL import Image

import lambdawall
import real_time
from lambdawall import _websocket, blocks, layout, lossless, pixels, tables, xxh3
from pictures import BLOCK_DECODERS, BLOCK_TOLERANCES
from results_maker import Directory, flow

ROOT = made.ROOT
GEOMETRY = lambdawall.Geometry(2, 2, 20, 12, 4, 2)


class Folder(unittest.TestCase):
    stall_max_s = float("inf")  # nothing in real time

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="lambdawall-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def files(self):
        return sorted(str(file.relative_to(self.folder)) for file in self.folder.rglob("*"))


class Checksum(unittest.TestCase):
    def test_it_is_that_of_the_library(self):
        name = ctypes.util.find_library("xxhash")
        if name is None:
            self.skipTest("libxxhash is missing")
        function = ctypes.CDLL(name).XXH3_64bits
        function.restype, function.argtypes = ctypes.c_uint64, [ctypes.c_char_p, ctypes.c_size_t]
        rng = np.random.default_rng(3)
        for size in [*range(300), *rng.integers(300, 20_000, 60), 1024, 1025, 2048, 1 << 16]:
            data = rng.bytes(int(size))
            self.assertEqual(xxh3.checksum(data, library=False), function(data, size), size)
            self.assertEqual(xxh3.checksum(data), function(data, size), size)

    def test_rows_are_independent(self):
        rows = np.random.default_rng(4).integers(0, 256, (5, 4321), dtype=np.uint8)
        self.assertEqual(list(xxh3.checksums(rows, library=False)), [xxh3.checksum(row.tobytes(), library=False) for row in rows])
        self.assertEqual(list(xxh3.checksums(rows[:, ::2], library=False)), list(xxh3.checksums(rows[:, ::2].copy())))


class Pixels(unittest.TestCase):
    def test_packing_loses_nothing(self):
        for name in [name for name, format_ in lambdawall.PIXEL_FORMATS.items() if not format_.has_blocks]:
            for seed in range(20):
                format_, width, height = lambdawall.PIXEL_FORMATS[name], 4 * (seed + 1), seed + 1
                (frame,) = made.frames_of((width, height), 1, name, seed)
                rows = pixels.pack(frame, format_, width, height)
                self.assertEqual(rows.shape, (height, format_.row_bytes(width)))
                back = pixels.unpack(rows, format_, width, height)
                for got, sent in zip(np.atleast_3d(back), np.atleast_3d(frame)) if name in made.RGB else zip(back, frame):
                    np.testing.assert_array_equal(got, sent)

    def test_blocks_decode_as_another_program_does_it(self):
        """All modes of BC7, and both kinds of BC1."""
        rng = np.random.default_rng(8)
        bc7 = rng.integers(0, 256, (8, 2000, 16), dtype=np.uint8)
        for mode in range(8):
            bc7[mode, :, 0] = bc7[mode, :, 0].astype(int) >> mode + 1 << mode + 1 | 1 << mode
        bc7[7, :, 0] = 128
        for name, blocks_ in (("bc7", bc7.reshape(-1, 16)), ("bc1", rng.integers(0, 256, (16_000, 8), dtype=np.uint8))):
            size = (4, 4 * len(blocks_))
            theirs = np.asarray(Image.frombytes("RGBA", size, blocks_.tobytes(), "bcn", BLOCK_DECODERS[name]).convert("RGB")).astype(int)
            self.assertLessEqual(np.abs(blocks.decode(name, blocks_, *size) - theirs).max(), BLOCK_TOLERANCES[name])

    def test_lossless_frames_of_any_bands_come_back_and_damaged_ones_are_refused(self):
        rng = np.random.default_rng(5)
        for width, height, bands in (1, 1, 1), (33, 7, 2), (64, 40, 3), (160, 101, 1):
            image = np.where(np.arange(height)[:, None, None] % 20 < 10, rng.integers(0, 256, (height, width, 3)), 9).astype(np.uint8)
            tile = lossless.encode(image, bands)
            np.testing.assert_array_equal(lossless.decode(tile.reshape(-1), width, height), image)
            with mock.patch.object(lossless, "zstandard", None):  # without the module, pixels are stored as they are
                plain = lossless.encode(image, bands)
                np.testing.assert_array_equal(lossless.decode(plain.reshape(-1), width, height), image)
            for _ in range(50):
                changed = tile.reshape(-1).copy()
                changed[rng.integers(0, min(40, changed.size))] ^= rng.integers(1, 256, dtype=np.uint8)
                try:
                    lossless.decode(changed, width, height)
                except lambdawall.InvalidStore:
                    pass
        smooth = lossless.encode(np.zeros((64, 64, 3), np.uint8), 1)
        with mock.patch.object(lossless, "zstandard", None), self.assertRaisesRegex(lambdawall.InvalidInput, "python3-zstandard"):
            lossless.decode(smooth.reshape(-1), 64, 64)

    def test_one_colour_is_kept(self):
        """Exactly by BC7, and to the nearest of BC1; a block at the edge may be cut."""
        colors = np.random.default_rng(9).integers(0, 256, (5, 3))
        for name, most in (("bc7", 0), ("bc1", 3)):
            for color in colors:
                image = np.full((7, 9, 3), color, dtype=np.uint8)
                self.assertLessEqual(np.abs(blocks.decode(name, blocks.encode(name, image), 9, 7).astype(int) - image).max(), most)

    def test_known_colours(self):
        """BT.709 in narrow range, from the recommendation's own formulas, computed by hand."""
        known = {(255, 255, 255): (235, 128, 128), (0, 0, 0): (16, 128, 128), (255, 0, 0): (63, 102, 240), (0, 255, 0): (173, 42, 26), (0, 0, 255): (32, 240, 118)}
        for rgb, ycbcr in known.items():
            for bits in (8, 10):
                frame = lambdawall.ycbcr_from_rgb(np.full((1, 2, 3), rgb, dtype=np.uint8), bits)
                for sample, want in zip(frame, ycbcr):
                    self.assertLessEqual(abs(int(sample[0, 0]) / (1 << (bits - 8)) - want), 0.5)
                np.testing.assert_allclose(lambdawall.rgb_from_ycbcr(frame, bits)[0, 0].astype(int), rgb, atol=2)

    def test_random_slots_open_and_close(self):
        rng = random.Random(6)
        for _ in range(60):
            format_ = lambdawall.PIXEL_FORMATS[rng.choice(list(lambdawall.PIXEL_FORMATS))]
            band = layout.Band.of(format_, 2 * rng.randint(1, 300), rng.randint(1, 40), 64 * rng.randint(8, 140))
            pixels = np.random.default_rng(1).integers(1, 256, band.frame, dtype=np.uint8)
            memory = np.zeros(band.memory, dtype=np.uint8)
            band.open_up(pixels, memory)
            np.testing.assert_array_equal(band.close_up(memory), pixels)
            self.assertEqual(np.count_nonzero(memory), band.frame)
            self.assertEqual(band.memory % 4096, 0)


class Writing(Folder):
    def write(self, images, **options):
        with lambdawall.StoreWriter(self.folder, "waves", GEOMETRY, **options) as writer:
            for frame in images:
                writer.write(frame)
        return writer.folder

    def test_wrong_arguments_are_named_and_change_nothing(self):
        (self.folder / "other").mkdir()
        (self.folder / "notes").mkdir()
        (self.folder / "notes/mine.txt").write_text("mine")
        before = self.files()
        odd = lambdawall.Geometry(2, 1, 20, 12, 3, 0)
        cases = [
            (dict(name=""), "name"), (dict(name="a/b"), "name"), (dict(name=".hidden"), "name"), (dict(name="x" * 201), "name"),
            (dict(out=self.folder / "missing"), "missing"), (dict(out=[]), "out"), (dict(out=[self.folder, self.folder]), "twice"),
            (dict(out=self.folder / "notes/mine.txt"), "mine.txt"), (dict(pixel_format="rgb9"), "rgb9"), (dict(frame_rate="0"), "frame rate"),
            (dict(frame_rate="30/0"), "frame rate"), (dict(frame_rate=241), "frame rate"), (dict(frame_rate=" 30"), "frame rate"), (dict(frames=0), "frames"), (dict(frames=2.0), "frames"),
            (dict(title="x" * 1025), "title"), (dict(tags="abc"), "tags"), (dict(tags=["x" * 257]), "tags"), (dict(copies=2), "copies"), (dict(copies=3), "copies"),
            (dict(tiles=[(2, 0)]), "column"), (dict(tiles=[]), "tiles"), (dict(tiles=[(0, 0), (0, 0)]), "tiles"), (dict(packets=100), "packets"),
            (dict(shard=(1, 2)), "frames"), (dict(shard=(3, 2), frames=4), "shard"), (dict(shard="1/2", frames=4), "shard"),
            (dict(wall=odd, pixel_format="ycbcr422-8"), "bezel_x"), (dict(wall=self.folder / "wall.toml"), "wall.toml"), (dict(name="notes", overwrite=True), "notes"),
            (dict(name="other"), "other"),
        ]
        for options, named in cases:
            with self.subTest(**{key: str(value) for key, value in options.items()}):
                options = {"out": self.folder, "name": "waves", "wall": GEOMETRY} | options
                with self.assertRaises((ValueError, FileNotFoundError)) as raised:
                    lambdawall.StoreWriter(options.pop("out"), options.pop("name"), options.pop("wall"), **options)
                self.assertIn(named, str(raised.exception))
                self.assertEqual(self.files(), before)

    def test_wrong_frames_are_named_and_change_nothing(self):
        good = made.frames_of((GEOMETRY.width, GEOMETRY.height), 1, "rgb8")[0]
        wrong = [good[:-1], good[..., :2], good.astype(np.uint16), good.tolist(), None, made.frames_of((GEOMETRY.width, GEOMETRY.height), 1, "ycbcr422-8")[0]]
        with lambdawall.StoreWriter(self.folder, "waves", GEOMETRY) as writer:
            for frame in wrong:
                with self.assertRaisesRegex(lambdawall.InvalidInput, "frame"):
                    writer.write(frame)
                self.assertEqual(writer.next_frame, 0)
            writer.write(good)
        with lambdawall.Store(self.folder / "waves") as read:
            self.assertEqual(len(read), 1)
        ten = made.frames_of((GEOMETRY.width, GEOMETRY.height), 1, "ycbcr422-10")[0]
        with lambdawall.StoreWriter(self.folder, "ten", GEOMETRY, pixel_format="ycbcr422-10") as writer:
            for frame, named in ((ten._replace(cb=ten.cb + 1024), "cb"), (ten._replace(y=ten.y[:, 1:]), "y"), (good, "YCbCr"), (ten._replace(cr=ten.cr.astype(np.uint8)), "cr")):
                with self.assertRaisesRegex(lambdawall.InvalidInput, named):
                    writer.write(frame)
            writer.write(ten)

    def test_complete_or_absent(self):
        frames = made.frames_of((GEOMETRY.width, GEOMETRY.height), 5, "rgb8")
        with self.assertRaisesRegex(lambdawall.InvalidInput, "3 of 5 frames"):
            self.write(frames[:3], frames=5)
        self.assertFalse((self.folder / "waves").exists())
        with self.assertRaises(ZeroDivisionError), lambdawall.StoreWriter(self.folder, "waves", GEOMETRY, frames=5) as writer:
            self.assertEqual(writer.next_frame, 3)
            writer.write(frames[3])
            1 / 0
        with lambdawall.StoreWriter(self.folder, "waves", GEOMETRY, frames=5) as writer:
            self.assertEqual(list(writer.remaining), [4])
            writer.write(frames[4])
            with self.assertRaisesRegex(lambdawall.InvalidInput, "all 5 frames"):
                writer.write(frames[4])
        with self.assertRaisesRegex(lambdawall.InvalidInput, "closed"):
            writer.write(frames[4])
        with lambdawall.Store(self.folder / "waves") as read:
            self.assertEqual((read.verify(), len(read)), ([], 5))
            whole = [made.content_of(self.folder / "waves")]
        once = self.folder / "once"
        once.mkdir()
        self.folder = once
        self.assertEqual(made.content_of(self.write(frames, frames=5)), whole[0])

    def test_without_a_frame_nothing_stays(self):
        with self.assertRaisesRegex(lambdawall.InvalidInput, "no frame"):
            self.write([])
        self.assertEqual(self.files(), [])

    def test_another_recipe_begins_again(self):
        frames = made.frames_of((GEOMETRY.width, GEOMETRY.height), 4, "rgb8")
        for recipe, begins in (("a", 0), ("a", 2), ("b", 0)):
            with self.assertRaises(KeyboardInterrupt), lambdawall.StoreWriter(self.folder, "waves", GEOMETRY, frames=4, recipe=recipe) as writer:
                self.assertEqual(writer.next_frame, begins)
                for frame in frames[begins:2]:
                    writer.write(frame)
                raise KeyboardInterrupt

    def test_a_disk_that_fails_at_any_moment_costs_no_frame_that_was_recorded(self):
        """Every write, sync and rename may fail: the store is absent or complete, and the same call continues."""
        frames = made.frames_of((GEOMETRY.width, GEOMETRY.height), 6, "rgb8")
        second = self.folder / "second"
        second.mkdir()
        for seed in range(15):
            rng = random.Random(seed)
            left = [rng.randint(0, 120)]

            def failing(real):
                def call(*args, **kwargs):
                    left[0] -= 1
                    if left[0] == 0:
                        raise OSError(5, "Input/output error")
                    return real(*args, **kwargs)
                return call

            names = ("pwrite", "fsync", "fdatasync", "rename", "ftruncate")
            try:
                with mock.patch.multiple(os, **{name: failing(getattr(os, name)) for name in names}):
                    with lambdawall.StoreWriter([self.folder, second], "waves", GEOMETRY, frames=6, copies=2) as writer:
                        for number in writer.remaining:
                            writer.write(frames[number])
                            if rng.random() < 0.5:
                                writer.flush()
            except OSError:
                pass
            try:
                with lambdawall.Store(self.folder / "waves") as read:
                    self.assertEqual((read.verify(), len(read)), ([], 6))
            except lambdawall.InvalidStore:
                with lambdawall.StoreWriter([self.folder, second], "waves", GEOMETRY, frames=6, copies=2) as writer:
                    for number in writer.remaining:
                        writer.write(frames[number])
                with lambdawall.Store(self.folder / "waves") as read:
                    self.assertEqual((read.verify(), len(read)), ([], 6), f"seed {seed}")
            for disk in (self.folder, second):
                shutil.rmtree(disk / "waves", ignore_errors=True)
                shutil.rmtree(disk / ".waves.partial", ignore_errors=True)

    def test_a_kill_at_any_moment_leaves_a_store_or_none(self):
        """The process ends at a random system call that changes files: the same call continues, and makes the same bytes."""
        frames = made.frames_of((GEOMETRY.width, GEOMETRY.height), 5, "rgb8")
        disks = [self.folder / name for name in ("a", "b", "once-a", "once-b")]
        for disk in disks:
            disk.mkdir()

        def write(out):
            with lambdawall.StoreWriter(out, "waves", GEOMETRY, frames=5, poster=False) as writer:
                for number in writer.remaining:
                    writer.write(frames[number])
                    writer.flush()

        write(disks[2:])
        killed = 0
        for seed in range(25):
            left = [1 + seed * 5 % 110]

            def dying(real):
                def call(*args, **kwargs):
                    left[0] -= 1
                    if left[0] == 0:
                        os._exit(9)
                    return real(*args, **kwargs)
                return call

            child = os.fork()
            if child == 0:
                try:
                    names = ("pwrite", "fsync", "fdatasync", "rename", "ftruncate", "unlink", "mkdir")
                    with mock.patch.multiple(os, **{name: dying(getattr(os, name)) for name in names}):
                        write(disks[:2])
                finally:
                    os._exit(0)
            died = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
            killed += died
            if not (disks[0] / "waves").exists():
                self.assertTrue(died)
                write(disks[:2])
            for disk, once in zip(disks[:2], disks[2:]):
                self.assertEqual(made.content_of(disk / "waves"), made.content_of(once / "waves"), f"call {left}")
                self.assertEqual([file.name for file in disk.iterdir() if file.name.startswith(".waves")], [])
                shutil.rmtree(disk / "waves")
        self.assertGreater(killed, 12)

    def test_posters_are_images_of_the_frames(self):
        grey = np.full((GEOMETRY.height, GEOMETRY.width, 3), 90, dtype=np.uint8)
        folder = self.write([grey, grey])
        from PIL import Image

        with Image.open(folder / "poster.png") as poster, Image.open(folder / "thumbnails.png") as strip:
            self.assertEqual((poster.size, strip.size), ((GEOMETRY.width, GEOMETRY.height), (2 * GEOMETRY.width, GEOMETRY.height)))
            image = np.asarray(poster)
        self.assertTrue((image[:12, :20] == 90).all() and (image[:, 20:24] == 0).all())


class Manifests(Folder):
    def test_what_is_written_is_read(self):
        m = lambdawall.Manifest(GEOMETRY, 5, "Wellen ü\n", frame_rate="60000/2002", stripes=(".", "/b/x"), tags=("a",), packets=1408, bands=2, tiles=(1, 3), copies=2, checksums="c.npy", colour="bt2020", transfer="pq")
        self.assertEqual(m.frame_rate, "30000/1001")
        self.assertEqual(lambdawall.Manifest.from_json(m.to_json()), m)
        self.assertIn('"colour": "bt2020",\n  "transfer": "pq"\n}', m.to_json())
        with self.assertRaisesRegex(lambdawall.InvalidInput, "unknown transfer 'log'; use sdr, pq, hlg"):
            lambdawall.Manifest(GEOMETRY, 5, "t", transfer="log")

    def test_a_store_has_the_colours_of_its_wall(self):
        wall = dataclasses.replace(lambdawall.Wall(GEOMETRY), colour="p3", transfer="hlg")
        with lambdawall.StoreWriter(self.folder, "wide", wall, frames=1, poster=False) as writer:
            writer.write(np.zeros((GEOMETRY.height, GEOMETRY.width, 3), np.uint8))
        manifest = lambdawall.Manifest.load(self.folder / "wide")
        self.assertEqual((manifest.colour, manifest.transfer), ("p3", "hlg"))

    def test_random_damage_is_an_error_that_names_the_file(self):
        text = lambdawall.Manifest(GEOMETRY, 5, "t", checksums="checksums.npy", tiles=(1,)).to_json()
        file = self.folder / "visualization.json"
        for seed in range(400):
            rng = random.Random(seed)
            content = bytearray(text.encode())
            for _ in range(rng.randint(1, 3)):
                at = rng.randrange(len(content))
                content[at : at + rng.randint(0, 3)] = rng.choice([b"", b'"', b"-", b"9", b"[", b"null", b"\xff", b"{}"])
            file.write_bytes(content)
            try:
                lambdawall.Manifest.load(self.folder)
            except lambdawall.InvalidStore as error:
                self.assertIn(str(file), str(error))

    def test_stores_that_are_not_whole_are_refused(self):
        with lambdawall.StoreWriter(self.folder, "waves", GEOMETRY) as writer:
            writer.write(made.frames_of((GEOMETRY.width, GEOMETRY.height), 1, "rgb8")[0])
        file = self.folder / "waves/tile-1-1.npy"
        content = file.read_bytes()
        for damaged in (b"", content[:5000], content[:100], b"x" + content[1:], content.replace(b"'shape': (1", b"'shape': (0")):
            file.write_bytes(damaged)
            with self.assertRaises(lambdawall.InvalidStore):
                lambdawall.Store(self.folder / "waves")
        file.unlink()
        with self.assertRaisesRegex(lambdawall.InvalidStore, "tile-1-1.npy"):
            lambdawall.Store(self.folder / "waves")


class WallFiles(Folder):
    def test_the_example_walls(self):
        for file in sorted((ROOT / "walls").glob("*.toml")):
            if "[[tile]]" in file.read_text():
                with self.assertRaisesRegex(lambdawall.InvalidInput, f"{file.name}: its tiles are described one by one"):
                    lambdawall.Wall.load(file)
                continue
            wall = lambdawall.Wall.load(file)
            self.assertGreater(wall.geometry.tiles, 0)
            sent = [cell for _, cells in wall.servers for cell in cells]
            self.assertEqual(set(sent), {wall.geometry.cell(tile) for tile in range(wall.geometry.tiles)})
        self.assertEqual(lambdawall.Wall.load(ROOT / "walls/sara-5x3.toml").geometry.tiles, 15)

    def test_stores_of_other_tiles_than_a_grids_are_refused(self):
        text = '{"version": 2, "title": "", "geometry": {"tiles": []}, "pixel_format": "rgb8", "frame_rate": "30", "frames": 1, "stripes": ["."]}'
        with self.assertRaisesRegex(lambdawall.InvalidStore, "one by one"):
            lambdawall.Manifest.from_json(text)

    def test_wrong_files_are_named(self):
        file = self.folder / "wall.toml"
        good = (ROOT / "walls/local-2x2.toml").read_text()
        for text in ("[wall", "", "[wall]\ncolumns = 2\n", good.replace("columns = 2", "columns = 0"), good.replace("tile_width", "tile_with")):
            file.write_text(text)
            with self.assertRaisesRegex(lambdawall.InvalidInput, "wall.toml"):
                lambdawall.Wall.load(file)

    def test_slots(self):
        """The values of docs/frame-store.md."""
        wall = lambdawall.Wall(GEOMETRY)
        self.assertEqual((wall.slot_bytes(1500), wall.slot_bytes(9000), lambdawall.Wall(GEOMETRY, ipv6=True).slot_bytes(9000)), (1408, 8960, 8896))
        band = layout.Band.of(lambdawall.PIXEL_FORMATS["rgb8"], 2560, 1600, 1408)
        self.assertEqual((band.header, band.pixels, band.slots_per_block, band.block), (50, 1356, 46, 65_536))


class Tables(unittest.TestCase):
    def test_columns(self):
        table = lambdawall.Table.from_rows([{"a": 1, "b": "x", "c": True}, {"a": 2, "b": None, "c": False, "d": 0.5}], ["e"])
        self.assertEqual((list(table), table.count), (["e", "a", "b", "c", "d"], 2))
        self.assertEqual((table["a"].dtype, table["c"].dtype), (np.int64, np.bool_))
        np.testing.assert_array_equal(table["d"], [np.nan, 0.5])
        self.assertEqual(list(table.where(a=2)["b"]), [None])
        self.assertEqual([row["a"] for row in table.rows()], [1, 2])
        self.assertEqual(lambdawall.Table.from_rows([], ["a"]).count, 0)
        self.assertEqual(str(tables.time_of("2026-01-31T12:00:00.123Z")), "2026-01-31T12:00:00.123000")

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("python3-pandas is missing")
        frame = lambdawall.Table.from_rows([{"a": 1, "b": "x"}, {"a": 2}]).to_pandas()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual((list(frame.columns), list(frame["a"])), (["a", "b"], [1, 2]))


class Readers(Folder):
    RECORDED = ROOT / "tests/compat/session.ndjson"

    def test_a_session_of_an_earlier_build(self):
        lines = [json.loads(line) for line in self.RECORDED.read_text().splitlines()]
        session = lambdawall.Session(self.RECORDED)
        self.assertEqual(len(list(session)), len(lines))
        figures = session.figures()
        for table, rows in (("sender", [flow for line in lines if "stats" in line for flow in line["stats"]["sender"]]),
                            ("tiles", [tile for line in lines if "stats" in line for node in line["stats"]["nodes"] if "report" in node for tile in node["report"]["tiles"]])):
            self.assertEqual(figures[table].count, len(rows))
            for key in (rows[0] if rows else {}):
                if isinstance(rows[0][key], (int, float)):
                    np.testing.assert_array_equal(figures[table][key], [row.get(key, np.nan) for row in rows])

    def test_truncated_and_damaged_sessions(self):
        lines = self.RECORDED.read_bytes().splitlines(keepends=True)
        file = self.folder / "session.ndjson"
        file.write_bytes(b"".join(lines)[:-9])
        session = lambdawall.Session(self.folder)
        self.assertEqual((len(list(session)), session.truncated), (len(lines) - 1, True))
        for wrong, named in ((lines[1:], "begin"), ([lines[0], b"{}\n", *lines[1:]], ":2:"), ([lines[0], b'{"t_ms": 1, "other": {}}\n'], ":2:"),
                             ([lines[0].replace(b'"version":1', b'"version":2')], "version"), ([], "begin")):
            file.write_bytes(b"".join(wrong))
            with self.assertRaisesRegex(lambdawall.InvalidInput, named):
                list(lambdawall.Session(self.folder))
        with self.assertRaisesRegex(lambdawall.InvalidInput, "cannot read"):
            lambdawall.Session(self.folder / "missing")

    def test_results_in_the_order_of_their_axes(self):
        made_here = Directory(self.folder, axes=[{"key": "flows", "values": [8, 2]}])
        for repetition in (1, 2):
            for flows in (2, 8):
                made_here.add({"flows": flows, "kind": "b" if flows == 2 else "a"}, {"gbit_per_s": flows * 0.5}, [flow(0, 0.25), flow(1, 0.5, lost=3)], repetition=repetition)
        made_here.add({"flows": 2, "kind": "a"}, {"gbit_per_s": 0.1}, complete=False, error="the peer is gone")
        made_here.add({"flows": 2, "kind": "a"}, {"gbit_per_s": 0.1}, marks=[{"what": "clock-step", "host": "b", "at_s": 2.0, "note": "by 3 s"}])
        results = lambdawall.load_results(self.folder)
        table = results.table()
        self.assertEqual(results.axes, ["flows", "kind"])
        self.assertEqual(list(table["flows"]), [8, 8, 2, 2, 2, 2])
        self.assertEqual(list(table["marks"])[2:4], ["", "clock-step at b after 2 s: by 3 s"])
        self.assertEqual(results.table(counting=True).count, 4)
        flows = results.runs[0].flows()
        np.testing.assert_array_equal(flows["lost"], [np.nan, 3])
        self.assertEqual(results.runs[0].intervals().where(flow=1).count, 10)

    def test_random_damage_gives_only_errors_of_the_package(self):
        """Of sessions, results and traces: whatever the bytes are, they are read, or refused by name."""
        where = {"ph": "X", "name": "read", "pid": 1, "tid": 1, "ts": 1.5, "dur": 2.0, "args": {"frame": 1, "tick": 2, "media_us": 3.0}}
        trace = {"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "a"}}, where, where | {"ph": "i"},
                                 {"ph": "C", "pid": 1, "ts": 1, "args": {"us": 3}}], "otherData": {"zero_ns": 5}}
        result = Directory(self.folder / "results").add({"flows": 2}, {"gbit_per_s": 1.0}, [flow(0, 0.5, seconds=2)], marks=[{"what": "x", "at_s": 1.0}]).read_bytes()
        session = b"".join(self.RECORDED.read_bytes().splitlines(keepends=True)[:8])

        def read_session(file):
            session = lambdawall.Session(file)
            session.figures(), session.events(), session.states()

        def read_result(file):
            result = lambdawall.load_result(file)
            result.flows(), result.intervals(), result.marks, result.figures, result.point, result.run

        def read_trace(file):
            trace = lambdawall.load_trace(file)
            trace.summary(), trace.frames

        refused = 0
        for content, read in ((session, read_session), (result, read_result), (json.dumps(trace).encode(), read_trace)):
            file = self.folder / "file"
            file.write_bytes(content)
            read(file)
            for seed in range(250):
                rng, damaged = random.Random(seed), bytearray(content)
                for _ in range(rng.randint(1, 3)):
                    at = rng.randrange(len(damaged))
                    damaged[at : at + rng.randint(0, 4)] = rng.choice([b"", b'"', b"-", b"9", b"[", b"null", b"\xff", b"{}", b": 1,", b'"x"', b"1e999"])
                file.write_bytes(damaged)
                try:
                    read(file)
                except lambdawall.InvalidInput:
                    refused += 1
        self.assertGreater(refused, 100)

    def test_wrong_results_and_traces_are_named(self):
        file = self.folder / "x.json"
        for text in ("", "[]", "{}", '{"schema": "lambdawall-result-2"}', '{"traceEvents": 3, "otherData": {}}'):
            file.write_text(text)
            for load in (lambdawall.load_result, lambdawall.load_trace, lambdawall.load_report):
                with self.assertRaisesRegex(lambdawall.InvalidInput, "x.json"):
                    load(file)
        with self.assertRaisesRegex(lambdawall.InvalidInput, "no results"):
            file.unlink()
            lambdawall.load_results(self.folder)


class FakeServer:
    """A server that answers a handshake, and then sends what a test wants."""

    def __init__(self, script, status=b"101 Switching Protocols", wrong_key=False):
        self.script, self.status, self.wrong_key, self.requests = script, status, wrong_key, []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.address = "127.0.0.1:%d" % self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()

    async def serve(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.requests.append(head)
        key = next(line.split(": ")[1] for line in head.split("\r\n") if line.startswith("Sec-WebSocket-Key"))
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        writer.write(b"HTTP/1.1 " + self.status + b"\r\nRetry-After: 7\r\nSec-WebSocket-Accept: " + (b"x" if self.wrong_key else accept) + b"\r\n\r\n")
        try:
            await self.script(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()


def sent(opcode, payload, final=True):
    length = bytes([len(payload)]) if len(payload) < 126 else struct.pack("!BH", 126, len(payload)) if len(payload) < 65536 else struct.pack("!BQ", 127, len(payload))
    return bytes([(0x80 if final else 0) | opcode]) + length + payload


async def received(reader):
    """The next frame of the client, which must be masked."""
    first, second = await reader.readexactly(2)
    assert second & 0x80, "the client did not mask"
    size = second & 0x7F
    if size == 126:
        size, = struct.unpack("!H", await reader.readexactly(2))
    elif size == 127:
        size, = struct.unpack("!Q", await reader.readexactly(8))
    mask = await reader.readexactly(4)
    payload = await reader.readexactly(size)
    return first & 0xF, bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


class WebSockets(unittest.IsolatedAsyncioTestCase):
    stall_max_s = float("inf")

    async def answer(self, reader, pieces):
        opcode, payload = await received(reader)
        request = json.loads(payload)
        text = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": request["params"]}, ensure_ascii=False).encode()
        return request, pieces(text)

    async def test_messages_of_every_size_and_in_pieces(self):
        rng = random.Random(2)

        def pieces(text):
            cuts = sorted(rng.randrange(len(text)) for _ in range(rng.randint(0, 3)))
            parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)])]
            out = sent(9, b"are you there")
            for number, part in enumerate(parts):
                out += sent(0 if number else 1, part, number == len(parts) - 1) + sent(2, b"\x80", True) * (number == len(parts) - 1)
                out += sent(9, b"") if number < len(parts) - 1 else b""
            return out

        async def script(reader, writer):
            for _ in sizes:
                pong = 10
                while pong == 10:  # those of the pings before
                    opcode, payload = await received(reader)
                    pong = opcode
                request = json.loads(payload)
                writer.write(pieces(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": request["params"]}, ensure_ascii=False).encode()))
            await reader.read()

        sizes = [0, 1, 50, 124, 125, 126, 127, 5000, 65_400, 65_600, 300_000]
        async with FakeServer(script) as server, lambdawall.connect(server.address) as wall:
            for size in sizes:
                text = "ü" + "x" * size
                self.assertEqual(await wall.call("echo", {"text": text}), {"text": text})
            self.assertIn("Host: " + server.address, server.requests[0])
            self.assertNotIn("Authorization", server.requests[0])

    async def test_random_bytes_end_the_connection_and_nothing_else(self):
        for seed in range(60):
            noise = random.Random(seed).randbytes(random.Random(seed).randint(1, 200))

            async def script(reader, writer):
                writer.write(noise)
                await writer.drain()

            async with FakeServer(script) as server, lambdawall.connect(server.address, reconnect=False, timeout=2) as wall:
                with self.assertRaises((lambdawall.LambdawallError, ValueError, asyncio.TimeoutError)):
                    await wall.call("info")

    async def test_refusals(self):
        async def script(reader, writer):
            pass

        for status, error in ((b"401 Unauthorized", lambdawall.TokenRefused), (b"429 Too Many", lambdawall.TooManyFailures), (b"421 Misdirected", lambdawall.Refused),
                              (b"503 Busy", lambdawall.Refused), (b"200 OK", lambdawall.Refused), (b"", lambdawall.Refused)):
            async with FakeServer(script, status) as server:
                with self.assertRaises(error) as raised:
                    await lambdawall.connect(server.address)
                self.assertIn(server.address, str(raised.exception))
                if error is lambdawall.TooManyFailures:
                    self.assertEqual(raised.exception.wait_s, 7)
        async with FakeServer(script, wrong_key=True) as server:
            with self.assertRaises(lambdawall.Refused):
                await lambdawall.connect(server.address)
        with self.assertRaises(OSError):
            await lambdawall.connect("127.0.0.1:9")

    async def test_addresses_and_tokens(self):
        for address in ("", "host", "host:0", "host:99999", "host:1/x", "u@host:1", "host:x"):
            with self.assertRaisesRegex(lambdawall.InvalidInput, "address"):
                lambdawall.connect(address)
        with self.assertRaisesRegex(lambdawall.InvalidInput, "token"):
            lambdawall.connect("10.0.0.1:1", token="secret", state="/nonexistent")
        with self.assertRaisesRegex(lambdawall.InvalidInput, "fingerprint"):
            lambdawall.connect("10.0.0.1:1", fingerprint="sha1:00")

    def test_masks(self):
        for size in range(20):
            payload, mask = os.urandom(size), os.urandom(4)
            self.assertEqual(_websocket.masked(payload, mask), bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))


class Style(unittest.TestCase):
    stall_max_s = float("inf")

    @unittest.skipUnless(shutil.which("mypy", path="/usr/bin"), "mypy is missing")
    def test_types(self):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run(["/usr/bin/mypy", "--config-file", "pyproject.toml", "--cache-dir", cache, "lambdawall", "examples"], cwd=ROOT / "python", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    @unittest.skipUnless(shutil.which("black", path="/usr/bin"), "black is missing")
    def test_format(self):
        done = subprocess.run(["/usr/bin/black", "--check", "."], cwd=ROOT / "python", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_public_is_documented(self):
        page = (ROOT / "docs/python.md").read_text()
        self.assertEqual([name for name in lambdawall.__all__ if name not in page], [])
        self.assertEqual([name for name in lambdawall.__all__ if callable(getattr(lambdawall, name)) and not getattr(lambdawall, name).__doc__], [])

    def test_the_version_is_that_of_the_programs(self):
        import re

        version = re.search(r"^project\(lambdawall VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)
        self.assertIn(f'version = "{version}"', (ROOT / "python/pyproject.toml").read_text())


if __name__ == "__main__":
    real_time.main()
