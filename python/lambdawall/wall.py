"""The parts of a wall file that decide how a store lies on the disks (docs/wall-file.md)."""

from __future__ import annotations

import dataclasses
import fractions
import ipaddress
import os
import pathlib
import tomllib
from typing import Any, Union

from .errors import InvalidInput
from .pixels import PixelFormat, pixel_format, takes_rgb

Cells = tuple[tuple[int, int], ...]  # columns and rows of tiles
_TILES_MAX, _TILE_PIXELS_MAX, _FLOWS_MAX = 1024, 32767, 16
_COLOURS, _TRANSFERS = ("bt709", "bt2020", "p3"), ("sdr", "pq", "hlg")
_IPV4_BYTES, _IPV6_BYTES, _UDP_BYTES = 20, 40, 8
_RESEND_BYTES, _ENCRYPTION_BYTES = 2, 24  # what a packet grows by when it is resent, and encrypted


def _whole(what: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInput(f"{what} is {value!r}; it must be a whole number from {least} to {most}")
    return value


def frame_rate_text(rate: Union[str, int, fractions.Fraction]) -> str:
    """A frame rate as manifests have it: "30", "30000/1001"."""
    wrong = InvalidInput(
        f"'{rate}' is not a frame rate; use a whole number or a fraction like 30000/1001, from 1 to 240"
    )
    if isinstance(rate, bool) or not isinstance(rate, (str, int, fractions.Fraction)):
        raise wrong
    text = str(rate)
    if not all(part.isascii() and part.isdigit() for part in text.split("/")) or text.count("/") > 1:
        raise wrong
    try:
        value = fractions.Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise wrong from None
    if not 1 <= value <= 240 or max(value.numerator, value.denominator) > 2**31 - 1:
        raise wrong
    return str(value)


def check_colour(colour: object, transfer: object) -> None:
    """InvalidInput if a wall file could not name these colours."""
    for what, value, names in (("colour", colour, _COLOURS), ("transfer", transfer, _TRANSFERS)):
        if value not in names:
            raise InvalidInput(f"unknown {what} '{value}'; use {', '.join(names)}")


@dataclasses.dataclass(frozen=True)
class Geometry:
    """Tiles of equal size in columns and rows; the bezels are the pixels hidden between neighbours."""

    columns: int
    rows: int
    tile_width: int
    tile_height: int
    bezel_x: int = 0
    bezel_y: int = 0

    def __post_init__(self) -> None:
        for name, least, most in (
            ("columns", 1, _TILES_MAX),
            ("rows", 1, _TILES_MAX),
            ("tile_width", 2, _TILE_PIXELS_MAX),
            ("tile_height", 1, _TILE_PIXELS_MAX),
            ("bezel_x", 0, _TILE_PIXELS_MAX),
            ("bezel_y", 0, _TILE_PIXELS_MAX),
        ):
            _whole(f"the geometry's {name}", getattr(self, name), least, most)

    @property
    def width(self) -> int:
        """Of the whole wall in pixels, bezels included."""
        return self.columns * self.tile_width + (self.columns - 1) * self.bezel_x

    @property
    def height(self) -> int:
        return self.rows * self.tile_height + (self.rows - 1) * self.bezel_y

    @property
    def tiles(self) -> int:
        """Their number. Tiles are numbered row by row from the top left."""
        return self.columns * self.rows

    def cell(self, tile: int) -> tuple[int, int]:
        """Column and row of a tile."""
        return tile % self.columns, tile // self.columns

    def tile(self, column: int, row: int) -> int:
        """The number of a tile."""
        _whole("the column", column, 0, self.columns - 1)
        _whole("the row", row, 0, self.rows - 1)
        return row * self.columns + column

    def place(self, tile: int) -> tuple[int, int]:
        """Left and top of a tile on the wall, in pixels."""
        column, row = self.cell(tile)
        return column * (self.tile_width + self.bezel_x), row * (self.tile_height + self.bezel_y)

    def name(self, tile: int) -> str:
        column, row = self.cell(tile)
        return f"tile-{column}-{row}"

    def check(self, format_: PixelFormat) -> None:
        """InvalidInput if tiles of this format would begin or end within a group of pixels."""
        if format_.has_blocks:
            return
        if self.tile_width % format_.group_pixels:
            raise InvalidInput(
                f"tiles of width {self.tile_width} cannot be {format_.name}; use rgb8, or a multiple of {format_.group_pixels}"
            )
        if not takes_rgb(format_) and self.columns > 1 and (self.tile_width + self.bezel_x) % format_.group_pixels:
            raise InvalidInput(
                f"with an odd bezel_x of {self.bezel_x}, tiles begin between pixels that share their chroma; use rgb8"
            )


@dataclasses.dataclass(frozen=True)
class Wall:
    """A wall, as far as stores depend on it. `Wall.load` reads a wall file; without one, give the geometry."""

    geometry: Geometry
    frame_rate: str = "30"
    pixel_format: str = "rgb8"
    mtu: int = 9000
    flows_per_tile: int = 1
    ipv6: bool = False  # of any node
    resend: bool = True
    encrypted: bool = False
    control: str = ""  # address of the first server's control plane
    fingerprint: str = ""  # of that server's certificate
    servers: tuple[tuple[str, Cells], ...] = ()  # names, and the tiles that each sends
    colour: str = "bt709"
    transfer: str = "sdr"

    def __post_init__(self) -> None:
        object.__setattr__(self, "frame_rate", frame_rate_text(self.frame_rate))
        pixel_format(self.pixel_format)
        check_colour(self.colour, self.transfer)
        _whole("mtu", self.mtu, 576, 9216)
        _whole("flows_per_tile", self.flows_per_tile, 1, min(_FLOWS_MAX, self.geometry.tile_height))

    @classmethod
    def load(cls, file: Union[str, os.PathLike[str]]) -> Wall:
        """Reads a wall file. The programs check it completely; this reads what it needs."""
        path = pathlib.Path(file)
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
            return cls._from_table(table)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{path} is not a wall file: {error}") from None
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error}") from None
        except (KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(
                f"{path} is not a complete wall file ({error}); check it with wall-server --plan"
            ) from None

    @classmethod
    def _from_table(cls, table: dict[str, Any]) -> Wall:
        wall, streaming = table["wall"], table.get("streaming", {})
        if "tile" in table:
            raise InvalidInput("its tiles are described one by one ([[tile]]); wall-ingest makes stores for such walls")
        required = {key: wall[key] for key in ("columns", "rows", "tile_width", "tile_height")}
        geometry = Geometry(**required, bezel_x=wall.get("bezel_x", 0), bezel_y=wall.get("bezel_y", 0))
        servers = table.get("server", [])
        first = servers[0] if servers else {}
        return cls(
            geometry,
            frame_rate_text(wall["frame_rate"]),
            streaming.get("pixel_format", cls.pixel_format),
            streaming.get("mtu", cls.mtu),
            streaming.get("flows_per_tile", cls.flows_per_tile),
            any(_is_ipv6(node["address"]) for node in table["node"]),
            streaming.get("resend", cls.resend),
            "srtp_key_file" in streaming,
            first.get("control", "127.0.0.1:9010"),
            first.get("fingerprint", ""),
            _tiles_by_server(servers, geometry),
            wall.get("colour", cls.colour),
            wall.get("transfer", cls.transfer),
        )

    def tiles_of(self, server: str) -> Cells:
        """The tiles that a server of the wall sends, as `tiles` of a StoreWriter."""
        for name, tiles in self.servers:
            if name == server:
                return tiles
        names = ", ".join(name for name, _ in self.servers)
        raise InvalidInput(f"the wall file has no server '{server}'; its servers are {names}")

    def slot_bytes(self, mtu: int) -> int:
        """The slot of a packet for paths of this MTU (docs/frame-store.md, Packets ready on disk)."""
        _whole("packets", mtu, 576, 9216)
        headers = (_IPV6_BYTES if self.ipv6 else _IPV4_BYTES) + _UDP_BYTES
        room = mtu - headers - (_RESEND_BYTES if self.resend else 0) - (_ENCRYPTION_BYTES if self.encrypted else 0)
        return room // 64 * 64


def _is_ipv6(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).version == 6
    except ValueError:
        return False


def _cells(entry: dict[str, Any], geometry: Geometry) -> list[tuple[int, int]]:
    """Of an entry of `tiles`: one column or several, and one row or several; all of what it does not name."""

    def span(one: str, several: str, count: int) -> range:
        first, last = entry.get(several, [entry.get(one, 0), entry.get(one, count - 1)])
        return range(first, last + 1)

    columns, rows = span("column", "columns", geometry.columns), span("row", "rows", geometry.rows)
    return [(column, row) for row in rows for column in columns]


def _tiles_by_server(servers: list[dict[str, Any]], geometry: Geometry) -> tuple[tuple[str, Cells], ...]:
    named = {
        server["name"]: [cell for entry in server.get("tiles", []) for cell in _cells(entry, geometry)]
        for server in servers
    }
    taken = {cell for cells in named.values() for cell in cells}
    rest = [geometry.cell(tile) for tile in range(geometry.tiles) if geometry.cell(tile) not in taken]
    owners = {server["name"]: server.get("standby_for", server["name"]) for server in servers}
    return tuple(
        (name, tuple(sorted(named[owner] or rest, key=lambda cell: cell[::-1]))) for name, owner in owners.items()
    )
