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
