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
    if type(value) is not list or len(value) > MOST_DIMENSIONS:
        return None
    # By type, since True is an int to isinstance.
    if value and ({*map(type, value)} != {int} or min(value) < 0 or max(value) > LARGEST_COUNT):
        return None
    return tuple(value) if math.prod(value) <= LARGEST_COUNT else None
