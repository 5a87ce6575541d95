"""Panels of the curve figures: which groups share axes, and their lines, bands and dots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportgen.languages import message, noun, tell
from reportgen.records.document import Band, Dot, Line, Panel
from reportgen.records.facts import Facts, GroupResult, RunResult, Task
from reportgen.records.quantity import Quantity, Reading
from reportgen.records.run import SPLITS, Run, Series
from reportgen.report._clock import count_updates
from reportgen.report._curve_axes import is_far_spread
from reportgen.report._excerpts import GROUPS_AT_AN_END, MOST_GROUPS, ends_of, thinned
from reportgen.report._marks import RERUN
from reportgen.report._metric_names import spelled
from reportgen.report._phrases import ROOT
from reportgen.report._tasks import drawn_tasks, task_drawn_with
from reportgen.stats import epochs_of, smooth_values, stated_steps_per_epoch

TITLES = {
    "train": message("Training"),
    "validation": message("Validation"),
    "test": message("Test"),
}
"""Head of a panel by its split; one of no split has none, and its caption says what it shows."""

EVALUATED = ("validation", "test")
Member = tuple[int, GroupResult, RunResult, Series]
_GAP = float("nan")
_SMALL = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Groups that can share axes: one layout, one unit, one task.

    Attributes:
        suffix: Ends the ids of its figures; empty where there is one family.
        groups: (position in the report, group), in report order.
        percent: Whether values are printed in percent.
        by_epoch: Whether every point has an epoch; otherwise x is the step.
        updates: Whether a step is an update for certain.
        task: What all of them were trained for.
        counts_epochs: Whether a step is an epoch: the logs count nothing else.
    """

    suffix: str
    groups: tuple[tuple[int, GroupResult], ...]
    percent: bool
    by_epoch: bool
    updates: bool
    task: Task
    counts_epochs: bool = False

    @property
    def in_epochs(self) -> bool:
        """Whether x counts epochs."""
        return self.by_epoch or self.counts_epochs

    @property
    def x_label(self) -> str:
        """Name of the x axis."""
        if self.in_epochs:
            return noun("epoch")
        return tell("step (optimizer updates)") if self.updates else noun("step")


def find_families(
    facts: Facts, metric: str, splits: Sequence[str] = (), *, evaluated: bool = True
) -> list[Family]:
    """Sort the groups that logged a metric into families, in order of first appearance.

    The loss is drawn over steps, for training logs it between the ends of epochs, but where the
    logs count epochs alone.

    Args:
        facts: What the analysis found.
        metric: The metric.
        splits: Where it counts as logged; none is where models are evaluated.
        evaluated: Whether its points are evaluations, which have epochs where these are known.
    """
    found: dict[tuple[str, bool, Task], list[tuple[int, GroupResult]]] = {}
    shown = drawn_tasks(facts)
    for index, group in enumerate(facts.groups):
        task = task_drawn_with(facts, group)
        if task not in shown:
            continue
        series = [s for _, s in all_series(group, metric, splits)]
        if series:
            percent = any(_unit(facts, s) in {"percent", "fraction"} for s in series)
            found.setdefault((group.layout, percent, task), []).append((index, group))
    counts_epochs = _count_epochs(facts)
    by_epoch = evaluated and (metric != "loss" or counts_epochs)
    return [
        Family(
            suffix=f".{number}" if len(found) > 1 else "",
            groups=tuple(members),
            percent=percent,
            by_epoch=by_epoch and _all_epochs_known(facts, members, metric),
            updates=evaluated and count_updates(_runs(members)),
            counts_epochs=counts_epochs,
            task=task,
        )
        for number, ((_, percent, task), members) in enumerate(found.items(), 1)
    ]


def _count_epochs(facts: Facts) -> bool:
    """Return whether the steps of every run are epochs."""
    clocks = [run.clock for run in facts.runs]
    own = all(clock is not None and clock.counts_epochs for clock in clocks)
    return own if any(clocks) else stated_steps_per_epoch(facts.study) == 1


def at_the_ends(facts: Facts, family: Family) -> Family | None:
    """Return the best and the weakest of many groups; None without an order of this family."""
    ends = ends_of(facts, GROUPS_AT_AN_END)
    if ends is None or ends.tasks or len(family.groups) <= MOST_GROUPS:
        return None
    chosen = tuple(one for one in family.groups if any(one[1] is group for group in ends.groups))
    return replace(family, groups=chosen) if len(chosen) == len(ends.groups) else None


def few_of(family: Family) -> Family:
    """Return a family, or of many groups without an order those with a result and a few others."""
    if len(family.groups) <= MOST_GROUPS:
        return family
    most = 2 * GROUPS_AT_AN_END
    known = [one for one in family.groups if isinstance(one[1].report.mean, Quantity)]
    if len(known) > MOST_GROUPS:
        return replace(family, groups=tuple(thinned(family.groups, most)))
    others = [one for one in family.groups if one not in known]
    some = thinned(others, most - len(known)) if len(known) < most else ()
    chosen = tuple(one for one in family.groups if one in known or one in some)
    return replace(family, groups=chosen)


def all_series(
    group: GroupResult, metric: str, splits: Sequence[str] = ()
) -> list[tuple[Run, Series]]:
    """Return the curves that a group has of a metric; of the loss, those of training too.

    Args:
        group: The group.
        metric: The metric.
        splits: Splits of the curves; none is the usual ones.
    """
    splits = splits or (SPLITS if metric == "loss" else EVALUATED)
    return [
        (cell.run, series)
        for cell in group.cells
        if cell.run is not None
        for split in splits
        if (series := series_on(cell, metric, split)) is not None
    ]


def _runs(members: Sequence[tuple[int, GroupResult]]) -> Iterator[Run]:
    return (cell.run for _, group in members for cell in group.cells if cell.run is not None)


def _all_epochs_known(
    facts: Facts, members: Sequence[tuple[int, GroupResult]], metric: str
) -> bool:
    return all(
        not np.isnan(epochs_of(run, series, facts.study)).any()
        for _, group in members
        for run, series in all_series(group, metric)
    )


def _unit(facts: Facts, series: Series) -> str:
    own = series.metric == facts.study.metric.name
    return series.unit or (facts.study.metric.unit if own else "")


def members_on(family: Family, metric: str, split: str) -> list[Member]:
    """Return every run of a family that logged a metric on a split, with its group."""
    return [
        (index, group, cell, series)
        for index, group in family.groups
        for cell in group.cells
        if (series := series_on(cell, metric, split)) is not None
    ]


def scale_of(facts: Facts, series: Series) -> float:
    """Return what values as logged are multiplied with to be drawn."""
    return 100.0 if _unit(facts, series) == "fraction" else 1.0


def line_panels(
    facts: Facts, family: Family, metric: str, splits: Sequence[str]
) -> dict[str, Panel]:
    """Return, by split, a panel with the curve of every run that logged the metric there."""
    panels: dict[str, Panel] = {}
    in_full = _have_other_seeds(family)
    for split in splits:
        lines = tuple(
            replace(
                _line(facts, family, group, cell, series, group_index=index, member=member),
                in_full=in_full,
            )
            for index, group in family.groups
            for member, cell in enumerate(group.cells)
            if (series := series_on(cell, metric, split)) is not None
        )
        if lines:
            panels[split] = panel_of(family, metric, split, lines=lines)
    return panels


def _have_other_seeds(family: Family) -> bool:
    """Tell whether a seed stands in one group alone: a line called by it is taken for a replicate.

    Groups that share their seeds are told apart by their looks, and each seed has its mark.
    """
    seeds = [
        {cell.seed for cell in group.cells if cell.run is not None and cell.seed is not None}
        for _, group in family.groups
    ]
    return len(set(map(frozenset, seeds))) > 1


def series_on(cell: RunResult, metric: str, split: str) -> Series | None:
    """Return the curve of a run; None where it has none, or one without a point."""
    series = cell.run.find(metric, split) if cell.run is not None else None
    return series if series is not None and len(series) else None


def empty_panel(family: Family, metric: str, split: str) -> Panel:
    """Return the axes of a metric on a split, with nothing drawn on them."""
    return panel_of(family, metric, split)


def panel_of(
    family: Family,
    metric: str,
    split: str,
    *,
    lines: tuple[Line, ...] = (),
    bands: tuple[Band, ...] = (),
) -> Panel:
    """Return the axes of a metric on a split, with what is drawn on them."""
    drawn = [line.x for line in lines] + [band.x for band in bands]
    places = sorted({x for shown in drawn for x in shown})
    whole = family.by_epoch and all(x.is_integer() for x in places)
    return Panel(
        title=tell(TITLES[split]) if split else "",
        x_label=family.x_label,
        y_label=spelled(metric) + (" (%)" if family.percent else ""),
        lines=lines,
        bands=bands,
        x_ticks=tuple(places) if len(places) == 1 or (whole and len(places) <= 30) else (),
    )


def _line(
    facts: Facts,
    family: Family,
    group: GroupResult,
    cell: RunResult,
    series: Series,
    *,
    group_index: int,
    member: int,
) -> Line:
    points = list(series.points())
    scale = scale_of(facts, series)
    return Line(
        label=_label(group, cell),
        group=group.label,
        group_index=group_index,
        member=member,
        x=places_of(facts, family, cell, series),
        y=tuple(without_noise(value * scale) for _, value in points),
        steps=tuple(int(step) for step, _ in points) if family.by_epoch else (),
    )


def places_of(facts: Facts, family: Family, cell: RunResult, series: Series) -> tuple[float, ...]:
    """Return where steps lie on the x axis; a family by epoch knows all of its epochs."""
    steps = series.steps.astype(np.float64)
    if not family.by_epoch or cell.run is None:
        return tuple(steps.tolist())
    epochs = epochs_of(cell.run, series, facts.study)
    return tuple(np.where(np.isnan(epochs), steps, epochs).tolist())


def _label(group: GroupResult, cell: RunResult) -> str:
    """Return the shortest name that tells a run from the others of its group."""
    alone = sum(other.seed == cell.seed for other in group.cells) == 1
    mark = mark_of((cell,))
    if cell.seed is not None and alone:
        return tell("seed {seed}", seed=cell.seed) + mark
    if cell.run is None or cell.run.id in ROOT:
        return group.label + mark
    return cell.run.id.rsplit("/", 1)[-1] + mark


def mark_of(cells: Sequence[RunResult]) -> str:
    """Return the dagger where one of the runs that are drawn is a re-run."""
    return RERUN.sign if any(c.run is not None and c.run.rerun for c in cells) else ""


def smooth_panel(panel: Panel, weight: float) -> Panel:
    """Return a panel whose lines carry their smoothed values beside the raw ones.

    On a logarithmic axis the logarithms are smoothed: an average of values that fall by powers of
    ten is one of the first of them.
    """
    smooth = _smooth_logarithms if is_far_spread(panel) else smooth_values
    lines = (replace(line, smoothed=smooth(line.y, weight)) for line in panel.lines)
    return replace(panel, lines=tuple(lines))


def _smooth_logarithms(values: Sequence[float], weight: float) -> tuple[float, ...]:
    # What is not finite passes through; what is, is above zero on such an axis.
    logs = [math.log(value) if math.isfinite(value) else value for value in values]
    smoothed = smooth_values(logs, weight)
    return tuple(math.exp(value) if math.isfinite(value) else value for value in smoothed)


def make_dot(index: int, group: GroupResult) -> Dot:
    """Return a group's best-step values; no mean of a single run, no interval under three."""
    readings = [cell.report_value for cell in group.cells]
    values = tuple(printed(reading) for reading in readings if isinstance(reading, Quantity))
    mean, half = group.report.mean, group.report.interval
    middle = printed(mean) if isinstance(mean, Quantity) and len(values) > 1 else None
    known = middle is not None and isinstance(half, Quantity)
    return Dot(
        label=group.label + mark_of(group.cells),
        group_index=index,
        values=values,
        mean=middle,
        low=middle - printed(half) if middle is not None and known else None,
        high=middle + printed(half) if middle is not None and known else None,
    )


def without_noise(value: float) -> float:
    """Return a value at ten decimals, or a small one at so many significant digits."""
    return round(value, 10) if abs(value) >= _SMALL else float(f"{value:.10g}")


def printed(reading: Reading) -> float:
    """Return a value in the unit of the axis; NaN, which is drawn as a gap, where it is missing."""
    if not isinstance(reading, Quantity):
        return _GAP
    return without_noise(reading.value * 100) if reading.unit == "fraction" else reading.value
