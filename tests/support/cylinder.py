#!/usr/bin/python3
"""Warps of projectors on a cylinder: those of walls/cylinder-8. Usage: tests/support/cylinder.py FOLDER

The screen is the inside of an upright cylinder of radius 1; content is unrolled onto it, so that a wall pixel is the same angle everywhere, and as high as it
is wide. A tile has the angles from -A to A around its middle, and the heights from -H to H around the screen's.

Its projector stands behind the cylinder's axis, at (0, C, -B) where z points to the tile's middle, x to the right and y upwards. The panel's place X, Y, from
-1 to 1 to the right and upwards, is the ray (X p, s + Y q, 1), turned by the projector's own yaw, pitch and roll: a real lens with vertical shift, and a
projector that hangs a little wrong. p, s and q are such that an exact projector covers its tile with a margin of 6 %. The ray meets the screen at a point
(x, y, z) with x^2 + z^2 = 1, which shows the content at the angle a = atan2(x, z) and the height y. So the vertex has

    u = (a + A) / 2A,    v = (H - y) / 2H

on its tile, from the tile's top left corner. Vertex i of n lies at X = (2 i + 1) / n - 1, and likewise for Y, from the top.
"""
import math
import pathlib
import struct
import sys

COUNT = 8  # projectors
ANGLE = math.radians(270)  # of the screen
OVERLAP = 0.15  # of a tile's width
BEHIND, ABOVE = 0.25, 0.15  # B and C: in radii, behind the axis and above the middle of the screen
MARGIN = 1.06
# Yaw, pitch and roll of each projector, in degrees.
HANGING = [(0.3, -0.2, 0.5), (-0.4, 0.1, -0.3), (0.1, 0.3, 0.8), (0.5, 0.2, -0.6), (-0.2, -0.3, 0.2), (0.4, 0.1, -0.9), (-0.3, 0.2, 0.4), (0.2, -0.1, -0.5)]


def tiles(width, height):
    """x, y, width and height of each tile in pixels: (COUNT - 1) overlaps."""
    step = round(width * (1 - OVERLAP))
    return [(at * step, 0, width, height) for at in range(COUNT)]


def turned(ray, yaw, pitch, roll):
    """Roll about the axis of view, then pitch upwards, then yaw to the right."""
    x, y, z = ray
    x, y = x * math.cos(roll) - y * math.sin(roll), x * math.sin(roll) + y * math.cos(roll)
    y, z = y * math.cos(pitch) + z * math.sin(pitch), z * math.cos(pitch) - y * math.sin(pitch)
    x, z = x * math.cos(yaw) + z * math.sin(yaw), z * math.cos(yaw) - x * math.sin(yaw)
    return x, y, z


def projector(number, width, height):
    """Of the tile's size in pixels: a function from the panel's place (X, Y) to (u, v) on the tile."""
    wall = (COUNT - 1) * round(width * (1 - OVERLAP)) + width
    half_angle, half_height = ANGLE * width / wall / 2, ANGLE * height / wall / 2
    nearest = math.cos(half_angle) + BEHIND  # of the tile, along the axis of view
    p = MARGIN * math.sin(half_angle) / nearest
    highest, lowest = (half_height - ABOVE) / nearest, (-half_height - ABOVE) / nearest
    s, q = (highest + lowest) / 2, MARGIN * (highest - lowest) / 2
    hanging = [math.radians(angle) for angle in HANGING[number]]

    def shown(X, Y):
        x, y, z = turned((X * p, s + Y * q, 1), *hanging)
        # |(0, -BEHIND) + t (x, z)| = 1, in front.
        a, b, c = x * x + z * z, -BEHIND * z, BEHIND * BEHIND - 1
        t = (-b + math.sqrt(b * b - a * c)) / a
        angle, at = math.atan2(t * x, t * z - BEHIND), ABOVE + t * y
        return (angle + half_angle) / (2 * half_angle), (half_height - at) / (2 * half_height)

    return shown


def vertices(shown, columns, rows):
    """By row from the top."""
    return [[shown((2 * column + 1) / columns - 1, 1 - (2 * row + 1) / rows) for column in range(columns)] for row in range(rows)]


def pfm(places):
    """As the key `warp` of a wall file wants it."""
    header = f"PF\n{len(places[0])} {len(places)}\n-1.0\n".encode()
    return header + b"".join(struct.pack("<3f", u, v, 0) for row in places for u, v in row)


def write(folder, width, height, columns=33, rows=17):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(COUNT):
        (folder / f"projector-{number + 1}.pfm").write_bytes(pfm(vertices(projector(number, width, height), columns, rows)))


if __name__ == "__main__":
    write(sys.argv[1], 1920, 1200)
