"""Every logged value of a metric on a split, run by run, with the moments that rules choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._known import Known
from reportgen.checks._logged import Curve, Logbook, Point
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Quantity

_CHOSEN = Decimal(0)


def known_of_logs(
    book: Logbook, facts: Facts, metric: str, split: str, group: str
) -> tuple[Known, ...]:
    """Return the values of every run of a group, and those at its best and its last step."""
    result = next((g for g in facts.groups if g.name == group), None)
    if result is None:
        return ()
    found: list[Known] = []
    for cell in result.cells:
        curve = book.curve(cell.run, metric, split) if cell.run is not None else None
        if curve is not None:
            found += _of_run(book, result, cell, curve)
    return tuple(found)


def _of_run(book: Logbook, group: GroupResult, cell: RunResult, curve: Curve) -> Iterator[Known]:
    points = {point.step: _known(group, cell, point) for point in curve.points}
    epochs = _epochs(group, curve)
    for step, known in points.items():
        epoch = epochs.get(step)
        if epoch is None:
            yield known
        else:
            yield replace(known, moment=("epoch", epoch), where=f"epoch {epoch.normalize():f}")
    yield from _chosen(book, cell, curve, points)


def _known(group: GroupResult, cell: RunResult, point: Point) -> Known:
    return Known(
        value=point.in_unit("percent"),
        metric=point.series.metric,
        split=point.series.split,
        group=group.name,
        moment=("step", Decimal(point.step)),
        seed=cell.seed,
        run=point.run.id,
        where=f"step {point.step}",
        evidence=(point.evidence,),
    )


def _epochs(group: GroupResult, curve: Curve) -> dict[int, Decimal]:
    """Return which steps of a curve stand for the ends of which epochs.

    A curve that is logged more often, as training losses are, gives its last value of each.
    """
    found: dict[int, Decimal] = {}
    for row in group.epochs:
        if row.epoch > 0:
            exact = Decimal(repr(float(row.epoch)))
            found |= {point.step: exact for point in curve.at_epoch(row.epoch)[-1:]}
    return found


def _chosen(
    book: Logbook, cell: RunResult, curve: Curve, points: dict[int, Known]
) -> Iterator[Known]:
    """Yield the values at the moments that rules choose."""
    last = points[max(points)]
    yield replace(last, moment=("last", _CHOSEN), where="the last step")
    best = curve.extremes(lower=book.lower(curve.series.metric))[0]
    oracle = points[best.step]
    yield replace(oracle, moment=("oracle", _CHOSEN), where=f"its best value ({oracle.where})")
    if isinstance(cell.best_step, Quantity):
        chosen = points.get(int(cell.best_step.value))
        if chosen is not None:
            yield replace(chosen, moment=("best", _CHOSEN), where="the best validation step")
