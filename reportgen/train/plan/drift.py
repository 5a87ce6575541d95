"""How far a repeated run may lie from the logged one before something else than chance did it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reportgen.records.facts import GroupResult
from reportgen.records.quantity import Quantity
from reportgen.stats import mean_of, normal_quantile, std_of, t_quantile

CONFIDENCE = 0.95


def tolerance(groups: Sequence[GroupResult], test_size: int) -> float | None:
    """Return the largest difference of a repeated run and the logged one that chance explains.

    Both runs scatter like seeds do, so their difference has the standard deviation
    `sqrt(2) * s`, with s pooled over the groups: `t(0.975, df) * sqrt(2) * s`. Where no value
    varies, the error of the test set stands in: `1.96 * sqrt(2 * p * (1 - p) / N)`.

    Args:
        groups: Groups whose cells are finished.
        test_size: Examples of the reporting split; 0 where unknown.

    Units:
        Those of the metric inside the program: an accuracy is a fraction.

    Missing:
        None where fewer than two values vary and the metric is no proportion of a known number
        of examples.

    Source:
        Pooled variance and the prediction of one further value: NIST/SEMATECH e-Handbook of
        Statistical Methods, sections 7.3.1 and 7.1.3.

    Example:
        >>> from reportgen.stats import group_of_values
        >>> round(tolerance([group_of_values("a", {0: 0.814, 1: 0.804, 2: 0.801})], 2000), 4)
        0.0414
    """
    found = [[cell.report_value for cell in group.cells] for group in groups]
    samples = [[one.value for one in own if isinstance(one, Quantity)] for own in found]
    several = [values for values in samples if len(values) > 1]
    degrees = sum(len(values) - 1 for values in several)
    squares = sum((len(values) - 1) * std_of(values, 1) ** 2 for values in several)
    if squares > 0:
        return t_quantile(CONFIDENCE, degrees) * math.sqrt(2 * squares / degrees)
    values = [value for own in samples for value in own]
    if not values or not all(0 <= value <= 1 for value in values) or test_size < 1:
        return None
    # With all answers right (or wrong) the formula would leave no room for a single one.
    share = min(max(mean_of(values), 0.5 / test_size), 1 - 0.5 / test_size)
    return normal_quantile(CONFIDENCE) * math.sqrt(2 * share * (1 - share) / test_size)
