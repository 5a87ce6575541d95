"""Tables of which each row is the result of a run: a name, numbers, and no step."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from reportgen.read.logs._shapes import RESULTS_LIMIT, hf_tag
from reportgen.read.logs._table import REPEATS, Numbers, Row, run_of
from reportgen.read.logs._words import is_measure, is_rate, is_tested, plain_word, split_in
from reportgen.records.record import replace
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

RUN_NAMES = ("run", "run_name", "run_id", "experiment", "experiment_name")
"""What the column is called that names the run of each row, whatever stands in the others."""

NAMES = ("name", *RUN_NAMES, "model_args")
"""What it is called where something in the row is measured on a split."""

_RUN_WORDS = frozenset(map(plain_word, RUN_NAMES))
MODELS = ("model", "model_name", "method")
"""What it is called where there are several rows: of one alone it may say what is summed up."""

SUMMED = ("_mean", "_std", " mean", " std", "/mean", "/std")
"""Ends of columns of a summary: its rows are of several runs."""

_STATED = [[name, value] for name in ("metric", "metrics") for value in ("value", "score")]
"""Columns of a table of which each row states a result."""

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
    found = list(islice(rows, RESULTS_LIMIT + 1))
    columns = list(dict.fromkeys(key for row in found for key in row))
    if not under and (stated := _stated(columns, found, number)):
        results = {key: one for key, one in stated.items() if is_measure(key)}
        others = {key: one for key, one in stated.items() if key not in results}
        results = of_split(results, empty.source.path)
        source = replace(empty.source, points=len(results))
        return (replace(empty, source=source, results=results, config=others),)
    summed = any(key.lower().endswith(SUMMED) for key in columns)
    named = bool(names)
    called = (*NAMES, *(MODELS if found[1:] else ()))
    names = names or row_names(columns, found, number, called)
    repeated = bool(names) and plain_word(names[-1]) in map(plain_word, REPEATS)
    if repeated:
        # What sums them up has no number.
        found = [row for row in found if number(row.get(names[-1])) is not None]
    named = named or repeated or any(plain_word(one) in _RUN_WORDS for one in names)
    measured = [one for one in columns if one.startswith(f"{under}.") or not under]
    if repeated and any(map(is_measure, measured)):
        measured = [c for c in measured if is_measure(c) or _varies(c, found, number)]
    else:
        measured = [one for one in measured if is_measure(one)]
    is_called = is_called_results(empty.source.path)
    alone = len(found) == 1 and (is_called or any(map(is_tested, measured))) and not summed
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


def _stated(columns: Sequence[str], rows: list[Row], number: Numbers) -> dict[str, float]:
    """Return the numbers of a table of two columns, `metric` and `value`; nothing of others."""
    if not 0 < len(rows) <= RESULTS_LIMIT or [*map(plain_word, columns)] not in _STATED:
        return {}
    pairs = [[*row.values()] for row in rows if len(row) == len(columns)]
    found = {str(name): one for name, cell in pairs if (one := number(cell)) is not None}
    return found if len(found) == len(rows) and any(map(is_measure, found)) else {}


def is_called_results(path: str) -> bool:
    """Tell whether a file is called as results are.

    Example:
        >>> is_called_results("run/eval_results.json"), is_called_results("data/test.json")
        (True, False)
    """
    return _CALLED.search(path) is not None


def unmeasured(empty: Log) -> Log:
    """Return a log that says of a file of results that no name in it is known as a metric's."""
    message = "numbers without a step, of which none is called as a metric: not read"
    remedy = "where one is a result, call it as such: test_score"
    problem = Problem(path=empty.source.path, message=message, remedy=remedy, level="note")
    return replace(empty, problems=(problem,))


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
    if len(found) > RESULTS_LIMIT or not any(map(is_measure, found)):
        return {}
    told = {
        hf_tag(key) if split_in(key) else key: value
        for key, value in found.items()
        if (is_measure(key) or split_in(key)) and math.isfinite(value)
    }
    return of_split(told, name)


def of_split(results: Mapping[str, float], path: str, but: Sequence[str] = ()) -> dict[str, float]:
    """Return results, of which those that name no split are of the one that their file names.

    `but` are words that name none where everybody calls results so.

    Example:
        >>> of_split({"acc": 0.5, "val_acc": 0.75}, "run/test_metrics.json")
        {'test/acc': 0.5, 'val_acc': 0.75}
    """
    split = split_in(path.rpartition("/")[2].partition(".")[0])
    before = f"{split}/" if split not in {"", *but} else ""
    return {key if split_in(key) else f"{before}{key}": value for key, value in results.items()}


def row_names(
    columns: Sequence[str], rows: list[Row], number: Numbers, called: Iterable[str]
) -> tuple[str, ...]:
    """Return the columns that name the run of each row: words, and what numbers repetitions.

    Nothing of a data set, in which the words come once each beside such a number.

    Args:
        columns: Those that may.
        rows: All of a table.
        number: How a cell is read.
        called: What a column is called that names runs by itself.

    Example:
        >>> from reportgen.read.logs._table import read_cell
        >>> cells = [(m, f) for m in ("a", "b") for f in ("1", "2")] + [("a", "mean")]
        >>> rows = [{"model": m, "fold": f, "acc": "0.5"} for m, f in cells]
        >>> row_names(["model", "fold", "acc"], rows, read_cell, NAMES)
        ('model', 'fold')
    """
    likely = {*map(plain_word, called)}
    for column in (one for one in columns if plain_word(one.rpartition(".")[2]) in likely):
        texts = {cell for row in rows if _is_text(cell := row.get(column), number)}
        if len(texts) == len(rows) > 0:
            return (column,)
    for column in (one for one in columns if plain_word(one) in map(plain_word, REPEATS)):
        counted = [row for row in rows if number(row.get(column)) is not None]
        words = [c for c in columns if all(_is_text(row.get(c), number) for row in counted)]
        for names in ((column,), *((word, column) for word in words), (*words, column)):
            keys = {tuple(row.get(name) for name in names) for row in counted}
            told = likely & {*map(plain_word, names)} - {"name"}
            few = told or 2 * len({key[:-1] for key in keys}) <= len(rows)
            if len(keys) == len(counted) > 1 and few:
                return names
    return ()


def _is_text(cell: object, number: Numbers) -> bool:
    return isinstance(cell, str) and bool(cell) and number(cell) is None


def _varies(column: str, rows: list[Row], number: Numbers) -> bool:
    """Tell whether a column holds numbers that count nothing, and are not set or spent."""
    cells = [number(row.get(column)) for row in rows]
    found = [cell for cell in cells if cell is not None]
    whole = all(map(float.is_integer, found))
    return len(found) == len(cells) and not whole and not is_rate(column)


def _tag(key: str, under: str) -> str:
    return key.removeprefix(f"{under}.").replace(".", "/") if under else key
