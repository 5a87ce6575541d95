"""How many times the value of one group is that of another, in every usual sense."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.checks._samples import Sample
from reportgen.checks._statistics import mean_of
from reportgen.checks._weigh import Reading, spell

_MORE = gated(
    r"\btimes\s(?:higher|lower|larger|smaller|greater|bigger|more|less|fewer)\b"
    r"|\bfois\s(?:plus|moins|inférieure?s?|supérieure?s?)\b",
    re.IGNORECASE,
)
"""`3 times higher` than 1 is 3 to most, and 4 to some."""


def ratios(one: Sample, other: Sample, unit: str, sentence: str) -> Iterator[Reading]:
    """Yield what may be meant by how many times one group has of another.

    It is the ratio of the means, either way round, or the mean of the ratios seed by seed.

    Args:
        one: Values of the first group.
        other: Of the second, taken by the same rule.
        unit: In which they are compared.
        sentence: That says it.
    """
    less = Decimal(1) if _MORE.search(sentence) else Decimal(0)
    by_size = sorted((one, other), key=lambda sample: abs(mean_of(sample.values(unit))))
    for right, left in (by_size, by_size[::-1]):
        for value, words in _quotients(left, right, unit):
            what = f"{words} of {left.group} and {right.group}, {one.words}"
            for shift in dict.fromkeys((Decimal(0), less)):
                yield Reading(
                    value=value - shift,
                    what=what,
                    evidence=tuple(p.evidence for s in (one, other) for p in s.points),
                    says=f"the logs give {spell(value)}, the {what}",
                )


def _quotients(left: Sample, right: Sample, unit: str) -> Iterator[tuple[Decimal, str]]:
    above, below = mean_of(left.values(unit)), mean_of(right.values(unit))
    if below:
        yield above / below, "ratio of the means"
    seeds = {point.run.seed: point for point in right.points}
    matched = [(p, seeds[p.run.seed]) for p in left.points if p.run.seed in seeds]
    each = [(a.in_unit(unit), b.in_unit(unit)) for a, b in matched]
    if each and all(b for _, b in each):
        yield mean_of([a / b for a, b in each]), "mean ratio of the seeds"
