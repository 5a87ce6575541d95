"""Every logged value of a metric on a split, run by run, with the moments that rules choose."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from reportgen.checking.numbers._kept import kept_of
from reportgen.checks._known import Known
from reportgen.checks._logged import Curve, Logbook, Point
from reportgen.claims._evidence import numbered_cells
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Quantity

_CHOSEN = Decimal(0)
LONG = 2000
"""Of a curve with more points than this only the ends of epochs are looked at, where known."""


def known_of_logs(
    book: Logbook, facts: Facts, metric: str, split: str, group: str
) -> tuple[Known, ...]:
    """Return the values of every run of a group, and those at its best and its last step."""
    result = _results(facts).get(group)
    if result is None:
        return ()
    found: list[Known] = []
    for cell in result.cells:
        curve = book.curve(cell.run, metric, split) if cell.run is not None else None
        if curve is not None:
            found += _of_run(book, result, cell, curve)
    return tuple(found)


@kept_of
def _results(facts: Facts) -> dict[str, GroupResult]:
    return {group.name: group for group in facts.groups}


def _of_run(book: Logbook, group: GroupResult, cell: RunResult, curve: Curve) -> Iterator[Known]:
    epochs = _epochs(group, curve)
    for point in curve.points:
        epoch = epochs.get(point.step)
        if epoch is not None:
            known = _known(group, cell, point)
            yield replace(known, moment=("epoch", epoch), where=f"epoch {epoch.normalize():f}")
        elif not epochs or len(curve.points) <= LONG:
            yield _known(group, cell, point)
    yield from _chosen(book, group, cell, curve)


def _known(group: GroupResult, cell: RunResult, point: Point) -> Known:
    return Known(
        value=point.in_unit("percent"),
        metric=point.series.metric,
        split=point.series.split,
        group=group.name,
        moment=("step", Decimal(point.step)),
        seed=cell.seed if cell.seed is not None else running_number(cell, group),
        run=point.run.id,
        where=f"step {point.step}",
        evidence=(point.evidence,),
    )


def running_number(cell: RunResult, group: GroupResult) -> int | None:
    """Return the number of a run's folder, where no run of its group has a seed."""
    numbers = numbered_cells(group)
    return next((number for number, other in numbers.items() if other is cell), None)


def _epochs(group: GroupResult, curve: Curve) -> dict[int, Decimal]:
    """Return which steps of a curve stand for the ends of which epochs.

    A curve that is logged more often, as training losses are, gives its last value of each.
    """
    found: dict[int, Decimal] = {}
    steps = [point.step for point in curve.points]
    before = -1
    if not any(row.epoch > 0 for row in group.epochs):
        ends = zip(curve.points, curve.epochs, strict=True)
        known = {p.step: Decimal(repr(float(e))) for p, e in ends if e is not None}
        return {step: epoch for step, epoch in known.items() if epoch == int(epoch) > 0}
    for row in group.epochs:
        if row.epoch <= 0:
            continue
        exact = Decimal(repr(float(row.epoch)))
        if len(steps) <= LONG:
            found |= {point.step: exact for point in curve.at_epoch(row.epoch)[-1:]}
        else:
            last = bisect_right(steps, row.step) - 1
            found |= {steps[last]: exact} if last >= 0 and steps[last] > before else {}
        before = row.step
    return found


def _chosen(book: Logbook, group: GroupResult, cell: RunResult, curve: Curve) -> Iterator[Known]:
    """Yield the values at the moments that rules choose."""
    last = _known(group, cell, curve.last)
    yield replace(last, moment=("last", _CHOSEN), where="the last step")
    best = curve.extremes(lower=book.lower(curve.series.metric))[0]
    oracle = _known(group, cell, best)
    yield replace(oracle, moment=("oracle", _CHOSEN), where=f"its best value ({oracle.where})")
    if isinstance(cell.best_step, Quantity):
        chosen = curve.at(int(cell.best_step.value))
        if chosen is not None:
            known = _known(group, cell, chosen)
            yield replace(known, moment=("best", _CHOSEN), where="the best validation step")
