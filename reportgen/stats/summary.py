"""Mean, deviation and t interval over the runs of a group; Wilson's interval of a test set."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, Decimal, localcontext
from functools import lru_cache, partial
from itertools import pairwise

from reportgen.languages import noun_later
from reportgen.records.errors import UsageError
from reportgen.records.facts import Summary
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.records.record import record
from reportgen.records.study import StatisticsPlan
from reportgen.stats._readings import MEAN_DIGITS, decimal_of, settle, told

# Student's t distribution, by the regularised incomplete beta function.
#
# Written out because the package needs two numbers of it and must not pull scipy into
# every build; the tests hold it against scipy.

_TINY = 1e-300
_EPSILON = 1e-16
_MOST_ITERATIONS = 100_000


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of I_x(a, b) by the modified Lentz method."""
    c = 1.0
    d = 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    total = d
    for m in range(1, _MOST_ITERATIONS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for coefficient in (even, odd):
            d = 1.0 + coefficient * d
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = 1.0 + coefficient / c
            c = c if abs(c) > _TINY else _TINY
            step = c * d
            total *= step
        if abs(step - 1.0) < _EPSILON:
            break
    return total


def _incomplete_beta(a: float, b: float, x: float, complement: float) -> float:
    """Return I_x(a, b); `complement` is 1 - x, given apart because it may be tiny.

    Source:
        NIST DLMF 8.17.22 (continued fraction) and 8.17.4 (symmetry); Press et al.,
        Numerical Recipes, 3rd edition, section 6.4.
    """
    if x <= 0.0:
        return 0.0
    if complement <= 0.0:
        return 1.0
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    front = math.exp(a * math.log(x) + b * math.log(complement) - log_beta)
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _continued_fraction(a, b, x) / a
    return 1.0 - front * _continued_fraction(b, a, complement) / b


def two_sided_p(t: float, degrees: float) -> float:
    """Return the probability that |T| is at least |t| under Student's t distribution.

    `degrees` of freedom are positive, and not necessarily whole.

    Source:
        NIST DLMF 8.17; Numerical Recipes, 3rd edition, section 6.14.3:
        p = I_{df / (df + t^2)}(df / 2, 1 / 2).

    Example:
        One degree of freedom is the Cauchy distribution: half of it lies beyond 1.

        >>> round(two_sided_p(1.0, 1), 12)
        0.5
    """
    if not degrees > 0:
        raise ValueError(f"degrees of freedom must be positive, not {degrees}")
    square = t * t
    if math.isinf(square):
        return 0.0
    whole = degrees + square
    return _incomplete_beta(degrees / 2, 0.5, degrees / whole, square / whole)


@lru_cache(maxsize=256)
def t_quantile(confidence: float, degrees: float) -> float:
    """Return the t that a share `confidence` of the distribution lies within, two-sided.

    Source:
        Bisection of `two_sided_p`, which falls monotonically in |t|.

    Example:
        >>> [round(t_quantile(0.95, df), 3) for df in (2, 3, 4)]
        [4.303, 3.182, 2.776]
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    outside = 1.0 - confidence
    low, high = 0.0, 1.0
    while two_sided_p(high, degrees) > outside:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        if two_sided_p(middle, degrees) > outside:
            low = middle
        else:
            high = middle
    return high


def normal_quantile(confidence: float) -> float:
    """Return the z that a share `confidence` of the normal distribution lies within.

    Source:
        Wichura 1988, algorithm AS 241, as in the standard library.

    Example:
        >>> round(normal_quantile(0.95), 4)
        1.96
    """
    from statistics import NormalDist

    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    return NormalDist().inv_cdf(0.5 + confidence / 2)


@lru_cache(maxsize=64)
def expected_maximum(count: int) -> float:
    """Return the expected maximum of so many standard normal values.

    Source:
        Its integral, by Simpson's rule; Harter 1961, Biometrika 48, table 1.

    Example:
        >>> [round(expected_maximum(count), 3) for count in (1, 2, 10, 100)]
        [0.0, 0.564, 1.539, 2.508]
    """
    from statistics import NormalDist

    normal, steps, reach = NormalDist(), 2000, 9.0
    width = 2 * reach / steps

    def weight(x: float) -> float:
        return x * count * normal.pdf(x) * normal.cdf(x) ** (count - 1)

    inner = math.fsum((4 if at % 2 else 2) * weight(-reach + at * width) for at in range(1, steps))
    return (weight(-reach) + inner + weight(reach)) * width / 3


CONSTANT = told("all_the_same")
_STDS = {1: "sample_std", 0: "population_std"}


def mean_of(values: Sequence[float]) -> float:
    """Return the mean of the decimals that the values stand for, at fourteen digits.

    A mean that ends in a 5 on paper does so here, whether the values are decimals or, as
    145 of 240 examples, fractions in binary; it never lies outside of the values' range.

    Example:
        >>> mean_of([0.1, 0.1, 0.1]), mean_of([0.99, 0.995]), mean_of([0.8, 0.9])
        (0.1, 0.9925, 0.85)
        >>> mean_of([145 / 240, 149 / 240, 129 / 240])
        0.5875
    """
    return float(values[0]) if len(values) == 1 else _mean_of(tuple(values))


@lru_cache(maxsize=256)  # a mean is asked for again by the deviations from it
def _mean_of(values: tuple[float, ...]) -> float:
    if not values:
        raise ValueError("the mean of no values does not exist")
    exact = sum(map(decimal_of, values), Decimal()) / len(values)
    mean = settle(exact, digits=MEAN_DIGITS)
    return min(max(mean, min(values)), max(values))


def std_of(values: Sequence[float], ddof: int) -> float:
    """Return the standard deviation: `sqrt(sum((x - mean)^2) / (n - ddof))`.

    Example:
        >>> std_of([1.0, 2.0, 3.0], 1), round(std_of([1.0, 2.0, 3.0], 0), 4)
        (1.0, 0.8165)
    """
    if len(values) <= ddof:
        raise ValueError(f"a standard deviation with ddof {ddof} needs more than {ddof} values")
    largest, squares = _distances(tuple(values))
    return settle(largest * math.sqrt(squares / (len(values) - ddof)))


@lru_cache(maxsize=256)  # asked for again by the other definition, and by the interval
def _distances(values: tuple[float, ...]) -> tuple[float, float]:
    """Return the largest distance from the mean, and the sum of squares in units of it."""
    mean = mean_of(values)
    distances = [abs(x - mean) for x in values]
    largest = max(distances)
    # In units of the largest distance no square leaves the range of a float.
    return largest, math.fsum((distance / (largest or 1.0)) ** 2 for distance in distances)


def standard_error(summary: Summary) -> float | None:
    """Return the standard error of a mean; None for fewer than three runs."""
    if summary.n < 3 or not isinstance(summary.std, Quantity):
        return None
    return summary.std.value / math.sqrt(summary.n)


def largest_setback(values: Sequence[float], sign: int = 1) -> float:
    """Return how far a curve falls back at most from one value to the next.

    Args:
        values: In order.
        sign: -1 where lower is better.

    Example:
        >>> largest_setback([50.0, 60.0, 57.0, 65.0]), largest_setback([1.0, 2.0, 3.0])
        (3.0, 0.0)
    """
    return max([0.0, *(sign * (before - after) for before, after in pairwise(values))])


def largest_distance(spread: Decimal, n: int, definition: str) -> Decimal:
    """Return how far a single value can lie from the mean of its group at most, rounded up.

    The spread of the n values is defined as `"population"` (ddof 0), `"sample"` (ddof 1), or
    `"standard error"`, the sample standard deviation over the root of n.

    Source:
        Samuelson 1968, "How Deviant Can You Be?", Journal of the American Statistical
        Association 63 (324). One value apart from n - 1 equal ones lies as far.

    Example:
        >>> mean, spread = Decimal("79.25"), Decimal("0.615")
        >>> for definition in ("population", "sample"):
        ...     print(round(mean + largest_distance(spread, 3, definition), 2))
        80.12
        79.96
    """
    squares = {"population": n, "sample": n - 1, "standard error": n * (n - 1)}[definition]
    with localcontext(prec=40, rounding=ROUND_CEILING):
        return (spread * spread * squares * (n - 1) / n).sqrt().next_plus()


def _no_values(why: Missing) -> Summary:
    return Summary(n=0, values=(), mean=why, std=why, std_other=why, interval=why)


NO_VALUES = _no_values(Missing(reason=""))
"""The summary of nothing."""


def summarise_values(
    readings: Sequence[Reading], statistics: StatisticsPlan, *, what: str = "value"
) -> Summary:
    """Summarise one value over the runs of a group; runs without the value do not count.

    Policy: one run gives its value and no spread; two runs give both values and no spread;
    three and more give mean, standard deviation and a t interval. The interval always
    rests on the sample standard deviation (ddof 1), whatever ddof is printed.

    Args:
        readings: One a run, in order of seed.
        statistics: ddof (0 or 1) and confidence level.
        what: What is averaged, in words, for `method`.

    Units:
        Those of the readings.

    Missing:
        `mean` for no value; `std`, `std_other` and `interval` for fewer than three;
        `interval` where all values are equal, for it would have no width.

    Raises:
        UsageError: ddof is neither 0 nor 1, or the confidence is not between 0 and 1.

    Source:
        Student 1908; NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.5.2
        (confidence limits for the mean).

    Example:
        >>> seeds = [Quantity(value=v, unit="fraction") for v in (0.799, 0.785, 0.801)]
        >>> s = summarise_values(seeds, StatisticsPlan())
        >>> [round(100 * q.value, 2) for q in (s.mean, s.std, s.interval)]
        [79.5, 0.87, 2.17]
    """
    _check(statistics)
    found = [r for r in readings if isinstance(r, Quantity)]
    values = tuple(q.value for q in found)
    sources = tuple(e for q in found for e in q.sources)
    n = len(values)
    if n == 0:
        return _no_values(Missing(reason=told("no_run_has", what=noun_later(what))))
    part = partial(Quantity, unit=found[0].unit, n=n, sources=sources)
    mean = _mean(values, what, part)
    if n < 3:
        why = Missing(reason=told("one_has_no_spread" if n == 1 else "two_have_no_spread"))
        return Summary(n=n, values=values, mean=mean, std=why, std_other=why, interval=why)
    squares = " + ".join(f"({v!r} - {mean.value!r})^2" for v in values)
    return Summary(
        n=n,
        values=values,
        mean=mean,
        std=_std(values, statistics.ddof, what, squares, part),
        std_other=_std(values, 1 - statistics.ddof, what, squares, part),
        interval=Missing(reason=CONSTANT)
        if len(set(values)) == 1
        else _interval(values, statistics.confidence, what, part),
    )


def _check(statistics: StatisticsPlan) -> None:
    if statistics.ddof not in _STDS:
        raise UsageError(
            f"statistics.ddof is {statistics.ddof}; it says how a standard deviation is defined",
            remedy="use 1 (sample, the default) or 0 (population)",
        )
    if not 0 < statistics.confidence < 1:
        raise UsageError(
            f"statistics.confidence is {statistics.confidence}, not between 0 and 1",
            remedy="use 0.95 for a 95 % interval",
        )


def written_sum(values: Sequence[float]) -> str:
    """Return a sum written out, negative terms in brackets."""
    return " + ".join(f"({v!r})" if v < 0 else repr(v) for v in values)


def _mean(values: tuple[float, ...], what: str, part: Callable[..., Quantity]) -> Quantity:
    n = len(values)
    method = told.counted("single_run", "mean_over", n, what=what)
    return part(value=mean_of(values), method=method, formula=f"({written_sum(values)}) / {n}")


def _std(
    values: tuple[float, ...], ddof: int, what: str, squares: str, part: Callable[..., Quantity]
) -> Quantity:
    n = len(values)
    return part(
        value=std_of(values, ddof),
        ddof=ddof,
        method=told(_STDS[ddof], what=what, n=n),
        formula=f"sqrt(({squares}) / {n - ddof})",
    )


def _interval(
    values: tuple[float, ...], confidence: float, what: str, part: Callable[..., Quantity]
) -> Quantity:
    n = len(values)
    quantile, spread = t_quantile(confidence, n - 1), std_of(values, 1)
    return part(
        value=settle(quantile * spread / math.sqrt(n)),
        ddof=1,
        method=told("t_interval", confidence=f"{confidence:g}", what=what),
        formula=f"{quantile:.6f} * {spread!r} / sqrt({n})",
    )


# --- the error of the test set itself ---------------------------------------------------


@record
class SamplingError:
    """Interval of an accuracy for the number of examples it was measured on."""

    low: Reading
    high: Reading
    half_width: Reading
    size: int


def wilson_interval(accuracy: float, size: int, confidence: float) -> tuple[float, float]:
    """Return Wilson's score interval of a proportion of so many examples.

    Source:
        E. B. Wilson 1927, Journal of the American Statistical Association 22 (158);
        Brown, Cai and DasGupta 2001, Statistical Science 16 (2), section 3.1.1.

    Example:
        >>> low, high = wilson_interval(0.815, 200, 0.95)
        >>> round(100 * low, 1), round(100 * high, 1)
        (75.5, 86.3)
    """
    if not 0 <= accuracy <= 1 or size < 1:
        raise ValueError(f"no proportion: {accuracy} of {size} examples")
    z = normal_quantile(confidence)
    share = z * z / size
    centre = (accuracy + share / 2) / (1 + share)
    half = z * math.sqrt(accuracy * (1 - accuracy) / size + share / (4 * size)) / (1 + share)
    return max(0.0, centre - half), min(1.0, centre + half)


def summarise_sampling_error(reading: Reading, size: int, confidence: float) -> SamplingError:
    """Return the sampling error of a measured accuracy; a size of 0 is not known.

    Units:
        Fractions.

    Missing:
        The reading itself is missing, is no proportion, or the size is unknown.

    Source:
        `wilson_interval`.

    Example:
        >>> error = summarise_sampling_error(Quantity(value=0.8, unit="fraction"), 2000, 0.95)
        >>> round(100 * error.half_width.value, 2)
        1.75
    """
    why = _why_not(reading, size)
    if why is not None or isinstance(reading, Missing):
        missing = why or Missing(reason=told("no_accuracy"))
        return SamplingError(low=missing, high=missing, half_width=missing, size=size)
    low, high = wilson_interval(reading.value, size, confidence)
    part = partial(Quantity, unit="fraction", sources=reading.sources)
    values = {"low": low, "high": high, "half": (high - low) / 2}
    low_end, high_end, half = (
        part(value=value, method=told(f"wilson_{end}", confidence=f"{confidence:g}", size=size))
        for end, value in values.items()
    )
    return SamplingError(low=low_end, high=high_end, half_width=half, size=size)


def _why_not(reading: Reading, size: int) -> Missing | None:
    if isinstance(reading, Missing):
        return reading
    if size < 1:
        return Missing(reason=told("size_unknown"))
    if reading.unit != "fraction" or not 0 <= reading.value <= 1:
        return Missing(reason=told("no_proportion"))
    return None
