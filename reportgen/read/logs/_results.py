"""Tables of which each row is the result of a run: a name, numbers, and no step."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from reportgen.read.logs._shapes import RESULTS_LIMIT, hf_tag, is_measure, is_tested, split_in
from reportgen.read.logs._table import Numbers, Row, plain_word, run_of
from reportgen.records.run import Log
from reportgen.records.study import TablePlan

NAMES = ("name", "run", "run_name", "run_id", "experiment", "experiment_name", "model_args")
"""What the column is called that names the run of each row."""

SUMMED = ("_mean", "_std", " mean", " std", "/mean", "/std")
"""Ends of columns of a summary: its rows are of several runs."""

_NAMED = re.compile(r"(?P<name>[^:=]*[^:=\s])\s*[:=]\s*(?P<number>\S+?)\s*%?")
_CALLED = re.compile(r"(?i)(?:metrics|results?|scores?|summary)[^/]*$")
"""Names of files of results: of one row of them, nothing else says what it is."""


def result_logs(
    rows: Iterable[Row], number: Numbers, empty: Log, under: str = "", names: Sequence[str] = ()
) -> tuple[Log, ...]:
    """Return a log a row, where a column names each run and one measures something of a split.

    A row alone needs no name where something in it was measured on a test set, or where its file
    is called as results are.

    `under` is the key that holds the numbers, where the program says so; then they need no split,
    as where `names` are the columns that name the run of each row.
    """
    found, named = list(islice(rows, RESULTS_LIMIT + 1)), bool(names)
    columns = list(dict.fromkeys(key for row in found for key in row))
    names = names or tuple(one for one in columns if _names_each(one, found, number))[:1]
    measured = [one for one in columns if one.startswith(f"{under}.") or not under]
    measured = [one for one in measured if is_measure(one)]
    summed = any(key.lower().endswith(SUMMED) for key in columns)
    called = _CALLED.search(empty.source.path) is not None
    alone = len(found) == 1 and (called or any(map(is_tested, measured))) and not summed
    told = under or alone or ((named or any(map(split_in, measured))) and not summed)
    if len(found) > RESULTS_LIMIT or not (names or alone) or not measured or not told:
        return ()
    logs = []
    for row in found:
        numbers = {key: number(row.get(key)) for key in measured}
        results = {_tag(key, under): one for key, one in numbers.items() if one is not None}
        config = {
            k: v
            for k, v in row.items()
            if k not in numbers and (k,) != tuple(names) and not isinstance(v, dict | list)
        }
        key = run_of(row, TablePlan(runs=tuple(names)), number)
        source = replace(empty.source, points=len(results))
        own = replace(empty, source=source, run_key=key, results=results)
        logs.append(replace(own, config=config))
    return tuple(logs)


def text_results(lines: Sequence[str], name: str, number: Numbers) -> dict[str, float]:
    """Return the results of a text that holds nothing else: a name and a number in each line.

    A line without a digit is a title. What the name of the file says of the split goes for all
    results that name none.

    Returns:
        Tag to number; nothing where a line is of another kind, or says a name twice.

    Example:
        >>> from reportgen.read.logs._table import read_cell
        >>> text_results(["Summary", "acc = 0.75", "eval_loss = 0.5", "global_step = 90"],
        ...              "run/eval_results.txt", read_cell)
        {'eval/acc': 0.75, 'eval/loss': 0.5}
    """
    found: dict[str, float] = {}
    for line in lines:
        said = _NAMED.fullmatch(line.strip())
        value = number(said["number"]) if said else None
        if value is None or not said or said["name"] in found:
            if any(map(str.isdigit, line)) or (said and said["name"] in found):
                return {}
            continue
        found[said["name"]] = value
    split = split_in(name.rpartition("/")[2].partition(".")[0])
    if len(found) > RESULTS_LIMIT or not any(map(is_measure, found)):
        return {}
    return {
        hf_tag(key) if split_in(key) else f"{split}/{key}" if split else key: value
        for key, value in found.items()
        if (is_measure(key) or split_in(key)) and math.isfinite(value)
    }


def _names_each(column: str, rows: list[Row], number: Numbers) -> bool:
    """Tell whether a column is called as names are, and has another text in each row."""
    if plain_word(column.rpartition(".")[2]) not in map(plain_word, NAMES):
        return False
    cells = [row.get(column) for row in rows]
    texts = {cell for cell in cells if isinstance(cell, str) and cell and number(cell) is None}
    return len(texts) == len(cells) > 0


def _tag(key: str, under: str) -> str:
    return key.removeprefix(f"{under}.").replace(".", "/") if under else key
