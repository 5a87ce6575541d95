"""In which unit each run logged its ratios: as fractions or in percent, run by run."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from reportgen.languages import message, metric_later, noun_later
from reportgen.records.record import field, record, replace
from reportgen.records.run import Problem, Result, Series
from reportgen.records.study import Decision, MetricPlan
from reportgen.runs import LAYOUTS
from reportgen.runs._groups import Member
from reportgen.runs._kinds import direction_of, is_share
from reportgen.runs._layout import COMMA, SEMICOLON, Layout, decided, joined
from reportgen.runs._seeds import settings_of
from reportgen.runs.series import group_by

NOISE = 1e-3
"""A fraction may exceed 1 by this much: single precision, and means of rounded means."""

_UNITS = ("fraction", "percent")
_OF_GROUP = message("as the others of its group")
_OF_LAYOUT = message("as the others of its layout")
_LISTED = 5
_SHIFT, _MOST_DECIMALS, _LOOKED = 2, 4, 50
"""Decimals by which a fraction is longer than its percent; how many, of how many, are looked at."""
_ALIKE = 1.2
"""How many times larger one of two courses may begin and end that are of about the same size."""
_DIGITS = re.compile(r"\d+")


@record
class Reading:
    """The unit of one metric in one run.

    Attributes:
        unit: `"percent"`, `"fraction"`, or empty for what is no ratio.
        reason: What in the values says so.
        certain: False where the values allow both.
    """

    unit: str
    reason: str
    certain: bool = True


@record(frozen=False)
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
        pattern = message("{metric} is neither a fraction nor a percentage")
        return Reading(unit="", reason=message(pattern, metric=metric_later(metric)))
    values = np.concatenate([np.asarray(s.values, dtype=float) for s in series] or [np.zeros(0)])
    values = values[np.isfinite(values)]
    if len(values) and direction_of(metric) == "lower":
        return _read_error_rate(values)
    if len(values) and float(values.max()) > 1 + NOISE:
        return Reading(unit="percent", reason=message("values over 1"))
    between = values[(values > NOISE) & (values < 1 - NOISE)]
    if convention and np.allclose(10 * between, np.round(10 * between), atol=1e-4, rtol=0):
        reason = message("none over 1, but its program rounds percent to one decimal, as here")
        return Reading(unit="percent", reason=reason, certain=False)
    if len(between):
        return Reading(unit="fraction", reason=message("values between 0 and 1"))
    reason = message("no finite value: the usual unit")
    reason = message("nothing but 0 and 1: the usual unit") if len(values) else reason
    return Reading(unit="fraction", reason=reason, certain=False)


def _read_error_rate(values: np.ndarray) -> Reading:
    """An error rate may exceed 1 as a fraction; its median over training does not."""
    if float(values.max()) <= 1 + NOISE:
        return Reading(unit="fraction", reason=message("values between 0 and 1"))
    median = float(np.median(values))
    if median > 1.5:
        return Reading(unit="percent", reason=message("more than half of the values over 1.5"))
    reason = message("median {median}: an error rate; it may be over 1", median=f"{median:.3g}")
    return Reading(unit="fraction", reason=reason, certain=False)


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
    for metric in {metric for _, metric in units.readings}:
        having = [m for m in members if (m.draft.id, metric) in units.readings]
        _follow_siblings(metric, having, units)
        _follow_others(metric, having, units)
    having = [m for m in members if (m.draft.id, plan.name) in units.readings]
    if plan.unit:
        _apply_stated(plan, having, units)
    else:
        units.problems.extend(_disagreements(plan.name, having, units))
    return units


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
    """Give runs of small values the percent of their siblings, which one program wrote alike.

    A collapsed run has 1 %, which alone looks like 100 %.
    """
    for several in group_by(members, _family).values():
        sides = group_by(several, lambda one: units.readings[one.draft.id, metric].unit)
        percent = [s for m in sides.get("percent", ()) for s in _by_metric(m)[metric]]
        small = sides.get("fraction", []) if percent and direction_of(metric) != "lower" else []
        for member in small:
            if not _is_hundredth(_by_metric(member)[metric], percent):
                in_group = any(m.group == member.group for m in sides["percent"])
                reading = Reading(unit="percent", reason=_OF_GROUP if in_group else _OF_LAYOUT)
                units.readings[member.draft.id, metric] = reading


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
        for others, reason in (
            (of_group, _OF_GROUP),
            (of_layout, _OF_LAYOUT),
        ):
            found = {units.readings[m.draft.id, metric].unit for m in others}
            if len(found) == 1:
                units.readings[member.draft.id, metric] = Reading(unit=found.pop(), reason=reason)
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
        units.readings[name, plan.name] = Reading(unit=plan.unit, reason=message("stated"))
    if against:
        told = f"metric.unit says {plan.unit}, but {_listed([_logged(plan, m) for m in against])}"
        remedy = "correct metric.unit in the study file, or leave it empty"
        units.problems.append(Problem(path=against[0].draft.id, message=told, remedy=remedy))


def _logged(plan: MetricPlan, member: Member) -> str:
    """Say which value of a run contradicts the stated unit: its largest one."""
    values = [np.asarray(s.values, dtype=float) for s in _by_metric(member)[plan.name]]
    top = max(float(v[np.isfinite(v)].max()) for v in values if np.isfinite(v).any())
    over = f"{plan.name} {top:.6g}" if plan.unit == "fraction" else f"no {plan.name} over {top:.6g}"
    return f"{member.draft.id} logged {over}"


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
        told = f"{_listed(first)} {'logs' if len(first) == 1 else 'log'} {metric} as fractions"
        yield Problem(
            path=fractions[0].draft.id,
            message=f"{told}, {_listed(second)} in percent; each is read in its own unit",
            remedy="set metric.unit in the study file if that is wrong",
        )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


def choose_unit(
    plan: MetricPlan, members: Sequence[Member], units: Units
) -> tuple[str, list[Decision]]:
    """Return the one unit in which all runs logged the metric, and why.

    Where they differ there is none: a study that states one applies it to every run, and
    only an empty one lets each keep its own.
    """
    if plan.unit or not plan.name:
        return plan.unit, []
    having = [m for m in members if (m.draft.id, plan.name) in units.readings]
    readings = [units.readings[m.draft.id, plan.name] for m in having]
    found = sorted({reading.unit for reading in readings})
    value = found[0] if len(found) == 1 else ""
    if not readings:
        reason, others = message("no run logged {metric}", metric=metric_later(plan.name)), []
    elif len(found) > 1:
        reason = message(
            "{reason}; each run keeps its own", reason=_reason(having, plan.name, units)
        )
        others = found if units.problems else []
    elif value:
        reason = _reason(having, plan.name, units)
        certain = all(reading.certain for reading in readings)
        others = [] if certain else [unit for unit in _UNITS if unit != value]
    else:
        reason, others = readings[0].reason, []
    return value, [decided("metric.unit", value, reason, others, asks=bool(others))]


def _reason(members: Sequence[Member], metric: str, units: Units) -> str:
    """Say for each layout and unit how many runs it rests on, and on what in them."""
    read = [(m.draft.layout, units.readings[m.draft.id, metric]) for m in members]
    texts = []
    for (layout, unit), own in group_by(read, lambda one: (one[0], one[1].unit)).items():
        reasons = Counter(reading.reason for _, reading in own)
        told = [
            message("{n} run: {reason}", n=1, reason=reason)
            if count == 1
            else message("{n} runs: {reason}", n=count, reason=reason)
            for reason, count in reasons.items()
        ]
        pattern = message("{layout} logged {unit} ({reason})")
        reason = joined(SEMICOLON, told)
        texts.append(message(pattern, layout=layout, unit=noun_later(unit), reason=reason))
    return joined(COMMA, texts)


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
