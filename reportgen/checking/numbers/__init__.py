"""The numbers of a text, as they are printed: decimals, units, what joins groups of digits."""

from __future__ import annotations

from reportgen.checking.numbers._digits import NumberStyle, digits_in, number_style
from reportgen.checking.numbers._numbers import find_numbers, is_coefficient, shown_number, spreads
from reportgen.checking.numbers._numbers import non_claim_spans as no_claim_spans

__all__ = [
    "NumberStyle",
    "digits_in",
    "find_numbers",
    "is_coefficient",
    "no_claim_spans",
    "number_style",
    "shown_number",
    "spreads",
]
