"""Two groups side by side, and one run beside its group: differences, and what tests say."""

from __future__ import annotations

import math
from itertools import combinations, islice

from reportgen.languages import noun_later
from reportgen.records.errors import StudyError
from reportgen.records.facts import Comparison, GroupResult
from reportgen.records.quantity import Evidence, Missing, Quantity, Reading
from reportgen.records.record import record
from reportgen.records.study import Study
from reportgen.stats._readings import settle, subtract, told
from reportgen.stats.groups import families_of
from reportgen.stats.summary import mean_of, std_of, t_quantile, two_sided_p


@record
class Estimate:
    """A difference with what its t statistic rests on.

    Attributes:
        difference: Difference of the means.
        error: Its standard error; None with fewer than three runs.
        degrees: Degrees of freedom; None likewise.
        method: `"paired t"` or `"Welch t"`.
        floor: Smallest two-sided p of an exact test at this n.
        pairs: (seed, first, second) where paired.
        formula: The difference written out.
    """

    difference: float
    error: float | None
    degrees: float | None
    method: str
    floor: float
    pairs: tuple[tuple[int, float, float], ...]
    formula: str


def compare_groups(study: Study, groups: tuple[GroupResult, ...]) -> tuple[Comparison, ...]:
    """Compare the two groups the study names, else the only two that are comparable.

    Two groups are comparable when their runs have the same layout, unit, report split and task
    and both have at least one value; starts in one folder are not. Groups of three runs and more
    come before smaller ones. Among several pairs none is singled out: the first two would be an
    accident of names, and a test of the two best, chosen for being best, would not mean what it
    says.
    The better group (by the metric's direction) comes first.

    Shape:
        One comparison, or none where no two groups, or more than one pair, are comparable.

    Raises:
        StudyError: `study.compare` names something that is no group.

    Source:
        `compare_pair`.
    """
    if study.compare:
        first, second = _named(study, groups)
        return (compare_pair(first, second, confidence=study.statistics.confidence),)
    candidates = _first_pairs(groups, least=3) or _first_pairs(groups, least=1)
    if len(candidates) != 1:
        return ()
    lower = study.metric.direction == "lower"
    pair = sorted(candidates[0], key=lambda one: mean_of(one.report.values), reverse=not lower)
    return (compare_pair(*pair, confidence=study.statistics.confidence),)


def compare_pair(
    first: GroupResult, second: GroupResult, *, confidence: float = 0.95
) -> Comparison:
    """Compare the reported values of two groups, `first - second`.

    Paired by seed where both groups have values for exactly the same seeds, Welch's test
    for unequal variances otherwise.

    Units:
        Those of the values; a difference of fractions is printed in points.

    Missing:
        Everything where one group has no value; interval and p with fewer than three runs
        in a group, and where the difference is the same for every seed or no value varies.

    Source:
        Student 1908 (paired t); Welch 1947, Biometrika 34 (degrees of freedom by
        Satterthwaite 1946); exact floor of p: Fisher 1935, The Design of Experiments,
        section 21 (sign flips), and its two-sample form.

    Example:
        Three pairs differ by 14.5, 11.8 and 12.7 points.

        >>> from reportgen.stats import group_of_values
        >>> a = group_of_values("pretrained", {0: 0.799, 1: 0.785, 2: 0.801})
        >>> b = group_of_values("random", {0: 0.654, 1: 0.667, 2: 0.674})
        >>> c = compare_pair(a, b)
        >>> c.method, [round(100 * q.value, 1) for q in (c.difference, c.low, c.high)]
        ('paired t', [13.0, 9.6, 16.4])
    """
    why = _why_not(first, second)
    if why:
        none = Missing(reason=why)
        return Comparison(
            first=first.name,
            second=second.name,
            method="",
            difference=none,
            low=none,
            high=none,
            p=none,
            p_floor=none,
        )
    return _comparison(first, second, estimate_difference(first, second), confidence)


def _why_not(first: GroupResult, second: GroupResult) -> str:
    """Return why two groups cannot be compared, empty where they can."""
    absent = [g.label for g in (first, second) if g.report.n == 0]
    if len(absent) == 1:
        return told("one_without_value", group=absent[0])
    if absent:
        return told("two_without_value", first=absent[0], second=absent[1])
    if _unit(first) != _unit(second):
        return told("units_differ")
    if first.report_split != second.report_split:
        splits = [noun_later(group.report_split) for group in (first, second)]
        return told("splits_differ", first=splits[0], second=splits[1])
    return ""


def estimate_difference(first: GroupResult, second: GroupResult) -> Estimate:
    """Return the difference of two groups with its error and degrees of freedom."""
    left, right = _by_seed(first), _by_seed(second)
    if left is not None and right is not None and left.keys() == right.keys():
        return _paired(left, right)
    return _welch(first.report.values, second.report.values)


def t_statistic(first: GroupResult, second: GroupResult) -> Reading:
    """Return the t statistic of a comparison, `difference / standard error`.

    Missing:
        A group has no value, fewer than three runs, or nothing that varies.
    """
    if not first.report.n or not second.report.n:
        return Missing(reason=told("one_of_them"))
    estimate = estimate_difference(first, second)
    if not estimate.error:
        return Missing(reason=_no_interval(estimate, "t_needs_three"))
    return Quantity(
        value=settle(estimate.difference / estimate.error),
        method=told("t_of", test=estimate.method, degrees=f"{estimate.degrees:g}"),
        formula=f"{estimate.difference!r} / {estimate.error!r}",
        sources=_sources(first, second),
    )


def difference_of(first: Reading, second: Reading, what: str) -> Reading:
    """Return `first - second` of two readings, with the evidence of both.

    Missing:
        One of them is missing, or they have different units.
    """
    if isinstance(first, Missing):
        return first
    if isinstance(second, Missing):
        return second
    if first.unit != second.unit:
        return Missing(reason=told("values_differ"))
    return Quantity(
        value=subtract(first.value, second.value),
        unit=first.unit,
        method=what,
        formula=f"{first.value!r} - {second.value!r}",
        sources=first.sources + second.sources,
    )


def _by_seed(group: GroupResult) -> dict[int, float] | None:
    """Return seed to reported value; None where seeds are unknown or repeated."""
    found = [(c.seed, c.report_value) for c in group.cells]
    known = [(seed, one.value) for seed, one in found if isinstance(one, Quantity)]
    values = {seed: value for seed, value in known if seed is not None}
    return values if len(values) == len(known) else None


def _paired(left: dict[int, float], right: dict[int, float]) -> Estimate:
    seeds = sorted(left)
    differences = [subtract(left[s], right[s]) for s in seeds]
    n = len(differences)
    written = " + ".join(f"({left[s]!r} - {right[s]!r})" for s in seeds)
    return Estimate(
        difference=mean_of(differences),
        error=std_of(differences, 1) / math.sqrt(n) if n > 2 else None,
        degrees=float(n - 1) if n > 2 else None,
        method="paired t",
        floor=min(1.0, 2 / 2**n),
        pairs=tuple((s, left[s], right[s]) for s in seeds),
        formula=f"({written}) / {n}",
    )


def _welch(left: tuple[float, ...], right: tuple[float, ...]) -> Estimate:
    n, m = len(left), len(right)
    difference = subtract(mean_of(left), mean_of(right))
    error = degrees = None
    if n > 2 and m > 2:
        u, v = std_of(left, 1) ** 2 / n, std_of(right, 1) ** 2 / m
        error = math.sqrt(u + v)
        degrees = (u + v) ** 2 / (u * u / (n - 1) + v * v / (m - 1)) if error else float(n + m - 2)
    # Equal sizes make the permutation distribution symmetric: both tails hold one.
    extreme = 2 if n == m else 1
    return Estimate(
        difference=difference,
        error=error,
        degrees=degrees,
        method="Welch t",
        floor=min(1.0, extreme / math.comb(n + m, n)),
        pairs=(),
        formula=f"{mean_of(left)!r} - {mean_of(right)!r}",
    )


def _sources(first: GroupResult, second: GroupResult) -> tuple[Evidence, ...]:
    readings = (first.report.mean, second.report.mean)
    return tuple(e for r in readings if isinstance(r, Quantity) for e in r.sources)


def _comparison(
    first: GroupResult, second: GroupResult, estimate: Estimate, confidence: float
) -> Comparison:
    sources = _sources(first, second)
    unit = _unit(first)
    smallest = min(first.report.n, second.report.n)

    def part(value: float, method: str, unit: str = "", formula: str = "") -> Quantity:
        return Quantity(
            value=value, unit=unit, n=smallest, method=method, formula=formula, sources=sources
        )

    low: Reading
    high: Reading
    p: Reading
    if not estimate.error or estimate.degrees is None:
        low = high = p = Missing(reason=_no_interval(estimate))
    else:
        test = estimate.method
        mid, half = estimate.difference, t_quantile(confidence, estimate.degrees) * estimate.error
        low = part(settle(mid - half, half), told("interval_low", test=test), unit)
        high = part(settle(mid + half, half), told("interval_high", test=test), unit)
        p = part(two_sided_p(mid / estimate.error, estimate.degrees), told("p_of", test=test))
    return Comparison(
        first=first.name,
        second=second.name,
        method=estimate.method,
        difference=part(estimate.difference, told("difference"), unit, estimate.formula),
        low=low,
        high=high,
        p=p,
        p_floor=part(estimate.floor, told("smallest_p")),
        pairs=estimate.pairs,
        degrees=estimate.degrees,
    )


def _no_interval(estimate: Estimate, few: str = "too_few") -> str:
    """Return why there is no interval and no test: too few runs, or nothing that varies."""
    if estimate.error is None:
        return told(few)
    return told("same_difference" if estimate.pairs else "nothing_varies")


def _named(study: Study, groups: tuple[GroupResult, ...]) -> tuple[GroupResult, GroupResult]:
    by_name = {g.name: g for g in groups}
    unknown = [name for name in study.compare if name not in by_name]
    if unknown or len(study.compare) != 2:
        said = ", ".join(repr(name) for name in study.compare)
        raise StudyError(
            f"the study compares {said}; it takes the names of two groups",
            remedy=f"choose two of: {', '.join(by_name) or 'no group was found'}",
        )
    return by_name[study.compare[0]], by_name[study.compare[1]]


def _unit(group: GroupResult) -> str:
    return group.report.mean.unit if isinstance(group.report.mean, Quantity) else ""


def _first_pairs(
    groups: tuple[GroupResult, ...], *, least: int
) -> list[tuple[GroupResult, GroupResult]]:
    """Return up to two pairs of comparable groups of so many runs or more; two are too many."""
    known = [group for group in groups if group.report.n >= least]
    pairs = (pair for some in families_of(known) for pair in combinations(some, 2))
    return list(islice((pair for pair in pairs if not _are_attempts(*pair)), 2))


def _are_attempts(one: GroupResult, other: GroupResult) -> bool:
    """Tell whether the runs of two groups are starts in one folder, told apart by their number."""
    mine, theirs = (
        {cell.run.id.partition("#")[0] for cell in group.cells if cell.run and "#" in cell.run.id}
        for group in (one, other)
    )
    return bool(mine) and mine == theirs
