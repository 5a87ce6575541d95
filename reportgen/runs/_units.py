"""In which unit each run logged its ratios: as fractions or in percent, run by run."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from reportgen.records.record import field, record, replace
from reportgen.records.run import Problem, Result, Series
from reportgen.records.study import Decision, MetricPlan
from reportgen.runs import LAYOUTS
from reportgen.runs._evidence import settings_of
from reportgen.runs._groups import Member
from reportgen.runs._layout import Layout
from reportgen.runs._words import decided, direction_of, is_share, joined, listed, problem, told
from reportgen.runs.series import group_by

NOISE = 1e-3
"""A fraction may exceed 1 by this much: single precision, and means of rounded means."""

_UNITS = ("fraction", "percent")
_SHIFT, _MOST_DECIMALS, _LOOKED = 2, 4, 50
"""Decimals by which a fraction is longer than its percent; how many, of how many, are looked at."""
_ALIKE = 1.2
"""How many times larger one of two courses may begin and end that are of about the same size."""
_DIGITS = re.compile(r"\d+")


@record(kw_only=False)
class Reading:
    """The unit of one metric in one run.

    Attributes:
        unit: `"percent"`, `"fraction"`, or empty for what is no ratio.
        why: Code of what in the values says so.
        certain: False where the values allow both.
        median: Of an error rate, what makes it one.
    """

    unit: str
    why: str
    certain: bool = True
    median: str = ""

    def said(self, metric: str) -> str:
        """Return why, in words."""
        return told(self.why, metric=metric, median=self.median)


@record(frozen=False, kw_only=False)
class Units:
    """(id of the run, metric) to its unit, and what there is to say about them.

    Attributes:
        sizes: How large a share is that a run logged, in the unit of its series.
    """

    readings: dict[tuple[str, str], Reading] = field(default_factory=dict)
    sizes: dict[tuple[str, str], float] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def of(self, run: str, metric: str) -> str:
        """Return the unit of a metric in a run, empty where it has none."""
        reading = self.readings.get((run, metric))
        return reading.unit if reading else ""


def read_unit(metric: str, series: Sequence[Series], *, convention: bool) -> Reading:
    """Return the unit of one metric in one run, from all its splits.

    `convention` says that the program logs it in percent, rounded to one decimal.

    Example:
        >>> one = Series(tag="accuracy", steps=np.array([1, 2]), wall_times=np.zeros(2),
        ...              values=np.array([0.0, 81.4]))
        >>> read_unit("accuracy", [one], convention=False).unit
        'percent'
    """
    if not is_share(metric):
        return Reading("", "no_ratio")
    values = np.concatenate([np.asarray(s.values, dtype=float) for s in series] or [np.zeros(0)])
    values = values[np.isfinite(values)]
    if not len(values):
        return Reading("fraction", "nothing_finite", certain=False)
    if direction_of(metric) == "lower":
        return _read_error_rate(values)
    if float(values.max()) > 1 + NOISE:
        return Reading("percent", "over_1")
    between = values[(values > NOISE) & (values < 1 - NOISE)]
    if convention and np.allclose(10 * between, np.round(10 * between), atol=1e-4, rtol=0):
        return Reading("percent", "one_decimal", certain=False)
    if len(between):
        return Reading("fraction", "below_1")
    return Reading("fraction", "nothing_between", certain=False)


def _read_error_rate(values: np.ndarray) -> Reading:
    """An error rate may exceed 1 as a fraction; its median over training does not."""
    median = float(np.median(values))
    if float(values.max()) <= 1 + NOISE:
        return Reading("fraction", "below_1")
    if median > 1.5:
        return Reading("percent", "mostly_over_1")
    return Reading("fraction", "median", certain=False, median=f"{median:.3g}")


def decide_units(members: Sequence[Member], plan: MetricPlan) -> Units:
    """Decide the unit of every metric in every run.

    Values decide first; a run whose values allow both follows its group, then its layout,
    then the convention of its program. A stated unit is that of all runs.
    """
    units = Units()
    for member in members:
        layout: Layout = LAYOUTS.load(member.draft.layout)
        in_percent = layout.percent_metrics(member.draft)
        for metric, series in _by_metric(member).items():
            reading = read_unit(metric, series, convention=metric in in_percent)
            units.readings[member.draft.id, metric] = reading
            if reading.unit and not (plan.unit and metric == plan.name):
                units.sizes[member.draft.id, metric] = _size(metric, series)
    having = group_by(
        ((metric, m) for m in members for metric in _by_metric(m)), lambda one: one[0]
    )
    for metric, several in having.items():
        own = [member for _, member in several]
        _follow_siblings(metric, own, units)
        _follow_others(metric, own, units)
    deciding = _having(members, plan.name, units)
    if plan.unit:
        _apply_stated(plan, deciding, units)
    else:
        units.problems.extend(_disagreements(plan.name, deciding, units))
    return units


def _having(members: Sequence[Member], metric: str, units: Units) -> list[Member]:
    return [member for member in members if (member.draft.id, metric) in units.readings]


def _size(metric: str, several: Sequence[Series]) -> float:
    """Return how large a share grew that falls or rises in training."""
    counted = slice(-1, None) if direction_of(metric) == "lower" else slice(None)
    found = np.concatenate([one.values[np.isfinite(one.values)][counted] for one in several])
    return float(np.abs(found).max()) if len(found) else 0.0


def _by_metric(member: Member) -> Mapping[str, list[Series]]:
    # What another log of the run holds in another unit brings it along.
    several = [series for series in member.draft.scalars.values() if not series.unit]
    return group_by(several, lambda series: series.metric)


def _follow_siblings(metric: str, members: Sequence[Member], units: Units) -> None:
    """Give runs of small values, as of a collapsed one, the percent of those written alike."""
    told = {units.of(member.draft.id, metric) for member in members}
    for several in group_by(members, _family).values() if told >= set(_UNITS) else ():
        sides = group_by(several, lambda one: units.readings[one.draft.id, metric].unit)
        percent = [s for m in sides.get("percent", ()) for s in _by_metric(m)[metric]]
        small = sides.get("fraction", []) if percent and direction_of(metric) != "lower" else []
        for member in small:
            if not _is_hundredth(_by_metric(member)[metric], percent):
                in_group = any(m.group == member.group for m in sides["percent"])
                why = "as_its_group" if in_group else "as_its_layout"
                units.readings[member.draft.id, metric] = Reading("percent", why)


def _family(member: Member) -> tuple[object, ...]:
    """Return what siblings have in common: their tags, settings, and names but for numbers."""
    draft = member.draft
    tags = frozenset(series.tag for series in draft.scalars.values())
    settings = frozenset(settings_of(draft.config).items())
    return draft.layout, tags, settings, _DIGITS.sub("", member.group)


def _is_hundredth(own: Sequence[Series], percent: Sequence[Series]) -> bool:
    """Tell whether shares are fractions beside percent: printed so, or of about the same size."""
    if _decimals(own) >= _decimals(percent) + _SHIFT:
        return True
    ends = ([float(abs(one.values[at])) for one in own] for at in (0, -1))
    others = ([float(abs(one.values[at])) for one in percent] for at in (0, -1))
    return all(
        any(there < _ALIKE * 100 * one < _ALIKE**2 * there for one in mine for there in theirs)
        for mine, theirs in zip(ends, others, strict=True)
    )


def _decimals(several: Sequence[Series]) -> int:
    """Return how many decimals the numbers of some series show, four at most."""
    values = [value for one in several for value in one.values[:_LOOKED].tolist()]
    texts = (f"{value:.{_MOST_DECIMALS}f}".rstrip("0") for value in values if math.isfinite(value))
    return max((len(text.partition(".")[2]) for text in texts), default=0)


def _follow_others(metric: str, members: Sequence[Member], units: Units) -> None:
    """Let runs that do not tell follow those that do, where these are of one mind."""
    certain = [m for m in members if units.readings[m.draft.id, metric].certain]
    for member in members:
        if units.readings[member.draft.id, metric].certain:
            continue
        of_layout = [m for m in certain if m.draft.layout == member.draft.layout]
        of_group = [m for m in of_layout if m.group == member.group]
        for others, why in ((of_group, "as_its_group"), (of_layout, "as_its_layout")):
            found = {units.readings[m.draft.id, metric].unit for m in others}
            if len(found) == 1:
                units.readings[member.draft.id, metric] = Reading(found.pop(), why)
                break


def _apply_stated(plan: MetricPlan, members: Sequence[Member], units: Units) -> None:
    """Give all runs the stated unit, and name the runs whose values contradict it."""
    read = {m.draft.id: units.readings[m.draft.id, plan.name] for m in members}
    # Small values in percent are legal; only beside large ones do they look like fractions.
    mixed = any(reading.unit == "percent" for reading in read.values())
    against = [
        member
        for member in members
        if read[member.draft.id].certain
        and read[member.draft.id].unit not in {"", plan.unit}
        and (plan.unit == "fraction" or mixed)
    ]
    for name in read:
        units.readings[name, plan.name] = Reading(plan.unit, "stated")
    if against:
        logged = listed([_logged(plan, member) for member in against])
        first = against[0].draft.id
        units.problems.append(problem("unit_against", first, stated=plan.unit, logged=logged))


def _logged(plan: MetricPlan, member: Member) -> str:
    """Say which value of a run contradicts the stated unit: its largest one."""
    values = [np.asarray(s.values, dtype=float) for s in _by_metric(member)[plan.name]]
    top = max(float(v[np.isfinite(v)].max()) for v in values if np.isfinite(v).any())
    code = "logged_value" if plan.unit == "fraction" else "logged_none_over"
    return told(code, run=member.draft.id, name=plan.name, value=f"{top:.6g}")


def _disagreements(metric: str, members: Sequence[Member], units: Units) -> Iterator[Problem]:
    """Name both sides where runs of one layout logged different units."""
    for inside in group_by(members, lambda m: m.draft.layout).values():
        sides = group_by(inside, lambda m: units.of(m.draft.id, metric))
        if not set(_UNITS) <= sides.keys():
            continue
        fractions, percents = (sides[unit] for unit in _UNITS)
        whole = {m.group for m in fractions}.isdisjoint(m.group for m in percents)
        first, second = (
            list(dict.fromkeys(m.group if whole else m.draft.id for m in side))
            for side in (fractions, percents)
        )
        code = "unit_differs" if len(first) == 1 else "units_differ"
        places = {"first": listed(first), "second": listed(second), "name": metric}
        yield problem(code, fractions[0].draft.id, **places)


def choose_unit(
    plan: MetricPlan, members: Sequence[Member], units: Units
) -> tuple[str, list[Decision]]:
    """Return the one unit in which all runs logged the metric, and why.

    Where they differ there is none: a study that states one applies it to every run, and
    only an empty one lets each keep its own.
    """
    if plan.unit or not plan.name:
        return plan.unit, []
    having = _having(members, plan.name, units)
    readings = [units.readings[m.draft.id, plan.name] for m in having]
    found = sorted({reading.unit for reading in readings})
    value, others = found[0] if len(found) == 1 else "", []
    if not readings:
        reason = told("no_run_logged", metric=plan.name)
    elif len(found) > 1:
        reason = told("keeps_its_own", reason=_reason(having, plan.name, units))
        others = found if units.problems else []
    elif value:
        reason = _reason(having, plan.name, units)
        certain = all(reading.certain for reading in readings)
        others = [] if certain else [unit for unit in _UNITS if unit != value]
    else:
        reason = readings[0].said(plan.name)
    return value, [decided("metric.unit", value, reason, others, asks=bool(others))]


def _reason(members: Sequence[Member], metric: str, units: Units) -> str:
    """Say for each layout and unit how many runs it rests on, and on what in them."""
    read = [(m.draft.layout, units.readings[m.draft.id, metric]) for m in members]
    texts = []
    for (layout, unit), own in group_by(read, lambda one: (one[0], one[1].unit)).items():
        reasons = Counter(reading.said(metric) for _, reading in own)
        each = [
            told.counted("run_because", "runs_because", count, reason=reason)
            for reason, count in reasons.items()
        ]
        reason = joined("semicolon", each)
        texts.append(told("logged_unit", layout=layout, unit=unit, reason=reason))
    return joined("comma", texts)


def with_unit(series: Series, run: str, units: Units) -> Series:
    """Return a series with its unit."""
    return replace(series, unit=series.unit or units.of(run, series.metric))


def result_with_unit(result: Result, run: str, units: Units) -> Result:
    """Return a number without a step in the unit of its metric, or the one it looks like.

    A text may print 65.3% of what was logged as 0.653: then the size of that tells.
    """
    unit = units.of(run, result.metric)
    size, value = units.sizes.get((run, result.metric), 0.0), abs(result.value)
    if not unit and is_share(result.metric):
        unit = "percent" if result.value > 1 + NOISE else "fraction"
    elif size and 0 < value < math.inf:
        larger = {"fraction": value / 100, "percent": value * 100}[unit]
        apart = abs(math.log(larger / size)) - abs(math.log(value / size))
        unit = next(one for one in _UNITS if (one == unit) == (apart >= 0))
    return replace(result, unit=unit)
