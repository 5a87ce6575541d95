"""Points of series: what two have in common; and the clock of a run: steps beside epochs."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from reportgen.records.record import record, replace
from reportgen.records.run import Clock, Result, Series, decimal_float
from reportgen.runs._words import told

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Points of series: those that two have in common, how far they agree, and both joined.

BOOKKEEPING = frozenset({"", "epoch", "learning_rate"})
"""Metrics that are rounded at will, and prove nothing."""

CLOSE = 1e-6
"""Relative tolerance of single precision."""

_PRINTED = 200
"""Numbers by which is told how many digits a text prints."""

_FEW = 8
"""Numbers that are looked at before all of them are."""

_FEWEST_DIGITS = 4
"""Digits that a column must have, for numbers of fewer agree by chance."""

_HALF = 0.51
"""Half a unit of the last digit, and a little for the rounding of binary fractions."""

Scalars = Mapping[str, Series]
_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)


def group_by(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """Group items by a key, in order of first appearance."""
    found: dict[_Key, list[_Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def first_fit(
    items: Iterable[_Item], fits: Callable[[_Item, list[_Item]], bool]
) -> list[list[_Item]]:
    """Deal items out, each to the first group that it fits, else to one of its own."""
    found: list[list[_Item]] = []
    for item in items:
        host = next((one for one in found if fits(item, one)), None)
        if host is None:
            found.append([item])
        else:
            host.append(item)
    return found


def telling(scalars: Scalars) -> dict[str, Series]:
    """Return the series that measure something: those with points, without bookkeeping."""
    return {key: one for key, one in scalars.items() if len(one) and one.metric not in BOOKKEEPING}


def last_step(scalars: Scalars) -> int:
    """Return the last step of some series, 0 where they have none."""
    return max((int(one.steps[-1]) for one in scalars.values() if len(one)), default=0)


def span_of(series: Iterable[Series]) -> tuple[float, float]:
    """Return the first and the last wall time of some series, NaN where they have none."""
    times = np.concatenate([one.wall_times for one in series] or [np.zeros(0)])
    times = times[np.isfinite(times)]
    return (float(times.min()), float(times.max())) if len(times) else (math.nan, math.nan)


def point_of(tag: str, value: float, metric: str, split: str, path: str) -> Series:
    """Return a number without a step as a series of one point, at step 0."""
    return Series(
        tag=tag,
        steps=np.zeros(1, dtype=np.int64),
        values=np.array([value]),
        wall_times=np.full(1, np.nan),
        metric=metric,
        split=split,
        path=path,
    )


def result_of(series: Series, tag: str, index: int = -1) -> Result:
    """Return one point of a series as a number without a step."""
    return Result(
        tag=tag,
        value=decimal_float(series.values[index]),
        metric=series.metric,
        split=series.split,
        path=series.path,
    )


def shared_values(one: Series, other: Series) -> tuple[Any, Any, Any]:
    """Return the steps that two series share, and the values of each there."""
    if np.array_equal(one.steps, other.steps):
        return one.steps, one.values, other.values
    both, at_one, at_other = np.intersect1d(one.steps, other.steps, return_indices=True)
    return both, one.values[at_one], other.values[at_other]


def are_close(mine: Any, theirs: Any) -> Any:
    """Return which values are the same in single precision."""
    return np.isclose(mine.astype(float), theirs.astype(float), rtol=CLOSE, atol=0, equal_nan=True)


def agreeing_points(one: Scalars, other: Scalars, lost: float = 0.0) -> int | None:
    """Return how many points two sets of series have in common, None where one differs.

    Clock readings and epoch counters do not count: they are rounded at will. A text that rounds
    its numbers agrees as far as it prints them. `lost` is the share of the points of a series that
    may differ, as where two values of one step were logged.
    """
    total = 0
    for key in one.keys() & other.keys():
        if one[key].metric not in BOOKKEEPING:
            both, mine, theirs = shared_values(one[key], other[key])
            apart = len(both) - int(are_close(mine, theirs).sum())
            if apart > lost * len(both) and not agree_as_printed(mine, theirs):
                return None
            total += len(both)
    return total


def agree_as_printed(mine: Any, theirs: Any) -> bool:
    """Tell whether values are the same as far as the second ones are printed."""
    finite = np.isfinite(theirs)
    if theirs.dtype != np.float64 or not np.array_equal(finite, np.isfinite(mine)):
        return False
    shown, apart = theirs[finite], np.abs(mine.astype(float) - theirs)[finite]
    # Of a few the room is as wide or wider: those that are widest apart tell most columns apart.
    for some in (np.argsort(apart)[-_FEW:], slice(None)):
        rooms, digits = printed_rooms(shown[some])
        if not any(bool((apart[some] <= room).all()) for room in rooms):
            return False
    return digits >= _FEWEST_DIGITS


def printed_rooms(values: Any) -> tuple[tuple[Any, Any], int]:
    """Return half a unit of the last place that a column of numbers shows, and its most digits.

    First as if all numbers had as many decimals (`%.3f`), then as if all had as many digits
    (`%.3g`): which of the two a program printed, the numbers alone do not say.

    Example:
        >>> (by_decimals, by_digits), digits = printed_rooms(np.array([0.361, 0.00019]))
        >>> digits, [round(float(room), 8) for room in (by_decimals[0], by_digits[0])]
        (3, [5.1e-06, 0.00051])
    """
    from decimal import Decimal

    shown = [Decimal(f"{one:.7g}").normalize().as_tuple() for one in values[:_PRINTED].tolist()]
    last = min((one.exponent for one in shown if isinstance(one.exponent, int)), default=0)
    digits = max((len(one.digits) for one in shown), default=1)
    by_decimals = np.full(len(values), _HALF * 10.0 ** min(last, 0))
    first = np.floor(np.log10(np.where(values == 0, 1.0, np.abs(values))))
    return (by_decimals, _HALF * np.where(values == 0, 0.0, 10.0 ** (first + 1 - digits))), digits


def join(old: Series | None, new: Series) -> Series:
    """Return the points of both; where both have a step, the new one's."""
    if old is None:
        return new
    values = [old.values, new.values]
    if old.values.dtype != new.values.dtype:
        values = [decimals(one) for one in values]
    steps = np.concatenate([old.steps, new.steps])
    order = np.argsort(steps, kind="stable")
    order = order[np.append(steps[order][1:] != steps[order][:-1], True)]
    return replace(
        new,
        steps=steps[order],
        values=np.concatenate(values)[order],
        wall_times=np.concatenate([old.wall_times, new.wall_times])[order],
    )


def join_all(old: Scalars, new: Scalars) -> dict[str, Series]:
    """Return all series of both, joined where both have one."""
    return {**old, **{key: join(old.get(key), series) for key, series in new.items()}}


def overlay(clocked: Series | None, exact: Series) -> Series:
    """Return the points of both: values of the exact one, wall times of the clocked one."""
    if clocked is None:
        return exact
    joined = join(clocked, exact)
    _, at_joined, at_clocked = np.intersect1d(joined.steps, clocked.steps, return_indices=True)
    wall_times = joined.wall_times.copy()
    wall_times[at_joined] = clocked.wall_times[at_clocked]
    return replace(joined, wall_times=wall_times)


def supersede(
    old: Scalars, new: Scalars, first: int, start: float, *, files: Collection[str] = ()
) -> tuple[dict[str, Series], int]:
    """Put a later session in the place of what was logged at its first step or after it.

    Args:
        old: What was logged before.
        new: What the session logged.
        first: Step from which on it counts.
        start: Wall time of its start: what was written after it stays; NaN where there is none.
        files: Files that show no second start; what the session has not passed there stays.

    Returns:
        The series of both, and how many points are superseded.
    """
    last = max(int(s.steps[-1]) for s in new.values())
    lost, found = 0, dict(old)
    for key, series in old.items():
        void = np.greater_equal(series.steps, first)
        if not math.isnan(start):
            void &= ~np.greater_equal(series.wall_times, start)
        elif files and key not in new and series.path not in files:
            void &= np.greater(series.steps, last)
        lost += int(void.sum())
        if void.all():
            del found[key]
        elif void.any():
            found[key] = select_points(series, ~void)
    return join_all(found, new), lost


def select_points(series: Series, keep: Any) -> Series:
    """Return a series with some of its points."""
    steps, values, times = series.steps[keep], series.values[keep], series.wall_times[keep]
    return replace(series, steps=steps, values=values, wall_times=times)


def decimals(values: np.ndarray) -> np.ndarray:
    """Return a column in double width; a float32 is the shortest decimal it stands for."""
    widened = values.astype(np.float64)
    if values.dtype == np.float64:
        return widened
    # Whole numbers are known to their last digit, which the shortest decimal may lack.
    return np.where(widened == np.round(widened), widened, values.astype(str).astype(np.float64))


# The clock of a run: its own steps beside its own epochs, and nobody else's.
#
# What a run says of its epochs comes in three forms: finished epochs (`1.0 at step 225`), the
# number of the epoch that goes on, from 0 or from 1, and steps that count epochs themselves. All
# become epochs finished at steps. A number that goes on is finished where the next one begins, or
# where the run was evaluated at its last step. What a run that stopped early does not show of this,
# the other runs of its program do.

KERAS_EPOCHS = "epoch_"
"""How Keras' callback begins its tags, whose steps are epochs from 0."""

_EVALUATED = frozenset({"validation", "test"})
_ROUNDED = 0.006
_ROUNDED_SHARE = 0.002
"""How far a logged epoch may lie from its step's share: two digits, and an odd last batch."""

Steps: TypeAlias = "NDArray[np.int64]"
Epochs: TypeAlias = "NDArray[np.float64]"


class _Counter(NamedTuple):
    """The steps beside which epochs were logged, these, and the tag; sorted by step."""

    steps: Steps
    numbers: Epochs
    tag: str

    @property
    def in_epochs(self) -> bool:
        """Whether its steps are the epochs."""
        return np.array_equal(self.steps, self.numbers)

    @property
    def shows_more(self) -> bool:
        """Whether it counted beyond its first epoch, which alone tells little."""
        begun = self.numbers[self.numbers > 0]
        return bool(len(begun) and begun.min() < begun.max())

    @property
    def is_whole(self) -> bool:
        """Whether it counts without fractions."""
        return bool((self.numbers == np.round(self.numbers)).all())


@record
class Counting:
    """How a program numbers its epochs, as its runs show together.

    Attributes:
        zero: How far those of its runs counted that begin with epoch 0; None where none does.
        is_current: Whether a number is of the epoch that goes on.
    """

    zero: float | None = None
    is_current: bool = False


ALONE = Counting()
"""What is known of a program of which there is no other run."""


def shared_countings(runs: Sequence[tuple[str, str, Mapping[str, Series]]]) -> list[Counting]:
    """Return how each run numbers its epochs, decided once for all runs of one program.

    Runs are of one program if they have one layout and one counter, and one logs all tags that
    the other does. Where steps are epochs they are of one group, too: nothing else would tell.
    Of each run layout, group and labelled series are given.
    """
    counters = [_counted(scalars) for _, _, scalars in runs]

    def program(at: int) -> tuple[str, str, str]:
        layout, group, _ = runs[at]
        return layout, counters[at].tag, group if counters[at].in_epochs else ""

    longest = sorted(range(len(runs)), key=lambda at: -len(counters[at].steps))
    found: dict[int, Counting] = {}
    for several in group_by(longest, program).values():
        for own in first_fit(several, lambda at, own: runs[at][2].keys() <= runs[own[0]][2].keys()):
            found.update(dict.fromkeys(own, _counting([counters[at] for at in own])))
    return [found[at] for at in range(len(runs))]


def _counting(counters: Sequence[_Counter]) -> Counting:
    """Return how the runs of one program number epochs; the longest of them comes first."""
    zeros = [float(c.numbers.max()) for c in counters if len(c.numbers) and c.numbers.min() == 0]
    longest = next((one for one in counters if one.shows_more), None)
    is_current = longest is not None and longest.is_whole and _of_finished(longest) is None
    return Counting(zero=max(zeros, default=None), is_current=is_current)


def _first(numbers: Epochs, counting: Counting) -> int:
    """Return the number of the first epoch, 0 or 1."""
    if numbers[0] == 0 or counting.zero is None:
        return 0 if numbers[0] == 0 else 1
    return 1 if numbers[0] == 1 and numbers[-1] > counting.zero else 0


def clock_of(
    scalars: Mapping[str, Series],
    config: Mapping[str, object],
    *,
    in_epochs: bool = False,
    counting: Counting = ALONE,
) -> Clock | None:
    """Return how a run counts, None where it shows no epochs.

    Args:
        scalars: Key to labelled series; the metric `epoch` is its counter.
        config: Its settings; `max_epoch` says how many epochs were asked for.
        in_epochs: Its program counts steps in epochs, from 0.
        counting: How its program numbers epochs.
    """
    if in_epochs:
        steps = np.unique(np.concatenate([series.steps for series in scalars.values()]))
        return _in_epochs(steps, steps + 1.0, told("keras_counts"))
    counter = _counted(scalars)
    if not len(counter.steps):
        return _from_command(scalars, config)
    if counter.in_epochs:
        epochs = counter.steps + 1.0 - _first(counter.numbers, counting)
        return _in_epochs(counter.steps, epochs, told("is_the_step", tag=counter.tag))
    is_current = counting.is_current and counter.is_whole and not counter.shows_more
    finished = None if is_current else _of_finished(counter)
    return finished or _of_current(scalars, counter, counting)


def _in_epochs(steps: Steps, epochs: NDArray[Any], source: str) -> Clock:
    return Clock(unit="epoch", steps=steps, epochs=epochs, steps_per_epoch=1, source=source)


def on_steps(scalars: Mapping[str, Series]) -> dict[str, Series]:
    """Move series that count epochs to the steps of the run, through rows that hold both.

    An epoch ends at the last step that bears its number. Where no row holds both, they stay.
    """
    if not any(series.clock for series in scalars.values()):
        return dict(scalars)
    steps, numbers, _ = _counted({key: s for key, s in scalars.items() if not s.clock})
    ends = {float(number): int(step) for step, number in zip(steps, numbers, strict=True)}
    found = {}
    for key, series in scalars.items():
        if series.clock and ends:
            known = np.array([float(step) in ends for step in series.steps], dtype=bool)
            series = select_points(series, known)  # noqa: PLW2901
            moved = np.array([ends[float(step)] for step in series.steps], dtype=np.int64)
            series = replace(series, steps=moved, clock="")  # noqa: PLW2901
        if len(series):
            found[key] = series
    return found


def _counted(scalars: Mapping[str, Series]) -> _Counter:
    """Return the counter of epochs, empty where there is none."""
    counters = sorted(
        (s for s in scalars.values() if s.metric == "epoch" and len(s)), key=len, reverse=True
    )
    if not counters:
        return _Counter(np.zeros(0, np.int64), np.zeros(0), "")
    # The longest counter has the last word where two differ at a step.
    steps = np.concatenate([s.steps for s in counters])
    numbers = np.concatenate([decimals(s.values) for s in counters])
    sound = np.isfinite(numbers)
    steps, numbers = steps[sound], numbers[sound]
    found, first = np.unique(steps, return_index=True)
    return _Counter(found, numbers[first], counters[0].tag)


def _of_finished(counter: _Counter) -> Clock | None:
    """Read finished epochs, which grow with the steps; None where these do not."""
    steps, numbers, tag = counter
    sound = (numbers >= 0) & (steps > 0)
    at, epochs = steps[sound].astype(float), numbers[sound]
    begun = np.flatnonzero(epochs > 0)
    whole = begun[epochs[begun] == np.round(epochs[begun])]
    # A whole epoch is not rounded; else the longest stretch is the least rounded one.
    for index in (*whole[-1:], *begun[-1:]):
        count = round(at[index] / epochs[index])
        apart = np.abs(epochs - at / max(count, 1))
        if count >= 1 and (apart <= _ROUNDED + _ROUNDED_SHARE * epochs).all():
            places = {"tag": tag, "value": f"{epochs[index]:g}", "step": int(at[index])}
            source = told("epoch_at_step", **places)
            return Clock(steps=steps, epochs=numbers, steps_per_epoch=count, source=source)
    if len(numbers) and (numbers != np.round(numbers)).any():
        # A streamed set has no epochs: its counter does not grow with the steps.
        return Clock(steps=steps, epochs=numbers)
    return None


def _of_current(
    scalars: Mapping[str, Series], counter: _Counter, counting: Counting
) -> Clock | None:
    """Read the number of the epoch that goes on: it is finished at the last step it bears."""
    steps, numbers, tag = counter
    if (np.diff(numbers) < 0).any():
        return None
    last = np.append(np.diff(numbers) > 0, True)
    ends, given = steps[last], numbers[last]
    evaluated = {
        int(step)
        for series in scalars.values()
        if series.split in _EVALUATED and series.metric not in {"", "epoch"}
        for step in series.steps
    }
    if evaluated and int(ends[-1]) not in evaluated:
        ends, given = ends[:-1], given[:-1]
    # Where all epochs are as long as one another by a run's own first number, that is it.
    ways = _first(numbers, counting), 0 if numbers[0] == 0 else 1
    counts = [_even(ends, given + 1.0 - first) for first in ways]
    chosen = 0 if counts[0] else counts.index(max(counts))
    finished, count = given + 1.0 - ways[chosen], counts[chosen]
    source = told("one_every", tag=tag, n=count) if count else ""
    if count:
        # What is logged once training has ended bears the number of the next epoch.
        finished = np.where(ends == count * (finished - 1), finished - 1, finished)
    return Clock(steps=ends, epochs=finished, steps_per_epoch=count, source=source)


def _even(ends: Steps, finished: Epochs) -> int:
    """Return the steps that make each epoch, 0 where it is not one number."""
    if len(ends) < 2:
        return 0
    for first in (int(ends[0]) + 1, int(ends[0])):
        count, rest = divmod(first, int(finished[0]))
        shift = first - int(ends[0])
        even = ends + shift == count * finished
        if not rest and count > 1 and (even | (ends == count * (finished - 1))).all():
            return count
    return 0


def _from_command(scalars: Mapping[str, Series], config: Mapping[str, object]) -> Clock | None:
    """Compare the epochs asked for with what was logged once an epoch."""
    asked = config.get("max_epoch")
    if not isinstance(asked, int) or isinstance(asked, bool) or asked < 1:
        return None
    count, source = _of_training(scalars, asked) or _of_validation(scalars, asked) or (0, "")
    if count < 1:
        return None
    numbers = np.arange(1, asked + 1)
    shift = 0 if any(asked * count in series.steps for series in scalars.values()) else 1
    steps, epochs = (numbers * count - shift).astype(np.int64), numbers.astype(float)
    return Clock(steps=steps, epochs=epochs, steps_per_epoch=count, source=source)


def _of_training(scalars: Mapping[str, Series], asked: int) -> tuple[int, str] | None:
    curves = [s for s in scalars.values() if (s.metric, s.split) == ("loss", "train")]
    train = max(curves, key=len, default=None)
    if train is None or len(train) != asked or int(train.steps[-1]) % asked:
        return None
    last = int(train.steps[-1])
    return last // asked, told("epochs_end", n=asked, step=last)


def _of_validation(scalars: Mapping[str, Series], asked: int) -> tuple[int, str] | None:
    """Return the even distance of as many validations as epochs were asked for."""
    validated = [s for s in scalars.values() if s.split == "validation" and len(s) == asked]
    gaps, firsts = set(), set()
    for series in validated:
        if series.metric not in {"", "epoch"}:
            firsts.add(int(series.steps[0]))
            gaps |= set(np.diff(series.steps).tolist() or series.steps.tolist())
    gap = gaps.pop() if len(gaps) == 1 else 0
    if gap <= 1 or not firsts <= {gap, gap - 1}:
        return None
    return gap, told("validations_apart", n=asked, steps=gap)


def shared_steps_per_epoch(clocks: Sequence[Clock | None]) -> tuple[int, str]:
    """Return the steps per epoch that all runs show, and why; 0 where they do not all agree.

    It says what they have in common. Each run goes by its own clock.
    """
    known = [clock for clock in clocks if clock is not None]
    counts = {clock.steps_per_epoch for clock in known}
    if not known:
        return 0, told("no_epoch")
    if counts == {0}:
        return 0, told("no_pace")
    if len(counts) > 1:
        return 0, told("paces_differ")
    if len(known) < len(clocks):
        return 0, told("some_show_none", some=len(clocks) - len(known), total=len(clocks))
    return counts.pop(), next(clock.source for clock in known if clock.source)
