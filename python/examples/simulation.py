#!/usr/bin/python3
"""A simulation that is shown on the wall while it runs.

    simulation.py --wall WALL.toml --out /srv/lambdawall --parts 10 --connect 127.0.0.1:9010

The arrays of a reaction of two substances (Gray and Scott) become frames as they are computed. A store can be played when
it is complete, so the simulation writes one store after the other: each part is a short visualization, and follows the
one before on the wall as soon as it is written. Without --connect, nothing is played.
"""

import argparse
import asyncio
import contextlib
from typing import Iterator, Optional

import lambdawall
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]


def gray_scott(width: int, height: int, steps: int) -> Iterator[Field]:
    """The second substance, after each so many steps."""
    u, v = np.ones((height, width), np.float32), np.zeros((height, width), np.float32)
    y, x = np.ogrid[:height, :width]
    for fraction in (0.2, 0.5, 0.8):
        spot = (x - width * fraction) ** 2 + (y - height * (0.3 + fraction / 3)) ** 2 < 30
        u[spot], v[spot] = 0.5, 0.25

    def spread(a: Field) -> Field:
        near: Field = np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1)
        return near - 4 * a

    while True:
        for _ in range(steps):
            reaction = u * v * v
            u += 0.16 * spread(u) - reaction + 0.055 * (1 - u)
            v += 0.08 * spread(v) + reaction - 0.117 * v
        yield v


def colours(v: Field, scale: int, width: int, height: int) -> npt.NDArray[np.uint8]:
    """A frame of the wall: each cell of the simulation is a square of pixels."""
    level = np.clip(v * 2.4, 0, 1)[..., None]
    small = np.rint(255 * level ** np.array([0.6, 1.0, 2.0], np.float32)).astype(np.uint8)
    frame: npt.NDArray[np.uint8] = small.repeat(scale, axis=0).repeat(scale, axis=1)[:height, :width]
    return frame


async def main() -> None:
    parser = argparse.ArgumentParser(description="A simulation on a wall, while it runs")
    parser.add_argument("--wall", required=True)
    parser.add_argument("--out", required=True, nargs="+", help="a directory, or one on each disk")
    parser.add_argument("--parts", type=int, default=10, help="stores to write")
    parser.add_argument("--frames", type=int, default=60, help="frames of a part")
    parser.add_argument("--scale", type=int, default=8, help="pixels of a cell in each direction")
    parser.add_argument("--connect", help="HOST:PORT of the server; without it, nothing is played")
    options = parser.parse_args()

    wall = lambdawall.Wall.load(options.wall)
    width, height = wall.geometry.width, wall.geometry.height
    field = gray_scott(-(-width // options.scale), -(-height // options.scale), steps=20)

    async with contextlib.AsyncExitStack() as stack:
        control: Optional[lambdawall.Control] = None
        if options.connect:
            control = await stack.enter_async_context(lambdawall.connect(options.connect))
        for part in range(options.parts):
            name = f"reaction-{part:04}"
            with lambdawall.StoreWriter(
                options.out,
                name,
                wall,
                frames=options.frames,
                pixel_format="rgb8",
                title=f"Reaction, part {part + 1}",
                source="simulation.py",
                overwrite=True,
                recipe="gray-scott 1",
            ) as store:
                for frame in range(options.frames):
                    v = next(field)
                    if frame >= store.next_frame:  # of an interrupted run, the first frames are there
                        store.write(colours(v, options.scale, width, height))
                    await asyncio.sleep(0)  # the connection also needs time
            print(f"{store.folder} is complete", flush=True)
            if control is not None:
                await control.load(name)


if __name__ == "__main__":
    asyncio.run(main())
