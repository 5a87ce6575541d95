"""The figure of the results: one panel a split, seeds thin, means thick, chosen points ringed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from reportgen.languages import message, noun, say, spoken, tell, tell_count
from reportgen.records import document as doc
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.records.record import record, replace
from reportgen.records.run import SPLITS, Run, Series
from reportgen.report._focus import Focus, focus_of, naming_factors, numbers_of, ranked, settings_of
from reportgen.report._run_readings import chance_of, count_updates, once_after
from reportgen.report.names import short_name
from reportgen.report.phrases import sentences, spelled, things, what_of
from reportgen.stats import epochs_of, smooth_values

FIGURE = "results.figure"
TITLES = {
    "train": message("Training"),
    "validation": message("Validation"),
    "test": message("Test"),
    "": message("As logged"),
}
MOST_DOTS = 24
"""Groups that a figure of dots has a row for."""
LONG = 50
"""Points of a curve from which on it is smoothed."""
_NAN = float("nan")


@record
class Axes:
    """How the points of some groups are drawn.

    Attributes:
        facts: What the analysis found.
        groups: (position in the report, group).
        metric: What is drawn.
        by_epoch: Whether every evaluation has an epoch; otherwise x is the step.
        percent: Whether values are fractions or percentages.
    """

    facts: Facts
    groups: tuple[tuple[int, GroupResult], ...]
    metric: str
    by_epoch: bool
    percent: bool

    @classmethod
    def of(cls, facts: Facts, groups: Sequence[GroupResult], metric: str) -> Axes:
        """Return the axes that suit the curves of some groups."""
        names = {group.name for group in groups}
        compared = {group.name for group in focus_of(facts).groups}
        every = sorted(facts.groups, key=lambda group: group.name not in compared)
        placed = tuple((i, g) for i, g in enumerate(every) if g.name in names)
        found = [(run, s) for _, g in placed for run, s in _curves(g, metric, SPLITS)]
        evaluated = [(run, s) for run, s in found if s.split != "train"] or found
        return cls(
            facts=facts,
            groups=placed,
            metric=metric,
            by_epoch=bool(evaluated)
            and not any(np.isnan(epochs_of(run, s, facts.study)).any() for run, s in evaluated),
            percent=any(_unit(facts, s) in {"percent", "fraction"} for _, s in found),
        )

    @property
    def runs(self) -> list[Run]:
        """The runs of the groups."""
        return [cell.run for _, group in self.groups for cell in group.cells if cell.run]

    @property
    def x_label(self) -> str:
        """What the horizontal axis counts."""
        counted = [run.clock.counts_epochs for run in self.runs if run.clock is not None]
        if self.by_epoch or (counted and all(counted)):
            return noun("epoch")
        return tell("step (optimizer updates)") if count_updates(self.runs) else noun("step")

    @property
    def y_label(self) -> str:
        """What the vertical axis measures, with its unit."""
        measured = {series.metric for run in self.runs for series in run.scalars.values()}
        entropy = self.metric == "loss" and measured.isdisjoint(_OF_NUMBERS)
        unit = loss_unit({group.layout for _, group in self.groups}) if entropy else ""
        return spelled(self.metric) + (" (%)" if self.percent else f" ({unit})" if unit else "")

    def places(self, run: Run, series: Series) -> tuple[float, ...]:
        """Return where the points of a curve lie along the horizontal axis."""
        if not self.by_epoch:
            return tuple(float(step) for step in series.steps)
        return tuple(float(x) for x in epochs_of(run, series, self.facts.study))

    def scale(self, series: Series) -> float:
        """Return what values as logged are multiplied with."""
        return 100.0 if _unit(self.facts, series) == "fraction" else 1.0


BITS, NATS = {"fairseq", "fairseq_console"}, {"hf_trainer"}
"""Layouts of programs whose losses are in bits, and in nats."""
_OF_NUMBERS = frozenset({"mae", "mse", "r2", "rmse"})
"""Metrics of models that tell a number, whose losses are no entropies."""


def loss_unit(layouts: set[str]) -> str:
    """Return the unit of the losses of some layouts, where it is known; empty otherwise.

    Example:
        >>> loss_unit({"fairseq"}), loss_unit({"hf_trainer"}), loss_unit({"fairseq", "plain"})
        ('bits', 'nats', '')
    """
    return tell("bits") if layouts <= BITS else tell("nats") if layouts <= NATS else ""


def _unit(facts: Facts, series: Series) -> str:
    own = series.metric == facts.study.metric.name
    return series.unit or (facts.study.metric.unit if own else "")


def _curves(group: GroupResult, metric: str, splits: Sequence[str]) -> Iterator[tuple[Run, Series]]:
    for cell in group.cells:
        for split in splits:
            series = cell.run.find(metric, split) if cell.run is not None else None
            if cell.run is not None and series is not None and len(series):
                yield cell.run, series


# --- curves ---------------------------------------------------------------------------


def results_figure(facts: Facts, focus: Focus) -> doc.Figure | None:
    """Return the figure of the body; None where no group has a curve or several results."""
    if focus.is_sweep:
        return _sweep_figure(facts, focus)
    axes = Axes.of(facts, focus.groups, facts.study.metric.name)
    panels: tuple[doc.Panel, ...] = ()
    parts = _of_one_axis(axes)
    for groups in parts:
        part = Axes.of(facts, groups, axes.metric)
        found = curve_panels(part, rings=not facts.selection.is_last)
        if len(parts) > 1:
            names = ", ".join(short_name(facts, group) for group in groups)
            found = tuple(
                replace(one, title=tell("{panel}: {group}", panel=one.title, group=names))
                for one in found
            )
        panels += found
    if not any(len(line.x) > 1 for panel in panels for line in panel.lines):
        return None
    return curves_figure(FIGURE, _caption(facts, panels), panels)


def curves_figure(identifier: str, caption: doc.Text, panels: Sequence[doc.Panel]) -> doc.Figure:
    """Return panels of curves as a figure, told in words as well."""
    chart = doc.Chart(kind="curves", panels=tuple(panels))
    return doc.Figure(id=identifier, caption=caption, chart=chart, alt=described(panels))


_APART = 10
"""Factor between the ends of two groups whose steps do not meet, from which each has its axes."""


def _of_one_axis(axes: Axes) -> list[list[GroupResult]]:
    """Divide groups whose steps cannot count the same: one ends long before the other begins."""
    if axes.by_epoch:
        return [[group for _, group in axes.groups]]
    spans = []
    for _, group in axes.groups:
        steps = [s.steps for _, s in _curves(group, axes.metric, (*SPLITS, ""))]
        if steps:
            low, high = min(int(one[0]) for one in steps), max(int(one[-1]) for one in steps)
            spans.append((low, high, group))
    found: list[list[GroupResult]] = []
    end = 0
    for low, high, group in sorted(spans, key=lambda span: span[:2]):
        if not found or (low > end and high > _APART * end):
            found.append([])
        found[-1].append(group)
        end = max(end, high)
    return found


def curve_panels(axes: Axes, *, rings: bool) -> tuple[doc.Panel, ...]:
    """Return a panel for each split on which the metric was logged."""
    found = []
    for split in (*SPLITS, ""):
        lines = tuple(_lines(axes, split))
        if lines:
            found.append(_panel(axes, split, lines, rings=rings))
    return tuple(found)


def _panel(axes: Axes, split: str, lines: tuple[doc.Line, ...], *, rings: bool) -> doc.Panel:
    places = sorted({x for line in lines for x in line.x})
    whole = axes.by_epoch and len(places) <= 12 and all(x.is_integer() for x in places)
    chosen = tuple(_rings(axes, split)) if rings else ()
    return doc.Panel(
        title=tell(TITLES[split]),
        x_label=axes.x_label,
        y_label=axes.y_label,
        lines=lines,
        bands=tuple(_means(axes, split)),
        rings=chosen,
        levels=_chance(axes),
        x_ticks=tuple(places) if whole else (),
    )


def _lines(axes: Axes, split: str) -> Iterator[doc.Line]:
    for index, group in axes.groups:
        for member, cell in enumerate(group.cells):
            series = cell.run.find(axes.metric, split) if cell.run is not None else None
            if cell.run is None or series is None or not len(series):
                continue
            scale = axes.scale(series)
            values = tuple(_drawn(value * scale) for _, value in series.points())
            weight = axes.facts.study.statistics.smoothing
            long = len(values) > LONG and weight > 0
            yield doc.Line(
                label=_run_label(cell),
                group=short_name(axes.facts, group),
                group_index=index,
                member=member,
                x=axes.places(cell.run, series),
                y=values,
                smoothed=smooth_values(values, weight) if long else (),
                steps=tuple(int(step) for step in series.steps) if axes.by_epoch else (),
            )


def _run_label(cell: RunResult) -> str:
    if cell.seed is not None:
        return tell("seed {seed}", seed=cell.seed)
    return cell.run.id.rpartition("/")[2] if cell.run is not None else ""


def _means(axes: Axes, split: str) -> Iterator[doc.Band]:
    """Yield the mean course of every group of two runs or more, where its epochs are listed."""
    for index, group in axes.groups:
        rows = [row for row in group.epochs if split in row.splits and row.splits[split].n > 1]
        # A mean goes on as long as it is of the same number of runs.
        most = max((row.splits[split].n for row in rows), default=0)
        ends = next((at for at, row in enumerate(rows) if row.splits[split].n < most), len(rows))
        rows = rows[:ends]
        if axes.metric != axes.facts.study.metric.name or len(rows) < 2:
            continue
        yield doc.Band(
            group=short_name(axes.facts, group),
            group_index=index,
            label=short_name(axes.facts, group),
            x=tuple(row.epoch if axes.by_epoch else float(row.step) for row in rows),
            mean=tuple(_printed(row.splits[split].mean) for row in rows),
        )


def _rings(axes: Axes, split: str) -> Iterator[doc.Ring]:
    """Yield the point of each run that was chosen, on the split that chose and the reported."""
    metric = axes.facts.study.metric
    for index, group in axes.groups:
        for cell in group.cells:
            reading = {metric.select_on: cell.select_value, group.report_split: cell.report_value}
            value = reading.get(split, Missing(reason=""))
            if split != metric.select_on and once_after(axes.facts, [group]):
                continue
            place = cell.best_epoch if axes.by_epoch else cell.best_step
            if isinstance(value, Quantity) and isinstance(place, Quantity):
                yield doc.Ring(group_index=index, x=float(place.value), y=_printed(value))


def _chance(axes: Axes) -> tuple[doc.Level, ...]:
    """Return what guessing reaches, where a study says it or the number of classes tells."""
    if axes.metric != axes.facts.study.metric.name or not axes.groups:
        return ()
    chance = chance_of(axes.facts, axes.groups[0][1])
    if chance is None:
        return ()
    return (doc.Level(y=_drawn(chance.value * (100 if axes.percent else 1)), label=tell("chance")),)


def _drawn(value: float) -> float:
    return round(value, 10) if abs(value) >= 1e-4 or not math.isfinite(value) else value


def _printed(reading: Reading) -> float:
    if not isinstance(reading, Quantity):
        return _NAN
    return _drawn(reading.value * 100 if reading.unit == "fraction" else reading.value)


# --- caption --------------------------------------------------------------------------


def _caption(facts: Facts, panels: Sequence[doc.Panel]) -> doc.Text:
    metric = spelled(facts.study.metric.name)
    thick = any(panel.bands for panel in panels)
    ringed = any(panel.rings for panel in panels)
    one = len({(line.group, line.member) for panel in panels for line in panel.lines}) == 1
    texts = [
        say(
            "{metric:cap} of each run (thin) and mean of each group (thick)."
            if thick
            else "{metric:cap} of the run."
            if one
            else "{metric:cap} of each run.",
            metric=metric,
        )
    ]
    if ringed:
        ring = say(
            "A ring marks the chosen step." if one else "A ring marks the chosen step of each run."
        )
        texts.append(ring)
    if any(line.smoothed for panel in panels for line in panel.lines):
        smoothed = say(
            "Curves of more than {long} points are smoothed; rings are at logged values."
            if ringed
            else "Curves of more than {long} points are smoothed.",
            long=str(LONG),
        )
        texts.append(smoothed)
    return sentences(texts)


def described(panels: Sequence[doc.Panel]) -> str:
    """Return panels in words: where the curves of each group begin and end."""
    return " ".join(map(_described, panels))


def _described(panel: doc.Panel) -> str:
    drawn: dict[str, list[tuple[float, ...]]] = {}
    for line in panel.lines:
        drawn.setdefault(line.group, []).append(line.y)
    for band in panel.bands:
        drawn.setdefault(band.group, [band.mean])
    told = [words for name, own in drawn.items() if (words := _course_words(name, own))]
    return tell(
        "{what} by {axis}: {lines}.",
        what=", ".join(filter(None, (panel.title, panel.y_label))),
        axis=panel.x_label,
        lines=tell("; ").join(told[:MOST_DOTS]),
    )


def _course_words(group: str, curves: Sequence[tuple[float, ...]]) -> str:
    """Say where curves begin and end; one that ends in NaN has no end."""
    finite = ([value for value in own if math.isfinite(value)] for own in curves)
    known = [own for own in finite if own]
    ends = [own[-1] for own in curves if own and math.isfinite(own[-1])]
    if not known:
        return ""
    places: dict[str, str | int] = {"group": group, "first": _span([own[0] for own in known])}
    if not ends:
        return tell("{group} from {first} to NaN", **places)
    places["last"] = _span(ends)
    if len(ends) == len(curves):
        return tell("{group} from {first} to {last}", **places)
    return tell_count(
        "{group} from {first} to {last} ({count} of {all} curves ends in NaN)",
        "{group} from {first} to {last} ({count} of {all} curves end in NaN)",
        len(curves) - len(ends),
        all=len(curves),
        **places,
    )


def spelt(value: float) -> str:
    """Return a value of a curve as an alternative text has it.

    Example:
        >>> spelt(0.123456), spelt(-1e-12)
        ('0.1235', '−1e−12')
    """
    return f"{value:.4g}".replace("-", "−").replace(".", spoken().decimal_mark)


def _span(values: Sequence[float]) -> str:
    low, high = spelt(min(values)), spelt(max(values))
    return low if low == high else f"{low}\N{EN DASH}{high}"


# --- sweeps ---------------------------------------------------------------------------


def _sweep_figure(facts: Facts, focus: Focus) -> doc.Figure | None:
    order = ranked(facts, focus.groups)
    if len(order) < 2:
        return None
    if len(order) > MOST_DOTS:
        return _many_figure(facts, order)
    factors = naming_factors(order)
    panel = doc.Panel(
        title="",
        x_label=Axes.of(facts, order, facts.study.metric.name).y_label,
        y_label="",
        dots=tuple(
            _dot(facts, group, settings_of(factors, group) if factors else short_name(facts, group))
            for group in order
        ),
    )
    return doc.Figure(
        id=FIGURE,
        caption=say(
            "{what:cap} of every group, sorted: each run and their mean."
            if any(len(dot.values) > 1 for dot in panel.dots)
            else "{what:cap} of all {things}, sorted.",
            what=what_of(facts, order[0]),
            things=things(order),
        ),
        chart=doc.Chart(kind="dots", panels=(panel,)),
        alt=tell("; ").join(
            tell("{group}: {value}", group=dot.label, value=_span(dot.values))
            for dot in panel.dots
            if dot.values
        ),
    )


def _dot(facts: Facts, group: GroupResult, label: str) -> doc.Dot:
    readings = [cell.report_value for cell in group.cells]
    values = tuple(_printed(reading) for reading in readings if isinstance(reading, Quantity))
    mean = group.report.mean
    middle = _printed(mean) if isinstance(mean, Quantity) and len(values) > 1 else None
    return doc.Dot(label=label, group_index=facts.groups.index(group), values=values, mean=middle)


ALL_RUNS = -1
"""Member of a line that stands for the runs of all groups."""


_DECADES = 100.0
"""Factor between the ends of a number from which on its logarithm is drawn."""


def _many_figure(facts: Facts, order: Sequence[GroupResult]) -> doc.Figure:
    """Return very many results against the number that was varied, else as one sorted line."""
    factor, numbers = next(iter(numbers_of(order)), (None, {}))
    numbers = numbers or {group.name: float(rank) for rank, group in enumerate(order, 1)}
    points = sorted((numbers[group.name], _printed(group.report.mean)) for group in order)
    (low, first), (high, last) = points[0], points[-1]
    far = factor is not None and low > 0 and high >= _DECADES * low
    # A point between two gaps is drawn as a dot.
    drawn = [(x, one) for x, y in points for one in ((y, _NAN) if factor else (y,))]
    places = [math.log10(x) if far else x for x, _ in drawn]
    name = factor.name if factor else tell("rank")
    line = doc.Line(
        label=tell("result"),
        group=tell("all groups"),
        group_index=0,
        member=ALL_RUNS,
        x=tuple(places),
        y=tuple(y for _, y in drawn),
    )
    decades = range(math.ceil(places[0]), math.floor(places[-1]) + 1) if far else ()
    panel = doc.Panel(
        title="",
        x_label=tell("log₁₀ {factor}", factor=name) if far else name,
        y_label=Axes.of(facts, order, facts.study.metric.name).y_label,
        lines=(line,),
        x_ticks=tuple(map(float, decades)),
    )
    return doc.Figure(
        id=FIGURE,
        caption=say(
            "{what:cap} of all {things} against {factor}."
            if factor
            else "{what:cap} of all {things}, sorted.",
            what=what_of(facts, order[0]),
            things=things(order),
            factor=doc.Code(name),
        ),
        chart=doc.Chart(kind="curves", panels=(panel,)),
        alt=tell(
            "Results of {n} {things} against {factor}: from {first} at {low} to {last} at {high}, "
            "best {best} at {place}.",
            n=len(order),
            things=things(order),
            factor=name,
            first=spelt(first),
            low=spelt(low),
            last=spelt(last),
            high=spelt(high),
            best=spelt(_printed(order[0].report.mean)),
            place=spelt(numbers[order[0].name]),
        ),
    )
