"""By how much: a printed amount against the differences that the evidence has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._known import Known, is_ratio, mean_of, shown
from reportgen.checks._ladder import compare
from reportgen.checks._margins import Reading
from reportgen.checks._pairs import Comparison, Pair
from reportgen.records.claim import Printed

_RANKS = {"disagrees": 0, "borderline": 1, "agrees within rounding": 2, "agrees": 3}
_MOST_SHOWN = 6


def as_amounts(printed: Printed, metric: str) -> tuple[Printed, ...]:
    """Return what an amount may be in points, without its sign.

    Of a ratio, a small number without a unit may be points or a fraction.

    Example:
        >>> number = Printed(text="-0.07", value=Decimal("-0.07"), decimals=2)
        >>> [str(amount.value) for amount in as_amounts(number, "accuracy")]
        ['0.07', '7']
    """
    value = abs(printed.value)
    bare = replace(printed, value=value)
    if is_ratio(metric) and not printed.unit and value < 1:
        return bare, replace(bare, value=value.scaleb(2), decimals=printed.decimals - 2)
    return (bare,)


def amounts(
    comparison: Comparison, printed: Printed, *, higher: bool, of: str
) -> Iterator[Reading]:
    """Yield what an amount may mean: points, and relative percent of either side.

    Args:
        comparison: Pairs of values.
        printed: The amount, one of those that `as_amounts` returns.
        higher: Whether the first side is said to be the higher one.
        of: `"every"` pair that it is said of, the `"mean"` of all, or `"some"` pair or that mean.
    """
    sign = 1 if higher else -1
    points = [(sign * (a.value - b.value), a.slack + b.slack) for a, b in comparison.pairs]
    percent = printed.unit != "points" and (
        printed.unit == "percent" or not is_ratio(_metric(comparison))
    )
    if printed.unit != "percent" or is_ratio(_metric(comparison)):
        for amount in (printed, *_hundredths(comparison, printed)):
            yield _reading(comparison, amount, points, of=of, what="points")
    if percent and printed.unit == "percent":
        for index, base in ((1, "the second"), (0, "the first")):
            shares = list(_relative(comparison.pairs, sign, index))
            if len(shares) == len(comparison.pairs):
                what = f"percent of {base}"
                yield _reading(comparison, printed, shares, of=of, what=what)


def ends(
    comparison: Comparison, first: Printed, last: Printed, *, higher: bool
) -> Iterator[Reading]:
    """Yield whether differences go from one amount to another: `by 0.9 to 3.1 points`.

    Args:
        comparison: Pairs of values.
        first: The smallest amount.
        last: The largest.
        higher: Whether the first side is said to be the higher one.
    """
    if len(comparison.pairs) < 2:
        return
    sign = 1 if higher else -1
    gaps = sorted((sign * (a.value - b.value), a.slack + b.slack) for a, b in comparison.pairs)
    metric = _metric(comparison)
    for low, high in zip(as_amounts(first, metric), as_amounts(last, metric), strict=False):
        found = [
            _reading(comparison, end, [gap], of="every", what="points")
            for end, gap in ((low, gaps[0]), (high, gaps[-1]))
        ]
        told = f"{shown(gaps[0][0])} to {shown(gaps[-1][0])} points ({comparison.name})"
        yield replace(min(found, key=lambda reading: reading.margin), witness=told)


def _hundredths(comparison: Comparison, printed: Printed) -> Iterator[Printed]:
    """Yield an amount in hundredths, which points of a metric between 0 and 1 are.

    Of such values no two differ by more than 1.
    """
    values = [known.value for pair in comparison.pairs for known in pair]
    told = printed.unit == "points" or (not printed.unit and printed.value > 1)
    if told and not is_ratio(_metric(comparison)) and all(0 <= value <= 1 for value in values):
        yield replace(printed, value=printed.value.scaleb(-2), decimals=printed.decimals + 2)


def _metric(comparison: Comparison) -> str:
    return comparison.pairs[0][0].metric


def _relative(pairs: Sequence[Pair], sign: int, index: int) -> Iterator[tuple[Decimal, Decimal]]:
    for pair in pairs:
        base = abs(pair[index].value)
        if base:
            gap, slack = sign * (pair[0].value - pair[1].value), pair[0].slack + pair[1].slack
            yield 100 * gap / base, 200 * slack / base


def _reading(
    comparison: Comparison,
    printed: Printed,
    values: Sequence[tuple[Decimal, Decimal]],
    *,
    of: str,
    what: str,
) -> Reading:
    """Return a reading that holds (by one) where the amount agrees, and else fails by the rest."""
    margins = [_margin(printed, value, slack) for value, slack in values]
    mean = mean_of(value for value, _ in values)
    of_mean = _margin(printed, mean, max(slack for _, slack in values))
    margin = {"every": min(margins), "some": max(*margins, of_mean), "mean": of_mean}[of]
    one_of_many = of == "some" and len(values) > 1 and of_mean <= 0
    listed = ", ".join(shown(value) for value, _ in values[:_MOST_SHOWN])
    more = ", …" if len(values) > _MOST_SHOWN else ""
    return Reading(
        name=f"{comparison.name}, in {what}",
        margin=margin,
        witness=f"{listed}{more} {what} ({comparison.name})",
        evidence=tuple(e for pair in comparison.pairs for known in pair for e in known.evidence),
        rank=_rank(comparison, loose=one_of_many),
    )


def _rank(comparison: Comparison, *, loose: bool) -> str:
    if comparison.level == "mean" and comparison.scope != "each":
        return "headline" if comparison.scope == "best" else "mean"
    return "loose" if loose else ""


def without_luck(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return readings of which none agrees only because there are so many pairs.

    Among all runs, or all epochs, almost any amount is the difference of some two. What holds for
    one run or epoch alone is borderline, and the headline is told instead.

    Args:
        readings: Of one sentence, the likeliest first.
    """
    # Where a moment is named, the means at the best validation step are no reading.
    ranked = [r for rank in ("headline", "mean") for r in readings if r.rank == rank]
    headline = next(iter(ranked), None)
    lucky = [r for r in readings if r.rank == "loose" and r.charity > 0]
    if headline is None or not lucky:
        return tuple(readings)
    told = replace(
        headline,
        margin=Decimal(0),
        slack=Decimal(0),
        witness=f"{headline.witness}; only some run or epoch gives what is said",
    )
    return (told, *(r for r in readings if r not in lucky))


def _margin(printed: Printed, value: Decimal, slack: Decimal) -> Decimal:
    nearest = min(max(printed.value, value - slack), value + slack)
    verdict = compare(printed, nearest)
    if verdict == "disagrees":
        return -abs(printed.value - nearest)
    return Decimal(_RANKS[verdict] - 1)


def changes(printed: Printed, first: Known, last: Known) -> Decimal:
    """Return the margin by which a number agrees with the change from one value to another.

    In percent it may be one of points, or a share of either value.
    """
    gap, slack = abs(last.value - first.value), first.slack + last.slack
    bases = {abs(known.value) for known in (first, last) if known.value}
    shares = [(100 * gap / base, 100 * slack / base) for base in bases]
    percent = shares if printed.unit == "percent" else []
    margins = [
        _margin(amount, value, room)
        for amount in as_amounts(printed, first.metric)
        for value, room in ((gap, slack), *percent)
    ]
    return max(margins)


def fits(printed: Printed, known: Known) -> Decimal:
    """Return the margin by which a number agrees with one value, under either denominator.

    A standard deviation is printed with n or n - 1 below it; both are legal.
    """
    readings = [known.value]
    if known.aggregate == "std" and known.n > 1:
        readings.append(known.value * (Decimal(known.n - 1) / known.n).sqrt())
    return max(
        _margin(amount, abs(value), known.slack)
        for amount in as_amounts(printed, known.metric)
        for value in readings
    )
