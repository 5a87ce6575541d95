"""Simple changes that turn one logged value into another: a copied column, a last epoch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice

from reportgen.checks._choices import Choice, choices
from reportgen.checks._logged import Curve, Logbook, Point
from reportgen.checks._weigh import Change, transposed
from reportgen.records.claim import Claim, Meaning
from reportgen.records.run import Run
from reportgen.stats import smooth_values

WEIGHTS = (0.6, 0.8, 0.9, 0.99)
"""TensorBoard's own weight of smoothing first, then those that people choose."""
MOST_STEPS = 50
"""Of a longer curve almost any number is the value at some step."""
MOST_RUNS = 40
"""Other runs that are looked at for a value that was taken from the wrong row."""
MEMORY = 3000
"""Points that a smoothed curve remembers: 0.99 ** 3000 is nothing."""
_BITS = Decimal(repr(math.log(2)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A value that a claim should have, and what it was looked up with.

    Attributes:
        claim: The claim.
        choice: The likeliest reading of it.
        metric: As logged.
        split: Split of the reading.
        unit: Unit of print.
    """

    claim: Claim
    choice: Choice
    metric: str
    split: str
    unit: str

    @property
    def meaning(self) -> Meaning:
        """What the claim says."""
        content = self.claim.content
        return content if isinstance(content, Meaning) else Meaning()

    def of(self, point: Point) -> Decimal:
        """Return a point in the unit of print."""
        return point.in_unit(self.unit)


def changes_of(book: Logbook, logged: Logged) -> Iterator[Change]:
    """Yield what may explain that a value is not the one that was logged, the likeliest first."""
    point = logged.choice.point
    curve = book.curve(point.run, logged.metric, logged.split)
    if curve is None:
        return
    yield from _other_splits(book, logged)
    yield from _other_rules(curve, book, logged)
    yield from _other_runs(book, logged)
    yield from _other_steps(curve, logged)
    yield from smoothed(curve, point, logged.unit)
    yield from _mean_of_group(book, logged)
    yield from _other_units(logged)


def _other_splits(book: Logbook, logged: Logged) -> Iterator[Change]:
    """The column beside it: another split at the same step, or at its own best one."""
    point = logged.choice.point
    others = [s for s in ("validation", "test", "train") if s != logged.split]
    for split in others:
        curve = book.curve(point.run, logged.metric, split)
        same = curve.at(point.step) if curve is not None else None
        if same is not None:
            yield Change(
                value=logged.of(same), text=f"it is the {split} {logged.metric} at that step"
            )
    for split in others:
        for best in book.extremes(point.run, logged.metric, split):
            text = f"it is the {best.rule}, at step {best.point.step}"
            yield Change(value=logged.of(best.point), text=text)
            break


def _other_rules(curve: Curve, book: Logbook, logged: Logged) -> Iterator[Change]:
    """Last instead of best, or the best of the split that is only reported."""
    last = curve.last
    yield Change(value=logged.of(last), text=f"it is the value of the last step, {last.step}")
    for best in book.extremes(curve.run, logged.metric, logged.split):
        text = f"it is the {best.rule} itself, at step {best.point.step}"
        yield Change(value=logged.of(best.point), text=text)
        break


def _other_runs(book: Logbook, logged: Logged) -> Iterator[Change]:
    """The row beside it: the same reading of another seed, or of another group."""
    own = logged.choice.point.run
    group = book.group_of(own)
    rows = (
        (name, run)
        for name in (group, *(g for g in book.groups() if g != group))
        for run in book.runs(name)
        if run is not own and (name == group or own.seed is None or run.seed == own.seed)
    )
    for name, run in islice(rows, MOST_RUNS):
        found = _same_rule(book, logged, run)
        if found is not None:
            seed = f"/seed {run.seed}" if run.seed is not None else ""
            text = f"it is the value of {book.study.label(name)}{seed}"
            yield Change(value=logged.of(found), text=text)


def _same_rule(book: Logbook, logged: Logged, run: Run) -> Point | None:
    found = choices(book, run, logged.metric, logged.split, logged.meaning)
    return next((c.point for c in found if c.rule == logged.choice.rule), None)


def _other_steps(curve: Curve, logged: Logged) -> Iterator[Change]:
    """Another row of the log. A report that names no step may well mean it."""
    meaning = logged.meaning
    open_ended = meaning.step is None and meaning.epoch is None and not meaning.selection
    if len(curve) > MOST_STEPS:
        return
    for point in curve.points:
        if point is not logged.choice.point:
            text = f"it is the value at step {point.step}"
            yield Change(value=logged.of(point), text=text, soft=open_ended)


def smoothed(curve: Curve, point: Point, unit: str) -> Iterator[Change]:
    """Yield what a smoothed curve shows at a point, by TensorBoard's rule."""
    index = next((i for i, p in enumerate(curve.points) if p.step == point.step), 0)
    start = max(0, index + 1 - MEMORY)
    values = [float(p.in_unit(unit)) for p in curve.points[start : index + 1]]
    for weight in WEIGHTS:
        value = smooth_values(values, weight)[-1]
        text = f"it is the curve there smoothed with weight {weight:g}"
        yield Change(value=Decimal(repr(value)), text=text)
    if min(values, default=0) > 0:
        # On a logarithmic axis it is the logarithm that is smoothed.
        logarithms = [math.log(value) for value in values]
        for weight in WEIGHTS:
            value = math.exp(smooth_values(logarithms, weight)[-1])
            text = f"it is the curve there, its logarithm smoothed with weight {weight:g}"
            yield Change(value=Decimal(repr(value)), text=text)


def _mean_of_group(book: Logbook, logged: Logged) -> Iterator[Change]:
    run = logged.choice.point.run
    found = [_same_rule(book, logged, other) for other in book.runs(book.group_of(run))]
    values = [logged.of(point) for point in found if point is not None]
    if len(values) > 1:
        text = f"it is the mean of {len(values)} runs"
        yield Change(value=sum(values, Decimal()) / len(values), text=text)


def _other_units(logged: Logged) -> Iterator[Change]:
    """A fraction for a percentage, bits for nats, two digits exchanged."""
    value, printed = logged.of(logged.choice.point), logged.claim.printed
    if logged.unit == "percent":
        yield Change(value=value.scaleb(-2), text="it is the fraction, not the percentage")
    elif logged.unit == "fraction":
        yield Change(value=value.scaleb(2), text="it is the percentage, not the fraction")
    elif "loss" in logged.metric:
        yield Change(value=value * _BITS, text="it is the logged value taken from bits to nats")
        yield Change(value=value / _BITS, text="it is the logged value taken from nats to bits")
    if printed is not None and transposed(printed, value):
        yield Change(value=printed.value, text="two of its digits are exchanged")
