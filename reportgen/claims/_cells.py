"""What the numbers of one cell are to each other: value and spread, two values, a range."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.checking.numbers._digits import NumberStyle
from reportgen.checking.numbers._gated import gated
from reportgen.checking.numbers._numbers import find_numbers, spreads
from reportgen.claims._counters import counters
from reportgen.records.claim import Printed

_PLUS_MINUS = re.compile(r"(?:±|\\pm|\+\s?/\s?[-−])\s*[{$]?\s*$")
_RANGE = re.compile(r"[\s$\\%]*(?:to|à|–|—|-|−|\.\.|,|;)[\s$]*")
_SIGMAS = gated(
    r"\b\d(?:[.,]\d)?\s?(?:[×·]\s?)?(?:σ|\\sigma\b|sigmas?\b|s\.?d\.?\b|stds?\b"
    r"|standard\sdeviations|écarts[\s-]types)",
    re.IGNORECASE,
)
_OFFSET = re.compile(r"\s?\\?%?\s?/\s?[-−–]\s?")
"""Between the two numbers of `+0.6/−0.4`."""
_OPEN = re.compile(r"[\[(\]]\s*$")


@dataclass(frozen=True, slots=True)
class Part:
    """One number of a cell.

    Attributes:
        number: As printed.
        role: `value`, `spread` (of the value `of`), `bracket` (in brackets behind `of`),
            `low` and `high` of a range.
        of: Index of the part it belongs to.
    """

    number: Printed
    role: str = "value"
    of: int | None = None


def parts_of(text: str, style: NumberStyle) -> tuple[Part, ...]:
    """Return the numbers of a cell with what they are; runs and moments are left out.

    Example:
        >>> [(p.number.text, p.role) for p in parts_of("80.63 ± 0.68", NumberStyle())]
        [('80.63', 'value'), ('0.68', 'spread')]
        >>> [(p.number.text, p.role) for p in parts_of("+5.76 to +8.24", NumberStyle())]
        [('+5.76', 'low'), ('+8.24', 'high')]
    """
    numbers = find_numbers(text, style)
    labels = counters(text, numbers)
    pairs = {right: left for left, right in spreads(text, numbers)}
    kept = [i for i in range(len(numbers)) if i not in labels]
    order = {index: place for place, index in enumerate(kept)}
    parts = []
    for index in kept:
        number = numbers[index]
        left = pairs.get(index)
        if left is not None and left in order:
            sign = _PLUS_MINUS.search(text[numbers[left].end : number.start])
            parts.append(Part(number, "spread" if sign else "bracket", order[left]))
        elif _PLUS_MINUS.search(text[: number.start]):
            parts.append(Part(number, "spread"))
        else:
            parts.append(Part(number))
    return _with_range(text, _without_offsets(text, parts))


def _without_offsets(text: str, parts: Sequence[Part]) -> list[Part]:
    """Leave out how far values lie above and below the one before: `89.0 +0.6/−0.4`."""
    if len(parts) < 3 or not parts[-2].number.text.startswith("+"):
        return list(parts)
    between = text[parts[-2].number.end : parts[-1].number.start]
    return list(parts[:-2] if _OFFSET.fullmatch(between) else parts)


def counts_deviations(text: str) -> bool:
    """Say whether a spread is told to be so many standard deviations.

    Example:
        >>> [counts_deviations(text) for text in (" % (2σ)", "± 2 SD over seeds", "(σ)", "2 seeds")]
        [True, True, False, False]
    """
    return bool(_SIGMAS.search(text))


def _with_range(text: str, parts: Sequence[Part]) -> tuple[Part, ...]:
    """Tell `a to b` and `[a, b]` from two values, alone or behind the value they are for."""
    if len(parts) >= 2 and all(p.role == "value" for p in parts[-2:]):
        low, high = parts[-2:]
        between = text[low.number.end : high.number.start]
        bracket = _OPEN.search(text[: low.number.start])
        joined = _RANGE.fullmatch(between) and (bracket or between.strip() not in {",", ";"})
        if joined and low.number.value <= high.number.value:
            of = len(parts) - 3 if len(parts) > 2 else None
            return (*parts[:-2], Part(low.number, "low", of), Part(high.number, "high", of))
    return tuple(parts)
