"""How many decimals the values of groups are printed with, and what printed numbers rest on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import chain
from statistics import median_low

from reportgen.languages import message, say, spoken, tell
from reportgen.records.document import Number, Text
from reportgen.records.facts import Facts, GroupResult, RunResult, Summary
from reportgen.records.quantity import Evidence, Missing, Quantity, Reading
from reportgen.records.record import record, replace
from reportgen.records.run import Run, Series, Source, decimal_float
from reportgen.records.study import MetricPlan, Study
from reportgen.report.names import once
from reportgen.stats import decimal_of, index_of_step

# Values with more decimals than this were not rounded by the program that logged them.
MOST_PERCENT_DECIMALS = 2
# Of groups further apart in magnitude, no number of decimals suits both.
MOST_ORDERS = 6
# Digits that a computed value has for certain: 0.83 may be logged as 0.8300000000000001.
_EXACT = 14
# Values that are all below are printed with powers of ten.
SMALL = 1e-4
# A value so many times the median of its group went astray, and shall not round the others away.
_ASTRAY = 100.0


@once
def decimals_of(groups: tuple[GroupResult, ...]) -> tuple[bool, dict[int, int], int, int | None]:
    """Return whether values are percentages, and with how many decimals they are printed.

    Every row of a table asks this of the same groups. They are looked at once: else the time of a
    report grew with the square of their number.

    Returns:
        The flag; the decimals of single values by the `id` of each group, and the most of
        them; those of means and spreads, or None where nothing varies.
    """
    percent = any(q.unit == "fraction" for g in groups for q in _singles_of(g))
    values = {id(g): _logged_decimals(g, percent=percent) for g in groups}
    if not percent:
        values = _as_neighbours(groups, values)
    most = MOST_PERCENT_DECIMALS if percent else 99
    spreads = [
        min(_two_digits(std.value, percent=percent), values[id(group)] + 1, most)
        for group in groups
        for std in (group.report.std, group.last.std, group.select.std)
        if isinstance(std, Quantity) and std.value > 0
    ]
    spread = max(spreads, default=None)
    if spread is not None and not percent:
        # One digit more than the mean shows how values lie about it; others would be noise.
        values = {key: min(decimals, spread + 1) for key, decimals in values.items()}
    return percent, values, max(values.values(), default=0), spread


@once
def magnitudes_of(groups: tuple[GroupResult, ...]) -> tuple[bool, bool]:
    """Return whether values are orders apart, and whether they are all small.

    They are apart, so that no column can show them, where the largest values of two groups are
    far from each other, and where a run went astray; small where a row of zeros would hide them
    all, but for one that went astray. Percentages are neither: what is far below one is none
    worth a report.
    """
    found = [q for group in groups for q in [_singles_of(group)] if q]
    if any(one.unit == "fraction" for group in found for one in group):
        return False, False
    sizes = [_sizes_of(group) for group in found]
    largest = [_largest_of(size) for size in sizes]
    orders = [math.log10(size[-1]) for size in sizes if size[-1]]
    astray = any(size[-1] > top for size, top in zip(sizes, largest, strict=True))
    far = bool(orders) and max(orders) - min(orders) > MOST_ORDERS
    return astray or far, 0 < max(largest, default=0.0) < SMALL


def _sizes_of(singles: list[Quantity]) -> list[float]:
    return sorted(abs(float(one.value)) for one in singles)


def _largest_of(sizes: list[float]) -> float:
    """Return the largest of some sizes, in order, that did not go astray.

    Example:
        >>> _largest_of([0.4, 0.5, 718380.0]), _largest_of([0.0, 0.0, 7.0]), _largest_of([])
        (0.5, 7.0, 0.0)
    """
    above = [size for size in sizes if size]
    if not above:
        return 0.0
    return max(size for size in above if size <= _ASTRAY * median_low(above))


def _singles_of(group: GroupResult) -> list[Quantity]:
    """Return every single value of a group that a table prints."""
    readings = [r for c in group.cells for r in (c.select_value, c.report_value, c.last_value)]
    return [r for r in readings if isinstance(r, Quantity)]


def _logged_decimals(group: GroupResult, *, percent: bool) -> int:
    """Return the decimals the values were logged with, up to what is worth printing."""
    singles = [float(q.value) for q in _singles_of(group)]
    shift = 2 if percent else 0
    largest = _largest_of(_sizes_of(_singles_of(group)))
    most = MOST_PERCENT_DECIMALS if percent else worth_printing(largest)
    decimals = 0
    for value in chain(singles, _evaluations_of(group)):
        exponent = Decimal(f"{value:.{_EXACT}g}").scaleb(shift).normalize().as_tuple().exponent
        decimals = max(decimals, -exponent if isinstance(exponent, int) else 0)
        if decimals >= most:
            return most
    return decimals


def _as_neighbours(groups: tuple[GroupResult, ...], values: dict[int, int]) -> dict[int, int]:
    """Return decimals that groups share, as long as each keeps three digits of its own."""
    fewest = min((values[id(group)] for group in groups if _singles_of(group)), default=0)
    found = {}
    for group in groups:
        largest = _largest_of(_sizes_of(_singles_of(group)))
        needed = 2 - math.floor(math.log10(largest)) if largest else 0
        found[id(group)] = min(values[id(group)], max(fewest, needed))
    return found


def _evaluations_of(group: GroupResult) -> Iterator[float]:
    """Yield the values of evaluations: a best value of 80 may stand among 50.1 and 79.9.

    What training logged is left out. It is an average, with more digits than anybody measured.
    """
    for row in group.epochs:
        for split, summary in row.splits.items():
            if split != "train":
                yield from map(float, summary.values)


def worth_printing(largest: float) -> int:
    """Return the most decimals worth printing of plain values, by the largest of them.

    Example:
        >>> worth_printing(126356792.0), worth_printing(0.79), worth_printing(3e-14)
        (0, 4, 17)
    """
    magnitude = math.floor(math.log10(largest)) if largest else 0
    return max(0, 4 - magnitude) if magnitude >= 0 else 3 - magnitude


def _two_digits(std: float, *, percent: bool) -> int:
    """Return the decimals that show two significant digits of a positive number."""
    printed = 100 * std if percent else std
    return max(0, 1 - math.floor(math.log10(printed)))


# --- printing -------------------------------------------------------------------------


_WIDE = Context(prec=800)  # room for every float: a diverged loss of 1e30 is rounded too
FIXED_FROM = 1e-6  # of values apart, a smaller one is printed with a power of ten
_WITH_POWER = {"plain": "scientific", "signed": "signed_scientific"}
MOST_LISTED = 100  # pieces of evidence of one count


@record
class Printing:
    """How the values of the metric are printed throughout the report.

    Attributes:
        style: Number style of a value (`"percent"` or `"plain"`).
        difference: Number style of a difference (`"points"` or `"signed"`).
        value: Decimals of a single logged value.
        spread: Decimals of means, standard deviations and differences.
        sign: What follows a value in a sentence (`"%"`, as the language writes it, or nothing).
        gap: What follows a difference in a sentence (`" points"` or nothing).
        apart: Whether values are so many orders of magnitude apart that no number of decimals
            suits them all: each then has those of its own magnitude.
        small: Whether all values are so small that they are printed with powers of ten, as many
            digits as their decimals leave.
    """

    style: str
    difference: str
    value: int
    spread: int
    sign: str
    gap: str
    apart: bool = False
    small: bool = False

    def one(self, identifier: str, reading: Reading) -> Number:
        """Return a single logged value."""
        return self._number(identifier, reading, self.style, self.value)

    def mean(self, identifier: str, reading: Reading) -> Number:
        """Return a mean, a spread or the half width of an interval."""
        return self._number(identifier, reading, self.style, self.spread)

    def delta(self, identifier: str, reading: Reading) -> Number:
        """Return a signed difference of means."""
        return self._number(identifier, reading, self.difference, self.spread)

    def _number(self, identifier: str, reading: Reading, style: str, decimals: int) -> Number:
        value = reading.value if isinstance(reading, Quantity) else 0
        places = self._decimals(value, decimals) if value or not self.small else 0
        digits = places + Decimal(value).adjusted()
        if self._has_power(value) and digits >= 0 and style in _WITH_POWER:
            # As many digits as `places` leaves, for `rounded` has to see the same value.
            style, places = _WITH_POWER[style], digits
        return Number(id=identifier, quantity=reading, style=style, decimals=places)

    def _has_power(self, value: float) -> bool:
        """Say whether a value is printed with a power of ten."""
        if self.apart:
            return 0 < abs(value) < FIXED_FROM
        return self.small and 0 < abs(value) < SMALL

    def _decimals(self, value: float, decimals: int) -> int:
        if not self.apart:
            return decimals
        worth = worth_printing(abs(value))
        return worth if 0 < abs(value) < FIXED_FROM else min(decimals, worth)

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
        places = self._decimals(quantity.value, self.spread if decimals is None else decimals)
        unit = Decimal(1).scaleb(-places)
        rounded = shown.quantize(unit, rounding=ROUND_HALF_UP, context=_WIDE)
        return _WIDE.add(rounded, Decimal(0))  # turns -0.0 into 0.0


def printing_of(groups: Sequence[GroupResult], *only: GroupResult) -> Printing:
    """Return how values are printed, from what was logged and how much it varies.

    A standard deviation gets two significant digits and at most one decimal more than the
    logged metric; means and differences get the same decimals. One choice holds for all
    groups, so that means of a column have fixed decimals and look the same everywhere;
    single values keep the decimals they were logged with. Values that are more than six orders
    of magnitude apart each have the decimals of their own magnitude. Where all are below 0.0001,
    they are printed with powers of ten.

    Args:
        groups: All groups of the report.
        only: The groups whose single values are printed; all where none is named.
    """
    percent, values, most, spread = decimals_of(tuple(groups))
    value = max((values[id(group)] for group in only), default=most)
    apart, small = magnitudes_of(tuple(groups))
    return Printing(
        style="percent" if percent else "plain",
        difference="points" if percent else "signed",
        value=value,
        spread=value if spread is None else spread,
        sign=spoken().percent_mark if percent else "",
        gap=f" {tell('points')}" if percent else "",
        apart=apart,
        small=small,
    )


def counted(
    identifier: str,
    value: int,
    method: str,
    sources: Iterable[Evidence],
    *,
    formula: str = "",
    style: str = "count",
) -> Number:
    """Return a whole number that was counted, with what it counts."""
    quantity = replace(count_of(value, method, sources), formula=formula)
    return Number(id=identifier, quantity=quantity, style=style)


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


def count_of(value: int, method: str, sources: Iterable[Evidence]) -> Quantity:
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


# --- differences in sentences ---------------------------------------------------------


def in_points(printing: Printing, number: Number) -> Text:
    """Return a difference or a spread with the unit behind it, where it has one.

    Args:
        printing: Of the metric.
        number: As it is printed; where it is missing, the unit is in the plural.

    Example:
        >>> from reportgen.languages import speaking
        >>> from reportgen.records.quantity import Quantity
        >>> percent = Printing(style="percent", difference="points", value=1, spread=2,
        ...                    sign="%", gap=" points")
        >>> with speaking("fr"):
        ...     for value in (-0.01994, 0.01995):
        ...         number = percent.delta("gap", Quantity(value=value))
        ...         print(percent.rounded(number.quantity), in_points(percent, number)[1])
        -1.99  point
        2.00  points
    """
    if not printing.gap:
        return (number,)
    value = number.quantity
    one = not isinstance(value, Missing) and spoken().is_one(
        printing.rounded(value, number.decimals)
    )
    return (number, f" {tell('point')}" if one else printing.gap)


# --- what numbers rest on -------------------------------------------------------------


Sources = tuple[Evidence, ...]


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


def of_seed(run: Run, metric: MetricPlan) -> Evidence:
    """Return where a run's seed was read: its path and configuration, found by its log."""
    return Evidence(path=of_run(run, metric).path, tag="seed", value=run.seed, run=run.id)


def of_cell_seed(study: Study, group: GroupResult, cell: RunResult) -> Evidence:
    """Return where a cell's seed was read, or the setting that asks for it."""
    return of_seed(cell.run, study.metric) if cell.run else of_cell(study, group, cell)


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
    value = decimal_float(series.values[index])
    return (Evidence(path=series.path, tag=series.tag, step=step, value=value, run=run.id),)


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
