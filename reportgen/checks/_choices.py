"""Which logged points a claim may mean: a stated step, an epoch, the best one, the last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from reportgen.checks._logged import Curve, Logbook, Point
from reportgen.records.claim import Meaning
from reportgen.records.run import Run

TRAINERS_MEAN = "train/train_loss"
AT_THE_END = "at the last step"
MOST_TIES = 8
"""Steps with the same best value that are looked at one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A logged point with the rule by which a claim may mean it.

    Attributes:
        point: The point.
        rule: The same words for all runs of a group (`at the best validation step`).
        how: What to say of this run, behind the point's place; may be empty.
    """

    point: Point
    rule: str
    how: str = ""


def choices(
    book: Logbook, run: Run, metric: str, split: str, meaning: Meaning, *, zero: bool = False
) -> tuple[Choice, ...]:
    """Return the points of a run that a claim may mean, the likeliest first.

    Args:
        book: The logs.
        run: The run.
        metric: As logged.
        split: Where its value is read.
        meaning: Step, epoch and selection, as far as the report says them.
        zero: Whether the report numbers its epochs from 0.
    """
    curve = book.curve(run, metric, split)
    if curve is None:
        return ()
    found: list[Choice] = []
    if meaning.step is not None:
        found += at_step(curve, meaning.step)
    if meaning.epoch is not None:
        found += at_epoch(curve, meaning.epoch, zero=zero)
    said = meaning.step is not None or meaning.epoch is not None
    if meaning.selection == "best" or not (said or meaning.selection):
        found += at_best(book, run, metric, curve, chosen_by=meaning.chosen_by)
    if meaning.selection == "last" or not (said or meaning.selection):
        found.append(Choice(point=curve.last, rule=AT_THE_END, how="the last step"))
    if meaning.selection == "first":
        found.append(Choice(point=curve.first, rule="at the first step", how="the first step"))
    if meaning.selection == "oracle" or not (said or meaning.selection):
        found += at_oracle(book, run, metric, split)
    if not (said or meaning.selection == "best") and (metric, split) == ("loss", "train"):
        found += of_whole_training(run)
    first: dict[tuple[int, str], Choice] = {}
    for choice in found:
        first.setdefault((choice.point.step, choice.rule), choice)
    return tuple(first.values())


def of_whole_training(run: Run) -> Iterator[Choice]:
    """Yield the mean loss of a whole training, which the Trainer prints at its end."""
    series = run.scalars.get(TRAINERS_MEAN)
    if series is None:
        return
    for step, value in list(series.points())[-1:]:
        point = Point(value=Decimal(repr(value)), step=step, series=series, run=run)
        rule = "as the mean over the whole training"
        yield Choice(point=point, rule=rule, how="the mean over the whole training")


def at_step(curve: Curve, step: int) -> Iterator[Choice]:
    """Yield the point at a stated step, or where another program would number it.

    Programs disagree by one on what an update's number is: Lightning logs the end of 50
    updates at step 49.
    """
    point = curve.at(step)
    if point is not None:
        yield Choice(point=point, rule=f"at step {step}")
    # Of a value that is NaN the next one is no other spelling.
    if point is not None or step in curve.series.steps:
        return
    for other in (step - 1, step + 1):
        point = curve.at(other)
        if point is not None:
            yield Choice(point=point, rule=f"at step {step}", how=f"logged as step {other}")


def at_epoch(curve: Curve, epoch: float, *, zero: bool) -> Iterator[Choice]:
    """Yield the points that a stated epoch may mean, from 1 and, where that is usual, from 0."""
    rule = f"at epoch {epoch:g}"
    numbers = (epoch + 1, epoch) if zero else (epoch,)
    for number in numbers:
        for point in curve.at_epoch(number):
            yield Choice(point=point, rule=rule, how=f"epoch {number:g}")
    if not curve.counts_from_zero or epoch != int(epoch):
        return
    # A program that counts from 0 is quoted in its own numbers.
    how = f"epoch {epoch:g}, counted from 0"
    own = curve.at(int(epoch)) if [p.step for p in curve.points[:2]] == [0, 1] else None
    for point in (own,) if own is not None else curve.at_epoch(epoch + 1):
        yield Choice(point=point, rule=rule, how=how)


def at_best(
    book: Logbook, run: Run, metric: str, curve: Curve, *, chosen_by: str = ""
) -> Iterator[Choice]:
    """Yield the points at the best steps, under every rule for the best one.

    Args:
        book: The logs.
        run: The run.
        metric: As logged.
        curve: Of the metric on the split that is read.
        chosen_by: The metric that the report names as the one that chose; then no other did.
    """
    by_it = tuple(book.extremes(run, chosen_by, book.study.metric.select_on)) if chosen_by else ()
    for best in by_it or book.bests(run, metric):
        if len(best.ties) > MOST_TIES and best.point.step not in {best.ties[0], best.ties[-1]}:
            continue
        if best.point.series is curve.series:
            yield Choice(point=best.point, rule="at its best", how=best.words)
            continue
        point = curve.near(best.point.step, book.epoch_of(best.point))
        if point is not None:
            yield Choice(point=point, rule=f"at the {best.rule}", how=best.words)


def at_oracle(book: Logbook, run: Run, metric: str, split: str) -> Iterator[Choice]:
    """Yield the best point of the split itself."""
    for best in book.extremes(run, metric, split):
        yield Choice(point=best.point, rule=f"at the {best.rule} itself", how=best.rule)
        return
