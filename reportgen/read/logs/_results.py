"""Tables of which each row is the result of a run: a name, numbers, and no step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice

from reportgen.read.logs._shapes import is_measure, names_split
from reportgen.read.logs._table import Numbers, Row, plain_word
from reportgen.records.run import Log

NAMES = ("name", "run", "run_name", "run_id", "experiment", "experiment_name", "model_args")
"""What the column is called that names the run of each row."""

SUMMED = ("_mean", "_std", " mean", " std", "/mean", "/std")
"""Ends of columns of a summary: its rows are of several runs."""

ROWS_LIMIT = 1000
"""More rows than these are data, and no results of runs."""


def result_logs(
    rows: Iterable[Row], number: Numbers, empty: Log, under: str = ""
) -> tuple[Log, ...]:
    """Return a log a row, where a column names each run and one measures something of a split.

    Args:
        rows: All rows of a file.
        number: How a cell is read.
        empty: A log with the source of the file.
        under: Key that holds the numbers, where the program says so; then they need no split.
    """
    found = list(islice(rows, ROWS_LIMIT + 1))
    columns = list(dict.fromkeys(key for row in found for key in row))
    name = next((one for one in columns if _names_each(one, found, number)), "")
    measured = [one for one in columns if one.startswith(f"{under}.") or not under]
    measured = [one for one in measured if is_measure(one)]
    summed = any(key.lower().endswith(SUMMED) for key in columns)
    told = under or (any(map(names_split, measured)) and not summed)
    if len(found) > ROWS_LIMIT or not name or not measured or not told:
        return ()
    logs = []
    for row in found:
        numbers = {key: number(row.get(key)) for key in measured}
        results = {_tag(key, under): one for key, one in numbers.items() if one is not None}
        config = {k: v for k, v in row.items() if k not in numbers and k != name}
        key = str(row[name]).strip().replace("/", "_")
        source = replace(empty.source, points=len(results))
        own = replace(empty, source=source, run_key=key, results=results)
        logs.append(replace(own, config=_settings(config)))
    return tuple(logs)


def _names_each(column: str, rows: list[Row], number: Numbers) -> bool:
    """Tell whether a column is called as names are, and has another text in each row."""
    if plain_word(column.rpartition(".")[2]) not in map(plain_word, NAMES):
        return False
    cells = [row.get(column) for row in rows]
    texts = {cell for cell in cells if isinstance(cell, str) and cell and number(cell) is None}
    return len(texts) == len(cells) > 0


def _tag(key: str, under: str) -> str:
    return key.removeprefix(f"{under}.").replace(".", "/") if under else key


def _settings(cells: Mapping[str, object]) -> dict[str, object]:
    return {key: cell for key, cell in cells.items() if not isinstance(cell, dict | list)}
