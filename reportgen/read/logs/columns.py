"""Which column of a table is what: the step, the epoch, the split, and what tells runs apart."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from itertools import pairwise

from reportgen.read.logs.words import SPLIT_WORDS, is_measure, lists, plain_word, split_in
from reportgen.records.study import TablePlan

STEPS = lists("columns")["steps"]
"""What a step is called, in order of preference; case, spaces and underscores count for nothing."""

EPOCHS = ("epoch", "epochs", "current_epoch")

COUNTED = lists("columns")["counted"]
"""What a program counts in place of steps, in order of preference; a folder may stand before it,
as in `time/total_timesteps`."""

_SHARED = frozenset({"round", "rounds", "generation", "generations"})
"""Those that tables of many kinds have: they count where something beside them is measured."""

_FILMED = frozenset({"frame", "frames"})
"""Those that tables of films have too, one a row: a program counts many between two rows."""

TIMES = ("wall_time", "timestamp", "timestamps", "datetime_complete")
REPEATS = ("fold", "cv_fold", "seed", "random_seed")
"""What numbers the repetitions that rows are of."""

RUNS = ("run", "run_name", *REPEATS)
SPLITS = ("split", "subset", "phase", "mode")
TAGS = ("tag", "metric")
VALUES = ("value",)

_WRAPPED = re.compile(r"(?:tensor|array|np\.[a-z]+\d*)\(\[?([^,()\[\]]+)\]?(?:,[^()]*)?\)")
"""A number as PyTorch and NumPy show it, which a program wrote down as it was."""

Row = Mapping[str, object]
Numbers = Callable[[object], float | None]


def plan_of(name: str, tables: Sequence[TablePlan]) -> TablePlan | None:
    """Return the first plan that matches a file's path, None where none does.

    Example:
        >>> plans = [TablePlan(match="*/log.txt", step="n")]
        >>> plan_of("a/log.txt", plans) == plan_of("log.txt", plans) == plans[0]
        True
    """
    return next(
        (t for t in tables if any(fnmatchcase(p, t.match) for p in (name, f"/{name}"))), None
    )


def kind_of(plan: TablePlan, name: str) -> str:
    """Return which loader reads a file that a plan matches.

    Example:
        >>> [kind_of(TablePlan(), name) for name in ("a.csv", "log.txt")]
        ['metrics_csv', 'json_lines']
    """
    named = plan.delimiter or name.lower().endswith((".csv", ".tsv", ".dat"))
    csv = plan.format == "csv" or (not plan.format and named)
    return "metrics_csv" if csv else "json_lines"


CLOCK_WORDS = frozenset(map(plain_word, (*STEPS, *COUNTED)))
"""What columns that count are called, as names are compared."""


def holds_clock(
    row: Row, number: Numbers, *, whole: bool = True, words: Collection[str] = CLOCK_WORDS
) -> bool:
    """Tell whether a row has a number under a name that steps or epochs have.

    Args:
        row: Its cells.
        number: How a cell is read.
        whole: Only a whole number counts.
        words: Those names, as `plain_word` writes them.
    """
    return any(
        plain_word(name.rpartition("/")[2]) in words
        and (value := number(cell)) is not None
        and (value.is_integer() or not whole)
        for name, cell in row.items()
    )


def infer_plan(
    rows: Sequence[Row], number: Numbers, header: Sequence[str] = (), first: Sequence[str] = ()
) -> TablePlan | None:
    """Return what the names of columns say, None where none is a step.

    Args:
        rows: The first ones, which need not all have the same columns.
        number: How a cell is read.
        header: Names of columns where the file states them; then a column that is named like a
            step is one, whatever it holds.
        first: Names of steps that go before all others.

    Example:
        >>> rows = [{"Epoch": 1.0, "phase": "val", "acc": 0.5}]
        >>> plan = infer_plan(rows, lambda cell: cell if isinstance(cell, float) else None)
        >>> plan.step, plan.split, infer_plan([{"text": "a"}], lambda _: None)
        ('Epoch', 'phase', None)
    """
    names = list(header) or list(dict.fromkeys(name for row in rows for name in row))
    clocked = [row for row in rows if holds_clock(row, number, whole=False)] or rows
    step = _named(names, first) if first else ""
    step = step or _named(names, STEPS, lambda name: _is_clock(clocked, name, number))
    step = step or (_named(names, STEPS) if header else "")
    if not step:
        step = counted_column(names, [[number(row.get(n)) for row in clocked] for n in names])
    if not step:
        return None

    def tells_apart(name: str) -> bool:
        return _is_text(rows, name, number) or _is_clock(rows, name, number)

    # Beside `train_loss` and `val_loss` a phase `train_val` says nothing.
    sides = len({split_in(name) for name in names} - {""}) > 1

    def tells_split(name: str) -> bool:
        return _is_text(rows, name, number) and not (sides and _words(rows, name) - SPLIT_WORDS)

    tag = _named(names, TAGS, lambda name: _is_text(rows, name, number))
    value = _named(names, VALUES) if tag else ""
    epoch = _named(names, EPOCHS)
    return TablePlan(
        step=step,
        epoch="" if epoch in {step, "epoch"} else epoch,
        time=_named(names, TIMES),
        split=_named(names, SPLITS, tells_split)
        or next((name for name in names if _tells_splits(rows, name)), ""),
        tag=tag if value else "",
        value=value,
        runs=tuple(name for word in RUNS if (name := _named(names, (word,), tells_apart))),
    )


def _named(names: Sequence[str], wanted: Sequence[str], fits: Callable[[str], bool] = bool) -> str:
    by_word = {plain_word(name): name for name in reversed(names)}
    found = (by_word.get(plain_word(word), "") for word in wanted)
    return next((name for name in found if name and fits(name)), "")


def _is_clock(rows: Sequence[Row], name: str, number: Numbers) -> bool:
    """Tell whether a column counts: whole numbers, in at least half of the rows."""
    found = [number(row[name]) for row in rows if row.get(name) not in (None, "")]
    whole = sum(one is not None and one.is_integer() for one in found)
    return 2 * whole >= len(rows) and 2 * whole > len(found)


def _is_text(rows: Sequence[Row], name: str, number: Numbers) -> bool:
    found = [row[name] for row in rows if row.get(name) not in (None, "")]
    return bool(found) and all(isinstance(cell, str) and number(cell) is None for cell in found)


def _tells_splits(rows: Sequence[Row], name: str) -> bool:
    """Tell whether a column names the split of each row, whatever it is called itself."""
    words = _words(rows, name)
    return len(words) > 1 and words <= SPLIT_WORDS


def _words(rows: Sequence[Row], name: str) -> set[str]:
    return {str(row.get(name)).strip().lower() for row in rows}


def is_counted(plan: TablePlan) -> bool:
    """Tell whether the step of a plan that was inferred is counted in place of steps.

    Example:
        >>> is_counted(TablePlan(step="time/total_timesteps")), is_counted(TablePlan(step="step"))
        (True, False)
    """
    word = plain_word(plan.step.rpartition("/")[2])
    return word not in map(plain_word, STEPS) and word in map(plain_word, COUNTED)


def is_paced(plan: TablePlan, rows: Sequence[Row], number: Numbers) -> bool:
    """Tell whether rows have no other clock than an epoch with decimals, in a tenth of them.

    Example:
        >>> rows = [{"epoch": "0.5", "loss": "2"}, {"epoch": "1.5", "loss": "1"}]
        >>> is_paced(TablePlan(step="epoch"), rows, read_cell)
        True
    """
    read = [number(row.get(plan.step)) for row in rows]
    parts = sum(at is not None and not at.is_integer() for at in read)
    return plain_word(plan.step) in EPOCHS and not plan.epoch and 1 < parts >= len(read) / 10


def is_listing(plan: TablePlan, rows: Sequence[Row], number: Numbers) -> bool:
    """Tell whether rows are of many things in each round, as matches are, and of no curve.

    Example:
        >>> rows = [{"round": str(n // 3), "home": f"team {n}", "score": "1"} for n in range(9)]
        >>> is_listing(TablePlan(step="round"), rows, read_cell)
        True
    """
    told = [
        (
            number(row.get(plan.step)),
            run_of(row, plan, number),
            row.get(plan.split),
            row.get(plan.tag),
        )
        for row in rows
    ]
    return plain_word(plan.step) in _SHARED and 2 * len(set(told)) < len(told)


def counted_column(names: Sequence[str], columns: Sequence[Sequence[float | None]]) -> str:
    """Return the column that counts in place of steps, empty where none does.

    Example:
        >>> counted_column(["frames", "kimg"], [[300, 20, 500, 9], [0, 50, 100, 150]])
        'kimg'
    """
    words = (plain_word(name.rpartition("/")[2]) for name in names)
    found = {
        word: name
        for word, name, cells in zip(words, names, columns, strict=True)
        if _goes(cells, least=2 if word in _FILMED else 0)
    }
    if not any(map(is_measure, names)):
        found = {word: name for word, name in found.items() if word not in _SHARED}
    return next((found[word] for word in map(plain_word, COUNTED) if word in found), "")


def _goes(cells: Sequence[float | None], *, least: int) -> bool:
    """Tell whether numbers are whole and go up, but for a few places where a run may begin.

    Of a table that lists films or recordings, `frames` goes up and down.

    Args:
        cells: The numbers of a column.
        least: How far apart two of them are at least, where the second is the larger one.
    """
    numbers = [cell for cell in cells if cell is not None and float(cell).is_integer()]
    if not numbers or 2 * len(numbers) < len(cells):
        return False
    gaps = [after - before for before, after in pairwise(numbers)]
    if any(0 <= gap < least for gap in gaps):
        return False
    return 4 * sum(gap < 0 for gap in gaps) < len(numbers) and (not gaps or any(gaps))


def run_of(row: Row, plan: TablePlan, number: Numbers) -> str:
    """Return what tells a row's run from others of the file, as a path.

    A number goes with the name of its column.

    Example:
        >>> plan = TablePlan(runs=("model", "seed"))
        >>> run_of({"model": "small", "seed": "3"}, plan, read_cell)
        'small/seed3'
    """
    return "/".join(_run_parts(row, plan, number))


def _run_parts(row: Row, plan: TablePlan, number: Numbers) -> Iterator[str]:
    for name in plan.runs:
        value, text = number(row.get(name)), str(row.get(name) or "").strip()
        if value is not None:
            text = f"{name.strip().lower()}{value:g}"
        if text:
            yield text.replace("/", "_")


def read_cell(cell: object) -> float | None:
    """Read a cell of a CSV file as a number, None where it holds none.

    Example:
        >>> [read_cell(c) for c in ("0.5", " 1e-3 ", "", "warm", "1_000")]
        [0.5, 0.001, None, None, None]
        >>> read_cell("tensor(0.25, device='cuda:0')"), read_cell("np.float64(0.5)")
        (0.25, 0.5)
    """
    if not isinstance(cell, str) or "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        wrapped = _WRAPPED.fullmatch(cell.strip())
        return read_cell(wrapped[1]) if wrapped else None


def read_comma(cell: object) -> float | None:
    """Read a cell of a file whose columns are parted by semicolons: 0,5 is a half."""
    return read_cell(cell.replace(",", ".", 1) if isinstance(cell, str) else cell)


def read_time(cell: object) -> float:
    """Read a time as seconds since the epoch, NaN where it is none; without a zone it is UTC.

    Example:
        >>> read_time("2024-01-01T00:00:10"), read_time("1700000000.5"), read_time(5)
        (1704067210.0, 1700000000.5, 5.0)
    """
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return float(cell) if abs(cell) < 2**63 else math.nan
    value = read_cell(cell)
    if value is not None or not isinstance(cell, str):
        return math.nan if value is None else value
    try:
        found = datetime.fromisoformat(cell.strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return math.nan
