"""Results of `wall-probe run` and `sweep` (docs/probe.md, docs/schema)."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
from typing import Any, Optional, Union

from .errors import InvalidInput
from .tables import Table

_SCHEMA, _EXPERIMENT = "lambdawall-result-1", "lambdawall-experiment-1"
Value = Union[str, float]


def _number(value: float) -> str:
    """As wall-probe prints it."""
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


@dataclasses.dataclass(frozen=True)
class Result:
    """One measurement. `raw` is the entire object of the file."""

    raw: dict[str, Any]
    file: pathlib.Path

    @property
    def run(self) -> int:
        return int(self.raw.get("run", 0))

    @property
    def repetition(self) -> int:
        return int(self.raw.get("repetition", 0))

    @property
    def point(self) -> dict[str, Value]:
        """The value of each axis of the sweep."""
        point: dict[str, Value] = self.raw.get("point", {})
        return point

    @property
    def complete(self) -> bool:
        return self.raw["complete"] is True

    @property
    def counts(self) -> bool:
        """Complete and not marked: only such runs count in medians."""
        return self.complete and not self.raw.get("marks")

    @property
    def marks(self) -> str:
        """What makes the figures doubtful, as a text."""
        texts = []
        for mark in self.raw.get("marks", []):
            text: str = mark["what"]
            text += f" at {mark['host']}" if mark.get("host") else ""
            text += f" after {_number(mark['at_s'])} s" if mark.get("at_s") is not None else ""
            texts.append(text + (f": {mark['note']}" if mark.get("note") else ""))
        return "; ".join(texts)

    @property
    def figures(self) -> dict[str, float]:
        """Of the whole run, with the names of docs/probe.md. A figure that was not measured is absent."""
        return dict(_numbers(self.raw.get("figures", {})))

    def flows(self) -> Table:
        """A row for each flow: flow, load, direction, and its figures."""
        return Table.from_rows(
            (_flow_head(flow) | _numbers(flow.get("figures", {})) for flow in self.raw.get("flows", [])),
            ["flow", "load", "direction"],
        )

    def intervals(self) -> Table:
        """A row for each interval of each flow: flow, load, direction, begin_s, end_s, and its figures."""
        return Table.from_rows(
            (_flow_head(flow) | entry for flow in self.raw.get("flows", []) for entry in flow.get("intervals", [])),
            ["flow", "load", "direction", "begin_s", "end_s"],
        )


def _flow_head(flow: dict[str, Any]) -> dict[str, Any]:
    return {"flow": flow["flow"], "load": flow.get("load", ""), "direction": flow.get("direction", "")}


def _numbers(figures: dict[str, Any]) -> dict[str, float]:
    return {
        key: value for key, value in figures.items() if isinstance(value, (int, float)) and not isinstance(value, bool)
    }


@dataclasses.dataclass(frozen=True)
class Results:
    """All runs of a directory. `experiment` is the object of experiment.json, if there is one."""

    runs: list[Result]
    axes: list[str]
    experiment: Optional[dict[str, Any]]

    def table(self, counting: bool = False) -> Table:
        """A row for each run, with the columns of the report's runs.csv: run, repetition, the axes, began, complete,
        marks, error, command, and all figures. `counting`: only runs that count in medians."""
        runs = [run for run in self.runs if run.counts or not counting]
        names = sorted({name for run in runs for name in run.figures})
        rows = []
        for run in runs:
            row: dict[str, Any] = {"run": run.run, "repetition": run.repetition}
            row |= {axis: run.point.get(axis) for axis in self.axes}
            row |= {"began": run.raw.get("began", ""), "complete": run.complete, "marks": run.marks}
            row |= {"error": run.raw.get("error", ""), "command": run.raw.get("command", "")}
            rows.append(row | {name: run.figures.get(name) for name in names})
        heads = ["run", "repetition", *self.axes, "began", "complete", "marks", "error", "command", *names]
        return Table.from_rows(rows, heads)


def _object(file: pathlib.Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except OSError as error:
        raise InvalidInput(f"cannot read {file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{file} is not valid JSON: {error}") from None


def _is_of(value: Any, schema: str) -> bool:
    return isinstance(value, dict) and value.get("schema") == schema


def load_result(file: Union[str, "os.PathLike[str]"]) -> Result:
    """One result, as `wall-probe run --json` prints it and `--results` writes it."""
    path = pathlib.Path(file)
    value = _object(path)
    if not _is_of(value, _SCHEMA) or not _has_the_members(value):
        raise InvalidInput(f"{path} is not a result of wall-probe ({_SCHEMA}, docs/schema)")
    return Result(value, path)


def _has_the_members(value: dict[str, Any]) -> bool:
    """The types of all members that this module reads; docs/schema describes the rest."""

    def is_(kind: type, *members: Any) -> bool:
        return all(isinstance(member, kind) and not (kind is int and isinstance(member, bool)) for member in members)

    def entries(of: dict[str, Any], key: str) -> list[Any]:
        listed = of.get(key, [])
        return listed if isinstance(listed, list) else [None]  # which is not an entry

    flows, marks = entries(value, "flows"), entries(value, "marks")
    if not is_(dict, *flows, *marks, value.get("figures", {}), value.get("point", {})):
        return False
    intervals = [interval for flow in flows for interval in entries(flow, "intervals")]
    texts = [value.get(key, "") for key in ("began", "error", "command")] + [mark.get("what") for mark in marks]
    texts += [flow.get(key, "") for flow in flows for key in ("load", "direction")]
    times = [mark["at_s"] for mark in marks if mark.get("at_s") is not None]
    return (
        is_(bool, value.get("complete"))
        and is_(int, value.get("run", 0), value.get("repetition", 0), *(flow.get("flow") for flow in flows))
        and is_(dict, *intervals, *(flow.get("figures", {}) for flow in flows))
        and is_(str, *texts)
        and all(isinstance(member, (int, float)) for member in times)
        and all(isinstance(member, (int, float, str)) for member in value.get("point", {}).values())
    )


def load_results(directory: Union[str, "os.PathLike[str]"]) -> Results:
    """All results of a directory, as `wall-probe report` reads them, in its order: by axes, repetition and run."""
    place = pathlib.Path(directory)
    record = place / "experiment.json"
    experiment: Optional[dict[str, Any]] = None
    if record.exists():
        experiment = _object(record)
        if not _is_of(experiment, _EXPERIMENT):
            raise InvalidInput(f"{record} does not describe an experiment of wall-probe ({_EXPERIMENT})")
    has_runs = (place / "runs").is_dir()
    folder = place / "runs" if has_runs else place
    runs = []
    for file in sorted(folder.glob("*.json")):
        if file.name != "experiment.json" and (has_runs or _is_of(_object(file), _SCHEMA)):
            runs.append(load_result(file))
    if not runs:
        raise InvalidInput(
            f"{place} has no results; give the directory of a sweep, or one with results of wall-probe run"
        )
    axes = {axis["key"]: list(axis.get("values", [])) for axis in (experiment or {}).get("axes", [])}
    met: dict[str, set[Value]] = {}
    for run in runs:
        for key, value in run.point.items():
            met.setdefault(key, set()).add(value)
    for key in sorted(met):
        values = axes.setdefault(key, [])
        values += [value for value in sorted(met[key], key=_order) if value not in values]

    def place_of(run: Result) -> tuple[list[float], int, int]:
        places = [axes[key].index(run.point[key]) if key in run.point else -math.inf for key in axes]
        return places, run.repetition, run.run

    return Results(sorted(runs, key=place_of), list(axes), experiment)


def _order(value: Value) -> tuple[int, float, str]:
    return (1, 0.0, value) if isinstance(value, str) else (0, float(value), "")


def load_report(file: Union[str, "os.PathLike[str]"]) -> Table:
    """The medians of a report, from the output of `wall-probe report --json`: a row for each point and figure.

    Columns: the axes, figure, median, runs, and low, high, coverage of its interval (NaN with a single run).
    """
    path = pathlib.Path(file)
    value, rows, axes = _object(path), [], dict[str, None]()
    try:
        for entry in value["points"]:
            axes.update(dict.fromkeys(entry["point"]))
            for name, figure in entry["figures"].items():
                numbers = {key: figure.get(key) for key in ("median", "runs", "low", "high", "coverage")}
                rows.append(dict(entry["point"]) | {"figure": name} | numbers)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(f"{path} is not a report of wall-probe: {error!r}") from None
    return Table.from_rows(rows, [*axes, "figure", "median", "runs", "low", "high", "coverage"])
