"""Sizes that a tensor can have."""

from __future__ import annotations

import math

MOST_DIMENSIONS = 64
LARGEST_COUNT = 2**62


def whole_shape(value: object) -> tuple[int, ...] | None:
    """Return a shape as a tuple, or None where it is no list of sizes that a tensor can have.

    Example:
        >>> whole_shape([2, 3]), whole_shape([2, -3]), whole_shape([2**60, 2**60])
        ((2, 3), None, None)
    """
    if not isinstance(value, list) or len(value) > MOST_DIMENSIONS:
        return None
    if any(
        isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= LARGEST_COUNT for n in value
    ):
        return None
    return tuple(value) if math.prod(value) <= LARGEST_COUNT else None
