"""Traces: the life of every frame (docs/probe.md, trace; docs/metrics.md, Stages)."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any, Union

import numpy as np

from .errors import InvalidInput
from .tables import Table

# The times of each step of a FrameRecord (docs/protocol.md), in the order of `times_ns`.
_TIMES = {
    "read": ("requested_ns", "in_memory_ns"),
    "sent": ("in_memory_ns", "first_sent_ns", "last_sent_ns"),
    "received": ("arrived_ns", "complete_ns", "first_sent_arrived_ns"),
    "shown": ("complete_ns", "taken_ns", "uploaded_ns", "swapped_ns"),
}


@dataclasses.dataclass(frozen=True)
class Trace:
    """A file of `wall-probe trace --out`. Times are in microseconds, 0 being `zero_ns` nanoseconds after 1970 UTC.

    stages      a row for each stage of each frame: host, stage, track, begin_us, duration_us, frame, tick, generation,
                media_us, bytes, tile, and flow, stripe or repaired where they apply. The duration of `flight` may be
                negative, as it involves two clocks
    incidents   what went wrong: host, incident, track, time_us, and the frame's columns
    clock_errors
                host, time_us, error_us
    other       the file's `otherData`
    """

    stages: Table
    incidents: Table
    clock_errors: Table
    zero_ns: int
    other: dict[str, Any]

    @property
    def frames(self) -> int:
        """Different frames of which a stage is known, by their media time."""
        return len(np.unique(self.stages["media_us"])) if self.stages.count else 0

    def summary(self) -> Table:
        """Of each stage: count, us_min, us_p50, us_p99, us_max, as `wall-probe trace` prints them."""
        rows = []
        for stage in ("read", "queue", "send", "flight", "assemble", "wait", "upload", "swap"):
            times = np.sort(self.stages.where(stage=stage)["duration_us"])
            if len(times):
                row = {"stage": stage, "count": len(times), "us_min": float(times[0])}
                row |= {f"us_p{p}": float(times[max(1, math.ceil(p / 100 * len(times))) - 1]) for p in (50, 99)}
                rows.append(row | {"us_max": float(times[-1])})
        return Table.from_rows(rows, ["stage", "count", "us_min", "us_p50", "us_p99", "us_max"])


def load_trace(file: Union[str, "os.PathLike[str]"]) -> Trace:
    """Reads what `wall-probe trace --out` wrote."""
    path = pathlib.Path(file)
    try:
        value = json.loads(path.read_bytes())
        return _trace(value["traceEvents"], value["otherData"])
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise InvalidInput(f"{path} is not a trace of wall-probe: {error!r}") from None


def _trace(events: list[dict[str, Any]], other: dict[str, Any]) -> Trace:
    hosts: dict[int, str] = {}
    tracks: dict[tuple[int, int], str] = {}
    for event in events:
        if event["ph"] == "M" and event["name"] == "process_name":
            hosts[event["pid"]] = event["args"]["name"]
        if event["ph"] == "M" and event["name"] == "thread_name":
            tracks[event["pid"], event["tid"]] = event["args"]["name"]
    stages, incidents, errors = [], [], []
    for event in events:
        details = dict(event.get("args", {}))
        where = {"host": hosts.get(event["pid"]), "track": tracks.get((event["pid"], event.get("tid", 0)))}
        if event["ph"] == "X":
            row = where | {"stage": event["name"], "begin_us": _us(event["ts"])}
            row |= {
                "duration_us": _us(details.pop("flight_us", event["dur"])),
                "media_us": _us(details.pop("media_us")),
            }
            stages.append(row | details)
        elif event["ph"] == "i":
            incidents.append(where | {"incident": event["name"], "time_us": _us(event["ts"])} | details)
        elif event["ph"] == "C":
            errors.append({"host": where["host"], "time_us": _us(event["ts"]), "error_us": _us(details["us"])})
    frame = ["frame", "tick", "generation", "media_us", "bytes", "tile"]
    return Trace(
        Table.from_rows(stages, ["host", "stage", "track", "begin_us", "duration_us", *frame]),
        Table.from_rows(incidents, ["host", "incident", "track", "time_us", *frame]),
        Table.from_rows(errors, ["host", "time_us", "error_us"]),
        int(other["zero_ns"]),
        other,
    )


def _us(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def frame_records(records: Iterable[Mapping[str, Any]]) -> dict[str, Table]:
    """FrameRecords, as the control method `trace` returns them, by step: read, sent, received, shown.

    Times are nanoseconds relative to the frame's media time; a time that was not measured is NaN.
    """
    rows: dict[str, list[dict[str, Any]]] = {step: [] for step in _TIMES}
    for record in records:
        row = {key: value for key, value in record.items() if key not in ("step", "times_ns", "tile")}
        if "tile" in record:
            row |= {"column": record["tile"][0], "row": record["tile"][1]}
        row |= dict(zip(_TIMES[record["step"]], record["times_ns"]))
        rows[record["step"]].append(row)
    return {
        step: Table.from_rows(listed, ["frame", "tick", "media_ns", *_TIMES[step]]) for step, listed in rows.items()
    }
