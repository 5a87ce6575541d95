"""The error of the test set itself: an accuracy measured on N examples is a sample."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reportgen.languages import message
from reportgen.records.quantity import Missing, Quantity, Reading
from reportgen.stats._student import normal_quantile


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingError:
    """Interval of an accuracy for the examples it was measured on.

    Attributes:
        low: Lower end.
        high: Upper end.
        half_width: Half of their distance.
        size: Number of examples.
    """

    low: Reading
    high: Reading
    half_width: Reading
    size: int


def wilson_interval(accuracy: float, size: int, confidence: float) -> tuple[float, float]:
    """Return Wilson's score interval of a proportion.

    Args:
        accuracy: The proportion, a fraction in [0, 1].
        size: Number of examples.
        confidence: Two-sided level, 0.95 for 95 %.

    Units:
        Fractions.

    Raises:
        ValueError: The proportion is not in [0, 1] or there are no examples.

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
    """Return the sampling error of a measured accuracy.

    Args:
        reading: The accuracy, unit `"fraction"`.
        size: Number of examples of its split; 0 where unknown.
        confidence: Two-sided level.

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
        missing = why if why is not None else Missing(reason=message("no accuracy"))
        return SamplingError(low=missing, high=missing, half_width=missing, size=size)
    low, high = wilson_interval(reading.value, size, confidence)

    def part(value: float, pattern: str) -> Quantity:
        method = message(pattern, confidence=f"{confidence:g}", size=size)
        return Quantity(value=value, unit="fraction", method=method, sources=reading.sources)

    return SamplingError(
        low=part(low, message("lower end of the {confidence} Wilson interval for {size} examples")),
        high=part(
            high, message("upper end of the {confidence} Wilson interval for {size} examples")
        ),
        half_width=part(
            (high - low) / 2,
            message("half width of the {confidence} Wilson interval for {size} examples"),
        ),
        size=size,
    )


def _why_not(reading: Reading, size: int) -> Missing | None:
    if isinstance(reading, Missing):
        return reading
    if size < 1:
        return Missing(reason=message("the number of examples of this split is not known"))
    if reading.unit != "fraction" or not 0 <= reading.value <= 1:
        return Missing(reason=message("the metric is not a proportion of examples"))
    return None
