"""Which columns of names tell the runs of one file apart, where no study declares any."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from reportgen.read.logs._lists import lists
from reportgen.read.logs._results import NAMES, row_names
from reportgen.read.logs._shapes import RESULTS_LIMIT
from reportgen.read.logs._table import VALUES, Numbers, Row, run_of
from reportgen.read.logs._words import SPLIT_WORDS
from reportgen.records.metrics import known_metric
from reportgen.records.record import field, record, replace
from reportgen.records.study import TablePlan

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
        >>> from reportgen.read.logs._table import read_cell
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
        >>> from reportgen.read.logs._table import read_cell
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
        >>> from reportgen.read.logs._table import read_cell
        >>> cells = [(m, str(e)) for m in ("small", "tiny") for e in (1, 2, 3)]
        >>> rows = [{"model": model, "epoch": epoch, "acc": "0.5"} for model, epoch in cells]
        >>> plan, is_added = with_names(TablePlan(step="epoch"), rows, rows, read_cell)
        >>> plan.runs, is_added
        (('model',), True)
    """
    names = _candidates(plan, begun, number)
    if not names:
        return plan, False
    looked = _Looked(plan=plan, names=names, number=number)
    for row in islice(rows, LOOKED):
        looked.add(row)
    added = looked.telling()
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


@record(frozen=False)
class _Looked:
    """What was seen of all rows: what each repeats, and the names in it.

    Attributes:
        names: Columns that may hold names of runs.
        found: Of each row its step, and of which kind it is but for that and the names.
        kinds: Run, split, tag and filled columns of a row to the number of its kind.
        cells: Of each row the names.
        lost: How many rows repeat a step where no name tells them apart.
    """

    plan: TablePlan
    names: tuple[str, ...]
    number: Numbers
    found: list[tuple[int, int]] = field(default_factory=list)
    cells: list[tuple[object, ...]] = field(default_factory=list)
    lost: int = 0
    kinds: dict[Key, int] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        """Take a row that has a step; one without is no point of any run."""
        at = self.number(row.get(self.plan.step))
        if at is None or not at.is_integer():
            return
        # Rows that fill other columns at one step, as of Lightning, take nothing from each other.
        filled = tuple(name for name, cell in row.items() if cell not in (None, ""))
        split, tag = row.get(self.plan.split), row.get(self.plan.tag)
        same = (run_of(row, self.plan, self.number), str(split), str(tag), filled)
        self.found.append((int(at), self.kinds.setdefault(same, len(self.kinds))))
        self.cells.append(tuple(row.get(name) for name in self.names))

    def telling(self) -> tuple[str, ...]:
        """Return the fewest columns that tell repeated steps apart, none where none do."""
        usable = [i for i in range(len(self.names)) if self._holds_names(i)]
        self.lost = self._repeated(()) if usable else 0
        if not usable or 10 * self.lost < len(self.found):
            return ()
        for index in usable:
            if self._tells((index,)):
                return (self.names[index],)
        together = tuple(usable)
        if not self._tells(together):
            return ()
        for index in reversed(usable):
            fewer = tuple(i for i in together if i != index)
            together = fewer if self._tells(fewer) else together
        return tuple(self.names[i] for i in together)

    def _holds_names(self, index: int) -> bool:
        """Tell whether a column holds a few words, each several times, that may be runs."""
        counted = Counter(cells[index] for cells in self.cells)
        words = [cell for cell in counted if _is_name(cell, self.number)]
        if not 2 <= len(words) == len(counted) <= MOST or min(counted.values()) < 2:
            return False
        plain = [str(word).strip().lower() for word in words]
        return not (
            all(word in SPLIT_WORDS for word in plain)
            or all(word.endswith("loss") or known_metric(word) for word in plain)
        )

    def _repeated(self, columns: Sequence[int]) -> int:
        """Count the rows that repeat the step of another of their run."""
        rows = zip(self.found, self.cells, strict=True)
        return len(self.found) - len({(*row, *(cells[i] for i in columns)) for row, cells in rows})

    def _tells(self, columns: Sequence[int]) -> bool:
        """Tell whether hardly any step is repeated with these, and each run begins at the start.

        What only begins in the middle is the rest of a training that was started again.
        """
        if 20 * self._repeated(columns) > self.lost:
            return False
        firsts: dict[Key, int] = {}
        for (step, _), cells in zip(self.found, self.cells, strict=True):
            key = tuple(cells[i] for i in columns)
            firsts[key] = min(step, firsts.get(key, step))
        steps = [step for step, _ in self.found]
        early = min(steps) + (max(steps) - min(steps)) / 4
        return all(first <= early for first in firsts.values())
