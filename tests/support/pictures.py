"""Known images: what a wall should show, and what it showed."""
import json

import numpy as np
from PIL import Image


def make_source(folder, size, frames, seed=7):
    """Images with detail in every pixel: noise over gradients, different in every frame."""
    folder.mkdir()
    rng = np.random.default_rng(seed)
    width, height = size
    y, x = np.mgrid[0:height, 0:width]
    pictures = []
    for frame in range(frames):
        picture = np.stack([(x + frame * 3) % 256, (y * 2 + frame) % 256, rng.integers(0, 256, (height, width))], axis=-1).astype(np.uint8)
        Image.fromarray(picture).save(folder / f"{frame:05d}.png", compress_level=1)
        pictures.append(picture)
    return pictures


BLOCK_DECODERS = {"bc7": 7, "bc1": 1}  # of Pillow
BLOCK_BYTES = {"bc7": 16, "bc1": 8}
BLOCK_TOLERANCES = {"bc7": 0, "bc1": 1}  # GPUs may round the colours between the two of a BC1 block differently


def decoded_blocks(wall, store, pixel_format):
    """The frames of a store of compressed blocks, as Pillow decodes them: of the whole wall, black behind the bezels."""
    width, height = wall.tile
    padded = (-(-width // 4) * 4, -(-height // 4) * 4)
    pictures = []
    for column, row in [tile for tiles in wall.nodes.values() for tile in tiles]:
        stripe = np.load(store / f"tile-{column}-{row}.npy")
        blocks = stripe["frame"] if stripe.dtype.names else stripe
        assert blocks.shape[1:] == (padded[1] // 4, padded[0] // 4 * BLOCK_BYTES[pixel_format]), blocks.shape
        x0, y0, x1, y1 = wall.tile_box(column, row)
        for frame, of_frame in enumerate(blocks):
            if frame == len(pictures):
                pictures.append(np.zeros((wall.picture[1], wall.picture[0], 3), dtype=np.uint8))
            image = Image.frombytes("RGBA", padded, of_frame.tobytes(), "bcn", BLOCK_DECODERS[pixel_format]).convert("RGB")
            pictures[frame][y0:y1, x0:x1] = np.asarray(image)[:height, :width]
    return pictures


def shown_lines(dump):
    return [json.loads(line) for line in (dump / "shown.ndjson").read_text().splitlines()]


def compare_dumps(test, wall, dumps, pictures, least_frames, tolerance=0):
    """Checks that each dumped image equals the source's part for its tile; returns how many were compared."""
    compared = 0
    for node, tiles in wall.nodes.items():
        lines = shown_lines(dumps[node])
        for column, row in tiles:
            x0, y0, x1, y1 = wall.tile_box(column, row)
            whole = {line["frame"] for line in lines if line["tile"] == [column, row] and line["whole"]}
            partly = {line["frame"] for line in lines if line["tile"] == [column, row] and not line["whole"]}
            files = sorted((dumps[node] / f"tile-{column}-{row}").glob("*.png"))
            test.assertGreaterEqual(len(files), least_frames, f"tile {column},{row} showed too few different frames")
            test.assertEqual(partly, set(), "frames shown with lines missing")
            for file in files:
                frame = int(file.stem)
                test.assertIn(frame, whole)
                got = np.asarray(Image.open(file).convert("RGB")).astype(int)
                want = pictures[frame][y0:y1, x0:x1].astype(int)
                test.assertEqual(got.shape, want.shape)
                difference = np.abs(got - want).max()
                test.assertLessEqual(difference, tolerance, f"tile {column},{row} frame {frame}")
                compared += 1
    return compared
