"""Recorded sessions of `wall-control` (docs/sessions.md)."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterator
from typing import Any, NamedTuple, Union

from .errors import InvalidInput
from .measured import figures
from .tables import Table, time_of

_LINE_BYTES_MAX = 4 << 20
_KINDS = ("session", "info", "library", "state", "stats", "event")


class Entry(NamedTuple):
    """A line of a session. `t_ms`: when it arrived, milliseconds since 1970 by the recording host's clock."""

    t_ms: int
    kind: str
    content: dict[str, Any]


class Session:
    """A session, by its folder or its file.

        session = Session("session-folder")
        session.figures()["receiver"].to_pandas()

    A file of another version, or with an unknown line, is refused with the line's number. If only the last line is
    truncated, the rest is read, and `truncated` is True.
    """

    def __init__(self, place: Union[str, "os.PathLike[str]"]) -> None:
        path = pathlib.Path(place)
        self.file = path / "session.ndjson" if path.is_dir() else path
        self.truncated = False
        first = next(self._read(), None)
        if first is None or first.kind != "session":
            raise InvalidInput(f"{self.file}: it does not begin like a session")
        if first.content.get("version") != 1:
            raise InvalidInput(f"{self.file}: it is of version {first.content.get('version')}, this package reads 1")
        self.head = first.content

    def _read(self) -> Iterator[Entry]:
        try:
            stream = open(self.file, "rb")
        except OSError as error:
            raise InvalidInput(f"cannot read {self.file}: {error.strerror}") from None
        with stream:
            number = 0
            while line := stream.readline(_LINE_BYTES_MAX):
                number += 1
                entry = _entry(line)
                if entry is None and not line.endswith(b"\n") and number > 1 and not stream.read(1):
                    self.truncated = True
                    return
                if entry is None:
                    raise InvalidInput(f"{self.file}:{number}: it is not a line of a session")
                yield entry

    def __iter__(self) -> Iterator[Entry]:
        """All lines, in the order in which the messages arrived."""
        return self._read()

    def of(self, kind: str) -> Iterator[dict[str, Any]]:
        """The content of all lines of a kind: info, library, state, stats, event."""
        return (entry.content for entry in self if entry.kind == kind)

    def figures(self) -> dict[str, Table]:
        """All figures, by table (measured.TABLES)."""
        return figures(self.of("stats"))

    def events(self) -> Table:
        """time, severity, code, text; node, column, row, flow if any event has them."""
        rows = []
        for event in self.of("event"):
            try:
                row: dict[str, Any] = dict(event) | {"time": time_of(event["time"])}
                if tile := row.pop("tile", None):
                    row |= {"column": tile[0], "row": tile[1]}
            except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
                raise InvalidInput(f"{self.file} has an event that is not one of docs/protocol.md: {error!r}") from None
            rows.append(row)
        return Table.from_rows(rows, ["time", "severity", "code", "text"])

    def states(self) -> Table:
        """Of every state: t_ms, status, name, frame, rate, loop, revision."""
        keys = ("status", "name", "frame", "frames", "rate", "loop", "revision")
        states = [entry for entry in self if entry.kind == "state"]
        rows = [{"t_ms": entry.t_ms} | {key: entry.content.get(key) for key in keys} for entry in states]
        return Table.from_rows(rows, ["t_ms", *keys])


def _entry(line: bytes) -> Union[Entry, None]:
    try:
        value = json.loads(line)
        t_ms = value.pop("t_ms")
        ((kind, content),) = value.items()
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        return None
    if kind not in _KINDS or isinstance(t_ms, bool) or not isinstance(t_ms, int) or not isinstance(content, dict):
        return None
    return Entry(t_ms, kind, content)
