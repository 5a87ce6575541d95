"""The numbers in captions of curve figures: how many runs are drawn, and how they are smoothed."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message, say
from reportgen.records.document import Number, Text
from reportgen.records.facts import Facts
from reportgen.records.quantity import Quantity
from reportgen.report._curve_panels import Family, members_on
from reportgen.report._evidence import Sources, of_series, one_a_run
from reportgen.report._numbers import count_of


def drawn(family: Family, metric: str, splits: Sequence[str]) -> Sources:
    """Return the first curve of each run that logged a metric on one of some splits."""
    return one_a_run(
        of_series(cell.run, series)
        for split in splits
        for _, _, cell, series in members_on(family, metric, split)
        if cell.run is not None
    )


def count(identifier: str, value: int, method: str, sources: Sources) -> Number:
    """Return how many there are of something, as a number with its evidence."""
    quantity = count_of(value, message("number of {what}", what=method), sources)
    return Number(id=identifier, quantity=quantity, style="count")


def smoothing_words(facts: Facts, identifier: str) -> Text:
    """Name the smoothing with its weight, a number of its own."""
    value = facts.study.statistics.smoothing
    weight = Quantity(
        value=value,
        method=message("study key statistics.smoothing"),
        sources=(facts.study.cite("statistics.smoothing", value),),
    )
    return say(
        "TensorBoard's debiased exponential moving average, weight {weight}",
        weight=Number(id=f"{identifier}.weight", quantity=weight),
    )
