"""Differences in sentences, with the unit as the language counts it: `1,15 point`."""

from __future__ import annotations

from reportgen.languages import spoken, tell
from reportgen.records.document import Number, Text
from reportgen.records.quantity import Missing
from reportgen.report._numbers import Printing


def in_points(printing: Printing, number: Number) -> Text:
    """Return a difference or a spread with the unit behind it, where it has one.

    Args:
        printing: Of the metric.
        number: As it is printed; where it is missing, the unit is in the plural.

    Example:
        >>> from reportgen.languages import speaking
        >>> from reportgen.records.quantity import Quantity
        >>> percent = Printing(style="percent", difference="points", value=1, spread=2,
        ...                    sign="%", gap=" points")
        >>> with speaking("fr"):
        ...     for value in (-0.01994, 0.01995):
        ...         number = percent.delta("gap", Quantity(value=value))
        ...         print(percent.rounded(number.quantity), in_points(percent, number)[1])
        -1.99  point
        2.00  points
    """
    if not printing.gap:
        return (number,)
    value = number.quantity
    one = not isinstance(value, Missing) and spoken().is_one(
        printing.rounded(value, number.decimals)
    )
    return (number, f" {tell('point')}" if one else printing.gap)
