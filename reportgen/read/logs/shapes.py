"""Shapes that rows have besides one row a step: each is turned into that."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from reportgen.read.logs.columns import REPEATS, Numbers, Row
from reportgen.read.logs.cut import Cut, Sheet
from reportgen.read.logs.numbers import as_number, leaves
from reportgen.read.logs.sessions import EPOCH
from reportgen.read.logs.sources import LogSource
from reportgen.read.logs.words import (
    SPLIT_WORDS,
    holds_settings,
    is_measure,
    is_rate,
    is_tested,
    lists,
    metric_of,
    names_model,
    plain_word,
    split_in,
    words_of,
)
from reportgen.records.record import field, record, replace
from reportgen.records.source import read_download

RUN, STEP, TAG, VALUE, SPLIT = "run", "step", "tag", "value", "split"

_RESULTS = frozenset({"metrics", "report", "result", "results", "scores"})
"""Last words of keys below which results stand."""

_RUNS = frozenset(lists("columns")["of_runs"])
_COMPARED = frozenset(lists("columns")["compared"])
_NUMBERED = re.compile(rf"(?i)(?:{'|'.join(REPEATS)})[_ -]?\d+")
_AVERAGE = "macro avg"
"""What scikit-learn's report of classes has below them."""

_OF_FOLD = re.compile(r"split(\d+)_test_(\w+)")
_INDEX = re.compile(r"(?:Unnamed: 0|index|)")


@record
class Shaped:
    """Rows of one step each.

    Attributes:
        rows: Cuts them; it may be asked several times.
        header: Names of their columns.
        plan: What is known of the plan, whatever the names of columns say.
        fixed: Column to tag, where they differ.
    """

    rows: Callable[[], Iterator[Cut]]
    header: Sequence[str]
    plan: Mapping[str, object] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)


def _episodes(sheet: Sheet, _: LogSource) -> Shaped:
    """Count the steps of episodes: a row holds the length of one, and the seconds since a start."""

    def rows() -> Iterator[Cut]:
        total = 0
        for cut in sheet.rows():
            total = 0 if cut.begins else total
            cells = cut.cells
            length = sheet.number(cells.get("l")) if cells else None
            if cells and length is not None and math.isfinite(length):
                total += int(length)
                cut.cells = {**cells, STEP: str(total)}
            yield cut

    return Shaped(rows=rows, header=[*sheet.header, STEP], plan={"step": STEP})


def _panel(sheet: Sheet, _: LogSource) -> Shaped:
    """Deal the columns `run - key` of a panel out to their runs; its ranges are no points."""
    own = [c for c in sheet.header if not c.endswith(("__MIN", "__MAX"))]
    named = {c: c.rpartition(" - ") for c in own if " - " in c}
    step = next((c for c in own if c not in named), "")

    def rows() -> Iterator[Cut]:
        for cut in sheet.rows():
            cells = cut.cells
            if cells is None:
                yield cut
                continue
            for column, (run, _, tag) in named.items():
                cell = cells.get(column)
                if cell not in (None, ""):
                    row = {step: cells.get(step), RUN: run, TAG: tag, VALUE: cell}
                    yield replace(cut, cells=row)

    plan = {"step": step, "runs": (RUN,), "tag": TAG, "value": VALUE}
    return Shaped(rows=rows, header=[step, RUN, TAG, VALUE], plan=plan)


def _downloaded(sheet: Sheet, _: LogSource) -> Shaped:
    fixed = {"Value": tag_in(sheet.path)}
    return Shaped(rows=sheet.rows, header=sheet.header, fixed=fixed)


def tag_in(path: str) -> str:
    """Return what a downloaded table holds, as its name tells it; `Value` where it does not.

    Example:
        >>> [tag_in(f"a/{n}.csv") for n in ("run-x-tag-val_loss", "val_loss", "seed3", "valid")]
        ['val_loss', 'val_loss', 'Value', 'Value']
    """
    stem = path.rpartition("/")[2].rpartition(".")[0]
    found = read_download(stem)
    if found:
        return found[1]
    # A number is of a run, and a split's name of a split: neither says what was measured.
    is_tag = not re.search(r"\d", stem) and stem.lower() not in SPLIT_WORDS
    return stem if is_tag else "Value"


def _plot(sheet: Sheet, _: LogSource) -> Shaped:
    """Name the metric of a plot by its place: `plots/metrics/train/loss.tsv`."""
    tag = f"/{sheet.path}".rpartition("/plots/metrics/")[2].rpartition(".")[0]
    columns = [name for name in sheet.header if plain_word(name) != STEP]
    return Shaped(rows=sheet.rows, header=sheet.header, fixed={columns[-1]: tag} if columns else {})


def _folds(sheet: Sheet, _: LogSource) -> Shaped:
    """Deal the columns of folds out to a row each, under the settings of their candidate."""

    def rows() -> Iterator[Cut]:
        for cut in sheet.rows():
            cells, of_fold = cut.cells or {}, dict[str, dict[str, object]]()
            tried = ((k[6:].rpartition("__")[2], v) for k, v in cells.items() if k[:6] == "param_")
            named = ",".join(f"{name}={value}" for name, value in tried if value)
            for column, cell in cells.items():
                if found := _OF_FOLD.fullmatch(column):
                    row = of_fold.setdefault(found[1], {RUN: named, "fold": found[1]})
                    row[f"val_{found[2]}"] = cell
            yield from (replace(cut, cells=row) for row in of_fold.values())

    return Shaped(rows=rows, header=[RUN, "fold"])


SHEETS: Mapping[str, Callable[[Sheet, LogSource], Shaped]] = {
    "rows": lambda sheet, _: Shaped(rows=sheet.rows, header=sheet.header),
    "episodes": _episodes,
    "panel": _panel,
    "downloaded": _downloaded,
    "plot": _plot,
    "folds": _folds,
}


def results_in(found: Mapping[str, object], number: Numbers) -> dict[str, float]:
    """Return what names a split, where something in it was measured on a test set.

    So is what is measured below a key that is called as results. A list of one number is a number.

    Example:
        >>> from reportgen.read.logs.numbers import as_number
        >>> results_in({"test": {"acc": 0.5}, "val_loss": 1.5, "seed": 3}, as_number)
        {'test/acc': 0.5, 'val_loss': 1.5}
        >>> results_in({"val_loss": 1.5, "rf_results": {"f1": 0.5, "n": 9}}, as_number)
        {'rf_results/f1': 0.5}
        >>> results_in({"val_loss": 1.5}, as_number)
        {}
    """
    lone = {k: v[0] if isinstance(v, list) and len(v) == 1 else v for k, v in found.items()}
    numbers = dict(islice(numbers_in(lone, number), RESULTS_LIMIT))
    told = any(map(is_tested, numbers))
    parts = ((key.rpartition("/"), key, value) for key, value in numbers.items())
    return {
        key: value
        for (above, _, name), key, value in parts
        if is_measure(key)
        and "best" not in words_of(key)
        and ((told and split_in(key)) or (words_of(above)[-1] in _RESULTS and is_measure(name)))
    }


def runs_in(
    found: Mapping[str, object], key: str = "", deep: int = 2
) -> dict[str, dict[str, object]]:
    """Return the objects below a key that are runs under their names, nothing where none are.

    All measure the same. That they are runs, and no classes or data sets, the key says, or their
    names, as of models, or one that is of a comparison, or their numbers, as of seeds, or that
    each states its settings, or is a report of classes.

    Example:
        >>> acc = {"acc": 0.5}
        >>> [list(runs_in(one)) for one in ({"models": {"a": acc, "b": acc}}, {"a": acc, "b": acc})]
        [['a', 'b'], []]
        >>> list(runs_in({"report": {"results": {"seed_1": acc, "seed_2": acc}}}))
        ['seed_1', 'seed_2']
    """
    inside = {name: one for name, one in found.items() if isinstance(one, dict)}
    measured = [{*filter(is_measure, dict(numbers_in(o, as_number)))} for o in inside.values()]
    told = (
        not _RUNS.isdisjoint([word for word in words_of(key) if word not in _RESULTS][-1:])
        or 2 * sum(map(names_model, inside)) > len(inside)
        or any(not _COMPARED.isdisjoint(words_of(name)) for name in inside)
        or all(map(_NUMBERED.fullmatch, inside))
        or all(any(holds_settings(*pair) for pair in one.items()) for one in inside.values())
        or all(_AVERAGE in one for one in inside.values())
    ) and not all(map(split_in, inside))
    if len(inside) > 1 and told and set.intersection(*measured):
        return inside
    several = (runs_in(one, name, deep - 1) for name, one in inside.items()) if deep else ()
    return next(filter(None, several), {})


def is_history(header: Sequence[str], rows: Sequence[Row], number: Numbers) -> bool:
    """Tell whether the rows of a table without a clock are the epochs of a training.

    Every column is a measure or a rate, and one is a loss, or measured on two splits. So is no
    data set, and no table of results: these name what each row is of.

    Example:
        >>> from reportgen.read.logs.columns import read_cell
        >>> rows = [{"loss": "0.5", "val_loss": "0.6"}, {"loss": "0.4", "val_loss": "0.5"}]
        >>> is_history(["loss", "val_loss"], rows, read_cell)
        True
        >>> is_history(["age", "loss"], [{"age": "3", "loss": "1"}] * 2, read_cell)
        False
    """
    names = [name for name in header if not _INDEX.fullmatch(name)]
    if len(rows) < 2 or not names or not all(is_measure(n) or is_rate(n) for n in names):
        return False
    metrics = [metric_of(name) for name in names]
    twice = len(set(metrics)) < len(metrics)
    if not twice and not any("loss" in metric for metric in metrics):
        return False
    cells = [row.get(name) for row in rows for name in names]
    return all(cell in (None, "") or number(cell) is not None for cell in cells)


def is_listed_history(lists: Sequence[str], rows: Sequence[Row], number: Numbers) -> bool:
    """Tell whether lists of numbers by name are a training's: half of them measure something.

    Example:
        >>> names = ["train_loss", "val_loss", "saved_epochs"]
        >>> rows = [{"train_loss": 2.0, "val_loss": 3.0, "saved_epochs": 1}] * 2
        >>> from reportgen.read.logs.numbers import as_number
        >>> is_listed_history(names, rows, as_number)
        True
    """
    measured = [name for name in lists if is_measure(name) or is_rate(name)]
    return 2 * len(measured) >= len(lists) and is_history(measured, rows, number)


def counted(rows: Callable[[], Iterator[Cut]]) -> Callable[[], Iterator[Cut]]:
    """Return rows that state their number as the epoch; the index of a frame is no column."""

    def numbered() -> Iterator[Cut]:
        count = 0
        for cut in rows():
            count = 0 if cut.begins else count
            if cut.cells is not None:
                count += 1
                cells = {k: v for k, v in cut.cells.items() if not _INDEX.fullmatch(k)}
                cut.cells = {**cells, EPOCH: str(count)}
            yield cut

    return numbered


# --- objects of JSON --------------------------------------------------------------------------


def columns_in(found: Mapping[str, object], number: Numbers) -> list[dict[str, object]] | None:
    """Return the rows of an object whose values are lists of numbers, all of one length.

    Example:
        >>> from reportgen.read.logs.numbers import as_number
        >>> columns_in({"loss": [2, 1], "val_loss": [3, 2], "name": "a"}, as_number)
        [{'loss': 2, 'val_loss': 3}, {'loss': 1, 'val_loss': 2}]
    """
    lists = {key: value for key, value in found.items() if isinstance(value, list) and value}
    lists = {key: value for key, value in lists.items() if number(value[0]) is not None}
    plain = [value for value in found.values() if not isinstance(value, dict)]
    if not lists or 2 * len(lists) < len(plain):
        return None
    most = max(map(len, lists.values()))
    # What was tested once, behind the last epoch, is of no row.
    lists = {k: one for k, one in lists.items() if len(one) > 1 or not (most > 1 and is_tested(k))}
    return [{key: one[n] for key, one in lists.items() if n < len(one)} for n in range(most)]


def curves_in(found: Mapping[str, object]) -> list[dict[str, object]] | None:
    """Return the rows of an object whose values hold `steps` and `values` each.

    Example:
        >>> curves_in({"loss": {"steps": [0, 1], "values": [2.0, 1.0]}})[1]
        {'step': 1, 'tag': 'loss', 'value': 1.0, 'timestamp': None}
    """
    rows: list[dict[str, object]] = []
    for tag, one in found.items():
        steps, values = (
            (one.get(k) for k in ("steps", "values")) if isinstance(one, dict) else (0, 0)
        )
        if not isinstance(steps, list) or not isinstance(values, list):
            return None
        times = one.get("timestamps") if isinstance(one, dict) else None
        times = times if isinstance(times, list) else []
        for n, (step, value) in enumerate(zip(steps, values, strict=False)):
            time = times[n] if n < len(times) else None
            rows.append({"step": step, "tag": tag, "value": value, "timestamp": time})
    return rows or None


def listed_under(tables: Mapping[str, Sequence[Row]]) -> list[Row]:
    """Return the rows of some lists, with what their keys name: a split, or a run.

    Keys name splits where no column does, and runs where all rows have the same columns; else
    the lists are parts of one run.

    Example:
        >>> listed_under({"train": [{"epoch": 1}], "val": [{"epoch": 1}]})
        [{'split': 'train', 'epoch': 1}, {'split': 'val', 'epoch': 1}]
        >>> listed_under({"0.1": [{"epoch": 1}], "0.2": [{"epoch": 1}]})[1]
        {'run': '0.2', 'epoch': 1}
        >>> listed_under({"losses": [{"epoch": 1, "loss": 2}], "scores": [{"epoch": 1, "f1": 0}]})
        [{'epoch': 1, 'loss': 2}, {'epoch': 1, 'f1': 0}]
    """
    columns = [{key for row in rows for key in row} for rows in tables.values()]
    splits = [split_in(key) for key in tables]
    named: dict[str, Row] = {}
    own = any(split_in(key) for one in columns for key in one)
    if all(splits) and len(set(splits)) == len(tables) and not own:
        named = {key: {SPLIT: one} for key, one in zip(tables, splits, strict=True)}
    elif len(tables) > 1 and not any(splits) and all(one == columns[0] for one in columns):
        named = {key: {RUN: key} for key in tables}
    return [{**named.get(key, {}), **row} for key, rows in tables.items() for row in rows]


def numbers_in(found: object, number: Numbers) -> Iterator[tuple[str, float]]:
    """Yield every number of nested objects under keys joined by slashes.

    Example:
        >>> from reportgen.read.logs.numbers import as_number
        >>> dict(numbers_in({"test": {"acc": 0.5}, "note": "a"}, as_number))
        {'test/acc': 0.5}
    """
    for key, value in leaves(found, mark="/"):
        if key and (one := number(value)) is not None:
            yield key, one


RESULTS_LIMIT = 1000
"""More numbers in one object, or rows in one table, are data and no results."""

HF_SPLITS = ("eval", "test", "predict")


def hf_tag(key: str) -> str:
    """Return a key of the Trainer as its TensorBoard callback names it.

    Source: `transformers/integrations/integration_utils.py`, `rewrite_logs`.

    Example:
        >>> hf_tag("eval_accuracy"), hf_tag("loss")
        ('eval/accuracy', 'train/loss')
    """
    prefix, _, rest = key.partition("_")
    return f"{prefix}/{rest}" if prefix in HF_SPLITS and rest else f"train/{key}"
