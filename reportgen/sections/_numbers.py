"""How numbers are printed, under which ids, and what those that count things rest on.

What is decided here is which number is printed with how many decimals. How it is spelt is
decided by the formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from reportgen.languages import message, say, spoken, tell
from reportgen.records.document import Number, Text
from reportgen.records.facts import Facts, GroupResult, RunResult, Summary
from reportgen.records.quantity import Evidence, Quantity, Reading
from reportgen.records.run import Run, Series, Source
from reportgen.records.study import MetricPlan, Study
from reportgen.sections._decimals import decimals_of
from reportgen.stats._readings import decimal_of, finite_mask, index_of_step

_WIDE = Context(prec=800)  # room for every float: a diverged loss of 1e30 is rounded too
MOST_LISTED = 100  # pieces of evidence of one count

Sources = tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """How the values of the metric are printed throughout the report.

    Attributes:
        style: Number style of a value (`"percent"` or `"plain"`).
        difference: Number style of a difference (`"points"` or `"signed"`).
        value: Decimals of a single logged value.
        spread: Decimals of means, standard deviations and differences.
        sign: What follows a value in a sentence (`"%"`, as the language writes it, or nothing).
        gap: What follows a difference in a sentence (`" points"` or nothing).
    """

    style: str
    difference: str
    value: int
    spread: int
    sign: str
    gap: str

    def one(self, identifier: str, reading: Reading) -> Number:
        """Return a single logged value."""
        return Number(id=identifier, quantity=reading, style=self.style, decimals=self.value)

    def mean(self, identifier: str, reading: Reading) -> Number:
        """Return a mean, a spread or the half width of an interval."""
        return Number(id=identifier, quantity=reading, style=self.style, decimals=self.spread)

    def delta(self, identifier: str, reading: Reading) -> Number:
        """Return a signed difference."""
        return Number(id=identifier, quantity=reading, style=self.difference, decimals=self.spread)

    def rounded(self, quantity: Quantity, decimals: int | None = None) -> Decimal:
        """Return a number as it is printed: sentences compare what their reader sees.

        Args:
            quantity: A value, a mean, a spread or a difference.
            decimals: Those it is printed with; without, those of a mean.

        Example:
            >>> percent = Printing(style="percent", difference="points", value=1, spread=1,
            ...                    sign="%", gap=" points")
            >>> percent.rounded(Quantity(value=0.9925)), percent.rounded(Quantity(value=-0.0004))
            (Decimal('99.3'), Decimal('0.0'))
        """
        shown = decimal_of(quantity.value).scaleb(2 if self.style == "percent" else 0)
        unit = Decimal(1).scaleb(-(self.spread if decimals is None else decimals))
        rounded = shown.quantize(unit, rounding=ROUND_HALF_UP, context=_WIDE)
        return _WIDE.add(rounded, Decimal(0))  # turns -0.0 into 0.0


def printing_of(groups: Sequence[GroupResult], *only: GroupResult) -> Printing:
    """Return how values are printed, from what was logged and how much it varies.

    A standard deviation gets two significant digits and at most one decimal more than the
    logged metric; means and differences get the same decimals. One choice holds for all
    groups, so that a column has fixed decimals and a number looks the same everywhere;
    single values keep the decimals they were logged with.

    Args:
        groups: All groups of the report.
        only: The groups whose single values are printed; all where none is named.
    """
    percent, values, spread = decimals_of(tuple(groups))
    value = max((values[id(group)] for group in only or groups), default=0)
    return Printing(
        style="percent" if percent else "plain",
        difference="points" if percent else "signed",
        value=value,
        spread=value if spread is None else spread,
        sign=spoken().percent_mark if percent else "",
        gap=f" {tell('points')}" if percent else "",
    )


@lru_cache(maxsize=1 << 12)
def slug(name: str) -> str:
    """Return a name as it stands inside the id of a number.

    Example:
        >>> slug("RoBERTa small (fr)")
        'RoBERTa_small_fr'
    """
    return re.sub(r"[^\w-]+", "_", name).strip("_") or "group"


def group_key(facts: Facts, group: GroupResult) -> str:
    """Return the part of an id that stands for a group, unique in the report."""
    key = slug(group.name)
    same = [g.name for g in facts.groups if slug(g.name) == key]
    return key if len(same) == 1 else f"{key}-{same.index(group.name)}"


def cell_key(group: GroupResult, cell: RunResult) -> str:
    """Return the part of an id that stands for a cell: its seed, where seeds are unique."""
    if cell.seed is not None and [c.seed for c in group.cells].count(cell.seed) == 1:
        return str(cell.seed)
    return f"run{next(i for i, c in enumerate(group.cells) if c is cell)}"


def counted(identifier: str, value: int, method: str, sources: Sequence[Evidence]) -> Number:
    """Return a whole number that was counted, with what it counts."""
    return Number(id=identifier, quantity=count_of(value, method, sources), style="count")


def seed_number(identifier: str, seed: int, sources: Sequence[Evidence]) -> Number:
    """Return a seed with where it was read."""
    quantity = Quantity(value=seed, method=message("seed of the run"), sources=tuple(sources))
    return Number(id=identifier, quantity=quantity, decimals=0)


def step_number(identifier: str, reading: Reading) -> Number:
    """Return a step."""
    return Number(id=identifier, quantity=reading, style="count")


def epoch_number(identifier: str, reading: Reading) -> Number:
    """Return an epoch: whole where it is whole, else with two decimals."""
    whole = isinstance(reading, Quantity) and float(reading.value).is_integer()
    return Number(id=identifier, quantity=reading, decimals=0 if whole else 2)


def mean_and_std(identifier: str, summary: Summary, printing: Printing) -> Text:
    """Return `mean ± std`, both values of two runs, the value of one, or what is missing."""
    if summary.n >= 3:
        mean = printing.mean(f"{identifier}.mean", summary.mean)
        return (mean, " ± ", printing.mean(f"{identifier}.std", summary.std))
    if summary.n == 2:
        first, second = (
            printing.one(f"{identifier}.value{i}", reading)
            for i, reading in enumerate(_singles(summary))
        )
        return say("{first} and {last}", first=first, last=second)
    return (printing.one(f"{identifier}.mean", summary.mean),)


def summary_beside(identifier: str, summary: Summary, printing: Printing, stated: Summary) -> Text:
    """Return a summary with its own n, unless it is one of the runs whose n is stated beside."""
    text = mean_and_std(identifier, summary, printing)
    if summary.n == 0 or same_runs(summary, stated):
        return text
    n = counted(f"{identifier}.n", summary.n, message("runs with this value"), of_values(summary))
    return (*text, " (n = ", n, ")")


def same_runs(first: Summary, second: Summary) -> bool:
    """Return whether two summaries are over the same runs."""
    runs = ({(e.run or e.path) for e in of_values(summary)} for summary in (first, second))
    return first.n == second.n and next(runs) == next(runs)


def _singles(summary: Summary) -> tuple[Quantity, ...]:
    """Return the values of a summary as quantities, each with its share of the evidence."""
    mean = summary.mean
    sources: tuple[Evidence, ...] = mean.sources if isinstance(mean, Quantity) else ()
    unit = mean.unit if isinstance(mean, Quantity) else ""
    per_value = len(sources) == len(summary.values)
    return tuple(
        Quantity(
            value=value,
            unit=unit,
            method=message("value of a single run"),
            sources=(sources[i],) if per_value else sources,
        )
        for i, value in enumerate(summary.values)
    )


# --- what counts, seeds, steps and epochs rest on ---------------------------------------


def count_of(value: int, method: str, sources: Sequence[Evidence]) -> Quantity:
    """Return a whole number that was counted, with at most 100 pieces of its evidence.

    Example:
        >>> many = [Evidence(path=f"{i}.log") for i in range(101)]
        >>> count = count_of(101, "files read", many)
        >>> len(count.sources), count.method
        (100, 'files read; the first 100 of 101 pieces of evidence are listed')
    """
    kept = tuple(dict.fromkeys(sources))
    if len(kept) > MOST_LISTED:
        method = message(
            "{what}; the first {listed} of {count} pieces of evidence are listed",
            what=method,
            listed=MOST_LISTED,
            count=len(kept),
        )
    return Quantity(value=value, unit="count", method=method, sources=kept[:MOST_LISTED])


# --- runs -----------------------------------------------------------------------------


def of_run(run: Run, metric: MetricPlan) -> Evidence:
    """Return the log that decides about a run, else another file of it.

    A run that has only a loss, or no point at all, still has a file it was found by.
    """
    series = (
        run.find(metric.name, metric.select_on)
        or run.find(metric.name, metric.report_on)
        or max(run.scalars.values(), key=len, default=None)
    )
    if series is not None:
        return of_series(run, series)
    path = next((source.path for source in run.sources), run.id)
    return Evidence(path=path, run=run.id)


def of_series(run: Run, series: Series) -> Evidence:
    """Return a curve as a whole."""
    return Evidence(path=series.path, tag=series.tag, run=run.id)


def of_cell(study: Study, group: GroupResult, cell: RunResult) -> Evidence:
    """Return a cell's run, or the setting that asks for a run nobody has logs of."""
    if cell.run is None:
        return study.cite(f"groups.{group.name}.seeds", cell.seed)
    return of_run(cell.run, study.metric)


def of_cells(study: Study, groups: Iterable[GroupResult]) -> Sources:
    """Return every cell of some groups; a group without cells by the study that names it."""
    found: list[Evidence] = []
    for group in groups:
        found += [of_cell(study, group, cell) for cell in group.cells]
        if not group.cells:
            found.append(study.cite(f"groups.{group.name}", group.name))
    return tuple(found)


def of_runs(study: Study, groups: Iterable[GroupResult]) -> Sources:
    """Return every run that some groups have logs of."""
    runs = (cell.run for group in groups for cell in group.cells if cell.run is not None)
    return tuple(of_run(run, study.metric) for run in runs)


def of_seed(run: Run, metric: MetricPlan) -> Evidence:
    """Return where a run's seed was read: its path and configuration, found by its log."""
    return Evidence(path=of_run(run, metric).path, tag="seed", value=run.seed, run=run.id)


# --- values of several runs -----------------------------------------------------------


def of_values(summary: Summary) -> Sources:
    """Return the values that a summary counted: as many as its n, one a run."""
    return summary.mean.sources if isinstance(summary.mean, Quantity) else ()


def of_result(study: Study, group: GroupResult, summary: Summary) -> Sources:
    """Return the values that a group's n counts; without any, the runs that have none."""
    return of_values(summary) or of_cells(study, (group,))


def one_a_run(sources: Iterable[Evidence]) -> Sources:
    """Return the first piece of evidence of each run.

    Example:
        >>> one_a_run([Evidence(path="a", run="0"), Evidence(path="b", run="0")])
        (Evidence(path='a', tag='', step=None, value=None, run='0'),)
    """
    found: dict[str, Evidence] = {}
    for evidence in sources:
        found.setdefault(evidence.run or evidence.path, evidence)
    return tuple(found.values())


# --- steps and epochs -----------------------------------------------------------------


def of_point(run: Run, series: Series, step: int) -> Sources:
    """Return the point of a curve at a step, or nothing where none was logged."""
    index = index_of_step(series, step)
    if index is None:
        return ()
    value = float(str(series.values[index]))
    return (Evidence(path=series.path, tag=series.tag, step=step, value=value, run=run.id),)


def of_not_finite(run: Run, metric: MetricPlan) -> Sources:
    """Return the NaN and infinite points of the split that chooses the step."""
    series = run.find(metric.name, metric.select_on)
    if series is None:
        return ()
    steps = series.steps[~finite_mask(series)]
    return tuple(e for step in steps for e in of_point(run, series, int(step)))


def of_evaluation(run: Run, metric: MetricPlan, step: int) -> Sources:
    """Return the point that shows that a run was evaluated at a step."""
    for name in (metric.name, "loss"):
        for split in (metric.select_on, metric.report_on):
            series = run.find(name, split)
            if series is not None and (point := of_point(run, series, step)):
                return point
    return ()


def of_epoch(run: Run, metric: MetricPlan, step: int) -> Sources:
    """Return what tells the epoch of a step: the epoch logged there, beside the evaluation."""
    logged = next((s for s in run.scalars.values() if s.metric == "epoch" and len(s)), None)
    own = of_point(run, logged, step) if logged is not None else ()
    return own + of_evaluation(run, metric, step)


def of_step(study: Study, groups: Iterable[GroupResult], step: int) -> Sources:
    """Return the evaluations at a step of every run of some groups."""
    runs = (cell.run for group in groups for cell in group.cells if cell.run is not None)
    return tuple(e for run in runs for e in of_evaluation(run, study.metric, step))


def of_last_step(run: Run) -> Sources:
    """Return the point that a run logged last; the longest curve speaks where several end."""
    logged = [series for series in run.scalars.values() if len(series)]
    last = max(logged, key=lambda s: (int(s.steps[-1]), len(s)), default=None)
    return of_point(run, last, int(last.steps[-1])) if last is not None else ()


# --- files ----------------------------------------------------------------------------


def of_size(source: Source) -> Evidence:
    """Return a file with its size."""
    return Evidence(path=source.path, tag="size in bytes", value=source.size)


def model_files(facts: Facts) -> list[Source]:
    """Return the files of the model and the adapters, each once, sorted by path."""
    models = [m for m in (facts.model, *(a.base for a in facts.adapters)) if m is not None]
    found = {m.config.source for m in models} | {a.config.source for a in facts.adapters}
    found |= {m.checkpoint.source for m in models if m.checkpoint is not None}
    return sorted(found, key=lambda source: (source.path, source.sha256))


def of_points(run: Run, points: int, metric: MetricPlan) -> Evidence:
    """Return a run with the number of its points, found by its log."""
    path = of_run(run, metric).path
    return Evidence(path=path, tag="scalar points", value=points, run=run.id)
