"""Where labels stand: as near to their lines as they can without touching each other."""

from __future__ import annotations

from collections.abc import Sequence


def relax(wanted: Sequence[float], height: float, low: float, high: float) -> tuple[float, ...]:
    """Spread the centres of labels so that none overlap, moving them as little as possible.

    Args:
        wanted: Centre that each label would like to have, in points.
        height: Height of a label.
        low: Upper edge of the space there is.
        high: Lower edge of the space there is.

    Returns:
        Centres in the order of `wanted`. Labels that crowd share the displacement evenly
        above and below, which is the least-squares solution. Where the space is too small
        for all of them they stand closer than `height`, evenly.

    Source:
        Pool-adjacent-violators for isotonic regression (Barlow et al., 1972), applied to the
        wanted centres less the room that the labels above take up.

    Example:
        >>> relax([50.0, 50.0], height=10.0, low=0.0, high=100.0)
        (45.0, 55.0)
        >>> relax([0.0, 90.0], height=10.0, low=0.0, high=100.0)
        (5.0, 90.0)
    """
    count = len(wanted)
    if not count:
        return ()
    height = min(height, (high - low) / count)
    order = sorted(range(count), key=lambda i: (wanted[i], i))
    blocks: list[tuple[float, int]] = []  # (mean, how many)
    for position, index in enumerate(order):
        mean, size = wanted[index] - position * height, 1
        while blocks and blocks[-1][0] > mean:
            other, more = blocks.pop()
            mean, size = (mean * size + other * more) / (size + more), size + more
        blocks.append((mean, size))
    slots = [mean for mean, size in blocks for _ in range(size)]
    first, last = low + height / 2, high - height / 2 - (count - 1) * height
    centres = [0.0] * count
    for position, index in enumerate(order):
        centres[index] = min(max(slots[position], first), last) + position * height
    return tuple(centres)
