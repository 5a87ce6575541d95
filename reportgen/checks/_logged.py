"""What the logs hold, as exact decimals: by group, seed, metric, split, step and epoch."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.quantity import Evidence, Missing
from reportgen.records.run import Run, Series, decimal_float
from reportgen.records.study import Study
from reportgen.runs import direction_of
from reportgen.stats import epoch_of_step, epochs_of, numbers_epochs_from_zero

if TYPE_CHECKING:
    from reportgen.records.run import Column

COARSEST = 4
"""A log whose values have at most so many decimals was rounded when it was written."""
HUNDREDFOLD = "hundredfold"
"""Unit of a share without one in the logs, printed in percent."""
TWO_DECIMALS = 0.011
"""A part of an epoch is logged with two decimals (`0.89`)."""
_NOISE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Point:
    """One logged value.

    Attributes:
        value: As logged, a float32 as the shortest decimal it stands for.
        step: As logged.
        series: The series it is of.
        run: The run.
    """

    value: Decimal
    step: int
    series: Series
    run: Run

    @property
    def unit(self) -> str:
        """Unit of the value: `"percent"`, `"fraction"` or `""`."""
        return self.series.unit

    @property
    def evidence(self) -> Evidence:
        """Where it stands."""
        return Evidence(
            path=self.series.path,
            tag=self.series.tag,
            step=self.step,
            value=float(self.value),
            run=self.run.id,
        )

    def in_unit(self, unit: str) -> Decimal:
        """Return the value in percent or as a fraction; what is no ratio stays as it is.

        Example:
            >>> import numpy as np
            >>> series = Series(tag="acc", steps=np.array([1]), values=np.array([0.785]),
            ...                 wall_times=np.zeros(1), unit="fraction")
            >>> run = Run(id="a/0", group="a", seed=0, layout="", scalars={})
            >>> Point(value=Decimal("0.785"), step=1, series=series, run=run).in_unit("percent")
            Decimal('78.5')
        """
        return convert(self.value, self.unit, unit)


def convert(value: Decimal, logged: str, wanted: str) -> Decimal:
    """Return a value in another of the two units of a ratio.

    Example:
        >>> convert(Decimal("79.9"), "percent", "fraction")
        Decimal('0.799')
    """
    if logged == "percent" and wanted == "fraction":
        return value.scaleb(-2)
    if (logged == "fraction" and wanted == "percent") or wanted == HUNDREDFOLD:
        return value.scaleb(2)
    return value


class Curve:
    """The finite points of one metric of one run on one split, in order of steps.

    Points are made when they are asked for, each once: thousands of long curves of which a
    report quotes a few values would be gigabytes.
    """

    def __init__(self, run: Run, series: Series, study: Study) -> None:
        self.run = run
        self.series = series
        self._study = study
        self._made: dict[int, Point] = {}

    def __len__(self) -> int:
        return len(self._columns[0])

    @cached_property
    def _columns(self) -> tuple[Column, Column]:
        """Steps and values that are finite."""
        import numpy as np

        finite = np.isfinite(self.series.values)
        if finite.all():
            return self.series.steps, self.series.values
        return self.series.steps[finite], self.series.values[finite]

    def _point(self, index: int) -> Point:
        if index not in self._made:
            steps, values = self._columns
            value, step = Decimal(repr(decimal_float(values[index]))), int(steps[index])
            self._made[index] = Point(value=value, step=step, series=self.series, run=self.run)
        return self._made[index]

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Every finite point."""
        return tuple(map(self._point, range(len(self))))

    @property
    def first(self) -> Point:
        """The first finite point, of which there has to be one."""
        return self._point(0)

    @property
    def last(self) -> Point:
        """The last finite point, of which there has to be one."""
        return self._point(len(self) - 1)

    @cached_property
    def epochs(self) -> tuple[float | None, ...]:
        """How many epochs were finished at each point; None where that is not known."""
        found = zip(
            self.series.steps.tolist(),
            epochs_of(self.run, self.series, self._study).tolist(),
            strict=True,
        )
        known = {step: None if math.isnan(epoch) else epoch for step, epoch in found}
        return tuple(known[point.step] for point in self.points)

    @cached_property
    def decimals(self) -> int | None:
        """Decimals to which the log was rounded; None where it was not, or not visibly."""
        most = 0
        # Of a long curve one of the first values mostly tells.
        for index in range(len(self)):
            most = max(most, _decimals(self._point(index).value))
            if most > COARSEST:
                return None
        return most if len(self) > 1 else None

    @cached_property
    def counts_from_zero(self) -> bool:
        """Whether the program numbers the first epoch 0, as Keras and Lightning do."""
        if [point.step for point in self.points[:2]] == [0, 1]:
            return True
        return any(numbers_epochs_from_zero(self.run, point.step) for point in self.points[:1])

    @property
    def ends_finite(self) -> bool:
        """Whether the last logged value is neither NaN nor infinite."""
        return len(self) > 0 and self.last.step == int(self.series.steps[-1])

    @property
    def dropped(self) -> int:
        """How many points are NaN or infinite."""
        return len(self.series) - len(self)

    def at(self, step: int) -> Point | None:
        """Return the point at exactly this step, or None."""
        steps = self._columns[0]
        index = int(steps.searchsorted(step))
        return self._point(index) if index < len(self) and steps[index] == step else None

    def at_epoch(self, epoch: float) -> tuple[Point, ...]:
        """Return the points at the end of an epoch, or the last one during it."""
        known = [(p, e) for p, e in zip(self.points, self.epochs, strict=True) if e is not None]
        whole = epoch == int(epoch)
        apart = _NOISE if whole else TWO_DECIMALS
        exact = tuple(p for p, e in known if abs(e - epoch) < apart)
        if exact or not whole:
            return exact
        inside = [p for p, e in known if epoch - 1 < e < epoch]
        return tuple(inside[-1:])

    def extremes(self, *, lower: bool) -> tuple[Point, ...]:
        """Return every point with the best value, in order of steps."""
        if not len(self):
            return ()
        # The decimals that values stand for are in the order of the values.
        _, values = self._columns
        best = values.min() if lower else values.max()
        return tuple(self._point(index) for index in (values == best).nonzero()[0].tolist())

    def near(self, step: int, epoch: float | None) -> Point | None:
        """Return the point at a step, else the one of the same epoch, else the last before it.

        Some programs log one split at the first step of an epoch and another at its last;
        some evaluate a split only once, with the checkpoint that they chose.
        """
        found = self.first if len(self) == 1 else self.at(step)
        if found is None and epoch is not None:
            found = next(iter(self.at_epoch(math.ceil(epoch - _NOISE))), None)
        if found is None:
            before = int(self._columns[0].searchsorted(step, "right"))
            found = self._point(before - 1) if before else None
        return found


def _decimals(value: Decimal) -> int:
    exponent = value.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """A step that some rule calls the best of a run.

    Attributes:
        point: The point that is best.
        rule: The rule in words (`highest validation accuracy`).
        ties: Every step that reaches the same value.
    """

    point: Point
    rule: str
    ties: tuple[int, ...]

    @property
    def words(self) -> str:
        """The rule, and that it left a choice where it did."""
        if len(self.ties) == 1:
            return self.rule
        first, last = self.point.step == self.ties[0], self.point.step == self.ties[-1]
        which = "the first" if first else "the last" if last else "one"
        return f"{self.rule}, {which} of {len(self.ties)} equal ones"


class Logbook:
    """The logs of a case. Curves are read when they are asked for, and then kept."""

    def __init__(self, facts: Facts) -> None:
        self.study: Study = facts.study
        self._cells = {
            group.name: tuple((cell.seed, cell.run) for cell in group.cells)
            for group in facts.groups
        }
        self._present = tuple(
            name for name, cells in self._cells.items() if any(run for _, run in cells)
        )
        self._without = {
            cell.run.id
            for group in facts.groups
            for cell in group.cells
            if cell.run is not None and isinstance(cell.report_value, Missing)
        }
        owned = ((run, name) for name, cells in self._cells.items() for _, run in cells)
        self._owners = {id(run): name for run, name in owned if run}
        self._curves: dict[tuple[str, str, str], Curve | None] = {}

    def groups(self) -> tuple[str, ...]:
        """Return the groups that have a run."""
        return self._present

    def runs(self, group: str, seed: int | None = None) -> tuple[Run, ...]:
        """Return the runs of a group, or those with one seed, in order of seed."""
        cells = self._cells.get(group, ())
        return tuple(run for s, run in cells if run is not None and seed in {None, s})

    def has_result(self, run: Run) -> bool:
        """Say whether a run was evaluated on the reported split at its very best step."""
        return run.id not in self._without

    def missing(self, group: str) -> tuple[int, ...]:
        """Return the seeds of a group without logs: declared, or else those of a fuller group."""
        cells = self._cells.get(group, ())
        if not self.is_guessed(group):
            return tuple(seed for seed, run in cells if run is None and seed is not None)
        own = frozenset(seed for seed, _ in cells)
        more = max((row for row in self._rows if row > own), key=len, default=frozenset())
        return tuple(sorted(more - own))

    @cached_property
    def _rows(self) -> frozenset[frozenset[int]]:
        return frozenset(frozenset(s for s, _ in c if s is not None) for c in self._cells.values())

    def is_guessed(self, group: str) -> bool:
        """Say whether the seeds of a group are those that there are, and no study states them."""
        return any(d.key == f"groups.{group}.seeds" for d in self.study.decisions)

    def curve(self, run: Run, metric: str, split: str) -> Curve | None:
        """Return a metric of a run on a split; None where it was not logged."""
        key = (run.id, metric, split)
        if key not in self._curves:
            series = run.find(metric, split)
            curve = None if series is None else Curve(run, series, self.study)
            self._curves[key] = curve if curve is not None and len(curve) else None
        return self._curves[key]

    def metric(self, name: str) -> str:
        """Return the logged metric that a name stands for; empty where none does.

        Nothing said means the study's own; a part of a single logged name means that one
        (`f1` of `f1_macro`), of several the study's own.
        """
        if not name:
            return self.study.metric.name
        if name in self._metrics:
            return name
        like = [other for other in self._metrics if name in other.split("_")]
        own = self.study.metric.name
        return like[0] if len(like) == 1 else own if own in like else ""

    @cached_property
    def _metrics(self) -> frozenset[str]:
        runs = (run for cells in self._cells.values() for _, run in cells if run is not None)
        return frozenset(series.metric for run in runs for series in run.scalars.values())

    def splits(self, group: str, metric: str) -> tuple[str, ...]:
        """Return the splits on which any run of a group logged a metric, the reported first.

        Tags that name no split count last, as an empty one.
        """
        plan = self.study.metric
        order = dict.fromkeys((plan.report_on, plan.select_on, "test", "validation", "train", ""))
        runs = self.runs(group)
        return tuple(s for s in order if any(self.curve(run, metric, s) for run in runs))

    def lower(self, metric: str) -> bool:
        """Return whether smaller values of a metric are better."""
        plan = self.study.metric
        if metric == plan.name and plan.direction:
            return plan.direction == "lower"
        return direction_of(metric) == "lower"

    def bests(self, run: Run, metric: str) -> tuple[Best, ...]:
        """Return the best steps of a run under every rule a report may follow.

        First the metric itself on the selection split, then the study's metric, then the
        loss; of equal values every step.
        """
        names = dict.fromkeys((metric, self.study.metric.name, "loss"))
        split = self.study.metric.select_on
        return tuple(best for name in names for best in self.extremes(run, name, split))

    def extremes(self, run: Run, metric: str, split: str) -> Iterator[Best]:
        """Yield each step with the best value of one metric on one split."""
        curve = self.curve(run, metric, split)
        if curve is None:
            return
        lower = self.lower(metric)
        found = curve.extremes(lower=lower)
        what = f"{split} {metric}".strip()
        rule = f"lowest {what}" if lower else f"highest {what}"
        ties = tuple(point.step for point in found)
        # The first and the last are what programs keep; the others are ties all the same.
        for point in (*found[:1], *found[1:][::-1]):
            yield Best(point=point, rule=rule, ties=ties)

    def epoch_of(self, point: Point) -> float | None:
        """Return how many epochs were finished at a point; None where that is not known."""
        return epoch_of_step(point.run, point.series, point.step, self.study)

    def where(self, point: Point) -> str:
        """Return where a point stands, as messages say it.

        Example: `pretrained/seed 1, test accuracy, step 675`.
        """
        seed = f"/seed {point.run.seed}" if point.run.seed is not None else ""
        split = f"{point.series.split} " if point.series.split else ""
        label = self.study.label(self.group_of(point.run))
        return f"{label}{seed}, {split}{point.series.metric}, step {point.step}"

    def group_of(self, run: Run) -> str:
        """Return the group a run belongs to."""
        return self._owners.get(id(run), run.group)


_kept: dict[int, Logbook] = {}


def logbook_of(case: Case) -> Logbook | None:
    """Return the logs of a case, built once and dropped with its facts; None without logs."""
    facts = case.facts
    if facts is None or "logs" not in case.given:
        return None
    key = id(facts)
    if key not in _kept:
        _kept[key] = Logbook(facts)
        weakref.finalize(facts, _kept.pop, key, None)
    return _kept[key]
