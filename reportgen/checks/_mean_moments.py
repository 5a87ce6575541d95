"""Means over the best steps, or best epochs, of the runs of a group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import product

from reportgen.checks._samples import MOST_TIES
from reportgen.checks._statistics import mean_of

Options = Sequence[tuple[Decimal, ...]]
"""For each run the numbers that its best moment may have: several where values are equal."""


def means_of(options: Options) -> Iterator[Decimal]:
    """Yield every mean of one number a run; of very many the first and the last ones alone.

    Example:
        >>> from decimal import Decimal
        >>> [str(mean) for mean in means_of([(Decimal(4), Decimal(5)), (Decimal(5),)])]
        ['4.5', '5']
    """
    yield from dict.fromkeys(mean_of(picked) for picked in _picked(options))


def _picked(options: Options) -> Iterable[tuple[Decimal, ...]]:
    count = 1
    for numbers in options:
        count *= len(numbers)
    if count <= MOST_TIES:
        return product(*options)
    return (tuple(map(min, options)), tuple(map(max, options)))
