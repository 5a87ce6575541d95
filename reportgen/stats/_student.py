"""Student's t distribution, by the regularised incomplete beta function.

Written out because the package needs two numbers of it and must not pull scipy into
every build; the tests hold it against scipy.
"""

from __future__ import annotations

import math
from functools import lru_cache

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
