"""Tables: columns of NumPy arrays, or a pandas.DataFrame on request."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas

Column = npt.NDArray[Any]


class Table(Mapping[str, Column]):
    """Columns by name, all of one length. Missing numbers are NaN, missing texts None.

    table["jitter_us"].max()
    table.where(flow=3).to_pandas()
    """

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self._columns = dict(columns)
        if len({len(column) for column in self._columns.values()}) > 1:
            raise ValueError("the columns of a table have one length")

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, Any]], first: Iterable[str] = ()) -> Table:
        """Of rows by column; `first`: columns that come first, and are there in any case."""
        listed = list(rows)
        names = dict.fromkeys(first)
        for row in listed:
            names.update(dict.fromkeys(row))
        return cls({name: _column([row.get(name) for row in listed]) for name in names})

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Columns, as of any mapping; `count` is the number of rows."""
        return len(self._columns)

    @property
    def count(self) -> int:
        """The number of rows."""
        return next((len(column) for column in self._columns.values()), 0)

    def rows(self) -> Iterator[dict[str, Any]]:
        for values in zip(*self._columns.values()):
            yield dict(zip(self._columns, values))

    def where(self, **equal: Any) -> Table:
        """The rows whose columns have these values."""
        mask = np.ones(self.count, dtype=bool)
        for name, value in equal.items():
            mask &= self._columns[name] == value
        return Table({name: column[mask] for name, column in self._columns.items()})

    def to_pandas(self) -> pandas.DataFrame:
        """Needs python3-pandas."""
        import pandas

        return pandas.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"Table({self.count} rows: {', '.join(self._columns)})"


def _column(values: list[Any]) -> Column:
    there = [value for value in values if value is not None]
    if there and all(isinstance(value, bool) for value in there) and len(there) == len(values):
        return np.array(values, dtype=bool)
    if there and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in there):
        if len(there) == len(values) and all(isinstance(value, int) and abs(value) < 2**63 for value in there):
            return np.array(values, dtype=np.int64)
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    if there and all(isinstance(value, np.datetime64) for value in there):
        return np.array([np.datetime64("NaT") if value is None else value for value in values], dtype="datetime64[us]")
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def time_of(text: str) -> np.datetime64:
    """A server's time, "2026-01-31T12:00:00.123Z", in UTC."""
    return np.datetime64(
        datetime.datetime.fromisoformat(text).astimezone(datetime.timezone.utc).replace(tzinfo=None), "us"
    )
