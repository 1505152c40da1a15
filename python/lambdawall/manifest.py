"""visualization.json, the description of a store (docs/frame-store.md)."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from typing import Any, Optional, Union

from .errors import InvalidInput, InvalidStore
from .pixels import pixel_format
from .wall import Geometry, check_colour, frame_rate_text

FILE_NAME = "visualization.json"
MARK_NAME = "stripe.json"
# Of a store that is being written: its manifest with the frames that are on the disks. The other name is that of the next one.
GROWING_NAME, GROWING_NEXT = "growing.json", "growing.next"
_BYTES_MAX = 4 << 20
_LIMITS = {"title": 1024, "description": 65_536, "source": 4096}
_TAGS_MAX, _TAG_BYTES, _STRIPES_MAX, _FRAMES_MAX = 64, 256, 256, 2**31 - 1
_CHANNELS_MAX = 8
_REQUIRED = ("version", "title", "geometry", "pixel_format", "frame_rate", "frames", "stripes")


def check_name(name: str) -> None:
    odd = any(c == "/" or ord(c) < 0x20 or ord(c) == 0x7F for c in name)
    if not name or len(name.encode()) > 200 or name.startswith(".") or odd:
        raise InvalidInput(
            f"the name {name!r}: it must have 1 to 200 bytes, no slash or control character, and not begin with a dot"
        )


def _check_audio(audio: Any) -> None:
    if not isinstance(audio, dict) or not {"file", "channels"} <= set(audio) <= {"file", "channels", "checksum"}:
        raise InvalidStore("audio must be an object with file, channels and perhaps checksum")
    channels = audio["channels"]
    if isinstance(channels, bool) or not isinstance(channels, int) or not 1 <= channels <= _CHANNELS_MAX:
        raise InvalidStore(f"audio: channels must be an integer from 1 to {_CHANNELS_MAX}")
    if not audio["file"]:
        raise InvalidStore("audio: file must not be empty")


@dataclasses.dataclass(frozen=True)
class Manifest:
    """Its members, with the names of the file. `tiles`: numbers of the tiles that the store holds; empty: all."""

    geometry: Geometry
    frames: int
    title: str
    pixel_format: str = "rgb8"
    frame_rate: str = "30"
    stripes: tuple[str, ...] = (".",)
    id: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""
    checksums: str = ""
    poster: str = ""
    thumbnails: str = ""
    thumbnail_count: int = 0
    packets: int = 0
    bands: int = 1
    tiles: tuple[int, ...] = ()
    copies: int = 1
    colour: str = "bt709"
    transfer: str = "sdr"
    audio: Optional[dict[str, Any]] = None  # the sound: `file`, `channels` and perhaps `checksum`

    def __post_init__(self) -> None:
        pixel = pixel_format(self.pixel_format)
        object.__setattr__(self, "frame_rate", frame_rate_text(self.frame_rate))
        check_colour(self.colour, self.transfer)
        if not pixel.has_blocks and self.geometry.tile_width % pixel.group_pixels:
            raise InvalidInput(f"a tile of odd width cannot be {pixel.name}")
        for key, limit in _LIMITS.items():
            text = getattr(self, key)
            if not isinstance(text, str) or len(text.encode(errors="replace")) > limit:
                raise InvalidInput(f"{key} must be a text of at most {limit} bytes")
        if len(self.tags) > _TAGS_MAX or any(
            not isinstance(tag, str) or len(tag.encode(errors="replace")) > _TAG_BYTES for tag in self.tags
        ):
            raise InvalidInput(f"tags must be at most {_TAGS_MAX} texts of at most {_TAG_BYTES} bytes")
        if not 1 <= len(self.stripes) <= _STRIPES_MAX:
            raise InvalidInput(f"{len(self.stripes)} stripes; a store has 1 to {_STRIPES_MAX}")
        if self.copies not in (1, 2) or self.copies > len(self.stripes):
            raise InvalidInput(f"{self.copies} copies need as many directories; a store has 1 or 2 copies")

    @property
    def held(self) -> tuple[int, ...]:
        """The tiles that the store holds, also if these are all."""
        return self.tiles or tuple(range(self.geometry.tiles))

    def to_json(self) -> str:
        """As `wall-ingest` writes it, byte for byte."""
        as_before = (self.colour, self.transfer) == ("bt709", "sdr")
        plain = not self.tiles and not self.packets and self.bands == 1 and self.copies == 1
        plain = plain and as_before and self.audio is None
        out: dict[str, Any] = {"version": 1 if plain else 2}
        if self.id:
            out["id"] = self.id
        out |= {"title": self.title, "description": self.description, "tags": list(self.tags), "source": self.source}
        out["geometry"] = dataclasses.asdict(self.geometry)
        out |= {"pixel_format": self.pixel_format, "frame_rate": self.frame_rate, "frames": self.frames}
        out |= {"stripes": list(self.stripes), "checksums": self.checksums, "poster": self.poster}
        out |= {"thumbnails": self.thumbnails, "thumbnail_count": self.thumbnail_count}
        if self.packets:
            out["packets"] = self.packets
        if self.packets or self.bands > 1:
            out["bands"] = self.bands
        if self.tiles:
            out["tiles"] = [list(self.geometry.cell(tile)) for tile in self.tiles]
        if self.copies > 1:
            out["copies"] = self.copies
        if not as_before:
            out |= {"colour": self.colour, "transfer": self.transfer}
        if self.audio is not None:
            out["audio"] = self.audio
        return json.dumps(out, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidStore(f"it is not valid JSON: {error}") from None
        if not isinstance(value, dict):
            raise InvalidStore("it is not a JSON object")
        for key in _REQUIRED:
            if key not in value:
                raise InvalidStore(f"{key} is missing")
        known = {field.name for field in dataclasses.fields(cls)} | {"version"}
        if unknown := sorted(set(value) - known):
            raise InvalidStore(f"unknown member {unknown[0]}")
        if value.pop("version") not in (1, 2):
            raise InvalidStore("its version is not 1 or 2")
        if isinstance(value["geometry"], dict) and "tiles" in value["geometry"]:
            raise InvalidStore("its tiles are described one by one; this package reads tiles of a grid only")
        try:
            geometry = Geometry(**value.pop("geometry"))
            tiles = tuple(sorted(geometry.tile(*cell) for cell in value.pop("tiles", [])))
            value |= {key: tuple(value[key]) for key in ("tags", "stripes") if key in value}
            manifest = cls(geometry=geometry, tiles=tiles if len(tiles) < geometry.tiles else (), **value)
        except (TypeError, InvalidInput) as error:
            raise InvalidStore(str(error)) from None
        numbers = (manifest.frames, manifest.packets, manifest.bands, manifest.thumbnail_count)
        if any(isinstance(n, bool) or not isinstance(n, int) or n < 0 for n in numbers):
            raise InvalidStore("frames, packets, bands and thumbnail_count must be integers from 0 on")
        if not 1 <= manifest.frames <= _FRAMES_MAX or not 1 <= manifest.bands <= 16 or manifest.packets % 64:
            raise InvalidStore("frames, bands or packets are out of range")
        if manifest.audio is not None:
            _check_audio(manifest.audio)
        sound = manifest.audio["file"] if manifest.audio else ""
        for name in (manifest.checksums, manifest.poster, manifest.thumbnails, sound):
            if not isinstance(name, str) or "/" in name or name == "..":
                raise InvalidStore(f"{name!r} must be a file name without a folder")
        if any(not isinstance(stripe, str) for stripe in manifest.stripes):
            raise InvalidStore("stripes must be an array of texts")
        return manifest

    @classmethod
    def load(cls, folder: Union[str, os.PathLike[str]]) -> Manifest:
        """From the folder of a visualization."""
        file = pathlib.Path(folder) / FILE_NAME
        try:
            with open(file, encoding="utf-8") as stream:
                text = stream.read(_BYTES_MAX + 1)
            if len(text) > _BYTES_MAX:
                raise InvalidStore("it is too large")
            return cls.from_json(text)
        except FileNotFoundError:
            raise InvalidStore(f"{folder} is not a visualization: it has no {FILE_NAME}") from None
        except (InvalidStore, UnicodeDecodeError) as error:
            raise InvalidStore(f"{file}: {error}") from None


def mark_json(store: str, home: str, stripe: int) -> str:
    """stripe.json: the proof of which store owns a stripe's folder."""
    return (
        json.dumps({"version": 1, "store": store, "home": home, "stripe": stripe}, indent=2, ensure_ascii=False) + "\n"
    )
