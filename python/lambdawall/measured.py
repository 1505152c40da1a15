"""The figures that a server sends (docs/protocol.md, Stats; docs/metrics.md) as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .errors import InvalidInput
from .tables import Table, time_of

_OF_WALL, _OF_NODES = ("wall", "wall_tiles", "wall_flows", "clock", "sender"), (
    "nodes",
    "processes",
    "sounds",
    "clocks",
    "receiver",
    "tiles",
)
TABLES = (*_OF_WALL, *_OF_NODES, "sites", "site_nodes")


def _flat(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers and texts of an entry; a tile becomes two columns."""
    row: dict[str, Any] = {}
    for key, value in entry.items():
        if key == "tile" and isinstance(value, list) and len(value) == 2:
            row |= {"column": value[0], "row": value[1]}
        elif isinstance(value, (int, float, str)):
            row[key] = value
    return row


def _rows(stats: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    wall = stats.get("wall", {})
    yield "wall", _flat(wall) | {"interval_s": stats.get("interval_s")}
    for name in ("tiles", "flows"):
        for entry in wall.get(name, []):
            yield f"wall_{name}", _flat(entry)
    if "clock" in stats:
        yield "clock", _flat(stats["clock"])
    for flow in stats.get("sender", []):
        yield "sender", _flat(flow)
    for node in stats.get("nodes", []):
        report, of = node.get("report", {}), {"node": node["node"]}
        scalars = {key: value for key, value in _flat(report).items() if key not in ("time", "node")}
        yield "nodes", _flat(node) | scalars
        for name, table in (("process", "processes"), ("sound", "sounds"), ("clock", "clocks")):
            if name in report:
                yield table, of | _flat(report[name])
        for key, name in (("flows", "receiver"), ("tiles", "tiles")):
            for entry in report.get(key, []):
                yield name, of | _flat(entry)
    for site in stats.get("sites", []):
        yield "sites", _flat(site)
        for node in site.get("nodes", []):
            yield "site_nodes", {"site": site["site"]} | _flat(node)


def figures(stats: Iterable[Mapping[str, Any]]) -> dict[str, Table]:
    """Tables of any number of `Stats`, by name (TABLES), each with the server's `time`.

    Columns have the names of docs/metrics.md. A figure that was not measured is NaN. Rows of `receiver` and `tiles`
    are those of the nodes that reported.
    """
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    for number, message in enumerate(stats):
        try:
            time = {"time": time_of(message["time"])}
            for name, row in _rows(message):
                rows[name].append(time | row)
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise InvalidInput(f"message {number} is not a Stats of docs/protocol.md: {error!r}") from None
    return {name: Table.from_rows(listed, ["time"]) for name, listed in rows.items()}
