"""Tables of several runs: a row each, or names that tell their rows apart; what stays unread."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from reportgen.read.logs.columns import (
    CLOCK_WORDS,
    REPEATS,
    RUNS,
    VALUES,
    Numbers,
    Row,
    plan_of,
    read_comma,
    run_of,
)
from reportgen.read.logs.cut import BOM, Sheet, as_utf8
from reportgen.read.logs.numbers import as_number, leaves, parsed
from reportgen.read.logs.shapes import RESULTS_LIMIT, hf_tag
from reportgen.read.logs.words import (
    SPLIT_WORDS,
    is_measure,
    is_rate,
    is_set,
    is_tested,
    lists,
    plain_word,
    split_in,
    words_of,
)
from reportgen.records.metrics import known_metric
from reportgen.records.record import replace
from reportgen.records.run import Log, Problem
from reportgen.records.study import TablePlan

# Tables of which each row is the result of a run: a name, numbers, and no step.

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

_TRIED = re.compile(r"(?i)(?:ablation|grid|metrics|results?|search|sweep|trials?|tuning)[^/]*$")
"""Names of files of which each row may be a run that goes by its settings."""

LONGEST_NAME = 80
"""Letters of what may tell a run; a longer text is of an example."""

_RUNS = frozenset(lists("columns")["of_runs"])
_TRIED_WORDS = frozenset(map(plain_word, lists("columns")["tried"]))


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
    if len(found) > RESULTS_LIMIT:
        return ()
    columns = list(dict.fromkeys(key for row in found for key in row))
    if not under and (stated := _stated(columns, found, number)):
        results = {key: one for key, one in stated.items() if is_measure(key)}
        rest = {key: one for key, one in stated.items() if key not in results}
        return (with_results(empty, of_split(results, empty.source.path), config=rest),)
    ends = [c for c in columns if c.lower().endswith(SUMMED)]
    # A mean over folds beside what was measured once does not make a row one of several runs.
    others = any(is_measure(c) and c not in ends for c in columns)
    summed = any("std" in c.lower() for c in ends) or (bool(ends) and not others)
    named = bool(names)
    names = names or row_names(columns, found, number, (*NAMES, *(MODELS if found[1:] else ())))
    search = () if names or not _TRIED.search(empty.source.path) else tried(columns, found)
    names = names or search
    repeated = bool(names) and plain_word(names[-1]) in map(plain_word, REPEATS)
    if repeated:
        # What sums them up has no number.
        found = [row for row in found if number(row.get(names[-1])) is not None]
    own = [c for c in columns if (c.startswith(f"{under}.") or not under) and c not in names]
    measured = _measured(own, found, number, repeated=repeated)
    is_called = is_called_results(empty.source.path)
    named = named or repeated or bool(search) or any(plain_word(n) in _RUN_WORDS for n in names)
    named = named or (is_called and bool(names) and [*names] == columns[:1])
    alone = len(found) == 1 and (is_called or any(map(is_tested, measured))) and not summed
    is_told = under or alone or ((named or any(map(split_in, measured))) and not summed)
    if not (names or alone) or not measured or not is_told:
        return ()
    # Of repetitions nothing is set that each has another value of: not where each was saved.
    unset = {c for c in own if repeated and _differs(c, found)}
    if len(names) == 1 and not search and (repeated or number(found[0].get(names[0])) is None):
        unset.add(names[0])
    logs = []
    for row in found:
        numbers = {key: number(row.get(key)) for key in measured}
        results = {_tag(key, under): one for key, one in numbers.items() if one is not None}
        config = {
            k: v
            for k, v in row.items()
            if k not in numbers and k not in unset and not isinstance(v, dict | list)
        }
        key = run_of(row, TablePlan(runs=tuple(names)), number)
        logs.append(with_results(empty, results, run_key=key, config=config))
    return tuple(logs)


def with_results(empty: Log, results: Mapping[str, float], **told: Any) -> Log:
    """Return a log with results, which are what its file holds."""
    source = replace(empty.source, points=len(results))
    return replace(empty, source=source, results=results, **told)


def listed_runs(found: Mapping[str, object]) -> tuple[list[Row], tuple[str, ...]]:
    """Return the objects of a list below a key such as `runs`, and what names each of them.

    Example:
        >>> several = [{"model": "a", "test_acc": 0.5}, {"model": "b", "test_acc": 0.75}]
        >>> listed_runs({"runs": several})[1], listed_runs({"rows": several})[1]
        (('model',), ())
    """
    for key, several in found.items():
        listed = several if words_of(key)[-1] in _RUNS and isinstance(several, list) else []
        rows: list[Row] = [dict(leaves(o, mark="/")) for o in listed if isinstance(o, dict)]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        names = row_names(columns, rows, as_number, (*NAMES, *MODELS))
        if names := names or tried(columns, rows, sure=True):
            return rows, names
    return [], ()


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
        >>> from reportgen.read.logs.columns import read_cell
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
        >>> from reportgen.read.logs.columns import read_cell
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
        words = [
            c
            for c in columns
            if all(_is_text(row.get(c), number) for row in counted)
            or (c != column and _is_tried(c) and not _differs(c, counted))
        ]
        for names in ((column,), *((word, column) for word in words), (*words, column)):
            keys = {tuple(row.get(name) for name in names) for row in counted}
            told = likely & {*map(plain_word, names)} - {"name"}
            few = told or 2 * len({key[:-1] for key in keys}) <= len(rows)
            if len(keys) == len(counted) > 1 and few:
                return names
    return ()


def _is_text(cell: object, number: Numbers) -> bool:
    return isinstance(cell, str) and 0 < len(cell) <= LONGEST_NAME and number(cell) is None


def tried(columns: Sequence[str], rows: Sequence[Row], *, sure: bool = False) -> tuple[str, ...]:
    """Return the settings that tell the rows of a search apart, nothing where none do.

    They stand before the results, or behind them where nothing does. One is called as what is
    tried, unless it is sure that rows are runs.

    Example:
        >>> tried(["lr", "acc"], [{"lr": "0.1", "acc": "0.5"}, {"lr": "0.3", "acc": "0.4"}])
        ('lr',)
    """
    at = [n for n, one in enumerate(columns) if is_measure(one)] or [0]
    apart = range(at[0]) or range(at[-1] + 1, len(columns))
    own = [
        c
        for n, c in enumerate(columns)
        if (n in apart or is_set(c))
        and words_of(c)[0] not in {"best", "used"}
        and len({str(row.get(c)) for row in rows}) > 1
    ]

    def tell(names: Sequence[str]) -> bool:
        return len({tuple(str(row.get(c)) for c in names) for row in rows}) == len(rows) > 1

    for column in [c for c in own if not _is_tried(c) and tell([c])]:
        # When a row was written says nothing where its settings tell it.
        rest = [c for c in own if c != column]
        own = rest if tell(rest) else own
    told = sure or any(map(_is_tried, own))
    long = any(len(str(row.get(c))) > LONGEST_NAME for row in rows for c in own)
    return tuple(own) if own and told and not long and tell(own) else ()


def _is_tried(name: str) -> bool:
    return is_set(name) or plain_word(name) in _TRIED_WORDS


def _measured(columns: list[str], rows: list[Row], number: Numbers, *, repeated: bool) -> list[str]:
    """Return the columns of results: what is called so, and other numbers that hardly come twice.

    Of repetitions these are all numbers that nobody set. Elsewhere they stand behind the first
    that is called so, or share the beginning of its name: before it stand settings.
    """
    called = [one for one in columns if is_measure(one)]
    begun = {one.rpartition("_")[0] for one in called} - {""}
    behind = columns[columns.index(called[0]) :] if called else []

    def is_result(column: str) -> bool:
        cells = [number(row.get(column)) for row in rows]
        found = [cell for cell in cells if cell is not None]
        if len(found) < len(cells) or is_rate(column) or is_set(column):
            return False
        whole, differs = all(map(float.is_integer, found)), _differs(column, rows)
        near = column in behind or column.rpartition("_")[0] in begun
        if repeated:
            return differs or not whole
        # Nobody sets a number of three digits or more: 0.8125.
        long = sum(len(f"{one:.9e}".partition("e")[0].rstrip("0")) > 3 for one in found)
        return near and differs and 2 * long > len(found)

    other = len(rows) > 2 or repeated
    return [c for c in columns if is_measure(c) or (called and other and is_result(c))]


def _differs(column: str, rows: list[Row]) -> bool:
    """Tell whether a column has another value in most rows."""
    return 2 * len({str(row.get(column)) for row in rows}) > len(rows)


def _tag(key: str, under: str) -> str:
    return key.removeprefix(f"{under}.").replace(".", "/") if under else key


# Which columns of names tell the runs of one file apart, where no study declares any.

LOOKED = 200_000
"""Rows by which it is decided; so many have shown whether their steps come again."""

MOST = 100
"""More names than these in one column are no runs that somebody tells apart by name."""

LIKELY = ("model", "model_name", "name", "method", "experiment", "group", "variant", "config")
"""What a column of names is most often called: the first of several that do the same counts."""

_NO_RUNS = frozenset(lists("columns")["of_rows"])
"""Columns of words that tell what a row is, or when and where it was written, but not of which
run it is."""

Key = tuple[object, ...]


def named_rows(plan: TablePlan, rows: Iterator[Row], number: Numbers) -> tuple[str, ...]:
    """Return the columns that name the run of each row of a table of results, none of others.

    There each row is of a run of its own, and its epoch or step is that of a result. Where these
    go on from row to row, names that numbers alone tell apart are of the checkpoints of one run.

    Example:
        >>> from reportgen.read.logs.columns import read_cell
        >>> cells = [("vgg", "9"), ("resnet", "7")]
        >>> rows = [{"model": model, "epoch": epoch, "acc": "0.5"} for model, epoch in cells]
        >>> named_rows(TablePlan(step="epoch"), iter(rows), read_cell)
        ('model',)
    """
    first = next(rows, {})
    columns = [name for name in first if name != plan.step]
    if not ({*LIKELY, *NAMES} & {name.strip().lower() for name in columns} or plan.runs):
        return ()
    found = [first, *islice(rows, RESULTS_LIMIT)]
    steps = _steps(plan, found, number)
    if not 1 < len(found) <= RESULTS_LIMIT or max(steps, default=0) <= 1 or _is_even(steps):
        return ()
    names = row_names(columns, found, number, (*NAMES, *LIKELY))
    names = names or (tried(columns, found, sure=True) if len(set(steps)) == 1 else ())
    called = {run_of(row, replace(plan, runs=names), number) for row in found}
    goes_on = all(after > before for before, after in pairwise(steps))
    numbered = goes_on and len({re.sub(r"\d+", "", key) for key in called}) < 2
    return () if numbered else names


def _steps(plan: TablePlan, rows: Iterable[Row], number: Numbers) -> list[float]:
    return [at for row in rows if (at := number(row.get(plan.step))) is not None]


def _is_even(steps: Sequence[float]) -> bool:
    """Tell whether steps go on from row to row, one like the other: all are of one curve."""
    strides = {after - before for before, after in pairwise(steps)}
    return len(strides) == 1 and 0 not in strides and (len(steps) > 2 or 1 in strides)


def of_one_run(plan: TablePlan, begun: Sequence[Row], number: Numbers) -> bool:
    """Tell whether what names runs has another value in each row of one curve: an episode's seed.

    Example:
        >>> from reportgen.read.logs.columns import read_cell
        >>> rows = [{"episode": str(n), "seed": str(90 + n), "reward": "1"} for n in range(5)]
        >>> of_one_run(TablePlan(step="episode", runs=("seed",)), rows, read_cell)
        True
    """
    keys = {run_of(row, plan, number) for row in begun} if plan.runs else set()
    return len(keys) == len(begun) > 2 and _is_even(_steps(plan, begun, number))


def with_names(
    plan: TablePlan, begun: Sequence[Row], rows: Iterable[Row], number: Numbers
) -> tuple[TablePlan, bool]:
    """Return a plan that was inferred, with the columns of names that tell its runs apart.

    Returns:
        The plan, and whether columns were added. They are where a tenth of the rows or more
        repeat a step of their run otherwise, and hardly any with them.

    Example:
        >>> from reportgen.read.logs.columns import read_cell
        >>> cells = [(m, str(e)) for m in ("small", "tiny") for e in (1, 2, 3)]
        >>> rows = [{"model": model, "epoch": epoch, "acc": "0.5"} for model, epoch in cells]
        >>> plan, is_added = with_names(TablePlan(step="epoch"), rows, rows, read_cell)
        >>> plan.runs, is_added
        (('model',), True)
    """
    names = _candidates(plan, begun, number)
    if not names:
        return plan, False
    added = _telling(plan, names, islice(rows, LOOKED), number)
    return replace(plan, runs=(*added, *plan.runs)), bool(added)


def _candidates(plan: TablePlan, begun: Sequence[Row], number: Numbers) -> tuple[str, ...]:
    """Return the columns that hold a word in each row, likely names of runs first."""
    taken = {plan.step, plan.time, plan.split, plan.tag, *plan.runs}
    columns = list(dict.fromkeys(name for row in begun for name in row))
    if not plan.tag and any(name.strip().lower() in VALUES for name in columns):
        return ()  # the words beside a lone value may tell what is measured
    names = [
        name
        for name in columns
        if name not in taken
        and name.strip().lower() not in _NO_RUNS
        and all(_is_name(row.get(name), number) for row in begun if row.get(plan.step))
    ]
    ranks = {word: rank for rank, word in enumerate(LIKELY)}
    return tuple(sorted(names, key=lambda name: ranks.get(name.strip().lower(), len(ranks))))


def _is_name(cell: object, number: Numbers) -> bool:
    return isinstance(cell, str) and bool(cell.strip()) and number(cell) is None


def _telling(
    plan: TablePlan, names: Sequence[str], rows: Iterable[Row], number: Numbers
) -> tuple[str, ...]:
    """Return the column that tells repeated steps apart, else all that do so together, or none.

    With them hardly any step comes again, and each run begins at the start: what only begins in
    the middle is the rest of a training that was started again.
    """
    found: list[tuple[int, int]] = []
    cells: list[Key] = []
    kinds: dict[Key, int] = {}
    for row in rows:
        at = number(row.get(plan.step))
        if at is None or not at.is_integer():
            continue
        # Rows that fill other columns at one step, as of Lightning, take nothing from each other.
        filled = tuple(name for name, cell in row.items() if cell not in (None, ""))
        split, tag = str(row.get(plan.split)), str(row.get(plan.tag))
        same = (run_of(row, plan, number), split, tag, filled)
        found.append((int(at), kinds.setdefault(same, len(kinds))))
        told = (row.get(name) for name in names)
        cells.append(tuple(cell if isinstance(cell, str) else None for cell in told))
    steps = [step for step, _ in found] or [0]
    early = min(steps) + (max(steps) - min(steps)) / 4
    lost = len(found) - len(set(found))

    def tells(columns: Sequence[int]) -> bool:
        keys = [tuple(own[i] for i in columns) for own in cells]
        repeated = len(found) - len({*zip(found, keys, strict=True)})
        begun = {key for (step, _), key in zip(found, keys, strict=True) if step <= early}
        return 20 * repeated <= lost and begun == {*keys}

    columns = [*zip(*cells, strict=True)]
    usable = [i for i, column in enumerate(columns) if _holds_names(column, number)]
    if not usable or 10 * lost < len(found):
        return ()
    ways = (*((i,) for i in usable), tuple(usable))
    return tuple(names[i] for i in next(filter(tells, ways), ()))


def _holds_names(column: Sequence[object], number: Numbers) -> bool:
    """Tell whether a column holds a few words, each several times, that may be runs."""
    counted = Counter(column)
    words = [str(cell).strip().lower() for cell in counted if _is_name(cell, number)]
    if not 2 <= len(words) == len(counted) <= MOST or min(counted.values()) < 2:
        return False
    is_metric = all(word.endswith("loss") or known_metric(word) for word in words)
    return not (SPLIT_WORDS.issuperset(words) or is_metric)


# Tables that look like logs and are not read, for they have no clock: named once a folder.

GLANCE = 1 << 16
"""Bytes of a table that are looked at."""
ROWS = 50
MOST_SHOWN = 8
"""Columns that are named."""
_UNREAD = "looks like a log and is not read"
_UNCLOCKED = f"{_UNREAD}: no column is taken for the step or the epoch"
_TELL_RUNS = frozenset({*map(plain_word, (*RUNS, *NAMES)), "trial", "id", "index", "rank"})
"""What columns are called that number runs, and no steps of one."""
_LONG = frozenset({"age", "duration", "len", "length", "seconds", "size", "time", "year"})
"""Words of columns that tell how long something was, or when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadTable:
    """The first rows of a file that no loader took for a log.

    Attributes:
        name: POSIX path relative to the root.
        columns: Their names.
        numbers: Those that hold numbers, with the first ones.
    """

    name: str
    columns: tuple[str, ...]
    numbers: Mapping[str, tuple[float, ...]]

    @property
    def measures(self) -> bool:
        """Whether a quarter of the columns of numbers are called like something that is measured.

        Of a data set a column or two may be: `credit_score`, `error_estimate`.
        """
        return 0 < len(self.numbers) <= 4 * sum(map(is_measure, self.numbers))

    @property
    def counter(self) -> str:
        """The column that counts up evenly, and so may be the step; empty where none does."""
        for name, values in self.numbers.items():
            named = plain_word(name) in _TELL_RUNS or not _LONG.isdisjoint(words_of(name))
            if named or is_measure(name):
                continue
            whole = all(math.isfinite(v) and v == int(v) for v in values)
            strides = {after - before for before, after in pairwise(values)}
            if whole and len(strides) == 1 and min(strides) > 0:
                return name
        return ""


def look_into(path: Path, name: str) -> UnreadTable | None:
    """Look at the first rows of a file; None where it holds no row with a number."""
    try:
        with path.open("rb", buffering=0) as stream:
            content = stream.read(GLANCE)
    except OSError:
        return None
    if name.lower().endswith((".csv", ".tsv")):
        sheet = Sheet(content, name)
        number: Numbers = sheet.number
        rows: list[Row] = [cut.cells for cut in islice(sheet.rows(), ROWS) if cut.cells]
    else:
        number, rows = as_number, _json_rows(content)
    columns = tuple(dict.fromkeys(column for row in rows for column in row if column))
    numbers = {column: values for column in columns if (values := _numbers(rows, column, number))}
    return UnreadTable(name=name, columns=columns, numbers=numbers) if numbers else None


def _json_rows(content: bytes) -> list[Row]:
    lines = as_utf8(content)[0].removeprefix(BOM).splitlines()[:ROWS]
    return [found for line in lines if isinstance(found := parsed(line), dict)]


def _numbers(rows: Iterable[Row], column: str, number: Numbers) -> tuple[float, ...]:
    """Return the numbers of a column; nothing where most of its cells are none."""
    cells = [cell for row in rows if (cell := row.get(column)) not in (None, "")]
    found = [value for cell in cells if (value := number(cell)) is not None]
    return tuple(found) if 2 * len(found) > len(cells) else ()


def tell_tables(tables: Sequence[UnreadTable], read: Sequence[str]) -> list[Problem]:
    """Return one problem a folder, with the line of a study file that makes its tables readable."""
    by_look: dict[tuple[str, tuple[str, ...]], list[UnreadTable]] = {}
    for table in tables:
        by_look.setdefault((table.name.rpartition("/")[0], table.columns), []).append(table)
    return [_tell(folder, alike, read) for (folder, _), alike in by_look.items()]


def _tell(folder: str, alike: Sequence[UnreadTable], read: Sequence[str]) -> Problem:
    first = alike[0]
    shown = ", ".join(f"'{column[:40]}'" for column in first.columns[:MOST_SHOWN])
    clock = next((name for name in first.numbers if plain_word(name) in CLOCK_WORDS), "")
    if all(read_comma(column) is not None for column in first.columns):
        return Problem(
            path=first.name,
            message=f"{_UNREAD}: its first line names no columns: {shown}",
            remedy="write names above the numbers, such as epoch,train_loss,val_acc",
        )
    if clock and not any(map(is_measure, first.numbers)):
        measured = "" if len(first.numbers) == 1 else " of what was measured"
        return Problem(
            path=first.name,
            message=f"{_UNREAD}: no column beside {clock!r} holds plain numbers{measured}",
            remedy="write each value as a plain number, such as 0.5",
        )
    more = f" and {len(first.columns) - MOST_SHOWN} more" if len(first.columns) > MOST_SHOWN else ""
    several = f"; so do {len(alike) - 1} more beside it" if len(alike) > 1 else ""
    step = json.dumps(first.counter, ensure_ascii=False) if first.counter else "..."
    line = f"[[logs.tables]] match = {json.dumps(_match(folder, alike, read))}, step = {step}"
    told = f"name it in the study file: {line}"
    if not first.counter:
        told = f"where a column counts, {told}; where each row is a result, call a column `run`"
    return Problem(path=first.name, message=f"{_UNCLOCKED}: {shown}{more}{several}", remedy=told)


def _match(folder: str, alike: Sequence[UnreadTable], read: Sequence[str]) -> str:
    """Return a pattern of these tables and of no file that is read as it is."""
    path = PurePosixPath(alike[0].name)
    patterns = [f"*/*{path.suffix}"] if len(alike) > 1 else [f"*/{path.name}", str(path)]
    patterns.append(f"{folder}/*{path.suffix}" if folder else f"*{path.suffix}")
    plans = [TablePlan(match=pattern) for pattern in patterns]
    free = (plan.match for plan in plans if not any(plan_of(name, [plan]) for name in read))
    return next(free, str(path))
