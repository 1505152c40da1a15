#!/usr/bin/python3
"""Draws an animation with matplotlib, in the full resolution of a wall, into a store.

    matplotlib_waves.py --wall WALL.toml --out /srv/lambdawall --frames 120

If it is interrupted, the same command continues.
"""

import argparse

import lambdawall
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

DPI = 100


def main() -> None:
    parser = argparse.ArgumentParser(description="An animation of matplotlib for a wall")
    parser.add_argument("--wall", required=True)
    parser.add_argument("--out", required=True, nargs="+", help="a directory, or one on each disk")
    parser.add_argument("--name", default="waves")
    parser.add_argument("--frames", type=int, default=120)
    options = parser.parse_args()

    wall = lambdawall.Wall.load(options.wall)
    width, height = wall.geometry.width, wall.geometry.height
    figure = Figure(figsize=((width + 0.1) / DPI, (height + 0.1) / DPI), dpi=DPI, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    axes = figure.subplots()
    x = np.linspace(0, 4 * np.pi, 500)
    (line,) = axes.plot(x, np.sin(x), linewidth=3)
    axes.set_ylim(-2.2, 2.2)

    with lambdawall.StoreWriter(
        options.out,
        options.name,
        wall,
        frames=options.frames,
        pixel_format="rgb8",
        title="Two waves",
        source="matplotlib_waves.py",
        recipe="waves 1",  # to be changed with what is drawn
    ) as store:
        for frame in store.remaining:
            angle = 2 * np.pi * frame / options.frames
            line.set_ydata(np.sin(x - angle) + np.sin(1.5 * x + 2 * angle))
            axes.set_title(f"frame {frame}", loc="left")  # not behind a bezel
            canvas.draw()
            store.write(np.asarray(canvas.buffer_rgba())[:height, :width, :3])
    print(f"{store.folder} is ready to be played")


if __name__ == "__main__":
    main()
